// [match] The server: `JWT_SECRET=… DATA_DIR=… node server.mjs PORT`.

import { createEndpoint, createRouter, LobbyRoom, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { recordsOf } from './records.mjs';
import { TicTacToe } from './room.mjs';

const server = new Server({ greet: false, transport: new WebSocketTransport() });
// [lobby]
server.define('lobby', LobbyRoom);
server.define('tic-tac-toe', TicTacToe).enableRealtimeListing();
// [replay]
server.router = createRouter({
  replay: createEndpoint('/replays/:code', { method: 'GET' }, async ({ params }) =>
    recordsOf(params.code),
  ),
});
await server.listen(Number(process.argv[2]), '127.0.0.1');
console.log('ready');
