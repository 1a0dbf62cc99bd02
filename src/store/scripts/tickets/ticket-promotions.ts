/** Tickets that become groups, many per transaction. */

import { makePlayerMark } from '../../../events/marks.ts';
import { presentGroup } from '../../../matchmaking/present-group.ts';
import type { Group } from '../../../matchmaking/ticket.ts';
import { decidePromote } from '../../../matchmaking/ticket.ts';
import type { Row } from '../../rows/row.ts';
import type { PromoteOutcome, Promotion, TicketWorld } from '../../tickets.ts';
import { countAll, counterKey } from '../shared/counters.ts';
import type { Script, Tx } from '../shared/script.ts';
import {
  emitTicketEvent,
  inWorld,
  keepAnswersOf,
  lockTickets,
  refsOf,
  toWholeTicket,
} from './ticket-rows.ts';

export const PROMOTE_TICKETS: Script<Promotion, PromoteOutcome> = {
  name: 'promoteTicket',
  act: promoteAll,
};

/** A promotion, before its pool position is assigned. */
interface Promoted {
  readonly promotion: Promotion;
  readonly row: Row;
}

async function promoteAll(
  tx: Tx,
  promotions: readonly Promotion[],
): Promise<readonly PromoteOutcome[]> {
  const rows = await lockTickets(
    tx,
    promotions.map(({ ticket }) => ticket),
  );
  const outcomes = new Map<Promotion, PromoteOutcome>();
  const promoted = new Map<string, Promoted>();
  for (const promotion of promotions) {
    const row = inWorld(rows.get(promotion.ticket), promotion);
    if (row !== null && promoted.has(promotion.ticket)) continue;
    const decision = decidePromote(row === null ? null : toWholeTicket(row));
    if (decision.kind === 'promote') promoted.set(promotion.ticket, { promotion, row: row! });
    else outcomes.set(promotion, decision);
  }
  const places = await write(tx, [...promoted.values()]);
  return promotions.map((promotion): PromoteOutcome => {
    const outcome = outcomes.get(promotion);
    if (outcome !== undefined) return outcome;
    const first = promoted.get(promotion.ticket)!;
    // Of several parallel calls, the first promotes.
    const kind = first.promotion === promotion ? 'promoted' : 'again';
    return { kind, group: toGroup(first, places.get(promotion.ticket)!) };
  });
}

function toGroup({ promotion, row }: Promoted, place: number): Group {
  const { group, at } = promotion;
  const fields = { status: 'promoted', group_id: group, promoted_at: at, pool_place: place };
  return toWholeTicket({ ...row, ...fields }) as Group;
}

/** Returns the pool positions, by ticket. */
async function write(tx: Tx, promoted: readonly Promoted[]): Promise<ReadonlyMap<string, number>> {
  if (promoted.length === 0) return new Map();
  for (const each of promoted) tell(tx, each);
  const ids = promoted.map(({ promotion }) => promotion.ticket);
  await tx.run('UPDATE ticket_player SET forming = FALSE WHERE ticket IN :ids(text)', { ids });
  await keepAnswersOf(tx, promoted.map(withBody));
  const places = await takePlaces(tx, promoted);
  await tx.run(
    `UPDATE ticket SET status = 'promoted', group_id = given.group_id, promoted_at = given.at,
       pool_place = given.pool_place
       FROM @given(ticket text, group_id text, at bigint, pool_place bigint)
      WHERE ticket.id = given.ticket`,
    {
      given: promoted.map(({ promotion: { ticket, group, at } }) => ({
        ticket,
        groupId: group,
        at,
        poolPlace: places.get(ticket)!,
      })),
    },
  );
  return places;
}

/** With the response to store, which has no pool position. */
function withBody(each: Promoted): Pick<Promotion, 'idempotency'> {
  const { idempotency } = each.promotion;
  const body = JSON.stringify({ group: presentGroup(toGroup(each, 0)) });
  return { idempotency: idempotency && { ...idempotency, body } };
}

/**
 * Positions are counted per pool: cursors show them, and they must not reveal anything about other
 * tenants. The transaction that takes the next ones keeps the counter locked until its commit, so
 * that positions become visible in order.
 */
async function takePlaces(
  tx: Tx,
  promoted: readonly Promoted[],
): Promise<ReadonlyMap<string, number>> {
  const counters = promoted.map(({ promotion }) => poolCounter(promotion));
  const counts = new Map(await countAll(tx, counters));
  const places = new Map<string, number>();
  for (const { promotion } of promoted.toReversed()) {
    const key = counterKey(poolCounter(promotion));
    const place = counts.get(key)!;
    places.set(promotion.ticket, place);
    counts.set(key, place - 1);
  }
  return places;
}

function poolCounter({ tenant, mode, game }: TicketWorld) {
  return { tenant, name: `pool:${mode}:${game}` };
}

function tell(tx: Tx, { promotion, row }: Promoted): void {
  const { ticket: ticketId, group: groupId, game } = promotion;
  const players = refsOf(row).map(makePlayerMark);
  const data = { ticketId, groupId, game, players, capacity: Number(row['capacity']) };
  emitTicketEvent(tx, promotion, 'ticket.promoted', data);
}
