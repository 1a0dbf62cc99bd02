/** Bots of two worlds: a test key reads and seats live bots, and changes none of them (rules K3, B1 to B3). */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { openPostgresStore } from '../../../store/postgres/postgres-store.ts';
import type { KeyMode } from '../../../tenancy/tenant.ts';
import { migratedDatabase } from '../../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../../testing/servers/postgres.ts';
import { type Asking, makeAsking } from '../../../testing/service/asking.ts';
import {
  type HttpService,
  openHttpService,
  PUBLIC_URL,
} from '../../../testing/service/http-service.ts';

setDefaultTimeout(60_000);

const CONNECT4 = { game: 'connect4', name: 'Rosa', kind: 'builtin' };
const PROGRAM = { ...CONNECT4, kind: 'external' };
const REFUSED = [403, 'Test API key cannot create, change or play live bots'];
const UNKNOWN = [404, 'Bot not found'];
const NO_BOTS = [404, 'No active bots available for this tenant'];

interface Bot {
  readonly id: string;
  readonly playerId: string;
  readonly mode: KeyMode;
}

interface World {
  readonly http: HttpService;
  /** A new tenant and its two keys. */
  newcomer(): Promise<{ readonly live: Asking; readonly test: Asking }>;
}

const onSqlite = () => openHttpService();
const onPostgres = async () => {
  const store = await openPostgresStore({ url: await migratedDatabase(), node: 'nod_test' });
  return openHttpService({}, {}, {}, store);
};

describe('on SQLite', () => suite(onSqlite));
describe.skipIf(!isPostgresHere())('on PostgreSQL', () => suite(onPostgres));

async function outcome(asking: Asking, ...request: Parameters<Asking>): Promise<unknown[]> {
  const { status, json } = await asking(...request);
  return [status, json.error];
}

async function register(asking: Asking, fields: object): Promise<Bot> {
  const made = await asking('/v1/bots', { body: fields });
  expect([made.status, made.json.error]).toEqual([201, undefined]);
  return made.json;
}

async function openSession(asking: Asking, fields: object = {}): Promise<string> {
  const body = { game: 'connect4', matchType: 'private', players: [{ id: 'ann' }], ...fields };
  const made = await asking('/v1/sessions', { body });
  expect([made.status, made.json.error]).toEqual([201, undefined]);
  return made.json.sessionId;
}

/** The first line of a bot's stream, or the refusal. */
async function readStream(http: HttpService, bot: Bot, bearer: string, query = '') {
  const request = new Request(`${PUBLIC_URL}/v1/bots/${bot.id}/stream${query}`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  const response = await http.app.fetch(request, { address: '203.0.113.7' });
  if (response.status !== 200) {
    return { status: response.status, ...((await response.json()) as { error: string }) };
  }
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  const [line] = new TextDecoder().decode(value).split('\n');
  return { status: 200, sessions: JSON.parse(line!).sessions as string[] };
}

function suite(open: () => Promise<HttpService>): void {
  let world: World;

  beforeAll(async () => {
    const http = await open();
    const askAs = async (tenant: Awaited<ReturnType<HttpService['makeTenant']>>, mode: KeyMode) =>
      makeAsking(http.app, await http.makeKey(tenant, mode));
    world = {
      http,
      async newcomer() {
        const tenant = await http.makeTenant();
        return { live: await askAs(tenant, 'live'), test: await askAs(tenant, 'test') };
      },
    };
  });
  afterAll(() => world.http.close());

  test('[K3][B1] a test key reads a live bot and can neither change, delete nor play it', async () => {
    const { live, test: testing } = await world.newcomer();
    const bot = await register(live, PROGRAM);
    expect(bot.mode).toBe('live');
    const session = await openSession(testing);
    const path = `/v1/bots/${bot.id}`;
    expect((await testing(path)).json).toEqual((await live(path)).json);
    const change = { method: 'PATCH', body: { active: false, name: 'stolen', weight: 9 } };
    expect(await outcome(testing, path, change)).toEqual(REFUSED);
    expect(await outcome(testing, path, { method: 'DELETE' })).toEqual(REFUSED);
    expect(await outcome(testing, `${path}/token`, { method: 'POST' })).toEqual(REFUSED);
    expect(await outcome(testing, `${path}/token?mode=test`, { method: 'POST' })).toEqual(REFUSED);
    expect(await outcome(testing, `${path}/stream`)).toEqual(REFUSED);
    expect(await outcome(testing, `${path}/stream?mode=test`)).toEqual(REFUSED);
    expect(
      (await testing(`/v1/sessions/${session}/bots`, { body: { botId: bot.id } })).status,
    ).toBe(201);
    const act = { botId: bot.id, id: '1', action: { column: 0 } };
    const acted = await outcome(testing, `/v1/sessions/${session}/actions`, { body: act });
    expect(acted).toEqual(REFUSED);
    const asked = { body: { ...CONNECT4, mode: 'live' } };
    expect(await outcome(testing, '/v1/bots', asked)).toEqual(REFUSED);
    const unplayed = { ...bot, score: [] };
    expect((await live(path)).json).toEqual(unplayed);
    expect((await live('/v1/bots')).json.data).toEqual([unplayed]);
  });

  test('[K3][B1] a live key creates and changes bots of both worlds', async () => {
    const { live, test: testing } = await world.newcomer();
    const bot = await register(live, { ...CONNECT4, mode: 'test' });
    expect(bot.mode).toBe('test');
    const own = await register(testing, CONNECT4);
    expect(own.mode).toBe('test');
    const changed = await live(`/v1/bots/${own.id}`, { method: 'PATCH', body: { weight: 7 } });
    expect(changed.json).toEqual({ ...own, weight: 7 });
    expect((await testing(`/v1/bots/${own.id}`)).json.weight).toBe(7);
    expect((await live(`/v1/bots/${bot.id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await outcome(testing, `/v1/bots/${bot.id}`)).toEqual(UNKNOWN);
    const wrong = await outcome(live, '/v1/bots', { body: { ...CONNECT4, mode: 'training' } });
    expect(wrong).toEqual([400, 'Invalid mode. Valid: live, test']);
  });

  test('[K3][B1] lists show the bots of the key’s mode, unless another is asked for', async () => {
    const { live, test: testing } = await world.newcomer();
    const ofLive = await register(live, CONNECT4);
    const ofTest = await register(testing, CONNECT4);
    const ids = async (asking: Asking, query = '') =>
      (await asking(`/v1/bots${query}`)).json.data.map(({ id }: Bot) => id);
    expect(await ids(live)).toEqual([ofLive.id]);
    expect(await ids(testing)).toEqual([ofTest.id]);
    for (const asking of [live, testing]) {
      expect(await ids(asking, '?mode=live')).toEqual([ofLive.id]);
      expect(await ids(asking, '?mode=test')).toEqual([ofTest.id]);
    }
  });

  test('[K3][B1] test bots use neither a player id nor a slot of the limit in live mode', async () => {
    const { live, test: testing } = await world.newcomer();
    await register(testing, { ...CONNECT4, playerId: 'rosa' });
    const bot = await register(live, { ...CONNECT4, playerId: 'rosa' });
    expect(bot.playerId).toBe('rosa');
    await register(live, { ...CONNECT4, playerId: 'max' });
    const taken = { body: { ...CONNECT4, playerId: 'max' } };
    const refused = [409, 'playerId is taken by another bot'];
    expect(await outcome(testing, '/v1/bots', taken)).toEqual(refused);
    expect(await outcome(live, '/v1/bots', taken)).toEqual(refused);
  });

  test('[K3][B2][S4] live sessions seat live bots only; test sessions seat bots of both worlds', async () => {
    const { live, test: testing } = await world.newcomer();
    const ofTest = await register(testing, CONNECT4);
    const vsBot = { game: 'connect4', matchType: 'bot', players: [{ id: 'ann' }] };
    expect(await outcome(live, '/v1/sessions', { body: vsBot })).toEqual(NO_BOTS);
    const room = await openSession(live);
    const seat = (asking: Asking, session: string, botId?: string) =>
      outcome(asking, `/v1/sessions/${session}/bots`, { body: botId ? { botId } : {} });
    expect(await seat(live, room)).toEqual(NO_BOTS);
    const elsewhere = [400, `Bot ${ofTest.id} plays test sessions only`];
    expect(await seat(live, room, ofTest.id)).toEqual(elsewhere);
    const ofLive = await register(live, { ...CONNECT4, weight: 3 });
    expect(await seat(live, room)).toEqual([201, undefined]);
    const seen = new Set<string>();
    for (let i = 0; i < 60 && seen.size < 2; i += 1) {
      const made = await testing('/v1/sessions', {
        body: { ...vsBot, players: [{ id: `p${i}` }] },
      });
      seen.add(made.json.players[1].id);
    }
    expect(seen).toEqual(new Set([ofTest.playerId, ofLive.playerId]));
    expect(await seat(testing, await openSession(testing), ofLive.id)).toEqual([201, undefined]);
  });

  test('[K3][B3] the program of a live bot plays test sessions only if a live key allows it', async () => {
    const { live, test: testing } = await world.newcomer();
    const { http } = world;
    const bot = await register(live, PROGRAM);
    const tokenOf = async (query = ''): Promise<string> =>
      (await live(`/v1/bots/${bot.id}/token${query}`, { method: 'POST' })).json.token;
    const [liveToken, testToken] = [await tokenOf(), await tokenOf('?mode=test')];
    const rooms = [await openSession(live), await openSession(testing)];
    for (const room of rooms) {
      await live(`/v1/sessions/${room}/bots`, { body: { botId: bot.id } });
    }
    expect(await readStream(http, bot, liveToken)).toEqual({ status: 200, sessions: [rooms[0]!] });
    expect(await readStream(http, bot, testToken)).toEqual({ status: 200, sessions: [rooms[1]!] });
  });

  test('[K3][B2] a live bot that loses test matches stays unchanged and active in both worlds', async () => {
    const { live, test: testing } = await world.newcomer();
    const { http } = world;
    const bot = await register(live, PROGRAM);
    // The program does not play in test mode: the bot's turns time out.
    for (let i = 0; i < 5; i += 1) {
      const session = await openSession(testing, { options: { turnTimeoutMs: 5_000 } });
      await testing(`/v1/sessions/${session}/bots`, { body: { botId: bot.id } });
      const subscriber = { viewer: 0, player: null, send: () => {}, lost: () => {} };
      await new Promise<void>((done) => http.host.attach(session, subscriber, () => done()));
      const act = { kind: 'act', id: 'a', action: { column: 3 } } as const;
      await http.host.playAs(session, { seat: 0, player: null }, act);
      await http.clock.advance(5_001);
      const shown = async () => (await testing(`/v1/sessions/${session}`)).json;
      for (let looks = 0; looks < 200 && (await shown()).status !== 'ended'; looks += 1) {
        await Bun.sleep(5);
      }
      expect(await shown()).toMatchObject({ status: 'ended', result: { winner: 'ann' } });
    }
    const { score, ...shown } = (await live(`/v1/bots/${bot.id}`)).json;
    expect(shown).toEqual(bot);
    expect(score).toMatchObject([{ mode: 'test', difficulty: null, matches: 5, losses: 5 }]);
    const vsBot = { game: 'connect4', matchType: 'bot', players: [{ id: 'ben' }] };
    for (const asking of [live, testing]) {
      const made = await asking('/v1/sessions', { body: vsBot });
      expect(made.json.players[1].id).toBe(bot.playerId);
    }
    const board = await live('/v1/leaderboards?game=connect4&mode=test');
    expect(board.json.data).toEqual([]);
    expect((await testing(`/v1/players/${bot.playerId}`)).json.ratings ?? {}).toEqual({});
  });

  test('[K3][R2] a test bot with a person’s player id does not keep a live key from erasing the person', async () => {
    const { live, test: testing } = await world.newcomer();
    await live('/v1/players/zoe/token', { body: { displayName: 'Zoe' } });
    const bot = await register(testing, { ...CONNECT4, playerId: 'zoe' });
    const session = await openSession(testing);
    await testing(`/v1/sessions/${session}/bots`, { body: { botId: bot.id } });
    expect(await outcome(testing, '/v1/players/zoe', { method: 'DELETE' })).toEqual([
      404,
      'Player not found',
    ]);
    expect(await outcome(live, '/v1/players/zoe', { method: 'DELETE' })).toEqual([200, undefined]);
  });

  test('[K3][B3] the program of a test bot plays test sessions, whoever issued its token', async () => {
    const { live, test: testing } = await world.newcomer();
    const { http } = world;
    const bot = await register(testing, PROGRAM);
    const room = await openSession(testing);
    await testing(`/v1/sessions/${room}/bots`, { body: { botId: bot.id } });
    for (const asking of [live, testing]) {
      const { json } = await asking(`/v1/bots/${bot.id}/token`, { method: 'POST' });
      expect(await readStream(http, bot, json.token)).toEqual({ status: 200, sessions: [room] });
    }
    const elsewhere = [400, `Bot ${bot.id} plays test sessions only`];
    const path = `/v1/bots/${bot.id}`;
    expect(await outcome(live, `${path}/token?mode=live`, { method: 'POST' })).toEqual(elsewhere);
    expect(await outcome(live, `${path}/stream?mode=live`)).toEqual(elsewhere);
    expect(await outcome(testing, `${path}/token?mode=live`, { method: 'POST' })).toEqual(REFUSED);
  });

  test('[K3][E4] a test bot’s program never plays for a live bot with the same player id', async () => {
    const { live, test: testing } = await world.newcomer();
    const shadow = await register(testing, { ...PROGRAM, playerId: 'rosa' });
    const { json } = await testing(`/v1/bots/${shadow.id}/token`, { method: 'POST' });
    const bot = await register(live, { ...PROGRAM, playerId: 'rosa' });
    const seat = async (asking: Asking, botId: string) => {
      const session = await openSession(asking);
      const path = `/v1/sessions/${session}/bots`;
      return { session, seated: await outcome(asking, path, { body: { botId } }) };
    };
    const elsewhere = [400, `Bot ${bot.id} plays live sessions only`];
    expect((await seat(testing, bot.id)).seated).toEqual(elsewhere);
    // The token is valid for a day, so it still exists once the test bot is deleted.
    await testing(`/v1/bots/${shadow.id}`, { method: 'DELETE' });
    expect((await seat(testing, bot.id)).seated).toEqual(elsewhere);
    const vsBot = { game: 'connect4', matchType: 'bot', players: [{ id: 'ben' }] };
    expect(await outcome(testing, '/v1/sessions', { body: vsBot })).toEqual(NO_BOTS);
    const { session, seated } = await seat(live, bot.id);
    expect(seated).toEqual([201, undefined]);
    const program = makeAsking(world.http.app, json.token);
    const act = { id: '1', action: { column: 0 } };
    const acted = await outcome(program, `/v1/sessions/${session}/actions`, { body: act });
    expect(acted).toEqual([404, 'Session not found']);
  });
}
