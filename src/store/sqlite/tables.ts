/** The tables' types for Kysely, and a Kysely on node:sqlite, which both runtimes have. */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { orAway } from './open.ts';

export interface TenantTable {
  id: string;
  slug: string;
  name: string;
  plan: string;
  active: number;
  /** JSON. */
  limits: string;
  created_at: number;
  /** When its removal began. */
  removal_at: number | null;
}

export interface ApiKeyTable {
  id: string;
  tenant: string;
  mode: string;
  name: string;
  /** JSON array of texts. */
  origins: string;
  require_origin: number;
  hint: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  /** JSON array of texts; null for a key that may do everything. */
  scopes: string | null;
}

export interface KeySecretTable {
  id: string;
  key: string;
  hash: string;
  expires_at: number | null;
}

export interface AuditTable {
  tenant: string;
  actor: string;
  act: string;
  object: string;
  at: number;
  /** Counts the rows of a tenant from 1 on. */
  n: number;
  hash: string;
  mac: string | null;
}

export interface SigningSecretTable {
  kid: string;
  secret: Uint8Array;
}

export interface RevisionTable {
  name: string;
  n: number;
}

/** The tables that are reached through Kysely: those of tenancy, which are small. */
export interface Tables {
  tenant: TenantTable;
  api_key: ApiKeyTable;
  key_secret: KeySecretTable;
  audit: AuditTable;
  signing_secret: SigningSecretTable;
  revision: RevisionTable;
}

const NOTHING_RUN = { changes: 0, lastInsertRowid: 0 };

/** Rejects with `StoreAway` where the file is at fault, as on a full disk (rule H3). */
export function makeKysely(db: DatabaseSync): Kysely<Tables> {
  const database = {
    close: () => db.close(),
    prepare(sql: string) {
      const statement = orAway(() => db.prepare(sql));
      const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => orAway(() => statement.all(...values(parameters))),
        run: (parameters: readonly unknown[]) =>
          // A full disk has ended the transaction already.
          sql === 'rollback' && !db.isTransaction
            ? NOTHING_RUN
            : orAway(() => statement.run(...values(parameters))),
        iterate: (parameters: readonly unknown[]) => statement.iterate(...values(parameters)),
      };
    },
  };
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: database as never }) });
}
