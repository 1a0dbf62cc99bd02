/** Removing a tenant, in small transactions while nodes are serving. */

import type { Row } from '../../rows/row.ts';
import { SINGLE_PROCESS } from '../../shared/single-process.ts';
import type { AuditRow } from '../../store.ts';
import {
  type ExportedRow,
  isExported,
  presentRow,
  type TenantPart,
  type TenantRemovalStore,
} from '../../tenant-removal.ts';
import { HAS_LEASE } from '../shared/leases.ts';
import { type Runner, type Sql, scriptOfOne, type Tx } from '../shared/script.ts';
import { noteWebhookChange } from '../webhooks/webhook-claims.ts';
import { noteTenancyChange } from './tenancy.ts';

/** `node`: the caller, which closes sessions that nobody owns. */
export function makeTenantRemovalStore({ sql, write }: Runner, node: string): TenantRemovalStore {
  return {
    beginRemoval: (tenant, at, audit) => write(BEGIN, { tenant, at, audit }),
    async listRemovals() {
      const rows = await sql.all('SELECT id FROM tenant WHERE removal_at IS NOT NULL');
      return rows.map(({ id }) => String(id));
    },
    async exportPart(tenant, part, after, limit) {
      const rows = await readPart(sql, tenant, part, after ?? [], limit);
      const last = rows.length < limit ? undefined : rows.at(-1);
      return {
        rows: rows.length === 0 ? [] : await withChildren(sql, part, rows),
        next: last === undefined ? null : part.key.map((name) => last[name] as string | number),
      };
    },
    async closeSessions(tenant, at) {
      // In SQLite no lease says which sessions the serving process has in memory.
      if (node !== SINGLE_PROCESS) await write(CLOSE, { tenant, at });
      return countOpen(sql, tenant);
    },
    removePeople: (tenant) => write(REMOVE_PEOPLE, tenant),
    removePart: (tenant, part, limit) => write(REMOVE_PART, { tenant, part, limit }),
    finishRemoval: (tenant, audit) => write(FINISH, { tenant, audit }),
  };
}

/** Its sessions that have not ended. */
async function countOpen(sql: Sql, tenant: string): Promise<number> {
  const row = await sql.get(
    `SELECT count(*) AS n FROM session WHERE tenant = :tenant AND status <> 'ended'`,
    { tenant },
  );
  return Number(row?.['n']);
}

// ── reads ──────────────────────────────────────────────────────────────────────────────────────

function readPart(
  sql: Sql,
  tenant: string,
  { table, key }: TenantPart,
  after: readonly (string | number)[],
  limit: number,
): Promise<readonly Row[]> {
  const names = namesOf(key);
  const places = after.map((_, i) => `:after_${i}`).join(', ');
  const later = after.length === 0 ? '' : `AND (${names}) > (${places})`;
  return sql.all(
    `SELECT * FROM ${table} WHERE tenant = :tenant ${later} ORDER BY ${names} LIMIT :limit`,
    { tenant, limit, ...Object.fromEntries(after.map((value, i) => [`after_${i}`, value])) },
  );
}

function namesOf(key: TenantPart['key']): string {
  return key.map((name) => `"${name}"`).join(', ');
}

async function withChildren(
  sql: Sql,
  part: TenantPart,
  rows: readonly Row[],
): Promise<readonly ExportedRow[]> {
  const { table, children = [] } = part;
  const present = (of: string, each: Row) => ({ table: of, row: presentRow(part, each) });
  const found = isExported(part, table) ? rows.map((row) => present(table, row)) : [];
  const ids = idsOf(part, rows);
  for (const child of children.filter((each) => isExported(part, each.table))) {
    const text = `SELECT * FROM ${child.table} WHERE ${child.column} IN :ids(text)`;
    found.push(...(await sql.all(text, { ids })).map((row) => present(child.table, row)));
  }
  return found;
}

function idsOf({ key }: TenantPart, rows: readonly Row[]): string[] {
  return rows.map((row) => String(row[key[0]!]));
}

// ── writes ─────────────────────────────────────────────────────────────────────────────────────

interface Begin {
  readonly tenant: string;
  readonly at: number;
  readonly audit: AuditRow;
}

const BEGIN = scriptOfOne('beginRemoval', async (tx, { tenant, at, audit }: Begin) => {
  const begun = await tx.run(
    'UPDATE tenant SET active = FALSE, removal_at = :at WHERE id = :tenant',
    { tenant, at },
  );
  if (begun > 0) await noteTenancyChange(tx, audit);
  return begun > 0;
});

interface Close {
  readonly tenant: string;
  readonly at: number;
}

/** A node that claims a session at the same time also locks its row: one of the two sees what the other did. */
const CLOSE = scriptOfOne(
  'closeSessions',
  async (tx, { tenant, at }: Close) => {
    await tx.run(
      `UPDATE session SET status = 'ended', ended_at = :at, holder = NULL, wake_at = NULL, due_node = NULL
        WHERE tenant = :tenant AND status <> 'ended' AND NOT EXISTS (
          SELECT 1 FROM node WHERE node.id = session.holder AND ${HAS_LEASE})`,
      { tenant, at },
    );
    return null;
  },
  { isLoose: true },
);

const REMOVE_PEOPLE = scriptOfOne('removePeople', async (tx: Tx, tenant: string) => {
  const rows = await tx.all(
    `SELECT account, email FROM member JOIN account ON account.id = member.account
     WHERE tenant = :tenant AND NOT operator AND NOT EXISTS (SELECT 1 FROM member AS other
       WHERE other.account = member.account AND other.tenant <> :tenant)
     ORDER BY account`,
    { tenant },
  );
  const ids = rows.map(({ account }) => String(account));
  const emails = rows.map(({ email }) => String(email));
  await tx.run('DELETE FROM login WHERE account IN :ids(text)', { ids });
  await tx.run('DELETE FROM recovery_code WHERE account IN :ids(text)', { ids });
  await tx.run('DELETE FROM passkey WHERE account IN :ids(text)', { ids });
  await tx.run("DELETE FROM account_link WHERE kind = 'reset' AND email IN :emails(text)", {
    emails,
  });
  await tx.run('DELETE FROM account WHERE id IN :ids(text)', { ids });
  return rows.length;
});

interface RemovePart {
  readonly tenant: string;
  readonly part: TenantPart;
  readonly limit: number;
}

const REMOVE_PART = scriptOfOne('removePart', async (tx, ask: RemovePart): Promise<number> => {
  const { tenant, part, limit } = ask;
  const { table, key, children = [] } = part;
  if (children.length > 0) {
    const ids = idsOf(part, await readPart(tx, tenant, part, [], limit));
    for (const { table: child, column } of children) {
      await tx.run(`DELETE FROM ${child} WHERE ${column} IN :ids(text)`, { ids });
    }
  }
  const names = namesOf(key);
  const removed = await tx.run(
    `DELETE FROM ${table} WHERE (${names}) IN (
       SELECT ${names} FROM ${table} WHERE tenant = :tenant ORDER BY ${names} LIMIT :limit)`,
    { tenant, limit },
  );
  if (table === 'webhook' && removed > 0) await noteWebhookChange(tx);
  return removed;
});

interface Finish {
  readonly tenant: string;
  readonly audit: AuditRow;
}

const FINISH = scriptOfOne('finishRemoval', async (tx, { tenant, audit }: Finish) => {
  await tx.run('DELETE FROM presence WHERE tenant = :tenant', { tenant });
  await tx.run('DELETE FROM audit_head WHERE tenant = :tenant', { tenant });
  const removed = await tx.run('DELETE FROM tenant WHERE id = :tenant', { tenant });
  if (removed > 0) await noteTenancyChange(tx, audit);
  return removed > 0;
});

export const TENANT_REMOVAL_SCRIPTS = [BEGIN, CLOSE, REMOVE_PEOPLE, REMOVE_PART, FINISH];
