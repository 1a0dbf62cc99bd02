/** A client that reconnects endlessly does not write an endless log (rule P5). */

import { afterEach, beforeEach, expect } from 'bun:test';
import { judgeClose, retryWaitMs } from '../../../sdk/src/client/retry.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { test } from '../../testing/sockets/both-protocols.ts';
import {
  type Issuer,
  openSocketWorld,
  type SocketWorld,
  until,
} from '../../testing/sockets/socket-world.ts';
import { ARRIVAL_RATE } from './arrivals.ts';
import { PLAYER_SOCKETS_MAX } from './census.ts';

const clock = makeManualClock();
const { burst } = ARRIVAL_RATE;
/** A client that was connected for this long starts again with its shortest delay. */
const STEADY_MS = 5_000;
let world: SocketWorld;
let issuer: Issuer;
let id: string;

beforeEach(async () => {
  world = await openSocketWorld({ clock });
  issuer = await world.makeIssuer();
  id = await world.makeSession(issuer, { options: { afk: false } });
});
afterEach(() => world.close());

/** Connects, and disconnects: true when it was admitted. */
async function comeAndGo(token: string): Promise<boolean> {
  const client = await world.open({ token });
  const code = await Promise.race([
    client.next('welcome').then(() => null),
    client.closed.then((end) => end.code),
  ]);
  if (code !== null) expect(code).toBe(4429);
  await client.close();
  await until(() => world.census.all.size === 0);
  return code === null;
}

async function timesLetIn(token: () => string, tries: number): Promise<number> {
  let times = 0;
  for (let n = 0; n < tries; n += 1) if (await comeAndGo(token())) times += 1;
  return times;
}

const bob = (): string => world.sessionToken(issuer, id, 'bob');

test('[P5] a player may connect 30 times at once and then once a second, over any sockets', async () => {
  const lobby = (): string => world.lobbyToken(issuer, 'bob');
  expect(await timesLetIn(bob, burst - 10)).toBe(burst - 10);
  expect(await timesLetIn(lobby, 20)).toBe(10);
  await until(async () => !(await world.isConnected(id, 1)));
  const records = (await world.kindsOf(id)).length;
  expect(records).toBeLessThanOrEqual(1 + 2 * burst);
  expect(await timesLetIn(bob, 10)).toBe(0);
  expect((await world.kindsOf(id)).length).toBe(records);
  clock.advance(2_000);
  expect(await timesLetIn(bob, 5)).toBe(2);
  // No other player is over the limit: not another id, nor the same id in the other world.
  expect(await comeAndGo(world.sessionToken(issuer, id, 'ann'))).toBe(true);
  expect(
    await comeAndGo(world.makeToken(issuer, { scope: 'lobby', player: 'bob', mode: 'test' })),
  ).toBe(true);
});

test('[P5] a player who has not connected for a while is forgotten', async () => {
  await timesLetIn(bob, 3);
  await world.sockets.maintain();
  expect(world.census.arrivals.size).toBe(1);
  clock.advance(3_000);
  await world.sockets.maintain();
  expect(world.census.arrivals.size).toBe(0);
});

test('[P5] watchers and bots, who leave no records, may connect any number of times', async () => {
  const watcher = (): string => world.makeToken(issuer, { scope: 'watch', session: id });
  const program = (): string => world.makeToken(issuer, { scope: 'bot', player: 'rosa' });
  expect(await timesLetIn(watcher, burst + 5)).toBe(burst + 5);
  expect(await timesLetIn(program, burst + 5)).toBe(burst + 5);
});

test('[P5] a player refused because the store is unavailable does not count as connected', async () => {
  const { setPresence } = world.store;
  world.store.setPresence = () => Promise.reject(new Error('away'));
  for (let n = 0; n < burst + 5; n += 1) {
    const client = await world.open({ token: bob() });
    expect((await client.closed).code).toBe(1012);
  }
  world.store.setPresence = setPresence;
  await until(() => world.census.all.size === 0);
  world.errors.length = 0;
  expect(await timesLetIn(bob, burst)).toBe(burst);
});

test('[P5] a client on an unstable connection reconnects less often, and stays away for a while when told to', () => {
  // Its connection breaks at once, or as soon as it counts as stable.
  for (const heldMs of [0, STEADY_MS + 1]) {
    let tokens: number = burst;
    let attempt = 0;
    for (let now = 0; now < 600_000; ) {
      // On as many sockets as a player may have, with the shortest delays.
      tokens -= PLAYER_SOCKETS_MAX;
      expect(tokens).toBeGreaterThanOrEqual(0);
      if (heldMs > STEADY_MS) attempt = 0;
      const waitMs = heldMs + retryWaitMs('lost', attempt, 0);
      attempt += 1;
      now += waitMs;
      tokens = Math.min(burst, tokens + (waitMs * ARRIVAL_RATE.perSecond) / 1_000);
    }
  }
  expect(judgeClose(4429)).toEqual({ kind: 'retry', cause: 'too_fast' });
  expect(retryWaitMs('too_fast', 0, 0)).toBeGreaterThan(1_000);
});
