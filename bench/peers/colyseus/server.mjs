// Tic-tac-toe as one writes it on Colyseus 0.18: state in @colyseus/schema, the ws transport, every
// accepted move sent at once (a patch rate of 0 and broadcastPatch) as turn-based games want it.
// Argument: the port.

import { Room, Server } from '@colyseus/core';
import { schema, t } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';

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

const Board = schema(
  { cells: t.array('uint8'), turn: t.uint8(), moves: t.uint8(), winner: t.int8() },
  'Board',
);

class TicTacToe extends Room {
  players = [];

  onCreate() {
    this.maxClients = 2;
    this.patchRate = null;
    this.state = emptyBoard();
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
}

function emptyBoard() {
  const board = new Board();
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

const port = Number(process.argv[2]);
const server = new Server({ greet: false, transport: new WebSocketTransport() });
server.define('tictactoe', TicTacToe);
await server.listen(port, '127.0.0.1');
console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, pid: process.pid }));
