// Tic-tac-toe as boardgame.io's tutorial writes it, on its server with storage in memory.
// Argument: the port.

const { Server } = require('boardgame.io/server');

const CELLS = 9;
const LINES = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
];

const TicTacToe = {
  name: 'tic-tac-toe',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ cells: new Array(CELLS).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, cell) => {
      if (G.cells[cell] !== null) return 'INVALID_MOVE';
      G.cells[cell] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (LINES.some((line) => isFull(G.cells, line))) return { winner: ctx.currentPlayer };
    if (!G.cells.includes(null)) return { draw: true };
  },
};

function isFull(cells, [a, b, c]) {
  return cells[a] !== null && cells[a] === cells[b] && cells[a] === cells[c];
}

const port = Number(process.argv[2]);
Server({ games: [TicTacToe], origins: ['*'] }).run({ port, host: '127.0.0.1' }, () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, pid: process.pid }));
});
