// Colyseus 0.18 on Node with the ws transport, its default. Argument: the port.

import { Room, Server } from '@colyseus/core';
import { schema, t } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { makeTicTacToe } from './tic-tac-toe.mjs';

const port = Number(process.argv[2]);
const server = new Server({ greet: false, transport: new WebSocketTransport() });
server.define('tictactoe', makeTicTacToe({ Room, schema, t }));
await server.listen(port, '127.0.0.1');
console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, pid: process.pid }));
