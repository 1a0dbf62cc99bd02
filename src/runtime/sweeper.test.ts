/** The sweeper: everything is stored exactly as long as promised, and not a day longer. */

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
import { openMemoryStore } from '../store/sqlite/memory-store.ts';
import type { CoreStore } from '../store/store.ts';
import type { PlanName } from '../tenancy/tenant.ts';
import { makeManualClock } from '../testing/manual-clock.ts';
import { makeGuestSweep, sweepAll, sweepAnswers, sweepSessions } from './sweeper.ts';

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

/** Sweeps a millisecond before and after the day on which a row expires. */
async function sweepAround(store: CoreStore, days: number): Promise<readonly number[]> {
  const clock = makeManualClock(T0 + days * DAY_MS);
  const before = await sweepSessions(store, clock);
  clock.advance(1);
  const after = await sweepSessions(store, clock);
  return [before, after];
}

describe('[R1] the sweeper', () => {
  const plans = { starter: 30, growth: 180, pro: 400, enterprise: 400 } as const;
  for (const [plan, days] of Object.entries(plans)) {
    test(`[R1] live sessions of plan ${plan} are stored for ${days} days after their end`, async () => {
      const store = openMemoryStore();
      await makeTenant(store, 'ten_a', plan as PlanName);
      await endedSession(store, 1, 'ten_a', 'live');
      expect(await sweepAround(store, days)).toEqual([0, 1]);
      expect(await store.loadSession(sessionId(1))).toBeNull();
    });
  }

  test('[R1] the retention agreed with an enterprise tenant applies', async () => {
    const store = openMemoryStore();
    const tenant = tenantOf('ten_a', { plan: 'enterprise', limits: { retentionDays: 1_000 } });
    await store.createTenant(tenant, auditOf('tenant.create'));
    await endedSession(store, 1, 'ten_a', 'live');
    expect(await sweepAround(store, 1_000)).toEqual([0, 1]);
  });

  for (const mode of ['test', 'training'] as const) {
    test(`[R1] ${mode} sessions are stored for seven days, whatever the plan`, async () => {
      const store = openMemoryStore();
      await makeTenant(store, 'ten_a', 'pro');
      await endedSession(store, 1, 'ten_a', mode);
      expect(await sweepAround(store, 7)).toEqual([0, 1]);
    });
  }

  test('[R1] each tenant has its own retention, and sessions that have not ended stay', async () => {
    const store = openMemoryStore();
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

  test('[R1] stored responses are removed after a day', async () => {
    const store = openMemoryStore();
    await store.keepIdempotent(answerOf('k', { expiresAt: T0 + DAY_MS }));
    const clock = makeManualClock(T0 + DAY_MS);
    expect(await sweepAnswers(store, clock)).toBe(0);
    clock.advance(1);
    expect(await sweepAnswers(store, clock)).toBe(1);
  });

  test('[R1] a backlog is removed in small steps, and the rest the next time', async () => {
    const store = openMemoryStore();
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
    expect(await sweepSessions(counting, clock)).toBe(450);
    expect(steps).toEqual([200, 200, 50]);
  });

  test('[R1] one tenant whose sessions cannot be removed does not block others', async () => {
    const store = openMemoryStore();
    for (const tenant of ['ten_a', 'ten_b']) await makeTenant(store, tenant, 'starter');
    await endedSession(store, 1, 'ten_b', 'live');
    const broken: CoreStore = {
      ...store,
      async removeSessions(filter) {
        if (filter.tenant === 'ten_a') throw new Error('canceling statement due to timeout');
        return await store.removeSessions(filter);
      },
    };
    const swept = sweepSessions(broken, makeManualClock(T0 + 31 * DAY_MS));
    await expect(swept).rejects.toThrow('canceling statement');
    expect(await store.loadSession(sessionId(1))).toBeNull();
  });
});

test('[R1] a failing sweep does not block the others', async () => {
  const failed: string[] = [];
  const swept = await sweepAll(
    {
      first: async () => 2,
      second: () => Promise.reject(new Error('the store is away')),
      third: async () => 3,
    },
    (_, name) => void failed.push(name),
  );
  expect([swept, failed]).toEqual([{ first: 2, third: 3 }, ['second']]);
});

describe('[R1] guests who were left behind', () => {
  const guest = (n: number) => `guest:${String(n).padStart(26, '0')}`;
  const nameGuests = async (store: CoreStore, tenant: string, from: number, to: number) => {
    for (let n = from; n < to; n++) {
      const naming = {
        tenant,
        world: 'live' as const,
        playerId: guest(n),
        newRef: `ply_${tenant}_${n}`,
        at: T0,
      };
      await store.namePlayer({ ...naming, displayName: 'Guest' }, null);
    }
  };

  test('[R1] are removed once a day, a part in each sweep', async () => {
    const store = openMemoryStore();
    const clock = makeManualClock(T0);
    for (const id of ['ten_a', 'ten_b']) await makeTenant(store, id, 'starter');
    await nameGuests(store, 'ten_a', 0, 3);
    await nameGuests(store, 'ten_b', 0, 450);
    let asked = 0;
    const sweepGuests = makeGuestSweep(
      {
        ...store,
        removeGuests(...args) {
          asked += 1;
          return store.removeGuests(...args);
        },
      },
      clock,
    );
    expect([await sweepGuests(), asked]).toEqual([453, 6]);
    await nameGuests(store, 'ten_a', 3, 4);
    clock.advance(DAY_MS - 1);
    expect([await sweepGuests(), asked]).toEqual([0, 6]);
    clock.advance(1);
    expect([await sweepGuests(), asked]).toEqual([1, 10]);
  });

  test('[R1] a sweep examines a limited number, and the next continues from there', async () => {
    const store = openMemoryStore();
    await makeTenant(store, 'ten_a', 'starter');
    const places: string[] = [];
    const sweepGuests = makeGuestSweep(
      {
        ...store,
        async removeGuests(_, world, after) {
          if (world === 'test') return { removed: 0, last: null };
          places.push(after);
          return { removed: 1, last: places.length < 70 ? guest(places.length) : null };
        },
      },
      makeManualClock(T0),
    );
    expect([await sweepGuests(), places.length]).toEqual([50, 50]);
    expect([await sweepGuests(), places.length]).toEqual([20, 70]);
    expect(places).toEqual(['', ...Array.from({ length: 69 }, (_, n) => guest(n + 1))]);
  });

  test('[R1] one tenant whose guests cannot be removed does not block others', async () => {
    const store = openMemoryStore();
    const clock = makeManualClock(T0);
    for (const id of ['ten_a', 'ten_b']) await makeTenant(store, id, 'starter');
    await nameGuests(store, 'ten_a', 0, 1);
    await nameGuests(store, 'ten_b', 0, 1);
    let isBroken = true;
    const sweepGuests = makeGuestSweep(
      {
        ...store,
        async removeGuests(tenant, world, ...place) {
          const isOfBroken = tenant === 'ten_a' && world === 'live';
          if (isBroken && isOfBroken) throw new Error('canceling statement due to timeout');
          return await store.removeGuests(tenant, world, ...place);
        },
      },
      clock,
    );
    await expect(sweepGuests()).rejects.toThrow('canceling statement');
    expect(await sweepGuests()).toBe(1);
    expect(await store.findPlayer('ten_b', 'live', guest(0))).toBeNull();
    isBroken = false;
    clock.advance(DAY_MS);
    expect(await sweepGuests()).toBe(1);
    expect(await store.findPlayer('ten_a', 'live', guest(0))).toBeNull();
  });
});
