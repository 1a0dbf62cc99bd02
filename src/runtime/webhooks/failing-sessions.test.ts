/** Shows endpoints that fail some events for good, or all of them for a while. */

import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import type { KeptEvent } from '../../events/event.ts';
import type { Webhook } from '../../store/webhooks.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeFairShare, SHARE_LIMITS } from './fair-share.ts';
import { openLane } from './lane.ts';

const WEBHOOK: Webhook = {
  ...{ id: 'whk_a', tenant: 'ten_a', mode: 'live', url: 'https://a.example/', types: [] },
  ...{ description: '', secrets: [], disabled: null, failingSince: null, createdAt: 0 },
  ...{ cursor: 0, epoch: 1 },
};
const STEP_MS = 100;
const MINUTE_MS = 60_000;

/** One request, ms since the beginning. */
interface Sent {
  readonly seq: number;
  readonly at: number;
  readonly status: number;
}

/** A lane to an endpoint that answers as `statusOf` says; each event is of a session of its own. */
function open(statusOf: (seq: number) => number) {
  const clock = makeManualClock();
  const began = clock.now();
  const log: KeptEvent[] = [];
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
          const status = statusOf(seq);
          sent.push({ seq, at: now(), status });
          return { status, retryAfter: null };
        },
        deliverBody: async () => null,
      },
      ...{ clock, draw: () => 0.5, share: makeFairShare(SHARE_LIMITS), retriesOf: async () => 12 },
      ...{ stats: { delivered: 0, failed: 0, givenUp: 0 }, mayWriteAgain: true },
      onError: (_, error) => expect.unreachable(String(error)),
      onEnd() {},
    },
    WEBHOOK,
    [],
    true,
  );
  return {
    ...{ sent, madeAt },
    emit(): void {
      const seq = log.length + 1;
      const about = { session: `ses_${seq}`, at: 0, data: '{}', type: 'session.started' } as const;
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
  test(`[E2] events of other sessions go on beside ${bad} that always fail`, async () => {
    const { sent, madeAt, emit, pass } = open((seq) => (seq <= bad ? 500 : 204));
    for (let i = 0; i < bad; i++) emit();
    for (let second = 0; second < 1_800; second++) {
      emit();
      await pass(1_000);
    }
    const good = sent.filter(({ seq }) => seq > bad);
    expect(good.length).toBe(1_800);
    // At first all fails, as if the endpoint were down.
    const late = good.filter(({ seq, at }) => at - madeAt[seq]! > 2_000);
    expect(late.filter(({ at }) => at > 5 * MINUTE_MS)).toEqual([]);
    // The others are tried at their own times, and once when the endpoint was back.
    for (let seq = 1; seq <= bad; seq++) {
      const tries = sent.filter((each) => each.seq === seq).length;
      expect(tries).toBeGreaterThanOrEqual(5);
      expect(tries).toBeLessThanOrEqual(9);
    }
  }, 60_000);
}

test('[E2] events of other sessions go on beside more that always fail than may wait', async () => {
  const { sent, emit, pass } = open((seq) => (seq % 2 === 0 ? 400 : 204));
  for (let second = 0; second < 45 * 60; second++) {
    emit();
    await pass(1_000, 500);
  }
  const good = new Set(sent.filter(({ status }) => status === 204).map(({ seq }) => seq));
  expect(good.size).toBeGreaterThan((45 * 60) / 2 - 20);
}, 60_000);

test('[E2] one that fails once more on its way back is sent all that waits when it is back', async () => {
  let answers = 0;
  const { sent, emit, pass } = open(() => {
    answers -= 1;
    return answers >= 0 ? 204 : 502;
  });
  for (let i = 0; i < 8; i++) emit();
  await pass(5 * 60 * MINUTE_MS, 500);
  // One healthy instance behind a balancer: all that waited is sent, and fails again.
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

test('[E2] one that is down is asked ever more rarely, and sent all that waits when it is back', async () => {
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

test('[E2] one that is down again at once is not asked for all that was about to be sent', async () => {
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
