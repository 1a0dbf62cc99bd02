/** The parts of the search box, which its first load and its results share. */

/** The id of the list of results, which the box refers to before it exists. */
export const LIST_ID = 'search-results';

export interface SearchField {
  readonly box: HTMLElement;
  readonly input: HTMLInputElement;
  /** Below the box. */
  readonly panel: HTMLElement;
  /** In the panel: the number of results, or why there are none. */
  readonly status: HTMLElement;
}
