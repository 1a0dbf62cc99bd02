/** Tests of the scenes of a replay: they are the positions of its match, in whichever order they are requested. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anyShot } from '../../../../e2e/parts/any-shot.ts';
import { game as eights } from '../../../../examples/games/crazy-eights/rules.ts';
import type { AnyGame, Json } from '../../../../game/src/game.ts';
import { isRefusal } from '../../../../game/src/game.ts';
import { makeRandom } from '../../../../game/src/random.ts';
import { findGame, shippedGames } from '../../../../src/games/registry.ts';
import { foldSession } from '../../../../src/match/evolve.ts';
import type { Replay } from '../../../../src/match/replay/replay-form.ts';
import type { ReplayInput } from '../../../../src/match/replay/rerun.ts';
import { anySession, playSession } from '../../../../src/testing/matches/random-session.ts';
import { replayOf } from '../../../../src/testing/matches/replay-laws.ts';
import { TEST_SECRET } from '../../../../src/testing/matches/session-trace.ts';
import { TEST_SEED } from '../../../../src/testing/test-seed.ts';
import { makeReel } from './reel.ts';

const RUNS = 20;
const STEPS_MAX = 60;
const GAMES = (['tictactoe', 'connect4', 'checkers', 'ludo'] as const).map(
  (id) => [id, findGame(id)!] as const,
);

/** The session as at its end: with the seed, so that chance can be computed. */
function shown(replay: Replay): Replay {
  return { ...replay, fairness: { ...replay.fairness, seed: TEST_SECRET } };
}

describe.each(GAMES)('%s', (_, game) => {
  test(`[W5][S7] shows every position of the match (seed ${TEST_SEED})`, () => {
    const property = fc.property(anySession(game, STEPS_MAX), (random) => {
      const trace = playSession(random);
      const reel = makeReel(game, shown(replayOf(trace)), 0);
      const views = [...positions(game, trace)];
      expect(reel.scene(reel.last).view).toEqual(views.at(-1)!);
      expect(reel.fault).toBeNull();
      expect(reel.last).toBe(views.length - 1);
      for (let index = reel.last; index >= 0; index -= 1) {
        expect(reel.scene(index).view).toEqual(views[index]!);
      }
    });
    fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
  });
});

/** The view before the first step and after each, from the records only. */
function* positions(game: AnyGame, { entries }: ReturnType<typeof playSession>) {
  const { setup } = foldSession(shippedGames.findPlayed, 'ses_test', entries.slice(0, 1));
  yield game.view(game.initial(setup), null);
  for (const [index, { record }] of entries.entries()) {
    const isStep = ['action', 'missed', 'forfeited', 'draw'].includes(record.k);
    if (!isStep) continue;
    const session = foldSession(shippedGames.findPlayed, 'ses_test', entries.slice(0, index + 1));
    if (session.status === 'pending' || session.play === null) throw new Error('No play');
    yield game.view(session.play.state, null);
  }
}

test('[W5][S7] ends before the first illegal step, and says where', () => {
  const game = findGame('tictactoe')!;
  const inputs = [4, 0, 4, 1].map((position, n) => ({
    v: n + 3,
    at: '2026-11-21T12:00:00.000Z',
    seat: n % 2,
    action: { position },
  }));
  const reel = makeReel(game, replayWith({ inputs }), 0);
  expect(reel.last).toBe(4);
  expect(reel.scene(4).v).toBe(4);
  expect(reel.last).toBe(2);
  expect(reel.fault).toEqual({ v: 5 });
});

test('[W5] shows the hidden information of the nearest seat only', () => {
  const game = eights as AnyGame;
  const { id, rulesVersion } = game;
  const setup = { ...replayWith({}), game: id, rulesVersion, seats: 3 };
  // The match has begun: cards are dealt.
  const replay = { ...setup, options: { rounds: 1 }, hash: '0'.repeat(64) };
  for (const seat of [0, 1, 2]) {
    const { hands } = makeReel(game, shown(replay), seat).scene(0).view as {
      readonly hands: readonly (readonly number[] | null)[];
    };
    expect(hands.map((hand) => hand?.length ?? null)).toEqual(
      [0, 1, 2].map((each) => (each === seat ? 5 : null)),
    );
  }
});

test('[W5][S7] every shot of pool ends where the next one begins', () => {
  const game = findGame('pool')!;
  const setup = replayWith({ game: 'pool', variant: 'nineball', options: { callPocket: 'all' } });
  const choose = makeRandom('shots', () => '', 0);
  let state = game.initial(setup);
  let drawn = 0;
  const views: Json[] = [game.view(state, null)];
  const inputs: ReplayInput[] = [];
  for (let tries = 0; tries < 50 && inputs.length < 8 && game.outcome(state) === null; tries += 1) {
    const seat = game.turn(state)!;
    const action = game.parseAction(anyShot(views.at(-1), choose));
    const random = makeRandom(TEST_SECRET, () => '', drawn);
    const applied = action === null ? null : game.apply(state, seat, action, random);
    // After a rejected call, try another one.
    if (action === null || applied === null || isRefusal(applied)) continue;
    inputs.push({ v: inputs.length + 3, at: '2026-11-21T12:00:00.000Z', seat, action });
    state = applied.state;
    drawn = random.drawn();
    views.push(game.view(state, null));
  }
  expect(inputs.length).toBeGreaterThan(2);
  const reel = makeReel(game, { ...setup, inputs }, 0);
  for (let index = views.length - 1; index >= 0; index -= 1) {
    expect(reel.scene(index).view).toEqual(views[index]!);
  }
  expect([reel.last, reel.fault]).toEqual([inputs.length, null]);
});

describe('real-time games', () => {
  const fight = findGame('fight-arena')!;
  const batches = Array.from({ length: 40 }, (_, n) => ({
    v: n + 3,
    at: '2026-11-21T12:00:00.000Z',
    from: n * 15,
    runs: [[n % 3 === 0 ? 2 : 0, n % 2 === 0 ? 1 : 16, 15]],
  }));
  const replay = replayWith({ game: 'fight-arena', ticks: batches });

  test('[W5][P10] a scene is a tick, from the beginning as from any other', () => {
    const reel = makeReel(fight, replay, 0);
    expect([reel.last, reel.scenesPerSecond]).toEqual([600, 60]);
    let state = fight.initial(replay);
    const views = [fight.view(state, null)];
    for (let tick = 0; tick < 600; tick += 1) {
      state = fight.ticks!.step(state, batches[Math.floor(tick / 15)]!.runs[0]!.slice(0, 2));
      views.push(fight.view(state, null));
    }
    for (const tick of [600, 0, 1, 239, 240, 241, 120, 599, 3]) {
      expect(reel.scene(tick).view).toEqual(views[tick]!);
    }
  });

  test('[W5][P10] ends before invalid ticks', () => {
    const ticks = batches.map((each, n) => (n === 4 ? { ...each, runs: [[1, 9_999, 3]] } : each));
    const reel = makeReel(fight, { ...replay, ticks }, 0);
    expect([reel.last, reel.fault?.v]).toEqual([60, 7]);
  });
});

function replayWith(part: Partial<Replay>): Replay {
  const game = findGame(part.game ?? 'tictactoe')!;
  return {
    sessionId: 'ses_test',
    rulesVersion: game.rulesVersion,
    game: game.id,
    variant: game.variants[0],
    seats: 2,
    options: {},
    players: [],
    fairness: { commitment: '', seed: TEST_SECRET, entropy: '' },
    drawnSeats: null,
    inputs: [],
    controls: [],
    hash: null,
    result: null,
    ...part,
  };
}
