/** What a lane writes of its progress while the store fails: never more than is certain. */

import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import type { StoredEvent } from '../../events/event.ts';
import type { DeliveryProgress } from '../../store/webhooks.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { WEBHOOK } from '../../testing/webhooks/webhook-row.ts';
import { makeFairShare, SHARE_LIMITS } from './fair-share.ts';
import { openLane } from './lane.ts';
import type { Courier } from './sending/courier.ts';

const eventOf = (seq: number): StoredEvent => ({
  seq,
  id: `evt_${seq}`,
  tenant: 'ten_a',
  mode: 'live',
  type: 'session.started',
  session: `ses_${seq}`,
  at: 0,
  data: '{}',
});

/** A lane whose requests and writes end when, and as, the test says. */
function open(mayWriteAgain = false) {
  const clock = makeManualClock();
  const log: StoredEvent[] = [];
  const requests = new Map<string, (status: number) => void>();
  const writes: (PromiseWithResolvers<boolean> & { readonly progress: DeliveryProgress })[] = [];
  const ends: string[] = [];
  const deliver: Courier['deliver'] = (_, { id }) =>
    new Promise((resolve) => {
      requests.set(id, (status) => resolve({ status, retryAfter: null }));
    });
  const lane = openLane(
    {
      store: {
        readEvents: async (_, after, limit) => log.filter(({ seq }) => seq > after).slice(0, limit),
        recordProgress(progress) {
          writes.push({ ...Promise.withResolvers<boolean>(), progress });
          return writes.at(-1)!.promise;
        },
      },
      clock,
      courier: { deliver, deliverBody: async () => null },
      draw: () => 0.5,
      share: makeFairShare(SHARE_LIMITS),
      retriesOf: async () => 12,
      stats: { delivered: 0, failed: 0, givenUp: 0 },
      onError() {},
      mayWriteAgain,
      onEnd: ({ id }) => void ends.push(id),
    },
    WEBHOOK,
    [],
    true,
  );
  const pass = async (ms: number): Promise<void> => {
    await setImmediate();
    clock.advance(ms);
    await setImmediate();
  };
  return {
    lane,
    writes,
    ends,
    pass,
    /** Writes one more event; resolves when the lane is sending it. */
    async emit(seq: number): Promise<void> {
      log.push(eventOf(seq));
      lane.wake(seq);
      for (let i = 0; i < 10 && !requests.has(`evt_${seq}`); i++) await pass(20);
    },
    asked: () => [...requests.keys()],
    answer: (seq: number, status: number) => requests.get(`evt_${seq}`)!(status),
  };
}

test('[E2] after a write of unknown outcome a lane writes nothing more: the position would pass its events', async () => {
  const { lane, emit, answer, pass, writes, ends } = open();
  await emit(1);
  answer(1, 500);
  await pass(300);
  expect(writes).toHaveLength(1);
  const { progress } = writes[0]!;
  expect([progress.cursor, progress.changed.map(({ id }) => id)]).toEqual([1, ['evt_1']]);
  // During that write another event is delivered, and its progress waits behind it.
  await emit(2);
  answer(2, 204);
  await pass(300);
  expect(writes).toHaveLength(1);
  writes[0]!.reject(new Error('the store did not answer'));
  await pass(300);
  expect(ends).toEqual(['whk_a']);
  expect(writes).toHaveLength(1);
  await lane.close();
  expect(writes).toHaveLength(1);
});

test('[E2] requests in progress as a lane closes are stored, after the write in progress', async () => {
  const { lane, emit, answer, pass, writes, ends } = open();
  await emit(1);
  answer(1, 204);
  await pass(300);
  await emit(2);
  const closing = lane.close();
  answer(2, 204);
  await pass(0);
  expect(writes).toHaveLength(1);
  writes[0]!.resolve(true);
  await pass(0);
  expect(writes.map(({ progress }) => progress.cursor)).toEqual([1, 2]);
  writes[1]!.resolve(true);
  await closing;
  expect(ends).toEqual([]);
});

test('[E2] a failed write is repeated, ever more rarely, and until it succeeds nothing is sent', async () => {
  const { lane, emit, answer, pass, writes, ends, asked } = open(true);
  await emit(1);
  answer(1, 500);
  await pass(300);
  await emit(2);
  writes[0]!.reject(new Error('the disk is full'));
  await pass(0);
  // Requests in progress ended, and their progress waits behind that write.
  answer(2, 204);
  await emit(3);
  expect(asked()).toEqual(['evt_1', 'evt_2']);
  await pass(1_000);
  expect(writes).toHaveLength(2);
  expect(writes[1]!.progress).toEqual(writes[0]!.progress);
  writes[1]!.reject(new Error('the disk is full'));
  await pass(1_000);
  await pass(0);
  expect(writes).toHaveLength(2);
  await pass(1_000);
  expect(writes[2]!.progress).toEqual(writes[0]!.progress);
  writes[2]!.resolve(true);
  await pass(0);
  expect(writes[3]!.progress).toMatchObject({ cursor: 2, changed: [], settled: [] });
  expect(writes[3]!.progress.attempts.map(({ event }) => event)).toEqual(['evt_2']);
  writes[3]!.resolve(true);
  await pass(0);
  expect(asked()).toEqual(['evt_1', 'evt_2', 'evt_3']);
  answer(3, 204);
  const closing = lane.close();
  await pass(0);
  writes[4]!.reject(new Error('the disk is full'));
  await closing;
  expect([writes.length, ends]).toEqual([5, []]);
});

test('[E2][H3] a lane continues within seconds once the store accepts writes again, however long it did not', async () => {
  const { emit, answer, pass, writes, asked } = open(true);
  await emit(1);
  answer(1, 204);
  await pass(300);
  for (let second = 0; second < 600; second++) {
    writes.at(-1)!.reject(new Error('the disk is full'));
    await pass(1_000);
  }
  expect(writes.length).toBeLessThan(160);
  await emit(2);
  expect(asked()).toEqual(['evt_1']);
  const count = writes.length;
  for (let second = 0; second < 5 && writes.length === count; second++) await pass(1_000);
  expect(writes.length).toBe(count + 1);
  writes.at(-1)!.resolve(true);
  await pass(0);
  expect(asked()).toEqual(['evt_1', 'evt_2']);
});
