/** Tests of the fairness checks: a valid match passes them all, and for a changed one the failing check is named. */

import { expect, test } from 'bun:test';
import { sha256Hex } from '../../../../game/src/random.ts';
import { findGame } from '../../../../src/games/registry.ts';
import { makeReplay } from '../../../../src/match/replay/replay.ts';
import type { Replay } from '../../../../src/match/replay/replay-form.ts';
import { thaw } from '../../../../src/testing/matches/session-laws.ts';
import {
  followAll,
  makeTestRoster,
  startTrace,
} from '../../../../src/testing/matches/session-trace.ts';
import { checkMatch } from './check-match.ts';

const mark = (seat: number, position: number) =>
  ({ kind: 'act', seat, id: `p${position}`, action: { position } }) as const;

const trace = followAll(startTrace(), [
  [1, mark(0, 0)],
  [2, mark(1, 3)],
  [3, mark(0, 1)],
  [4, mark(1, 4)],
  [5, mark(0, 2)],
]);
const replay = thaw(makeReplay(trace.session, makeTestRoster(2), trace.entries));
const { commitment } = replay.fairness;
const input = (at: number, change: object): Partial<Replay> => ({
  inputs: replay.inputs.map((each, index) => (index === at ? { ...each, ...change } : each)),
});

function check(change: Partial<Replay> = {}, committed: string | null = commitment) {
  let clock = 0;
  const progress: number[] = [];
  const world = {
    // Each reading of the clock is later than the longest block.
    now: () => (clock += 100),
    rest: () => Promise.resolve(),
    onProgress: (steps: number) => void progress.push(steps),
  };
  const checked = checkMatch(findGame(replay.game)!, { ...replay, ...change }, committed, world);
  return checked.then((found) => ({ ...found, progress }));
}

test('[W5][S7][S9] a valid match passes every check without blocking the page', async () => {
  const found = await check();
  expect(found.isGood).toBe(true);
  expect(found.findings.map(({ name, state }) => `${name} ${state}`)).toEqual(
    ['promise', 'game', 'seed', 'order', 'steps', 'state', 'result'].map(
      (name) => `${name} passed`,
    ),
  );
  expect([found.steps, found.progress]).toEqual([5, [1, 2, 3, 4, 5]]);
});

test('[W5][S9] a page that was not open during the match has no commitment', async () => {
  const found = await check({}, null);
  expect(found.isGood).toBe(true);
  expect(found.findings.map(({ name }) => name)).not.toContain('promise');
});

test.each<[string, Partial<Replay>, string, number | null]>([
  ['another version of the rules', { rulesVersion: 99 }, 'game', null],
  ['another seed', { fairness: { ...replay.fairness, seed: 'another' } }, 'seed', null],
  ['seats that were not drawn', { drawnSeats: [1, 0] }, 'seats', null],
  ['a later time', input(0, { at: '2999-01-01T00:00:00.000Z' }), 'order', replay.inputs[1]!.v],
  ['a taken cell', input(2, { action: { position: 3 } }), 'steps', replay.inputs[2]!.v],
  ['another seat', input(0, { seat: 1 }), 'steps', replay.inputs[0]!.v],
  ['an invalid action', input(0, { action: 7 }), 'steps', replay.inputs[0]!.v],
  ['another cell', input(3, { action: { position: 8 } }), 'state', null],
  ['another hash', { hash: sha256Hex('another') }, 'state', null],
  ['another winner', { result: { ...replay.result!, winner: 'player-1' } }, 'result', null],
])('[W5][S7][S9] %s is detected', async (_, change, name, v) => {
  const found = await check(change);
  expect(found.isGood).toBe(false);
  expect(found.error).not.toBeNull();
  const states = found.findings.map((each) => each.state);
  const failed = found.findings.findIndex((each) => each.state === 'failed');
  expect([found.findings[failed]!.name as string, found.v]).toEqual([name, v]);
  expect(states.slice(0, failed).every((state) => state === 'passed')).toBe(true);
  expect(states.slice(failed + 1).every((state) => state === 'open')).toBe(true);
});

test('[W5][S9] a seed other than the committed one is detected, even if all else is valid', async () => {
  const found = await check({}, sha256Hex('what was promised'));
  expect(found.isGood).toBe(false);
  expect(found.findings[0]).toEqual({ name: 'promise', state: 'failed' });
  expect(found.findings.slice(1).every(({ state }) => state === 'passed')).toBe(true);
});

test('[W5][S7] a record that makes the engine throw fails the check instead of crashing', async () => {
  let deep: unknown = {};
  for (let n = 0; n < 100_000; n += 1) deep = { deep };
  const found = await check({ result: { ...replay.result!, deep } as unknown as Replay['result'] });
  expect(found.isGood).toBe(false);
});
