/** How many runs a random test makes: all in CI, and a part where somebody waits for the result. */

/** `CI` is set by `.ci/run`, and by services that run such scripts. */
const isThorough = (process.env['CI'] ?? '') !== '';
const PART = 4;

/** `full` in CI. Titles contain the result. */
export function testRuns(full: number): number {
  return isThorough ? full : Math.ceil(full / PART);
}
