/** Ludo as a match: time limits, missed turns, departures, replays, by the laws of every session. */

import { describe, expect, test } from 'bun:test';
import type { AnyGame } from '../../../game/src/game.ts';
import type { Command } from '../../match/decide.ts';
import { decide } from '../../match/decide.ts';
import { turnOf } from '../../match/frames/frames.ts';
import type { SessionSetup } from '../../match/record.ts';
import { verifyReplay } from '../../match/replay/replay.ts';
import type { Session } from '../../match/session.ts';
import { replayOf } from '../../testing/matches/replay-laws.ts';
import { checkTimes } from '../../testing/matches/session-time.ts';
import type { Trace, TracedCommand } from '../../testing/matches/session-trace.ts';
import {
  asActive,
  asEnded,
  follow,
  SECOND,
  startTrace,
  T0,
} from '../../testing/matches/session-trace.ts';
import { testLostTime, testTurnLaws } from '../../testing/matches/turn-laws.ts';
import { shippedGames } from '../registry.ts';
import { DONE, YARD } from './board.ts';
import { OPTIONS } from './ludo.test-kit.ts';
import { ludo } from './ludo.ts';
import type { LudoState } from './state.ts';

const game: AnyGame = ludo;

testTurnLaws(game, 60);
testLostTime(game, 60);

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
  /** Only seat 0 never moves. */
  function missTurns(trace: Trace, isDone: (state: LudoState) => boolean): Trace {
    let so = trace;
    while (so.session.status === 'active' && !isDone(stateOf(so))) {
      so = turnOf(so.session) === 0 ? follow(so, tick, so.session.at + TURN) : actOnce(so);
    }
    return so;
  }
  const recordsOf = ({ decision }: TracedCommand) =>
    decision.steps.map(({ entry }) => entry.record);

  test('[P6] the third missed turn plays itself and costs the seat, in one commit; the others play on', () => {
    const trace = missTurns(startLudo(), ({ out }) => out.length > 0);
    const missed = { k: 'missed', seat: 0 } as const;
    const lost = { k: 'forfeited', seat: 0, reason: 'afk_timeout', id: null } as const;
    const ofSeat0 = trace.commands.filter(({ command }) => command.kind === 'tick').map(recordsOf);
    expect(ofSeat0).toEqual([[missed], [missed], [missed, lost]]);
    expect(trace.session.status).toBe('active');
    expect(turnOf(trace.session)).toBe(1);
    expect(asActive(trace.session).turnStartedAt).toBe(trace.session.at);
  });

  test('[P6] with two seats the other wins by the third', () => {
    const trace = missTurns(startLudo({ seats: 2 }), () => false);
    expect(recordsOf(trace.commands.at(-1)!).map(({ k }) => k)).toEqual([
      'missed',
      'forfeited',
      'ended',
    ]);
    expect(asEnded(trace.session).outcome).toMatchObject({ winners: [1], reason: 'afk_timeout' });
    expect(verifyReplay(shippedGames, replayOf(trace))).toMatchObject({ ok: true });
  });

  test('[P6] a third missed turn that wins the match wins it', () => {
    // Seat 0 misses two turns, gets one square from home, and misses the third.
    const trace = missTurns(
      startLudo({ seats: 2, variant: 'quick' }),
      ({ missed }) => missed[0] === 2,
    );
    const before = missTurns(trace, ({ seat }) => seat === 0).session;
    const falls = [1, 2, 3, 4, 5, 6].flatMap((squares) => {
      const { play } = asActive(before);
      const tokens = [[DONE - squares, YARD, YARD, YARD], [...Array(4).fill(YARD)]];
      const state = { ...(play.state as LudoState), tokens };
      const session = { ...asActive(before), play: { ...play, state } };
      const { steps } = decide(session, tick, before.at + TURN);
      const { after } = steps.at(-1)!;
      return after.status === 'ended' && after.outcome.reason === 'one_home'
        ? [[steps.map(({ entry }) => entry.record.k), after.outcome.winners]]
        : [];
    });
    // The next roll is one of six.
    expect(falls).toEqual([[['missed', 'ended'], [0]]]);
  });

  test('[S7] a replay that leaves out the loss, or has it too early, is refused', () => {
    const trace = missTurns(startLudo({ seats: 2 }), () => false);
    const replay = replayOf(trace);
    const lost = replay.controls.at(-1)!;
    expect(replay.controls.map(({ kind }) => kind)).toEqual([
      ...Array(3).fill('missed'),
      'afk_timeout',
    ]);
    const withoutLoss = { ...lost, v: lost.v + 1, kind: 'missed' } as const;
    expect(
      verifyReplay(shippedGames, {
        ...replay,
        controls: [...replay.controls.slice(0, -1), withoutLoss],
      }),
    ).toEqual({ ok: false, v: withoutLoss.v, error: 'Seat 0 was lost before this' });
    const early = { ...replay.controls[0]!, kind: 'afk_timeout' } as const;
    expect(verifyReplay(shippedGames, { ...replay, controls: [early] })).toEqual({
      ok: false,
      v: early.v,
      error: 'A missed turn plays itself here',
    });
  });

  test('[P6] with nobody connected all but the last seat are lost, and the last has won', () => {
    let trace = startLudo();
    while (trace.session.status === 'active') {
      trace = follow(trace, tick, trace.session.at + TURN);
    }
    const { outcome } = asEnded(trace.session);
    expect(outcome).toMatchObject({ winners: [2], places: [2, 2, 1], reason: 'afk_timeout' });
    expect(verifyReplay(shippedGames, replayOf(trace))).toMatchObject({ ok: true });
  });
});

describe('everybody gone', () => {
  /** All disconnect one second after another, from seat 0 on; returns the state after the last grace period. */
  function leaveAll(trace: Trace): Trace {
    let so = trace;
    for (const seat of trace.session.seats.keys()) {
      so = follow(so, { kind: 'disconnect', seat }, so.session.at + SECOND);
    }
    return follow(so, tick, so.session.at + 60 * SECOND);
  }

  /** Played until a seat has finished. */
  function playUntilHome(): Trace {
    let trace = startLudo({ afk: false, variant: 'quick' });
    while (stateOf(trace).home.length === 0) trace = actOnce(trace);
    return trace;
  }

  test('[S8] a player who has finished wins, although nobody is connected any more', () => {
    const home = playUntilHome();
    const [first] = stateOf(home).home;
    const trace = leaveAll(home);
    const { outcome } = asEnded(trace.session);
    expect(outcome).toMatchObject({ winners: [first], reason: 'one_home' });
    // Of the two others the first to leave is last.
    const [gone, last] = [0, 1, 2].filter((seat) => seat !== first);
    expect(outcome.places[gone!]).toBe(3);
    expect(outcome.places[last!]).toBe(2);
    expect(verifyReplay(shippedGames, replayOf(trace))).toMatchObject({ ok: true });
    checkTimes(trace);
  });

  test('[S8] also if the winner disconnected minutes before the others', () => {
    const home = playUntilHome();
    const [first] = stateOf(home).home;
    const gone = follow(home, { kind: 'disconnect', seat: first! }, home.session.at + SECOND);
    const lost = follow(gone, tick, gone.session.at + 60 * SECOND);
    expect(lost.session.seats[first!]!.forfeited).toBe('disconnect');
    const trace = leaveAll(lost);
    expect(asEnded(trace.session).outcome).toMatchObject({ winners: [first] });
    expect(verifyReplay(shippedGames, replayOf(trace))).toMatchObject({ ok: true });
  });

  test('[S8] if nobody has finished it is aborted, at the last grace period and without a loss', () => {
    for (const variant of ludo.variants) {
      const trace = leaveAll(startLudo({ afk: false, variant, seats: 4 }));
      const { outcome, seats } = asEnded(trace.session);
      expect(outcome).toMatchObject({ winners: [], places: [1, 1, 1, 1], reason: 'aborted' });
      expect(seats.every(({ forfeited }) => forfeited === null)).toBe(true);
      expect(verifyReplay(shippedGames, replayOf(trace))).toMatchObject({ ok: true });
    }
  });
});

describe('chance', () => {
  /** A match in which seat 1 resigns after some turns, some of them missed. */
  function endMatch(): Trace {
    let so = startLudo({ seats: 2 });
    for (let n = 0; n < 12; n += 1) {
      so = n % 4 === 3 ? follow(so, tick, so.session.at + TURN) : actOnce(so);
    }
    return follow(so, { kind: 'resign', seat: 1, id: 'r' }, so.session.at + SECOND);
  }

  test('[S9] a replay lists every drawn value, once the seed is shown', () => {
    const trace = endMatch();
    const replay = replayOf(trace);
    const draws = replay.chance!.flatMap((each) => each.draws);
    expect(draws.length).toBeGreaterThan(9);
    for (const [below, value] of draws) expect([below, value]).toEqual([6, value % 6]);
    const steps = [...replay.inputs, ...replay.controls].map(({ v }) => v);
    for (const { v } of replay.chance!) expect(steps).toContain(v);
    expect(verifyReplay(shippedGames, replay)).toMatchObject({ ok: true });
    expect(replayOf(trace, trace.entries.length - 2).chance).toBeNull();
  });

  test('[S9] other values, fewer and more are refused; a replay without them is not', () => {
    const replay = replayOf(endMatch());
    const [first, ...rest] = replay.chance!;
    const [[below, value]] = first!.draws as [readonly [number, number]];
    const other = { ...first!, draws: [[below, (value + 1) % below] as const] };
    for (const chance of [[other, ...rest], rest, [...replay.chance!, { v: 99, draws: [] }]]) {
      const check = verifyReplay(shippedGames, { ...replay, chance });
      expect([check.ok, JSON.stringify(check)]).toEqual([false, expect.stringMatching(/values/)]);
    }
    const { chance: _, ...older } = replay;
    expect(verifyReplay(shippedGames, older)).toMatchObject({ ok: true });
  });
});

describe('teams', () => {
  const ALL = Array<number>(4).fill(DONE);

  /** A team match in which seat 0 has finished and seat 1 is to move, and its end. */
  function endAfter(commands: readonly Command[]): ReturnType<typeof asEnded> {
    const started = asActive(startLudo({ variant: 'teams', seats: 4, afk: false }).session);
    const tokens = [ALL, [3, 4, 5, 6], [7, 8, 9, 10], [5, 6, 7, 9]];
    const state = { ...(started.play.state as LudoState), tokens, home: [0], seat: 1 };
    const first: Session = { ...started, play: { ...started.play, state, turn: 1 } };
    const after = commands.reduce<Session>(
      (so, command) => decide(so, command, so.at + 60 * SECOND).steps.at(-1)?.after ?? so,
      first,
    );
    return asEnded(after);
  }
  const resign = (seat: number): Command => ({ kind: 'resign', seat, id: `r${seat}` });

  test('[S8] a player who has finished and disconnected wins with the partner when an opponent leaves', () => {
    const { outcome } = endAfter([{ kind: 'disconnect', seat: 0 }, tick, resign(1)]);
    expect(outcome).toMatchObject({ winners: [0, 2], places: [1, 4, 1, 3], reason: 'team_left' });
  });

  test('[S8] a player who resigns does not win by it, even if the partner has finished', () => {
    const { outcome } = endAfter([resign(2)]);
    expect(outcome).toMatchObject({ winners: [1, 3], places: [3, 1, 4, 1], reason: 'team_left' });
  });
});

describe('timed', () => {
  test('[P6] a timed game ends after ten minutes by points, and verifies', () => {
    let trace = startLudo({ variant: 'timed', seats: 4 });
    let last = stateOf(trace);
    while (trace.session.status === 'active') {
      last = stateOf(trace);
      trace = actOnce(trace, 7 * SECOND);
    }
    const { outcome, endedAt, startedAt } = asEnded(trace.session);
    // The late move was not made: 85 were.
    expect(endedAt - startedAt!).toBe(86 * 7 * SECOND);
    expect(asEnded(trace.session).play).toMatchObject({ moveCount: 85 });
    expect(outcome).toEqual(game.timeUp!(last));
    expect(outcome.reason).toBe('time_up');
    expect(outcome.detail['scores']).toHaveLength(4);
    expect(verifyReplay(shippedGames, replayOf(trace))).toMatchObject({ ok: true });
  });

  test('[S9a] teams are always four seats: another number is no replay of ours', () => {
    const trace = actOnce(startLudo({ variant: 'teams', seats: 4 }));
    const replay = replayOf(trace);
    expect(verifyReplay(shippedGames, replay, asActive(trace.session).setup.seed)).toMatchObject({
      ok: true,
    });
    expect(verifyReplay(shippedGames, { ...replay, seats: 3 })).toMatchObject({
      ok: false,
      error: 'There is no ludo for 3',
    });
  });
});

test('[S9] a whole game with the same seed and entropy is the same, and replays', () => {
  const playAll = (): Trace => {
    let trace = startLudo({ seats: 2, afk: false, variant: 'quick' });
    while (trace.session.status === 'active') trace = actOnce(trace);
    return trace;
  };
  const [one, other] = [playAll(), playAll()];
  expect(replayOf(one)).toEqual(replayOf(other));
  expect(verifyReplay(shippedGames, replayOf(one))).toMatchObject({ ok: true });
  expect(one.session.at).toBeGreaterThan(T0);
});
