/** The owning node's work for players on other nodes, in any order of requests. */

import { expect, test } from 'bun:test';
import type { LocalHost } from '../runtime/host/match-host.ts';
import { release } from '../testing/faulty-store.ts';
import {
  connect,
  createSession,
  fateOf,
  kindsOf,
  mark,
  openWorld,
  pass,
  settle,
} from '../testing/matches/match-world.ts';
import type { Item } from './messages.ts';
import { makeOutbox } from './outbox.ts';
import { makeOwner } from './owner.ts';

const ID = 'ses_early';
const EDGE = 'nod_edge';

/** A session that has left memory, and whose owner is looked up until `found` is called. */
async function openOwner() {
  const world = await openWorld();
  await createSession(world, ID);
  for (const seat of [0, 1]) await connect(world, ID, seat);
  const local = world.host as unknown as LocalHost;
  local.release(ID);
  const items: Item[] = [];
  const { promise, resolve: found, reject: failed } = Promise.withResolvers<boolean>();
  const outbox = makeOutbox((_, some) => void items.push(...some));
  const owner = makeOwner({ local, outbox, mayServe: () => promise });
  const told = (): string[] =>
    items.map((item) => (item.t === 'frames' ? item.texts.join() : item.t));
  return { world, owner, local, found, failed, told };
}

const attach = { t: 'attach', s: ID, p: 1, viewer: 0, player: null } as const;
const play = { t: 'play', p: 1, command: mark(4) } as const;

test('[N1] a refused guest is told once, and has no slot', async () => {
  for (const outcome of ['elsewhere', 'unknown'] as const) {
    const { owner, found, failed, told, local } = await openOwner();
    owner.receive(EDGE, attach);
    if (outcome === 'elsewhere') found(false);
    else failed();
    await settle();
    expect(told()).toEqual(['attached']);
    expect(local.has(ID)).toBe(false);
    owner.receive(EDGE, play);
    await settle();
    expect(told()).toEqual(['attached', 'lost']);
  }
});

for (const [what, item, answers] of [
  ['left', { t: 'detach', p: 1 }, []],
  // As nodes do that do not wait for it.
  ['sent a command', play, ['lost']],
] as const) {
  test(`[N1] a guest that ${what} before it was attached is not attached, and plays nothing`, async () => {
    const { owner, found, told, world } = await openOwner();
    owner.receive(EDGE, attach);
    owner.receive(EDGE, item);
    found(true);
    await settle();
    expect(told()).toEqual([...answers]);
    expect((await kindsOf(world, ID)).slice(-2)).toEqual(['started', 'disconnected']);
  });
}

test('[N6][P6] no player loses because the link to their node broke, whatever the grace', async () => {
  const world = await openWorld();
  await createSession(world, ID, { setup: { disconnectGraceMs: 0 } });
  const outbox = makeOutbox(() => undefined);
  const owner = makeOwner({ local: world.host, outbox, mayServe: async () => true });
  await connect(world, ID, 1);
  owner.receive(EDGE, attach);
  await settle();
  expect(await fateOf(world, ID)).toBe('active');
  owner.linkLost(EDGE);
  await settle();
  await pass(world, 9_999);
  expect(await fateOf(world, ID)).toBe('active');
  owner.receive(EDGE, { ...attach, p: 2 });
  await settle();
  await pass(world, 10_000);
  expect(await fateOf(world, ID)).toBe('active');
  // A player who leaves has their grace period, here zero.
  owner.receive(EDGE, { t: 'detach', p: 2 });
  await settle();
  await pass(world, 1);
  expect(await fateOf(world, ID)).toBe('ended disconnect');
});

for (const [what, item] of [
  ['the link broke', null],
  ['their node waited no longer', { t: 'detach', p: 1, putAway: true }],
] as const) {
  test(`[N6][P6] no player loses because ${what} while they attach`, async () => {
    const world = await openWorld();
    await createSession(world, ID, { setup: { disconnectGraceMs: 0 } });
    const outbox = makeOutbox(() => undefined);
    const owner = makeOwner({ local: world.host, outbox, mayServe: async () => true });
    await connect(world, ID, 1);
    world.faults.next.push('held');
    owner.receive(EDGE, attach);
    await settle();
    await pass(world, 900, 300);
    if (item === null) owner.linkLost(EDGE);
    else owner.receive(EDGE, item);
    release(world.faults);
    await settle();
    await pass(world, 50);
    expect((await kindsOf(world, ID)).at(-1)).toBe('disconnected');
    expect(await fateOf(world, ID)).toBe('active');
  });
}

test('[N1][P12] the sender and others of a node share their frames; a node of an older version finds the answers among these', async () => {
  const world = await openWorld();
  await createSession(world, ID);
  const sent = new Map<string, Item[]>();
  const outbox = makeOutbox((node, items) => {
    sent.set(node, [...(sent.get(node) ?? []), ...items]);
  });
  const local = world.host as unknown as LocalHost;
  const owner = makeOwner({ local, outbox, mayServe: () => Promise.resolve(true) });
  owner.receive(EDGE, { ...attach, wire: 2 });
  owner.receive(EDGE, { ...attach, p: 2, viewer: null, wire: 2 });
  owner.receive('nod_older', { ...attach, viewer: 1 });
  await settle();
  sent.clear();
  owner.receive(EDGE, play);
  await settle();
  owner.receive('nod_older', { ...play, command: mark(0) });
  await settle();
  const framesOf = (node: string) =>
    sent.get(node)!.flatMap((item) => (item.t === 'frames' ? [item] : []));
  const [first, second] = framesOf(EDGE);
  expect(first).toMatchObject({ p: [1, 2], answered: { p: 1, id: 'm4', update: 0 } });
  expect(first!.texts).toHaveLength(1);
  expect(first!.texts[0]).toStartWith('[0,');
  expect(second).toMatchObject({ p: [1, 2] });
  expect(second!.answered).toBeUndefined();
  const older = framesOf('nod_older').flatMap(({ texts }) =>
    texts.map((text) => JSON.parse(text).t),
  );
  expect(older).toEqual(['update', 'ack', 'update']);
});
