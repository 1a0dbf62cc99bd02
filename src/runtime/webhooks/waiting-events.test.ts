/** A webhook's waiting events: how many, since when, and when the next of them is retried. */

import { expect, test } from 'bun:test';
import type { Webhook } from '../../store/webhooks.ts';
import type { Outstanding } from '../../webhooks/parcel.ts';
import { countWaiting } from './waiting-events.ts';

const NOW = Date.parse('2026-11-28T02:00:00.000Z');
const MINUTE_MS = 60_000;

const hook: Webhook = {
  id: 'whk_1',
  tenant: 'ten_1',
  mode: 'live',
  url: 'https://shop.example/hook',
  description: '',
  types: [],
  secrets: [],
  createdAt: 0,
  disabled: null,
  failingSince: null,
  cursor: 0,
  epoch: 0,
};

/** A row that failed `attempt` times and is due in `inMs`. */
function row(seq: number, attempt: number, inMs: number): Outstanding {
  const id = `evt_01kafw3q9t5ne8rz2m4xbcd7h${seq}`;
  const nextAt = NOW + inMs;
  return { seq, id, session: `ses_${seq}`, standsFor: 'event', attempt, nextAt, notBefore: 0 };
}

async function nextRetry(...rows: readonly Outstanding[]): Promise<number | null> {
  const store = { listOutstanding: async () => rows, readEvents: async () => [] };
  return (await countWaiting(store, hook, NOW)).nextAttemptAt;
}

test('[E2] the next retry is the earliest that is planned', async () => {
  expect(await nextRetry(row(1, 2, 5 * MINUTE_MS), row(2, 1, MINUTE_MS))).toBe(NOW + MINUTE_MS);
});

test('[E2] a retry that is due is the next one: it is planned, though its time has come', async () => {
  // After a stop all may be due; the endpoint, which fails, is asked for one after the other.
  expect(await nextRetry(row(1, 1, -MINUTE_MS), row(2, 1, -1))).toBe(NOW);
  expect(await nextRetry(row(1, 1, -MINUTE_MS), row(2, 4, 60 * MINUTE_MS))).toBe(NOW);
});

test('[E2] the next retry never lies in the past, whatever waits', async () => {
  for (let inMs = -3 * MINUTE_MS; inMs <= 3 * MINUTE_MS; inMs += 7_000) {
    const at = await nextRetry(row(1, 3, inMs), row(2, 1, 2 * inMs));
    expect([inMs, at! >= NOW]).toEqual([inMs, true]);
  }
});

test('[E2] no retry is planned for events that were not tried yet', async () => {
  expect(await nextRetry()).toBeNull();
  expect(await nextRetry(row(1, 0, -NOW))).toBeNull();
});
