/** Rows of players: the only place where their names stand (rule R2). */

import type { KeyMode } from '../../tenancy/tenant.ts';
import { isGuestId } from '../guests.ts';
import { textOrNull } from '../rows/row.ts';
import type { SeatedRow } from '../store.ts';
import type { Tx } from './sql.ts';

/** Somebody who is seated or named: the player, and the name the tenant gives him now. */
export interface GivenPlayer extends Pick<SeatedRow, 'playerId' | 'displayName' | 'newRef' | 'at'> {
  readonly tenant: string;
  readonly world: KeyMode;
}

export interface KnownPlayer {
  /** His pseudonym. */
  readonly ref: string;
  readonly displayName: string | null;
}

/** How often a player may be erased between two looks at him. */
const LOOKS_MAX = 5;

/**
 * Finds or makes players, and gives them the names that are given. Answers each as he is called
 * from then on, in the order of `given`; the same player may stand there several times.
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

/** Until the transaction ends nobody else may seat them from the queue. They are there already. */
export async function lockPlayers(tx: Tx, refs: readonly string[]): Promise<void> {
  await tx.run(
    'SELECT FROM player WHERE ref = ANY($1::text[]) ORDER BY ref FOR NO KEY UPDATE',
    refs,
  );
}

/**
 * Of those who are known nobody is erased until the transaction ends; whoever erases locks the player,
 * too, before tickets.
 */
export async function keepPlayers(
  tx: Tx,
  given: readonly Pick<GivenPlayer, 'tenant' | 'world' | 'playerId'>[],
): Promise<void> {
  await tx.run(
    `SELECT FROM player
      WHERE (tenant, world, player_id) IN (
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))
      ORDER BY ref FOR KEY SHARE`,
    given.map(({ tenant }) => tenant),
    given.map(({ world }) => world),
    given.map(({ playerId }) => playerId),
  );
}

function keyOf({
  tenant,
  world,
  playerId,
}: Pick<GivenPlayer, 'tenant' | 'world' | 'playerId'>): string {
  return `${tenant}\n${world}\n${playerId}`;
}

/** All players that are given, by `keyOf`. */
async function findOrMake(
  tx: Tx,
  given: readonly GivenPlayer[],
): Promise<Map<string, KnownPlayer>> {
  const firsts = new Map<string, GivenPlayer>();
  for (const each of given) if (!firsts.has(keyOf(each))) firsts.set(keyOf(each), each);
  const players = new Map<string, KnownPlayer>();
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const missing = [...firsts.keys()].filter((key) => !players.has(key)).sort();
    if (missing.length === 0) return players;
    const wanted = missing.map((key) => firsts.get(key)!);
    await look(tx, MAKE, wanted, players);
    const isGuest = ({ playerId }: GivenPlayer): boolean => isGuestId(playerId);
    await look(tx, FIND_GUESTS, wanted.filter(isGuest), players);
    await look(tx, FIND, wanted, players);
  }
  throw new Error('a player is erased again and again');
}

/** Players that are new get their first name with their row. Sorted, as all lock them. */
const MAKE = `INSERT INTO player (ref, tenant, world, player_id, display_name, created_at)
  SELECT ref, tenant, world, player_id, display_name, created_at
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
      WITH ORDINALITY AS given (tenant, world, player_id, ref, display_name, created_at, place)
   ORDER BY place
  ON CONFLICT (tenant, world, player_id) DO NOTHING
  RETURNING ref, tenant, world, player_id, display_name`;

const FIND = `SELECT ref, tenant, world, player_id, display_name FROM player
  WHERE (tenant, world, player_id) IN (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))`;

/** Guests may go (`removeUnused`): who is found stays until the transaction ends. */
const FIND_GUESTS = `${FIND} ORDER BY ref FOR KEY SHARE` as const;

async function look(
  tx: Tx,
  statement: typeof MAKE | typeof FIND | typeof FIND_GUESTS,
  wanted: readonly GivenPlayer[],
  players: Map<string, KnownPlayer>,
): Promise<void> {
  const left = wanted.filter((each) => !players.has(keyOf(each)));
  if (left.length === 0) return;
  const ids = [
    left.map(({ tenant }) => tenant),
    left.map(({ world }) => world),
    left.map(({ playerId }) => playerId),
  ];
  const fields = [
    left.map(({ newRef }) => newRef),
    left.map(({ displayName }) => displayName),
    left.map(({ at }) => at),
  ];
  for (const row of await tx.all(statement, ...ids, ...(statement === MAKE ? fields : []))) {
    const key = keyOf({
      tenant: String(row['tenant']),
      world: row['world'] as KeyMode,
      playerId: String(row['player_id']),
    });
    const displayName = textOrNull(row['display_name']);
    players.set(key, { ref: String(row['ref']), displayName });
  }
}

/** Whoever was erased meanwhile gets no name back. */
async function rename(tx: Tx, names: ReadonlyMap<string, string>): Promise<void> {
  const refs = [...names.keys()].sort();
  await lockPlayers(tx, refs);
  await tx.run(
    `UPDATE player SET display_name = given.name
       FROM unnest($1::text[], $2::text[]) AS given (ref, name)
      WHERE player.ref = given.ref AND player.player_id IS NOT NULL`,
    refs,
    refs.map((ref) => names.get(ref)!),
  );
}
