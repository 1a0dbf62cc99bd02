/** The port to the log of events: written in the commit that it reports, read in order. */

import type { EventWorld, StoredEvent } from '../events/event.ts';
import type { EventSeat, FormerSeat } from '../events/render.ts';
import type { SessionRow } from './store.ts';

/** The session an event is about. */
export interface EventSubject {
  readonly row: SessionRow;
  readonly seats: readonly EventSeat[];
  /** Those who left their seats before the start, in the order in which they did. */
  readonly former: readonly FormerSeat[];
}

export interface EventStore {
  /** Events after a place in the log, in order. */
  readEvents(world: EventWorld, afterSeq: number, limit: number): Promise<readonly StoredEvent[]>;
  /** The last place in the log; 0 when it is empty. */
  eventHead(world: EventWorld): Promise<number>;
  /**
   * The place of an event by its id, which was made at `from` (ms since 1970). Null when it is not
   * there, or no longer; or so far from where ids of that time are written that looking for it
   * would cost too much: anybody can make up an id.
   */
  findEventSeq(world: EventWorld, id: string, from: number): Promise<number | null>;
  /** What is known of the sessions that events are about. Those that have gone are left out. */
  findEventSubjects(sessions: readonly string[]): Promise<ReadonlyMap<string, EventSubject>>;
  /** The player ids behind pseudonyms; erased ones are left out. */
  findPlayerIds(refs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Calls after commits of this process that wrote events, at once. Those of other processes are
   * noticed within a second, in the worlds that `watched` names. All up to `head` can be read then.
   */
  onEvents(
    listener: (world: EventWorld, head: number) => void,
    watched?: () => Iterable<EventWorld>,
  ): void;
  /** Removes events older than that, in steps of whole commits; answers how many went. */
  removeEvents(world: EventWorld, olderThan: number, limit: number): Promise<number>;
}
