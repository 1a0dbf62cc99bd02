/** A tenant's end in SQLite, on the connection for tenants and keys: in small transactions beside the writer's. */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { AuditKeysInUse } from '../audit-keys.ts';
import type { AuditRow } from '../store.ts';
import {
  type ExportedRow,
  isExported,
  presentRow,
  type TenantPart,
  type TenantRemovalStore,
} from '../tenant-removal.ts';
import { insertAudit } from './audit-rows.ts';
import { inTransaction } from './migrate.ts';
import { makeStatements, type Statements } from './statements.ts';

export function makeTenantRemovalStore(
  db: DatabaseSync,
  auditKeys: AuditKeysInUse,
): TenantRemovalStore {
  const sql = makeStatements(db, auditKeys);
  return {
    beginRemoval: async (tenant, at, audit) =>
      inTransaction(db, () => {
        const set = 'UPDATE tenant SET active = 0, removal_at = ? WHERE id = ?';
        if (sql.run(set, at, tenant) === 0) return false;
        noteChange(sql, audit);
        return true;
      }),
    listRemovals: async () =>
      sql.all('SELECT id FROM tenant WHERE removal_at IS NOT NULL').map(({ id }) => String(id)),
    async exportPart(tenant, part, after, limit) {
      const rows = readPart(sql, tenant, part, after ?? [], limit);
      const last = rows.length < limit ? undefined : rows.at(-1);
      return {
        rows: rows.length === 0 ? [] : withChildren(sql, part, rows),
        next: last === undefined ? null : part.key.map((name) => last[name] as string | number),
      };
    },
    async closeSessions(tenant) {
      const open = `SELECT count(*) AS n FROM session WHERE tenant = ? AND status <> 'ended'`;
      return Number(sql.get(open, tenant)?.['n']);
    },
    removePeople: async (tenant) => inTransaction(db, () => removePeople(sql, tenant)),
    removePart: async (tenant, part, limit) =>
      inTransaction(db, () => removePart(sql, tenant, part, limit)),
    finishRemoval: async (tenant, audit) =>
      inTransaction(db, () => {
        sql.run('DELETE FROM audit_head WHERE tenant = ?', tenant);
        if (sql.run('DELETE FROM tenant WHERE id = ?', tenant) === 0) return false;
        noteChange(sql, audit);
        return true;
      }),
  };
}

/** Every process notices it by the revision. */
function noteChange(sql: Statements, audit: AuditRow): void {
  insertAudit(sql, audit);
  sql.run("UPDATE revision SET n = n + 1 WHERE name = 'tenancy'");
}

type Rows = Record<string, SQLInputValue>[];

function readPart(
  sql: Statements,
  tenant: string,
  { table, key }: TenantPart,
  after: readonly (string | number)[],
  limit: number,
): Rows {
  const names = key.map((name) => `"${name}"`).join(', ');
  const later = after.length === 0 ? '' : `AND (${names}) > (${after.map(() => '?').join(', ')})`;
  return sql.all(
    `SELECT * FROM ${table} WHERE tenant = ? ${later} ORDER BY ${names} LIMIT ?`,
    tenant,
    ...after,
    limit,
  );
}

function withChildren(sql: Statements, part: TenantPart, rows: Rows): readonly ExportedRow[] {
  const { table, children = [] } = part;
  const ids = idsOf(part, rows);
  return [
    ...(isExported(part, table) ? rows.map((row) => ({ table, row: presentRow(part, row) })) : []),
    ...children
      .filter((child) => isExported(part, child.table))
      .flatMap((child) =>
        sql
          .all(
            `SELECT * FROM ${child.table} WHERE ${child.column} IN (SELECT value FROM json_each(?))`,
            ids,
          )
          .map((row) => ({ table: child.table, row: presentRow(part, row) })),
      ),
  ];
}

function idsOf({ key }: TenantPart, rows: Rows): string {
  return JSON.stringify(rows.map((row) => row[key[0]!]));
}

function removePart(sql: Statements, tenant: string, part: TenantPart, limit: number): number {
  const { table, key, children = [] } = part;
  if (children.length > 0) {
    const ids = idsOf(part, readPart(sql, tenant, part, [], limit));
    for (const { table: child, column } of children) {
      sql.run(`DELETE FROM ${child} WHERE ${column} IN (SELECT value FROM json_each(?))`, ids);
    }
  }
  const names = key.map((name) => `"${name}"`).join(', ');
  return sql.run(
    `DELETE FROM ${table} WHERE (${names}) IN (
       SELECT ${names} FROM ${table} WHERE tenant = ? ORDER BY ${names} LIMIT ?)`,
    tenant,
    limit,
  );
}

function removePeople(sql: Statements, tenant: string): number {
  const rows = sql.all(
    `SELECT account, email FROM member JOIN account ON account.id = member.account
     WHERE tenant = ? AND operator = 0 AND NOT EXISTS (
       SELECT 1 FROM member AS other WHERE other.account = member.account AND other.tenant <> ?)`,
    tenant,
    tenant,
  );
  for (const { account, email } of rows) {
    sql.run("DELETE FROM account_link WHERE kind = 'reset' AND email = ?", email!);
    for (const [table, column] of [
      ['login', 'account'],
      ['recovery_code', 'account'],
      ['passkey', 'account'],
      ['account', 'id'],
    ]) {
      sql.run(`DELETE FROM ${table} WHERE ${column} = ?`, account!);
    }
  }
  return rows.length;
}
