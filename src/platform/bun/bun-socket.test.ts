/** How a `BunSocket` uses Bun's socket, where no client can observe it. */

import { expect, test } from 'bun:test';
import type { ServerWebSocket } from 'bun';
import { BunSocket } from './bun-socket.ts';

type Ws = ServerWebSocket<BunSocket<null>>;

/** A socket whose `ws` records each call, those within a cork in brackets. */
function makeRecorded(): { socket: BunSocket<null>; calls: string[] } {
  const calls: string[] = [];
  const socket = new BunSocket(null, '');
  const ws = {
    data: socket,
    sendText: (text: string) => calls.push(text),
    cork(send: (ws: Ws) => void) {
      calls.push('[');
      send(ws as unknown as Ws);
      calls.push(']');
    },
  };
  socket.attach(ws as unknown as Ws);
  return { socket, calls };
}

test('[PLAT] several texts go to Bun within one cork, a single one without', () => {
  const { socket, calls } = makeRecorded();
  socket.send(['a', 'b', 'c']);
  socket.send(['d']);
  expect(calls).toEqual(['[', 'a', 'b', 'c', ']', 'd']);
});

test('[PLAT] nothing that was sent is retained', () => {
  const { socket } = makeRecorded();
  socket.send(['a', 'b']);
  expect(socket.pending).toEqual([]);
});
