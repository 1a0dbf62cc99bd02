/** Anomalies are described in words, with their start, and only while they last. */

import { expect, test } from 'bun:test';
import { type Anomaly, findAnomalies, type Watched, type WatchedWebhook } from './anomalies.ts';
import { type CountName, makeFigures, timingOf } from './figures.ts';
import { bucketOf } from './histogram.ts';

const MINUTE_MS = 60_000;
const NOW = Date.UTC(2026, 10, 27, 14, 30);

interface Minute {
  readonly counts?: Partial<Record<CountName, number>>;
  /** The duration of each of some moves, in milliseconds. */
  readonly moves?: readonly number[];
}

/** The last hour; `of` returns the content of the minute that begins that many minutes ago. */
function watched(of: (ago: number) => Minute, more: Partial<Watched> = {}): Watched {
  const minutes = Array.from({ length: 60 }, (_, i) => {
    const { counts, moves = [] } = of(60 - i);
    const figures = makeFigures();
    Object.assign(figures.counts, counts);
    for (const ms of moves) timingOf(figures, 'moves')[bucketOf(ms)]! += 1;
    return { at: NOW - (60 - i) * MINUTE_MS, figures };
  });
  const calm = { webhooks: [], monthSessions: null, openSessions: { used: 0, limit: null } };
  return { now: NOW, minutes, ...calm, ...more };
}

const quiet = (): Minute => ({});
/** A number of the last minutes, and their content. */
const lately = (minutes: number, minute: Minute) => (ago: number) =>
  ago <= minutes ? minute : { counts: { succeeded: 10 } };
const shown = (found: readonly Anomaly[]) =>
  found.map(({ severity, message }) => `${severity}: ${message}`);

const webhook: WatchedWebhook = {
  id: 'whk_1',
  url: 'https://hooks.example.com/in?secret=s3cret',
  disabled: null,
  failingSince: null,
};
const webhookWords = (fields: Partial<WatchedWebhook>) =>
  shown(findAnomalies(watched(quiet, { webhooks: [{ ...webhook, ...fields }] })));

test('[D14] a quiet hour, and a healthy one, report nothing', () => {
  expect(findAnomalies(watched(quiet))).toEqual([]);
  expect(findAnomalies(watched(lately(60, { counts: { succeeded: 900 }, moves: [3, 9] })))).toEqual(
    [],
  );
  expect(webhookWords({})).toEqual([]);
});

test('[D14] a failing webhook is named by its host only, with the time since when it fails', () => {
  const found = findAnomalies(
    watched(quiet, { webhooks: [{ ...webhook, failingSince: NOW - 28 * MINUTE_MS }] }),
  );
  expect(found).toEqual([
    {
      kind: 'webhook_failing',
      severity: 'critical',
      message: 'Webhook hooks.example.com has failed since 14:02 UTC.',
      since: NOW - 28 * MINUTE_MS,
      value: null,
      target: { type: 'webhook', id: 'whk_1' },
    },
  ]);
  // The date is given if it is of another day.
  expect(webhookWords({ failingSince: NOW - 24 * 60 * MINUTE_MS })).toEqual([
    'critical: Webhook hooks.example.com has failed since 2026-11-26 14:30 UTC.',
  ]);
});

test('[D14] a webhook that the service has disabled says why; one paused by its tenant is not reported', () => {
  const failingSince = NOW - MINUTE_MS;
  expect(webhookWords({ disabled: 'gone', failingSince })).toEqual([
    'critical: Webhook hooks.example.com is disabled: it answered 410.',
  ]);
  expect(webhookWords({ disabled: 'failing', failingSince })).toEqual([
    'critical: Webhook hooks.example.com is disabled: it only failed for days.',
  ]);
  expect(webhookWords({ disabled: 'paused', failingSince })).toEqual([]);
});

test('[D14] server errors are reported from 1 % of 20 requests on, and are critical from 10 %', () => {
  const of = (failed: number, succeeded: number) =>
    shown(findAnomalies(watched((ago) => (ago === 3 ? { counts: { failed, succeeded } } : {}))));
  expect(of(1, 18)).toEqual([]);
  expect(of(1, 19)).toEqual([
    'warning: Error rate 5 % since 14:27 UTC: requests are answered with 5xx.',
  ]);
  expect(of(1, 110)).toEqual([]);
  expect(of(1, 99)).toEqual([
    'warning: Error rate 1 % since 14:27 UTC: requests are answered with 5xx.',
  ]);
  expect(of(10, 90)).toEqual([
    'critical: Error rate 10 % since 14:27 UTC: requests are answered with 5xx.',
  ]);
});

test('[D14] a ratio is compared with its limit before rounding, and never rounded up to a limit it does not reach', () => {
  const of = (counts: NonNullable<Minute['counts']>) =>
    findAnomalies(watched((ago) => (ago === 3 ? { counts } : {}))).map(
      ({ severity, message, value }) => [severity, value, message.split(' since')[0]],
    );
  expect(of({ failed: 19, succeeded: 181 })).toEqual([['warning', 9.5, 'Error rate 9.5 %']]);
  expect(of({ failed: 1999, succeeded: 18_001 })).toEqual([['warning', 9.9, 'Error rate 9.9 %']]);
  expect(of({ failed: 2001, succeeded: 17_999 })).toEqual([['critical', 10, 'Error rate 10 %']]);
  expect(of({ failed: 19, succeeded: 1981 })).toEqual([]);
  expect(of({ failed: 20, succeeded: 1980 })).toEqual([['warning', 1, 'Error rate 1 %']]);
  expect(of({ refused: 196, succeeded: 804 })).toEqual([]);
  expect(of({ refused: 200, succeeded: 800 })).toEqual([
    ['warning', 20, '20 % of requests are refused with 4xx'],
  ]);
});

test('[D14] an anomaly starts with its first minute, across pauses shorter than 15 minutes, and ends after one', () => {
  const bad = { counts: { failed: 30 } };
  const since = (ago: readonly number[]) =>
    findAnomalies(watched((at) => (ago.includes(at) ? bad : {}))).map((each) => each.since);
  expect(since([40, 26, 12])).toEqual([NOW - 40 * MINUTE_MS]);
  // After 15 quiet minutes it is a new anomaly.
  expect(since([40, 24, 8])).toEqual([NOW - 8 * MINUTE_MS]);
  expect(since([16])).toEqual([]);
  expect(since([15])).toEqual([NOW - 15 * MINUTE_MS]);
});

test("[D14] refused requests are reported from a fifth on, a plan's limit from its first refusal on", () => {
  const of = (counts: NonNullable<Minute['counts']>) =>
    shown(findAnomalies(watched(lately(15, { counts }))));
  expect(of({ succeeded: 81, refused: 19 })).toEqual([]);
  expect(of({ succeeded: 80, refused: 20 })).toEqual([
    'warning: 20 % of requests are refused with 4xx since 14:15 UTC.',
  ]);
  const limited = findAnomalies(
    watched((ago) => (ago === 5 ? { counts: { succeeded: 9, limited: 2 } } : {})),
  );
  expect(limited).toMatchObject([
    {
      kind: 'limited_requests',
      message: 'A limit of the plan has refused 2 requests since 14:25 UTC.',
      value: 2,
      target: { type: 'usage', id: null },
    },
  ]);
});

test('[D14] moves are slow when one in 100 of at least 50 waits half a second', () => {
  const of = (slow: number, fast: number) => {
    const moves = [...Array(slow).fill(800), ...Array(fast).fill(4)] as number[];
    return findAnomalies(watched((ago) => (ago === 2 ? { moves } : {})));
  };
  expect(of(2, 47)).toEqual([]);
  expect(of(1, 199)).toEqual([]);
  const [slow, ...rest] = of(2, 98);
  expect(rest).toEqual([]);
  expect(slow).toMatchObject({ kind: 'slow_moves', severity: 'warning', since: NOW - 120_000 });
  // Buckets are 19 % wide.
  expect(Math.abs(slow!.value! / 800 - 1)).toBeLessThan(0.2);
  expect(slow!.message).toBe(
    `Moves are slow since 14:28 UTC: one in 100 waits ${Math.round(slow!.value!)} ms or more.`,
  );
});

test("[D14] usage is reported from 80 % of the plan's limit on, and is critical when it is used up", () => {
  const of = (used: number, limit: number | null) =>
    shown(findAnomalies(watched(quiet, { monthSessions: { used, limit } })));
  expect(of(799, 1_000)).toEqual([]);
  expect(of(800, 1_000)).toEqual([
    "warning: Usage is at 80 % of the plan's sessions of this month: 800 of 1000.",
  ]);
  expect(of(1_000, 1_000)).toEqual([
    "critical: Usage is at 100 % of the plan's sessions of this month: 1000 of 1000.",
  ]);
  expect(of(5, null)).toEqual([]);
  expect(of(0, 0)).toEqual([
    "critical: Usage is at 100 % of the plan's sessions of this month: 0 of 0.",
  ]);
  const open = { openSessions: { used: 95, limit: 100 } };
  expect(shown(findAnomalies(watched(quiet, open)))).toEqual([
    "warning: Usage is at 95 % of the plan's open sessions: 95 of 100.",
  ]);
});

test('[D14] the most severe come first, each kind in its own order', () => {
  const found = findAnomalies(
    watched(lately(15, { counts: { succeeded: 50, refused: 40, failed: 30 } }), {
      webhooks: [{ ...webhook, failingSince: NOW - MINUTE_MS }],
      monthSessions: { used: 90, limit: 100 },
      openSessions: { used: 100, limit: 100 },
    }),
  );
  expect(found.map(({ kind }) => kind)).toEqual([
    ...(['webhook_failing', 'server_errors', 'open_sessions'] as const),
    ...(['refused_requests', 'month_sessions'] as const),
  ]);
});
