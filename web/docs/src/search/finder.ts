/** Ranked search over the reference and the guides. It is loaded by the first search. */

import MiniSearch from 'minisearch';
import { SEARCH_ENTRIES_PATH, type SearchEntry } from './search-entry.ts';

const FOUND_MAX = 12;
/** Length of the excerpt around the first match. Characters. */
const EXCERPT_LENGTH = 120;
/** From this length on a word may be misspelt in one of five letters. */
const FUZZY_FROM = 4;

export interface Found extends SearchEntry {
  readonly excerpt: string;
  /** The matched words, as the texts have them: for marks. */
  readonly words: readonly string[];
}

export type Finder = (query: string) => readonly Found[];

export async function loadFinder(): Promise<Finder> {
  const response = await fetch(SEARCH_ENTRIES_PATH);
  if (!response.ok) throw new Error(`${SEARCH_ENTRIES_PATH} was answered with ${response.status}`);
  return makeFinder((await response.json()) as readonly SearchEntry[]);
}

/**
 * Best first. Results with all words exclude others; if there are none, results with some of them
 * are returned.
 */
export function makeFinder(entries: readonly SearchEntry[]): Finder {
  const index = new MiniSearch<SearchEntry & { readonly id: number }>({
    fields: ['title', 'page', 'text'],
    tokenize,
    processTerm: (word) => termOf(word),
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: true,
      fuzzy: (word) => (word.length >= FUZZY_FROM ? 0.2 : false),
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (query) => {
    const all = index.search(query, { combineWith: 'AND' });
    const results = all.length > 0 ? all : index.search(query, { combineWith: 'OR' });
    return results.slice(0, FOUND_MAX).map(({ id, terms }) => {
      const entry = entries[id as number]!;
      return { ...entry, excerpt: excerptOf(entry.text, terms), words: terms };
    });
  };
}

/** Words, and the parts of a name: `turnTimeoutMs` is found by `timeout`, too. */
export function tokenize(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.flatMap((word) => {
    const parts = word.split(/(?<=\p{Ll})(?=\p{Lu})/u);
    return parts.length === 1 ? [word] : [word, ...parts];
  });
}

/** Words that occur everywhere and distinguish nothing. */
const COMMON = new Set(
  'an and are as at be by can do does for from get how if in is it its my of on or that the this to with'.split(
    ' ',
  ),
);

/** The search form of a word; null for a word that is not searched. */
function termOf(word: string): string | null {
  const lower = word.toLowerCase();
  return lower.length < 2 || COMMON.has(lower) ? null : lower;
}

/** Begins at a word, a little before the first match. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = first < EXCERPT_LENGTH / 2 ? 0 : text.indexOf(' ', first - EXCERPT_LENGTH / 3) + 1;
  const cut = text.slice(from, from + EXCERPT_LENGTH).trim();
  return `${from > 0 ? '… ' : ''}${cut}${from + EXCERPT_LENGTH < text.length ? ' …' : ''}`;
}
