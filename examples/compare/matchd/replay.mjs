// [replay] A match after its end, position by position.

import { game } from './games/tic-tac-toe/rules.mjs';

export function positionsOf({ variant, options, players, inputs }) {
  let state = game.initial({ variant, options, seats: players.length });
  return inputs.map(({ seat, action }) => {
    state = game.apply(state, seat, action).state;
    return state.cells;
  });
}
