/** Slow rules are reported once a minute, and listed for an hour. */

import { expect, test } from 'bun:test';
import { makeSlowRules } from './slow-rules.ts';

test('[G-OWN] slow calls of a game are counted, reported once a minute, and forgotten after an hour without one', () => {
  let now = 1_000_000;
  const lines: object[] = [];
  const slow = makeSlowRules({ now: () => now }, (fields) => lines.push(fields));
  const call = (game: string, ms: number): void =>
    slow.note({ rules: { game, rulesVersion: 3 }, what: 'view', ms });
  expect(slow.of('pig')).toBeNull();
  call('pig', 80.4);
  call('pig', 60);
  call('nim', 55);
  expect(slow.of('pig')).toEqual({ count: 2, longestMs: 80, lastAt: now });
  expect(slow.of('nim')).toEqual({ count: 1, longestMs: 55, lastAt: now });
  expect(lines).toEqual([
    { game: 'pig', rulesVersion: 3, what: 'view', ms: 80, count: 1 },
    { game: 'nim', rulesVersion: 3, what: 'view', ms: 55, count: 1 },
  ]);
  now += 60_000;
  call('pig', 70);
  expect(lines.at(-1)).toMatchObject({ game: 'pig', count: 2 });
  now += 3_600_000;
  expect(slow.of('pig')).toBeNull();
  call('pig', 51);
  expect(slow.of('pig')).toEqual({ count: 1, longestMs: 51, lastAt: now });
});

test('[G-OWN] games whose slow call ended in a time span are named, to explain a stall in the log', () => {
  let now = 1_000_000;
  const slow = makeSlowRules({ now: () => now }, () => {});
  const call = (game: string): void =>
    slow.note({ rules: { game, rulesVersion: 1 }, what: 'apply', ms: 900 });
  call('pig');
  now += 2_000;
  call('nim');
  expect(slow.endedIn(now - 1_000, now)).toEqual(['nim']);
  expect(slow.endedIn(now - 3_000, now)).toEqual(['pig', 'nim']);
  expect(slow.endedIn(now + 1, now + 1_000)).toEqual([]);
});
