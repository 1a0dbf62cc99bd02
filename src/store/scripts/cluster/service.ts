/** The service's own data: heartbeats, and the secret that signs. */

import { numberOrNull } from '../../rows/row.ts';
import type { ServiceStore } from '../../store.ts';
import { type Runner, type Sql, scriptOfOne } from '../shared/script.ts';

export function makeServiceStore({ sql, write }: Runner): Omit<ServiceStore, 'close'> {
  return {
    ping: () =>
      write(PING, null).then(
        () => true,
        () => false,
      ),
    heartbeat: (node, now) => write(HEARTBEAT, { node, now }),
    pruneHeartbeats: (now) => write(PRUNE, now),
    async lastHeartbeat() {
      return numberOrNull((await sql.get('SELECT max(alive_at) AS at FROM node'))?.['at']);
    },
    async signingSecret(make) {
      const { kid, secret } = make();
      await write(ADD_SECRET, { kid, secret: Buffer.from(secret).toString('base64') });
      const row = (await sql.get('SELECT kid, secret FROM signing_secret'))!;
      return { kid: String(row['kid']), secret: new Uint8Array(row['secret'] as Uint8Array) };
    },
    sealedSince: () => sealedSince(sql),
  };
}

async function sealedSince(sql: Sql): Promise<number> {
  return Number((await sql.get("SELECT n FROM revision WHERE name = 'sealed'"))?.['n']);
}

const HEARTBEAT = scriptOfOne(
  'heartbeat',
  async (tx, { node, now }: { readonly node: string; readonly now: number }): Promise<void> => {
    await tx.run(
      `INSERT INTO node (id, alive_at) VALUES (:node, :now)
       ON CONFLICT (id) DO UPDATE SET alive_at = excluded.alive_at`,
      { node, now },
    );
  },
);

/** Changes nothing, and fails when the database is read-only. */
const PING = scriptOfOne(
  'ping',
  async (tx) => {
    await tx.run("UPDATE revision SET n = n WHERE name = 'service'");
    return null;
  },
  { isLoose: true },
);

/** Where one process serves, all but the latest belong to dead processes. */
const PRUNE = scriptOfOne('pruneHeartbeats', async (tx, now: number): Promise<void> => {
  await tx.run('DELETE FROM node WHERE alive_at > :now', { now });
  await tx.run('DELETE FROM node WHERE alive_at < (SELECT max(alive_at) FROM node)');
});

/** Two processes may start at once: the first row stays, and both read it. */
const ADD_SECRET = scriptOfOne(
  'addSigningSecret',
  /** `secret`: base64. */
  async (tx, ask: { readonly kid: string; readonly secret: string }): Promise<void> => {
    await tx.run(
      `INSERT INTO signing_secret (kid, secret)
       SELECT :kid::text, :secret::bytea WHERE NOT EXISTS (SELECT 1 FROM signing_secret)
       ON CONFLICT DO NOTHING`,
      { kid: ask.kid, secret: Buffer.from(ask.secret, 'base64') },
    );
  },
);

// ── several nodes ──────────────────────────────────────────────────────────────────────────────

/** A heartbeat further ahead of the database's clock is not trusted; smaller corrections keep leases. Ms. */
const AHEAD_MS = 10_000;

/** Where nodes share the database, its clock counts. Rows of dead nodes are removed when a node joins. */
export function makeNodeService({ write }: Runner): Pick<ServiceStore, 'pruneHeartbeats'> {
  return {
    async pruneHeartbeats() {
      await write(PRUNE_AHEAD, null);
    },
  };
}

/**
 * Removes rows that are ahead of the database's clock after it was set back. A live node among them
 * joins again with its next heartbeat.
 */
const PRUNE_AHEAD = scriptOfOne(
  'pruneHeartbeatsAhead',
  async (tx) => {
    await tx.run(`DELETE FROM node WHERE alive_at > now_ms() + ${AHEAD_MS}`);
    return null;
  },
  { isLoose: true },
);

export const SERVICE_SCRIPTS = [HEARTBEAT, PRUNE, ADD_SECRET, PING, PRUNE_AHEAD];
