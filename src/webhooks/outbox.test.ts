/** No event is lost or overtaken, whatever fails and whenever the process dies. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { makeSeededRandomness } from '../testing/seeded-randomness.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { makeOutbox, type Outbox } from './outbox.ts';
import type { Outstanding, Parcel, Sendable } from './parcel.ts';

const eventOf = (seq: number, session: string | null = null): Sendable => ({
  seq,
  id: `evt_${seq}`,
  session,
});
/** The fields of a row for one event. */
const ALONE = { standsFor: 'event', attempt: 0, nextAt: 0, notBefore: 0 } as const;
const open = (cursor = 0, kept: readonly Outstanding[] = []) => makeOutbox<Sendable>(cursor, kept);
const seqs = (parcels: readonly (Parcel<Sendable> | null)[]) => parcels.map((each) => each?.seq);

test('[E2] a successful event needs no row: the position in the log passes it in order', () => {
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

test('[E2] a failed event is stored, with those behind it, and then the position moves on', () => {
  const outbox = open();
  outbox.add([eventOf(1, 'a'), eventOf(2, 'a'), eventOf(3, 'b')], 3);
  const [a, b] = [outbox.take(0)!, outbox.take(0)!];
  outbox.retry(a, 50, 0);
  const rowA = { ...eventOf(1, 'a'), ...ALONE, attempt: 1, nextAt: 50 };
  const rowBehind = { ...eventOf(2, 'a'), ...ALONE };
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

test('[E2] an event retried early that fails again keeps its count and its time', () => {
  const outbox = open(9, [{ ...eventOf(7), ...ALONE, attempt: 3, nextAt: 1_000 }]);
  outbox.hurry(10);
  const early = outbox.take(10)!;
  outbox.retry(early, 20, 10);
  expect([early.attempt, early.nextAt]).toEqual([3, 1_000]);
  const due = outbox.take(1_000)!;
  outbox.retry(due, 3_000, 1_000);
  expect([due.attempt, due.nextAt]).toEqual([4, 3_000]);
});

test('[E2] first attempts go before retries, except every eighth; retries may pause alone', () => {
  const outbox = open(9, [{ ...eventOf(7), ...ALONE, attempt: 1 }]);
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

test('[E2] outstanding events are limited: the rest stays in the log', () => {
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

test('[E2] of many events behind a failure a few are held: one row stands for the rest, which is read again', () => {
  const outbox = open();
  const log = Array.from({ length: 40 }, (_, i) => eventOf(i + 1, i === 20 ? 'b' : 'a'));
  outbox.add(log.slice(0, 30), 30);
  const [first, other] = [outbox.take(0)!, outbox.take(0)!];
  expect(seqs([first, other])).toEqual([1, 21]);
  outbox.retry(first, 50, 0);
  outbox.settle(other);
  const standsFor = 'event_and_rest' as const;
  const row = { ...eventOf(1, 'a'), ...ALONE, standsFor, attempt: 1, nextAt: 50 };
  expect(outbox.progress()).toEqual({ cursor: 30, changed: [row], settled: [] });
  outbox.add(log.slice(30), 40);
  expect(outbox.size()).toBe(9);
  // While it waits nothing has to be read.
  expect([outbox.leftFrom(), outbox.take(49)]).toEqual([null, null]);
  expect(outbox.progress()).toEqual({ cursor: 40, changed: [], settled: [] });
  const sent: number[] = [];
  const sendAll = () => {
    for (let next = outbox.take(50); next !== null; next = outbox.take(50)) {
      sent.push(next.seq);
      outbox.settle(next);
    }
  };
  sendAll();
  expect(sent).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(outbox.leftFrom()).toBe(9);
  // The row stands for events that were not read yet.
  expect(outbox.progress()).toMatchObject({
    changed: [{ seq: 9, standsFor: 'rest' }],
    settled: [1],
  });
  outbox.addLeft(log.slice(9, 25), 9, 25);
  sendAll();
  outbox.addLeft(log.slice(25), 25, 40);
  expect(outbox.progress()).toMatchObject({ changed: [{ seq: 26, standsFor }], settled: [9] });
  sendAll();
  expect(sent).toEqual(log.flatMap(({ seq, session }) => (session === 'a' ? seq : [])));
  expect(outbox.progress()).toEqual({ cursor: 40, changed: [], settled: [26] });
  expect([outbox.size(), outbox.leftFrom()]).toEqual([0, null]);
});

test('[E2] a row that stands for later events has those read, and only those', () => {
  const times = { attempt: 3, nextAt: 10, notBefore: 0 };
  const kept = { ...eventOf(2, 'a'), ...times, standsFor: 'event_and_rest' } as const;
  const outbox = open(6, [kept, { ...eventOf(4, 'b'), ...ALONE, attempt: 1, nextAt: 90 }]);
  outbox.add([eventOf(7, 'a'), eventOf(8, 'c')], 8);
  expect([outbox.take(0)!.seq, outbox.leftFrom()]).toEqual([8, null]);
  outbox.settle(outbox.take(10)!);
  expect([outbox.take(10), outbox.leftFrom()]).toEqual([null, 2]);
  const log = [eventOf(3, 'a'), eventOf(4, 'b'), eventOf(6, 'a'), eventOf(7, 'a'), eventOf(8, 'c')];
  // Neither events read from before its position, nor those still to be read for the first time.
  outbox.addLeft([eventOf(6, 'a')], 5, 8);
  expect(outbox.take(10)).toBeNull();
  outbox.addLeft([...log, eventOf(9, 'a')], 2, 9);
  const taken: number[] = [];
  for (let next = outbox.take(10); next !== null; next = outbox.take(10)) {
    taken.push(next.seq);
    outbox.settle(next);
  }
  expect(taken).toEqual([3, 6, 7]);
  expect(outbox.progress()).toMatchObject({ changed: [], settled: [2] });
});

test('[E2] a crash repeats no more of left events than of others: the others wait until progress is stored', () => {
  const log = Array.from({ length: 400 }, (_, i) => eventOf(i + 1, 'a'));
  const row = { ...eventOf(1, 'a'), ...ALONE, standsFor: 'event_and_rest' } as const;
  const outbox = open(400, [row]);
  outbox.add([eventOf(401, 'b')], 401);
  const counts: number[] = [];
  for (let i = 0; i < 4; i++) {
    let count = 0;
    for (let next = outbox.take(0); next !== null; next = outbox.take(0)) {
      outbox.settle(next);
      count += 1;
      const from = outbox.leftFrom();
      if (from !== null) outbox.addLeft(log.slice(from), from, 401);
    }
    counts.push(count);
    expect([outbox.progress() !== null, outbox.take(-1)]).toEqual([true, null]);
  }
  // One is of another session.
  expect(counts).toEqual([129, 128, 128, 16]);
});

/** The state on disk. */
interface Disk {
  cursor: number;
  readonly rows: Map<number, Outstanding>;
}

/** The arrivals, and in which life of the process. */
interface Arrival {
  readonly seq: number;
  readonly life: number;
}

function keep(disk: Disk, outbox: Outbox<Sendable>): void {
  const progress = outbox.progress();
  if (progress === null) return;
  disk.cursor = progress.cursor;
  for (const seq of progress.settled) disk.rows.delete(seq);
  for (const row of progress.changed) disk.rows.set(row.seq, row);
}

/** Sends a log of events with failures and crashes; returns the order of arrival. */
function run(seed: number, events: readonly Sendable[]): readonly Arrival[] {
  const { bytes } = makeSeededRandomness(seed);
  const draw = (below: number): number => bytes(1)[0]! % below;
  const disk: Disk = { cursor: 0, rows: new Map() };
  const arrived: Arrival[] = [];
  let now = 0;
  for (let lives = draw(40); lives >= 0; lives--) {
    const isLast = lives === 0;
    const rows = [...disk.rows.values()].sort((a, b) => a.seq - b.seq);
    const outbox = open(disk.cursor, rows);
    const sending: Parcel<Sendable>[] = [];
    // The last life lasts until all is done; the others end during some work.
    for (let steps = isLast ? Infinity : draw(120); steps > 0; steps--) {
      const left = outbox.leftFrom();
      const isDone = outbox.readTo() >= events.length && outbox.size() === 0 && left === null;
      if (isDone && isLast) break;
      const what = draw(5);
      if (what === 0 && left !== null && draw(2) === 0) {
        const upTo = Math.min(events.length, left + 1 + draw(30));
        outbox.addLeft(events.slice(left, upTo), left, upTo);
      } else if (what === 0) {
        const upTo = Math.min(events.length, outbox.readTo() + 1 + draw(12));
        outbox.add(events.slice(outbox.readTo(), upTo), upTo);
      } else if (what === 1) {
        const parcel = outbox.take(now);
        if (parcel === null) now += 1;
        else sending.push(parcel);
      } else if (what === 2 && sending.length > 0) {
        const [parcel] = sending.splice(draw(sending.length), 1);
        arrived.push({ seq: parcel!.seq, life: lives });
        outbox.settle(parcel!);
      } else if (what === 3 && sending.length > 0 && draw(2) === 0) {
        const [parcel] = sending.splice(draw(sending.length), 1);
        // It may have arrived all the same: only the response was lost.
        if (draw(2) === 0) arrived.push({ seq: parcel!.seq, life: lives });
        outbox.retry(parcel!, now + draw(20), now);
        if (draw(4) === 0) outbox.hurry(now);
      } else keep(disk, outbox);
    }
    if (isLast) keep(disk, outbox);
  }
  expect(disk).toEqual({ cursor: events.length, rows: new Map() });
  return arrived;
}

test(`[E2] everything arrives, in order within a session, whenever the process dies (seed ${TEST_SEED})`, () => {
  // Most are of one session, so that many wait behind a failure.
  const session = fc.constantFrom('a', 'a', 'a', 'a', 'b', 'c', null);
  const sessions = fc.array(session, { minLength: 1, maxLength: 150, size: 'max' });
  fc.assert(
    fc.property(fc.integer(), sessions, (seed, of) => {
      const events = of.map((session, i) => eventOf(i + 1, session));
      const arrived = run(seed, events);
      const first = [...new Set(arrived.map(({ seq }) => seq))];
      expect([...first].sort((a, b) => a - b)).toEqual(events.map(({ seq }) => seq));
      for (const session of ['a', 'b', 'c']) {
        const order = first.filter((seq) => events[seq - 1]!.session === session);
        expect(order).toEqual([...order].sort((a, b) => a - b));
        // Events repeated after a crash arrive in order, too.
        const mine = arrived.filter(({ seq }) => events[seq - 1]!.session === session);
        const lives = Map.groupBy(mine, ({ life }) => life);
        for (const life of lives.values()) {
          expect(life).toEqual(life.toSorted((a, b) => a.seq - b.seq));
        }
      }
    }),
    { seed: TEST_SEED, numRuns: 150 },
  );
});
