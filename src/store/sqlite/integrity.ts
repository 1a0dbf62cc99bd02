/** Device checks in SQLite: the calls of the port, reads beside the writer. */

import type { Platform } from '../../integrity/verdict.ts';
import type { IntegrityStore } from '../integrity.ts';
import { toAttestedKey, toCredential } from '../rows/integrity-rows.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Prepare } from './rows.ts';

export type IntegrityReads = Pick<
  IntegrityStore,
  'findCredential' | 'listCredentials' | 'findAttestedKey'
>;

export function makeIntegrityReads(all: Prepare): IntegrityReads {
  const one = all('SELECT * FROM integrity_credential WHERE tenant = ? AND platform = ?');
  const those = all(
    'SELECT * FROM integrity_credential WHERE tenant = ? ORDER BY updated_at DESC, platform',
  );
  const key = all('SELECT * FROM attested_key WHERE tenant = ? AND app_id = ? AND key_id = ?');
  return {
    async findCredential(tenant: string, platform: Platform) {
      const [found] = one(tenant, platform);
      return found === undefined ? null : toCredential(found);
    },
    listCredentials: async (tenant) => those(tenant).map(toCredential),
    async findAttestedKey({ tenant, appId, keyId }) {
      const [found] = key(tenant, appId, keyId);
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
      writer.perform<'removeCredential'>({ op: 'removeCredential', ...id, audit, idempotency }),
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
