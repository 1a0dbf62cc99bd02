/** Connections with unread bytes, as listed in the system's tables. */

import { expect, test } from 'bun:test';
import { peerName, watchUnreadInput } from './unread-input.ts';

const PORT = 4000;
const LIMITS = { port: PORT, bytesMax: 1_000_000, bytesLong: 100_000 };
const MOST = LIMITS.bytesMax + 1;
const LESS = LIMITS.bytesLong + 1;
/** 127.0.0.1, the same within IPv6, and 2001:db8::1. */
const HERE = '0100007F';
const MAPPED = '0000000000000000FFFF00000100007F';
const FAR = 'B80D0120000000000000000001000000';
/** The event loop is so late that the tables are read at once. */
const BUSY_MS = [4, 60];

const hex = (value: number, digits: number): string =>
  value.toString(16).toUpperCase().padStart(digits, '0');

function row(peer: string, port: number, unread: number, state = '01', local = PORT): string {
  const ends = `${peer}:${hex(local, 4)} ${peer}:${hex(port, 4)} ${state}`;
  return `   0: ${ends} 00000000:${hex(unread, 8)} 00:00000000 00000000     0        0 7 1 0 20 4\n`;
}

/** The addresses found in these rounds, while the event loop is late all the time. */
async function findBy(busyMs: number, looks: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const done = Promise.withResolvers<void>();
  let asked = 0;
  const now = (path: string): string => {
    if (!path.endsWith('6')) return '';
    asked += 1;
    if (asked > looks.length) done.resolve();
    return looks[asked - 1] ?? '';
  };
  const reader = { now, soon: async (path: string) => now(path) };
  const stop = watchUnreadInput(LIMITS, (peer) => void found.push(peer), reader);
  const busy = setInterval(() => {
    const until = performance.now() + busyMs;
    while (performance.now() < until);
  }, 1);
  await done.promise;
  clearInterval(busy);
  stop();
  return found;
}

/** The same however late it is. */
async function find(...looks: readonly string[]): Promise<string[]> {
  const [some, others] = [await findBy(BUSY_MS[0]!, looks), await findBy(BUSY_MS[1]!, looks)];
  expect(others).toEqual(some);
  return some;
}

test('[PLAT] more than the upper limit once, or more than the lower limit in two rounds in a row, is a flood', async () => {
  expect(await find(row(HERE, 50_001, MOST))).toEqual(['127.0.0.1 50001']);
  expect(await find(row(MAPPED, 50_002, MOST))).toEqual(['127.0.0.1 50002']);
  const far = row(FAR, 50_003, LESS);
  expect(await find(far, far)).toEqual([peerName('2001:DB8:0:0::1', 50_003)]);
  expect(await find(far, '', far)).toEqual([]);
});

test('[PLAT] connections that end, on other ports, or with little unread are no floods', async () => {
  const table = [
    row(HERE, 50_001, LIMITS.bytesLong),
    row(HERE, 50_002, MOST, '08'),
    row(HERE, 50_003, MOST, '01', PORT + 1),
  ].join('');
  expect(await find(table, table)).toEqual([]);
});
