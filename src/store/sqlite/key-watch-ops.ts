/** Writes of the watch over keys: each runs inside the writer's transaction. */

import type { NewEvent } from '../../events/event.ts';
import type { KeyFacts } from '../../tenancy/key-alert.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import {
  HOURS_A_DAY,
  hourOf,
  type KeyAlertRow,
  type NotedKeyUse,
  USUAL_HOURS,
} from '../key-watch.ts';
import { toKeyFacts } from '../rows/key-watch-rows.ts';
import type { AuditRow } from '../store.ts';
import { insertAudit } from './audit-rows.ts';
import type { Statements, WriterTools } from './statements.ts';

interface NoteUses {
  readonly op: 'noteKeyUses';
  readonly uses: readonly NotedKeyUse[];
  readonly at: number;
  readonly networksMax: number;
}

interface Acknowledge {
  readonly op: 'acknowledgeKeyAlert';
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly id: string;
  readonly at: number;
  readonly audit: AuditRow;
}

export type KeyWatchOp =
  | NoteUses
  | { readonly op: 'raiseKeyAlert'; readonly alert: KeyAlertRow; readonly event: NewEvent }
  | Acknowledge
  | { readonly op: 'removeKeyWatch'; readonly hours: number; readonly rest: number };

export interface KeyWatchAnswers {
  noteKeyUses: readonly KeyFacts[];
  raiseKeyAlert: boolean;
  acknowledgeKeyAlert: boolean;
  removeKeyWatch: number;
}

export function performKeyWatchOp(
  sql: WriterTools,
  op: KeyWatchOp,
): KeyWatchAnswers[KeyWatchOp['op']] {
  switch (op.op) {
    case 'noteKeyUses':
      return op.uses.map((use) => noteUse(sql, use, op));
    case 'raiseKeyAlert':
      return raise(sql, op.alert, op.event);
    case 'acknowledgeKeyAlert':
      return acknowledge(sql, op);
    case 'removeKeyWatch':
      return (
        sql.run('DELETE FROM key_hour WHERE hour < ?', hourOf(op.hours)) +
        sql.run('DELETE FROM key_network WHERE seen_at < ?', op.rest) +
        sql.run('DELETE FROM key_alert WHERE at < ?', op.rest)
      );
  }
}

function noteUse(sql: Statements, use: NotedKeyUse, { at, networksMax }: NoteUses): KeyFacts {
  const { tenant, key, requests, refused, networks } = use;
  const hour = hourOf(at);
  sql.run(
    `INSERT INTO key_hour (tenant, key, hour, requests, refused) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (key, hour) DO UPDATE
       SET requests = requests + excluded.requests, refused = refused + excluded.refused`,
    tenant,
    key,
    hour,
    requests,
    refused,
  );
  const known = sql.get(
    'SELECT count(*) AS n, min(first_at) AS first_at FROM key_network WHERE key = ?',
    key,
  )!;
  let added = 0;
  for (const network of networks) {
    const isKnown =
      sql.run(
        'UPDATE key_network SET seen_at = ? WHERE key = ? AND network = ?',
        at,
        key,
        network,
      ) > 0;
    if (isKnown || Number(known['n']) + added >= networksMax) continue;
    sql.run(
      'INSERT INTO key_network (tenant, key, network, first_at, seen_at) VALUES (?, ?, ?, ?, ?)',
      tenant,
      key,
      network,
      at,
      at,
    );
    added += 1;
  }
  const hours = sql.get(
    `SELECT max(CASE WHEN hour = ?1 THEN requests END) AS requests,
       max(CASE WHEN hour = ?1 THEN refused END) AS refused,
       max(CASE WHEN hour < ?1 THEN requests END) AS busiest_requests,
       max(CASE WHEN hour < ?1 THEN refused END) AS busiest_refused,
       count(DISTINCT CASE WHEN hour < ?1 THEN hour / ${HOURS_A_DAY} END) AS days_used
     FROM key_hour WHERE key = ?2 AND hour BETWEEN ?1 - ${USUAL_HOURS} AND ?1`,
    hour,
    key,
  )!;
  return toKeyFacts(key, hours, known, added);
}

function raise(sql: WriterTools, alert: KeyAlertRow, event: NewEvent): boolean {
  const { id, tenant, mode, key, kind, day, at, details } = alert;
  const isNew =
    sql.run(
      `INSERT INTO key_alert (id, tenant, mode, key, kind, day, at, details)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key, kind, day) DO NOTHING`,
      id,
      tenant,
      mode,
      key,
      kind,
      day,
      at,
      details,
    ) > 0;
  if (isNew) sql.emit(event);
  return isNew;
}

function acknowledge(sql: Statements, { tenant, mode, id, at, audit }: Acknowledge): boolean {
  const isOpen =
    sql.run(
      `UPDATE key_alert SET acknowledged_at = ?
       WHERE id = ? AND tenant = ? AND mode = ? AND acknowledged_at IS NULL`,
      at,
      id,
      tenant,
      mode,
    ) > 0;
  if (isOpen) insertAudit(sql, audit);
  return isOpen;
}
