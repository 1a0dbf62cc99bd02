/** What holds in every position of every game of ludo, with all options, and in a bot's search. */

import { describe, expect, test } from 'bun:test';
import type { AnyGame, Setup } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import type { Position } from '../../../game/src/testing/random-play.ts';
import { playRandomly } from '../../../game/src/testing/random-play.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { DONE, HOME, isDone, onLap, squareOf, startSquare, YARD } from './board.ts';
import { OPTION_SETS } from './dice-odds.test-kit.ts';
import { ludo } from './ludo.ts';
import { destination, isSafe, movable, moveToken } from './moves.ts';
import { isSeatHome, makeCells, makeRace, step, target } from './race.ts';
import type { LudoState } from './state.ts';
import { areOpponents } from './state.ts';

const game: AnyGame = ludo;

const SETUPS: readonly Setup[] = OPTION_SETS.flatMap((options, index) =>
  ludo.variants.map((variant, place) => ({ variant, seats: 2 + ((index + place) % 3), options })),
);

/** One random game of each variant with each set of options. */
function playedGames(): readonly (readonly Position[])[] {
  const chooser = makeRandom(`${TEST_SEED}`, () => 'ludo laws', 0);
  return SETUPS.map((setup) => {
    const secret = `${TEST_SEED} ${JSON.stringify(setup)}`;
    return playRandomly({ game, play: { inputsMax: 50_000 }, setup, secret, chooser }).positions;
  });
}

const games = playedGames().map((positions) => positions.map(({ state }) => state as LudoState));

function squaresOf(state: LudoState): readonly { seat: number; square: number }[] {
  return state.tokens.flatMap((places, seat) =>
    places
      .filter((place) => place !== YARD && onLap(place) < HOME)
      .map((place) => ({ seat, square: squareOf(startSquare(state.tokens.length, seat), place) })),
  );
}

describe(`random games (seed ${TEST_SEED})`, () => {
  test('[G-LUDO] opponents share only safe squares', () => {
    for (const states of games) {
      for (const state of states) {
        const taken = squaresOf(state).filter(({ square }) => !isSafe(state.rules, square));
        for (const one of taken) {
          for (const other of taken) {
            const meet = one.square === other.square;
            expect(meet && areOpponents(state.rules, one.seat, other.seat)).toBe(false);
          }
        }
      }
    }
  });

  test('[G-LUDO] without captureBeforeHome nobody laps; with it none is home before a capture', () => {
    for (const states of games) {
      for (const { rules, tokens, hasCaptured } of states) {
        for (const [seat, places] of tokens.entries()) {
          if (!rules.captureBeforeHome) {
            expect(places.every((place) => place <= DONE && place !== HOME - 1)).toBe(true);
          } else if (!hasCaptured[seat]) {
            expect(places.every((place) => onLap(place) < HOME)).toBe(true);
          }
        }
      }
    }
  });

  test('[G-LUDO] a third six restores the position at the beginning of the turn, or leaves it unchanged', () => {
    let voids = 0;
    for (const states of games) {
      let begin = states[0]!;
      for (const [index, state] of states.entries()) {
        const before = states[index - 1];
        const last = state.last.at(-1);
        // Turns of several inputs in which all seats stay: other turns have laws of their own.
        const isWhole = state.last.length === 1 && state.out === begin.out;
        if (before !== undefined && last?.void && isWhole) {
          const kept = state.rules.thirdSixVoidsTurn === true ? begin : before;
          expect(state.tokens).toEqual(kept.tokens);
          expect(state.hasCaptured).toEqual(kept.hasCaptured);
          voids += 1;
        }
        if (before === undefined || state.seat !== before.seat) begin = state;
      }
    }
    expect(voids).toBeGreaterThan(10);
  });

  test("[G-LUDO] a move changes its token, sends back only opponents', and reaches the square it states", () => {
    for (const states of games) {
      for (const [index, state] of states.entries()) {
        const before = states[index - 1];
        const [step] = state.last;
        if (before === undefined || state.last.length !== 1 || step?.token == null) continue;
        for (const [seat, places] of state.tokens.entries()) {
          for (const [token, place] of places.entries()) {
            const was = before.tokens[seat]![token]!;
            if (seat === step.seat && token === step.token) {
              expect(place).toBe(destination(before, seat, token, step.die)!);
            } else if (seat === step.seat && state.home.includes(seat)) {
              expect(place).toBe(isDone(was) ? was : YARD);
            } else if (place !== was) {
              expect(place).toBe(YARD);
              expect(step.captured).toContainEqual({ seat, token });
              expect(areOpponents(state.rules, step.seat, seat)).toBe(true);
            }
          }
        }
      }
    }
  });

  test("[G-BOT] a bot's search moves by the rules", () => {
    let moves = 0;
    for (const states of games) {
      for (const state of states.filter((_, index) => index % 3 === 0)) {
        const seat = ludo.turn(state);
        if (seat === null) continue;
        const race = makeRace(state);
        const cells = makeCells(state);
        for (let die = 1; die <= 6; die += 1) {
          const may = [0, 1, 2, 3].filter(
            (token) => target(race, cells, seat, token, die) !== null,
          );
          expect(may).toEqual([...movable(state, seat, die)]);
          for (const token of may) {
            const thought = cells.slice();
            const to = target(race, cells, seat, token, die)!;
            const isRewarded = step(race, thought, seat, token, to) || die === 6;
            const moved = moveToken(state, seat, token, die);
            expect(thought).toEqual(makeCells({ ...state, ...moved }));
            expect(isRewarded).toBe(moved.isRewarded);
            expect(isSeatHome(race, thought, seat)).toBe(moved.isHome);
            moves += 1;
          }
        }
      }
    }
    expect(moves).toBeGreaterThan(10_000);
  });
});
