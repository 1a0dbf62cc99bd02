/** Tests of what the page derives from a session, compared with the game itself. */

import { describe, expect, test } from 'bun:test';
import type { Seat } from '../../../game/src/game.ts';
import { DONE } from '../../../src/games/ludo/board.ts';
import { put } from '../../../src/games/ludo/ludo.test-kit.ts';
import { ludo } from '../../../src/games/ludo/ludo.ts';
import type { LudoState, Variant } from '../../../src/games/ludo/state.ts';
import { VARIANTS } from '../../../src/games/ludo/state.ts';
import { winnersByResigning } from './model.ts';
import type { SessionView } from './protocol.ts';

const HOME = [DONE, DONE, DONE, DONE];

/** Seats that reached home, in that order, then seats that left, in their order. */
function reach(
  variant: Variant,
  seats: number,
  home: readonly Seat[],
  out: readonly Seat[],
): LudoState {
  const places = Array.from({ length: seats }, (_, seat) => (home.includes(seat) ? HOME : [3]));
  return out.reduce(ludo.forfeit!, put(places, { variant }, { home }));
}

/** Like `forfeit` in src/match/decide.ts: the game ends the match, or only one seat is left. */
function winnersOf(state: LudoState): readonly Seat[] {
  const left = [...state.tokens.keys()].filter((seat) => !state.out.includes(seat));
  return ludo.outcome(state)?.winners ?? (left.length === 1 ? left : []);
}

/** The page's text for a player who wants to resign. */
function shownTo(state: LudoState, seat: Seat): readonly Seat[] {
  const { tokens, rules } = state;
  const session = {
    view: ludo.view(state, seat),
    seats: tokens.length,
    game: 'ludo',
    variant: rules.variant,
    seat,
  };
  return winnersByResigning(session as unknown as SessionView);
}

/** Every selection of some seats, in every order. */
function* ordersOf(seats: readonly Seat[]): Generator<readonly Seat[]> {
  yield [];
  for (const seat of seats) {
    for (const rest of ordersOf(seats.filter((other) => other !== seat))) yield [seat, ...rest];
  }
}

/** A possible state of an unfinished match of ludo. */
function* statesOf(variant: Variant, seats: number): Generator<LudoState> {
  const all = Array.from({ length: seats }, (_, seat) => seat);
  for (const home of ordersOf(all)) {
    for (const out of ordersOf(all)) {
      const state = reach(variant, seats, home, out);
      const isReached = state.out.length === out.length;
      const goesOn = ludo.outcome(state) === null && out.length < seats - 1;
      if (isReached && goesOn) yield state;
    }
  }
}

describe('the winners if the player resigns', () => {
  test('[WEB] are the other team, whether the partner is home or not', () => {
    expect(shownTo(reach('teams', 4, [], []), 0)).toEqual([1, 3]);
    expect(shownTo(reach('teams', 4, [2], []), 3)).toEqual([0, 2]);
    expect(shownTo(reach('teams', 4, [2], []), 2)).toEqual([]);
  });

  test('[WEB] are the first player home if only one other would remain', () => {
    expect(shownTo(reach('classic', 3, [2], []), 0)).toEqual([2]);
    expect(shownTo(reach('quick', 4, [3, 1], []), 0)).toEqual([3]);
    expect(shownTo(reach('classic', 4, [2], []), 0)).toEqual([]);
  });

  test('[WEB] are the opponent of two, and nobody while two others play on', () => {
    expect(shownTo(reach('classic', 2, [], []), 0)).toEqual([1]);
    expect(shownTo(reach('timed', 3, [], []), 0)).toEqual([]);
    const plain = { view: { board: [] }, seats: 2, variant: 'standard', seat: 1 };
    expect(winnersByResigning(plain as unknown as SessionView)).toEqual([0]);
  });

  test.each(VARIANTS)('[WEB] are those of the game itself, in all of %s', (variant) => {
    let checked = 0;
    for (const seats of variant === 'teams' ? [4] : [2, 3, 4]) {
      for (const state of statesOf(variant, seats)) {
        for (const seat of state.tokens.keys()) {
          if (state.out.includes(seat)) continue;
          const { home, out } = state;
          const shown = shownTo(state, seat);
          const winners = winnersOf(ludo.forfeit!(state, seat));
          expect({ seats, home, out, seat, shown }).toEqual({
            seats,
            home,
            out,
            seat,
            shown: winners as Seat[],
          });
          checked += 1;
        }
      }
    }
    expect(checked).toBeGreaterThan(50);
  });
});
