/** The tenant of the sample data. */
export const SAMPLE_SLUG = 'sample';
