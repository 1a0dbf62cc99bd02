/** Thousands of partly invalid calls of hosted matchmaking: never a 500 (rule H3). */

import { expect } from 'bun:test';
import fc from 'fast-check';
import { WORLDS } from '../../../store/world.ts';
import { type Ask, makeAsking } from '../../../testing/service/asking.ts';
import { HOSTED, makeHostedAsking, presenceOf } from '../../../testing/service/hosted-asking.ts';
import type { HttpService } from '../../../testing/service/http-service.ts';
import { testWithStores } from '../../../testing/service/http-stores.ts';
import { testRuns } from '../../../testing/test-runs.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';

const RUNS = { SQLite: testRuns(3_000), PostgreSQL: testRuns(1_000) };

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('', '__proto__', 'constructor', '../..', '\u0000', '\ud800', 'tkt_', "' OR 1=1"),
);
const anyJson = fc.oneof({ depthSize: 'small' }, fc.jsonValue(), anyText);
/** Mostly valid, so that later checks are reached too. */
const mixed = <T>(...right: readonly T[]) =>
  fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom<unknown>(...right) },
    { weight: 1, arbitrary: anyJson },
  );

const anyQuery = fc
  .record(
    {
      game: mixed('tictactoe', 'tictactoe', 'tictactoe', 'fight-arena'),
      capacity: mixed('1', '2', '3', '99999999999999999999', 'NaN'),
      limit: mixed('1', '100', '0'),
      cursor: mixed('cGxhY2UgMQ', 'cGxhY2UgLTE', ''),
      requireConnected: mixed('true', 'false', ''),
    },
    { requiredKeys: ['game'] },
  )
  .map((query) =>
    Object.entries(query)
      .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`)
      .join('&'),
  );
/** `@` and `$` become the ids of an existing ticket and group. */
const anySegment = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('@', '$') },
  { weight: 1, arbitrary: anyText.map((text) => encodeURIComponent(text.toWellFormed())) },
);
const anyPath = fc.oneof(
  fc.constantFrom('/ticket', '/pool', '/start-match'),
  fc
    .tuple(anySegment, fc.constantFrom('', '/players', '/players/ann', '/promote'))
    .map(([id, rest]) => `/ticket/${id}${rest}`),
  anySegment.map((id) => `/groups/${id}`),
);
const anyBody = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        playerId: mixed('ann', 'bob', 'cyd', 'x'.repeat(129)),
        groupIds: fc.oneof(
          { weight: 3, arbitrary: fc.array(mixed('$', 'grp_none'), { maxLength: 3 }) },
          { weight: 1, arbitrary: anyJson },
        ),
        variant: mixed('standard', null),
        options: mixed<unknown>({ afk: false }, { disconnectGraceMs: 0 }, null),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: anyJson },
);

async function askJunk(http: HttpService, runs: number): Promise<void> {
  const tenant = await http.makeTenant();
  const ask = makeAsking(http.app, await http.makeKey(tenant, 'test'));
  for (const player of ['ann', 'bob', 'cyd']) {
    await http.store.setPresence(presenceOf(tenant.id, 'test', player));
  }
  const hosted = makeHostedAsking(ask, async () => {});
  let ticket = await hosted.ticket();
  let group = await hosted.promote(await hosted.ticket());
  const anyCall = fc.record({
    method: fc.constantFrom('GET', 'POST', 'POST', 'POST', 'DELETE', 'PUT'),
    path: anyPath,
    query: anyQuery,
    body: anyBody,
    key: fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 20 }),
  });
  const statuses = new Set<number>();
  let forming = 0;
  await fc.assert(
    fc.asyncProperty(anyCall, async ({ method, path, query, body, key }) => {
      const place = (text: string) => text.replaceAll('@', ticket).replaceAll('$', group);
      const request: Ask = {
        method,
        ...(key === null ? {} : { headers: { 'idempotency-key': key } }),
        ...(method === 'GET' ? {} : { raw: place(JSON.stringify(body) ?? '') }),
      };
      const raw = request.raw === '' ? { ...request, raw: '{}' } : request;
      const answer = await ask(`${HOSTED}${place(path)}?${query}`, raw);
      statuses.add(answer.status);
      expect([500, 502, 503, 504]).not.toContain(answer.status);
      // Later calls use the tickets and groups of earlier ones.
      if (answer.json?.ticketId !== undefined) ticket = answer.json.ticketId;
      if (answer.json?.group !== undefined) group = answer.json.group.id;
    }),
    { numRuns: runs, seed: TEST_SEED, endOnFailure: true },
  );
  for (const status of [200, 201, 400, 404, 405, 409]) expect(statuses).toContain(status);
  const ofAnn = { tenant: tenant.id, worlds: WORLDS, playerId: 'ann' };
  const tickets = await http.store.listTicketsOf(ofAnn, null, 1_000);
  for (const { status, players, capacity } of tickets) {
    const ids = players.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeLessThanOrEqual(capacity);
    forming += status === 'forming' ? 1 : 0;
  }
  expect(forming).toBeLessThanOrEqual(2); // One in each of the two games.
  expect(http.lines.filter(({ level }) => level === 'error')).toEqual([]);
}

testWithStores(
  RUNS,
  (store, runs) =>
    `[H3] in ${store} ${runs} wrong calls: no 500, every ticket adds up (seed ${TEST_SEED})`,
  askJunk,
);
