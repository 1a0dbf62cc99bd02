/**
 * The results of the search box: a list below it, for pointer and keyboard. Loaded when the box is
 * first used.
 */

import { el, withAttributes } from '../dom.ts';
import { type Finder, type Found, loadFinder } from './finder.ts';
import { LIST_ID, type SearchField } from './search-parts.ts';

/** The state of the box. */
interface State {
  readonly finder: Finder;
  found: readonly Found[];
  picked: number;
}

/** Loads the index, then answers the typed query. Throws if it cannot be loaded. */
export async function attachResults(field: SearchField): Promise<void> {
  const { box, input, panel } = field;
  const state: State = { finder: await loadFinder(), found: [], picked: 0 };
  const list = withAttributes(el('div', 'results'), {
    id: LIST_ID,
    role: 'listbox',
    'aria-label': 'Results',
  });
  panel.append(list);
  const show = (): void => showResults(state, field, list);
  const draw = (): void => drawResults(state, field, list);
  input.addEventListener('input', () => {
    state.picked = 0;
    show();
  });
  input.addEventListener('focus', show);
  input.addEventListener('keydown', (event) => pressed(event, state, input, { show, draw }));
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (!box.contains(relatedTarget as Node | null)) close(field);
  });
  list.addEventListener('click', (event) => {
    const option = (event.target as Element).closest('[role="option"]');
    if (option !== null) go(state.found[[...list.children].indexOf(option)]);
  });
  // A click leaves the focus in place, or the list would close before it.
  panel.addEventListener('mousedown', (event) => event.preventDefault());
  window.addEventListener('hashchange', () => close(field));
  show();
}

function pressed(
  event: KeyboardEvent,
  state: State,
  input: HTMLInputElement,
  { show, draw }: { show(): void; draw(): void },
): void {
  const { found } = state;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && found.length > 0) {
    event.preventDefault();
    state.picked = (state.picked + step + found.length) % found.length;
    draw();
  } else if (event.key === 'Enter') {
    go(found[state.picked]);
  } else if (event.key === 'Escape') {
    input.value = '';
    show();
  }
}

function go(found: Found | undefined): void {
  if (found === undefined) return;
  // If the section is on this page no navigation closes the list.
  (document.activeElement as HTMLElement | null)?.blur();
  location.assign(found.url);
}

function close({ input, panel }: SearchField): void {
  panel.hidden = true;
  withAttributes(input, { 'aria-expanded': 'false' }).removeAttribute('aria-activedescendant');
}

/** Searches for the typed query and renders the results. */
function showResults(state: State, field: SearchField, list: HTMLElement): void {
  const query = field.input.value.trim();
  if (query === '') {
    state.found = [];
    close(field);
    return;
  }
  state.found = state.finder(query);
  drawResults(state, field, list);
}

function drawResults(state: State, { input, panel, status }: SearchField, list: HTMLElement): void {
  panel.hidden = false;
  status.textContent = statusOf(state.found.length);
  list.replaceChildren(
    ...state.found.map((found, place) => makeOption(found, place, place === state.picked)),
  );
  const isOpen = state.found.length > 0;
  input.setAttribute('aria-expanded', String(isOpen));
  if (!isOpen) {
    input.removeAttribute('aria-activedescendant');
    return;
  }
  input.setAttribute('aria-activedescendant', `${LIST_ID}-${state.picked}`);
  list.children[state.picked]!.scrollIntoView({ block: 'nearest' });
}

function statusOf(found: number): string {
  if (found === 0) return 'Nothing matches these words.';
  return found === 1 ? '1 result' : `${found} results`;
}

function makeOption(found: Found, place: number, isPicked: boolean): HTMLElement {
  const { title, page, excerpt, words } = found;
  const option = el(
    'div',
    'result',
    el('span', 'result-title', ...marked(title, words)),
    el('span', 'result-page', page),
    el('span', 'result-text', ...marked(excerpt, words)),
  );
  return withAttributes(option, {
    id: `${LIST_ID}-${place}`,
    role: 'option',
    'aria-selected': String(isPicked),
  });
}

/** The text with its matches marked. */
function marked(text: string, words: readonly string[]): (Node | string)[] {
  const lower = text.toLowerCase();
  const pieces: (Node | string)[] = [];
  let from = 0;
  while (from < text.length) {
    const next = words
      .map((word) => ({ word, place: placeOfWord(lower, word, from) }))
      .filter(({ place }) => place >= 0)
      .sort((a, b) => a.place - b.place || b.word.length - a.word.length)[0];
    if (next === undefined) break;
    const end = next.place + next.word.length;
    pieces.push(text.slice(from, next.place), el('mark', '', text.slice(next.place, end)));
    from = end;
  }
  return [...pieces, text.slice(from)];
}

/** The index of the first word with that beginning; -1 for none. */
function placeOfWord(text: string, word: string, from: number): number {
  for (let place = text.indexOf(word, from); place >= 0; place = text.indexOf(word, place + 1)) {
    if (place === 0 || !/[\p{L}\p{N}]/u.test(text[place - 1]!)) return place;
  }
  return -1;
}
