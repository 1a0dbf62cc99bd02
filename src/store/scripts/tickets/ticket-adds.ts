/** Players added to tickets, many per transaction: each by the rules, as if they came one by one. */

import { makePlayerMark } from '../../../events/marks.ts';
import { LOBBY_CHECK_MS } from '../../../integrity/checks.ts';
import { decideAdd } from '../../../matchmaking/ticket.ts';
import { presenceKey } from '../../rows/presence-key.ts';
import { type Row, textOrNull } from '../../rows/row.ts';
import { statusOf } from '../../rows/ticket-rows.ts';
import type { AddOutcome, PlayerAdd } from '../../tickets.ts';
import { worldOf } from '../../world.ts';
import { keepPlayers, playersOf } from '../shared/player-rows.ts';
import type { Script, Tx } from '../shared/script.ts';
import { emitTicketEvent, inWorld, keepAnswersOf } from './ticket-rows.ts';

/** Attempts to look players up; each retry is because another node moved one of them. */
const ATTEMPTS_MAX = 10;

export const ADD_TO_TICKETS: Script<PlayerAdd, AddOutcome> = { name: 'addToTicket', act: addAll };

async function addAll(tx: Tx, adds: readonly PlayerAdd[]): Promise<readonly AddOutcome[]> {
  await keepPlayers(tx, adds.map(inItsWorld));
  const tickets = await lockTickets(tx, adds);
  const outcomes = new Map<PlayerAdd, AddOutcome>();
  for (let looks = 0; outcomes.size < adds.length; looks++) {
    if (looks === ATTEMPTS_MAX) throw new Error('players are added and taken away again and again');
    const open = adds.filter((add) => !outcomes.has(add));
    const wishes = await decideAll(tx, tickets, open, outcomes);
    const placed = await placeAll(tx, tickets, wishes);
    for (const { add } of placed) outcomes.set(add, { kind: 'added' });
    await emitAll(tx, tickets, placed);
  }
  return adds.map((add) => outcomes.get(add)!);
}

function inItsWorld(add: PlayerAdd) {
  const { tenant, playerId, newRef, at } = add;
  return { tenant, world: worldOf(add), playerId, newRef, at };
}

/** A locked ticket, as this transaction has changed it so far. */
interface LockedTicket {
  readonly row: Row;
  taken: number;
  nextPlace: number;
}

async function lockTickets(
  tx: Tx,
  adds: readonly PlayerAdd[],
): Promise<ReadonlyMap<string, LockedTicket>> {
  const ids = [...new Set(adds.map(({ ticket }) => ticket))];
  const rows = await tx.all('SELECT * FROM ticket WHERE id IN :ids(text) ORDER BY id FOR UPDATE', {
    ids,
  });
  // Places as of after the locks.
  const places = await tx.all(
    `SELECT ticket, max(place) + 1 AS next FROM ticket_player
      WHERE ticket IN :ids(text) GROUP BY ticket`,
    { ids },
  );
  const next = new Map(places.map((row) => [row['ticket'], Number(row['next'])]));
  return new Map(
    rows.map((row) => [
      String(row['id']),
      { row, taken: Number(row['taken']), nextPlace: next.get(row['id']) ?? 0 },
    ]),
  );
}

/** A player to add to a ticket; `ref` is null if the tenant does not know them yet. */
interface Wish {
  readonly add: PlayerAdd;
  readonly ref: string | null;
}

const FACTS = `SELECT known.ref,
    EXISTS (SELECT 1 FROM ticket_player
      WHERE ticket_player.player = known.ref AND ticket_player.game = given.game
        AND ticket_player.ticket = given.ticket) AS inside,
    (SELECT ticket FROM ticket_player WHERE ticket_player.player = known.ref
        AND ticket_player.mode = given.mode AND ticket_player.game = given.game
        AND ticket_player.forming) AS elsewhere
  FROM @given(ticket text, tenant text, mode text, game text, player_id text, i place)
  LEFT JOIN player AS known
    ON known.tenant = given.tenant AND known.world = given.mode
   AND known.player_id = given.player_id
  ORDER BY i`;

/**
 * Decides in order, each with those before it. Returns whom to place. Those refused because of
 * others are decided again once the others have their places.
 */
async function decideAll(
  tx: Tx,
  tickets: ReadonlyMap<string, LockedTicket>,
  adds: readonly PlayerAdd[],
  outcomes: Map<PlayerAdd, AddOutcome>,
): Promise<readonly Wish[]> {
  const [facts, connected] = await Promise.all([
    tx.all(FACTS, { given: adds }),
    tx.connected(adds),
  ]);
  const wishes: Wish[] = [];
  /** The tickets of the players to be placed, by player and game. */
  const goings = new Map<string, string>();
  const growth = new Map<string, number>();
  for (const [i, add] of adds.entries()) {
    const fact = facts[i]!;
    const locked = tickets.get(add.ticket);
    const ticket = inWorld(locked?.row, add) && locked!;
    const player = JSON.stringify([add.tenant, add.mode, add.game, add.playerId]);
    const going = goings.get(player) ?? null;
    const grown = growth.get(add.ticket) ?? 0;
    const decision = decideAdd(
      ticket && {
        status: statusOf(ticket.row),
        capacity: Number(ticket.row['capacity']),
        taken: ticket.taken + grown,
      },
      {
        isInside: Boolean(fact['inside']) || going === add.ticket,
        isConnected: connected.has(presenceKey(add)),
        elsewhere: going ?? textOrNull(fact['elsewhere']),
      },
    );
    if (decision.kind === 'add') {
      wishes.push({ add, ref: textOrNull(fact['ref']) });
      goings.set(player, add.ticket);
      growth.set(add.ticket, grown + 1);
    } else if (going === null && grown === 0) outcomes.set(add, decision);
  }
  return wishes;
}

/** A placed player. */
interface Placed {
  readonly add: PlayerAdd;
  readonly ref: string;
}

/**
 * Adds players with these ids to their tickets. Leaves out those who were erased, or added to
 * another ticket of the game, a moment ago. In key order, because another node may want the same
 * players.
 */
const PLACE = `WITH
  known AS (
    SELECT ref, player_id FROM player WHERE ref IN :refs(text) ORDER BY ref FOR KEY SHARE
  )
  INSERT INTO ticket_player (ticket, place, player, mode, game, forming, added_at, integrity)
  SELECT ticket, place, player, mode, game, TRUE, at, coalesce(integrity, (
      SELECT verdict FROM lobby_check WHERE lobby_check.player = given.player
        AND lobby_check.mode = given.mode AND checked_at > at - ${LOBBY_CHECK_MS}))
    FROM @given(ticket text, place int, player text, player_id text, mode text, game text, at bigint,
        integrity text)
    JOIN known ON known.ref = given.player AND known.player_id = given.player_id
   WHERE TRUE ORDER BY player, mode, game
  ON CONFLICT DO NOTHING RETURNING ticket, player`;

async function placeAll(
  tx: Tx,
  tickets: ReadonlyMap<string, LockedTicket>,
  wishes: readonly Wish[],
): Promise<readonly Placed[]> {
  if (wishes.length === 0) return [];
  const found = await findRefs(tx, wishes);
  const given = found.map(({ add, ref }) => ({
    ...add,
    player: ref,
    place: takePlace(tickets.get(add.ticket)!),
  }));
  const rows = await tx.all(PLACE, { refs: found.map(({ ref }) => ref), given });
  const there = new Set(rows.map(({ ticket, player }) => `${ticket} ${player}`));
  return found.filter(({ add, ref }) => there.has(`${add.ticket} ${ref}`));
}

/** Gaps are harmless: places only give the order of arrival. */
function takePlace(ticket: LockedTicket): number {
  ticket.nextPlace += 1;
  return ticket.nextPlace - 1;
}

/** The pseudonyms of all. A player whom the tenant does not know yet is created. */
async function findRefs(tx: Tx, wishes: readonly Wish[]): Promise<readonly Placed[]> {
  const unknown = wishes.filter(({ ref }) => ref === null).map(({ add }) => add);
  const made = await playersOf(
    tx,
    unknown.map((add) => ({ ...inItsWorld(add), displayName: null })),
  );
  const refs = new Map(unknown.map((add, i) => [add, made[i]!.ref]));
  return wishes.map(({ add, ref }) => ({ add, ref: ref ?? refs.get(add)! }));
}

/** Counts the placed players, emits an event for each and stores the responses. */
async function emitAll(
  tx: Tx,
  tickets: ReadonlyMap<string, LockedTicket>,
  placed: readonly Placed[],
): Promise<void> {
  if (placed.length === 0) return;
  for (const { add, ref } of placed) {
    const { ticket: ticketId, game } = add;
    const ticket = tickets.get(ticketId)!;
    ticket.taken += 1;
    const { taken, row } = ticket;
    const capacity = Number(row['capacity']);
    const data = { ticketId, game, playerId: makePlayerMark(ref), taken, capacity };
    emitTicketEvent(tx, add, 'ticket.player_added', data);
  }
  const adds = placed.map(({ add }) => add);
  await keepAnswersOf(tx, adds);
  const grown = [...new Set(adds.map(({ ticket }) => ticket))];
  await tx.run(
    `UPDATE ticket SET taken = given.taken FROM @given(id text, taken int)
      WHERE ticket.id = given.id`,
    { given: grown.map((id) => ({ id, taken: tickets.get(id)!.taken })) },
  );
}
