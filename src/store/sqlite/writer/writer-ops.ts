/** The writer's operations that are no scripts: they change the writer's memory. */

import { Buffer } from 'node:buffer';
import type { AuditKey } from '../../../accounts/audit-key.ts';
import type { AuditKeysInUse } from '../../audit-keys.ts';
import { presenceKey } from '../../rows/presence-key.ts';
import type { PlayerPresence } from '../../tickets.ts';
import type { WriterTools } from '../sql/statements.ts';
import type { UseAuditKeys, WriterAnswers, WriterOp } from './writer-protocol.ts';

export function performOp(sql: WriterTools, op: WriterOp): WriterAnswers[WriterOp['op']] {
  switch (op.op) {
    case 'useAuditKeys':
      return useAuditKeys(sql.auditKeys, op);
    case 'setPresence':
      return setPresence(sql, op.presence);
  }
}

function useAuditKeys(inUse: AuditKeysInUse, { keys }: UseAuditKeys): null {
  inUse.keys = keys.map(
    ({ kid, secret }): AuditKey => ({
      kid,
      secret: Uint8Array.from(Buffer.from(secret, 'base64')),
    }),
  );
  return null;
}

/** One process serves from the file, so its presence lives in this thread's memory. */
function setPresence(sql: WriterTools, presence: PlayerPresence): null {
  const key = presenceKey(presence);
  if (presence.isConnected) sql.present.add(key);
  else sql.present.delete(key);
  return null;
}
