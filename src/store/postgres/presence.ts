/** Who is connected where. A row counts as long as the lease of its node does. */

import type { PlayerPresence, SharedPresenceStore } from '../tickets.ts';
import { HAS_LEASE } from './lease.ts';
import type { Sql } from './sql.ts';

/** Goings that could not be written are tried again so much later, in milliseconds. */
const RETRY_MS = 1_000;

/** A player in a mode. */
export interface AskedPlayer {
  readonly tenant: string;
  readonly mode: string;
  readonly playerId: string;
}

export function presentKey({ tenant, mode, playerId }: AskedPlayer): string {
  return JSON.stringify([tenant, mode, playerId]);
}

/** Those of the players who are connected to any node, by `presentKey`. */
export async function findPresent(
  sql: Sql,
  players: readonly AskedPlayer[],
): Promise<ReadonlySet<string>> {
  if (players.length === 0) return new Set();
  const rows = await sql.all(
    `SELECT DISTINCT tenant, mode, player_id FROM presence JOIN node ON node.id = presence.node
      WHERE (tenant, mode, player_id) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))
        AND ${HAS_LEASE}`,
    players.map(({ tenant }) => tenant),
    players.map(({ mode }) => mode),
    players.map(({ playerId }) => playerId),
  );
  return new Set(
    rows.map(({ tenant, mode, player_id }) =>
      presentKey({ tenant: String(tenant), mode: String(mode), playerId: String(player_id) }),
    ),
  );
}

/** Comings and goings; a player on a node stands in it once. */
const WRITE = `WITH
  given AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[])
      AS given (tenant, mode, player_id, node, here)
  ),
  gone AS (
    DELETE FROM presence USING given WHERE NOT here AND presence.tenant = given.tenant
      AND presence.mode = given.mode AND presence.player_id = given.player_id
      AND presence.node = given.node
  )
  INSERT INTO presence (tenant, mode, player_id, node)
  SELECT tenant, mode, player_id, node FROM given WHERE here ON CONFLICT DO NOTHING`;

/** Comings once more. Whoever is connected has a row, unless he was erased meanwhile (rule R2). */
const WRITE_AGAIN = `INSERT INTO presence (tenant, mode, player_id, node)
  SELECT given.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
      AS given (tenant, mode, player_id, node)
    JOIN player ON player.tenant = given.tenant AND player.player_id = given.player_id
  ON CONFLICT DO NOTHING`;

/**
 * All that is said while rows are being written goes with the next write, so that a storm of players
 * costs few commits. One write at a time: what is said later of a player takes effect later.
 */
export function makePresenceStore(
  db: Sql,
): SharedPresenceStore & { readonly stopRetrying: () => void } {
  /** Who is connected, as far as was said. */
  const here = new Map<string, PlayerPresence>();
  /** What is still to be written; of each player on each node what was said last. */
  let said = new Map<string, PlayerPresence>();
  let next: Promise<void> | null = null;
  let last: Promise<void> = Promise.resolve();
  let retry: ReturnType<typeof setTimeout> | null = null;
  let isStopped = false;
  const write = async (): Promise<void> => {
    next = null;
    const batch = said;
    said = new Map();
    try {
      await writeRows(db, [...batch.values()]);
    } catch (error) {
      takeBack(batch);
      throw error;
    }
  };
  /** Who came is told that it failed. Who went is gone: he must not count as connected for long. */
  const takeBack = (batch: ReadonlyMap<string, PlayerPresence>): void => {
    for (const [key, presence] of batch) {
      if (!presence.isConnected && !said.has(key)) said.set(key, presence);
    }
    if (said.size === 0 || retry !== null || isStopped) return;
    retry = setTimeout(() => {
      retry = null;
      sayAll().catch(() => {});
    }, RETRY_MS);
    retry.unref();
  };
  const sayAll = (): Promise<void> => {
    next ??= last.then(write);
    last = next.catch(() => {});
    return next;
  };
  const renewPresence = (): void => {
    last = last
      .then(() => db.run(WRITE_AGAIN, ...columnsOf([...here.values()])))
      .then(
        () => {},
        () => {
          if (!isStopped) setTimeout(renewPresence, RETRY_MS).unref();
        },
      );
  };
  return {
    setPresence(presence) {
      const { tenant, mode, playerId, node, isConnected } = presence;
      const key = JSON.stringify([tenant, mode, playerId, node]);
      if (isConnected) here.set(key, presence);
      else here.delete(key);
      said.set(key, presence);
      return sayAll();
    },
    renewPresence,
    isPresent: async (tenant, mode, playerId) =>
      (await findPresent(db, [{ tenant, mode, playerId }])).size > 0,
    stopRetrying() {
      isStopped = true;
      if (retry !== null) clearTimeout(retry);
    },
  };
}

async function writeRows(db: Sql, rows: readonly PlayerPresence[]): Promise<void> {
  if (rows.length === 0) return;
  await db.run(
    WRITE,
    ...columnsOf(rows),
    rows.map(({ isConnected }) => isConnected),
  );
}

function columnsOf(rows: readonly PlayerPresence[]): string[][] {
  return [
    rows.map(({ tenant }) => tenant),
    rows.map(({ mode }) => mode),
    rows.map(({ playerId }) => playerId),
    rows.map(({ node }) => node),
  ];
}
