/** Where events stand in the log, by their ids: what readers were told is looked up, else it is searched for. */

import type { EventWorld, StoredEvent } from '../events/event.ts';
import { worldName } from '../events/event.ts';
import type { EventStore } from '../store/events.ts';
import { idTime } from './ids.ts';

export interface EventPlaces {
  /** The place of an event by its id; null when it is not kept; `busy` when too many are being looked for. */
  seqOf(world: EventWorld, id: string): Promise<number | null | 'busy'>;
  /** A reader was told that they are at this event: they may come back with its id. */
  told(world: EventWorld, event: Pick<StoredEvent, 'id' | 'seq'>): void;
}

/** Places of readers that are kept: of some thousand readers their last. */
const PLACES_MAX = 4_096;

/** Searches of one world that wait for the one that is under way: each may take a second of a core. */
const SEARCHES_WAITING_MAX = 16;

type PlaceStore = Pick<EventStore, 'readEvents' | 'findEventSeq'>;

export function makeEventPlaces(store: PlaceStore): EventPlaces {
  /** Places by world and id, the one that was told last at the end. */
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
        // What is no longer there is no place: the log of a store that was put back has others.
        const [event] = await store.readEvents(world, seq - 1, 1);
        if (event?.id === id) return seq;
      }
      const found = await search(world, id);
      if (typeof found === 'number') told(world, { id, seq: found });
      return found;
    },
  };
}

/** Searches in a world one at a time, as anybody can make up an id; one for all who ask for the same. */
function makeSearches(
  store: PlaceStore,
): (world: EventWorld, id: string) => Promise<number | null> | 'busy' {
  /** By world the searches by id, in their order: the first is under way. */
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
