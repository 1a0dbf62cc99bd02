/** The lines that inject network faults behave as described. */

import { afterEach, expect, test } from 'bun:test';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Line, openLine } from './line.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server that answers every text with its name and the text. */
async function openEcho(name: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => socket.write(`${name}:${chunk}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function open(name = 'echo'): Promise<Line> {
  const line = await openLine(await openEcho(name));
  closers.push(() => line.close());
  return line;
}

interface Caller {
  readonly socket: Socket;
  /** All data that arrived. */
  text(): string;
  isClosed(): boolean;
}

function call(line: Line): Caller {
  const socket = connect(line.port, '127.0.0.1');
  let text = '';
  let isClosed = false;
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
  });
  closers.push(() => socket.destroy());
  return { socket, text: () => text, isClosed: () => isClosed };
}

async function until(isSo: () => boolean, withinMs = 2_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!isSo() && performance.now() < end) await Bun.sleep(2);
  expect(isSo()).toBe(true);
}

test('FAULTS an intact line carries data both ways, and both ends of a connection', async () => {
  const line = await open();
  const caller = call(line);
  caller.socket.write('a');
  await until(() => caller.text() === 'echo:a');
  caller.socket.end();
  await until(() => caller.isClosed());
  await until(() => line.size === 0);
});

test('FAULTS a cut line breaks open connections and refuses new ones, until it is repaired', async () => {
  const line = await open();
  const before = call(line);
  before.socket.write('a');
  await until(() => before.text() !== '');
  line.cut();
  await until(() => before.isClosed());
  const during = call(line);
  during.socket.write('b');
  await until(() => during.isClosed());
  expect(during.text()).toBe('');
  line.mend();
  const after = call(line);
  after.socket.write('c');
  await until(() => after.text() === 'echo:c');
});

test('FAULTS a held line delivers nothing, not even an end, and all of it late', async () => {
  const line = await open();
  const caller = call(line);
  caller.socket.write('a');
  await until(() => caller.text() === 'echo:a');
  line.hold();
  caller.socket.write('b');
  const during = call(line);
  during.socket.write('c');
  await Bun.sleep(100);
  expect([caller.text(), caller.isClosed(), during.text(), during.isClosed()]).toEqual([
    'echo:a',
    false,
    '',
    false,
  ]);
  line.mend();
  await until(() => caller.text() === 'echo:aecho:b' && during.text() === 'echo:c');
});

test('FAULTS a slow line keeps the order, and leads elsewhere when told to', async () => {
  const line = await open('one');
  const caller = call(line);
  line.slow(100);
  const began = performance.now();
  caller.socket.write('a');
  await Bun.sleep(20);
  line.slow(0);
  caller.socket.write('b');
  await until(() => caller.text().length > 5);
  expect(performance.now() - began).toBeGreaterThan(95);
  expect(caller.text()).toMatch(/^one:a(?:one:)?b$/);
  line.leadTo(await openEcho('two'));
  await until(() => caller.isClosed());
  const other = call(line);
  other.socket.write('c');
  await until(() => other.text() === 'two:c');
});
