/** Stored requests, how they are counted, and the peaks of a day. */

import { expect } from 'bun:test';
import type { KeyUsage, RequestFilter, RequestRow } from '../../journal.ts';
import type { Store } from '../../whole-store.ts';
import { type AreaCase, times } from '../area.ts';
import { append, auditOf, created, entryOf, sessionId, T0, TENANT, tenantOf } from '../stage.ts';

const DAY_MS = 86_400_000;

function requestOf(n: number, fields: Partial<RequestRow> = {}): RequestRow {
  return {
    id: `req_${String(n).padStart(4, '0')}`,
    tenant: TENANT,
    mode: 'live',
    at: T0 + n,
    method: 'POST',
    route: 'createSession',
    status: 201,
    code: null,
    tookMs: 3,
    keyId: 'key_a',
    session: null,
    refusal: null,
    ...fields,
  };
}

const filterOf = (filter: Partial<RequestFilter> = {}): RequestFilter => ({
  tenant: TENANT,
  mode: 'live',
  errorsOnly: false,
  before: null,
  limit: 100,
  ...filter,
});

async function createTenants(store: Store): Promise<void> {
  for (const tenant of [TENANT, 'ten_b']) {
    await store.createTenant(tenantOf(tenant, { slug: tenant }), {
      ...auditOf('tenant.created'),
      tenant,
    });
  }
}

export const REQUEST_CASES: readonly AreaCase[] = [
  {
    title: '[D9] requests are listed newest first, separately by mode, errors by themselves',
    async run({ store }) {
      await createTenants(store);
      const rows = [
        requestOf(1),
        requestOf(2, { status: 404, code: 'session_not_found', session: sessionId(1) }),
        requestOf(3, { mode: 'test' }),
        requestOf(4, { tenant: 'ten_b' }),
        requestOf(5, { status: 500, code: 'internal' }),
        requestOf(6),
      ];
      await store.logRequests(rows.slice(0, 3));
      await store.logRequests(rows.slice(3));
      await store.logRequests([]);
      expect(await store.listRequests(filterOf())).toEqual([
        rows[5]!,
        rows[4]!,
        rows[1]!,
        rows[0]!,
      ]);
      expect(await store.listRequests(filterOf({ errorsOnly: true }))).toEqual([
        rows[4]!,
        rows[1]!,
      ]);
      const page = filterOf({ before: rows[5]!.id, limit: 2 });
      expect(await store.listRequests(page)).toEqual([rows[4]!, rows[1]!]);
      expect(await store.findRequest(TENANT, 'live', rows[1]!.id)).toEqual(rows[1]!);
      expect(await store.findRequest(TENANT, 'test', rows[1]!.id)).toBeNull();
    },
  },
  {
    title: '[D9] usage is counted by day and kind, whichever stores count at once',
    async run({ store, another }) {
      await createTenants(store);
      const stores = [store, await another()];
      const rows = [
        requestOf(1, { made: { mode: 'live', game: 'ludo' } }),
        requestOf(2, { status: 200, route: 'findSession' }),
        requestOf(3, { status: 429 }),
        requestOf(4, { status: 404 }),
        requestOf(5, { status: 503 }),
        requestOf(6, { at: T0 + DAY_MS, made: { mode: 'live', game: 'pool' } }),
      ];
      const copies = (i: number) => rows.map((row) => ({ ...row, id: `${row.id}_${i}` }));
      // In different orders, as they come.
      await times(10, (i) =>
        stores[i % 2]!.logRequests(i % 2 === 0 ? copies(i) : copies(i).reverse()),
      );
      const counts = await store.listUsage(TENANT, 'live', '2026-11-14');
      expect(counts).toEqual([
        { day: '2026-11-14', kind: 'failed', count: 10 },
        { day: '2026-11-14', kind: 'limited', count: 10 },
        { day: '2026-11-14', kind: 'refused', count: 10 },
        { day: '2026-11-14', kind: 'requests', count: 50 },
        { day: '2026-11-14', kind: 'sessions', count: 10 },
        { day: '2026-11-15', kind: 'requests', count: 10 },
        { day: '2026-11-15', kind: 'sessions', count: 10 },
      ]);
      expect((await store.listUsage(TENANT, 'live', '2026-11-15')).length).toBe(2);
      expect(await store.listUsage(TENANT, 'test', '2026-11-14')).toEqual([]);
    },
  },
  {
    title: '[D9] usage is counted by key and day, sessions by their mode and game',
    async run({ store, another }) {
      await createTenants(store);
      const stores = [store, await another()];
      const rows = [
        requestOf(1, { made: { mode: 'live', game: 'ludo' } }),
        requestOf(2, { made: { mode: 'training', game: 'ludo' } }),
        requestOf(3, { status: 429, keyId: 'key_b' }),
        // A repeat of a create: no second session.
        requestOf(4),
        requestOf(5, { at: T0 + DAY_MS, made: { mode: 'live', game: 'pool' } }),
        requestOf(6, { tenant: 'ten_b' }),
      ];
      const copies = (i: number) => rows.map((row) => ({ ...row, id: `${row.id}_${i}` }));
      await times(4, (i) =>
        stores[i % 2]!.logRequests(i % 2 === 0 ? copies(i) : copies(i).reverse()),
      );
      const live = { mode: 'live', game: null } as const;
      const first = { day: '2026-11-14', keyId: 'key_a' };
      const days: readonly KeyUsage[] = [
        { ...first, ...live, kind: 'requests', count: 12 },
        { ...first, mode: 'live', kind: 'sessions', game: 'ludo', count: 4 },
        { ...first, mode: 'training', kind: 'sessions', game: 'ludo', count: 4 },
        { ...first, ...live, keyId: 'key_b', kind: 'limited', count: 4 },
        { ...first, ...live, keyId: 'key_b', kind: 'requests', count: 4 },
      ];
      expect(await store.listKeyUsage(TENANT, '2026-11-14', '2026-11-14')).toEqual(days);
      const next = { day: '2026-11-15', keyId: 'key_a', mode: 'live', count: 4 } as const;
      expect(await store.listKeyUsage(TENANT, '2026-11-15', '2026-11-30')).toEqual([
        { ...next, kind: 'requests', game: null },
        { ...next, kind: 'sessions', game: 'pool' },
      ]);
    },
  },
  {
    title: "[D9] a day's peaks are over all nodes, and only rise",
    async run({ store, another }) {
      const other = await another();
      const sample = (node: string, at: number, live: number, day = '2026-11-14') => ({
        node,
        at: T0 + at,
        day,
        staleBefore: T0 + at - 30_000,
        sockets: live === 0 ? [] : [{ tenant: TENANT, mode: 'live' as const, count: live }],
      });
      const peaks = async () =>
        (await store.listPeaks(TENANT, '2026-11-14', '2026-11-15')).map((each) =>
          [each.day.slice(-2), each.mode, each.kind, each.peak].join(' '),
        );
      await store.samplePeaks(sample('nod_a', 0, 3));
      await other.samplePeaks(sample('nod_b', 1, 4));
      expect(await peaks()).toEqual(['14 live sockets 7']);
      await created(store, 1);
      await created(store, 2);
      await store.samplePeaks(sample('nod_a', 2, 1));
      expect(await peaks()).toEqual(['14 live openSessions 2', '14 live sockets 7']);
      // A node that has not reported for long has none; the other has fewer again.
      await store.samplePeaks(sample('nod_a', 40_000, 6, '2026-11-15'));
      expect(await peaks()).toEqual([
        '14 live openSessions 2',
        '14 live sockets 7',
        '15 live openSessions 2',
        '15 live sockets 6',
      ]);
      await times(6, (i) => [store, other][i % 2]!.samplePeaks(sample(`nod_${i}`, 40_001, 2)));
      // Parallel samples may not have seen each other.
      await store.samplePeaks(sample('nod_a', 40_002, 6));
      expect((await peaks())[1]).toBe('14 live sockets 18');
    },
  },
  {
    title: '[R1] old requests are removed in steps, in their own mode only; their counts stay',
    async run({ store }) {
      await createTenants(store);
      const rows = Array.from({ length: 10 }, (_, n) => requestOf(n));
      await store.logRequests([...rows, requestOf(0, { mode: 'test' })]);
      const remove = (limit: number) =>
        store.removeRequests(TENANT, 'live', requestOf(7).id, limit);
      expect([await remove(4), await remove(4), await remove(4)]).toEqual([4, 3, 0]);
      expect((await store.listRequests(filterOf())).map(({ id }) => id)).toEqual(
        [9, 8, 7].map((n) => requestOf(n).id),
      );
      expect(await store.listRequests(filterOf({ mode: 'test' }))).toHaveLength(1);
      expect((await store.listUsage(TENANT, 'live', '2026-11-14'))[0]?.count).toBe(10);
    },
  },
  {
    title: '[H6] a plan counts the created and the open sessions',
    async run({ store }) {
      expect(await store.planUse(TENANT, 'live', '2026-11')).toEqual({
        monthSessions: 0,
        openSessions: 0,
        openTickets: 0,
      });
      for (const n of [1, 2, 3]) await created(store, n, { quota: { month: '2026-11' } });
      await append(store, sessionId(1), [entryOf(1)], { status: 'ended', endedAt: T0 });
      await store.createTicket({
        ticket: 'tkt_1',
        tenant: TENANT,
        mode: 'live',
        game: 'ludo',
        capacity: 2,
        openTicketsMax: 9,
        at: T0,
        eventId: 'evt_tkt_1',
        idempotency: null,
      });
      expect(await store.planUse(TENANT, 'live', '2026-11')).toEqual({
        monthSessions: 3,
        openSessions: 2,
        openTickets: 1,
      });
    },
  },
  {
    title: '[D9] a refused key is in the log with the reason, and is counted nowhere',
    async run({ store }) {
      await createTenants(store);
      const letIn = requestOf(1, { session: sessionId(1) });
      const refused = requestOf(2, { status: 401, code: 'invalid_api_key', refusal: 'revoked' });
      const origin = requestOf(3, { status: 403, code: 'origin_not_allowed', refusal: 'origin' });
      await store.logRequests([letIn, refused]);
      await store.logRequests([origin]);
      expect(await store.listRequests(filterOf())).toEqual([origin, refused, letIn]);
      expect(await store.findRequest(TENANT, 'live', refused.id)).toEqual(refused);
      const counts = await store.listUsage(TENANT, 'live', '2026-11-01');
      expect(counts.map(({ kind, count }) => [kind, count])).toEqual([['requests', 1]]);
    },
  },
  {
    title: '[D9] requests about a session are listed by it, errors by themselves',
    async run({ store }) {
      await createTenants(store);
      const [session, other] = [sessionId(1), sessionId(2)];
      await store.logRequests([
        requestOf(1, { session }),
        requestOf(2, { session: other }),
        requestOf(3, { session, status: 404, code: 'player_not_seated' }),
        requestOf(4, { session, mode: 'test' }),
        requestOf(5),
        requestOf(6, { session }),
      ]);
      const ids = async (filter: Partial<RequestFilter>) =>
        (await store.listRequests(filterOf({ session, ...filter }))).map(({ id }) => id);
      const [one, three, six] = [1, 3, 6].map((n) => requestOf(n).id);
      expect(await ids({})).toEqual([six!, three!, one!]);
      expect(await ids({ limit: 1, before: six! })).toEqual([three!]);
      expect(await ids({ errorsOnly: true })).toEqual([three!]);
      expect(await ids({ session: sessionId(9) })).toEqual([]);
    },
  },
  {
    title: '[R3] for a tenant whose removal has begun no request is stored or counted any more',
    async run({ store }) {
      await createTenants(store);
      await store.logRequests([requestOf(1)]);
      await store.beginRemoval(TENANT, T0, auditOf('tenant.removed'));
      const made = { mode: 'live', game: 'ludo' } as const;
      const refused = requestOf(3, { status: 401, refusal: 'tenant_inactive' });
      const kept = requestOf(4, { tenant: 'ten_b', made });
      await store.logRequests([requestOf(2, { made }), refused, kept]);
      expect(await store.listRequests(filterOf())).toEqual([requestOf(1)]);
      expect(await store.findRequest('ten_b', 'live', kept.id)).toEqual({
        ...requestOf(4),
        tenant: 'ten_b',
      });
      const counts = await store.listUsage(TENANT, 'live', '2026-11-01');
      expect(counts.map(({ kind, count }) => [kind, count])).toEqual([['requests', 1]]);
      expect(await store.listKeyUsage(TENANT, '2026-11-01', '2026-11-30')).toHaveLength(1);
    },
  },
];
