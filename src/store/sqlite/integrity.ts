/** Device checks in SQLite: the calls of the port, reads beside the writer. */

import type { IntegrityStore } from '../integrity.ts';
import { toAttestedKey, toCredential } from '../rows/integrity-rows.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Prepare } from './rows.ts';

export type IntegrityReads = Pick<
  IntegrityStore,
  'findCredential' | 'listCredentials' | 'findAttestedKey'
>;

export function makeIntegrityReads(all: Prepare): IntegrityReads {
  // Of test and live what is the world's own comes first.
  const one = all(
    `SELECT * FROM integrity_credential WHERE tenant = ? AND mode IN (?, 'live') AND platform = ?
     ORDER BY mode DESC LIMIT 1`,
  );
  const those = all(
    `SELECT * FROM integrity_credential WHERE tenant = ? AND mode = ?
     ORDER BY updated_at DESC, platform`,
  );
  const key = all(
    `SELECT * FROM attested_key
     WHERE tenant = ? AND mode IN (?, 'live') AND app_id = ? AND key_id = ?
     ORDER BY mode DESC LIMIT 1`,
  );
  return {
    async findCredential({ tenant, mode, platform }) {
      const [found] = one(tenant, mode, platform);
      return found === undefined ? null : toCredential(found);
    },
    listCredentials: async (tenant, mode) => those(tenant, mode).map(toCredential),
    async findAttestedKey({ tenant, mode, appId, keyId }) {
      const [found] = key(tenant, mode, appId, keyId);
      return found === undefined ? null : toAttestedKey(found);
    },
  };
}

export function makeIntegrityStore(writer: GroupCommit, reads: IntegrityReads): IntegrityStore {
  return {
    ...reads,
    async putCredential(row, audit, idempotency) {
      await writer.perform<'putCredential'>({ op: 'putCredential', row, audit, idempotency });
    },
    removeCredential: (id, audit, idempotency) =>
      writer.perform<'removeCredential'>({ op: 'removeCredential', id, audit, idempotency }),
    async addChallenge(row, idempotency) {
      await writer.perform<'addChallenge'>({ op: 'addChallenge', row, idempotency });
    },
    useChallenge: (use) => writer.perform<'useChallenge'>({ op: 'useChallenge', use }),
    noteToken: (use) => writer.perform<'noteToken'>({ op: 'noteToken', use }),
    async holdFinding({ digest, claim }, held) {
      await writer.perform<'holdFinding'>({ op: 'holdFinding', digest, claim, held });
    },
    addAttestedKey: (key) => writer.perform<'addAttestedKey'>({ op: 'addAttestedKey', key }),
    raiseCounter: (id, counter) =>
      writer.perform<'raiseCounter'>({ op: 'raiseCounter', id, counter }),
    removeIntegrity: (step) =>
      writer.perform<'removeIntegrity'>({ op: 'removeIntegrity', ...step }),
  };
}
