/** A match started by a backend that never hears of it. */

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { findGame } from '../../games/registry.ts';
import { parseOptions, type SessionOptions } from '../../match/setup.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/whole-store.ts';
import { PLANS } from '../../tenancy/tenant.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeSeededRandomness } from '../../testing/seeded-randomness.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { testSeals } from '../../testing/test-seals.ts';
import { makeHostedService } from '../hosted.ts';
import { makeIds } from '../ids.ts';
import { makeMatchHost } from './match-host.ts';

const WORLD = { tenant: 'ten_a', mode: 'test', game: 'tictactoe' } as const;
const NODE = 'nod_1';
const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

test('[P6][M5] a start whose answer is lost after six seconds, and that is written only half a second later, costs nobody his turn of five', async () => {
  const bare = await openSqliteStore(join(folder, 'lost-late.db'));
  const clock = makeManualClock();
  let made = '';
  let land: () => Promise<unknown> = async () => {};
  const store: Store = {
    ...bare,
    async startGroups(start) {
      clock.advance(6_000);
      // The database does it only once its connection is gone.
      made = start.session.row.id;
      land = () => bare.startGroups(start);
      throw new Error('lost');
    },
  };
  const randomness = makeSeededRandomness(1);
  const makeId = makeIds(clock, randomness);
  const ground = { store, clock, randomness, node: NODE };
  const host = makeMatchHost({
    seals: testSeals,
    ...{ ...ground, makeEventId: () => makeId('evt'), onBroken() {} },
    onStall() {},
  });
  const hosted = makeHostedService({
    ...{ ...ground, host, makeId, isInLobby: () => true, isElsewhere: () => false },
  });
  const groups: string[] = [];
  const { tenant, mode } = WORLD;
  for (const playerId of ['ann', 'bob']) {
    await store.setPresence({ tenant, mode, playerId, node: NODE, isConnected: true });
    const { id } = await hosted.createTicket({ ...WORLD, capacity: 2, openTicketsMax: 10 }, null);
    await hosted.addPlayer({ ...WORLD, ticket: id }, playerId, null);
    const promoted = await hosted.promote({ ...WORLD, ticket: id }, null);
    if (promoted.kind === 'refused') throw new Error('refused');
    groups.push(promoted.group.group);
  }
  const rules = findGame('tictactoe')!;
  const options = parseOptions(rules, { turnTimeoutMs: 5_000 }) as SessionOptions;
  const asked = { seats: { min: 2, max: 2 }, variant: rules.variants[0]!, options };
  const request = { ...WORLD, ...asked, groups, requireConnected: false, limits: PLANS.enterprise };
  expect(await hosted.start(request, null).catch(String)).toBe('Error: lost');
  await host.tend();
  clock.advance(500);
  await land();
  clock.advance(500);
  await host.tend();
  for (let n = 0; n < 20; n++) await store.ping();
  const id = made;
  for (const viewer of [0, 1])
    host.attach(id, { viewer, player: null, send() {}, lost() {} }, () => {});
  await host.tend();
  for (let n = 0; n < 20; n++) await store.ping();
  expect((await host.peek(id))!.session.status).toBe('active');
  await bare.close();
});
