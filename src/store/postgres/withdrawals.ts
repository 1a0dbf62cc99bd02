/** Withdrawals in a PostgreSQL database, and repeating them in a restored one (rule R2). */

import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Named, Withdrawal } from '../shared/withdrawal.ts';
import type { Sql } from './connect/sql.ts';

export async function listWithdrawals(sql: Sql): Promise<readonly Withdrawal[]> {
  const rows = await sql.all(
    `SELECT 'player' AS kind, ref AS id, erased_at AS at FROM player WHERE erased_at IS NOT NULL
     UNION ALL SELECT 'key', id, revoked_at FROM api_key WHERE revoked_at IS NOT NULL
     UNION ALL SELECT 'secret', id, expires_at FROM key_secret WHERE expires_at IS NOT NULL`,
  );
  return rows.map((row) => ({
    kind: row['kind'] as Withdrawal['kind'],
    id: String(row['id']),
    at: Number(row['at']),
  }));
}

/** The player behind a pseudonym; null if there is none any more. */
export async function findNamed(sql: Sql, ref: string): Promise<Named | null> {
  const row = await sql.get(
    'SELECT tenant, world, player_id FROM player WHERE ref = $1 AND player_id IS NOT NULL',
    ref,
  );
  return row === undefined
    ? null
    : {
        tenant: String(row['tenant']),
        world: row['world'] as KeyMode,
        playerId: String(row['player_id']),
      };
}

/** Ends a secret at a time, if it would be valid longer. Returns whether it would have been. */
export async function endSecret(sql: Sql, id: string, at: number): Promise<boolean> {
  const ended = await sql.run(
    'UPDATE key_secret SET expires_at = $2 WHERE id = $1 AND (expires_at IS NULL OR expires_at > $2)',
    id,
    at,
  );
  return ended > 0;
}

/** Signs everybody out of the dashboard and invalidates its links. */
export async function endLogins(sql: Sql): Promise<void> {
  await sql.run('DELETE FROM login');
  await sql.run('DELETE FROM account_link');
}
