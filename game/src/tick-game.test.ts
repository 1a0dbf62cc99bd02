/** The time of ticks, and the parsers of masks and runs. */

import { expect, test } from 'bun:test';
import { dueTickAt, parseMasks, parseRuns, tickTime } from './tick-game.ts';

test('[P8] a tick is due at its own time, despite the rounding of times since 1970', () => {
  const rules = { ticksPerSecond: 60 };
  const now = Date.UTC(2026, 10, 14, 12);
  for (let first = 0; first < 500; first += 1) {
    const zeroAt = now + 3_000 - tickTime(rules, 0, first);
    for (let tick = first; tick < first + 200; tick += 1) {
      const at = tickTime(rules, zeroAt, tick);
      if (dueTickAt(rules, zeroAt, at) !== tick) throw new Error(`tick ${tick} from ${first}`);
      expect(dueTickAt(rules, zeroAt, at - 0.1)).toBe(tick - 1);
    }
  }
});

test('[G-CONTRACT] masks and runs with holes, or with a zero that JSON does not keep, are refused', () => {
  const bounds = { seats: 2, maskMax: 511, ticksMax: 15 };
  const holes = Array<number>(3);
  for (const masks of [holes, [-0], [1, -0]]) expect(parseMasks(masks, bounds)).toBeNull();
  for (const runs of [holes, [holes], [[-0, 1, 1]]]) expect(parseRuns(runs, bounds)).toBeNull();
  expect(parseMasks([0, 511], bounds)).toEqual([0, 511]);
  expect(parseRuns([[0, 511, 15]], bounds)).toEqual([[0, 511, 15]]);
});
