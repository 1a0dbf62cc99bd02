/** Matches started by a backend on a store that takes its time. */

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { findGame } from '../games/registry.ts';
import { parseOptions, type SessionOptions } from '../match/setup.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/whole-store.ts';
import { PLANS } from '../tenancy/tenant.ts';
import { type ManualClock, makeManualClock } from '../testing/manual-clock.ts';
import { makeSeededRandomness } from '../testing/seeded-randomness.ts';
import { makeTempFolder, removeFolder } from '../testing/temp-folder.ts';
import { testSeals } from '../testing/test-seals.ts';
import { type LocalHost, makeMatchHost } from './host/match-host.ts';
import type { HostedService } from './hosted.ts';
import { makeHostedService } from './hosted.ts';
import { makeIds } from './ids.ts';

const WORLD = { tenant: 'ten_a', mode: 'test', game: 'tictactoe' } as const;
const NODE = 'nod_1';
const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

/** Both players wait in a lobby: they are in the match from its first moment. */
function makeService(
  store: Store,
  clock: ManualClock,
): { host: LocalHost; hosted: HostedService; stalls: number[] } {
  const stalls: number[] = [];
  const randomness = makeSeededRandomness(1);
  const makeId = makeIds(clock, randomness);
  const ground = { store, clock, randomness, node: NODE };
  const host = makeMatchHost({
    seals: testSeals,
    ...{ ...ground, makeEventId: () => makeId('evt'), onBroken() {} },
    onStall: (from, to) => void stalls.push(to - from),
  });
  const hosted = makeHostedService({
    ...{ ...ground, host, makeId, isInLobby: () => true, isElsewhere: () => false },
  });
  return { host, hosted, stalls };
}

async function promoteAlone(store: Store, hosted: HostedService, playerId: string) {
  const { tenant, mode } = WORLD;
  await store.setPresence({ tenant, mode, playerId, node: NODE, isConnected: true });
  const { id } = await hosted.createTicket({ ...WORLD, capacity: 2, openTicketsMax: 10 }, null);
  await hosted.addPlayer({ ...WORLD, ticket: id }, playerId, null);
  const promoted = await hosted.promote({ ...WORLD, ticket: id }, null);
  if (promoted.kind === 'refused') throw new Error('refused');
  return promoted.group.group;
}

test('[P6][M5] a start for which the store takes six seconds costs nobody his turn of five', async () => {
  const bare = await openSqliteStore(join(folder, 'slow.db'));
  const clock = makeManualClock();
  const store: Store = {
    ...bare,
    async startGroups(start) {
      const outcome = await bare.startGroups(start);
      clock.advance(6_000);
      return outcome;
    },
  };
  const { host, hosted, stalls } = makeService(store, clock);
  const groups: string[] = [];
  for (const player of ['ann', 'bob']) groups.push(await promoteAlone(store, hosted, player));
  const rules = findGame('tictactoe')!;
  const options = parseOptions(rules, { turnTimeoutMs: 5_000 }) as SessionOptions;
  const asked = { seats: { min: 2, max: 2 }, variant: rules.variants[0]!, options };
  const limits = PLANS.enterprise;
  const started = await hosted.start(
    { ...WORLD, ...asked, groups, requireConnected: false, limits },
    null,
  );
  if (started.kind !== 'started') throw new Error(started.kind);
  const { id } = started.view.row;
  const statusAfter = async (ms: number): Promise<string> => {
    clock.advance(ms);
    // Each takes its turn behind the commits that are under way.
    for (let n = 0; n < 20; n++) await store.ping();
    return (await host.peek(id))!.session.status;
  };
  for (const viewer of [0, 1])
    host.attach(id, { viewer, player: null, send() {}, lost() {} }, () => {});
  expect(await statusAfter(0)).toBe('active');
  expect(await statusAfter(4_999)).toBe('active');
  expect(await statusAfter(1)).toBe('ended');
  // Others' matches were served meanwhile: their clocks went on.
  expect(stalls).toEqual([]);
  await bare.close();
});
