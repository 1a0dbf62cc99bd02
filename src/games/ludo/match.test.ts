/** Ludo as a match: time, missed turns, seats that leave, replays, by the laws of every session. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Command } from '../../match/decide.ts';
import { turnOf } from '../../match/frames.ts';
import type { SessionSetup } from '../../match/record.ts';
import { verifyReplay } from '../../match/replay.ts';
import { checkFrames } from '../../testing/frame-laws.ts';
import { anySession, playSession } from '../../testing/random-session.ts';
import { checkReplays, replayOf } from '../../testing/replay-laws.ts';
import { checkLostTime, checkTrace } from '../../testing/session-laws.ts';
import { checkTimes } from '../../testing/session-time.ts';
import type { Trace } from '../../testing/session-trace.ts';
import {
  asActive,
  asEnded,
  follow,
  kindsOf,
  SECOND,
  startTrace,
  T0,
} from '../../testing/session-trace.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import type { AnyGame } from '../game.ts';
import { OPTIONS } from './ludo.test-kit.ts';
import { ludo } from './ludo.ts';
import type { LudoState } from './state.ts';
import { MISSED_MAX } from './turn.ts';

const game: AnyGame = ludo;
const RUNS = 60;

const LAWS: readonly (readonly [string, (trace: Trace) => void])[] = [
  ['[P7] any commands at any times keep the laws of a session', checkTrace],
  ['[P6] nobody runs out of time early, plays on late or pays for lost time', checkTimes],
  ['[P3] every frame follows the one before and shows no secret', checkFrames],
  ['[S7] a replay is good at any point of the match', checkReplays],
];

for (const [what, law] of LAWS) {
  test(`${what}, in ludo (seed ${TEST_SEED})`, () => {
    const property = fc.property(anySession(game), (random) => law(playSession(random)));
    fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
  });
}

test(`[P6] in ludo time that is lost is charged to nobody (seed ${TEST_SEED})`, () => {
  const property = fc.property(anySession(game, 40), fc.nat(), (random, where) =>
    checkLostTime(random, playSession(random), where),
  );
  fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
});

const TURN = 20 * SECOND;
const tick: Command = { kind: 'tick' };

function startLudo(change: Partial<SessionSetup> = {}): Trace {
  return startTrace({ game: 'ludo', variant: 'classic', seats: 3, options: OPTIONS, ...change });
}

function stateOf({ session }: Trace): LudoState {
  return asActive(session).play.state as LudoState;
}

/** The first legal action of the seat to move, some time later. */
function actOnce(trace: Trace, waitMs = SECOND): Trace {
  const [action] = game.legalActions(asActive(trace.session).play.state)!;
  const seat = turnOf(trace.session)!;
  const id = `a${trace.entries.length}`;
  return follow(trace, { kind: 'act', seat, id, action }, trace.session.at + waitMs);
}

describe('missed turns', () => {
  test('[P6] a seat plays three turns by itself and is lost with the next; the others play on', () => {
    let trace = startLudo();
    while (stateOf(trace).out.length === 0) {
      // Only seat 0 never moves.
      trace =
        turnOf(trace.session) === 0 ? follow(trace, tick, trace.session.at + TURN) : actOnce(trace);
    }
    const kinds = kindsOf(trace.entries).filter(
      (kind) => kind === 'missed' || kind === 'forfeited',
    );
    expect(kinds).toEqual([...Array(MISSED_MAX).fill('missed'), 'forfeited']);
    expect(trace.entries.at(-1)!.record).toMatchObject({ seat: 0, reason: 'afk_timeout' });
    expect(trace.session.status).toBe('active');
    expect(turnOf(trace.session)).toBe(1);
  });

  test('[P6] with nobody at the table all but the last seat are lost, and the last has won', () => {
    let trace = startLudo();
    while (trace.session.status === 'active') {
      trace = follow(trace, tick, trace.session.at + TURN);
    }
    const { outcome } = asEnded(trace.session);
    expect(outcome).toMatchObject({ winners: [2], places: [2, 2, 1], reason: 'afk_timeout' });
    expect(verifyReplay(replayOf(trace))).toMatchObject({ ok: true });
  });
});

describe('timed', () => {
  test('[P6] a timed game ends after ten minutes by points, and is verified', () => {
    let trace = startLudo({ variant: 'timed', seats: 4 });
    let last = stateOf(trace);
    while (trace.session.status === 'active') {
      last = stateOf(trace);
      trace = actOnce(trace, 7 * SECOND);
    }
    const { outcome, endedAt, startedAt } = asEnded(trace.session);
    // The move that came too late was not made: 85 were.
    expect(endedAt - startedAt!).toBe(86 * 7 * SECOND);
    expect(asEnded(trace.session).play).toMatchObject({ moveCount: 85 });
    expect(outcome).toEqual(game.timeUp!(last));
    expect(outcome.reason).toBe('time_up');
    expect(outcome.detail['scores']).toHaveLength(4);
    expect(verifyReplay(replayOf(trace))).toMatchObject({ ok: true });
  });

  test('[S9a] teams of two alone: another number of seats is no replay of ours', () => {
    const trace = actOnce(startLudo({ variant: 'teams', seats: 4 }));
    const replay = replayOf(trace);
    expect(verifyReplay(replay, asActive(trace.session).setup.seed)).toMatchObject({ ok: true });
    expect(verifyReplay({ ...replay, seats: 3 })).toMatchObject({
      ok: false,
      error: 'There is no ludo for 3',
    });
  });
});

test('[S9] a whole game by the same seed and entropy is the same game, and redone from its replay', () => {
  const playAll = (): Trace => {
    let trace = startLudo({ seats: 2, afk: false, variant: 'quick' });
    while (trace.session.status === 'active') trace = actOnce(trace);
    return trace;
  };
  const [one, other] = [playAll(), playAll()];
  expect(replayOf(one)).toEqual(replayOf(other));
  expect(verifyReplay(replayOf(one))).toMatchObject({ ok: true });
  expect(one.session.at).toBeGreaterThan(T0);
});
