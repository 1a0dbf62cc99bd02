/** How long a socket stays open after its key was revoked. */

import { expect, test } from 'bun:test';
import type { ChoreDeps } from './chores.ts';
import { startChores } from './chores.ts';
import { makeAccessCheck } from './runtime/access/access.ts';
import type { Connection } from './socket/connection/connection.ts';
import type { SocketDeps } from './socket/connection/deps.ts';
import { makeCensus } from './socket/presence/census.ts';
import { closeRevoked } from './socket/presence/revoked.ts';
import { makeManualClock } from './testing/manual-clock.ts';

const nothing = async (): Promise<void> => {};

test('[K2] a socket is closed within two seconds of the revocation of its key; the store takes 20 to 100 ms for each answer', async () => {
  const clock = makeManualClock();
  let n = 0;
  const late = <T>(value: () => T) => {
    // A read returns the state of halfway through its time.
    return new Promise<T>((done) =>
      clock.after(10 * (1 + (++n % 5)), () => {
        const read = value();
        clock.after(10 * (1 + (n % 5)), () => done(read));
      }),
    );
  };
  let revision = 0;
  let revokedAt: number | null = null;
  const store = {
    heartbeat: nothing,
    tenancyRevision: () => late(() => revision),
    findTenant: () => late(() => ({ id: 'ten_a', active: true, limits: {}, plan: 'free' })),
    findKey: () =>
      late(() => ({ id: 'key_a', revokedAt, expiresAt: null, origins: [], requireOrigin: false })),
  };
  const access = makeAccessCheck(store as never, clock, 'https://play.example');
  const census = makeCensus();
  let closedAt: number | null = null;
  const claims = { tenant: 'ten_a', mode: 'live', key: 'key_a', scope: 'lobby' };
  const connection = {
    origin: null,
    state: { kind: 'open', claims, places: new Map() },
    socket: {
      close() {
        closedAt ??= clock.now();
      },
    },
  } as unknown as Connection;
  census.all.add(connection);
  const chores = startChores({
    store,
    host: { recover: async () => 0, maintain: nothing, isLostTimeDue: () => false },
    keys: { forget() {}, recordUses: nothing },
    access,
    webhooks: { forget() {} },
    streams: { maintain: () => late(() => undefined) },
    limits: { maintain() {}, sweep: async () => 0 },
    requests: { flush: nothing },
    sockets: { maintain: () => closeRevoked({ accessOf: access.accessOf } as SocketDeps, census) },
    clock,
    log: { info() {}, error() {} },
    node: 'nod_test',
  } as unknown as ChoreDeps);
  let worst = 0;
  // Revoked at each moment of a round.
  for (let offset = 0; offset < 3_000; offset += 10) {
    [revokedAt, closedAt] = [null, null];
    revision += 1;
    census.all.add(connection);
    Object.assign(connection, { state: { kind: 'open', claims, places: new Map() } });
    for (let n = 0; n < 400; n++) await step();
    for (let n = 0; n < offset / 10; n++) await step();
    revokedAt = clock.now();
    revision += 1;
    for (let n = 0; n < 400 && closedAt === null; n++) await step();
    expect(closedAt).not.toBeNull();
    worst = Math.max(worst, closedAt! - revokedAt);
  }
  async function step() {
    clock.advance(10);
    for (let n = 0; n < 30; n++) await Promise.resolve();
  }
  await Promise.race([chores.stop(), Bun.sleep(5)]);
  expect(worst).toBeLessThanOrEqual(2_000);
});
