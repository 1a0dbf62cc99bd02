/**
 * Whatever is sent over sockets: nothing breaks, no match changes, and the next one can be played.
 */

import { afterAll, beforeAll, expect } from 'bun:test';
import fc from 'fast-check';
import { corrupted } from '../../game/src/testing/junk.ts';
import { makeManualClock } from '../testing/manual-clock.ts';
import {
  SUBPROTOCOLS,
  type Subprotocol,
  speaking,
  spokenHere,
  test,
} from '../testing/sockets/both-protocols.ts';
import type { SocketClient } from '../testing/sockets/socket-client.ts';
import {
  type Issuer,
  openSocketWorld,
  type SocketWorld,
  type TestMatch,
  until,
} from '../testing/sockets/socket-world.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { arbitraryFrame, type Sent, toText } from './any-frame.test-kit.ts';

const FRAMES = 10_000;
const SOCKETS = 200;
/** Below the burst, so that frames are read, not only counted. */
const FRAMES_AT_ONCE = 30;
const TIMEOUT_MS = 30_000;

const clock = makeManualClock();
let world: SocketWorld;
let issuer: Issuer;
/** By the subprotocol of their sockets. */
const matches = new Map<Subprotocol, TestMatch>();
beforeAll(async () => {
  world = await openSocketWorld({ clock });
  issuer = await world.makeIssuer();
  for (const subprotocol of SUBPROTOCOLS) {
    matches.set(
      subprotocol,
      await speaking(subprotocol, () =>
        world.startMatch(issuer, { game: 'connect4', options: { afk: false } }),
      ),
    );
  }
});
afterAll(() => world.close());

const matchHere = (): TestMatch => matches.get(spokenHere())!;

/** Strangers, watchers, and some who never authenticate; each from their own address. */
async function openOne(n: number): Promise<SocketClient> {
  const match = matchHere();
  const headers = { 'X-Forwarded-For': `10.0.${n >> 8}.${n & 255}` };
  if (n % 10 === 0) return world.open({ headers });
  const token =
    n % 2 === 0
      ? world.lobbyToken(issuer, `stranger-${n}`)
      : world.makeToken(issuer, { scope: 'watch', session: match.id });
  const client = await world.open({ token, headers });
  await client.next('welcome');
  return client;
}

/** Sends the frames over sockets, opening a new one when one is closed. */
async function pour(name: number, frames: readonly Sent[]): Promise<void> {
  let n = name;
  for (let rest = frames; rest.length > 0; ) {
    const client = await openOne(n);
    n += SOCKETS;
    let sent = 0;
    while (sent < Math.min(rest.length, FRAMES_AT_ONCE) && client.isOpen()) {
      client.send(rest[sent]!);
      sent += 1;
      if (sent % 3 === 0) await Bun.sleep(0);
    }
    rest = rest.slice(sent);
    await client.close();
  }
}

test(
  `[P5][P7] ${FRAMES} random frames break nothing and change no match (seed ${TEST_SEED})`,
  async () => {
    const match = matchHere();
    const open = world.census.all.size;
    const before = await world.logOf(match.id);
    const frames = fc.sample(arbitraryFrame(match.id, spokenHere()), {
      numRuns: FRAMES,
      seed: TEST_SEED,
    });
    const share = FRAMES / SOCKETS;
    await Promise.all(
      Array.from({ length: SOCKETS }, (_, n) => pour(n, frames.slice(n * share, (n + 1) * share))),
    );
    await until(() => world.census.all.size === open);
    expect(world.errors).toEqual([]);
    expect(await world.logOf(match.id)).toEqual(before);
    expect(await match.clients[0].settle()).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  `[P7] frames that a seated player sends out of turn do not change the position (seed ${TEST_SEED})`,
  async () => {
    const match = matchHere();
    const open = world.census.all.size;
    const before = await world.logOf(match.id);
    const actions = fc.sample(fc.oneof(fc.jsonValue(), corrupted([{ column: 3 }])), {
      numRuns: 1_000,
      seed: TEST_SEED,
    });
    let client = match.clients[1];
    for (const [n, action] of actions.entries()) {
      if (!client.isOpen()) client = await world.enter(issuer, match.id, 'bob');
      client.send(`{"t":"act","s":"${match.id}","id":"f${n}","action":${toText(action)}}`);
      clock.advance(50);
      if (n % 20 === 0) await Bun.sleep(0);
    }
    await client.close();
    await until(() => world.census.all.size === open - 1);
    await match.clients[0].settle();
    const added = (await world.logOf(match.id)).slice(before.length);
    // The clock of this world moves on during commits: that time is given back.
    const others = added.filter(({ record: { k } }) => !k.endsWith('connected') && k !== 'paused');
    expect(others).toEqual([]);
  },
  TIMEOUT_MS,
);

test(`[P2] random tokens are refused (seed ${TEST_SEED})`, async () => {
  const good = world.sessionToken(issuer, matchHere().id, 'ann');
  const chars = [...'abcXYZ019._-'];
  const flipped = fc.record({ at: fc.nat(good.length - 1), to: fc.constantFrom(...chars) });
  const token = fc.oneof(
    fc.string({ unit: fc.constantFrom(...chars), maxLength: 3_000 }),
    flipped.map(({ at, to }) => good.slice(0, at) + to + good.slice(at + 1)),
    fc.nat(good.length).map((end) => good.slice(0, end)),
  );
  const tokens = fc
    .sample(token, { numRuns: 300, seed: TEST_SEED })
    .filter((each) => each !== good);
  const ends = await Promise.all(
    tokens.map(async (each, n) => {
      const headers = { 'X-Forwarded-For': `10.9.${n >> 6}.${n & 63}` };
      const client = await world.open({ token: each, headers });
      return (await client.closed).code;
    }),
  );
  expect(new Set(ends)).toEqual(new Set([4401]));
});

test('[P3] afterwards a match can still be played', async () => {
  const match = matchHere();
  const bob = await world.enter(issuer, match.id, 'bob');
  const ann = await world.enter(issuer, match.id, 'ann');
  for (let ply = 0; ply < 7; ply++) {
    const mover = ply % 2 === 0 ? ann : bob;
    mover.send({ t: 'act', s: match.id, id: `m${ply}`, action: { column: ply % 2 } });
    await mover.next('ack');
  }
  for (const client of [ann, bob]) {
    expect((await client.next('over')).result).toMatchObject({ winner: 'ann', moveCount: 7 });
  }
});
