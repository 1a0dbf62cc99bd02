/** The keys of the audit's chains in SQLite: rows are written by the writer, and on the connection for tenants. */

import { Buffer } from 'node:buffer';
import type { DatabaseSync } from 'node:sqlite';
import type { AuditKeyStore, AuditKeysInUse } from '../audit-keys.ts';
import { listHeads } from './audit-rows.ts';
import type { GroupCommit } from './group-commit.ts';
import { makeStatements } from './statements.ts';

/** `inUse`: those of the connection for tenants. */
export function makeAuditKeyStore(
  writer: Pick<GroupCommit, 'perform'>,
  readDb: DatabaseSync,
  inUse: AuditKeysInUse,
): AuditKeyStore {
  const reads = makeStatements(readDb);
  return {
    async useAuditKeys(keys) {
      inUse.keys = keys;
      const texts = keys.map(({ kid, secret }) => ({
        kid,
        secret: Buffer.from(secret).toString('base64'),
      }));
      await writer.perform<'useAuditKeys'>({ op: 'useAuditKeys', keys: texts });
    },
    keyChains: (at, choice) => writer.perform<'keyChains'>({ op: 'keyChains', at, choice }),
    auditHeads: async () => listHeads(reads),
    addAnchorEvent: (event, since) =>
      writer.perform<'addAnchorEvent'>({ op: 'addAnchorEvent', event, since }),
  };
}
