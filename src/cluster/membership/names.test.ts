/** A player is erased on one node while another seats them, or names their opponents (rule R2). */

import { expect, test } from 'bun:test';
import type { KeepAnswer } from '../../runtime/sessions/session-service.ts';
import { WORLDS } from '../../store/world.ts';
import {
  enterAt,
  makeRequest,
  openThree,
  serviceAt,
} from '../../testing/cluster/cluster-matches.ts';
import type { ClusterNode } from '../../testing/cluster/cluster-world.ts';
import { release } from '../../testing/faulty-store.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { TENANT } from '../../testing/matches/match-world.ts';
import { makeNames } from './names.ts';

const ERASED = { id: null, displayName: null };
const ANN = { id: 'ann', displayName: 'Ann' };
const PLACE = `live ${TENANT}`;
const KEPT = { tenant: TENANT, mode: 'live', method: 'POST', path: '/v1/sessions/join', key: 'k' };

/** Bob waits at node b, which owns their session; others join them by its code. */
async function openRoom() {
  const { world, nodes } = await openThree();
  const [atA, atB, atC] = nodes.map((node, n) =>
    serviceAt(world, node, n + 1, (player) => {
      node.sockets.dropPlayer(player);
      node.cluster.notifyErased(player);
    }),
  );
  const [, b] = nodes;
  const players = [{ id: 'bob', displayName: null }];
  const made = await atB!.create(makeRequest({ players }), null);
  if (!made.ok) throw new Error(made.refusal);
  const { id, roomCode } = made.value.row;
  enterAt(b, id, 0);
  await world.pass(30);
  expect(world.holderOf(id)).toBe(b.name);
  const asked = { tenant: TENANT, mode: 'live', roomCode, game: 'tictactoe' } as const;
  return { world, nodes, atA: atA!, atB: atB!, atC: atC!, id, asked };
}

const rosterOf = async (node: ClusterNode, id: string) => (await node.local.peek(id))!.roster;

/** Names the players as `presentSession` does. */
function keepUntil(expiresAt: number): KeepAnswer {
  return ({ roster }) => ({
    ...KEPT,
    mode: 'live',
    bodyHash: '',
    status: 200,
    body: JSON.stringify(roster),
    mint: null,
    keptAt: 0,
    expiresAt,
  });
}

test('[R2][N7] a player erased elsewhere before their node knows of the seat is forgotten there, too', async () => {
  const { world, nodes, atA, atB, id, asked } = await openRoom();
  const [, b] = nodes;
  b.faults.next.push('held');
  const joining = atB.join({ ...asked, player: ANN }, null);
  await world.pass(30);
  const erased = await atA.erasePlayer(TENANT, WORLDS, 'ann');
  expect(erased.ok).toBe(true);
  await world.pass(100);
  release(b.faults);
  expect((await joining).ok).toBe(true);
  await world.pass(1_100);
  expect((await rosterOf(b, id))[1]).toEqual(ERASED);
});

test('[K3][R2][N7] an erasure in test mode does not affect live mode', async () => {
  const { world, nodes, atB, id, asked } = await openRoom();
  const [a, b] = nodes;
  expect((await atB.join({ ...asked, player: ANN }, null)).ok).toBe(true);
  const socket = b.open('ann');
  await world.pass(500);
  a.cluster.notifyErased({ tenant: TENANT, world: 'test', playerId: 'ann' });
  await world.pass(15_000, 100);
  expect((await rosterOf(b, id))[1]).toEqual(ANN);
  expect(socket.closedWith).toBeNull();
  a.cluster.notifyErased({ tenant: TENANT, world: 'live', playerId: 'ann' });
  await world.pass(500);
  expect(socket.closedWith).toBe(4_401);
});

test.each([5_000, 11_500, 13_000, 16_000, 25_000])(
  '[R2][N7] a player erased elsewhere while the seat’s commit takes %d ms is forgotten once the erasure is answered',
  async (slowMs) => {
    const { world, nodes, atA, atB, id, asked } = await openRoom();
    const [, b] = nodes;
    b.faults.next.push('held');
    const joining = atB.join({ ...asked, player: ANN }, null);
    await world.pass(30);
    expect((await atA.erasePlayer(TENANT, WORLDS, 'ann')).ok).toBe(true);
    await world.pass(slowMs, 100);
    release(b.faults);
    await joining;
    await world.pass(1_500);
    expect((await world.kept.loadSession(id))!.roster[1]).toEqual(ERASED);
    expect((await rosterOf(b, id))[1]).toEqual(ERASED);
  },
);

test('[R2][N7] an erased player is not named by a session whose creation took as long', async () => {
  const { world, nodes, atA, atB } = await openRoom();
  const [, b] = nodes;
  const made = await atB.create(makeRequest({ players: [ANN] }), null);
  if (!made.ok) throw new Error(made.refusal);
  const { id } = made.value.row;
  const stored = (await world.kept.loadSession(id))!;
  expect((await atA.erasePlayer(TENANT, WORLDS, 'ann')).ok).toBe(true);
  await world.pass(12_000, 100);
  b.host.adopt(stored);
  b.host.notifySeated(made.value);
  expect((await rosterOf(b, id))[0]).toEqual(ANN);
  await world.pass(1_500);
  expect((await rosterOf(b, id))[0]).toEqual(ERASED);
});

test('[R2][N7] an erased player is not named again by a seat given on the other node from an earlier read', async () => {
  const { world, nodes, atA, atB, atC, id, asked } = await openRoom();
  const [, b, c] = nodes;
  // Bob is erased after their opponent was found a seat, and before its owner was asked.
  const { loadSession } = c.store;
  const read = Promise.withResolvers<void>();
  c.store.loadSession = async (session) => {
    const stored = await loadSession(session);
    await read.promise;
    return stored;
  };
  const joining = atC.join({ ...asked, player: ANN }, null);
  await world.pass(30);
  expect((await atA.erasePlayer(TENANT, WORLDS, 'bob')).ok).toBe(true);
  await world.pass(200);
  expect((await rosterOf(b, id))[0]).toEqual(ERASED);
  read.resolve();
  await world.pass(100);
  expect((await joining).ok).toBe(true);
  await world.pass(1_100);
  expect(await rosterOf(b, id)).toEqual([ERASED, ANN]);
  expect((await atB.get({ tenant: TENANT, modes: ['live'], id })).ok).toBe(true);
});

test('[R2][N7] a player erased by a node that dies before it announces that is forgotten by the others', async () => {
  const { world, nodes, atB, id, asked } = await openRoom();
  const [a, b, c] = nodes;
  expect((await atB.join({ ...asked, player: ANN }, null)).ok).toBe(true);
  const socket = c.open('ann', id);
  await world.pass(100);
  expect((await rosterOf(b, id))[1]).toEqual(ANN);
  world.kill(a);
  await world.kept.erasePlayer(TENANT, WORLDS, 'ann', world.clock.now());
  await world.pass(2_000);
  expect((await rosterOf(b, id))[1]).toEqual(ERASED);
  expect(socket.closedWith).toBe(4_401);
});

test('[R2][N6] a late notice of an erasure does not affect a player who came after it', async () => {
  const { world, nodes, atB, id, asked } = await openRoom();
  const [a, b] = nodes;
  const naming = {
    tenant: TENANT,
    world: 'live' as const,
    playerId: 'ann',
    displayName: 'Old',
    newRef: 'ply_o',
    at: 0,
  };
  await world.kept.namePlayer(naming, null);
  await world.kept.erasePlayer(TENANT, WORLDS, 'ann', world.clock.now());
  expect((await atB.join({ ...asked, player: ANN }, null)).ok).toBe(true);
  a.cluster.notifyErased({ tenant: TENANT, world: 'live', playerId: 'ann' });
  await world.pass(2_000);
  expect((await rosterOf(b, id))[1]).toEqual(ANN);
});

test('[R2][N7] a late notice of an erasure closes no socket of a player who came after it', async () => {
  const { world, nodes, atA, atB, id, asked } = await openRoom();
  const [, b] = nodes;
  expect((await atB.join({ ...asked, player: ANN }, null)).ok).toBe(true);
  const before = b.open('ann', id);
  await world.pass(100);
  expect((await atA.erasePlayer(TENANT, WORLDS, 'ann')).ok).toBe(true);
  await world.pass(2_500);
  expect(before.closedWith).toBe(4_401);
  // A new node gets the notices of the last seconds.
  const d = await world.start('nod_d');
  const anew = d.open('ann');
  await world.pass(5_000);
  expect(anew.closedWith).toBeNull();
});

test('[R2][N7] an erasure that a node finds late in the store closes the player’s older sockets only', async () => {
  const { world, nodes, atB, id, asked } = await openRoom();
  const [a, b, c] = nodes;
  expect((await atB.join({ ...asked, player: ANN }, null)).ok).toBe(true);
  const before = c.open('ann', id);
  await world.pass(100);
  world.kill(a);
  world.stop(b);
  await world.kept.erasePlayer(TENANT, WORLDS, 'ann', world.clock.now());
  await world.pass(2_500);
  const anew = c.open('ann');
  await world.pass(100);
  world.goOn(b);
  await world.pass(2_000);
  expect((await rosterOf(b, id))[1]).toEqual(ERASED);
  expect([before.closedWith, anew.closedWith]).toEqual([4_401, null]);
});

test('[R2][H8] the stored response of a join no longer names an opponent who was erased elsewhere', async () => {
  const { world, nodes, atA, atB, asked } = await openRoom();
  // The notice is slower than the commit.
  world.network.setCut('nod_a', 'nod_b', true);
  expect((await atA.erasePlayer(TENANT, WORLDS, 'bob')).ok).toBe(true);
  const keep = keepUntil(world.clock.now() + 86_400_000);
  expect((await atB.join({ ...asked, player: ANN }, keep)).ok).toBe(true);
  world.network.setCut('nod_a', 'nod_b', false);
  const answer = () => world.kept.findIdempotent({ ...KEPT, mode: 'live' }, world.clock.now());
  expect((await answer())?.body).toContain('bob');
  await world.pass(15_000, 100);
  expect(await answer()).toBeNull();
  expect(nodes.map(({ errors }) => errors)).toEqual([[], [], []]);
});

test('[H8][N6] responses that name a present player stay, even after an earlier player with that id was erased', async () => {
  const { world, nodes, atB, asked } = await openRoom();
  const [a] = nodes;
  const keep = keepUntil(world.clock.now() + 86_400_000);
  expect((await atB.join({ ...asked, player: ANN }, keep)).ok).toBe(true);
  a.cluster.notifyErased({ tenant: TENANT, world: 'live', playerId: 'ann' });
  await world.pass(15_000, 100);
  const answer = await world.kept.findIdempotent({ ...KEPT, mode: 'live' }, world.clock.now());
  expect(answer?.body).toContain('ann');
});

test('[R2] a player erased after the name was read gets no old name on return', async () => {
  const { world, nodes, atA, atB, asked } = await openRoom();
  const [, b] = nodes;
  const naming = {
    tenant: TENANT,
    world: 'live' as const,
    playerId: 'ann',
    displayName: 'Ann',
    newRef: 'ply_o',
    at: 0,
  };
  await world.kept.namePlayer(naming, null);
  const { findPlayer } = b.store;
  const read = Promise.withResolvers<void>();
  b.store.findPlayer = async (...who) => {
    const found = await findPlayer(...who);
    await read.promise;
    return found;
  };
  const keep = keepUntil(world.clock.now() + 86_400_000);
  const joined = atB.join({ ...asked, player: { id: 'ann', displayName: null } }, keep);
  const players = [{ id: 'ann', displayName: null }];
  const made = atB.create(makeRequest({ players }), (view) => ({ ...keep(view), key: 'l' }));
  await world.pass(30);
  expect((await atA.erasePlayer(TENANT, WORLDS, 'ann')).ok).toBe(true);
  read.resolve();
  expect([(await joined).ok, (await made).ok]).toEqual([true, true]);
  expect(await world.kept.findPlayer(TENANT, 'live', 'ann')).toMatchObject({ displayName: null });
});

test('[R2][H8] a node that stops before ten seconds are over has its answers searched as it stops', async () => {
  const { world, nodes, atA, atB, asked } = await openRoom();
  world.network.setCut('nod_a', 'nod_b', true);
  expect((await atA.erasePlayer(TENANT, WORLDS, 'bob')).ok).toBe(true);
  const keep = keepUntil(world.clock.now() + 86_400_000);
  expect((await atB.join({ ...asked, player: ANN }, keep)).ok).toBe(true);
  world.network.setCut('nod_a', 'nod_b', false);
  await world.pass(2_000);
  for (const { cluster } of nodes) {
    await cluster.drain();
    await cluster.leave();
  }
  const answer = await world.kept.findIdempotent({ ...KEPT, mode: 'live' }, world.clock.now());
  expect(answer).toBeNull();
});

test('[R2] sessions are examined at a thousand a second, each once for every erasure and once more later', async () => {
  const clock = makeManualClock();
  const ids = Array.from({ length: 2_500 }, (_, n) => `ses_${n}`);
  const asked: (readonly string[])[] = [];
  let revision = 0;
  const unheard: string[] = [];
  const names = makeNames({
    clock,
    local: {
      naming: (players) => (players?.get(PLACE)?.has('ann') === false ? [] : ids),
      forgetSeat: () => ({ tenant: TENANT, world: 'live', playerId: 'ann' }),
    },
    store: {
      erasureRevision: async () => revision,
      async listErased(sessions) {
        asked.push(sessions);
        return revision === 1 && sessions.includes('ses_2400')
          ? [{ session: 'ses_2400', seat: 0, at: 0 }]
          : [];
      },
      forgetAnswers: async () => undefined,
    },
    onUnheard: ({ playerId }) => void unheard.push(playerId),
    onError() {},
  });
  const maintain = async (seconds: number): Promise<number> => {
    asked.splice(0);
    for (let n = 0; n < seconds; n++) {
      clock.advance(1_000);
      await names.maintain();
    }
    return new Set(asked.flat()).size;
  };
  // The rows that were there at the start, then none.
  expect([await maintain(3), await maintain(7)]).toEqual([2_500, 0]);
  await maintain(10);
  expect(await maintain(10)).toBe(0);
  revision = 1;
  expect([await maintain(2), unheard]).toEqual([2_000, []]);
  // Another erasure does not restart the round: it would never end.
  revision = 2;
  expect(await maintain(1)).toBe(500);
  expect(await maintain(3)).toBe(2_500);
});

test('[R2][N7] many erasures announced within a moment cost one scan of the sessions in memory', async () => {
  const clock = makeManualClock();
  const looks: string[][] = [];
  const asked: (readonly string[])[] = [];
  const names = makeNames({
    clock,
    local: {
      naming(players) {
        looks.push([...((players?.get(PLACE) as ReadonlyMap<string, number>)?.keys() ?? [])]);
        return ['ses_1'];
      },
      forgetSeat: () => null,
    },
    store: {
      erasureRevision: async () => 0,
      async listErased(sessions) {
        asked.push(sessions);
        return [];
      },
      forgetAnswers: async () => undefined,
    },
    onUnheard() {},
    onError() {},
  });
  for (const playerId of ['ann', 'bob', 'cyd'])
    names.heard({ tenant: TENANT, world: 'live', playerId });
  expect(looks).toEqual([]);
  clock.advance(100);
  expect([looks, asked]).toEqual([[['ann', 'bob', 'cyd']], [['ses_1']]]);
  names.heard({ tenant: TENANT, world: 'live', playerId: 'dan' });
  void names.close();
  clock.advance(100);
  expect(looks).toHaveLength(1);
});
