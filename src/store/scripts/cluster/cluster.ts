/** What nodes share: leases, session owners, mail, and players erased by other nodes. */

import type { ClusterStore, ErasureStore } from '../../cluster.ts';
import { FORGET_LATE_ANSWERS } from '../shared/forgotten-answers.ts';
import { LEASE_SCRIPTS, makeLeaseStore } from '../shared/leases.ts';
import type { Runner } from '../shared/script.ts';
import { HOLD_SCRIPTS, makeHoldStore } from './holds.ts';
import { MAIL_SCRIPTS, makeMailStore } from './mail.ts';

/**
 * `beats`: the runner for leases. In PostgreSQL it has a connection of its own, so that a heartbeat
 * never waits.
 */
export function makeClusterStore(runner: Runner, beats: Runner = runner): ClusterStore {
  return {
    ...makeLeaseStore(beats),
    ...makeHoldStore(runner),
    ...makeMailStore(runner),
    ...makeErasureStore(runner),
  };
}

function makeErasureStore({ sql, write }: Runner): ErasureStore {
  return {
    async erasureRevision() {
      const row = await sql.get("SELECT n FROM revision WHERE name = 'erasures'");
      return Number(row?.['n'] ?? 0);
    },
    async listErased(sessions) {
      const rows = await sql.all(
        // One lookup per seat: a join may start from all players to find the few erased ones.
        `SELECT session, seat, (SELECT erased_at FROM player WHERE ref = seat.player) AS at
           FROM seat WHERE session IN :sessions(text)
            AND (SELECT player_id IS NULL FROM player WHERE ref = seat.player)`,
        { sessions },
      );
      return rows.map(({ session, seat, at }) => ({
        session: String(session),
        seat: Number(seat),
        at: Number(at),
      }));
    },
    async forgetAnswers(tenant, world, playerId) {
      await write(FORGET_LATE_ANSWERS, { tenant, world, playerId });
    },
  };
}

export const CLUSTER_SCRIPTS = [...LEASE_SCRIPTS, ...HOLD_SCRIPTS, ...MAIL_SCRIPTS];
