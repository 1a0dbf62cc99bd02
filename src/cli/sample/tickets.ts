/** The hosted matchmaking of the sample tenant as it is now: tickets that form, and groups that wait. */

import type { GameId } from '../../../game/src/game.ts';
import type { Refused } from '../../matchmaking/ticket.ts';
import type { Randomness } from '../../runtime/ports.ts';
import type { PresenceStore, TicketStore } from '../../store/tickets.ts';
import { type KeyMode, limitsOf, type Tenant } from '../../tenancy/tenant.ts';
import { makeIdsAt } from './ids-at.ts';
import type { Person } from './people.ts';

const SECOND_MS = 1_000;

interface SampleTicket {
  readonly game: GameId;
  readonly capacity: number;
  readonly players: number;
  /** How long ago it was created, s. */
  readonly age: number;
  readonly isPromoted: boolean;
}

/** Oldest first, and all older than the matches that are being played. */
const TICKETS: readonly SampleTicket[] = [
  { game: 'ludo', capacity: 4, players: 4, age: 1_500, isPromoted: true },
  { game: 'connect4', capacity: 1, players: 1, age: 1_420, isPromoted: true },
  { game: 'connect4', capacity: 1, players: 1, age: 1_290, isPromoted: true },
  { game: 'ludo', capacity: 4, players: 3, age: 1_230, isPromoted: false },
  { game: 'checkers', capacity: 2, players: 1, age: 1_110, isPromoted: false },
  { game: 'ludo', capacity: 2, players: 0, age: 1_020, isPromoted: false },
];

type Port = Pick<TicketStore, 'createTicket' | 'addToTicket' | 'promoteTicket'> &
  Pick<PresenceStore, 'setPresence'>;

export interface TicketPlan {
  readonly tenant: Tenant;
  readonly mode: KeyMode;
  readonly node: string;
  readonly now: number;
  /** In no match. */
  readonly people: readonly Person[];
}

export async function writeTickets(
  store: Port,
  { tenant, mode, node, now, people }: TicketPlan,
  randomness: Randomness,
): Promise<void> {
  let at = now;
  const makeId = makeIdsAt(() => at, randomness);
  // A player is in one ticket at a time.
  const free = [...people];
  for (const { game, capacity, players, age, isPromoted } of TICKETS) {
    at = now - age * SECOND_MS;
    const ref = { tenant: tenant.id, mode, game, ticket: makeId('tkt') };
    const write = () => ({ ...ref, at, eventId: makeId('evt'), idempotency: null });
    const { openTickets: openTicketsMax } = limitsOf(tenant);
    expectDone(await store.createTicket({ ...write(), capacity, openTicketsMax }));
    for (const { id: playerId } of free.splice(0, players)) {
      at += 5 * SECOND_MS;
      // Only who is connected is added; none of them is any more.
      const presence = { tenant: tenant.id, mode, playerId, node };
      await store.setPresence({ ...presence, isConnected: true });
      expectDone(await store.addToTicket({ ...write(), playerId, newRef: makeId('ply') }));
      await store.setPresence({ ...presence, isConnected: false });
    }
    if (!isPromoted) continue;
    at += 2 * SECOND_MS;
    expectDone(await store.promoteTicket({ ...write(), group: makeId('grp') }));
  }
}

function expectDone(outcome: { readonly kind: string } | Refused): void {
  if ('refusal' in outcome) throw new Error(`a sample ticket was refused: ${outcome.refusal.code}`);
}
