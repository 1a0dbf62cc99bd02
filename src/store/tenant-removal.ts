/** The port to a tenant's removal: its sessions end, its data is exported, and removed. */

import type { AuditRow } from './store.ts';

/** One part of a tenant's data: the rows of one table with the tenant's id, and their child rows. */
export interface TenantPart {
  readonly table: string;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** Child tables that refer to a row by the first column of `key`; their rows are removed first. */
  readonly children?: readonly { readonly table: string; readonly column: string }[];
  /** Secret columns, which are not exported. */
  readonly secret?: readonly string[];
  /** Tables, this one or its children, that are not exported: they grant access, or are temporary. */
  readonly unexported?: readonly string[];
}

/** In the order of removal: what grants access first, the audit last. */
export const TENANT_PARTS: readonly TenantPart[] = [
  {
    table: 'api_key',
    key: ['id'],
    children: [{ table: 'key_secret', column: 'key' }],
    unexported: ['key_secret'],
  },
  { table: 'key_hour', key: ['key', 'hour'], unexported: ['key_hour'] },
  { table: 'key_network', key: ['key', 'network'], unexported: ['key_network'] },
  { table: 'key_alert', key: ['id'] },
  { table: 'account_link', key: ['hash'], unexported: ['account_link'] },
  {
    table: 'webhook',
    key: ['id'],
    children: [
      { table: 'webhook_outstanding', column: 'webhook' },
      { table: 'webhook_attempt', column: 'webhook' },
    ],
    secret: ['secrets'],
  },
  { table: 'waiting', key: ['player', 'mode', 'game'] },
  { table: 'room_code', key: ['tenant', 'mode', 'code'], unexported: ['room_code'] },
  { table: 'ticket', key: ['id'], children: [{ table: 'ticket_player', column: 'ticket' }] },
  {
    table: 'session_metadata',
    key: ['tenant', 'mode', 'pair', 'game', 'session'],
    unexported: ['session_metadata'],
  },
  {
    table: 'session',
    key: ['id'],
    children: [
      { table: 'log', column: 'session' },
      { table: 'seat', column: 'session' },
      { table: 'former_seat', column: 'session' },
    ],
  },
  { table: 'rating', key: ['player', 'mode', 'game'] },
  { table: 'player', key: ['ref'], children: [{ table: 'lobby_check', column: 'player' }] },
  { table: 'bot', key: ['id'], children: [{ table: 'bot_score', column: 'bot' }] },
  { table: 'integrity_credential', key: ['tenant', 'mode', 'platform'] },
  { table: 'world_setting', key: ['tenant', 'mode'] },
  { table: 'integrity_challenge', key: ['digest'], unexported: ['integrity_challenge'] },
  { table: 'attested_key', key: ['tenant', 'mode', 'app_id', 'key_id'] },
  {
    table: 'idempotency',
    key: ['tenant', 'mode', 'method', 'path', 'key'],
    unexported: ['idempotency'],
  },
  { table: 'event_chunk', key: ['tenant', 'mode', 'last_seq'] },
  { table: 'event_head', key: ['tenant', 'mode'], unexported: ['event_head'] },
  { table: 'counter', key: ['tenant', 'name'] },
  { table: 'request', key: ['tenant', 'mode', 'id'] },
  { table: 'usage', key: ['tenant', 'mode', 'day', 'kind'] },
  { table: 'key_usage', key: ['tenant', 'day', 'key', 'mode', 'kind', 'game'] },
  { table: 'usage_peak', key: ['tenant', 'day', 'mode', 'kind'] },
  { table: 'tenant_metric', key: ['tenant', 'mode', 'step_ms', 'at', 'node'] },
  { table: 'usage_now', key: ['node', 'tenant', 'mode'], unexported: ['usage_now'] },
  { table: 'milestone', key: ['tenant', 'mode', 'name'], unexported: ['milestone'] },
  { table: 'member', key: ['account', 'tenant'] },
  { table: 'audit', key: ['tenant', 'n'] },
];

/** A row as stored in the database, without secrets; bytes as base64. */
export interface ExportedRow {
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
}

export interface ExportPage {
  readonly rows: readonly ExportedRow[];
  /** Where the next page begins; null after the last. */
  readonly next: readonly (string | number)[] | null;
}

export interface TenantRemovalStore {
  /**
   * Suspends the tenant, and makes nodes end its sessions. `updateTenant` with `active` reverts
   * that. False when there is no such tenant.
   */
  beginRemoval(tenant: string, at: number, audit: AuditRow): Promise<boolean>;
  /** Tenants whose removal has begun. */
  listRemovals(): Promise<readonly string[]>;
  /** Rows of a part after `after`: at most `limit`, with their children. */
  exportPart(
    tenant: string,
    part: TenantPart,
    after: ExportPage['next'],
    limit: number,
  ): Promise<ExportPage>;
  /**
   * Closes open sessions that no process can own, so that none loads them any more. Returns how
   * many stay open. PostgreSQL goes by the leases of nodes; in SQLite any session may be in memory,
   * so all stay open.
   */
  closeSessions(tenant: string, at: number): Promise<number>;
  /** Removes the people who are members of this tenant only and no operators, with all their data. */
  removePeople(tenant: string): Promise<number>;
  /** Removes at most `limit` rows of a part, with their children. Returns how many; 0: none is left. */
  removePart(tenant: string, part: TenantPart, limit: number): Promise<number>;
  /** Removes the tenant itself, once nothing else of it is left. `audit` is a row of the installation's chain. */
  finishRemoval(tenant: string, audit: AuditRow): Promise<boolean>;
}

export function presentRow(
  { secret = [] }: TenantPart,
  row: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !secret.includes(name))
      .map(([name, value]) => [name, plain(value)]),
  );
}

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Whether a part's table is exported. */
export function isExported({ unexported = [] }: TenantPart, table: string): boolean {
  return !unexported.includes(table);
}
