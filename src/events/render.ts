/** An event as a tenant reads it: what is kept, with the names put in (rules E1, R2). */

import type { Mode } from '../match/record.ts';
import type { EventType, KeptEvent } from './event.ts';
import { parsePlayerMark, parseSeatMark } from './marks.ts';

/** Who sat where, as far as it is still known: an erased player has no id. */
export interface EventSeat {
  readonly seat: number;
  readonly playerId: string | null;
  readonly displayName: string | null;
  readonly isBot: boolean;
}

/** What is known of the session an event is about. */
export interface EventSession {
  readonly game: string;
  readonly matchType: string;
  readonly variant: string;
  readonly roomCode: string;
  /** JSON, as the tenant gave it; null for none. */
  readonly metadata: string | null;
  readonly seats: readonly EventSeat[];
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
  event: KeptEvent,
  session: EventSession | null,
  playerIds: ReadonlyMap<string, string>,
): EventView {
  const kept = JSON.parse(event.data) as Data;
  const seats = session?.seats ?? [];
  const own = nameIn(kept, seats, playerIds) as Data;
  return {
    id: event.id,
    type: event.type,
    ...(event.session === null ? null : { sessionId: event.session }),
    mode: event.mode,
    seq: event.seq,
    timestamp: new Date(event.at).toISOString(),
    data: session === null ? own : { ...describe(event.type, session, own), ...own },
  };
}

/** What stands in every event of a session, so that it can be understood alone. */
function describe(type: EventType, session: EventSession, own: Data): Data {
  const { game, matchType, variant, roomCode, metadata, seats } = session;
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

/** The same value with ids in place of marks; null where an id is no longer known. */
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
