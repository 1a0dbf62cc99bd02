/** The parts of the search box, which its first load and its results share. */

/** The id of the list of results, which the box names before it is there. */
export const LIST_ID = 'search-results';

export interface SearchField {
  readonly box: HTMLElement;
  readonly input: HTMLInputElement;
  /** Below the box. */
  readonly panel: HTMLElement;
  /** In the panel: how many were found, or why none can be. */
  readonly status: HTMLElement;
}
