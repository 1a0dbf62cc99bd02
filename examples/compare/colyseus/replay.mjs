// [replay] A match after its end, position by position.

import { isLegal, makeBoard, place } from './rules.mjs';

export async function loadReplay(url, code) {
  const records = await (await fetch(`${url}/replays/${code}`)).json();
  const board = makeBoard();
  // [verify]
  board.seats.push(...records.flatMap(({ player }) => player ?? []));
  const moves = records.flatMap(({ cell }) => cell ?? []);
  return moves.map((cell) => {
    // [verify]
    if (!isLegal(board, board.turn, cell)) throw new Error(`Move ${cell} is not legal`);
    place(board, cell);
    return [...board.cells];
  });
}
