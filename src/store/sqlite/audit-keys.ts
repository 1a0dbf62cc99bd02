/** The keys of the audit chains in SQLite: both the writer and the connection for tenants append rows. */

import { Buffer } from 'node:buffer';
import type { AuditKeyStore, AuditKeysInUse } from '../audit-keys.ts';
import { makeAuditKeyCalls } from '../scripts/journal/audit-keys.ts';
import type { Runner } from '../scripts/shared/script.ts';
import type { GroupCommit } from './writer/group-commit.ts';

/** `inUse`: the keys of the connection for tenants. */
export function makeAuditKeyStore(
  writer: Pick<GroupCommit, 'perform'>,
  runner: Runner,
  inUse: AuditKeysInUse,
): AuditKeyStore {
  return {
    ...makeAuditKeyCalls(runner, inUse),
    async useAuditKeys(keys) {
      inUse.keys = keys;
      const texts = keys.map(({ kid, secret }) => ({
        kid,
        secret: Buffer.from(secret).toString('base64'),
      }));
      await writer.perform<'useAuditKeys'>({ op: 'useAuditKeys', keys: texts });
    },
  };
}
