/** Rows of the key watch, as both stores read them. */

import type { KeyAlertKind, KeyFacts } from '../../tenancy/key-alert.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { KeyAlertRow } from '../key-watch.ts';

type Row = Readonly<Record<string, unknown>>;

export function toKeyAlert(row: Row): KeyAlertRow {
  return {
    id: String(row['id']),
    tenant: String(row['tenant']),
    mode: row['mode'] as KeyMode,
    key: String(row['key']),
    kind: row['kind'] as KeyAlertKind,
    day: String(row['day']),
    at: Number(row['at']),
    details: String(row['details']),
  };
}

/** `hours`: sums and maxima of its hours; `networks`: how many there were before, and the first. */
export function toKeyFacts(key: string, hours: Row, networks: Row, newNetworks: number): KeyFacts {
  const first = networks['first_at'];
  return {
    key,
    requests: Number(hours['requests'] ?? 0),
    refused: Number(hours['refused'] ?? 0),
    busiestRequests: Number(hours['busiest_requests'] ?? 0),
    busiestRefused: Number(hours['busiest_refused'] ?? 0),
    daysUsed: Number(hours['days_used'] ?? 0),
    newNetworks,
    networksKnown: Number(networks['n'] ?? 0),
    firstNetworkAt: first === null || first === undefined ? null : Number(first),
  };
}
