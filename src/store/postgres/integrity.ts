/** Device checks in PostgreSQL: each step is one statement or one transaction. */

import type {
  AttestedKeyId,
  ChallengeOutcome,
  ChallengeUse,
  IntegrityStore,
  TokenOutcome,
  TokenUse,
} from '../integrity.ts';
import { toAttestedKey, toCredential } from '../rows/integrity-rows.ts';
import { keep, note } from './answer-rows.ts';
import type { Sql, Transactor, Tx } from './sql.ts';

export function makeIntegrityStore(db: Sql & Transactor): IntegrityStore {
  return {
    ...makeCredentials(db),
    ...makeChallenges(db),
    ...makeTokens(db),
    ...makeKeys(db),
    async removeIntegrity({ expiredBefore, notedBefore, limit }) {
      const challenges = await db.run(
        `DELETE FROM integrity_challenge WHERE digest IN (
           SELECT digest FROM integrity_challenge WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)`,
        expiredBefore,
        limit,
      );
      const tokens = await db.run(
        `DELETE FROM integrity_token WHERE digest IN (
           SELECT digest FROM integrity_token WHERE noted_at < $1 ORDER BY noted_at LIMIT $2)`,
        notedBefore,
        limit,
      );
      return challenges + tokens;
    },
  };
}

function makeCredentials(db: Sql & Transactor) {
  return {
    putCredential: (row, audit, idempotency) =>
      db.transaction(async (tx) => {
        await tx.run(
          `INSERT INTO integrity_credential (tenant, mode, platform, credential, updated_at)
           VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant, mode, platform)
           DO UPDATE SET credential = excluded.credential, updated_at = excluded.updated_at`,
          row.tenant,
          row.mode,
          row.platform,
          JSON.stringify(row.credential),
          row.updatedAt,
        );
        await note(tx, { audit, idempotency });
      }),
    removeCredential: ({ tenant, mode, platform }, audit, idempotency) =>
      db.transaction(async (tx) => {
        const removed = await tx.run(
          'DELETE FROM integrity_credential WHERE tenant = $1 AND mode = $2 AND platform = $3',
          tenant,
          mode,
          platform,
        );
        if (removed > 0) await note(tx, { audit, idempotency });
        return removed > 0;
      }),
    async findCredential({ tenant, mode, platform }) {
      // Of test and live what is the world's own comes first.
      const row = await db.get(
        `SELECT * FROM integrity_credential
         WHERE tenant = $1 AND mode IN ($2, 'live') AND platform = $3 ORDER BY mode DESC LIMIT 1`,
        tenant,
        mode,
        platform,
      );
      return row === undefined ? null : toCredential(row);
    },
    async listCredentials(tenant, mode) {
      const rows = await db.all(
        `SELECT * FROM integrity_credential WHERE tenant = $1 AND mode = $2
         ORDER BY updated_at DESC, platform`,
        tenant,
        mode,
      );
      return rows.map(toCredential);
    },
  } satisfies Partial<IntegrityStore>;
}

function makeChallenges(db: Transactor & Sql) {
  return {
    addChallenge: (row, idempotency) =>
      db.transaction(async (tx) => {
        await tx.run(
          `INSERT INTO integrity_challenge (digest, tenant, mode, platform, expires_at, used)
           VALUES ($1, $2, $3, $4, $5, FALSE)`,
          row.digest,
          row.tenant,
          row.mode,
          row.platform,
          row.expiresAt,
        );
        if (idempotency !== null) await keep(tx, idempotency);
      }),
    useChallenge: (use) => db.transaction((tx) => useChallenge(tx, use)),
  } satisfies Partial<IntegrityStore>;
}

/** What was used stays until it has expired, so that a second use can be told from a guess. */
async function useChallenge(
  tx: Tx,
  { digest, tenant, mode, platform, now }: ChallengeUse,
): Promise<ChallengeOutcome> {
  const row = await tx.get(
    `SELECT expires_at, used FROM integrity_challenge
     WHERE digest = $1 AND tenant = $2 AND mode = $3 AND platform = $4 FOR UPDATE`,
    digest,
    tenant,
    mode,
    platform,
  );
  if (row === undefined) return 'unknown';
  if (row['used'] === true) return 'reused';
  if (Number(row['expires_at']) <= now) return 'expired';
  await tx.run('UPDATE integrity_challenge SET used = TRUE WHERE digest = $1', digest);
  return 'used';
}

function makeTokens(db: Sql) {
  return {
    noteToken: (use) => noteToken(db, use),
    async holdFinding({ digest, claim }, held) {
      await db.run(
        'UPDATE integrity_token SET held = $3 WHERE digest = $1 AND claim = $2',
        digest,
        claim,
        held,
      );
    },
  } satisfies Partial<IntegrityStore>;
}

async function noteToken(
  db: Sql,
  { digest, claim, now, heldSince }: TokenUse,
): Promise<TokenOutcome> {
  const added = await db.run(
    `INSERT INTO integrity_token (digest, noted_at, claim) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING`,
    digest,
    now,
    claim,
  );
  if (added > 0) return { kind: 'new' };
  // Whoever waits for the lock looks at the row anew, and then nothing is held.
  const row = await db.get(
    `WITH found AS (
       SELECT digest, held FROM integrity_token
       WHERE digest = $1 AND claim = $2 AND noted_at >= $3 AND held IS NOT NULL FOR UPDATE)
     UPDATE integrity_token AS token SET held = NULL FROM found
     WHERE token.digest = found.digest RETURNING found.held`,
    digest,
    claim,
    heldSince,
  );
  return row === undefined ? { kind: 'spent' } : { kind: 'held', held: String(row['held']) };
}

function makeKeys(db: Sql) {
  return {
    async addAttestedKey(key) {
      const added = await db.run(
        `INSERT INTO attested_key (tenant, mode, app_id, key_id, public_key, environment, counter,
           attested_at)
         SELECT $1::text, $2::text, $3::text, $4::text, $5, $6, 0, $7::bigint
         WHERE $2::text = 'live' OR NOT EXISTS (SELECT FROM attested_key
           WHERE tenant = $1 AND mode = 'live' AND app_id = $3 AND key_id = $4)
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
    },
    async findAttestedKey({ tenant, mode, appId, keyId }) {
      const row = await db.get(
        `SELECT * FROM attested_key
         WHERE tenant = $1 AND mode IN ($2, 'live') AND app_id = $3 AND key_id = $4
         ORDER BY mode DESC LIMIT 1`,
        tenant,
        mode,
        appId,
        keyId,
      );
      return row === undefined ? null : toAttestedKey(row);
    },
    async raiseCounter({ tenant, mode, appId, keyId }, counter) {
      if (mode === 'test') await copyLiveKey(db, { tenant, appId, keyId });
      const raised = await db.run(
        `UPDATE attested_key SET counter = $5
         WHERE tenant = $1 AND mode = $2 AND app_id = $3 AND key_id = $4 AND counter < $5`,
        tenant,
        mode,
        appId,
        keyId,
        counter,
      );
      return raised > 0;
    },
  } satisfies Partial<IntegrityStore>;
}

async function copyLiveKey(
  db: Sql,
  { tenant, appId, keyId }: Omit<AttestedKeyId, 'mode'>,
): Promise<void> {
  await db.run(
    `INSERT INTO attested_key (tenant, mode, app_id, key_id, public_key, environment, counter,
       attested_at)
     SELECT tenant, 'test', app_id, key_id, public_key, environment, counter, attested_at
       FROM attested_key WHERE tenant = $1 AND mode = 'live' AND app_id = $2 AND key_id = $3
     ON CONFLICT DO NOTHING`,
    tenant,
    appId,
    keyId,
  );
}
