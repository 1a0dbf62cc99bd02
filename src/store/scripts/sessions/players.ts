/** Players: found and named. */

import { toLobbyCheck } from '../../rows/player-rows.ts';
import { toRatingChanges } from '../../rows/rating-rows.ts';
import { textOrNull } from '../../rows/row.ts';
import type { IdempotencyRow, PlayerNaming, PlayerStore } from '../../store.ts';
import { keepAll } from '../shared/answers.ts';
import { type KnownPlayer, playersOf } from '../shared/player-rows.ts';
import type { Runner, Script, Tx } from '../shared/script.ts';

export type NamedPlayerStore = Pick<
  PlayerStore,
  'findPlayer' | 'namePlayer' | 'listLobbyChecks' | 'listSessionsOf'
>;

export function makeNamedPlayerStore({ sql, write }: Runner): NamedPlayerStore {
  return {
    async findPlayer(tenant, world, playerId) {
      const row = await sql.get(
        `SELECT display_name, created_at FROM player
         WHERE tenant = :tenant AND world = :world AND player_id = :player`,
        { tenant, world, player: playerId },
      );
      if (row === undefined) return null;
      const displayName = textOrNull(row['display_name']);
      return { playerId, displayName, createdAt: Number(row['created_at']) };
    },
    async namePlayer(naming, idempotency) {
      await write(NAME, { naming, idempotency });
    },
    async listLobbyChecks(tenant, playerId) {
      const rows = await sql.all(
        `SELECT mode, verdict FROM lobby_check JOIN player ON player.ref = lobby_check.player
         WHERE tenant = :tenant AND world IN ('live', 'test') AND player_id = :player ORDER BY mode`,
        { tenant, player: playerId },
      );
      return rows.map(toLobbyCheck);
    },
    async listSessionsOf(tenant, playerId) {
      const rows = await sql.all(
        `SELECT seat.session, seat.seat,
           (SELECT rated FROM session WHERE session.id = seat.session) AS rated
         FROM player JOIN seat ON seat.player = player.ref
         WHERE player.tenant = :tenant AND player.world IN ('live', 'test') AND player.player_id = :player
         ORDER BY seat.session`,
        { tenant, player: playerId },
      );
      return rows.map((row) => {
        const seat = Number(row['seat']);
        const rating = toRatingChanges(row['rated'])?.[seat];
        return { session: String(row['session']), seat, ...(rating && { rating }) };
      });
    },
  };
}

interface Name {
  readonly naming: PlayerNaming;
  readonly idempotency: IdempotencyRow | null;
}

const NAME: Script<Name, null> = {
  name: 'namePlayer',
  async act(tx, asks) {
    const players = await playersOf(
      tx,
      asks.map(({ naming }) => naming),
    );
    await keepChecks(tx, asks, players);
    await keepAll(
      tx,
      asks.flatMap(({ idempotency }) => idempotency ?? []),
    );
    return asks.map(() => null);
  },
};

export const PLAYER_SCRIPTS = [NAME];

/** Nothing if the player is erased meanwhile: the erasure removes the checks, too. */
const KEEP_CHECKS = `INSERT INTO lobby_check (player, mode, verdict, checked_at)
  SELECT known.ref, given.world, given.verdict, given.at
    FROM @given(ref text, player_id text, world text, verdict text, at bigint)
    JOIN (SELECT ref, player_id FROM player WHERE ref IN :refs(text) ORDER BY ref FOR KEY SHARE) AS known
      ON known.ref = given.ref AND known.player_id = given.player_id
   WHERE TRUE ORDER BY known.ref, given.world
  ON CONFLICT (player, mode) DO UPDATE SET
    verdict = excluded.verdict, checked_at = excluded.checked_at`;

async function keepChecks(
  tx: Tx,
  asks: readonly Name[],
  players: readonly KnownPlayer[],
): Promise<void> {
  // The last one per player and mode stays.
  const checks = new Map(
    asks.flatMap(({ naming: { playerId, world, check, at } }, i) => {
      const { ref } = players[i]!;
      if (check === undefined) return [];
      return [[`${ref} ${world}`, { ref, playerId, world, verdict: check, at }] as const];
    }),
  );
  if (checks.size === 0) return;
  const given = [...checks.values()];
  await tx.run(KEEP_CHECKS, { given, refs: given.map(({ ref }) => ref) });
}
