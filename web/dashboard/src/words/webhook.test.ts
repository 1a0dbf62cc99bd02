/** An endpoint's metrics and words. */

import { expect, test } from 'bun:test';
import { type Attempt, healthOf, outcomeWords, successWords, undelivered } from './webhook.ts';

function attempt(change: Partial<Attempt>): Attempt {
  return {
    eventId: 'evt_1',
    type: 'session.ended',
    sessionId: null,
    attempt: 1,
    at: '2026-11-27T10:00:00.000Z',
    durationMs: 10,
    status: 204,
    error: null,
    nextAttemptAt: null,
    outcome: 'delivered',
    response: null,
    ...change,
  };
}

const failed = { status: 500, error: 'status_not_2xx', outcome: 'given_up' } as const;

test('[D11] success is a share of all requests, latency covers the answered ones', () => {
  const rows = Array.from({ length: 100 }, (_, i) => attempt({ durationMs: i + 1 }));
  const unanswered = { status: null, error: 'timeout', durationMs: 15_000 } as const;
  const health = healthOf([...rows, attempt({ ...failed, ...unanswered })]);
  expect(health).toEqual({ requests: 101, delivered: 100, p50Ms: 50, p99Ms: 99 });
  expect(successWords(health)).toBe('99 % of 101');
  expect(successWords(healthOf([]))).toBe('no requests yet');
  expect(healthOf([])).toMatchObject({ p50Ms: null, p99Ms: null });
});

test('[D11] 100 % means all, and 0 % means none', () => {
  const words = (delivered: number, requests: number) =>
    successWords({ requests, delivered, p50Ms: null, p99Ms: null });
  expect(words(999, 1_000)).toBe('99 % of 1000');
  expect(words(1, 1_000)).toBe('1 % of 1000');
  expect(words(0, 1_000)).toBe('0 % of 1000');
  expect(words(5, 5)).toBe('100 % of 5');
});

test('[D11] a failure names the status and the error', () => {
  expect(outcomeWords(failed)).toBe('Not delivered: 500, not a 2xx status');
  expect(outcomeWords({ status: null, error: 'timeout' })).toBe(
    'Not delivered: no answer within 15 s',
  );
  expect(outcomeWords({ status: 204, error: null })).toBe('Delivered: 204');
});

test('[D11] an event that was delivered in the end is not undelivered, nor is a test', () => {
  const rows = [
    attempt({ eventId: 'evt_3', ...failed }),
    attempt({ eventId: 'evt_2', attempt: 2 }),
    attempt({ eventId: 'evt_2', ...failed }),
    attempt({ eventId: 'evt_3', ...failed }),
    attempt({ eventId: 'evt_0', type: 'webhook.test', ...failed }),
  ];
  expect(undelivered(rows)).toEqual(['evt_3']);
});
