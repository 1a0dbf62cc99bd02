/** The port to the event log: events are written in the commit that they report, and read in order. */

import type { EventWorld, StoredEvent } from '../events/event.ts';
import type { EventSeat, FormerSeat } from '../events/render.ts';
import type { SessionRow } from './store.ts';

/** The session that an event is about. */
export interface EventSubject {
  readonly row: SessionRow;
  readonly seats: readonly EventSeat[];
  /** Players who left their seats before the start, in the order in which they left. */
  readonly former: readonly FormerSeat[];
}

export interface EventStore {
  /** Events after a position in the log, in order. */
  readEvents(world: EventWorld, afterSeq: number, limit: number): Promise<readonly StoredEvent[]>;
  /** The last position in the log; 0 when it is empty. */
  eventHead(world: EventWorld): Promise<number>;
  /**
   * The position of an event by its id, which was made at `from` (ms since 1970). Null when it does
   * not exist or is no longer stored. Also null when it lies too far from the events of that time:
   * anybody can make up an id, so the search is bounded.
   */
  findEventSeq(world: EventWorld, id: string, from: number): Promise<number | null>;
  /** The stored data of the sessions that events are about. Removed sessions are left out. */
  findEventSubjects(sessions: readonly string[]): Promise<ReadonlyMap<string, EventSubject>>;
  /** The player ids behind pseudonyms. Erased players are left out. */
  findPlayerIds(refs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Calls back after each commit of this process that wrote events, immediately. Events of other
   * processes are noticed within a second, in the modes that `watched` names. All events up to
   * `head` can be read then.
   */
  onEvents(
    listener: (world: EventWorld, head: number) => void,
    watched?: () => Iterable<EventWorld>,
  ): void;
  /** Removes older events, whole commits at a time. Returns how many. */
  removeEvents(world: EventWorld, olderThan: number, limit: number): Promise<number>;
}
