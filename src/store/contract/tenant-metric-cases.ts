/** Metrics over time: one row per node and minute, folded without losing or double-counting (rule D14). */

import { expect } from 'bun:test';
import { makeFigures, printFigures } from '../../tenant-metrics/figures.ts';
import { total } from '../../tenant-metrics/spans.ts';
import type { NodeMinute } from '../tenant-metrics.ts';
import type { Store } from '../whole-store.ts';
import type { AreaCase } from './area.ts';
import { auditOf, entryOf, sessionId, sessionOf, T0, TENANT, tenantOf } from './stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOON = Math.ceil(T0 / (24 * HOUR_MS)) * 24 * HOUR_MS;

function minuteOf(n: number, failed: number, change: Partial<NodeMinute> = {}): NodeMinute {
  const figures = makeFigures();
  figures.counts.failed = failed;
  figures.gauges.playersConnected = failed;
  return {
    tenant: TENANT,
    mode: 'live',
    node: 'nod_a',
    at: NOON + n * MINUTE_MS,
    figures: printFigures(figures),
    ...change,
  };
}

const makeTenant = (store: Store) => store.createTenant(tenantOf(), auditOf('tenant.created'));

async function read(store: Store, mode: 'live' | 'test' = 'live') {
  const rows = await store.listMetrics(TENANT, mode, 0);
  const { counts, gauges } = total(rows, { from: 0, to: Infinity, stepMs: 1 });
  return { rows: rows.length, failed: counts.failed, players: gauges.playersConnected };
}

const TO_10M = { stepMs: MINUTE_MS, intoMs: 10 * MINUTE_MS };

export const tenantMetricCases: readonly AreaCase[] = [
  {
    title: '[D14] a minute written twice counts once, and modes and tenants are separate',
    async run({ store }) {
      await makeTenant(store);
      const both = [minuteOf(0, 3), minuteOf(0, 4, { node: 'nod_b' })];
      await store.addMinutes([...both, minuteOf(0, 9, { mode: 'test' })]);
      await store.addMinutes([minuteOf(0, 3)]);
      expect(await read(store)).toEqual({ rows: 2, failed: 7, players: 7 });
      expect(await read(store, 'test')).toEqual({ rows: 1, failed: 9, players: 9 });
      expect(await store.listMetrics(TENANT, 'live', NOON + 1)).toEqual([]);
      // Nothing is stored for an unknown tenant, or one that is being removed.
      await store.addMinutes([minuteOf(0, 1, { tenant: 'ten_none' })]);
      expect(await store.listMetrics('ten_none', 'live', 0)).toEqual([]);
      await store.beginRemoval(TENANT, T0, auditOf('tenant.removal_begun'));
      await store.addMinutes([minuteOf(5, 1)]);
      expect((await read(store)).rows).toBe(2);
    },
  },
  {
    title:
      '[D14] minutes are folded into longer steps: sums and maxima are kept, late minutes join',
    async run({ store }) {
      await makeTenant(store);
      const minutes = Array.from({ length: 25 }, (_, n) => [
        minuteOf(n, n),
        minuteOf(n, 1, { node: 'nod_b' }),
      ]).flat();
      await store.addMinutes(minutes);
      const before = await read(store);
      expect(before).toEqual({ rows: 50, failed: 325, players: 25 });
      const fold = { ...TO_10M, before: NOON + 20 * MINUTE_MS };
      // A limit in the middle of a minute's rows leaves that minute whole.
      expect(await store.foldMetrics({ ...fold, limit: 5 })).toBe(4);
      expect((await read(store)).players).toBe(25);
      while ((await store.foldMetrics({ ...fold, limit: 7 })) > 0);
      expect(await read(store)).toEqual({ ...before, rows: 12 });
      await store.addMinutes([minuteOf(3, 100, { node: 'nod_c' })]);
      expect(await store.foldMetrics({ ...fold, limit: 99 })).toBe(1);
      expect(await read(store)).toEqual({ rows: 12, failed: 425, players: 100 });
      const hours = { stepMs: 10 * MINUTE_MS, intoMs: HOUR_MS, before: NOON + HOUR_MS, limit: 99 };
      expect(await store.foldMetrics(hours)).toBe(2);
      expect(await read(store)).toEqual({ rows: 11, failed: 425, players: 100 });
      const removal = { stepMs: HOUR_MS, intoMs: null, before: NOON + 1, limit: 99 };
      expect(await store.foldMetrics(removal)).toBe(1);
      expect((await read(store)).rows).toBe(10);
    },
  },
  {
    title: '[D14] several openers that fold at once count each minute once',
    async run({ store, another }) {
      const other = await another();
      await makeTenant(store);
      await store.addMinutes(Array.from({ length: 60 }, (_, n) => minuteOf(n, 1)));
      const fold = { ...TO_10M, before: NOON + HOUR_MS, limit: 7 };
      await Promise.all(
        Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? store : other).foldMetrics(fold)),
      );
      while ((await store.foldMetrics(fold)) > 0);
      expect(await read(store)).toEqual({ rows: 6, failed: 60, players: 1 });
    },
  },
  {
    title: '[D14] matches in play are counted by mode; waiting, ended and training ones are not',
    async run({ store }) {
      await makeTenant(store);
      for (const n of [1, 2, 3]) await store.createSession(sessionOf(n, { mode: 'live' }));
      await store.createSession(sessionOf(4, { mode: 'test' }));
      await store.createSession(sessionOf(5, { mode: 'training' }));
      const change = (n: number, status: 'active' | 'ended', mode: 'live' | 'test' | 'training') =>
        new Promise((resolve) => {
          const session = { session: sessionId(n), tenant: TENANT, mode };
          const v = status === 'active' ? 1 : 2;
          store.commit({ ...session, entries: [entryOf(v)], change: { status } }, resolve);
        });
      for (const n of [1, 2]) await change(n, 'active', 'live');
      await change(4, 'active', 'test');
      await change(5, 'active', 'training');
      await change(2, 'ended', 'live');
      const counts = [...(await store.countActive())].sort((a, b) => a.mode.localeCompare(b.mode));
      expect(counts).toEqual([
        { tenant: TENANT, mode: 'live', n: 1 },
        { tenant: TENANT, mode: 'test', n: 1 },
      ]);
      expect(await store.countActiveOf(TENANT, 'live')).toBe(1);
      expect(await store.countActiveOf('ten_none', 'live')).toBe(0);
    },
  },
];
