/** The language of the samples: chosen once, for all pages. */

/** What readers call the languages, by what code fences call them. */
const NAMES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  py: 'Python',
  go: 'Go',
};

const STORED = 'matchd.docs.language';
const CHOSEN = 'matchd-language';

export function nameOfLanguage(id: string): string {
  return NAMES[id] ?? id;
}

/** The language that was chosen last; empty before. */
function storedLanguage(): string {
  try {
    return localStorage.getItem(STORED) ?? '';
  } catch {
    return '';
  }
}

export function chooseLanguage(id: string): void {
  try {
    localStorage.setItem(STORED, id);
  } catch {
    // Forbidden storage: the choice holds for this page.
  }
  window.dispatchEvent(new CustomEvent(CHOSEN, { detail: id }));
}

/** Told of the choice of the last visit, if any, and of each that follows. */
export function onLanguage(listen: (id: string) => void): void {
  const stored = storedLanguage();
  if (stored !== '') listen(stored);
  window.addEventListener(CHOSEN, (event) => listen((event as CustomEvent<string>).detail));
}

/** The one of `offered` that shows the language, or what comes nearest; the first where none does. */
export function nearestLanguage(id: string, offered: readonly string[]): string {
  const near: Readonly<Record<string, string>> = { js: 'ts', ts: 'js' };
  return [id, near[id] ?? ''].find((each) => offered.includes(each)) ?? offered[0] ?? '';
}
