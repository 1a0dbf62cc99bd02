/**
 * Sessions whose events were left in the log: their order, however the process ends, and their
 * cost.
 */

import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import type { EventType, StoredEvent } from '../../events/event.ts';
import type { DeliveryProgress, Webhook } from '../../store/webhooks.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { WEBHOOK } from '../../testing/webhooks/webhook-row.ts';
import type { Outstanding } from '../../webhooks/parcel.ts';
import { makeFairShare, SHARE_LIMITS } from './fair-share.ts';
import { type Lane, openLane } from './lane.ts';
import type { LaneDeps } from './lane-state.ts';

const FRESH: Webhook = { ...WEBHOOK, epoch: 0 };
const STEP_MS = 10;
const MINUTE_MS = 60_000;
/** Events read at once in the search for those that were left. */
const LEFT_PAGE = 500;

/** A status, or one with `Retry-After` in seconds, or no answer. */
type Answer = number | readonly [status: number, retryAfter: number] | 'hangs';

/** One request, ms since the beginning, and in which life of the lane. */
interface Sent {
  readonly life: number;
  readonly seq: number;
  readonly at: number;
}

/** A log and a disk that outlive their lanes: a life is a lane. Each answer takes `takesMs`. */
function openWorld(answerOf: (event: StoredEvent) => Answer, takesMs = 0) {
  const clock = makeManualClock();
  const began = clock.now();
  const now = (): number => clock.now() - began;
  const log: StoredEvent[] = [];
  const sent: Sent[] = [];
  const madeAt: number[] = [0];
  const reads: { readonly after: number; readonly limit: number }[] = [];
  const disk = makeDisk();
  const hanging: (() => void)[] = [];
  let life = 0;
  let lane: Lane | null = null;
  const depsOf = (mine: number): LaneDeps => ({
    store: {
      async readEvents(_, after, limit) {
        reads.push({ after, limit });
        return log.slice(after, after + limit);
      },
      recordProgress: disk.record,
    },
    courier: {
      deliver(_, event) {
        if (mine === life) sent.push({ life, seq: event.seq, at: now() });
        const answer = answerOf(event);
        const { promise, resolve } = Promise.withResolvers<Answered | null>();
        if (answer === 'hangs') hanging.push(() => resolve(null));
        else if (takesMs === 0) resolve(toAnswered(answer));
        else clock.after(takesMs, () => resolve(toAnswered(answer)));
        return promise;
      },
      deliverBody: async () => null,
    },
    clock,
    draw: () => 0.5,
    share: makeFairShare(SHARE_LIMITS),
    retriesOf: async () => 12,
    stats: { delivered: 0, failed: 0, givenUp: 0 },
    mayWriteAgain: true,
    onError: (_, error) => expect.unreachable(String(error)),
    onEnd() {},
  });
  return {
    sent,
    madeAt,
    reads,
    disk,
    /** Another life. The one before it stores nothing any more. */
    begin(): void {
      life += 1;
      lane = openLane(depsOf(life), disk.take(), disk.rows(), true);
      lane.wake(log.length);
    },
    /** An orderly end: requests in progress are given up. */
    async end(): Promise<void> {
      const closing = lane!.close();
      for (const each of hanging) each();
      await closing;
    },
    emit(session: string, count = 1, type: EventType = 'session.started'): void {
      for (let i = 0; i < count; i++) {
        const seq = log.length + 1;
        const about = { session, at: 0, data: '{}', type } as const;
        log.push({ seq, id: `evt_${seq}`, tenant: 'ten_a', mode: 'live', ...about });
        madeAt.push(now());
        lane?.wake(seq);
      }
    },
    async pass(ms: number, stepMs = STEP_MS): Promise<void> {
      for (let passed = 0; passed < ms; passed += stepMs) {
        clock.advance(stepMs);
        for (let i = 0; i < 6; i++) await setImmediate();
      }
    },
    /** What was sent of a session, in its order. */
    of: (session: string, inLife?: number): readonly number[] =>
      sent
        .filter(({ life: its }) => inLife === undefined || its === inLife)
        .map(({ seq }) => seq)
        .filter((seq) => log[seq - 1]!.session === session),
  };
}

interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
}

function toAnswered(answer: Exclude<Answer, 'hangs'>): Answered {
  const [status, after] = typeof answer === 'number' ? [answer, null] : answer;
  return { status, retryAfter: after === null ? null : String(after) };
}

/** What a store holds of one webhook. */
function makeDisk() {
  let webhook = FRESH;
  const rows = new Map<number, Outstanding>();
  return {
    async record({ epoch, cursor, settled, changed, failingSince }: DeliveryProgress) {
      if (epoch !== webhook.epoch) return false;
      webhook = { ...webhook, cursor: Math.max(webhook.cursor, cursor), failingSince };
      for (const seq of settled) rows.delete(seq);
      for (const each of changed) rows.set(each.seq, each);
      return true;
    },
    take(): Webhook {
      webhook = { ...webhook, epoch: webhook.epoch + 1 };
      return webhook;
    },
    rows: (): readonly Outstanding[] => [...rows.values()].sort((a, b) => a.seq - b.seq),
    /** As with another address. */
    beginAfresh(): void {
      webhook = { ...webhook, failingSince: null };
      const due = { attempt: 0, nextAt: 0, notBefore: 0 };
      for (const [seq, row] of rows) rows.set(seq, { ...row, ...due });
    },
  };
}

/**
 * Its first event is refused while others are accepted; then one of `ses_x` hangs, and many more
 * come.
 */
async function leaveMany(world: ReturnType<typeof openWorld>, count: number): Promise<void> {
  const { begin, emit, pass } = world;
  begin();
  emit('ses_a', 30);
  await pass(1_000);
  for (let i = 0; i < 5; i++) {
    emit(`ses_b${i}`);
    await pass(100);
  }
  await pass(6_000);
  emit('ses_x');
  await pass(500);
  emit('ses_a', count);
  await pass(500);
}

for (const how of ['another address', 'a crash', 'an orderly end'] as const) {
  test(`[E2] events left in the log stay in order after ${how}, while another session hangs`, async () => {
    let isRefused = true;
    let isHanging = true;
    const world = openWorld(({ seq, session }) =>
      session === 'ses_x' && isHanging ? 'hangs' : seq === 1 && isRefused ? 500 : 204,
    );
    await leaveMany(world, 3_000);
    isRefused = false;
    // The retry after 10 s succeeds; the rest is on its way.
    await world.pass(2_200);
    const before = world.of('ses_a').length;
    expect(before).toBeGreaterThan(20);
    expect(before).toBeLessThan(3_000);
    if (how === 'another address') world.disk.beginAfresh();
    if (how === 'an orderly end') await world.end();
    isHanging = false;
    world.begin();
    await world.pass(60_000);
    const second = world.of('ses_a', 2);
    expect(second).toEqual(second.toSorted((a, b) => a - b));
    expect(new Set(world.of('ses_a')).size).toBe(3_030);
    // The refused event, and those sent since progress was last stored.
    const repeats = world.of('ses_a').length - 3_030;
    expect(repeats).toBeLessThanOrEqual(how === 'an orderly end' ? 1 : 129);
  }, 60_000);
}

test('[E2] a session that was left and has caught up is not sent again after a crash, while another hangs', async () => {
  let isRefused = true;
  let isHanging = true;
  const world = openWorld(({ seq, session }) =>
    session === 'ses_x' && isHanging ? 'hangs' : seq === 1 && isRefused ? 500 : 204,
  );
  await leaveMany(world, 1_000);
  isRefused = false;
  await world.pass(13_000);
  expect(world.of('ses_a').length).toBe(1_031);
  isHanging = false;
  world.begin();
  world.emit('ses_a');
  await world.pass(30_000);
  expect(world.of('ses_a', 2)).toEqual([1_037]);
}, 60_000);

test('[E2] the row of a session that was left is removed when the position has passed all of it', async () => {
  let isHanging = true;
  let isRefused = true;
  const world = openWorld(({ seq, session }) =>
    session === 'ses_x' && isHanging ? 'hangs' : seq === 1 && isRefused ? 500 : 204,
  );
  await leaveMany(world, 1_000);
  isRefused = false;
  await world.pass(13_000);
  const last = { seq: 1_036, standsFor: 'rest' };
  expect(world.disk.rows()).toMatchObject([last]);
  isHanging = false;
  world.begin();
  await world.pass(5_000);
  expect([world.disk.rows(), world.disk.take().cursor]).toEqual([[], 1_036]);
}, 60_000);

test('[E2] an orderly end during the catch-up repeats nothing', async () => {
  let isRefused = true;
  const world = openWorld(({ seq }) => (seq === 1 && isRefused ? 500 : 204));
  world.begin();
  world.emit('ses_a', 10);
  await world.pass(1_000);
  for (let i = 0; i < 3_000; i++) world.emit(`ses_${i}`);
  world.emit('ses_a');
  await world.pass(7_000);
  isRefused = false;
  for (let i = 0; i < 2_000 && !world.of('ses_a').includes(10); i++) await world.pass(10);
  await world.pass(20);
  await world.end();
  world.begin();
  await world.pass(30_000);
  expect(world.of('ses_a').filter((seq) => seq !== 1)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 3_011]);
}, 60_000);

test('[E2] an event with Retry-After is not sent before that, even if the process restarted', async () => {
  const world = openWorld(({ seq }) => (seq === 1 ? [503, 3_600] : 204));
  world.begin();
  world.emit('ses_a');
  await world.pass(1_000);
  await world.end();
  world.begin();
  world.emit('ses_b');
  await world.pass(20_000, 100);
  expect(world.of('ses_a')).toEqual([1]);
  // A Retry-After of the earlier address does not apply to another.
  world.disk.beginAfresh();
  world.begin();
  await world.pass(1_000);
  expect(world.of('ses_a')).toEqual([1, 1]);
}, 60_000);

test('[E2] events that were left are not searched for in all of the log after them', async () => {
  let isRefused = true;
  const world = openWorld(({ seq }) => (seq === 1 && isRefused ? 500 : 204));
  world.begin();
  world.emit('ses_a', 11);
  await world.pass(500);
  for (let i = 0; i < 20_000; i++) world.emit(`ses_${i % 1_000}`);
  await world.pass(20_000, 20);
  isRefused = false;
  world.reads.length = 0;
  await world.pass(60_000, 20);
  expect(world.of('ses_a').at(-1)).toBe(11);
  expect(world.reads.filter(({ limit }) => limit === LEFT_PAGE)).toEqual([
    { after: 9, limit: LEFT_PAGE },
  ]);
}, 60_000);

for (const count of [1, 8, 20]) {
  test(`[E2] ${count} sessions that catch up with 1,000 left events each delay no other`, async () => {
    let isRefused = true;
    const refused = new Set<number>();
    const world = openWorld(({ seq }) => (refused.has(seq) && isRefused ? 500 : 204), 50);
    const { sent, madeAt, begin, emit, pass } = world;
    begin();
    // Each fails once, beside others that succeed.
    for (let i = 0; i < count; i++) {
      emit(`ses_good_${i}`);
      emit(`ses_refused_${i}`);
      refused.add(madeAt.length - 1);
      await pass(200);
    }
    for (let i = 0; i < count * 1_000; i++) emit(`ses_refused_${i % count}`);
    for (let i = 0; i < 20; i++) {
      emit(`ses_while_${i}`);
      await pass(200);
    }
    isRefused = false;
    await pass(12_000, 25);
    const mine: number[] = [];
    for (let i = 0; i < 20; i++) {
      emit(`ses_late_${i}`);
      mine.push(madeAt.length - 1);
      await pass(1_000, 25);
    }
    await pass(200_000, 50);
    const sentAt = (seq: number) => sent.find((each) => each.seq === seq)?.at ?? Infinity;
    expect(Math.max(...mine.map((seq) => sentAt(seq) - madeAt[seq]!))).toBeLessThanOrEqual(2_000);
    expect(new Set(sent.map(({ seq }) => seq)).size).toBe(madeAt.length - 1);
  }, 120_000);
}

const HOUR_MS = 3_600_000;

/**
 * Events of as many sessions, all but the first of which are answered with a Retry-After of an
 * hour.
 */
async function askAllToWait(): Promise<ReturnType<typeof openWorld>> {
  const world = openWorld(({ seq }) => (seq > 1 ? [503, HOUR_MS / 1_000] : 204));
  // The second of the first session waits for its turn while the endpoint rests.
  world.emit('ses_first', 2);
  for (let i = 0; i < 20; i++) world.emit(`ses_${i}`);
  world.begin();
  await world.pass(5 * MINUTE_MS, 100);
  return world;
}

for (const how of ['an orderly end', 'a crash'] as const) {
  test(`[E2] after ${how} none is sent before its Retry-After, though one in front was not tried yet`, async () => {
    const { sent, begin, end, pass } = await askAllToWait();
    const told = new Map(
      sent.flatMap(({ seq, at }) => (seq > 2 && at < MINUTE_MS ? [[seq, at]] : [])),
    );
    expect(told.size).toBeGreaterThan(4);
    if (how === 'an orderly end') await end();
    begin();
    await pass(10 * MINUTE_MS, 100);
    const early = sent.filter(({ life, seq }) => life === 2 && told.has(seq));
    expect(early).toEqual([]);
  }, 60_000);
}

test('[E2] an orderly end repeats no accepted event, though one request is in progress', async () => {
  let isHanging = true;
  const world = openWorld(({ seq }) => (seq === 3 && isHanging ? 'hangs' : 204));
  for (let i = 0; i < 100; i++) world.emit(`ses_${i}`);
  world.begin();
  await world.pass(5_000);
  expect(new Set(world.sent.map(({ seq }) => seq)).size).toBe(100);
  await world.end();
  isHanging = false;
  world.begin();
  await world.pass(5_000);
  expect(world.sent.filter(({ life }) => life === 2).map(({ seq }) => seq)).toEqual([3]);
});
