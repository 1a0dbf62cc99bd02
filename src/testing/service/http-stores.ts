/** The stores for tests that send thousands of requests to the HTTP side. */

import { test } from 'bun:test';
import { openPostgresStore } from '../../store/postgres/postgres-store.ts';
import type { Store } from '../../store/whole-store.ts';
import { migratedDatabase } from '../servers/migrated-database.ts';
import { isPostgresHere } from '../servers/postgres.ts';
import { type HttpService, openHttpService } from './http-service.ts';

const SLOW_MS = 60_000;

interface HttpStore {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** False if no server is installed. */
  isHere(): boolean;
  /** A new one for `openHttpService`; null for the service's own. */
  open(): Promise<Store | null>;
}

const STORES: readonly HttpStore[] = [
  { name: 'SQLite', isHere: () => true, open: async () => null },
  {
    name: 'PostgreSQL',
    isHere: isPostgresHere,
    open: async () => openPostgresStore({ url: await migratedDatabase(), node: 'nod_test' }),
  },
];

/** A test with each store: `runs` is how often it is run there, and is in its title. */
export function testWithStores(
  runsOf: Readonly<Record<HttpStore['name'], number>>,
  title: (store: string, runs: number) => string,
  ask: (http: HttpService, runs: number) => Promise<void>,
): void {
  for (const { name, isHere, open } of STORES) {
    const runs = runsOf[name];
    test.skipIf(!isHere())(
      title(name, runs),
      async () => {
        const http = await openHttpService({}, {}, {}, await open());
        try {
          await ask(http, runs);
        } finally {
          await http.close();
        }
      },
      SLOW_MS,
    );
  }
}
