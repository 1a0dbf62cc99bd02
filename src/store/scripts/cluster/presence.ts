/** Which player is connected to which node. A row counts while its node's lease is valid. */

import type { Mode } from '../../../match/record.ts';
import { type ModePlayer, presenceKey } from '../../rows/presence-key.ts';
import type { PlayerPresence, SharedPresenceStore } from '../../tickets.ts';
import { HAS_LEASE } from '../shared/leases.ts';
import { type Runner, type Sql, scriptOfOne, type Tx } from '../shared/script.ts';

/** How long until a failed departure is retried, ms. */
const RETRY_MS = 1_000;

/** Calls `run` once after that many milliseconds, unless the returned function is called. */
export type After = (ms: number, run: () => void) => () => void;

/** The timer does not keep the process alive. */
const byTimer: After = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

/** Those of the players who are connected to any node, or to any except one, by `presenceKey`. */
export async function findPresent(
  sql: Sql,
  players: readonly ModePlayer[],
  besides: string | null = null,
): Promise<ReadonlySet<string>> {
  if (players.length === 0) return new Set();
  const rows = await sql.all(
    `SELECT DISTINCT tenant, mode, player_id FROM presence JOIN node ON node.id = presence.node
      WHERE (tenant, mode, player_id) IN (
          SELECT tenant, mode, player_id FROM @given(tenant text, mode text, player_id text))
        AND presence.node IS DISTINCT FROM :besides::text AND ${HAS_LEASE}`,
    { given: players, besides },
  );
  return new Set(
    rows.map(({ tenant, mode, player_id }) =>
      presenceKey({ tenant: String(tenant), mode: mode as Mode, playerId: String(player_id) }),
    ),
  );
}

/**
 * Reports during a write go with the next one, so that a storm of players costs few commits. Writes
 * are serialized, so later reports about a player take effect later.
 */
export function makePresenceStore(
  runner: Pick<Runner, 'sql' | 'write'>,
  after: After = byTimer,
): SharedPresenceStore & { readonly stopRetrying: () => void } {
  const { sql } = runner;
  /** Who is connected, as last reported. */
  const here = new Map<string, PlayerPresence>();
  /** Those whom the tenant knew when they came. */
  const known = new WeakSet<PlayerPresence>();
  /** Unwritten reports: the last one per player and node. */
  let said = new Map<string, PlayerPresence>();
  let next: Promise<void> | null = null;
  let last: Promise<void> = Promise.resolve();
  const goingsAgain = makeRetry(after, () => void sayAll().catch(() => {}));
  const comingsAgain = makeRetry(after, () => renewPresence());
  const write = async (): Promise<void> => {
    next = null;
    const batch = said;
    said = new Map();
    if (batch.size === 0) return;
    const keys = [...batch.keys()];
    try {
      const places = await runner.write(WRITE, { rows: [...batch.values()] });
      for (const place of places) known.add(batch.get(keys[place]!)!);
    } catch (error) {
      takeBack(batch);
      throw error;
    }
  };
  /**
   * An arrival fails towards its caller. A departure is retried, because the player must not count
   * as connected for long.
   */
  const takeBack = (batch: ReadonlyMap<string, PlayerPresence>): void => {
    for (const [key, presence] of batch) {
      if (!presence.isConnected && !said.has(key)) said.set(key, presence);
    }
    if (said.size > 0) goingsAgain.later();
  };
  const sayAll = (): Promise<void> => {
    if (next === null) {
      next = last.then(write);
      last = next.catch(() => {});
    }
    return next;
  };
  const writeAgain = async (): Promise<void> => {
    const rows = Array.from(here.values(), (each) => ({ ...each, isKnown: known.has(each) }));
    await runner.write(WRITE_AGAIN, { rows });
  };
  const renewPresence = (): void => {
    last = last.then(writeAgain).catch(comingsAgain.later);
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
      (await findPresent(sql, [{ tenant, mode, playerId }], besides)).size > 0,
    stopRetrying() {
      goingsAgain.stop();
      comingsAgain.stop();
    },
  };
}

/** Acts once, a while after the last call, if nothing is scheduled yet. */
function makeRetry(after: After, act: () => void) {
  let cancel: (() => void) | null = null;
  let isStopped = false;
  return {
    later(): void {
      if (cancel !== null || isStopped) return;
      cancel = after(RETRY_MS, () => {
        cancel = null;
        act();
      });
    },
    stop(): void {
      isStopped = true;
      cancel?.();
    },
  };
}

function keyOf({ tenant, mode, playerId, node }: Omit<PlayerPresence, 'isConnected'>): string {
  return JSON.stringify([tenant, mode, playerId, node]);
}

// ── writes ─────────────────────────────────────────────────────────────────────────────────────

/** Arrivals and departures, each of a different player or node. */
export interface PresenceWrite {
  readonly rows: readonly PlayerPresence[];
}

/** Returns the indexes of arrivals whom the tenant knows. */
const WRITE = scriptOfOne('writePresence', writeRows, { isLoose: true });

const COLUMNS = 'tenant, mode, player_id, node';
const GIVEN = '@given(tenant text, mode text, player_id text, node text)';

async function writeRows(tx: Tx, { rows }: PresenceWrite): Promise<readonly number[]> {
  const gone = rows.filter(({ isConnected }) => !isConnected);
  if (gone.length > 0) {
    await tx.run(`DELETE FROM presence WHERE (${COLUMNS}) IN (SELECT ${COLUMNS} FROM ${GIVEN})`, {
      given: gone,
    });
  }
  if (gone.length === rows.length) return [];
  const come = rows.flatMap((row, place) => (row.isConnected ? [{ ...row, place }] : []));
  await tx.run(
    `INSERT INTO presence (${COLUMNS}) SELECT ${COLUMNS} FROM ${GIVEN} WHERE TRUE
     ON CONFLICT DO NOTHING`,
    { given: come },
  );
  // Afterwards: a player erased in between was written before, and the erasure removes the row
  // (rule R2).
  const known = await tx.all(
    `SELECT given.place FROM @given(tenant text, mode text, player_id text, place int)
       JOIN player ON player.tenant = given.tenant AND player.world = given.mode
        AND player.player_id = given.player_id`,
    { given: come },
  );
  return known.map(({ place }) => Number(place));
}

export interface PresenceAgain {
  readonly rows: readonly (PlayerPresence & { readonly isKnown: boolean })[];
}

/**
 * Rewritten arrivals. A player whom the tenant knew on arrival but no longer knows was erased
 * meanwhile (rule R2).
 */
export const WRITE_AGAIN = scriptOfOne(
  'writePresenceAgain',
  async (tx, { rows }: PresenceAgain) => {
    await tx.run(
      `INSERT INTO presence (${COLUMNS}) SELECT ${COLUMNS}
         FROM @given(tenant text, mode text, player_id text, node text, is_known boolean)
        WHERE NOT is_known OR EXISTS (SELECT 1 FROM player
           WHERE player.tenant = given.tenant AND player.world = given.mode
             AND player.player_id = given.player_id)
       ON CONFLICT DO NOTHING`,
      { given: rows },
    );
    return null;
  },
  { isLoose: true },
);

export const PRESENCE_SCRIPTS = [WRITE, WRITE_AGAIN];
