/** Shows that nothing is lost and nothing overtakes, whatever fails and whenever the process dies. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { makeSeededRandomness } from '../testing/seeded-randomness.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { makeOutbox, type Outbox, type Outstanding, type Parcel, type Sendable } from './outbox.ts';

const eventOf = (seq: number, session: string | null = null): Sendable => ({
  seq,
  id: `evt_${seq}`,
  session,
});
const open = (cursor = 0, kept: readonly Outstanding[] = []) => makeOutbox<Sendable>(cursor, kept);
const seqs = (parcels: readonly (Parcel<Sendable> | null)[]) => parcels.map((each) => each?.seq);

test('[E2] what goes well costs no row: the place in the log passes it in order', () => {
  const outbox = open();
  outbox.add([eventOf(1), eventOf(2), eventOf(4)], 5);
  const [a, b, c] = [outbox.take(0)!, outbox.take(0)!, outbox.take(0)!];
  expect(seqs([a, b, c, outbox.take(0)])).toEqual([1, 2, 4, undefined]);
  outbox.settle(b);
  expect(outbox.progress()).toBeNull();
  outbox.settle(a);
  expect(outbox.progress()).toEqual({ cursor: 3, changed: [], settled: [] });
  outbox.settle(c);
  expect(outbox.progress()).toEqual({ cursor: 5, changed: [], settled: [] });
  expect(outbox.progress()).toBeNull();
});

test('[E2] an event waits for the earlier ones of its session, and for no others', () => {
  const outbox = open();
  outbox.add([eventOf(1, 'a'), eventOf(2, 'a'), eventOf(3, 'b'), eventOf(4), eventOf(5)], 5);
  const first = [outbox.take(0), outbox.take(0), outbox.take(0), outbox.take(0), outbox.take(0)];
  expect(seqs(first)).toEqual([1, 3, 4, 5, undefined]);
  outbox.retry(first[0]!, 100, 0);
  expect(outbox.take(99)).toBeNull();
  expect(outbox.nextAt()).toBe(100);
  const again = outbox.take(100)!;
  expect(again.seq).toBe(1);
  outbox.settle(again);
  expect(outbox.take(100)?.seq).toBe(2);
});

test('[E2] what fails is kept, with what waits behind it, and then the place moves on', () => {
  const outbox = open();
  outbox.add([eventOf(1, 'a'), eventOf(2, 'a'), eventOf(3, 'b')], 3);
  const [a, b] = [outbox.take(0)!, outbox.take(0)!];
  outbox.retry(a, 50, 0);
  const rowA = { seq: 1, id: 'evt_1', session: 'a', attempt: 1, nextAt: 50 };
  const rowBehind = { seq: 2, id: 'evt_2', session: 'a', attempt: 0, nextAt: 0 };
  expect(outbox.progress()).toEqual({ cursor: 2, changed: [rowA, rowBehind], settled: [] });
  outbox.settle(b);
  expect(outbox.progress()).toEqual({ cursor: 3, changed: [], settled: [] });
  outbox.retry(outbox.take(50)!, 90, 50);
  expect(outbox.progress()?.changed).toEqual([{ ...rowA, attempt: 2, nextAt: 90 }]);
  outbox.settle(outbox.take(90)!);
  outbox.settle(outbox.take(90)!);
  expect(outbox.progress()).toEqual({ cursor: 3, changed: [], settled: [1, 2] });
  expect(outbox.size()).toBe(0);
});

test('[E2] brought forward and failed again, it keeps its count and its time', () => {
  const outbox = open(9, [{ ...eventOf(7), attempt: 3, nextAt: 1_000 }]);
  outbox.hurry(10);
  const early = outbox.take(10)!;
  outbox.retry(early, 20, 10);
  expect([early.attempt, early.nextAt]).toEqual([3, 1_000]);
  const due = outbox.take(1_000)!;
  outbox.retry(due, 3_000, 1_000);
  expect([due.attempt, due.nextAt]).toEqual([4, 3_000]);
});

test('[E2] first tries go before retries, but for every eighth; retries may rest alone', () => {
  const outbox = open(9, [{ ...eventOf(7), attempt: 1, nextAt: 0 }]);
  const firsts = Array.from({ length: 10 }, (_, i) => eventOf(10 + i));
  outbox.add(firsts, 19);
  const taken = Array.from({ length: 11 }, () => outbox.take(0)!);
  expect(seqs(taken)).toEqual([10, 11, 12, 13, 14, 15, 16, 7, 17, 18, 19]);
  const retry = taken[7]!;
  outbox.retry(retry, 50, 0);
  outbox.restRetries(90);
  expect([outbox.nextAt(), outbox.take(89)]).toEqual([90, null]);
  outbox.restRetries(0);
  expect([outbox.nextAt(), outbox.take(50)]).toEqual([50, retry]);
});

test('[E2] what is outstanding has a bound: the rest stays in the log', () => {
  const outbox = open();
  let seq = 0;
  for (let room = outbox.room(); room > 0; room = outbox.room()) {
    const events = Array.from({ length: room }, () => {
      seq += 1;
      return eventOf(seq);
    });
    outbox.add(events, seq);
    for (let next = outbox.take(0); next !== null; next = outbox.take(0)) outbox.retry(next, 9, 0);
    outbox.progress();
  }
  expect(outbox.size()).toBe(1_000);
  expect(outbox.progress()).toBeNull();
});

/** What is on disk. */
interface Disk {
  cursor: number;
  readonly rows: Map<number, Outstanding>;
}

function keep(disk: Disk, outbox: Outbox<Sendable>): void {
  const progress = outbox.progress();
  if (progress === null) return;
  disk.cursor = progress.cursor;
  for (const seq of progress.settled) disk.rows.delete(seq);
  for (const row of progress.changed) disk.rows.set(row.seq, row);
}

/** Sends a log of events with failures and crashes; answers the order in which they arrived. */
function run(seed: number, events: readonly Sendable[]): readonly Sendable[] {
  const { bytes } = makeSeededRandomness(seed);
  const draw = (below: number): number => bytes(1)[0]! % below;
  const disk: Disk = { cursor: 0, rows: new Map() };
  const arrived: Sendable[] = [];
  let now = 0;
  for (let lives = 0; lives < 40; lives++) {
    const isLast = lives === 39;
    const rows = [...disk.rows.values()].sort((a, b) => a.seq - b.seq);
    const outbox = open(disk.cursor, rows);
    const sending: Parcel<Sendable>[] = [];
    // The last life lasts until all is done; the others end in the middle of something.
    for (let steps = isLast ? Infinity : draw(60); steps > 0; steps--) {
      const isDone = outbox.readTo() >= events.length && outbox.size() === 0;
      if (isDone && isLast) break;
      const what = draw(5);
      if (what === 0) {
        const upTo = Math.min(events.length, outbox.readTo() + 1 + draw(4));
        outbox.add(events.slice(outbox.readTo(), upTo), upTo);
      } else if (what === 1) {
        const parcel = outbox.take(now);
        if (parcel === null) now += 1;
        else sending.push(parcel);
      } else if (what === 2 && sending.length > 0) {
        const [parcel] = sending.splice(draw(sending.length), 1);
        arrived.push(parcel!);
        outbox.settle(parcel!);
      } else if (what === 3 && sending.length > 0 && draw(3) === 0) {
        const [parcel] = sending.splice(draw(sending.length), 1);
        // It may have arrived all the same: only the answer was lost.
        if (draw(2) === 0) arrived.push(parcel!);
        outbox.retry(parcel!, now + draw(20), now);
        if (draw(4) === 0) outbox.hurry(now);
      } else keep(disk, outbox);
    }
    if (isLast) keep(disk, outbox);
  }
  expect(disk).toEqual({ cursor: events.length, rows: new Map() });
  return arrived;
}

test(`[E2] everything arrives, in order within a session, whenever it dies (seed ${TEST_SEED})`, () => {
  const sessions = fc.array(fc.constantFrom('a', 'b', 'c', null), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fc.integer(), sessions, (seed, of) => {
      const events = of.map((session, i) => eventOf(i + 1, session));
      const arrived = run(seed, events);
      const first = [...new Set(arrived.map(({ seq }) => seq))];
      expect([...first].sort((a, b) => a - b)).toEqual(events.map(({ seq }) => seq));
      for (const session of ['a', 'b', 'c']) {
        const order = first.filter((seq) => events[seq - 1]!.session === session);
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }
    }),
    { seed: TEST_SEED, numRuns: 150 },
  );
});
