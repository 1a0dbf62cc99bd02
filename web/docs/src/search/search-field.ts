/** The search box in the bar, as in the first load: the search itself is loaded on first use. */

import { el, withAttributes } from '../dom.ts';
import { LIST_ID, type SearchField } from './search-parts.ts';

export function makeSearchField(): HTMLElement {
  const input = withAttributes(el('input', ''), {
    type: 'search',
    role: 'combobox',
    placeholder: 'Search',
    'aria-label': 'Search guides and reference',
    'aria-expanded': 'false',
    'aria-controls': LIST_ID,
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const status = withAttributes(el('p', 'search-status'), { role: 'status' });
  const panel = el('div', 'search-panel', status);
  panel.hidden = true;
  const box = withAttributes(el('div', 'search', input, panel), { role: 'search' });
  loadWhenUsed({ box, input, panel, status });
  listenForSlash(input);
  return box;
}

/** A failure is retried with the next letter. */
function loadWhenUsed(field: SearchField): void {
  const { input, panel, status } = field;
  let isLoading = false;
  const load = async (): Promise<void> => {
    panel.hidden = input.value === '';
    if (isLoading) return;
    isLoading = true;
    status.textContent = 'Loading…';
    try {
      const { attachResults } = await import('./search-results.ts');
      await attachResults(field);
      input.removeEventListener('focus', load);
      input.removeEventListener('input', load);
    } catch {
      isLoading = false;
      status.textContent = 'The search could not be loaded. Type again to retry, or reload.';
    }
  };
  input.addEventListener('focus', load);
  input.addEventListener('input', load);
}

/** The usual shortcut: a slash focuses the search, unless the user is typing. */
function listenForSlash(input: HTMLElement): void {
  window.addEventListener('keydown', (event) => {
    const isWriting = document.activeElement instanceof HTMLInputElement;
    if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
}
