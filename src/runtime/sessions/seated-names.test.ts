/** Display names that are set while their players are seated. */

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { findGame } from '../../games/registry.ts';
import { parseOptions, type SessionOptions } from '../../match/setup.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/whole-store.ts';
import { PLANS } from '../../tenancy/tenant.ts';
import { makeRequest, openQueuedSessions, TENANT } from '../../testing/matches/queued-sessions.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';

const folder = makeTempFolder();
const opened: Store[] = [];
afterAll(async () => {
  for (const store of opened) await store.close();
  removeFolder(folder);
});

const WORLD = { tenant: TENANT, mode: 'live', game: 'tictactoe' } as const;

/** A store that runs `meanwhile` once before it starts groups or commits. */
async function open(file: string) {
  const bare = await openSqliteStore(join(folder, file));
  opened.push(bare);
  let act: (() => Promise<unknown>) | null = null;
  const once = async (): Promise<void> => {
    const now = act;
    act = null;
    await now?.();
  };
  const world = await openQueuedSessions({
    ...bare,
    startGroups: (start) => once().then(() => bare.startGroups(start)),
    commit: (commit, done) => void once().then(() => bare.commit(commit, done)),
  });
  const name = (displayName: string) =>
    world.service.namePlayer(TENANT, 'live', { id: 'ann', displayName }, null);
  await name('Ann');
  const meanwhile = (next: () => Promise<unknown>): void => {
    act = next;
  };
  const nameOf = async () => (await bare.findPlayer(TENANT, 'live', 'ann'))?.displayName;
  return { ...world, store: bare, name, nameOf, meanwhile };
}

test('[P1][M5] a name set while groups are started stays', async () => {
  const { store, hosted, name, nameOf, meanwhile } = await open('start.db');
  const groups: string[] = [];
  for (const playerId of ['ann', 'bob']) {
    await store.setPresence({ ...WORLD, playerId, node: 'nod_1', isConnected: true });
    const { id: ticket } = await hosted.createTicket(
      { ...WORLD, capacity: 2, openTicketsMax: 10 },
      null,
    );
    await hosted.addPlayer({ ...WORLD, ticket }, playerId, null);
    const promoted = await hosted.promote({ ...WORLD, ticket }, null);
    if (promoted.kind === 'refused') throw new Error(promoted.refusal.code);
    groups.push(promoted.group.group);
  }
  meanwhile(() => name('Annabel'));
  const rules = findGame('tictactoe')!;
  const options = parseOptions(rules, {}) as SessionOptions;
  const asked = { seats: { min: 2, max: 2 }, variant: rules.variants[0]!, options };
  const started = await hosted.start(
    { ...WORLD, ...asked, groups, requireConnected: false, limits: PLANS.enterprise },
    null,
  );
  expect(started.kind).toBe('started');
  expect(await nameOf()).toBe('Annabel');
});

test('[P1][S2] a name set while its player is seated stays', async () => {
  const { service, name, nameOf, meanwhile } = await open('join.db');
  await service.create(makeRequest('bob'), null);
  meanwhile(() => name('Annabel'));
  expect((await service.create(makeRequest('ann'), null)).ok).toBe(true);
  expect(await nameOf()).toBe('Annabel');
});
