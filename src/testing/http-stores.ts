/** The stores with which the whole HTTP side is asked thousands of things. */

import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import type { Store } from '../store/whole-store.ts';
import { freshDatabase, isPostgresHere } from './servers/postgres.ts';

export interface HttpStore {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** False where no server is installed. */
  isHere(): boolean;
  /** A new one for `openHttpService`; null for that service's own. */
  open(): Promise<Store | null>;
}

export const HTTP_STORES: readonly HttpStore[] = [
  { name: 'SQLite', isHere: () => true, open: async () => null },
  {
    name: 'PostgreSQL',
    isHere: isPostgresHere,
    open: async () => openPostgresStore({ url: await freshDatabase(), node: 'nod_test' }),
  },
];
