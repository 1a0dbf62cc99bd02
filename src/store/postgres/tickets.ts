/** The start of groups in PostgreSQL. */

import type { TicketStore } from '../tickets.ts';
import { startAll } from './groups.ts';
import type { Transactor } from './sql.ts';
import { makeTogether } from './together.ts';

/** One transaction is under way at a time: two would wait for the same tenant's rows. */
const TOGETHER = { lanes: 1, batchMax: 128 } as const;

export function makeGroupStore(db: Transactor, node: string): Pick<TicketStore, 'startGroups'> {
  return { startGroups: makeTogether(db, TOGETHER, (tx, starts) => startAll(tx, node, starts)) };
}
