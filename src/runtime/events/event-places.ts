/** Positions of events in the log, by id: cached for readers, searched otherwise. */

import type { EventWorld, StoredEvent } from '../../events/event.ts';
import { worldName } from '../../events/event.ts';
import type { EventStore } from '../../store/events.ts';
import { idTime } from '../ids.ts';

export interface EventPlaces {
  /** The position of an event by id; null when it is not stored; `busy` when too many searches wait. */
  seqOf(world: EventWorld, id: string): Promise<number | null | 'busy'>;
  /** A reader was sent this event and may come back with its id. */
  told(world: EventWorld, event: Pick<StoredEvent, 'id' | 'seq'>): void;
}

/** Cached positions: the last one of a few thousand readers. */
const PLACES_MAX = 4_096;

/** Searches of one world that may wait for the running one: each may take a second of a core. */
const SEARCHES_WAITING_MAX = 16;

type PlaceStore = Pick<EventStore, 'readEvents' | 'findEventSeq'>;

export function makeEventPlaces(store: PlaceStore): EventPlaces {
  /** Positions by world and id, the latest reported at the end. */
  const places = new Map<string, number>();
  const search = makeSearches(store);
  const told: EventPlaces['told'] = (world, { id, seq }) => {
    const key = `${worldName(world)} ${id}`;
    places.delete(key);
    places.set(key, seq);
    if (places.size > PLACES_MAX) places.delete(places.keys().next().value!);
  };
  return {
    told,
    async seqOf(world, id) {
      const seq = places.get(`${worldName(world)} ${id}`);
      if (seq !== undefined) {
        // A cached position is checked: a restored store has another log.
        const [event] = await store.readEvents(world, seq - 1, 1);
        if (event?.id === id) return seq;
      }
      const found = await search(world, id);
      if (typeof found === 'number') told(world, { id, seq: found });
      return found;
    },
  };
}

/** One search at a time in a world, because anybody can make up an id. Callers with the same id share it. */
function makeSearches(
  store: PlaceStore,
): (world: EventWorld, id: string) => Promise<number | null> | 'busy' {
  /** Searches by world and id, in order: the first is running. */
  const lines = new Map<string, Map<string, Promise<number | null>>>();
  return (world, id) => {
    const name = worldName(world);
    const line = lines.get(name) ?? new Map<string, Promise<number | null>>();
    const shared = line.get(id);
    if (shared !== undefined) return shared;
    if (line.size > SEARCHES_WAITING_MAX) return 'busy';
    const before = [...line.values()].at(-1)?.catch(() => null) ?? Promise.resolve();
    const found = before
      .then(() => store.findEventSeq(world, id, idTime(id)))
      .finally(() => {
        line.delete(id);
        if (line.size === 0) lines.delete(name);
      });
    lines.set(name, line.set(id, found));
    return found;
  };
}
