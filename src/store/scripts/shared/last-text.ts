/** The upper end of a range of texts. */

/** Sorts after every id; after a prefix, it sorts after all texts with that prefix. */
export const LAST_TEXT = '\u{10ffff}';
