/**
 * Bars for times: others may be at work on the machine that runs a test, so a bar that is missed is
 * only said, however far. Whoever has a quiet machine asks for it to be held with
 * `MATCHD_TEST_BARS=1`. What must not last forever is held by the test's own time.
 */

import { expect } from 'bun:test';
import { loadavg } from 'node:os';

const isHeld = process.env.MATCHD_TEST_BARS === '1';

/** How often or how long something is measured: whole where bars are held, else as long as shows that it works. */
export function measuredFor(whole: number, short: number): number {
  return isHeld ? whole : short;
}

/** `value` and `most` are of one unit, say milliseconds; `most` itself is within the bar. */
export function holdBar(what: string, value: number, most: number): void {
  const verdict = value <= most ? 'within' : '*** OVER ***';
  const load = loadavg()[0]!.toFixed(1);
  console.log(`${what}: ${Math.round(value * 1_000) / 1_000}, ${verdict} ${most}; load ${load}`);
  expect(Number.isFinite(value)).toBe(true);
  if (isHeld) expect(value).toBeLessThanOrEqual(most);
}
