/** A player is erased at the moment when they, or an opponent, are seated. */

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/whole-store.ts';
import { WORLDS } from '../../store/world.ts';
import { makeRequest, openQueuedSessions, TENANT } from '../../testing/matches/queued-sessions.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import type { KeepAnswer, SessionRequest } from './session-service.ts';

const folder = makeTempFolder();
const opened: Store[] = [];
afterAll(async () => {
  for (const store of opened) await store.close();
  removeFolder(folder);
});

/**
 * A process whose tenant knows `ann`, so that there is a player to erase. Stored responses are all
 * searched in the erasure itself, which starts at once. `asked`: the store received the erasure.
 */
async function open() {
  const file = await openSqliteStore(join(folder, `${opened.length}.db`));
  opened.push(file);
  const naming = {
    tenant: TENANT,
    world: 'live' as const,
    playerId: 'ann',
    displayName: 'Ann',
    newRef: 'ply_1',
    at: 0,
  };
  await file.namePlayer(naming, null);
  const asked = Promise.withResolvers<void>();
  const store: Store = {
    ...file,
    forgetAnswersOf: async () => ({ isKnown: true, since: 0 }),
    erasePlayer(...args) {
      asked.resolve();
      return file.erasePlayer(...args);
    },
  };
  return { store, asked: asked.promise, ...(await openQueuedSessions(store)) };
}

function privateOf(player: string): SessionRequest {
  return { ...makeRequest(player), matchType: 'private' };
}

const KEPT = { tenant: TENANT, mode: 'live', method: 'POST', path: '/v1/sessions/join', key: 'k' };

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

const ERASED = { id: null, displayName: null };

for (const matchType of ['private', 'matchmaking'] as const) {
  // After that number of turns the erasure is requested: both are in one batch of the writer.
  for (const turns of [0, 3, 6, 12]) {
    test(`[R2] a player erased ${turns} turns after their ${matchType} create is the same in memory as in the store`, async () => {
      const { store, service, host } = await open();
      const making = service.create({ ...makeRequest('ann'), matchType }, null);
      for (let n = 0; n < turns; n++) await Promise.resolve();
      const [made, erased] = await Promise.all([
        making,
        service.erasePlayer(TENANT, WORLDS, 'ann'),
      ]);
      if (!made.ok || !erased.ok) throw new Error('refused');
      const { id } = made.value.row;
      const kept = (await store.loadSession(id))!.roster;
      // In stored form it ends with the last seat that is taken.
      expect((await host.peek(id))!.roster.slice(0, kept.length)).toEqual([...kept]);
      // Bots and ratings are looked up first: if that takes longer, they are seated after it.
      if (matchType === 'private' && turns > 0) expect(kept[0]).toEqual(ERASED);
    });
  }
}

test('[R2] a player erased and seated again in one batch has the seat that the store says', async () => {
  const { store, service, host, asked } = await open();
  const room = await service.create(privateOf('bob'), null);
  if (!room.ok) throw new Error(room.refusal);
  const { id, roomCode } = room.value.row;
  const request = { tenant: TENANT, mode: 'live', roomCode, game: 'tictactoe' } as const;
  const erasing = service.erasePlayer(TENANT, WORLDS, 'ann');
  await asked;
  const [erased, joined] = await Promise.all([
    erasing,
    service.join({ ...request, player: { id: 'ann', displayName: 'Ann' } }, null),
  ]);
  if (!joined.ok || !erased.ok) throw new Error('refused');
  await new Promise(setImmediate);
  const kept = (await store.loadSession(id))!.roster;
  expect(kept[1]).toEqual({ id: 'ann', displayName: 'Ann' });
  expect((await host.peek(id))!.roster).toEqual([...kept]);
});

for (const turns of [0, 3, 6, 12, 18]) {
  test(`[R2] a player erased ${turns} turns after their group is started is the same in memory as in the store`, async () => {
    const { store, service, hosted, host } = await open();
    const world = { tenant: TENANT, mode: 'live', game: 'tictactoe' } as const;
    const groups: string[] = [];
    for (const playerId of ['ann', 'bob']) {
      await store.setPresence({ ...world, playerId, node: 'nod_1', isConnected: true });
      const { id } = await hosted.createTicket({ ...world, capacity: 2, openTicketsMax: 9 }, null);
      await hosted.addPlayer({ ...world, ticket: id }, playerId, null);
      const promoted = await hosted.promote({ ...world, ticket: id }, null);
      if (promoted.kind === 'refused') throw new Error('refused');
      groups.push(promoted.group.group);
    }
    const { variant, options, limits } = makeRequest('ann');
    const asked = { ...world, groups, seats: { min: 2, max: 2 }, variant, options, limits };
    const starting = hosted.start({ ...asked, requireConnected: false }, null);
    for (let n = 0; n < turns; n++) await Promise.resolve();
    const [started, erased] = await Promise.all([
      starting,
      service.erasePlayer(TENANT, WORLDS, 'ann'),
    ]);
    if (started.kind !== 'started' || !erased.ok) throw new Error('refused');
    const { id } = started.view.row;
    expect((await host.peek(id))!.roster).toEqual([...(await store.loadSession(id))!.roster]);
    expect((await store.loadSession(id))!.roster[0]).toEqual(ERASED);
  });
}

for (const what of ['join', 'end'] as const) {
  test(`[R2][H8] the stored data of ${what} does not name the player after an erasure`, async () => {
    const { store, service, clock, asked } = await open();
    const room = await service.create(privateOf('ann'), null);
    if (!room.ok) throw new Error(room.refusal);
    const { id, roomCode } = room.value.row;
    const request = { tenant: TENANT, mode: 'live', roomCode, game: 'tictactoe' } as const;
    const keep = keepUntil(clock.now() + 86_400_000);
    const erasing = service.erasePlayer(TENANT, WORLDS, 'ann');
    await asked;
    const [erased, done] = await Promise.all([
      erasing,
      what === 'join'
        ? service.join({ ...request, player: { id: 'bob', displayName: null } }, keep)
        : service.end({ tenant: TENANT, modes: ['live'], id }, keep),
    ]);
    if (!done.ok || !erased.ok) throw new Error('refused');
    const answer = await store.findIdempotent({ ...KEPT, mode: 'live' }, clock.now());
    expect(answer!.body).not.toContain('ann');
  });
}

test('[R2] a failed erasure does not keep players from being seated', async () => {
  const { service, store } = await open();
  const erasing = service.erasePlayer(TENANT, WORLDS, 'nobody');
  const made = service.create(privateOf('ann'), null);
  expect(await erasing).toEqual({ ok: false, refusal: 'player_not_found' });
  expect((await made).ok).toBe(true);
  const real = store.erasePlayer;
  const broken = { ...store, erasePlayer: () => Promise.reject(new Error('away')) };
  const next = await openQueuedSessions(broken);
  const failing = next.service.erasePlayer(TENANT, WORLDS, 'ann').catch((error) => String(error));
  const room = next.service.create(privateOf('ann'), null);
  expect(await failing).toContain('away');
  expect((await room).ok).toBe(true);
  expect(await real(TENANT, WORLDS, 'ann', 0)).toBe(true);
});

test('[R2] creates of a tenant do not wait while very many stored responses are searched', async () => {
  const { store } = await open();
  const looked = Promise.withResolvers<{ isKnown: boolean; since: number }>();
  const slow = { ...store, forgetAnswersOf: () => looked.promise };
  const { service } = await openQueuedSessions(slow);
  const erasing = service.erasePlayer(TENANT, WORLDS, 'ann');
  const made = await service.create(privateOf('bob'), null);
  expect(made.ok).toBe(true);
  looked.resolve({ isKnown: true, since: 0 });
  expect((await erasing).ok).toBe(true);
});
