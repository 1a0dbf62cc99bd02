/** Readers' positions in the log of events. */

import { expect, test } from 'bun:test';
import type { StoredEvent } from '../../events/event.ts';
import { makeEventFeed } from './event-feed.ts';

const WORLD = { tenant: 'ten_a', mode: 'test' } as const;

/** A log in which only the events at these positions are still stored. */
function feedOf(places: readonly number[]) {
  const events = places.map((seq) => ({ seq, id: `evt_${seq}` }) as StoredEvent);
  const store = {
    readEvents: (_: unknown, after: number, limit: number) =>
      Promise.resolve(events.filter(({ seq }) => seq > after).slice(0, limit)),
    onEvents: () => {},
  };
  return makeEventFeed(store as unknown as Parameters<typeof makeEventFeed>[0]);
}

test('[E2] a position is named by its event, or by the previous one that is still stored', async () => {
  const feed = feedOf([1, 2, 3, 7, 8]);
  const named = await Promise.all([3, 5, 6, 7, 8].map((seq) => feed.idAt(WORLD, seq)));
  expect(named).toEqual(['evt_3', 'evt_3', 'evt_3', 'evt_7', 'evt_8']);
});

test('[E2] an event written after a position does not name it', async () => {
  expect(await feedOf([5, 6]).idAt(WORLD, 4)).toBeNull();
  expect(await feedOf([]).idAt(WORLD, 0)).toBeNull();
});

/**
 * A feed whose store finds no id, and the ids it was asked for; a search ends when it is released.
 */
function feedOfSearches(events: StoredEvent[]) {
  const searched: string[] = [];
  const ends: (() => void)[] = [];
  const store = {
    readEvents: async (_: unknown, after: number, limit: number) =>
      events.filter(({ seq }) => seq > after).slice(0, limit),
    findEventSeq(_: unknown, id: string) {
      searched.push(id);
      return new Promise((resolve) => ends.push(() => resolve(null)));
    },
    onEvents: () => {},
  };
  const feed = makeEventFeed(store as unknown as Parameters<typeof makeEventFeed>[0]);
  return { feed, searched, finishSearch: () => ends.shift()!() };
}

const ID = `evt_${'0'.repeat(26)}`;
const eventsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `${ID}${i + 1}`, seq: i + 1 }) as StoredEvent);
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

test('[E2] a reader returns to its last position without a search', async () => {
  const events = eventsOf(5);
  const { feed, searched, finishSearch } = feedOfSearches(events);
  feed.told(WORLD, events[2]!);
  expect(await feed.idAt(WORLD, 5)).toBe(`${ID}5`);
  expect(await feed.placeOf(WORLD, `${ID}3`)).toBe(3);
  expect(await feed.placeOf(WORLD, `${ID}5`)).toBe(5);
  expect(searched).toEqual([]);
  // An id from another world is a position there only, and a removed event has no position.
  const elsewhere = feed.placeOf({ ...WORLD, mode: 'live' }, `${ID}3`);
  await pause();
  finishSearch();
  expect(await elsewhere).toBe(0);
  events.splice(2, 1);
  const gone = feed.placeOf(WORLD, `${ID}3`);
  await pause();
  finishSearch();
  expect(await gone).toBe(0);
  expect(searched).toEqual([`${ID}3`, `${ID}3`]);
});

test('[E2] the latest positions sent are cached, up to a few thousand', async () => {
  const events = eventsOf(5_000);
  const { feed, searched, finishSearch } = feedOfSearches(events);
  for (const event of events) feed.told(WORLD, event);
  expect(await feed.placeOf(WORLD, `${ID}4000`)).toBe(4_000);
  const first = feed.placeOf(WORLD, `${ID}1`);
  await pause();
  finishSearch();
  expect([await first, searched]).toEqual([0, [`${ID}1`]]);
});

test('[E2] ids that were never sent are searched for one at a time per world', async () => {
  const { feed, searched, finishSearch } = feedOfSearches([]);
  const places = ['a', 'b'].map((rest) => feed.placeOf(WORLD, `${ID}${rest}`));
  const other = feed.placeOf({ ...WORLD, mode: 'live' }, `${ID}c`);
  await pause();
  expect(searched).toEqual([`${ID}a`, `${ID}c`]);
  finishSearch();
  finishSearch();
  await pause();
  expect(searched).toEqual([`${ID}a`, `${ID}c`, `${ID}b`]);
  finishSearch();
  expect(await Promise.all([...places, other])).toEqual([0, 0, 0]);
});

test('[E2] a request for an id that is being searched for shares that search', async () => {
  const { feed, searched, finishSearch } = feedOfSearches([]);
  const places = ['a', 'b', 'a', 'b', 'b'].map((rest) => feed.placeOf(WORLD, `${ID}${rest}`));
  await pause();
  finishSearch();
  await pause();
  finishSearch();
  expect(await Promise.all(places)).toEqual([0, 0, 0, 0, 0]);
  expect(searched).toEqual([`${ID}a`, `${ID}b`]);
  // A finished search is gone: the next one searches again.
  const again = feed.placeOf(WORLD, `${ID}a`);
  await pause();
  finishSearch();
  expect([await again, searched.length]).toEqual([0, 3]);
});

test('[E2] 16 searches of a world may wait; further ones are refused at once', async () => {
  const { feed, searched, finishSearch } = feedOfSearches([]);
  const ids = Array.from({ length: 17 }, (_, n) => `${ID}${n}`);
  const places = ids.map((id) => feed.placeOf(WORLD, id));
  await pause();
  expect(await feed.placeOf(WORLD, `${ID}late`)).toBe('busy');
  expect(await feed.seqOf(WORLD, `${ID}late`)).toBe('busy');
  // A search in progress is shared and adds nothing to the queue; each world has its own queue.
  places.push(feed.placeOf(WORLD, ids[16]!));
  const other = feed.placeOf({ ...WORLD, mode: 'live' }, `${ID}late`);
  await pause();
  expect(searched).toEqual([ids[0]!, `${ID}late`]);
  finishSearch();
  finishSearch();
  expect(await other).toBe(0);
  // There is room for one again.
  places.push(feed.placeOf(WORLD, `${ID}late`));
  expect(await feed.placeOf(WORLD, `${ID}later`)).toBe('busy');
  for (let left = 17; left > 0; left -= 1) {
    await pause();
    finishSearch();
  }
  expect(await Promise.all(places)).toEqual(places.map(() => 0));
  expect(searched).toEqual([ids[0]!, `${ID}late`, ...ids.slice(1), `${ID}late`]);
});

test('[E2] a failed search fails for its callers, and delays no others', async () => {
  let fails = 1;
  const store = {
    readEvents: async () => [],
    async findEventSeq() {
      fails -= 1;
      if (fails === 0) throw new Error('the store is away');
      return null;
    },
    onEvents: () => {},
  };
  const feed = makeEventFeed(store as unknown as Parameters<typeof makeEventFeed>[0]);
  const asked = ['a', 'a', 'b'].map((rest) => feed.placeOf(WORLD, `${ID}${rest}`));
  const ended = await Promise.allSettled(asked);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

test('[N12] only worlds with waiting readers are watched', () => {
  let watched: () => Iterable<unknown> = () => [];
  let tell: (world: typeof WORLD, head: number) => void = () => {};
  const store = {
    onEvents(listener: typeof tell, worlds: typeof watched) {
      tell = listener;
      watched = worlds;
    },
  };
  const feed = makeEventFeed(store as unknown as Parameters<typeof makeEventFeed>[0]);
  expect([...watched()]).toEqual([]);
  const woken: number[] = [];
  feed.wait(WORLD, 3, () => void woken.push(3));
  const leave = feed.wait(WORLD, 9, () => void woken.push(9));
  expect([...watched()]).toEqual([WORLD]);
  tell(WORLD, 4);
  expect(woken).toEqual([3]);
  expect([...watched()]).toEqual([WORLD]);
  leave();
  expect([...watched()]).toEqual([]);
});
