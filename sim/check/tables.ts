/** The invariants of the database at the end, and of tenants' responses: I8 to I15. */

import type { StoredEvent } from '../../src/events/event.ts';
import { openCounter } from '../../src/store/rows/open-counter.ts';
import {
  checkDeliveries,
  checkOneTicket,
  checkOrder,
  checkPlaces,
  checkRepeats,
  checkWindows,
  type Told as ToldPlace,
} from '../../src/testing/matches/histories.ts';
import type { Backend, SentRequest } from '../actors/tenant.ts';
import { eventsAfter, rowName, type StoredData } from '../store/stored.ts';
import type { Receiver } from '../world/receiver.ts';
import type { History } from './history.ts';

export interface FinalState {
  readonly kept: StoredData;
  readonly history: History;
  readonly backends: readonly Backend[];
  readonly receiver: Receiver;
  readonly requestsPerMinute: number;
}

export function checkTables({ kept, history, backends, ...rest }: FinalState): void {
  const add = (findings: readonly string[]): void => findings.forEach(history.found);
  for (const backend of backends) {
    add(checkTickets(kept, backend));
    add(checkAnswers(kept, backend));
    add(checkWindows(rest.requestsPerMinute, backend.windows));
  }
  add(checkGroups(kept));
  add(checkCounters(kept));
  add(checkHooks(kept, rest.receiver));
}

/** I8 and I9: tickets have the players that responses named. */
function checkTickets({ tickets }: StoredData, { tenant, sent }: Backend): string[] {
  const own = tickets.filter((row) => row.tenant === tenant);
  const namesOf = (row: (typeof own)[number]) => row.players.map(({ playerId }) => playerId ?? '');
  const forming = own.filter(({ status }) => status === 'forming');
  const places = own.flatMap((row) => {
    const adds = new Map<string, ToldPlace>();
    let isReduced = false;
    for (const each of sent) {
      if (!each.ask.path.includes(`/ticket/${row.id}/players`)) continue;
      if (each.ask.method === 'DELETE') isReduced = true;
      else adds.set((each.ask.body as { playerId: string }).playerId, 'unknown');
    }
    // A player who was removed again, or requested twice with different results, proves nothing.
    if (isReduced) return [];
    for (const each of sent) {
      if (!each.ask.path.includes(`/ticket/${row.id}/players`)) continue;
      const player = (each.ask.body as { playerId: string }).playerId;
      if (each.answers.some(({ status }) => status === 200)) adds.set(player, 'ok');
    }
    const { id, capacity } = row;
    return checkPlaces({ id, capacity, asked: adds, players: namesOf(row) });
  });
  const byGame = Map.groupBy(forming, ({ game, mode }) => `${game} ${mode}`);
  const one = [...byGame.values()].flatMap((rows) =>
    checkOneTicket(rows.map((row) => ({ id: row.id, players: namesOf(row) }))),
  );
  return [...places, ...one];
}

/** I10: each session of groups has their players, each group one session. */
function checkGroups({ tickets, sessions }: StoredData): string[] {
  const found: string[] = [];
  for (const row of tickets) {
    if (row.status !== 'started') continue;
    const session = sessions.get(row.session!);
    const seated = new Set(session?.seats);
    const missing = row.players.filter((player) => !seated.has(player));
    if (missing.length > 0) found.push(`I10: ${row.group} started without ${missing.length}`);
  }
  for (const { row, seats } of sessions.values()) {
    if (row.matchType !== 'hosted') continue;
    const groups = tickets.filter(({ session }) => session === row.id);
    const size = groups.reduce((sum, { players }) => sum + players.length, 0);
    if (size !== seats.length) found.push(`I10: ${row.id} has ${seats.length} of ${size} players`);
  }
  return found;
}

/** The plan's counters equal the rows. */
function checkCounters({ sessions, counters }: StoredData): string[] {
  const open = new Map<string, number>();
  for (const { row } of sessions.values()) {
    const name = rowName(row.tenant, openCounter(row));
    open.set(name, (open.get(name) ?? 0) + (row.status === 'ended' ? 0 : 1));
  }
  return [...open].flatMap(([name, n]) => {
    const counted = counters.get(name) ?? 0;
    return counted === n ? [] : [`I16: ${n} sessions are open and ${counted} are counted`];
  });
}

/** I15: one key, one response, one effect. */
function checkAnswers({ sessions, tickets: all }: StoredData, { tenant, sent }: Backend): string[] {
  const repeats = sent.flatMap(({ key, answers }) =>
    key === null ? [] : checkRepeats(key, answers.map(textOf)),
  );
  const made = new Map<string, number>();
  for (const { row } of sessions.values()) {
    if (row.tenant !== tenant || row.metadata === null) continue;
    made.set(row.metadata, (made.get(row.metadata) ?? 0) + 1);
  }
  const twice = [...made].filter(([, n]) => n > 1);
  const asks = sent.filter(isTicketRequest).length;
  const tickets = all.filter((row) => row.tenant === tenant).length;
  return [
    ...repeats,
    ...twice.map(([text, n]) => `I15: ${text} was asked for once and made ${n} sessions`),
    ...(tickets > asks ? [`I15: ${asks} tickets were asked for, ${tickets} were made`] : []),
  ];
}

function isTicketRequest({ ask }: SentRequest): boolean {
  return ask.path.includes('/hosted/ticket?');
}

/** The parts that are generated again for each response. */
const MINTED = new Set(['sessionToken', 'tokens', 'playUrls', 'token', 'playUrl']);

function textOf({ status, json }: { readonly status: number; readonly json: unknown }): string {
  return JSON.stringify([status, json], (name, value) => (MINTED.has(name) ? null : value));
}

/** I12: every event for a webhook was sent, or is still to be sent; in order within a session. */
function checkHooks(kept: StoredData, receiver: Receiver): string[] {
  return kept.webhooks.flatMap(({ webhook, outstanding }) => {
    const all = eventsAfter(kept, webhook, 0).filter(({ type }) => type !== 'move.made');
    const deliveries = receiver.got.get(webhook.url) ?? [];
    const accepted = new Set(deliveries.filter((d) => d.isAccepted).map(({ id }) => id));
    const rows = outstanding;
    // One row stands for all later events of its session in the log.
    const rests = rows.filter(({ standsFor }) => standsFor !== 'event');
    const isToCome = ({ id, seq, session }: StoredEvent): boolean =>
      seq > webhook.cursor ||
      rows.some((row) => row.id === id) ||
      rests.some((row) => row.session === session && row.seq < seq);
    const open = new Set(
      all.filter((event) => isToCome(event) && !accepted.has(event.id)).map(({ id }) => id),
    );
    const isSettled = ({ id }: { readonly id: string }): boolean => !open.has(id);
    const due = all.filter(isSettled).map(({ id }) => id);
    return [
      ...checkDeliveries(webhook.id, due, deliveries.filter(isSettled)),
      ...checkOrder(webhook.id, all, accepted),
    ];
  });
}
