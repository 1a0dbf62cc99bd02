/**
 * Matches that a backend starts through one node, on a slow store, with the players' lobbies on
 * others.
 */

import { expect, test } from 'bun:test';
import { findGame, shippedGames } from '../../games/registry.ts';
import { parseOptions, type SessionOptions } from '../../match/setup.ts';
import { makeIds } from '../../runtime/ids.ts';
import { makeHostedService } from '../../runtime/matchmaking/hosted.ts';
import type { TicketStore } from '../../store/tickets.ts';
import { PLANS } from '../../tenancy/tenant.ts';
import { enterAt, openThree } from '../../testing/cluster/cluster-matches.ts';
import type { ClusterNode, ClusterWorld } from '../../testing/cluster/cluster-world.ts';
import { TENANT } from '../../testing/matches/match-world.ts';
import { makeSeededRandomness } from '../../testing/seeded-randomness.ts';

let madeId = '';
const WORLD = { tenant: TENANT, mode: 'live', game: 'tictactoe' } as const;

/** One promoted group of ann and bob; its start is slow, and its answer may be lost. */
function hostedAt(world: ClusterWorld, node: ClusterNode, ms: number, isLost: boolean | 'never') {
  const randomness = makeSeededRandomness(5);
  const store = {
    findGroups: async () => [
      {
        ...WORLD,
        id: 'tkt_1',
        group: 'grp_1',
        capacity: 2,
        players: ['ann', 'bob'].map((id) => ({ id, displayName: null })),
        createdAt: world.clock.now(),
        promotedAt: world.clock.now(),
        status: 'promoted',
        poolPlace: 1,
      },
    ],
    async startGroups({ session: { row, seats, entries, wakeAt, quota } }) {
      madeId = row.id;
      await new Promise<void>((done) => world.clock.after(ms, done));
      await node.store.createSession({
        row,
        seats,
        quota,
        entry: entries[0]!,
        wakeAt,
        roomCodeExpiresAt: row.createdAt + 1,
        idempotency: null,
      } as never);
      const change = { status: 'active', startedAt: row.startedAt! } as const;
      await new Promise((done) =>
        node.store.commit(
          {
            session: row.id,
            tenant: row.tenant,
            mode: row.mode,
            entries: entries.slice(1),
            change,
          } as never,
          done,
        ),
      );
      if (wakeAt !== null) await node.store.sleep([{ id: row.id, wakeAt }]);
      if (isLost === 'never') await new Promise(() => {});
      if (isLost) throw new Error('the answer was lost');
      return { kind: 'started' };
    },
  } as Partial<TicketStore> as TicketStore;
  return makeHostedService({
    games: shippedGames,
    store,
    host: node.host,
    clock: world.clock,
    randomness,
    node: node.name,
    makeId: makeIds(world.clock, randomness),
    isInLobby: () => false,
    isElsewhere: () => true,
  });
}

function startBy(hosted: ReturnType<typeof hostedAt>) {
  const options = parseOptions(findGame('tictactoe')!, { turnTimeoutMs: 5_000 }) as SessionOptions;
  return hosted.start(
    {
      ...WORLD,
      groups: ['grp_1'],
      seats: { min: 2, max: 2 },
      variant: 'standard',
      options,
      requireConnected: false,
      limits: PLANS.enterprise,
    },
    null,
  );
}

test('[P6][M5] a start of six seconds, with all lobbies elsewhere, costs no player a turn of five', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  const asked = startBy(hostedAt(world, a, 6_000, false));
  await world.pass(6_100);
  const started = await asked;
  if (started.kind !== 'started') throw new Error(started.kind);
  const { id } = started.view.row;
  enterAt(b, id, 0);
  enterAt(c, id, 1);
  await world.pass(500);
  await world.pass(3_000);
  const view = (await a.host.peek(id))!;
  expect(view.session.status).toBe('active');
});

test('[P6][M5] a start whose answer is lost after six seconds costs no player a turn of five', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  const asked = startBy(hostedAt(world, a, 6_000, true)).catch(String);
  await world.pass(7_500);
  expect(await asked).toBe('Error: the answer was lost');
  const id = madeId;
  enterAt(b, id, 0);
  enterAt(c, id, 1);
  await world.pass(500);
  await world.pass(3_000);
  const view = (await a.host.peek(id))!;
  expect(view.session.status).toBe('active');
});

test('[P6][M5][N2] a start whose node dies before it can report costs no player a turn of five', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  for (const [node, player] of [
    [b, 'ann'],
    [c, 'bob'],
  ] as const)
    node.open(player);
  await world.pass(1_000);
  // It stops permanently right after the start was written.
  void startBy(hostedAt(world, a, 0, 'never')).catch(String);
  await world.pass(50);
  expect([world.holderOf(madeId), world.lengthOf(madeId)]).toEqual([null, 2]);
  world.stop(a);
  await world.pass(9_000);
  expect((await b.host.peek(madeId))!.session.status).toBe('active');
});

test('[P6] players who connect 60 ms after the start: no time is recorded as lost', async () => {
  const { world, nodes } = await openThree();
  const [a, b] = nodes;
  const asked = startBy(hostedAt(world, a, 0, false));
  await world.pass(30);
  expect((await asked).kind).toBe('started');
  await world.pass(30);
  enterAt(b, madeId, 0);
  enterAt(b, madeId, 1);
  await world.pass(1_000);
  const { entries } = (await world.kept.loadSession(madeId))!;
  expect(entries.filter(({ record }) => 'lostMs' in record && record.lostMs > 0)).toEqual([]);
});
