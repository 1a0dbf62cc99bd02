/**
 * Ten thousand random fights to their end, each replayed from its masks only; some hundreds of them
 * also through a match's log. `MATCHD_TEST_GAMES` sets another number of fights.
 */

import { expect, test } from 'bun:test';
import type { AnyGame, Json, Setup } from '../../../game/src/game.ts';
import { hashJson } from '../../../game/src/json.ts';
import { makeAllSetups } from '../../../game/src/testing/random-play.ts';
import type { TickGame, TickRun } from '../../../game/src/tick-game.ts';
import { advance, BATCH_TICKS_MAX, countTicks } from '../../../game/src/tick-game.ts';
import { decide } from '../../match/decide.ts';
import { foldSession } from '../../match/evolve.ts';
import type { Entry } from '../../match/record.ts';
import { makeReplay, verifyReplay } from '../../match/replay/replay.ts';
import type { Session } from '../../match/session.ts';
import { makeTestRoster, startTrace, T0 } from '../../testing/matches/session-trace.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { shippedGames } from '../registry.ts';
import { MASK_MAX } from './controls.ts';
import { fightArena } from './fight-arena.ts';
import type { FightState } from './state.ts';

const FIGHTS = Number(process.env['MATCHD_TEST_GAMES'] ?? 10_000);
/** One in this many is also a match with a log. */
const LOGGED_ONE_IN = 25;
/** More than the longest fight has: 5 rounds played three times, of 99 s, with all pauses. */
const TICKS_MAX = 15 * (99 * 60 + 300);
/** The input mostly changes after this many ticks. */
const HOLD_TICKS_MAX = 12;
const TEST_MS_MAX = 1_800_000;

const game = fightArena as unknown as AnyGame & TickGame;
const setups = makeAllSetups(game);

/** Fast random numbers (mulberry32): whole numbers below a bound. */
function makeChance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Batches as the runner commits them: runs of both inputs, 15 ticks at most. */
function* makeBatches(seed: number): Generator<readonly TickRun[], never> {
  const chance = makeChance(seed);
  const held = [0, 0];
  const until = [0, 0];
  for (;;) {
    const runs: number[][] = [];
    for (let left = BATCH_TICKS_MAX; left > 0; ) {
      for (const seat of [0, 1]) {
        if (until[seat]! > 0) continue;
        held[seat] = chance(MASK_MAX + 1);
        until[seat] = 1 + chance(HOLD_TICKS_MAX);
      }
      const ticks = Math.min(left, until[0]!, until[1]!);
      runs.push([...held, ticks]);
      for (const seat of [0, 1]) until[seat]! -= ticks;
      left -= ticks;
    }
    yield runs;
  }
}

interface Fought {
  readonly state: Json;
  readonly batches: readonly (readonly TickRun[])[];
}

function playThrough(setup: Setup, seed: number): Fought {
  let state = game.initial(setup);
  const batches: (readonly TickRun[])[] = [];
  for (const runs of makeBatches(seed)) {
    if (batches.length * BATCH_TICKS_MAX > TICKS_MAX) throw new Error('It does not end');
    const advanced = advance(game, state, runs);
    state = advanced.state;
    batches.push(advanced.runs);
    if (game.outcome(state) !== null) break;
  }
  return { state, batches };
}

/** The same fight as a match: every batch a command, every record stored. */
function logOf(setup: Setup, batches: Fought['batches']): { session: Session; entries: Entry[] } {
  const { variant, seats, options } = setup;
  const trace = startTrace({ game: 'fight-arena', variant, seats, options });
  const entries = [...trace.entries];
  let { session } = trace;
  let from = 0;
  for (const runs of batches) {
    const { steps, rejection } = decide(session, { kind: 'ticks', from, runs }, T0 + from * 17);
    expect(rejection).toBeNull();
    entries.push(...steps.map(({ entry }) => entry));
    session = steps.at(-1)!.after;
    from += countTicks(runs);
  }
  return { session, entries };
}

function checkLog(setup: Setup, { state, batches }: Fought): void {
  const { session, entries } = logOf(setup, batches);
  const outcome = game.outcome(state)!;
  expect(session).toMatchObject({ status: 'ended', outcome });
  const kept = JSON.parse(JSON.stringify(entries)) as Entry[];
  expect(foldSession(shippedGames.findPlayed, session.id, kept)).toEqual(session);
  const replay = makeReplay(session, makeTestRoster(2), kept);
  expect(replay.hash).toBe(hashJson(state));
  expect(verifyReplay(shippedGames, JSON.parse(JSON.stringify(replay)))).toMatchObject({
    ok: true,
  });
}

test(
  `[G-CONTRACT] ${FIGHTS} random fights end, and replayed in one go they are the same (seed ${TEST_SEED})`,
  () => {
    const reasons: Record<string, number> = {};
    let ticks = 0;
    let longest = 0;
    let logged = 0;
    for (let number = 0; number < FIGHTS; number += 1) {
      const setup = setups[number % setups.length]!;
      try {
        const fought = playThrough(setup, TEST_SEED + number * 7_919);
        const text = JSON.stringify(fought.batches.flat());
        const again = advance(game, game.initial(setup), JSON.parse(text) as TickRun[]).state;
        expect(hashJson(again)).toBe(hashJson(fought.state));
        const { tick } = fought.state as unknown as FightState;
        expect(tick).toBe(countTicks(fought.batches.flat()));
        if (number % LOGGED_ONE_IN === 0) {
          checkLog(setup, fought);
          logged += 1;
        }
        const { reason } = game.outcome(fought.state)!;
        reasons[reason] = (reasons[reason] ?? 0) + 1;
        ticks += tick;
        longest = Math.max(longest, tick);
      } catch (error) {
        throw new Error(`fight ${number}, seed ${TEST_SEED}: ${error}`, { cause: error });
      }
    }
    const asked = { fights: FIGHTS, setups: setups.length, logged };
    console.log(JSON.stringify({ game: 'fight-arena', ...asked, ticks, longest, reasons }));
    expect(longest).toBeLessThan(TICKS_MAX);
  },
  TEST_MS_MAX,
);
