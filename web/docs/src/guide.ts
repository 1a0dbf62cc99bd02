/** What a guide gains by a script: the service's own address in its samples, Copy buttons, tabs by language. */

import { withAttributes } from './dom.ts';
import { makeCopyButton } from './sample-view.ts';

/** What readers call the languages of code fences. */
const LANGUAGES: Readonly<Record<string, string>> = { sh: 'Shell', js: 'JavaScript', py: 'Python' };

/** The language that was chosen last, for all guides. */
const STORED = 'matchd.docs.language';

// Guides name the address of a fresh `npm start`; this one listens where the page comes from.
for (const each of document.querySelectorAll('.here')) each.textContent = location.origin;

for (const pre of document.querySelectorAll<HTMLElement>('main pre')) {
  const box = withAttributes(document.createElement('div'), { class: 'sample-box' });
  pre.replaceWith(box);
  const heading = findHeading(box);
  const button = makeCopyButton(heading === null ? 'code' : heading, pre);
  box.append(pre, button);
}

for (const group of document.querySelectorAll<HTMLElement>('.tabs')) makeTabs(group);

/** The words of the heading that a sample stands below. */
function findHeading(element: Element): string | null {
  const headings = [...document.querySelectorAll('main :is(h1, h2, h3)')];
  const isBefore = (each: Element): boolean =>
    (each.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return headings.findLast(isBefore)?.textContent ?? null;
}

/** One of several samples at a time, by its language. */
function makeTabs(group: HTMLElement): void {
  const samples = [...group.querySelectorAll<HTMLElement>('pre')];
  const tabs = samples.map((sample, index) => {
    const language = languageOf(sample);
    sample.id = `${group.dataset['id']}-${language}`;
    withAttributes(sample, { role: 'tabpanel', 'aria-label': LANGUAGES[language] ?? language });
    const tab = withAttributes(document.createElement('button'), {
      type: 'button',
      role: 'tab',
      'aria-controls': sample.id,
    });
    tab.textContent = LANGUAGES[language] ?? language;
    tab.addEventListener('click', () => choose(language));
    tab.addEventListener('keydown', ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: samples.length - 1 }[key];
      if (step === undefined) return;
      const next = (index + step) % samples.length;
      choose(languageOf(samples[next]!));
      tabs[next]!.focus();
    });
    return tab;
  });
  const list = withAttributes(document.createElement('div'), {
    class: 'tab-list',
    role: 'tablist',
    'aria-label': 'Language',
  });
  list.append(...tabs);
  group.prepend(list);
  const show = (language: string): void => {
    const wanted = samples.findIndex((sample) => languageOf(sample) === language);
    const shown = Math.max(0, wanted);
    for (const [index, tab] of tabs.entries()) {
      withAttributes(tab, {
        'aria-selected': String(index === shown),
        tabindex: index === shown ? '0' : '-1',
      });
      // With its box, which has the button.
      samples[index]!.parentElement!.hidden = index !== shown;
    }
  };
  const choose = (language: string): void => {
    store(language);
    for (const each of document.querySelectorAll('.tabs')) {
      each.dispatchEvent(new CustomEvent('language', { detail: language }));
    }
  };
  group.addEventListener('language', (event) => show((event as CustomEvent<string>).detail));
  show(stored());
}

function languageOf(sample: HTMLElement): string {
  return /language-(\w+)/.exec(sample.querySelector('code')?.className ?? '')?.[1] ?? '';
}

function stored(): string {
  try {
    return localStorage.getItem(STORED) ?? '';
  } catch {
    return '';
  }
}

function store(language: string): void {
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // Forbidden storage: the choice holds for this page.
  }
}
