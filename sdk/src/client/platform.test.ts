/** The runtimes that the client supports: old ones lack features of browsers. */

import { expect, test } from 'bun:test';
import { EventEmitter } from 'node:events';
import { connect } from './connect.ts';
import { followWaking, makeId, makePorts } from './platform.ts';

/** As in the package `ws`: an `error` event without a listener is thrown. */
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

test('[P5] without a WebSocket, or with a bad address, the caller of connect gets the error, and no one else', async () => {
  const { WebSocket: own } = globalThis;
  const token = 'a.b.c';
  try {
    Object.assign(globalThis, { WebSocket: undefined });
    expect(() => connect({ url: 'http://127.0.0.1:9', token })).toThrow('No WebSocket here');
  } finally {
    Object.assign(globalThis, { WebSocket: own });
  }
  expect(() => connect({ url: 'localhost:4000', token })).toThrow('No address of a service');
});

test('[P4] ids of commands differ, with and without WebCrypto', () => {
  const { crypto } = globalThis;
  const ids = [makeId(), makeId()];
  try {
    Object.assign(globalThis, { crypto: undefined });
    ids.push(makeId(), makeId());
  } finally {
    Object.assign(globalThis, { crypto });
  }
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[\w+/]{12}$/);
});

test("[P8] the client's time advances evenly when the device’s clock is set", () => {
  const { now: dateNow } = Date;
  const { now } = makePorts(undefined);
  const before = now();
  expect(Math.abs(before - Date.now())).toBeLessThan(1_000);
  try {
    Date.now = () => dateNow() - 3_000;
    expect(now() - before).toBeWithin(0, 1_000);
  } finally {
    Date.now = dateNow;
  }
});

test('[P8] a device that slept, or whose clock was set, checks its connection within a second', async () => {
  const { now: dateNow } = Date;
  const nowhere = { addEventListener() {}, removeEventListener() {} };
  const page = { document: nowhere, ...nowhere };
  const before = Object.keys(page).map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  Object.assign(globalThis, page);
  let wakes = 0;
  const stop = followWaking(() => (wakes += 1));
  try {
    await Bun.sleep(1_100);
    expect(wakes).toBe(0);
    // `performance.now` stood still for a minute.
    Date.now = () => dateNow() + 60_000;
    await Bun.sleep(1_100);
    expect(wakes).toBe(1);
    await Bun.sleep(1_100);
    expect(wakes).toBe(1);
  } finally {
    stop();
    Date.now = dateNow;
    for (const [index, name] of Object.keys(page).entries()) {
      const old = before[index];
      if (old === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, old);
    }
  }
});
