/** Endpoints that fail some events permanently, or all of them for a while. */

import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import type { StoredEvent } from '../../events/event.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { WEBHOOK } from '../../testing/webhooks/webhook-row.ts';
import { makeFairShare, SHARE_LIMITS } from './fair-share.ts';
import { openLane } from './lane.ts';

const STEP_MS = 100;
const MINUTE_MS = 60_000;

/** One request, ms since the beginning. */
interface Sent {
  readonly seq: number;
  readonly at: number;
  readonly status: number;
}

/** A status, or one with `Retry-After` in seconds. */
type Answer = number | readonly [status: number, retryAfter: number];

/** A lane to an endpoint that answers as `answerOf` says; `emit` names an event's session. */
function open(answerOf: (seq: number) => Answer) {
  const clock = makeManualClock();
  const began = clock.now();
  const log: StoredEvent[] = [];
  const sent: Sent[] = [];
  const madeAt: number[] = [0];
  const now = (): number => clock.now() - began;
  const lane = openLane(
    {
      store: {
        readEvents: async (_, after, limit) => log.slice(after, after + limit),
        recordProgress: async () => true,
      },
      courier: {
        async deliver(_, { seq }) {
          const answer = answerOf(seq);
          const [status, after] = typeof answer === 'number' ? [answer, null] : answer;
          sent.push({ seq, at: now(), status });
          return { status, retryAfter: after === null ? null : String(after) };
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
    },
    WEBHOOK,
    [],
    true,
  );
  return {
    sent,
    madeAt,
    /** In a session of its own if none is named. */
    emit(of?: string): void {
      const seq = log.length + 1;
      const session = of ?? `ses_${seq}`;
      const about = { session, at: 0, data: '{}', type: 'session.started' } as const;
      log.push({ seq, id: `evt_${seq}`, tenant: 'ten_a', mode: 'live', ...about });
      madeAt.push(now());
      lane.wake(seq);
    },
    async pass(ms: number, stepMs = STEP_MS): Promise<void> {
      for (let passed = 0; passed < ms; passed += stepMs) {
        clock.advance(stepMs);
        for (let i = 0; i < 3; i++) await setImmediate();
      }
    },
  };
}

for (const bad of [6, 12]) {
  test(`[E2] events of other sessions continue beside ${bad} that always fail`, async () => {
    const { sent, madeAt, emit, pass } = open((seq) => (seq <= bad ? 500 : 204));
    for (let i = 0; i < bad; i++) emit();
    for (let second = 0; second < 1_800; second++) {
      emit();
      await pass(1_000);
    }
    const good = sent.filter(({ seq }) => seq > bad);
    expect(good.length).toBe(1_800);
    // At first all requests fail, as if the endpoint were down.
    const late = good.filter(({ seq, at }) => at - madeAt[seq]! > 2_000);
    expect(late.filter(({ at }) => at > 5 * MINUTE_MS)).toEqual([]);
    // The others are tried at their own times, and once when the endpoint recovered.
    for (let seq = 1; seq <= bad; seq++) {
      const tries = sent.filter((each) => each.seq === seq).length;
      expect(tries).toBeGreaterThanOrEqual(5);
      expect(tries).toBeLessThanOrEqual(9);
    }
  }, 60_000);
}

test('[E2] events of other sessions continue beside more permanently failing ones than may wait', async () => {
  const { sent, emit, pass } = open((seq) => (seq % 2 === 0 ? 400 : 204));
  for (let second = 0; second < 45 * 60; second++) {
    emit();
    await pass(1_000, 500);
  }
  const good = new Set(sent.filter(({ status }) => status === 204).map(({ seq }) => seq));
  expect(good.size).toBeGreaterThan((45 * 60) / 2 - 20);
}, 60_000);

test('[E2] an endpoint that fails once more during its recovery is sent all waiting events when it is back', async () => {
  let answers = 0;
  const { sent, emit, pass } = open(() => {
    answers -= 1;
    return answers >= 0 ? 204 : 502;
  });
  for (let i = 0; i < 8; i++) emit();
  await pass(5 * 60 * MINUTE_MS, 500);
  // One healthy instance behind a balancer: all waiting events are sent, and fail again.
  answers = 1;
  emit();
  await pass(20 * MINUTE_MS, 500);
  answers = 1_000;
  emit();
  const before = sent.length;
  await pass(5 * MINUTE_MS);
  const soon = new Set(sent.slice(before).map(({ seq }) => seq));
  expect([...soon].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10]);
}, 60_000);

test('[E2] an endpoint that is down is tried ever more rarely, and sent all waiting events when it is back', async () => {
  let isDown = true;
  const { sent, emit, pass } = open(() => (isDown ? 500 : 204));
  for (let i = 0; i < 100; i++) emit();
  await pass(20 * MINUTE_MS);
  // 5 at once, 6 within the next minute, then one a minute.
  expect(sent.length).toBeLessThan(35);
  expect(sent.length).toBeGreaterThan(25);
  isDown = false;
  const count = sent.length;
  await pass(2 * MINUTE_MS);
  expect(new Set(sent.slice(count).map(({ seq }) => seq)).size).toBe(100);
});

test('[E2] an endpoint that fails again at once is not sent the events that were about to go', async () => {
  let answers = 0;
  const { sent, emit, pass } = open(() => {
    answers -= 1;
    return answers === 0 ? 204 : 500;
  });
  for (let i = 0; i < 40; i++) emit();
  await pass(60 * MINUTE_MS);
  const before = sent.length;
  answers = 1;
  await pass(20 * MINUTE_MS);
  expect(sent.filter(({ status }) => status === 204)).toHaveLength(1);
  expect(sent.length - before).toBeLessThan(40);
});

test('[E2] one refused event with 1,500 more of its session behind it delays no other session', async () => {
  let isRefused = true;
  const { sent, madeAt, emit, pass } = open((seq) => (seq === 1 && isRefused ? 500 : 204));
  for (let i = 0; i < 1_501; i++) emit('ses_a');
  await pass(3_000, 20);
  for (let i = 0; i < 20; i++) {
    emit();
    emit('ses_a');
    await pass(1_000);
  }
  const others = sent.filter(({ seq }) => seq > 1_501 && seq % 2 === 0);
  expect(others.length).toBe(20);
  expect(others.filter(({ seq, at }) => at - madeAt[seq]! > 1_000)).toEqual([]);
  const ofSession = () => sent.flatMap(({ seq }) => (others.some((o) => o.seq === seq) ? [] : seq));
  expect(new Set(ofSession())).toEqual(new Set([1]));
  // Finally accepted: all waiting events arrive, each once, in the order of the log.
  isRefused = false;
  await pass(5 * MINUTE_MS);
  const late = ofSession().filter((seq) => seq > 1);
  const wanted = Array.from({ length: 1_520 }, (_, i) =>
    i < 1_500 ? i + 2 : 1_503 + (i - 1_500) * 2,
  );
  expect(late).toEqual(wanted);
}, 60_000);

test('[E2] forty refused sessions with many events each delay no other session', async () => {
  const { sent, madeAt, emit, pass } = open((seq) => (seq <= 80 && seq % 2 === 0 ? 500 : 204));
  for (let i = 0; i < 40; i++) {
    emit();
    emit(`ses_refused_${i}`);
    await pass(1_000, 500);
  }
  for (let i = 0; i < 40 * 50; i++) emit(`ses_refused_${i % 40}`);
  await pass(1_000);
  for (let i = 0; i < 20; i++) {
    emit();
    await pass(1_000);
  }
  const others = sent.filter(({ seq }) => seq > 2_080);
  expect(others.length).toBe(20);
  expect(others.filter(({ seq, at }) => at - madeAt[seq]! > 2_000)).toEqual([]);
}, 60_000);

/** The longest delay of an event in a healthy session after the first minute. */
function longestWait(sent: readonly Sent[], madeAt: readonly number[]): number {
  const good = sent.filter(({ status, at }) => status === 204 && at > MINUTE_MS);
  return Math.max(...good.map(({ seq, at }) => at - madeAt[seq]!));
}

test('[E2] one session whose deliveries are always answered with Retry-After delays no other', async () => {
  const { sent, madeAt, emit, pass } = open((seq) => (seq % 5 === 1 ? [503, 600] : 204));
  for (let i = 0; i < 3_000; i++) {
    emit(i % 5 === 0 ? 'ses_a' : undefined);
    await pass(1_000, 500);
  }
  const good = new Set(sent.filter(({ status }) => status === 204).map(({ seq }) => seq));
  expect(good.size).toBe(2_400);
  expect(longestWait(sent, madeAt)).toBeLessThanOrEqual(2_000);
  // For its own event the endpoint's Retry-After applies.
  const tries = sent.filter(({ seq }) => seq === 1).map(({ at }) => at);
  const gaps = tries.slice(1).map((at, i) => at - tries[i]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(600_000);
}, 60_000);

test('[E2] one game whose sessions are all answered with Retry-After does not starve the others', async () => {
  // Without a pattern, about half of them.
  const isOfGame = (seq: number): boolean => ((seq * 2_654_435_761) >>> 0) % 1_000 < 500;
  const { sent, madeAt, emit, pass } = open((seq) => (isOfGame(seq) ? [503, 3_600] : 204));
  for (let i = 0; i < 1_800; i++) {
    emit();
    await pass(1_000, 500);
  }
  const good = new Set(sent.filter(({ status }) => status === 204).map(({ seq }) => seq));
  const wanted = Array.from({ length: 1_790 }, (_, i) => i + 1).filter((seq) => !isOfGame(seq));
  expect(wanted.filter((seq) => !good.has(seq))).toEqual([]);
  expect(longestWait(sent, madeAt)).toBeLessThanOrEqual(MINUTE_MS);
}, 60_000);

test('[E2] an endpoint that answers all sessions with Retry-After is tried ever more rarely, up to its value', async () => {
  let isBusy = true;
  const { sent, emit, pass } = open(() => (isBusy ? [429, 1_800] : 204));
  for (let i = 0; i < 60; i++) emit();
  await pass(29 * MINUTE_MS);
  // 5 at once, then after 1 s, 2 s, 4 s and so on.
  expect(sent.length).toBeLessThanOrEqual(17);
  expect(new Set(sent.map(({ seq }) => seq)).size).toBe(sent.length);
  isBusy = false;
  await pass(35 * MINUTE_MS);
  expect(new Set(sent.filter(({ status }) => status === 204).map(({ seq }) => seq)).size).toBe(60);
}, 60_000);

test('[E2] an event with Retry-After is not sent before that, even if the endpoint is back for others', async () => {
  let isBusy = true;
  const { sent, emit, pass } = open((seq) => (isBusy ? [503, 900] : seq <= 6 ? [503, 900] : 204));
  for (let i = 0; i < 6; i++) emit();
  await pass(MINUTE_MS);
  isBusy = false;
  emit();
  await pass(10 * MINUTE_MS);
  expect(sent.filter(({ status }) => status === 204).map(({ seq }) => seq)).toEqual([7]);
  expect(sent.length).toBe(7);
});
