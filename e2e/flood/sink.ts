/** A server in a separate thread that accepts every handshake, reads everything, and does nothing with it. */

import { createServer } from 'node:net';
import { parentPort } from 'node:worker_threads';

const server = createServer({ allowHalfOpen: true }, (tcp) => {
  tcp.on('error', () => {});
  tcp.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  tcp.resume();
});
server.listen(0, '127.0.0.1', () => {
  parentPort!.postMessage((server.address() as { port: number }).port);
});
