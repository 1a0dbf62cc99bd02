/** What the search knows: a section of the reference or of a guide. Written with the pages, read by the browser. */

export interface SearchEntry {
  /** Where it leads, e.g. `/docs/guides/keys#rotation`. */
  readonly url: string;
  readonly title: string;
  /** The guide it stands in, or the call or message that it describes. */
  readonly page: string;
  readonly text: string;
}

/** Where the service has all of them, as JSON. */
export const SEARCH_ENTRIES_PATH = '/docs/search.json';
