/** Where a match is: on the node to which the first of its players comes. */

import { expect, test } from 'bun:test';
import { findGame } from '../games/registry.ts';
import { PENDING_MS, parseOptions } from '../match/setup.ts';
import { makeIds } from '../runtime/ids.ts';
import type { SessionRequest } from '../runtime/session-service.ts';
import { makeSessionService } from '../runtime/sessions.ts';
import type { MatchCommit } from '../store/store.ts';
import { PLANS } from '../tenancy/tenant.ts';
import type { ClusterNode, ClusterWorld } from '../testing/cluster-world.ts';
import { openClusterWorld } from '../testing/cluster-world.ts';
import { makeProbe, mark, namesOf, type Probe, TENANT } from '../testing/match-world.ts';
import { makeSeededRandomness } from '../testing/seeded-randomness.ts';

function requestOf(): SessionRequest {
  const options = parseOptions(findGame('tictactoe')!, {});
  if ('field' in options) throw new Error(options.field);
  return {
    ...{ tenant: TENANT, mode: 'live', game: 'tictactoe', matchType: 'private' },
    ...{ variant: 'standard', seats: 2, options, metadata: null, theme: null },
    players: [
      { id: 'ann', displayName: null },
      { id: 'bob', displayName: null },
    ],
    limits: PLANS.starter,
  };
}

/** Asks a node for a session, as over HTTP; answers its id. */
async function create(world: ClusterWorld, node: ClusterNode): Promise<string> {
  const randomness = makeSeededRandomness(7);
  const service = makeSessionService({
    ...{ store: node.store, host: node.host, clock: world.clock, randomness, node: node.name },
    bots: { listBots: async () => [] },
    makeId: makeIds(world.clock, randomness),
    onSeated: () => {},
    onErased: () => {},
  });
  const made = await service.create(requestOf(), null);
  if (!made.ok) throw new Error(made.refusal);
  return made.value.row.id;
}

function enter(node: ClusterNode, session: string, viewer: number | null): Probe {
  const probe = makeProbe(viewer);
  const show = (): void =>
    node.host.attach(session, probe, ({ kind }) => {
      if (kind !== 'done' || node.host.askState(session, probe)) return;
      const texts = node.host.stateFor(session, viewer);
      if (texts.length > 0) probe.send(texts);
    });
  probe.lost = show;
  show();
  return probe;
}

async function openThree() {
  const written: MatchCommit[] = [];
  const world = openClusterWorld(undefined, (_, commit) => void written.push(commit));
  const nodes = [
    await world.start('nod_a'),
    await world.start('nod_b'),
    await world.start('nod_c'),
  ] as const;
  await world.pass(1_000);
  return { world, nodes, written, session: await create(world, nodes[0]) };
}

async function kindsOf(world: ClusterWorld, id: string): Promise<string[]> {
  return (await world.kept.loadSession(id))!.entries.map(({ record }) => record.k);
}

test('[N1] a session sleeps until its first player comes, and is held where he is', async () => {
  const { world, nodes, written, session } = await openThree();
  const [a, b, c] = nodes;
  expect(world.memory.holderOf(session)).toBeNull();
  expect(nodes.map(({ local }) => local.size())).toEqual([0, 0, 0]);
  // Who watches alone is shown it, and decides nothing.
  const watcher = enter(a, session, null);
  await world.pass(30);
  expect(namesOf(watcher.take())).toEqual(['state 0']);
  expect(world.memory.holderOf(session)).toBeNull();
  const x = enter(b, session, 0);
  await world.pass(30);
  expect(world.memory.holderOf(session)).toBe(b.name);
  const o = enter(c, session, 1);
  await world.pass(2_000);
  expect(await kindsOf(world, session)).toEqual([
    ...['created', 'owned', 'connected', 'connected', 'started'],
  ]);
  expect(nodes.map(({ local }) => local.size())).toEqual([0, 1, 0]);
  for (const probe of [x, o, watcher]) probe.take();
  b.host.play(session, 0, mark(4), x);
  await world.pass(30);
  expect(namesOf(x.take())).toEqual(['ack 5', 'update 5']);
  expect([namesOf(o.take()), namesOf(watcher.take())]).toEqual([['update 5'], ['update 5']]);
  // The claim has changed its row; what follows is plain records, until it starts.
  expect(written.map(({ change }) => change?.awake ?? null)).toEqual(written.map(() => null));
  for (const node of nodes) expect(node.errors).toEqual([]);
  for (const [node, probe] of [
    [b, x],
    [c, o],
    [a, watcher],
  ] as const)
    node.host.detach(session, probe);
  await world.pass(12_000, 100);
  expect(world.memory.holderOf(session)).toBeNull();
});

test('[N1] of players who come at once to different nodes one has it with him, and nothing collides', async () => {
  const { world, nodes, session } = await openThree();
  const probes = [enter(nodes[1], session, 0), enter(nodes[2], session, 1)];
  await world.pass(100);
  expect(await kindsOf(world, session)).toEqual([
    ...['created', 'owned', 'connected', 'connected', 'started'],
  ]);
  for (const probe of probes) expect(namesOf(probe.take()).at(-1)).toBe('state 4');
  for (const { local } of nodes) expect(local.stats.conflicts).toBe(0);
});

test('[N1] a node that is the only one holds what it makes: its players can only come there', async () => {
  const world = openClusterWorld();
  const a = await world.start('nod_a');
  const session = await create(world, a);
  expect([world.memory.holderOf(session), a.local.size()]).toEqual([a.name, 1]);
});

test('[N1] what the tenant does to a session to which nobody came is done where he asks', async () => {
  const { world, nodes, session } = await openThree();
  const [, , c] = nodes;
  const ended = await new Promise((resolve) =>
    c.host.run(session, {
      command: () => ({ kind: 'abort' }),
      done: (result) => void resolve(result.kind),
    }),
  );
  expect(ended).toBe('done');
  expect((await kindsOf(world, session)).at(-1)).toBe('ended');
  expect(world.memory.holderOf(session)).toBeNull();
});

test('[N1] a session to which nobody comes ends when its time is up, though the node that made it is gone', async () => {
  const { world, nodes, session } = await openThree();
  world.kill(nodes[0]);
  await world.pass(PENDING_MS.private + 3_000, 500);
  expect((await kindsOf(world, session)).at(-1)).toBe('ended');
});

test('[N1][N2] a session that was claimed and could not be read is held all the same', async () => {
  const { world, nodes, session } = await openThree();
  const [, b] = nodes;
  const { loadSession } = b.store;
  b.store.loadSession = () => Promise.reject(new Error('the store is away'));
  const x = enter(b, session, 0);
  await world.pass(100);
  expect(world.memory.holderOf(session)).toBe(b.name);
  b.host.detach(session, x);
  await world.pass(40_000, 100);
  b.store.loadSession = loadSession;
  await world.pass(5_000, 50);
  // Nobody is there: it sleeps, or is about to.
  await world.pass(12_000, 100);
  expect(world.memory.holderOf(session)).toBeNull();
  expect(b.local.has(session)).toBe(false);
});
