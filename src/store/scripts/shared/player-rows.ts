/** Rows of players, found or created in bulk. */

import type { KeyMode } from '../../../tenancy/tenant.ts';
import { isGuestId } from '../../guests.ts';
import { textOrNull } from '../../rows/row.ts';
import type { SeatedRow } from '../../store.ts';
import type { Tx } from './script.ts';

interface WorldPlayer {
  readonly tenant: string;
  readonly world: KeyMode;
  readonly playerId: string;
}

/** A player to seat or name, with the name that the tenant gives them now. */
export interface GivenPlayer
  extends WorldPlayer,
    Pick<SeatedRow, 'displayName' | 'newRef' | 'at'> {}

export interface KnownPlayer {
  /** The player's pseudonym. */
  readonly ref: string;
  readonly displayName: string | null;
}

/** How many times a player may be erased between two attempts. */
const ATTEMPTS_MAX = 5;

/**
 * Finds or creates players, and sets the given names. Returns each with their current name, in the
 * order of `given`; a player may occur several times.
 */
export async function playersOf(
  tx: Tx,
  given: readonly GivenPlayer[],
): Promise<readonly KnownPlayer[]> {
  if (given.length === 0) return [];
  const players = await findOrMake(tx, given);
  const renamed = new Map<string, string>();
  const answers = given.map((each): KnownPlayer => {
    const { ref, displayName } = players.get(keyOf(each))!;
    if (each.displayName === null || each.displayName === displayName) return { ref, displayName };
    const named = { ref, displayName: each.displayName };
    players.set(keyOf(each), named);
    renamed.set(ref, each.displayName);
    return named;
  });
  if (renamed.size > 0) await rename(tx, renamed);
  return answers;
}

/** Until the transaction ends nobody else may seat them from the queue. Their rows exist. */
export async function lockPlayers(tx: Tx, refs: readonly string[]): Promise<void> {
  await tx.all('SELECT ref FROM player WHERE ref IN :refs(text) ORDER BY ref FOR NO KEY UPDATE', {
    refs,
  });
}

/** Until the transaction ends none of these players is erased. An erasure, too, locks players before tickets. */
export async function keepPlayers(tx: Tx, given: readonly WorldPlayer[]): Promise<void> {
  await tx.all(
    `SELECT 1 AS kept FROM player
      WHERE (tenant, world, player_id) IN (
        SELECT tenant, world, player_id FROM @given(tenant text, world text, player_id text))
      ORDER BY ref FOR KEY SHARE`,
    { given },
  );
}

function keyOf({ tenant, world, playerId }: WorldPlayer): string {
  return `${tenant}\n${world}\n${playerId}`;
}

/** All given players, by `keyOf`. */
async function findOrMake(
  tx: Tx,
  given: readonly GivenPlayer[],
): Promise<Map<string, KnownPlayer>> {
  const firsts = new Map<string, GivenPlayer>();
  for (const each of given) if (!firsts.has(keyOf(each))) firsts.set(keyOf(each), each);
  const players = new Map<string, KnownPlayer>();
  for (let looks = 0; looks < ATTEMPTS_MAX; looks++) {
    const missing = [...firsts.keys()].filter((key) => !players.has(key)).sort();
    if (missing.length === 0) return players;
    const wanted = missing.map((key) => firsts.get(key)!);
    await make(tx, wanted, players);
    await look(tx, FIND_GUESTS, wanted.filter(isGuest), players);
    await look(tx, FIND, wanted, players);
  }
  throw new Error('a player is erased again and again');
}

function isGuest({ playerId }: WorldPlayer): boolean {
  return isGuestId(playerId);
}

/** New players get their first name with their row. Sorted, because all transactions lock them in this order. */
const MAKE = `INSERT INTO player (ref, tenant, world, player_id, display_name, created_at)
  SELECT new_ref, tenant, world, player_id, display_name, at
    FROM @given(tenant text, world text, player_id text, new_ref text, display_name text, at bigint,
      i place)
   WHERE TRUE ORDER BY i
  ON CONFLICT (tenant, world, player_id) DO NOTHING RETURNING ref`;

async function make(
  tx: Tx,
  given: readonly GivenPlayer[],
  players: Map<string, KnownPlayer>,
): Promise<void> {
  const rows = await tx.all(MAKE, { given });
  if (rows.length === 0) return;
  const made = new Set(rows.map(({ ref }) => ref));
  for (const player of given) {
    const { newRef: ref, displayName } = player;
    if (made.has(ref)) players.set(keyOf(player), { ref, displayName });
  }
}

const FIND = `SELECT ref, tenant, world, player_id, display_name FROM player
  WHERE (tenant, world, player_id) IN (
    SELECT tenant, world, player_id FROM @given(tenant text, world text, player_id text))`;

/** Guests may be removed (`removeUnused`): the ones found are kept until the transaction ends. */
const FIND_GUESTS = `${FIND} ORDER BY ref FOR KEY SHARE` as const;

async function look(
  tx: Tx,
  statement: typeof FIND | typeof FIND_GUESTS,
  wanted: readonly GivenPlayer[],
  players: Map<string, KnownPlayer>,
): Promise<void> {
  const given = wanted.filter((each) => !players.has(keyOf(each)));
  if (given.length === 0) return;
  for (const row of await tx.all(statement, { given })) {
    const key = keyOf({
      tenant: String(row['tenant']),
      world: row['world'] as KeyMode,
      playerId: String(row['player_id']),
    });
    const displayName = textOrNull(row['display_name']);
    players.set(key, { ref: String(row['ref']), displayName });
  }
}

/** A player who was erased meanwhile stays without a name. */
async function rename(tx: Tx, names: ReadonlyMap<string, string>): Promise<void> {
  const refs = [...names.keys()].sort();
  await lockPlayers(tx, refs);
  await tx.run(
    `UPDATE player SET display_name = given.name FROM @given(ref text, name text)
      WHERE player.ref = given.ref AND player.player_id IS NOT NULL`,
    { given: refs.map((ref) => ({ ref, name: names.get(ref)! })) },
  );
}
