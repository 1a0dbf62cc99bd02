/** `in` and `ticks` on real sockets: a rate of their own, refusals by name, watchers. */

import { afterAll, beforeAll, expect } from 'bun:test';
import { ticksFrame } from '../../contract/frames/server-frames.ts';
import { type Subprotocol, spokenHere, test } from '../../testing/sockets/both-protocols.ts';
import type { Issuer, SocketWorld, TestMatch } from '../../testing/sockets/socket-world.ts';
import { openSocketWorld } from '../../testing/sockets/socket-world.ts';

let world: SocketWorld;
let issuer: Issuer;
/** By the subprotocol of its sockets. */
const matches = new Map<Subprotocol, Promise<TestMatch>>();

beforeAll(async () => {
  world = await openSocketWorld();
  issuer = await world.makeIssuer();
});
afterAll(() => world.close());

function matchHere(): Promise<TestMatch> {
  const match =
    matches.get(spokenHere()) ??
    world.startMatch(issuer, { game: 'fight-arena', players: [`ann ${spokenHere()}`, 'bob'] });
  matches.set(spokenHere(), match);
  return match;
}

test('[P9] `in` is accepted without an ack, and comes back in `ticks`', async () => {
  const match = await matchHere();
  const [ann, bob] = match.clients;
  // At first no player sends input: then the frame says which tick it is.
  const { from, inputs } = await ann.next('ticks');
  const next = inputs.reduce((sum, run) => sum + run.at(-1)!, from);
  for (const client of [ann, bob]) {
    await client.settle();
    client.send({ t: 'in', s: match.id, from: next, masks: Array(20).fill(2) });
  }
  for (const client of [ann, bob]) {
    let frame = ticksFrame.parse(await client.next('ticks'));
    while (!frame.inputs.some((run) => run[0] === 2 && run[1] === 2)) {
      frame = ticksFrame.parse(await client.next('ticks'));
    }
    expect(frame.s).toBe(match.id);
  }
});

test('[P9] faults are named; watchers hold no input', async () => {
  const match = await matchHere();
  const [ann] = match.clients;
  await ann.settle();
  ann.send({ t: 'in', s: match.id, from: 0, masks: [512] });
  expect(await ann.next('reject')).toMatchObject({ code: 'bad_action', id: null });
  ann.send({ t: 'in', s: match.id, from: 1e9, masks: [0] });
  expect(await ann.next('reject')).toMatchObject({ code: 'too_far_ahead' });
  const token = world.makeToken(issuer, { scope: 'watch', session: match.id });
  const watcher = await world.open({ token });
  await watcher.next('state');
  watcher.send({ t: 'in', s: match.id, from: 0, masks: [0] });
  expect(await watcher.next('reject')).toMatchObject({ code: 'watch_only' });
});

test('[P5][P9] `in` has a rate limit of its own, beside all other messages', async () => {
  const other = await world.startMatch(issuer, { game: 'fight-arena', players: ['cyd', 'dan'] });
  const [cyd] = other.clients;
  for (let n = 0; n < 59; n += 1) cyd.send({ t: 'in', s: other.id, from: 0, masks: [0] });
  // The others are not counted with them.
  for (let n = 0; n < 30; n += 1) cyd.send({ t: 'ping', n });
  for (let n = 0; n < 30; n += 1) expect(await cyd.next('pong')).toMatchObject({ n });
  for (let n = 0; n < 40; n += 1) cyd.send({ t: 'in', s: other.id, from: 0, masks: [0] });
  expect(await cyd.next('reject')).toMatchObject({ code: 'too_fast' });
});
