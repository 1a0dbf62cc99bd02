/**
 * The cost of the key watch (rule K6): `bun bench/stores/key-watch.ts [postgres|sqlite]`. Noting a
 * request, and a check every ten seconds with 1,000 keys in use for a week.
 */

import { join } from 'node:path';
import { makeKeyWatch } from '../../src/runtime/access/key-watch.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/whole-store.ts';
import { NETWORKS_MAX } from '../../src/tenancy/key-alert.ts';
import type { ApiKey } from '../../src/tenancy/tenant.ts';
import { startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';

const KEYS = 1_000;
const ADDRESSES = 500;
const NOTES = 2_000_000;
const ROUNDS = 3;
const HOURS = 168;
const HOUR_MS = 3_600_000;
const T0 = Date.UTC(2026, 10, 25);

const keys = Array.from(
  { length: KEYS },
  (_, i): ApiKey => ({
    id: `key_${i}`,
    tenant: 'ten_bench',
    mode: 'live',
    name: '',
    scopes: null,
    origins: [],
    requireOrigin: false,
    hint: '',
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  }),
);

async function openStore(kind: string): Promise<{ store: Store; close(): Promise<void> }> {
  if (kind === 'postgres') {
    const server = await startPostgres();
    const store = await openPostgresStore({
      url: await server.createDatabase(),
      node: 'nod_bench',
    });
    return { store, close: () => store.close().then(() => server.stop()) };
  }
  const folder = makeTempFolder();
  const store = await openSqliteStore(join(folder, 'bench.db'));
  return { store, close: () => store.close().then(() => removeFolder(folder)) };
}

async function timed(act: () => Promise<unknown> | undefined): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

const kind = process.argv[2] ?? 'sqlite';
const { store, close } = await openStore(kind);
let events = 0;
const watch = makeKeyWatch({
  store,
  clock: { now: () => T0 },
  makeId: () => `evt_${events++}`,
  tokens: { networkMark: (key, network) => `${key} ${network}` },
});
const addresses = Array.from({ length: ADDRESSES }, (_, i) => `203.0.${i >> 8}.${i & 255}`);
const uses = keys.map(({ id, tenant }) => ({
  tenant,
  key: id,
  requests: 5,
  refused: 0,
  networks: ['home'],
}));
for (let hour = HOURS; hour > 0; hour--) {
  await store.noteKeyUses(uses, T0 - hour * HOUR_MS, NETWORKS_MAX);
}
for (let round = 0; round < ROUNDS; round++) {
  const noteMs = await timed(() => {
    for (let i = 0; i < NOTES; i++) {
      const secret = { id: '', lastUsedAt: null, hash: '', expiresAt: null };
      watch.note({ key: keys[(i * 7) % KEYS]!, secret }, addresses[(i * 13) % ADDRESSES]!, false);
    }
    return undefined;
  });
  const lookMs = await timed(() => watch.look());
  const storeMs = await timed(() => store.noteKeyUses(uses, T0, NETWORKS_MAX));
  const nanoseconds = ((noteMs * 1e6) / NOTES).toFixed(0);
  process.stdout.write(
    `${kind}: ${nanoseconds} ns a note; a look ${lookMs.toFixed(0)} ms, its counts ${storeMs.toFixed(0)} ms\n`,
  );
}
await close();
