/** What the service keeps for itself: heartbeats, the secret that signs. */

import { numberOrNull } from '../rows/row.ts';
import type { ServiceStore } from '../store.ts';
import type { Database } from './database.ts';
import { NOW } from './lease.ts';

/** A heartbeat so far ahead of the database's clock is not trusted: small corrections keep leases. Ms. */
const AHEAD_MS = 10_000;

export function makeServiceStore(db: Database): Omit<ServiceStore, 'close'> {
  return {
    async heartbeat(node, now) {
      await db.run(
        `INSERT INTO node (id, alive_at) VALUES ($1, $2)
         ON CONFLICT (id) DO UPDATE SET alive_at = excluded.alive_at`,
        node,
        now,
      );
    },
    async lastHeartbeat() {
      return numberOrNull((await db.get('SELECT max(alive_at) AS at FROM node'))?.['at']);
    },
    /**
     * Rows that a start finds ahead of the database's clock, which was set back. A live node among them joins
     * again with its next heartbeat. What is left of dead nodes is removed as a node joins.
     */
    async pruneHeartbeats() {
      await db.run(`DELETE FROM node WHERE alive_at > ${NOW} + $1`, AHEAD_MS);
    },
    async signingSecret(make) {
      const { kid, secret } = make();
      // Two processes may start at once: the first row stands, and both read it.
      await db.run(
        'INSERT INTO signing_secret (kid, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        kid,
        secret,
      );
      const row = (await db.get('SELECT kid, secret FROM signing_secret'))!;
      return { kid: String(row['kid']), secret: new Uint8Array(row['secret'] as Uint8Array) };
    },
    async sealedSince() {
      return Number((await db.get("SELECT n FROM revision WHERE name = 'sealed'"))?.['n']);
    },
    ping: () =>
      // Changes nothing, and fails when the database cannot be written.
      db.run("UPDATE revision SET n = n WHERE name = 'service'").then(
        () => true,
        () => false,
      ),
  };
}
