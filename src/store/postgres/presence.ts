/** Who is connected where. A row counts as long as the lease of its node does. */

import type { Mode } from '../../match/record.ts';
import { type ModePlayer, presenceKey } from '../rows/presence-key.ts';
import type { PlayerPresence, SharedPresenceStore } from '../tickets.ts';
import { HAS_LEASE } from './lease.ts';
import type { Sql } from './sql.ts';

/** Goings that could not be written are tried again so much later, in milliseconds. */
const RETRY_MS = 1_000;

/** Those of the players who are connected to any node, or to any but one, by `presenceKey`. */
export async function findPresent(
  sql: Sql,
  players: readonly ModePlayer[],
  besides: string | null = null,
): Promise<ReadonlySet<string>> {
  if (players.length === 0) return new Set();
  const rows = await sql.all(
    `SELECT DISTINCT tenant, mode, player_id FROM presence JOIN node ON node.id = presence.node
      WHERE (tenant, mode, player_id) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))
        AND presence.node IS DISTINCT FROM $4 AND ${HAS_LEASE}`,
    players.map(({ tenant }) => tenant),
    players.map(({ mode }) => mode),
    players.map(({ playerId }) => playerId),
    besides,
  );
  return new Set(
    rows.map(({ tenant, mode, player_id }) =>
      presenceKey({ tenant: String(tenant), mode: mode as Mode, playerId: String(player_id) }),
    ),
  );
}

/** Comings and goings; a player on a node stands in it once. Answers whom of those who came the tenant knows. */
const WRITE = `WITH
  given AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[])
      AS given (tenant, mode, player_id, node, here)
  ),
  gone AS (
    DELETE FROM presence USING given WHERE NOT here AND presence.tenant = given.tenant
      AND presence.mode = given.mode AND presence.player_id = given.player_id
      AND presence.node = given.node
  ),
  come AS (
    INSERT INTO presence (tenant, mode, player_id, node)
    SELECT tenant, mode, player_id, node FROM given WHERE here ON CONFLICT DO NOTHING
  )
  SELECT given.tenant, given.mode, given.player_id, given.node FROM given
    JOIN player ON player.tenant = given.tenant AND player.world = given.mode
     AND player.player_id = given.player_id
   WHERE here`;

/** Comings once more. Whom the tenant knew as he came, and knows no more, was erased meanwhile (rule R2). */
const WRITE_AGAIN = `INSERT INTO presence (tenant, mode, player_id, node)
  SELECT tenant, mode, player_id, node
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[])
      AS given (tenant, mode, player_id, node, known)
   WHERE NOT known OR EXISTS (SELECT 1 FROM player
      WHERE player.tenant = given.tenant AND player.world = given.mode
        AND player.player_id = given.player_id)
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
  /** Those of them whom the tenant knew as they came. */
  const known = new WeakSet<PlayerPresence>();
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
      for (const key of await writeRows(db, [...batch.values()])) known.add(batch.get(key)!);
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
    if (next === null) {
      next = last.then(write);
      last = next.catch(() => {});
    }
    return next;
  };
  const renewPresence = (): void => {
    last = last
      .then(() => writeAgain(db, [...here.values()], known))
      .then(
        () => {},
        () => {
          if (!isStopped) setTimeout(renewPresence, RETRY_MS).unref();
        },
      );
  };
  return {
    setPresence(presence) {
      const key = keyOf(presence);
      if (presence.isConnected) here.set(key, presence);
      else here.delete(key);
      said.set(key, presence);
      return sayAll();
    },
    renewPresence,
    isPresent: async (tenant, mode, playerId, besides) =>
      (await findPresent(db, [{ tenant, mode, playerId }], besides)).size > 0,
    stopRetrying() {
      isStopped = true;
      if (retry !== null) clearTimeout(retry);
    },
  };
}

function keyOf({ tenant, mode, playerId, node }: Omit<PlayerPresence, 'isConnected'>): string {
  return JSON.stringify([tenant, mode, playerId, node]);
}

/** Answers, by `keyOf`, whom of those who came the tenant knows. */
async function writeRows(db: Sql, rows: readonly PlayerPresence[]): Promise<readonly string[]> {
  if (rows.length === 0) return [];
  const isHere = rows.map(({ isConnected }) => isConnected);
  const known = await db.all(WRITE, ...columnsOf(rows), isHere);
  return known.map((row) =>
    JSON.stringify([row['tenant'], row['mode'], row['player_id'], row['node']]),
  );
}

async function writeAgain(
  db: Sql,
  rows: readonly PlayerPresence[],
  known: Pick<WeakSet<PlayerPresence>, 'has'>,
): Promise<void> {
  const isKnown = rows.map((each) => known.has(each));
  await db.run(WRITE_AGAIN, ...columnsOf(rows), isKnown);
}

function columnsOf(rows: readonly PlayerPresence[]): string[][] {
  return [
    rows.map(({ tenant }) => tenant),
    rows.map(({ mode }) => mode),
    rows.map(({ playerId }) => playerId),
    rows.map(({ node }) => node),
  ];
}
