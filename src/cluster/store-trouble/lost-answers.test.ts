/** Calls with lost answers: their effect in the store is neither forgotten nor repeated. */

import { expect, test } from 'bun:test';
import { shippedGames } from '../../games/registry.ts';
import { makeBotService } from '../../runtime/bots/bot-service.ts';
import { makeIds } from '../../runtime/ids.ts';
import type { BotRow } from '../../store/bots.ts';
import {
  createAt,
  enterAt,
  joinAt,
  makeRequest,
  openThree,
  serviceAt,
} from '../../testing/cluster/cluster-matches.ts';
import {
  type ClusterNode,
  type ClusterWorld,
  openClusterWorld,
} from '../../testing/cluster/cluster-world.ts';
import { makeProbe, mark, namesOf, TENANT } from '../../testing/matches/match-world.ts';
import { makeSeededRandomness } from '../../testing/seeded-randomness.ts';

async function kindsOf(world: ClusterWorld, id: string): Promise<string[]> {
  return (await world.kept.loadSession(id))!.entries.map(({ record }) => record.k);
}

test("[N2] a dead node's session is taken over though the answer to the claim was lost", async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  const session = await createAt(world, a);
  const x = enterAt(a, session, 0);
  enterAt(a, session, 1);
  await world.pass(200);
  a.host.play(session, 0, mark(4), x);
  await world.pass(100);
  let lost = 0;
  for (const { store } of [b, c]) {
    const { claimAwake } = store;
    store.claimAwake = async (after, limit) => {
      const ids = await claimAwake(after, limit);
      if (ids.length === 0) return ids;
      lost += 1;
      store.claimAwake = claimAwake;
      throw new Error('the answer was lost');
    };
  }
  world.kill(a);
  await world.pass(60_000, 50);
  expect(lost).toBe(1);
  // No player returned: the grace of those who were connected is over.
  await world.pass(120_000, 200);
  expect((await kindsOf(world, session)).at(-1)).toBe('ended');
});

test("[N2] a dead node's session is taken over though the claim was done seconds after it had failed", async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  const session = await createAt(world, a);
  enterAt(a, session, 0);
  enterAt(a, session, 1);
  await world.pass(200);
  world.kill(c);
  let landed = 0;
  let calls = 0;
  const { claimAwake } = b.store;
  b.store.claimAwake = async (after, limit) => {
    calls += 1;
    if (calls <= 3) throw new Error('the answer was lost');
    // The first claim is done only now, before this one.
    if (calls === 4) landed = (await claimAwake(after, limit)).length;
    return claimAwake(after, limit);
  };
  world.kill(a);
  await world.pass(60_000, 50);
  expect(landed).toBe(1);
  await world.pass(120_000, 200);
  expect((await kindsOf(world, session)).at(-1)).toBe('ended');
});

test('[N1][N2] a session claimed before the store went away for a minute is owned when it is back', async () => {
  const world = openClusterWorld();
  let isUp = true;
  let isLosing = false;
  const away = () => Promise.reject(new Error('the store is away'));
  const { members } = world;
  for (const name of [
    'renewLease',
    'listLeases',
    'holderOf',
    'listToRelease',
    'listHeld',
  ] as const) {
    const call = members[name] as (...args: unknown[]) => Promise<unknown>;
    Object.assign(members, { [name]: (...args: unknown[]) => (isUp ? call(...args) : away()) });
  }
  const { claim } = members;
  members.claim = (...args) =>
    isUp ? claim(...args).then((made) => (isLosing ? away() : made)) : away();
  const [a, b] = [await world.start('nod_a'), await world.start('nod_b')];
  await world.pass(1_000);
  const session = await createAt(world, a);
  isLosing = true;
  let told = '';
  b.host.attach(session, makeProbe(0), ({ kind }) => {
    told = kind;
  });
  await world.pass(10);
  expect(world.holderOf(session)).toBe(b.name);
  isUp = false;
  for (const { faults } of [a, b]) faults.failLoads = true;
  // Their socket is closed, and they do not return.
  await world.pass(60_000, 50);
  expect(told).toBe('rejected');
  isUp = true;
  isLosing = false;
  for (const { faults } of [a, b]) faults.failLoads = false;
  await world.pass(20 * 60_000, 500);
  expect((await kindsOf(world, session)).at(-1)).toBe('ended');
});

test('[S10] a watcher of a sleeping session sees that it is ended on another node', async () => {
  const { world, nodes } = await openThree();
  const [a, , c] = nodes;
  const session = await createAt(world, a);
  const watcher = enterAt(a, session, null);
  await world.pass(30);
  expect(namesOf(watcher.take())).toEqual(['state 0']);
  c.host.run(session, { command: () => ({ kind: 'abort' }), done: () => undefined });
  await world.pass(3_000);
  expect(watcher.take().at(-1)).toMatchObject({ t: 'state', status: 'ended' });
});

test('[B2][N4] one request seats one bot, though its owner is slow to answer', async () => {
  const { world, nodes } = await openThree();
  const [a, , c] = nodes;
  const players = [{ id: 'ann', displayName: null }];
  const session = await createAt(world, a, makeRequest({ game: 'ludo', seats: 4, players }));
  enterAt(a, session, 0);
  await world.pass(100);
  slowDown(world, a);
  const bots = botsAt(world, c, ['b1', 'b2', 'b3']);
  const asked = bots.inject({ tenant: TENANT, modes: ['live'], id: session }, null, null);
  await world.pass(12_000);
  expect(await asked).toMatchObject({ ok: false, refusal: 'unavailable' });
  expect((await kindsOf(world, session)).filter((kind) => kind === 'joined')).toHaveLength(1);
});

test('[B2][N4] a bot that took the last seat is not reported as a refusal, though its owner answers slowly', async () => {
  const { world, nodes } = await openThree();
  const [a, , c] = nodes;
  const players = [{ id: 'ann', displayName: null }];
  const session = await createAt(world, a, makeRequest({ players }));
  enterAt(a, session, 0);
  await world.pass(100);
  slowDown(world, a);
  const bots = botsAt(world, c, ['b1'], 'tictactoe');
  const asked = bots.inject({ tenant: TENANT, modes: ['live'], id: session }, null, null);
  await world.pass(12_000);
  expect((await kindsOf(world, session)).filter((kind) => kind === 'joined')).toHaveLength(1);
  expect(await asked).toMatchObject({ ok: false, refusal: 'unavailable' });
});

test("[N4][N7] a lobby shows its player's new seat, though the owner answered slowly", async () => {
  const { world, nodes } = await openThree();
  const [a, b] = nodes;
  const players = [{ id: 'ann', displayName: null }];
  const session = await createAt(world, a, makeRequest({ players }));
  // Ann brings the session to b, where Bob's lobby is, too.
  b.open('ann');
  b.open('bob');
  await world.pass(1_000);
  slowDown(world, b);
  const service = serviceAt(world, a, 11);
  const asked = joinAt(service, (await a.host.peek(session))!, 'bob');
  await world.pass(30_000, 50);
  expect(await asked).toMatchObject({ ok: false, refusal: 'unavailable' });
  // The tenant retries, as advised.
  const again = joinAt(service, (await a.host.peek(session))!, 'bob');
  await world.pass(1_000);
  expect(await again).toMatchObject({ ok: false });
  const { seats } = (await b.host.peek(session))!.session;
  expect(seats.map(({ connected }) => connected)).toEqual([true, true]);
});

/** A node's next commit takes longer than any request waits for the answer. */
function slowDown(world: ClusterWorld, { store }: ClusterNode): void {
  const { commit } = store;
  store.commit = (work, done) => {
    store.commit = commit;
    world.clock.after(1_200, () => commit(work, done));
  };
}

function botsAt(world: ClusterWorld, node: ClusterNode, ids: readonly string[], game = 'ludo') {
  const randomness = makeSeededRandomness(9);
  return makeBotService({
    games: shippedGames,
    host: node.host,
    clock: node.clock,
    randomness,
    node: node.name,
    makeId: makeIds(world.clock, randomness),
    store: { listSeatableBots: async () => ids.map((id) => makeBot(id, game)) } as never,
  });
}

function makeBot(id: string, game: string): BotRow {
  return {
    id,
    tenant: TENANT,
    game,
    name: id,
    displayName: id,
    playerId: `bot:${id}`,
    kind: 'builtin',
    difficulty: 'easy',
    weight: 1,
    active: true,
    createdAt: 0,
    deletedAt: null,
  } as BotRow;
}
