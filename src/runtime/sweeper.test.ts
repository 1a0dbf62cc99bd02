/** The sweeper: everything is kept exactly as long as it is promised, and not a day longer. */

import { describe, expect, test } from 'bun:test';
import type { Mode } from '../match/record.ts';
import {
  answerOf,
  append,
  auditOf,
  created,
  entryOf,
  filterOf,
  sessionId,
  T0,
  tenantOf,
} from '../store/contract/stage.ts';
import type { CoreStore } from '../store/store.ts';
import type { PlanName } from '../tenancy/tenant.ts';
import { makeManualClock } from '../testing/manual-clock.ts';
import { makeMemoryStore } from '../testing/memory-store.ts';
import { sweep, sweepAll } from './sweeper.ts';

const DAY_MS = 86_400_000;

async function makeTenant(store: CoreStore, id: string, plan: PlanName): Promise<void> {
  await store.createTenant(tenantOf(id, { plan }), auditOf('tenant.create'));
}

async function endedSession(
  store: CoreStore,
  n: number,
  tenant: string,
  mode: Mode,
): Promise<void> {
  await created(store, n, { tenant, mode });
  await append(store, sessionId(n), [entryOf(1)], { status: 'ended', endedAt: T0 });
}

/** Sweeps a millisecond before and after the day on which something goes. */
async function sweepAround(store: CoreStore, days: number): Promise<readonly number[]> {
  const clock = makeManualClock(T0 + days * DAY_MS);
  const before = await sweep(store, clock);
  clock.advance(1);
  const after = await sweep(store, clock);
  return [before.sessions, after.sessions];
}

describe('[R1] the sweeper', () => {
  const plans = { starter: 30, growth: 180, pro: 400, enterprise: 400 } as const;
  for (const [plan, days] of Object.entries(plans)) {
    test(`[R1] live sessions of plan ${plan} are kept for ${days} days after their end`, async () => {
      const store = makeMemoryStore();
      await makeTenant(store, 'ten_a', plan as PlanName);
      await endedSession(store, 1, 'ten_a', 'live');
      expect(await sweepAround(store, days)).toEqual([0, 1]);
      expect(await store.loadSession(sessionId(1))).toBeNull();
    });
  }

  test('[R1] what an enterprise has agreed on counts', async () => {
    const store = makeMemoryStore();
    const tenant = tenantOf('ten_a', { plan: 'enterprise', limits: { retentionDays: 1_000 } });
    await store.createTenant(tenant, auditOf('tenant.create'));
    await endedSession(store, 1, 'ten_a', 'live');
    expect(await sweepAround(store, 1_000)).toEqual([0, 1]);
  });

  for (const mode of ['test', 'training'] as const) {
    test(`[R1] ${mode} sessions are kept for seven days, whatever the plan`, async () => {
      const store = makeMemoryStore();
      await makeTenant(store, 'ten_a', 'pro');
      await endedSession(store, 1, 'ten_a', mode);
      expect(await sweepAround(store, 7)).toEqual([0, 1]);
    });
  }

  test('[R1] each tenant has its own time, and what has not ended stays for ever', async () => {
    const store = makeMemoryStore();
    await makeTenant(store, 'ten_a', 'starter');
    await makeTenant(store, 'ten_b', 'growth');
    await endedSession(store, 1, 'ten_a', 'live');
    await endedSession(store, 2, 'ten_b', 'live');
    await created(store, 3, { tenant: 'ten_a' });
    expect(await sweepAround(store, 30)).toEqual([0, 1]);
    expect(await sweepAround(store, 180)).toEqual([0, 1]);
    expect(await sweepAround(store, 10_000)).toEqual([0, 0]);
    const left = await store.listSessions(filterOf({ tenant: 'ten_a' }));
    expect(left.map(({ id }) => id)).toEqual([sessionId(3)]);
  });

  test('[R1] kept answers go when their day is over', async () => {
    const store = makeMemoryStore();
    await store.keepIdempotent(answerOf('k', { expiresAt: T0 + DAY_MS }));
    const clock = makeManualClock(T0 + DAY_MS);
    expect((await sweep(store, clock)).answers).toBe(0);
    clock.advance(1);
    expect((await sweep(store, clock)).answers).toBe(1);
  });

  test('[R1] a backlog is removed in small steps, and the rest the next time', async () => {
    const store = makeMemoryStore();
    await makeTenant(store, 'ten_a', 'starter');
    for (let n = 0; n < 450; n++) await endedSession(store, n, 'ten_a', 'live');
    const steps: number[] = [];
    const counting: CoreStore = {
      ...store,
      async removeSessions(filter) {
        const count = await store.removeSessions(filter);
        expect(filter.limit).toBeLessThanOrEqual(200);
        if (count > 0) steps.push(count);
        return count;
      },
    };
    const clock = makeManualClock(T0 + 31 * DAY_MS);
    expect((await sweep(counting, clock)).sessions).toBe(450);
    expect(steps).toEqual([200, 200, 50]);
  });
});

test('[R1] a sweep that fails keeps no other from its turn', async () => {
  const failed: string[] = [];
  const swept = await sweepAll(
    {
      first: async () => ({ sessions: 2, answers: 1 }),
      second: () => Promise.reject(new Error('the store is away')),
      third: async () => 3,
    },
    (_, name) => void failed.push(name),
  );
  expect([swept, failed]).toEqual([{ sessions: 2, answers: 1, third: 3 }, ['second']]);
});
