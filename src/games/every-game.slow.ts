/**
 * Every game at length: ten thousand random games each, over all variants, numbers of seats and
 * combinations of options, and a hundred thousand inputs that have to be refused. One game alone:
 * `-t 'ludo:'`. `MATCHD_TEST_GAMES` asks for another number of games, `MATCHD_TEST_GAMES_FROM` for those from
 * that one on.
 */

import { describe, expect, test } from 'bun:test';
import type { AnyGame, Json, Outcome, Setup } from '../../game/src/game.ts';
import { hashJson } from '../../game/src/json.ts';
import { makeRandom } from '../../game/src/random.ts';
import { actionsOf, refuseHostileInput, targetsOf } from '../../game/src/testing/hostile-input.ts';
import type { PlayedGame } from '../../game/src/testing/random-play.ts';
import {
  advance,
  makeAllSetups,
  makeFirstPosition,
  playRandomly,
} from '../../game/src/testing/random-play.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { playOf } from './plays.test-kit.ts';
import { findGame, GAME_IDS } from './registry.ts';

const GAMES = Number(process.env['MATCHD_TEST_GAMES'] ?? 10_000);
const FROM = Number(process.env['MATCHD_TEST_GAMES_FROM'] ?? 0);
/** Of thousands of ticks each, with all that is handed over frozen; `random-fights.slow.ts` has the rest. */
const TICK_GAMES_MAX = 250;
const REFUSED = 100_000;
/** Games whose positions the hostile input is thrown at, and positions of each. */
const TARGET_GAMES = 64;
const TARGETS_EACH = 8;
/** In a replay the state is taken from its JSON once in so many inputs. */
const INPUTS_A_THAW = 16;
const TEST_MS_MAX = 1_800_000;

/** The number of one of the random games of a game: of the same seed always the same game. */
function playNumber(game: AnyGame, setups: readonly Setup[], number: number): PlayedGame {
  const name = `${TEST_SEED} ${game.id} ${number}`;
  const chooser = makeRandom(name, () => 'chooser', 0);
  const setup = setups[number % setups.length]!;
  return playRandomly({ game, play: playOf(game.id), setup, secret: `${name} secret`, chooser });
}

/** As a verifier would, from the inputs alone; now and then the state goes through JSON. */
function replayHash(game: AnyGame, { setup, secret, inputs }: PlayedGame): string {
  let position = makeFirstPosition(game, thaw(setup));
  for (const [index, input] of thaw(inputs).entries()) {
    const from = index % INPUTS_A_THAW === 0 ? thaw(position) : position;
    position = advance(game, from, input, secret);
  }
  return hashJson(position.state);
}

function thaw<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

function checkOutcome({ winners, places, reason }: Outcome, seats: number): void {
  const first = places.flatMap((place, seat) => (place === 1 ? [seat] : []));
  expect(places.length).toBe(seats);
  expect(winners.length === 0 ? first.length : [...winners].sort()).toEqual(
    winners.length === 0 ? seats : first,
  );
  expect(reason).toMatch(/^[a-z]+(_[a-z]+)*$/);
}

describe.each(GAME_IDS.filter((id) => findGame(id) !== null))('%s', (id) => {
  const game = findGame(id)!;
  const setups = makeAllSetups(game);
  const games = game.ticks === undefined ? GAMES : Math.min(GAMES, TICK_GAMES_MAX);

  test(
    `[G-CONTRACT] ${id}: ${games} random games end, and their replays have the same hashes (seed ${TEST_SEED})`,
    () => {
      const reasons: Record<string, number> = {};
      let longest = 0;
      let inputs = 0;
      for (let number = FROM; number < FROM + games; number += 1) {
        try {
          // All is frozen on the way: an `apply` that changed its argument would throw.
          const played = playNumber(game, setups, number);
          const last = played.positions.at(-1)!.state;
          const outcome = game.outcome(last)!;
          checkOutcome(outcome, played.setup.seats);
          expect(replayHash(game, played)).toBe(hashJson(last));
          reasons[outcome.reason] = (reasons[outcome.reason] ?? 0) + 1;
          longest = Math.max(longest, played.inputs.length);
          inputs += played.inputs.length;
        } catch (error) {
          throw new Error(`game ${number} of ${id}, seed ${TEST_SEED}: ${error}`, { cause: error });
        }
      }
      const asked = { from: FROM, games, setups: setups.length };
      console.log(JSON.stringify({ game: id, ...asked, inputs, longest, reasons }));
    },
    TEST_MS_MAX,
  );

  test(
    `[G-CONTRACT] ${id}: ${REFUSED} hostile inputs are refused and change nothing (seed ${TEST_SEED})`,
    () => {
      // Spread over the setups.
      const numbers = Array.from(
        { length: TARGET_GAMES },
        (_, index) =>
          Math.floor((index * setups.length) / TARGET_GAMES) +
          setups.length * (index % TARGET_GAMES),
      );
      const games = numbers.map((number) => playNumber(game, setups, number));
      const targets = targetsOf(games, TARGETS_EACH);
      const actions: readonly Json[] = actionsOf(game, games);
      const tally = refuseHostileInput(game, targets, actions, { count: REFUSED, seed: TEST_SEED });
      console.log(JSON.stringify({ game: id, targets: targets.length, refused: tally }));
      const refused = Object.values(tally).reduce((sum, each) => sum + each, 0);
      expect(refused).toBeGreaterThanOrEqual(REFUSED);
      for (const each of Object.values(tally)) expect(each).toBeGreaterThan(1_000);
    },
    TEST_MS_MAX,
  );
});
