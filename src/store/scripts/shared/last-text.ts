/** The end of a range of texts. */

/** After every id there is, and behind a prefix after all that begins with it. */
export const LAST_TEXT = '\u{10ffff}';
