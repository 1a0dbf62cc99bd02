/** Tests of where in the log of events a reader is. */

import { expect, test } from 'bun:test';
import type { KeptEvent } from '../events/event.ts';
import { makeEventFeed } from './event-feed.ts';

const WORLD = { tenant: 'ten_a', mode: 'test' } as const;

/** A log of which only the events at these places can still be shown. */
function feedOf(places: readonly number[]) {
  const events = places.map((seq) => ({ seq, id: `evt_${seq}` }) as KeptEvent);
  const store = {
    readEvents: (_: unknown, after: number, limit: number) =>
      Promise.resolve(events.filter(({ seq }) => seq > after).slice(0, limit)),
    onEvents: () => {},
  };
  return makeEventFeed(store as unknown as Parameters<typeof makeEventFeed>[0]);
}

test('[E2] a place is named by its event, or by the one before it that is still kept', async () => {
  const feed = feedOf([1, 2, 3, 7, 8]);
  const named = await Promise.all([3, 5, 6, 7, 8].map((seq) => feed.idAt(WORLD, seq)));
  expect(named).toEqual(['evt_3', 'evt_3', 'evt_3', 'evt_7', 'evt_8']);
});

test('[E2] what was written after a place does not name it', async () => {
  expect(await feedOf([5, 6]).idAt(WORLD, 4)).toBeNull();
  expect(await feedOf([]).idAt(WORLD, 0)).toBeNull();
});

test('[N12] the worlds that somebody waits for are watched, and no others', () => {
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
