/**
 * Time limits in tests: other work may slow the machine, so an exceeded limit is only reported,
 * however far. On an idle machine `MATCHD_TEST_BARS=1` enforces them. The test's own timeout
 * catches what never ends.
 */

import { expect } from 'bun:test';
import { loadavg } from 'node:os';

const isHeld = process.env.MATCHD_TEST_BARS === '1';

/**
 * How often or how long something is measured: fully if limits are enforced, otherwise just enough
 * to show that it works.
 */
export function measuredFor(whole: number, short: number): number {
  return isHeld ? whole : short;
}

/** `value` and `most` have the same unit, e.g. milliseconds; `most` itself is within the limit. */
export function holdBar(what: string, value: number, most: number): void {
  const verdict = value <= most ? 'within' : '*** OVER ***';
  const load = loadavg()[0]!.toFixed(1);
  console.log(`${what}: ${Math.round(value * 1_000) / 1_000}, ${verdict} ${most}; load ${load}`);
  expect(Number.isFinite(value)).toBe(true);
  if (isHeld) expect(value).toBeLessThanOrEqual(most);
}
