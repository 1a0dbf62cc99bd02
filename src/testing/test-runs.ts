/** How often a random test tries: all of it in CI, and a part of that where somebody waits for the answer. */

/** `CI` is set by `.ci/run`, as by the services that run such scripts. */
const isThorough = (process.env['CI'] ?? '') !== '';
const PART = 4;

/** `full` in CI. Titles name what it answers. */
export function testRuns(full: number): number {
  return isThorough ? full : Math.ceil(full / PART);
}
