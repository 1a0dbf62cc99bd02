/** The keys of the audit's chains in PostgreSQL: not while a node serves that knows none. */

import type { AuditKeyStore, AuditKeysInUse } from '../audit-keys.ts';
import { makeAuditKeyCalls } from '../scripts/audit-keys.ts';
import type { Runner, Sql } from '../scripts/script.ts';
import { HAS_LEASE } from './lease.ts';

export function makeAuditKeyStore(runner: Runner, inUse: AuditKeysInUse): AuditKeyStore {
  const calls = makeAuditKeyCalls(runner, inUse);
  return {
    ...calls,
    async useAuditKeys(keys) {
      inUse.keys = keys;
    },
    keyChains: async (at, choice) =>
      (await isOldNodeServing(runner.sql)) ? 'later' : calls.keyChains(at, choice),
  };
}

/** One of a version from before there were keys: its rows would stand among keyed ones without a MAC. */
async function isOldNodeServing(sql: Sql): Promise<boolean> {
  const row = await sql.get(`SELECT 1 FROM node WHERE ${HAS_LEASE} AND NOT keys_audit LIMIT 1`);
  return row !== undefined;
}
