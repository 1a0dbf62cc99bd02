/**
 * An entry of the search index: a section of the reference or of a guide. Written with the pages,
 * read by the browser.
 */

export interface SearchEntry {
  /** Its address, e.g. `/docs/guides/keys#rotation`. */
  readonly url: string;
  readonly title: string;
  /** Its guide, or the call or message that it describes. */
  readonly page: string;
  readonly text: string;
}

/** The address of the index, as JSON. */
export const SEARCH_ENTRIES_PATH = '/docs/search.json';
