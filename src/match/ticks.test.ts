/** Ticks as records: decided, folded, stored, refused as a broken log, and replayed. */

import { describe, expect, test } from 'bun:test';
import type { Json } from '../../game/src/game.ts';
import { makeRandom } from '../../game/src/random.ts';
import type { TickRun } from '../../game/src/tick-game.ts';
import { BATCH_TICKS_MAX, countTicks, makeRuns } from '../../game/src/tick-game.ts';
import { RIGHT } from '../games/fight-arena/controls.ts';
import { makeMasher } from '../games/fight-arena/fight.test-kit.ts';
import { shippedGames } from '../games/registry.ts';
import type { BrokenLog } from '../testing/matches/broken-log.ts';
import { expectBroken, more } from '../testing/matches/broken-log.ts';
import { checkFrames } from '../testing/matches/frame-laws.ts';
import { checkReplays, replayOf } from '../testing/matches/replay-laws.ts';
import { checkTrace } from '../testing/matches/session-laws.ts';
import { checkTimes } from '../testing/matches/session-time.ts';
import type { Trace } from '../testing/matches/session-trace.ts';
import {
  asActive,
  asEnded,
  follow,
  lastDecision,
  startTrace,
  T0,
  TEST_SECRET,
} from '../testing/matches/session-trace.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { decide } from './decide.ts';
import type { LogRecord } from './record.ts';
import { verifyReplay } from './replay/replay.ts';
import type { Replay } from './replay/replay-form.ts';

const BATCH_MS = 250;
const OPTIONS = { roundSeconds: 10, roundsToWin: 1 };

function openFight(): Trace {
  return startTrace({ game: 'fight-arena', options: OPTIONS });
}

function tickOf(trace: Trace): number {
  return asActive(trace.session).play.moveCount;
}

function ticks(trace: Trace, runs: readonly TickRun[], from = tickOf(trace)): Trace {
  const at = Math.max(trace.session.at, T0) + BATCH_MS;
  return follow(trace, { kind: 'ticks', from, runs }, at);
}

/** A fight with random inputs, to its end or for `batches`. */
function playFight(name: string, batches = Number.POSITIVE_INFINITY): Trace {
  const chance = makeRandom(`${TEST_SEED}`, () => name, 0);
  const mashers = [makeMasher(chance), makeMasher(chance)] as const;
  let trace = openFight();
  for (let n = 0; n < batches && trace.session.status === 'active'; n += 1) {
    const masks = Array.from({ length: BATCH_TICKS_MAX }, () => [mashers[0](), mashers[1]()]);
    trace = ticks(trace, makeRuns(masks));
  }
  return trace;
}

const whole = playFight('whole');
const begun = playFight('begun', 20);

test('[G-FIGHT-7] a precomputed result of ticks is used if it was played from the same state', () => {
  const { state } = asActive(begun.session).play;
  const command = { kind: 'ticks', from: tickOf(begun), runs: [[RIGHT, 0, 3]] } as const;
  const at = begun.session.at + BATCH_MS;
  const { steps } = decide(begun.session, command, at);
  const after = asActive(steps[0]!.after).play.state;
  const known = decide(begun.session, { ...command, played: { before: state, after } }, at);
  expect(known.steps).toEqual(steps);
  expect(asActive(known.steps[0]!.after).play.state).toBe(after);
  const copy = { ...(state as object) } as Json;
  const other = { ...command, played: { before: copy, after: copy } };
  expect(decide(begun.session, other, at).steps).toEqual(steps);
});

describe('ticks are records', () => {
  test(`[P10] a fight obeys the laws of all sessions (seed ${TEST_SEED})`, () => {
    checkTrace(whole);
    checkTimes(whole);
    checkFrames(whole);
    const { outcome, play } = asEnded(whole.session);
    expect(outcome.reason).toMatch(/^rounds_/);
    const counted = whole.entries.flatMap(({ record }) =>
      record.k === 'ticks' ? [countTicks(record.runs)] : [],
    );
    expect(play!.moveCount).toBe(counted.reduce((sum, count) => sum + count, 0));
  });

  test('[P10] a batch in which the game ends has its ticks up to the end, and `ended` with it', () => {
    const kinds = lastDecision(whole).steps.map(({ entry }) => entry.record.k);
    expect(kinds).toEqual(['ticks', 'ended']);
    expect(lastDecision(whole).steps[0]!.told).toMatchObject([{ type: 'fight.round_ended' }]);
  });

  test('[P10] ticks that do not continue the log are refused, and so are those of other games', () => {
    const late = ticks(begun, [[0, 0, 1]], tickOf(begun) - 1);
    expect(lastDecision(late).rejection?.code).toBe('bad_action');
    expect(late.session).toBe(begun.session);
    const other = follow(startTrace(), { kind: 'ticks', from: 0, runs: [[0, 0, 1]] }, T0 + 1);
    expect(lastDecision(other).rejection?.code).toBe('bad_action');
    const over = follow(whole, { kind: 'ticks', from: 0, runs: [[0, 0, 1]] }, T0 + 1e6);
    expect(lastDecision(over).rejection?.code).toBe('session_ended');
  });

  test('[P8] no seat is ever to move: no turn, no clock, no warning', () => {
    const session = asActive(begun.session);
    expect(session.play.turn).toBeNull();
    const later = follow(begun, { kind: 'tick' }, T0 + 10 * 60 * 60 * 1_000);
    expect(later.session).toBe(begun.session);
  });
});

const next = tickOf(begun);
const past: LogRecord = {
  k: 'ticks',
  from: asEnded(whole.session).play!.moveCount,
  runs: [[0, 0, 1]],
};
const BROKEN: readonly BrokenLog[] = [
  ['of another game', more(startTrace(), { k: 'ticks', from: 0, runs: [[0, 0, 1]] }), 'has none'],
  ['too early', more(begun, { k: 'ticks', from: next - 1, runs: [[0, 0, 1]] }), 'not the next one'],
  [
    'with a gap',
    more(begun, { k: 'ticks', from: next + 1, runs: [[0, 0, 1]] }),
    'not the next one',
  ],
  ['that are none', more(begun, { k: 'ticks', from: next, runs: [] }), 'no ticks'],
  ['of a wrong mask', more(begun, { k: 'ticks', from: next, runs: [[512, 0, 1]] }), 'no ticks'],
  ['of one seat', more(begun, { k: 'ticks', from: next, runs: [[0, 1]] }), 'no ticks'],
  ['of too many', more(begun, { k: 'ticks', from: next, runs: [[0, 0, 16]] }), 'no ticks'],
  [
    'after the end',
    more({ ...whole, entries: whole.entries.slice(0, -1) }, past),
    'ticks after the end',
  ],
];

test.each(BROKEN)('[S7] a log with ticks %s is broken', (_, entries, fault) => {
  expectBroken(entries, fault);
});

describe('replays of fights', () => {
  const replay = replayOf(whole);
  const all = replay.ticks!;

  function withTicks(change: (at: number) => readonly object[]): Replay {
    return { ...replay, ticks: all.flatMap((_, at) => change(at)) } as Replay;
  }

  test('[S7] a replay of a fight verifies after every record, with its ticks in wire form', () => {
    checkReplays(playFight('short', 12));
    expect(verifyReplay(shippedGames, replay)).toMatchObject({ ok: true, hash: replay.hash });
    expect(replay.inputs).toEqual([]);
    const { v, at } = whole.entries.find(({ record }) => record.k === 'ticks')!;
    expect(all[0]).toMatchObject({ from: 0, v, at: new Date(at).toISOString() });
    expect(replayOf(startTrace())).not.toHaveProperty('ticks');
  });

  test('[S7] with ticks missing or changed it is refused, and the record is named', () => {
    const { ticks: _, ...bare } = replay;
    expect(verifyReplay(shippedGames, bare as Replay).ok).toBe(false);
    const middle = Math.floor(all.length / 2);
    const corrupted: readonly (readonly [object, RegExp])[] = [
      [{ from: all[middle]!.from + 1 }, /comes next/],
      [{ runs: [[512, 0, 15]] }, /Not ticks/],
      [{ runs: [] }, /Not ticks/],
      [{ runs: 'many' }, /Not ticks/],
      [{ runs: [[0, 0, 1]] }, /comes next/],
    ];
    for (const [change, error] of corrupted) {
      const check = verifyReplay(
        shippedGames,
        withTicks((at) => [at === middle ? { ...all[at]!, ...change } : all[at]!]),
        TEST_SECRET,
      );
      const first = 'runs' in change && /comes/.test(error.source) ? middle + 1 : middle;
      expect(check).toEqual({
        ok: false,
        v: all[first]!.v,
        error: expect.stringMatching(error),
      });
    }
    const dropped = verifyReplay(
      shippedGames,
      withTicks((at) => (at === middle ? [] : [all[at]!])),
    );
    expect(dropped).toMatchObject({ ok: false, v: all[middle + 1]!.v });
    const held = withTicks((at) => [
      at === middle ? { ...all[at]!, runs: [[RIGHT, RIGHT, 15]] } : all[at]!,
    ]);
    expect(verifyReplay(shippedGames, held).ok).toBe(false);
  });
});
