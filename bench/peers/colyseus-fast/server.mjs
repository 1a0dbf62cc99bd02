// Colyseus 0.18 on Bun with the transport it has for it. Argument: the port.

import { BunWebSockets } from '@colyseus/bun-websockets';
import { Room, Server } from '@colyseus/core';
import { schema, t } from '@colyseus/schema';
import { makeTicTacToe } from '../colyseus/tic-tac-toe.mjs';

const port = Number(process.argv[2]);
const server = new Server({ greet: false, transport: new BunWebSockets() });
server.define('tictactoe', makeTicTacToe({ Room, schema, t }));
await server.listen(port, '127.0.0.1');
console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, pid: process.pid }));
