/** An event as a tenant reads it: its stored form with the names inserted (rules E1, R2). */

import type { Mode } from '../match/record.ts';
import type { EventType, StoredEvent } from './event.ts';
import { parsePlayerMark, parseSeatMark } from './marks.ts';

/** The players of the seats, as far as they are still known: an erased player has no id. */
export interface EventSeat {
  readonly seat: number;
  readonly playerId: string | null;
  readonly displayName: string | null;
  readonly isBot: boolean;
}

/** The seat's player until the record of that version. */
export interface FormerSeat extends EventSeat {
  readonly leftV: number;
}

/** What is known of an event's session. */
export interface EventSession {
  readonly game: string;
  readonly matchType: string;
  readonly variant: string;
  readonly roomCode: string;
  /** JSON, as the tenant gave it; null for none. */
  readonly metadata: string | null;
  readonly seats: readonly EventSeat[];
  readonly former: readonly FormerSeat[];
}

/** An event on the wire, the same in pages, streams and webhooks. */
export interface EventView {
  readonly id: string;
  readonly type: EventType;
  readonly sessionId?: string;
  readonly mode: Mode;
  /** Its place in the log of its tenant and mode, from 1 without a gap. */
  readonly seq: number;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Data = Readonly<Record<string, unknown>>;

/**
 * `session` is null when the event is about none, or when the session has been removed;
 * `playerIds` are those behind the pseudonyms in the data.
 */
export function renderEvent(
  event: StoredEvent,
  session: EventSession | null,
  playerIds: ReadonlyMap<string, string>,
): EventView {
  const kept = JSON.parse(event.data) as Data;
  const seats = session === null ? [] : seatsAt(session, versionOf(event.type, kept));
  const own = nameIn(kept, seats, playerIds) as Data;
  return {
    id: event.id,
    type: event.type,
    ...(event.session === null ? null : { sessionId: event.session }),
    mode: event.mode,
    seq: event.seq,
    timestamp: new Date(event.at).toISOString(),
    data: session === null ? own : { ...describe(event.type, session, seats, own), ...own },
  };
}

/** The version of the record that an event is derived from; Infinity for none. */
function versionOf(type: EventType, { v }: Data): number {
  if (type === 'session.created') return 0;
  return typeof v === 'number' ? v : Infinity;
}

/** The players at the record of that version: a player who leaves with it still counts. */
function seatsAt({ seats, former }: EventSession, v: number): readonly EventSeat[] {
  if (former.length === 0) return seats;
  const before = former.filter(({ leftV }) => leftV >= v);
  const isBefore = (seat: number) => before.some((each) => each.seat === seat);
  const first = before.filter(
    (each, i) => before.findIndex(({ seat }) => seat === each.seat) === i,
  );
  return [...first, ...seats.filter(({ seat }) => !isBefore(seat))].sort((a, b) => a.seat - b.seat);
}

/** Fields of every event of a session, so that each can be understood alone. */
function describe(
  type: EventType,
  session: EventSession,
  seats: readonly EventSeat[],
  own: Data,
): Data {
  const { game, matchType, variant, roomCode, metadata } = session;
  const notes = { metadata: metadata === null ? null : (JSON.parse(metadata) as unknown) };
  if (typeof own['seat'] === 'number') {
    const found = seats.find(({ seat }) => seat === own['seat']);
    const playerId = found?.playerId ?? null;
    return { game, playerId, isBot: found?.isBot ?? false, ...notes };
  }
  if (!type.startsWith('session.')) return { game, ...notes };
  const taken = Array.isArray(own['seats']) ? (own['seats'] as readonly number[]) : null;
  const players = seats
    .filter(({ seat }) => taken === null || taken.includes(seat))
    .map(({ playerId, displayName, seat, isBot }) => ({ id: playerId, displayName, seat, isBot }));
  const room = type === 'session.created' ? { roomCode } : null;
  return { game, matchType, variant, ...room, players, ...notes };
}

/** The same value with ids in place of marks; null if an id is no longer known. */
function nameIn(
  value: unknown,
  seats: readonly EventSeat[],
  playerIds: ReadonlyMap<string, string>,
): unknown {
  if (typeof value === 'string') {
    const marked = parseSeatMark(value);
    if (marked === null) return value;
    return seats.find(({ seat }) => seat === marked)?.playerId ?? null;
  }
  if (typeof value !== 'object' || value === null) return value;
  const ref = parsePlayerMark(value);
  if (ref !== null) return playerIds.get(ref) ?? null;
  if (Array.isArray(value)) return value.map((each) => nameIn(each, seats, playerIds));
  const named: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) named[name] = nameIn(each, seats, playerIds);
  return named;
}
