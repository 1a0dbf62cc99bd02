/** What clients saw, compared with what was stored: pure checks, for real and simulated faults. */

/** A finding: the violated invariant (I1 to I17) and the details. */
export type Finding = `I${number}: ${string}`;

/** A move that was acknowledged to its player. */
export interface AckedMove {
  /** The client's id of the command (rule P4). */
  readonly id: string;
  readonly v: number;
  readonly seat: number;
  readonly action: unknown;
}

/** A move as logged, or as shown to a viewer. */
export interface LoggedMove {
  readonly v: number;
  readonly seat: number;
  readonly action: unknown;
}

export interface MatchHistory {
  readonly session: string;
  readonly acked: readonly AckedMove[];
  /** Moves shown to any viewer. */
  readonly shown: readonly LoggedMove[];
  /** Whether every player has seen the end, and the acks of all moves. Then the log has no others. */
  readonly isWhole: boolean;
  /** The seats of these players, if bots have the others; absent: they have all. */
  readonly seats?: readonly number[];
}

/** I1: acknowledged moves are stored. I4: nothing counts twice. I6: shown moves were committed. */
export function checkMatch(history: MatchHistory, log: readonly LoggedMove[]): Finding[] {
  const { session, acked, shown, isWhole, seats } = history;
  const findings: Finding[] = [];
  const kept = new Map(log.map((move) => [move.v, textOf(move)]));
  if (kept.size < log.length) findings.push(`I2: ${session} has a version twice`);
  const byId = new Map<string, number>();
  for (const move of acked) {
    if (kept.get(move.v) !== textOf(move)) findings.push(`I1: ${session} lost move ${move.v}`);
    const name = `${move.seat}/${move.id}`;
    const before = byId.get(name);
    if (before !== undefined && before !== move.v) {
      findings.push(`I4: ${session} took ${name} as ${before} and as ${move.v}`);
    }
    byId.set(name, move.v);
  }
  for (const move of shown) {
    if (kept.get(move.v) !== textOf(move)) {
      findings.push(`I6: ${session} showed move ${move.v}, which was never committed`);
    }
  }
  const versions = new Set(acked.map(({ v }) => v));
  const theirs = log.filter(({ seat }) => seats?.includes(seat) ?? true);
  if (isWhole && theirs.length > versions.size) {
    findings.push(`I4: ${session} has ${theirs.length} moves, ${versions.size} were sent`);
  }
  return findings;
}

function textOf({ seat, action }: LoggedMove): string {
  return JSON.stringify([seat, action]);
}

/** The result of a request: `unknown` without a response. */
export type Told = 'ok' | 'refused' | 'unknown';

/** Places that many requested at once: a ticket's, or the seats of a room. */
export interface PlacesHistory {
  /** The ticket or the session. */
  readonly id: string;
  readonly capacity: number;
  /** By player: the best response they got. */
  readonly asked: ReadonlyMap<string, Told>;
  /** The players in the end. */
  readonly players: readonly string[];
}

/** I8 and I16: never over capacity, nobody twice, nobody refused while a place is free. */
export function checkPlaces({ id, capacity, asked, players }: PlacesHistory): Finding[] {
  const findings: Finding[] = [];
  const seated = new Set(players);
  if (players.length > capacity) {
    findings.push(`I8: ${id} holds ${players.length}, its capacity is ${capacity}`);
  }
  if (seated.size < players.length) findings.push(`I8: ${id} holds somebody twice`);
  for (const [player, told] of asked) {
    if (told === 'ok' && !seated.has(player)) findings.push(`I8: ${id} lost ${player}`);
    if (told === 'refused' && seated.has(player)) {
      findings.push(`I8: ${id} holds ${player}, who was refused`);
    }
  }
  const strangers = players.filter((player) => !asked.has(player));
  if (strangers.length > 0) findings.push(`I8: ${id} holds ${strangers.join()}, who never asked`);
  return findings;
}

/** A group as the tenant knows it, and every session returned for a start of it. */
export interface GroupHistory {
  readonly group: string;
  readonly sessions: ReadonlySet<string>;
  /** The session that the ticket names in the end; null for none. */
  readonly kept: string | null;
}

/** I10: a group starts in one match, the one in the response. */
export function checkGroup({ group, sessions, kept }: GroupHistory): Finding[] {
  if (sessions.size > 1) return [`I10: ${group} started in ${[...sessions].join(' and ')}`];
  const [answered] = sessions;
  if (answered === undefined || answered === kept) return [];
  return [`I10: ${group} was answered with ${answered}, kept is ${kept}`];
}

/** I9: a player is in one ticket of a game at a time, started and cancelled ones aside. */
export function checkOneTicket(
  tickets: readonly { readonly id: string; readonly players: readonly string[] }[],
): Finding[] {
  const found: Finding[] = [];
  const ticketOf = new Map<string, string>();
  for (const { id, players } of tickets) {
    for (const player of players) {
      const other = ticketOf.get(player);
      if (other !== undefined) found.push(`I9: ${player} is in ${other} and in ${id}`);
      ticketOf.set(player, id);
    }
  }
  return found;
}

/** I13: no window let through more requests than the limit. By window: how many. */
export function checkWindows(limit: number, allowed: ReadonlyMap<string, number>): Finding[] {
  return [...allowed]
    .filter(([, count]) => count > limit)
    .map(([window, count]): Finding => `I13: ${count} in window ${window}, the limit is ${limit}`);
}

/** Responses to one Idempotency-Key, as texts without generated parts. */
export function checkRepeats(key: string, answers: readonly string[]): Finding[] {
  const different = new Set(answers);
  return different.size > 1 ? [`I15: ${key} was answered in ${different.size} ways`] : [];
}

/** One request to an endpoint. */
export interface Delivery {
  /** The header `webhook-id`. */
  readonly id: string;
  readonly body: string;
  /** Whether the endpoint accepted it. */
  readonly isAccepted: boolean;
}

/** I12: every event arrived, under its id, with the same bytes each time, and nothing else. */
export function checkDeliveries(
  name: string,
  events: Iterable<string>,
  deliveries: Iterable<Delivery>,
): Finding[] {
  const bodies = new Map<string, string>();
  const accepted = new Set<string>();
  const findings: Finding[] = [];
  for (const { id, body, isAccepted } of deliveries) {
    const before = bodies.get(id);
    if (before !== undefined && before !== body) {
      findings.push(`I12: ${name} got ${id} with two bodies`);
    }
    bodies.set(id, body);
    if (isAccepted) accepted.add(id);
  }
  const known = new Set(events);
  const missing = [...known].filter((id) => !accepted.has(id));
  if (missing.length > 0) findings.push(`I12: ${name} misses ${missing.length}, ${missing[0]}`);
  const strange = [...bodies.keys()].filter((id) => !known.has(id));
  if (strange.length > 0) findings.push(`I12: ${name} got ${strange.length} that are in no log`);
  return findings;
}

/** An endpoint's accepted events, in order, against the log: within a session the order is kept. */
export function checkOrder(
  name: string,
  log: readonly { readonly id: string; readonly session: string | null }[],
  accepted: Iterable<string>,
): Finding[] {
  const places = new Map([...new Set(accepted)].map((id, place) => [id, place]));
  const last = new Map<string, number>();
  return log.flatMap(({ id, session }): Finding[] => {
    const place = places.get(id);
    if (place === undefined || session === null) return [];
    const before = last.get(session) ?? -1;
    last.set(session, Math.max(place, before));
    return place < before ? [`I12: ${name} got ${id} after a later one of ${session}`] : [];
  });
}
