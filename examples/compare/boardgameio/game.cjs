// [rules] Tic-tac-toe as one object, for the server and for clients, which run it, too.

const { INVALID_MOVE } = require('boardgame.io/core');

const LINES = ['012', '345', '678', '036', '147', '258', '048', '246'];

exports.TicTacToe = {
  name: 'tic-tac-toe',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place({ G, playerID }, cell) {
      if (G.cells[cell] !== null) return INVALID_MOVE;
      G.cells[cell] = playerID;
    },
    // [time]
    runOutOfTime({ G, playerID }) {
      G.late = playerID;
    },
  },
  endIf({ G: { cells, late }, ctx }) {
    const isFull = ([a, b, c]) =>
      cells[a] !== null && cells[a] === cells[b] && cells[a] === cells[c];
    if (LINES.some(isFull)) return { winner: ctx.currentPlayer };
    // [time]
    if (late !== undefined) return { winner: late === '0' ? '1' : '0' };
    if (!cells.includes(null)) return { draw: true };
  },
  // [bot]
  ai: {
    enumerate: ({ cells }) =>
      [...cells.keys()]
        .filter((cell) => cells[cell] === null)
        .map((cell) => ({ move: 'place', args: [cell] })),
  },
};
