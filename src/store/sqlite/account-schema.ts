/** The tables of the dashboard: accounts, what it looks back on, and the audit as a chain. */

import type { DatabaseSync } from 'node:sqlite';
import { CHAIN_START, hashAudit } from '../../accounts/audit-chain.ts';

export const ACCOUNT_TABLES: readonly string[] = [
  // `totp` is sealed with a key that lies beside the file, not in it.
  `CREATE TABLE account (
    id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, password TEXT NOT NULL,
    operator INTEGER NOT NULL, totp TEXT, totp_step INTEGER NOT NULL, created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE member (
    account TEXT NOT NULL, tenant TEXT NOT NULL, role TEXT NOT NULL, since INTEGER NOT NULL,
    PRIMARY KEY (account, tenant)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX member_tenant ON member (tenant, account)',
  `CREATE TABLE recovery_code (
    account TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (account, hash)
  ) STRICT, WITHOUT ROWID`,
  // The text of a link and of a session stands nowhere: what is read here opens nothing.
  `CREATE TABLE account_link (
    hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, tenant TEXT, role TEXT,
    email TEXT, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE login (
    hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL,
    created_at INTEGER NOT NULL, seen_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    address TEXT NOT NULL, agent TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX login_account ON login (account, id)',
];

export const JOURNAL_TABLES: readonly string[] = [
  // Ids begin with their time: the newest of a world are a range at its end.
  `CREATE TABLE request (
    tenant TEXT NOT NULL, mode TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
    method TEXT NOT NULL, route TEXT NOT NULL, status INTEGER NOT NULL, code TEXT,
    took_ms INTEGER NOT NULL, key TEXT NOT NULL, session TEXT, PRIMARY KEY (tenant, mode, id)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX request_error ON request (tenant, mode, id) WHERE status >= 400',
  `CREATE TABLE usage (
    tenant TEXT NOT NULL, mode TEXT NOT NULL, day TEXT NOT NULL, kind TEXT NOT NULL,
    n INTEGER NOT NULL, PRIMARY KEY (tenant, mode, day, kind)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE milestone (
    tenant TEXT NOT NULL, mode TEXT NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (tenant, mode, name)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX ticket_open ON ticket (tenant, mode, id) WHERE ended_at IS NULL',
  'CREATE INDEX session_checked ON session (tenant, mode, id) WHERE integrity IS NOT NULL',
  'ALTER TABLE audit ADD COLUMN n INTEGER NOT NULL DEFAULT 0',
  "ALTER TABLE audit ADD COLUMN hash TEXT NOT NULL DEFAULT ''",
];

/** Links the rows that were written before there was a chain; no two rows may be the same link. */
export function linkOldAudit(db: DatabaseSync): void {
  const links = new Map<string, { readonly n: number; readonly hash: string }>();
  const set = db.prepare('UPDATE audit SET n = ?, hash = ? WHERE id = ?');
  for (const row of db.prepare('SELECT * FROM audit ORDER BY id').all()) {
    const fact = row as unknown as Parameters<typeof hashAudit>[2] & { readonly id: number };
    const before = links.get(fact.tenant) ?? { n: 0, hash: CHAIN_START };
    const n = before.n + 1;
    const hash = hashAudit(before.hash, n, fact);
    set.run(n, hash, fact.id);
    links.set(fact.tenant, { n, hash });
  }
  db.exec('CREATE UNIQUE INDEX audit_chain ON audit (tenant, n)');
}
