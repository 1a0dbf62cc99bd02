/** A tenant's end in PostgreSQL: in small transactions beside those of nodes. */

import type { AuditRow } from '../store.ts';
import {
  type ExportedRow,
  isExported,
  presentRow,
  type TenantPart,
  type TenantRemovalStore,
} from '../tenant-removal.ts';
import { insertAudit } from './audit-rows.ts';
import { HAS_LEASE } from './lease.ts';
import type { Row, Sql, Transactor, Tx } from './sql.ts';

/** A node that claims a session at the same time locks its row, too: one of the two finds what the other did. */
const CLOSE = `UPDATE session SET status = 'ended', ended_at = $2, holder = NULL, wake_at = NULL,
    due_node = NULL
  WHERE tenant = $1 AND status <> 'ended' AND NOT EXISTS (
    SELECT FROM node WHERE node.id = session.holder AND ${HAS_LEASE})`;

export function makeTenantRemovalStore(db: Sql & Transactor): TenantRemovalStore {
  return {
    beginRemoval: (tenant, at, audit) =>
      db.transaction(async (tx) => {
        const set = 'UPDATE tenant SET active = FALSE, removal_at = $2 WHERE id = $1';
        if ((await tx.run(set, tenant, at)) === 0) return false;
        await noteChange(tx, audit);
        return true;
      }),
    async listRemovals() {
      const rows = await db.all('SELECT id FROM tenant WHERE removal_at IS NOT NULL');
      return rows.map(({ id }) => String(id));
    },
    async exportPart(tenant, part, after, limit) {
      const rows = await readPart(db, tenant, part, after ?? [], limit);
      const last = rows.length < limit ? undefined : rows.at(-1);
      return {
        rows: rows.length === 0 ? [] : await withChildren(db, part, rows),
        next: last === undefined ? null : part.key.map((name) => last[name] as string | number),
      };
    },
    async closeSessions(tenant, at) {
      await db.run(CLOSE, tenant, at);
      const open = `SELECT count(*) AS n FROM session WHERE tenant = $1 AND status <> 'ended'`;
      return Number((await db.get(open, tenant))?.['n']);
    },
    removePeople: (tenant) => db.transaction((tx) => removePeople(tx, tenant)),
    removePart: (tenant, part, limit) =>
      db.transaction((tx) => removePart(tx, tenant, part, limit)),
    finishRemoval: (tenant, audit) =>
      db.transaction(async (tx) => {
        // What only a database of several nodes has of it.
        await tx.run('DELETE FROM presence WHERE tenant = $1', tenant);
        await tx.run('DELETE FROM audit_head WHERE tenant = $1', tenant);
        if ((await tx.run('DELETE FROM tenant WHERE id = $1', tenant)) === 0) return false;
        await noteChange(tx, audit);
        return true;
      }),
  };
}

/** Every node notices it by the revision. */
async function noteChange(tx: Tx, audit: AuditRow): Promise<void> {
  await insertAudit(tx, audit);
  await tx.run("UPDATE revision SET n = n + 1 WHERE name = 'tenancy'");
}

function readPart(
  sql: Sql,
  tenant: string,
  { table, key }: TenantPart,
  after: readonly (string | number)[],
  limit: number,
): Promise<readonly Row[]> {
  const names = key.map((name) => `"${name}"`).join(', ');
  const later =
    after.length === 0 ? '' : `AND (${names}) > (${after.map((_, i) => `$${i + 3}`).join(', ')})`;
  return sql.all(
    `SELECT * FROM ${table} WHERE tenant = $1 ${later} ORDER BY ${names} LIMIT $2`,
    tenant,
    limit,
    ...after,
  );
}

async function withChildren(
  sql: Sql,
  part: TenantPart,
  rows: readonly Row[],
): Promise<readonly ExportedRow[]> {
  const { table, children = [] } = part;
  const found = isExported(part, table)
    ? rows.map((row) => ({ table, row: presentRow(part, row) }))
    : [];
  for (const child of children.filter((each) => isExported(part, each.table))) {
    const below = await sql.all(
      `SELECT * FROM ${child.table} WHERE ${child.column} = ANY($1::text[])`,
      idsOf(part, rows),
    );
    found.push(...below.map((row) => ({ table: child.table, row: presentRow(part, row) })));
  }
  return found;
}

function idsOf({ key }: TenantPart, rows: readonly Row[]): string[] {
  return rows.map((row) => String(row[key[0]!]));
}

async function removePart(
  tx: Tx,
  tenant: string,
  part: TenantPart,
  limit: number,
): Promise<number> {
  const { table, key, children = [] } = part;
  if (children.length > 0) {
    const ids = idsOf(part, await readPart(tx, tenant, part, [], limit));
    for (const { table: child, column } of children) {
      await tx.run(`DELETE FROM ${child} WHERE ${column} = ANY($1::text[])`, ids);
    }
  }
  const names = key.map((name) => `"${name}"`).join(', ');
  return tx.run(
    `DELETE FROM ${table} WHERE (${names}) IN (
       SELECT ${names} FROM ${table} WHERE tenant = $1 ORDER BY ${names} LIMIT $2)`,
    tenant,
    limit,
  );
}

async function removePeople(tx: Tx, tenant: string): Promise<number> {
  const rows = await tx.all(
    `SELECT account, email FROM member JOIN account ON account.id = member.account
     WHERE tenant = $1 AND NOT operator AND NOT EXISTS (
       SELECT 1 FROM member AS other WHERE other.account = member.account AND other.tenant <> $1)
     ORDER BY account`,
    tenant,
  );
  const ids = rows.map(({ account }) => String(account));
  await tx.run('DELETE FROM login WHERE account = ANY($1::text[])', ids);
  await tx.run('DELETE FROM recovery_code WHERE account = ANY($1::text[])', ids);
  await tx.run('DELETE FROM passkey WHERE account = ANY($1::text[])', ids);
  await tx.run(
    "DELETE FROM account_link WHERE kind = 'reset' AND email = ANY($1::text[])",
    rows.map(({ email }) => String(email)),
  );
  await tx.run('DELETE FROM account WHERE id = ANY($1::text[])', ids);
  return rows.length;
}
