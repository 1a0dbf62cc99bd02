/** The tenant that holds sample data. */
export const SAMPLE_SLUG = 'sample';
