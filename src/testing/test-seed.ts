/** The seed of every random test: fixed, so that a failure is reproducible, unless one is set. */

const DEFAULT_TEST_SEED = 20_251_120;

/** From `MATCHD_TEST_SEED` if set. Tests have it in their titles. */
export const TEST_SEED = parseTestSeed(process.env['MATCHD_TEST_SEED']);

function parseTestSeed(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_TEST_SEED;
  const seed = Number(text);
  // fast-check takes no more than 32 bits.
  if (seed !== (seed | 0)) throw new Error(`MATCHD_TEST_SEED is not a 32-bit integer: ${text}`);
  return seed;
}
