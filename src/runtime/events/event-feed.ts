/** The log of events for its readers: pages, streams that wait for more, webhooks. */

import type { EventWorld, StoredEvent } from '../../events/event.ts';
import { parseWorldName, worldName } from '../../events/event.ts';
import { playerMarksIn } from '../../events/marks.ts';
import type { EventSession, EventView } from '../../events/render.ts';
import { renderEvent } from '../../events/render.ts';
import type { EventStore, EventSubject } from '../../store/events.ts';
import type { Cancel } from '../ports.ts';
import { type EventPlaces, makeEventPlaces } from './event-places.ts';

export interface EventFeed extends EventPlaces {
  /** Events after a position in the log, in order, as stored. */
  read(world: EventWorld, afterSeq: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Events as tenants read them, with current names: an erased player has none. */
  present(events: readonly StoredEvent[]): Promise<readonly EventView[]>;
  /**
   * Where a reader resumes after the event of that id. For an event that is not stored, from before the oldest, so
   * that nothing is skipped. `busy` as in `seqOf`.
   */
  placeOf(world: EventWorld, id: string): Promise<number | 'busy'>;
  /** The last position in the log; 0 when it is empty. */
  head(world: EventWorld): Promise<number>;
  /** The id of the event at a position, or of the stored event before it; null for none. */
  idAt(world: EventWorld, seq: number): Promise<string | null>;
  /** Calls `wake` once, as soon as there are events after a position. */
  wait(world: EventWorld, afterSeq: number, wake: () => void): Cancel;
  /** Waiting readers are woken; streams end. */
  close(): void;
  isClosed(): boolean;
}

/** Events of removed sessions leave gaps. At most this many positions are searched for an event. */
const LOOK_BACK = 100;

interface Waiting {
  readonly afterSeq: number;
  readonly wake: () => void;
}

type FeedStore = Pick<
  EventStore,
  'readEvents' | 'eventHead' | 'findEventSeq' | 'findEventSubjects' | 'findPlayerIds' | 'onEvents'
>;

export function makeEventFeed(store: FeedStore): EventFeed {
  /** The last position that was reported, by world. */
  const heads = new Map<string, number>();
  const waiting = new Map<string, Set<Waiting>>();
  let isClosed = false;

  const wakeAll = (name: string, head: number): void => {
    for (const each of [...(waiting.get(name) ?? [])]) {
      if (head > each.afterSeq) each.wake();
    }
  };
  store.onEvents(
    (world, head) => {
      const name = worldName(world);
      heads.set(name, head);
      wakeAll(name, head);
    },
    () => Array.from(waiting.keys(), parseWorldName),
  );

  const places = makeEventPlaces(store);
  return {
    ...places,
    placeOf: async (world, id) => (await places.seqOf(world, id)) ?? 0,
    read: (world, afterSeq, limit) => store.readEvents(world, afterSeq, limit),
    present: (events) => present(store, events),
    head: (world) => store.eventHead(world),
    async idAt(world, seq) {
      const from = Math.max(0, seq - LOOK_BACK);
      const near = await store.readEvents(world, from, LOOK_BACK);
      const found = near.findLast((event) => event.seq <= seq);
      if (found === undefined) return null;
      places.told(world, found);
      return found.id;
    },
    wait(world, afterSeq, wake) {
      const name = worldName(world);
      if (isClosed || (heads.get(name) ?? 0) > afterSeq) {
        wake();
        return () => {};
      }
      const here = waiting.get(name) ?? new Set();
      waiting.set(name, here);
      const one: Waiting = {
        afterSeq,
        wake() {
          leave();
          wake();
        },
      };
      const leave = (): void => {
        here.delete(one);
        if (here.size === 0 && waiting.get(name) === here) waiting.delete(name);
      };
      here.add(one);
      return leave;
    },
    close() {
      isClosed = true;
      for (const name of [...waiting.keys()]) wakeAll(name, Infinity);
    },
    isClosed: () => isClosed,
  };
}

async function present(
  store: Pick<EventStore, 'findEventSubjects' | 'findPlayerIds'>,
  events: readonly StoredEvent[],
): Promise<readonly EventView[]> {
  const sessions = events.flatMap(({ session }) => (session === null ? [] : [session]));
  const refs = events.flatMap(({ data }) =>
    data.includes('"$player"') ? playerMarksIn(JSON.parse(data)) : [],
  );
  const [subjects, playerIds] = await Promise.all([
    store.findEventSubjects(sessions),
    store.findPlayerIds(refs),
  ]);
  return events.map((event) => {
    const subject = event.session === null ? undefined : subjects.get(event.session);
    return renderEvent(event, subject === undefined ? null : toSession(subject), playerIds);
  });
}

function toSession({ row, seats, former }: EventSubject): EventSession {
  const { game, matchType, variant, roomCode, metadata } = row;
  return { game, matchType, variant, roomCode, metadata, seats, former };
}
