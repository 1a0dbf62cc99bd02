/** Tests of the runtimes that the client offers to run in: old ones lack what browsers have. */

import { expect, test } from 'bun:test';
import { EventEmitter } from 'node:events';
import { makeId, makePorts } from './platform.ts';

/** As in the package `ws`: an `error` that nobody listens for is thrown. */
class NodeSocket extends EventEmitter {
  constructor(_url: string, _protocols: string[]) {
    super();
  }
  set onerror(listener: () => void) {
    this.on('error', listener);
  }
}

test('[P5] a refused connection of the package `ws` does not end the process', () => {
  const { open } = makePorts(NodeSocket);
  const socket = open('ws://127.0.0.1:9/v1/socket', ['matchd.v1']) as unknown as NodeSocket;
  expect(() => socket.emit('error', new Error('ECONNREFUSED'))).not.toThrow();
});

test('[P4] ids of commands differ, with WebCrypto and without', () => {
  const { crypto } = globalThis;
  const ids = [makeId(), makeId()];
  try {
    Object.assign(globalThis, { crypto: undefined });
    ids.push(makeId(), makeId());
  } finally {
    Object.assign(globalThis, { crypto });
  }
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{32}$/);
});
