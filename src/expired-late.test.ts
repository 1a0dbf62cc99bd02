/** How long a socket stays open after its key has expired while the store hangs. */

import { expect, test } from 'bun:test';
import { startChores } from './chores.ts';
import { makeAccessCheck } from './runtime/access/access.ts';
import type { Connection } from './socket/connection/connection.ts';
import type { SocketDeps } from './socket/connection/deps.ts';
import { makeCensus } from './socket/presence/census.ts';
import { closeRevoked } from './socket/presence/revoked.ts';
import { makeManualClock } from './testing/manual-clock.ts';

const nothing = async (): Promise<void> => {};

test('[K2] a socket is closed when its key expires, though the store gives no answer for ten seconds', async () => {
  const clock = makeManualClock();
  let isHanging = false;
  const expiresAt = clock.now() + 10_000;
  const store = {
    heartbeat: nothing,
    tenancyRevision: () =>
      isHanging
        ? new Promise((_, fail) => clock.after(10_000, () => fail(new Error('no answer'))))
        : Promise.resolve(1),
    findTenant: async () => ({ id: 'ten_a', active: true, limits: {}, plan: 'free' }),
    findKey: async () => ({
      id: 'key_a',
      revokedAt: null,
      expiresAt,
      origins: [],
      requireOrigin: false,
    }),
  };
  const access = makeAccessCheck(store as never, clock, 'https://play.example');
  const census = makeCensus();
  let closedAt: number | null = null;
  const claims = { tenant: 'ten_a', mode: 'live', key: 'key_a', scope: 'lobby' };
  census.all.add({
    origin: null,
    state: { kind: 'open', claims, places: new Map() },
    socket: {
      close() {
        closedAt ??= clock.now();
      },
    },
  } as unknown as Connection);
  const chores = startChores({
    store,
    host: { recover: async () => 0, maintain: nothing, isLostTimeDue: () => false },
    keys: { forget() {}, recordUses: nothing },
    access,
    webhooks: { forget() {} },
    streams: { maintain: nothing },
    limits: { maintain() {}, sweep: async () => 0 },
    requests: { flush: nothing },
    sockets: { maintain: () => closeRevoked({ accessOf: access.accessOf } as SocketDeps, census) },
    clock,
    log: { info() {}, error() {} },
    node: 'nod_test',
  } as never);
  for (let n = 0; n < 300 && closedAt === null; n++) {
    isHanging ||= clock.now() > expiresAt - 2_500;
    clock.advance(100);
    for (let m = 0; m < 30; m++) await Promise.resolve();
  }
  void chores.stop();
  expect(closedAt).not.toBeNull();
  expect(closedAt! - expiresAt).toBeLessThanOrEqual(2_000);
});
