/** Device checks: credentials, challenges, tokens and attested keys. */

import type {
  AttestedKey,
  AttestedKeyId,
  ChallengeOutcome,
  ChallengeRow,
  ChallengeUse,
  CredentialId,
  CredentialRow,
  IntegrityStore,
  TokenOutcome,
  TokenUse,
} from '../integrity.ts';
import { toAttestedKey, toCredential } from '../rows/integrity-rows.ts';
import type { AuditRow, IdempotencyRow } from '../store.ts';
import { keepAll, note } from './shared/answers.ts';
import { type Runner, type Script, type Sql, scriptOfOne, type Tx } from './shared/script.ts';

export function makeIntegrityStore({ sql, write }: Runner): IntegrityStore {
  return {
    ...makeReads(sql),
    putCredential: (row, audit, idempotency) => write(PUT, { row, audit, idempotency }),
    removeCredential: (id, audit, idempotency) => write(REMOVE, { id, audit, idempotency }),
    async addChallenge(row, idempotency) {
      await write(ADD_CHALLENGE, { row, idempotency });
    },
    useChallenge: (use) => write(USE_CHALLENGE, use),
    noteToken: (use) => write(NOTE_TOKEN, use),
    holdFinding: ({ digest, claim }, held) => write(HOLD, { digest, claim, held }),
    addAttestedKey: (key) => write(ADD_KEY, key),
    raiseCounter: ({ tenant, mode, appId, keyId }, counter) =>
      write(RAISE_COUNTER, { tenant, mode, appId, keyId, counter }),
    removeIntegrity: (step) => write(SWEEP, step),
  };
}

// ── credentials ────────────────────────────────────────────────────────────────────────────────

interface Noted {
  readonly audit: AuditRow;
  readonly idempotency: IdempotencyRow | null;
}

const PUT = scriptOfOne(
  'putCredential',
  async (tx, ask: Noted & { readonly row: CredentialRow }) => {
    const { tenant, mode, platform, credential, updatedAt } = ask.row;
    await tx.run(
      `INSERT INTO integrity_credential (tenant, mode, platform, credential, updated_at)
     VALUES (:tenant, :mode, :platform, :credential, :updated_at)
     ON CONFLICT (tenant, mode, platform)
     DO UPDATE SET credential = excluded.credential, updated_at = excluded.updated_at`,
      { tenant, mode, platform, credential: JSON.stringify(credential), updated_at: updatedAt },
    );
    await note(tx, ask);
  },
);

const REMOVE = scriptOfOne(
  'removeCredential',
  async (tx, ask: Noted & { readonly id: CredentialId }) => {
    const { tenant, mode, platform } = ask.id;
    const removed = await tx.run(
      `DELETE FROM integrity_credential
       WHERE tenant = :tenant AND mode = :mode AND platform = :platform`,
      { tenant, mode, platform },
    );
    if (removed > 0) await note(tx, ask);
    return removed > 0;
  },
);

// ── challenges ─────────────────────────────────────────────────────────────────────────────────

interface AddChallenge {
  readonly row: ChallengeRow;
  readonly idempotency: IdempotencyRow | null;
}

const ADD_CHALLENGE: Script<AddChallenge, null> = {
  name: 'addChallenge',
  async act(tx, asks) {
    await tx.run(
      `INSERT INTO integrity_challenge (digest, tenant, mode, platform, expires_at, used)
       SELECT digest, tenant, mode, platform, expires_at, FALSE
         FROM @given(digest text, tenant text, mode text, platform text, expires_at bigint)
        ORDER BY digest`,
      { given: asks.map(({ row }) => row) },
    );
    await keepAll(
      tx,
      asks.flatMap(({ idempotency }) => idempotency ?? []),
    );
    return asks.map(() => null);
  },
};

const USE_CHALLENGE: Script<ChallengeUse, ChallengeOutcome> = {
  name: 'useChallenge',
  act: useChallenges,
};

/** A used challenge stays until it expires, so that a reuse is distinguished from a guess. */
async function useChallenges(
  tx: Tx,
  asks: readonly ChallengeUse[],
): Promise<readonly ChallengeOutcome[]> {
  const rows = await tx.all(
    `SELECT digest, tenant, mode, platform, expires_at, used FROM integrity_challenge
     WHERE digest IN :digests(text) ORDER BY digest FOR UPDATE`,
    { digests: asks.map(({ digest }) => digest) },
  );
  const known = new Map(rows.map((row) => [row['digest'], row]));
  const used = new Set<string>();
  const outcomes = asks.map(({ digest, tenant, mode, platform, now }): ChallengeOutcome => {
    const row = known.get(digest);
    const isTheirs =
      row?.['tenant'] === tenant && row['mode'] === mode && row['platform'] === platform;
    if (!isTheirs) return 'unknown';
    if (row['used'] || used.has(digest)) return 'reused';
    if (Number(row['expires_at']) <= now) return 'expired';
    used.add(digest);
    return 'used';
  });
  if (used.size > 0) {
    await tx.run('UPDATE integrity_challenge SET used = TRUE WHERE digest IN :used(text)', {
      used: [...used],
    });
  }
  return outcomes;
}

// ── tokens ─────────────────────────────────────────────────────────────────────────────────────

const NOTE_TOKEN: Script<TokenUse, TokenOutcome> = { name: 'noteToken', act: noteTokens };

async function noteTokens(tx: Tx, asks: readonly TokenUse[]): Promise<readonly TokenOutcome[]> {
  const firsts = new Map<string, TokenUse>();
  for (const ask of asks) if (!firsts.has(ask.digest)) firsts.set(ask.digest, ask);
  const added = await tx.all(
    `INSERT INTO integrity_token (digest, noted_at, claim)
     SELECT digest, now, claim FROM @given(digest text, now bigint, claim text)
      WHERE TRUE ORDER BY digest ON CONFLICT (digest) DO NOTHING RETURNING digest`,
    { given: [...firsts.values()] },
  );
  const fresh = new Set(added.map(({ digest }) => firsts.get(String(digest))));
  const held = await takeHeld(
    tx,
    asks.filter((ask) => !fresh.has(ask)),
  );
  return asks.map((ask) => {
    if (fresh.has(ask)) return { kind: 'new' };
    const text = held.get(ask);
    return text === undefined ? { kind: 'spent' } : { kind: 'held', held: text };
  });
}

/** Takes the findings stored for these asks, each for the first ask that claims it. */
async function takeHeld(tx: Tx, asks: readonly TokenUse[]): Promise<ReadonlyMap<TokenUse, string>> {
  const taken = new Map<TokenUse, string>();
  if (asks.length === 0) return taken;
  // A transaction that waited for the lock reads the row again, and finds nothing stored.
  const rows = await tx.all(
    `SELECT digest, claim, noted_at, held FROM integrity_token
     WHERE digest IN :digests(text) AND held IS NOT NULL ORDER BY digest FOR UPDATE`,
    { digests: asks.map(({ digest }) => digest) },
  );
  const known = new Map(rows.map((row) => [row['digest'], row]));
  for (const ask of asks) {
    const row = known.get(ask.digest);
    const isTheirs = row?.['claim'] === ask.claim && Number(row['noted_at']) >= ask.heldSince;
    if (!isTheirs) continue;
    taken.set(ask, String(row['held']));
    known.delete(ask.digest);
  }
  if (taken.size > 0) {
    await tx.run('UPDATE integrity_token SET held = NULL WHERE digest IN :taken(text)', {
      taken: Array.from(taken.keys(), ({ digest }) => digest),
    });
  }
  return taken;
}

interface Hold extends Pick<TokenUse, 'digest' | 'claim'> {
  readonly held: string;
}

const HOLD = scriptOfOne('holdFinding', async (tx, { digest, claim, held }: Hold) => {
  await tx.run(
    'UPDATE integrity_token SET held = :held WHERE digest = :digest AND claim = :claim',
    { digest, claim, held },
  );
});

// ── attested keys ──────────────────────────────────────────────────────────────────────────────

const ADD_KEY = scriptOfOne('addAttestedKey', async (tx, key: AttestedKey) => {
  const added = await tx.run(
    `INSERT INTO attested_key (tenant, mode, app_id, key_id, public_key, environment, counter, attested_at)
     SELECT tenant, mode, app_id, key_id, public_key, environment, 0, attested_at
       FROM @given(tenant text, mode text, app_id text, key_id text, public_key text, environment text,
         attested_at bigint)
      WHERE mode = 'live' OR NOT EXISTS (SELECT 1 FROM attested_key AS live
        WHERE live.tenant = given.tenant AND live.mode = 'live' AND live.app_id = given.app_id
          AND live.key_id = given.key_id)
     ON CONFLICT (tenant, mode, app_id, key_id) DO NOTHING`,
    { given: [key] },
  );
  return added > 0;
});

interface Raise extends AttestedKeyId {
  readonly counter: number;
}

const RAISE_COUNTER: Script<Raise, boolean> = {
  name: 'raiseCounter',
  async act(tx, asks) {
    if (asks.every(({ mode }) => mode === 'live')) return raiseCounters(tx, asks);
    // A copy starts with the live counter as left by the asks before it.
    const answers: boolean[] = [];
    for (const ask of asks) {
      if (ask.mode === 'test') await copyLiveKey(tx, ask);
      answers.push(...(await raiseCounters(tx, [ask])));
    }
    return answers;
  },
};

const KEYS = '@given(tenant text, mode text, app_id text, key_id text)';
const RAISED = '@given(tenant text, mode text, app_id text, key_id text, counter bigint)';
const OF_GIVEN = `attested_key.tenant = given.tenant AND attested_key.mode = given.mode
  AND attested_key.app_id = given.app_id AND attested_key.key_id = given.key_id`;

async function raiseCounters(tx: Tx, asks: readonly Raise[]): Promise<boolean[]> {
  const nameOf = ({ tenant, mode, appId, keyId }: AttestedKeyId): string =>
    JSON.stringify([tenant, mode, appId, keyId]);
  const distinct = [...new Map(asks.map((ask) => [nameOf(ask), ask])).values()];
  const rows = await tx.all(
    `SELECT attested_key.* FROM ${KEYS} JOIN attested_key ON ${OF_GIVEN}
     ORDER BY attested_key.tenant, attested_key.mode, attested_key.app_id, attested_key.key_id
     FOR UPDATE OF attested_key`,
    { given: distinct },
  );
  const counters = new Map(rows.map((row) => [nameOf(toAttestedKey(row)), Number(row['counter'])]));
  const raised = new Map<string, Raise>();
  const answers = asks.map((ask) => {
    const name = nameOf(ask);
    const isAbove = ask.counter > (counters.get(name) ?? Number.POSITIVE_INFINITY);
    if (isAbove) {
      counters.set(name, ask.counter);
      raised.set(name, ask);
    }
    return isAbove;
  });
  if (raised.size > 0) {
    await tx.run(
      `UPDATE attested_key SET counter = given.counter FROM ${RAISED} WHERE ${OF_GIVEN}`,
      {
        given: [...raised.values()],
      },
    );
  }
  return answers;
}

async function copyLiveKey(tx: Tx, { tenant, appId, keyId }: AttestedKeyId): Promise<void> {
  await tx.run(
    `INSERT INTO attested_key (tenant, mode, app_id, key_id, public_key, environment, counter, attested_at)
     SELECT tenant, 'test', app_id, key_id, public_key, environment, counter, attested_at
       FROM attested_key
      WHERE tenant = :tenant AND mode = 'live' AND app_id = :app_id AND key_id = :key_id
     ON CONFLICT (tenant, mode, app_id, key_id) DO NOTHING`,
    { tenant, app_id: appId, key_id: keyId },
  );
}

// ── removal and reads ──────────────────────────────────────────────────────────────────────────

type Step = Parameters<IntegrityStore['removeIntegrity']>[0];

const SWEEP = scriptOfOne('removeIntegrity', async (tx, ask: Step) => {
  const { expiredBefore, notedBefore, limit } = ask;
  const challenges = await tx.run(
    `DELETE FROM integrity_challenge WHERE digest IN (SELECT digest FROM integrity_challenge
       WHERE expires_at < :before ORDER BY expires_at LIMIT :limit)`,
    { before: expiredBefore, limit },
  );
  const tokens = await tx.run(
    `DELETE FROM integrity_token WHERE digest IN (SELECT digest FROM integrity_token
       WHERE noted_at < :before ORDER BY noted_at LIMIT :limit)`,
    { before: notedBefore, limit },
  );
  return challenges + tokens;
});

export const INTEGRITY_SCRIPTS = [
  PUT,
  REMOVE,
  ADD_CHALLENGE,
  USE_CHALLENGE,
  NOTE_TOKEN,
  HOLD,
  ADD_KEY,
  RAISE_COUNTER,
  SWEEP,
];

/** Of test and live, the mode's own row comes first. */
function makeReads(sql: Sql) {
  return {
    async findCredential({ tenant, mode, platform }) {
      const row = await sql.get(
        `SELECT * FROM integrity_credential
         WHERE tenant = :tenant AND mode IN (:mode, 'live') AND platform = :platform
         ORDER BY mode DESC LIMIT 1`,
        { tenant, mode, platform },
      );
      return row === undefined ? null : toCredential(row);
    },
    async listCredentials(tenant, mode) {
      const rows = await sql.all(
        `SELECT * FROM integrity_credential WHERE tenant = :tenant AND mode = :mode
         ORDER BY updated_at DESC, platform`,
        { tenant, mode },
      );
      return rows.map(toCredential);
    },
    async findAttestedKey({ tenant, mode, appId, keyId }) {
      const row = await sql.get(
        `SELECT * FROM attested_key WHERE tenant = :tenant AND mode IN (:mode, 'live')
           AND app_id = :app_id AND key_id = :key_id
         ORDER BY mode DESC LIMIT 1`,
        { tenant, mode, app_id: appId, key_id: keyId },
      );
      return row === undefined ? null : toAttestedKey(row);
    },
  } satisfies Partial<IntegrityStore>;
}
