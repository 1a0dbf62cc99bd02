// Tic-tac-toe as usual on Colyseus 0.18: state in @colyseus/schema, every accepted move sent at
// once (a patch rate of 0 and broadcastPatch), as turn-based games need. Both Colyseus servers play
// it, each with the packages of its own folder.

const CELLS = 9;
const NOBODY = -1;
const DRAWN = 2;
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

/** The room's class, made of the caller's `@colyseus/core` and `@colyseus/schema`. */
export function makeTicTacToe({ Room, schema, t }) {
  const Board = schema(
    { cells: t.array('uint8'), turn: t.uint8(), moves: t.uint8(), winner: t.int8() },
    'Board',
  );
  return class TicTacToe extends Room {
    players = [];

    onCreate() {
      this.maxClients = 2;
      this.patchRate = null;
      // Seconds. On a busy machine 1,000 matches take longer than the usual 15 to be opened.
      this.seatReservationTimeout = 120;
      this.state = emptied(new Board());
      this.onMessage('move', (client, { i }) => {
        const seat = this.players.indexOf(client.sessionId);
        if (!isLegal(this.state, seat, i)) return client.send('refused', i);
        place(this.state, seat, i);
        this.broadcastPatch();
      });
    }

    onJoin(client) {
      this.players.push(client.sessionId);
    }
  };
}

function emptied(board) {
  for (let i = 0; i < CELLS; i++) board.cells.push(0);
  board.turn = 0;
  board.moves = 0;
  board.winner = NOBODY;
  return board;
}

function isLegal(board, seat, i) {
  const isCell = Number.isInteger(i) && i >= 0 && i < CELLS;
  return board.winner === NOBODY && seat === board.turn && isCell && board.cells[i] === 0;
}

function place(board, seat, i) {
  const mark = seat + 1;
  board.cells[i] = mark;
  board.moves++;
  board.turn = 1 - seat;
  if (LINES.some((line) => line.every((cell) => board.cells[cell] === mark))) board.winner = seat;
  else if (board.moves === CELLS) board.winner = DRAWN;
}
