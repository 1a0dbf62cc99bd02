/** Where a chain of the audit stands, as a database answers it. */

import type { AuditHead } from '../audit-keys.ts';
import { type Row, textOrNull } from './row.ts';

export function toAuditHead(row: Row): AuditHead {
  return {
    tenant: String(row['tenant']),
    n: Number(row['n']),
    hash: String(row['hash']),
    mac: textOrNull(row['mac']),
  };
}
