/**
 * One player id in two worlds: each has its own data; a live key exports and erases both (rules K3,
 * L2, R2, D7).
 */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { openPostgresStore } from '../../store/postgres/postgres-store.ts';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { type Asking, makeAsking } from '../../testing/service/asking.ts';
import {
  type DashboardBrowser,
  makeMember,
  makeOwner,
} from '../../testing/service/dashboard-browser.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';

setDefaultTimeout(60_000);

const NOT_FOUND = [404, 'Player not found'];

describe('on SQLite', () => suite(() => openHttpService()));
describe.skipIf(!isPostgresHere())('on PostgreSQL', () =>
  suite(async () => {
    const store = await openPostgresStore({ url: await migratedDatabase(), node: 'nod_test' });
    return openHttpService({}, {}, {}, store);
  }),
);

async function outcome(ask: Asking, path: string, method = 'GET'): Promise<unknown[]> {
  const { status, json } = await ask(path, { method });
  return [status, json.error];
}

function suite(open: () => Promise<HttpService>): void {
  let http: HttpService;
  let owner: DashboardBrowser;
  beforeAll(async () => {
    http = await open();
    owner = await makeOwner(http);
  });
  afterAll(() => http.close());

  const newcomer = async (slug: string) => {
    const tenant = await http.makeTenant({ slug });
    const live = makeAsking(http.app, await http.makeKey(tenant, 'live'));
    const testing = makeAsking(http.app, await http.makeKey(tenant, 'test'));
    const name = (ask: Asking, id: string, displayName: string) =>
      ask(`/v1/players/${id}/token`, { body: { displayName } });
    return { live, testing, name };
  };

  test('[K3][L2] a live key reads a test player by its mode alone, a test key no live one', async () => {
    const { live, testing, name } = await newcomer('reading');
    await name(live, 'ann', 'Live Ann');
    http.clock.advance(1_000);
    await name(testing, 'ann', 'Test Ann');
    await name(testing, 'ben', 'Ben');
    const [ofLive, ofTest] = [
      await live('/v1/players/ann'),
      await live('/v1/players/ann?mode=test'),
    ];
    expect([ofLive.json.displayName, ofTest.json.displayName]).toEqual(['Live Ann', 'Test Ann']);
    expect(Date.parse(ofTest.json.createdAt) - Date.parse(ofLive.json.createdAt)).toBe(1_000);
    expect((await testing('/v1/players/ann')).json).toEqual(ofTest.json);
    expect(await outcome(testing, '/v1/players/ann?mode=live')).toEqual(NOT_FOUND);
    expect(await outcome(live, '/v1/players/ben')).toEqual(NOT_FOUND);
  });

  test('[K3][R2] a live key exports and erases both worlds, a test key its own', async () => {
    const { live, testing, name } = await newcomer('erasing');
    await name(live, 'ann', 'Live Ann');
    await name(testing, 'ann', 'Test Ann');
    const namesIn = async (ask: Asking) =>
      (await ask('/v1/players/ann/export')).json.names.map((each: Record<string, unknown>) => [
        each['mode'],
        each['displayName'],
      ]);
    const both = [
      ['live', 'Live Ann'],
      ['test', 'Test Ann'],
    ];
    expect([await namesIn(live), await namesIn(testing)]).toEqual([both, both.slice(1)]);
    expect(await outcome(testing, '/v1/players/ann', 'DELETE')).toEqual([200, undefined]);
    expect(await outcome(testing, '/v1/players/ann', 'DELETE')).toEqual(NOT_FOUND);
    expect(await namesIn(live)).toEqual(both.slice(0, 1));
    await name(testing, 'ann', 'Test Ann');
    expect(await outcome(live, '/v1/players/ann', 'DELETE')).toEqual([200, undefined]);
    expect(await outcome(live, '/v1/players/ann/export')).toEqual(NOT_FOUND);
    expect(await outcome(testing, '/v1/players/ann')).toEqual(NOT_FOUND);
    // Known in test mode only.
    await name(testing, 'ann', 'Test Ann');
    expect(await namesIn(live)).toEqual(both.slice(1));
    expect(await outcome(live, '/v1/players/ann', 'DELETE')).toEqual([200, undefined]);
  });

  test('[K3][D7] each world of the dashboard finds and erases its own players', async () => {
    const { live, testing, name } = await newcomer('house');
    const member = await makeMember(http, owner, 'house', 'owner', 'house@example.test');
    await name(live, 'ann', 'Live Ann');
    await name(testing, 'ann', 'Test Ann');
    const found = async (world: string) => {
      const { json } = await member.ask(`/t/house/${world}/players?find=a`);
      return (json['data'] as { displayName: string }[]).map(({ displayName }) => displayName);
    };
    expect([await found('live'), await found('test')]).toEqual([['Live Ann'], ['Test Ann']]);
    const { json } = await member.ask('/t/house/live/v1/players/ann/export');
    expect((json['names'] as { mode: string }[]).map(({ mode }) => mode)).toEqual(['live']);
    const erase = { method: 'DELETE' };
    expect((await member.ask('/t/house/test/v1/players/ann', erase)).status).toBe(200);
    expect([await found('live'), await found('test')]).toEqual([['Live Ann'], []]);
    await name(testing, 'ann', 'Test Ann');
    expect((await member.ask('/t/house/live/v1/players/ann', erase)).status).toBe(200);
    expect([await found('live'), await found('test')]).toEqual([[], ['Test Ann']]);
  });

  test('[K3][H6] training with a test key does not count towards the live open sessions', async () => {
    const tenant = await http.makeTenant({ slug: 'training', limits: { openSessions: 1 } });
    const [live, testing] = await Promise.all(
      (['live', 'test'] as const).map(async (mode) =>
        makeAsking(http.app, await http.makeKey(tenant, mode)),
      ),
    );
    const train = async (ask: Asking) =>
      (await ask('/v1/sessions', { body: { game: 'tictactoe', mode: 'training' } })).status;
    expect([await train(testing!), await train(testing!)]).toEqual([201, 429]);
    expect([await train(live!), await train(live!)]).toEqual([201, 429]);
  });
}
