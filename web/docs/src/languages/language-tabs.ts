/** Tabs that choose the language of code samples. */

import { el, withAttributes } from '../dom.ts';
import { chooseLanguage, nameOfLanguage } from './language.ts';

export interface LanguageTabs {
  readonly element: HTMLElement;
  mark(language: string): void;
}

/**
 * `panelOf` is the id of a tab's panel. The choice is announced to the whole page, which then marks
 * the tab.
 */
export function makeLanguageTabs(
  languages: readonly string[],
  panelOf: (language: string) => string,
): LanguageTabs {
  const tabs = languages.map((language, place) => {
    const tab = withAttributes(el('button', '', nameOfLanguage(language)), {
      type: 'button',
      role: 'tab',
      'aria-controls': panelOf(language),
    });
    tab.addEventListener('click', () => choose(place));
    tab.addEventListener('keydown', (event) => {
      const steps: Readonly<Record<string, number>> = {
        ArrowRight: place + 1,
        ArrowLeft: place - 1 + languages.length,
        Home: 0,
        End: languages.length - 1,
      };
      const next = steps[event.key];
      if (next === undefined) return;
      event.preventDefault();
      choose(next % languages.length);
      tabs[next % languages.length]!.focus();
    });
    return tab;
  });
  const choose = (place: number): void => chooseLanguage(languages[place]!);
  const element = withAttributes(el('div', 'tab-list', ...tabs), {
    role: 'tablist',
    'aria-label': 'Language',
  });
  return {
    element,
    mark(language) {
      for (const [place, tab] of tabs.entries()) {
        const isShown = languages[place] === language;
        withAttributes(tab, { 'aria-selected': `${isShown}`, tabindex: isShown ? '0' : '-1' });
      }
    },
  };
}
