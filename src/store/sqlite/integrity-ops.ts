/** Writes of device checks: each runs inside the writer's transaction. */

import type {
  AttestedKey,
  AttestedKeyId,
  ChallengeOutcome,
  ChallengeRow,
  ChallengeUse,
  CredentialId,
  CredentialRow,
  TokenOutcome,
  TokenUse,
} from '../integrity.ts';
import type { AuditRow, IdempotencyRow } from '../store.ts';
import { keep, note } from './shared-rows.ts';
import type { Statements } from './statements.ts';

export type IntegrityOp =
  | {
      readonly op: 'putCredential';
      readonly row: CredentialRow;
      readonly audit: AuditRow;
      readonly idempotency: IdempotencyRow | null;
    }
  | {
      readonly op: 'removeCredential';
      readonly id: CredentialId;
      readonly audit: AuditRow;
      readonly idempotency: IdempotencyRow | null;
    }
  | {
      readonly op: 'addChallenge';
      readonly row: ChallengeRow;
      readonly idempotency: IdempotencyRow | null;
    }
  | { readonly op: 'useChallenge'; readonly use: ChallengeUse }
  | { readonly op: 'noteToken'; readonly use: TokenUse }
  | {
      readonly op: 'holdFinding';
      readonly digest: string;
      readonly claim: string;
      readonly held: string;
    }
  | { readonly op: 'addAttestedKey'; readonly key: AttestedKey }
  | { readonly op: 'raiseCounter'; readonly id: AttestedKeyId; readonly counter: number }
  | {
      readonly op: 'removeIntegrity';
      readonly expiredBefore: number;
      readonly notedBefore: number;
      readonly limit: number;
    };

export interface IntegrityAnswers {
  putCredential: null;
  removeCredential: boolean;
  addChallenge: null;
  useChallenge: ChallengeOutcome;
  noteToken: TokenOutcome;
  holdFinding: null;
  addAttestedKey: boolean;
  raiseCounter: boolean;
  removeIntegrity: number;
}

export function performIntegrityOp(
  sql: Statements,
  op: IntegrityOp,
): IntegrityAnswers[IntegrityOp['op']] {
  switch (op.op) {
    case 'putCredential':
      putCredential(sql, op.row);
      note(sql, op);
      return null;
    case 'removeCredential':
      return removeCredential(sql, op);
    case 'addChallenge':
      addChallenge(sql, op.row);
      if (op.idempotency !== null) keep(sql, op.idempotency);
      return null;
    case 'useChallenge':
      return useChallenge(sql, op.use);
    case 'noteToken':
      return noteToken(sql, op.use);
    case 'holdFinding':
      holdFinding(sql, op);
      return null;
    case 'addAttestedKey':
      return addAttestedKey(sql, op.key);
    case 'raiseCounter':
      return raiseCounter(sql, op.id, op.counter);
    case 'removeIntegrity':
      return removeIntegrity(sql, op);
  }
}

function putCredential(sql: Statements, row: CredentialRow): void {
  sql.run(
    `INSERT INTO integrity_credential (tenant, mode, platform, credential, updated_at)
     VALUES (?, ?, ?, ?, ?) ON CONFLICT (tenant, mode, platform)
     DO UPDATE SET credential = excluded.credential, updated_at = excluded.updated_at`,
    row.tenant,
    row.mode,
    row.platform,
    JSON.stringify(row.credential),
    row.updatedAt,
  );
}

function removeCredential(
  sql: Statements,
  { id, audit, idempotency }: Extract<IntegrityOp, { op: 'removeCredential' }>,
): boolean {
  const removed = sql.run(
    'DELETE FROM integrity_credential WHERE tenant = ? AND mode = ? AND platform = ?',
    id.tenant,
    id.mode,
    id.platform,
  );
  if (removed === 0) return false;
  note(sql, { audit, idempotency });
  return true;
}

function addChallenge(sql: Statements, row: ChallengeRow): void {
  sql.run(
    `INSERT INTO integrity_challenge (digest, tenant, mode, platform, expires_at, used)
     VALUES (?, ?, ?, ?, ?, 0)`,
    row.digest,
    row.tenant,
    row.mode,
    row.platform,
    row.expiresAt,
  );
}

/** What was used stays until it has expired, so that a second use can be told from a guess. */
function useChallenge(sql: Statements, use: ChallengeUse): ChallengeOutcome {
  const row = sql.get(
    `SELECT expires_at, used FROM integrity_challenge
     WHERE digest = ? AND tenant = ? AND mode = ? AND platform = ?`,
    use.digest,
    use.tenant,
    use.mode,
    use.platform,
  );
  if (row === undefined) return 'unknown';
  if (row['used'] === 1) return 'reused';
  if (Number(row['expires_at']) <= use.now) return 'expired';
  sql.run('UPDATE integrity_challenge SET used = 1 WHERE digest = ?', use.digest);
  return 'used';
}

function noteToken(sql: Statements, { digest, claim, now, heldSince }: TokenUse): TokenOutcome {
  const added = sql.run(
    `INSERT INTO integrity_token (digest, noted_at, claim) VALUES (?, ?, ?)
     ON CONFLICT DO NOTHING`,
    digest,
    now,
    claim,
  );
  if (added > 0) return { kind: 'new' };
  const row = sql.get(
    `SELECT held FROM integrity_token
     WHERE digest = ? AND claim = ? AND noted_at >= ? AND held IS NOT NULL`,
    digest,
    claim,
    heldSince,
  );
  if (row === undefined) return { kind: 'spent' };
  sql.run('UPDATE integrity_token SET held = NULL WHERE digest = ?', digest);
  return { kind: 'held', held: String(row['held']) };
}

function holdFinding(
  sql: Statements,
  { digest, claim, held }: Extract<IntegrityOp, { op: 'holdFinding' }>,
): void {
  sql.run(
    'UPDATE integrity_token SET held = ? WHERE digest = ? AND claim = ?',
    held,
    digest,
    claim,
  );
}

function addAttestedKey(sql: Statements, key: AttestedKey): boolean {
  const added = sql.run(
    `INSERT INTO attested_key (tenant, mode, app_id, key_id, public_key, environment, counter,
       attested_at)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, 0, ?7 WHERE ?2 = 'live' OR NOT EXISTS (
       SELECT 1 FROM attested_key
       WHERE tenant = ?1 AND mode = 'live' AND app_id = ?3 AND key_id = ?4)
     ON CONFLICT DO NOTHING`,
    key.tenant,
    key.mode,
    key.appId,
    key.keyId,
    key.publicKey,
    key.environment,
    key.attestedAt,
  );
  return added > 0;
}

function raiseCounter(sql: Statements, id: AttestedKeyId, counter: number): boolean {
  if (id.mode === 'test') copyLiveKey(sql, id);
  const raised = sql.run(
    `UPDATE attested_key SET counter = ?1
     WHERE tenant = ?2 AND mode = ?3 AND app_id = ?4 AND key_id = ?5 AND counter < ?1`,
    counter,
    id.tenant,
    id.mode,
    id.appId,
    id.keyId,
  );
  return raised > 0;
}

function copyLiveKey(sql: Statements, { tenant, appId, keyId }: AttestedKeyId): void {
  sql.run(
    `INSERT INTO attested_key (tenant, mode, app_id, key_id, public_key, environment, counter,
       attested_at)
     SELECT tenant, 'test', app_id, key_id, public_key, environment, counter, attested_at
       FROM attested_key WHERE tenant = ? AND mode = 'live' AND app_id = ? AND key_id = ?
     ON CONFLICT DO NOTHING`,
    tenant,
    appId,
    keyId,
  );
}

function removeIntegrity(
  sql: Statements,
  { expiredBefore, notedBefore, limit }: Extract<IntegrityOp, { op: 'removeIntegrity' }>,
): number {
  const challenges = sql.run(
    `DELETE FROM integrity_challenge WHERE digest IN (
       SELECT digest FROM integrity_challenge WHERE expires_at < ? LIMIT ?)`,
    expiredBefore,
    limit,
  );
  const tokens = sql.run(
    `DELETE FROM integrity_token WHERE digest IN (
       SELECT digest FROM integrity_token WHERE noted_at < ? LIMIT ?)`,
    notedBefore,
    limit,
  );
  return challenges + tokens;
}
