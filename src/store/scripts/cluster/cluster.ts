/** What nodes know of each other: leases, who holds a session, mail, and players whom others have erased. */

import type { ClusterStore, ErasureStore } from '../../cluster.ts';
import { FORGET_LATE_ANSWERS } from '../shared/forgotten-answers.ts';
import { LEASE_SCRIPTS, makeLeaseStore } from '../shared/leases.ts';
import type { Runner } from '../shared/script.ts';
import { HOLD_SCRIPTS, makeHoldStore } from './holds.ts';
import { MAIL_SCRIPTS, makeMailStore } from './mail.ts';

/** `beats`: what leases are read and written with. In PostgreSQL they wait for nothing else. */
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
        // Seat by seat: a join may begin at all players there are, for the few who were erased.
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
