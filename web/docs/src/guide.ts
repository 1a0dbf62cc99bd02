/**
 * Scripts of a guide: search, the service's own address in its samples, Copy buttons, tabs by
 * language.
 */

import { withAttributes } from './dom.ts';
import { nameOfLanguage, nearestLanguage, onLanguage } from './languages/language.ts';
import { makeLanguageTabs } from './languages/language-tabs.ts';
import { makeCopyButton } from './sample-view.ts';
import { makeSearchField } from './search/search-field.ts';

document.querySelector('.bar')?.append(makeSearchField());

// Guides name the address of a fresh `npm start`; this service listens at the origin of the page.
for (const each of document.querySelectorAll('.here')) each.textContent = location.origin;

for (const pre of document.querySelectorAll<HTMLElement>('main pre')) {
  const box = withAttributes(document.createElement('div'), { class: 'sample-box' });
  pre.replaceWith(box);
  const heading = findHeading(box);
  const button = makeCopyButton(heading === null ? 'code' : heading, pre);
  box.append(pre, button);
}

for (const group of document.querySelectorAll<HTMLElement>('.tabs')) makeTabs(group);

/** The text of the heading above a sample. */
function findHeading(element: Element): string | null {
  const headings = [...document.querySelectorAll('main :is(h1, h2, h3)')];
  const isBefore = (each: Element): boolean =>
    (each.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return headings.findLast(isBefore)?.textContent ?? null;
}

/** One of several samples at a time, by its language. */
function makeTabs(group: HTMLElement): void {
  const samples = [...group.querySelectorAll<HTMLElement>('pre')];
  const languages = samples.map(languageOf);
  const idOf = (language: string): string => `${group.dataset['id']}-${language}`;
  for (const [place, sample] of samples.entries()) {
    const language = languages[place]!;
    sample.id = idOf(language);
    withAttributes(sample, { role: 'tabpanel', 'aria-label': nameOfLanguage(language) });
  }
  const tabs = makeLanguageTabs(languages, idOf);
  group.prepend(tabs.element);
  const show = (chosen: string): void => {
    const shown = nearestLanguage(chosen, languages);
    tabs.mark(shown);
    // With its box, which has the button.
    for (const [place, sample] of samples.entries()) {
      sample.parentElement!.hidden = languages[place] !== shown;
    }
  };
  show('');
  onLanguage(show);
}

function languageOf(sample: HTMLElement): string {
  return /language-(\w+)/.exec(sample.querySelector('code')?.className ?? '')?.[1] ?? '';
}
