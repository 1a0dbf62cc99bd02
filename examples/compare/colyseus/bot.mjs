// [bot] Looks at every way in which the match can go on.

import { NOBODY, winnerOf } from './rules.mjs';

export const BOT = 'bot';

export function chooseCell(cells, seat) {
  const worthOf = (cell) => worth(cells, seat, cell);
  return freeOf(cells).reduce((best, cell) => (worthOf(cell) > worthOf(best) ? cell : best));
}

function freeOf(cells) {
  return [...cells.keys()].filter((cell) => cells[cell] === NOBODY);
}

function worth(cells, seat, cell) {
  const next = cells.with(cell, seat);
  const winner = winnerOf(next);
  if (winner !== NOBODY) return winner === seat ? 1 : 0;
  return -Math.max(...freeOf(next).map((reply) => worth(next, 1 - seat, reply)));
}
