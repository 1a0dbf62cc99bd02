/** The language of the samples: chosen once, for all pages. */

/** The labels of tabs, by code fence names: the language, or the tool that the shell calls. */
const NAMES: Readonly<Record<string, string>> = {
  sh: 'curl',
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

/** The last chosen language; empty before. */
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
    // Forbidden storage: the choice applies to this page.
  }
  window.dispatchEvent(new CustomEvent(CHOSEN, { detail: id }));
}

/** Called with the choice of the last visit, if any, and with each later one. */
export function onLanguage(listen: (id: string) => void): void {
  const stored = storedLanguage();
  if (stored !== '') listen(stored);
  window.addEventListener(CHOSEN, (event) => listen((event as CustomEvent<string>).detail));
}

/** The one of `offered` for the language, or the nearest; the first if none matches. */
export function nearestLanguage(id: string, offered: readonly string[]): string {
  const near: Readonly<Record<string, string>> = { js: 'ts', ts: 'js' };
  return [id, near[id] ?? ''].find((each) => offered.includes(each)) ?? offered[0] ?? '';
}
