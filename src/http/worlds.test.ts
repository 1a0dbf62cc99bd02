/**
 * Every write of the published API, called with a test key: it changes nothing of live mode (rule
 * K3), as the live key reads it and as the store holds it. The same for a member in test mode (D7).
 */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { ROUTES } from '../contract/routes/routes.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { migratedDatabase } from '../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../testing/servers/postgres.ts';
import { type Asking, makeAsking } from '../testing/service/asking.ts';
import {
  type DashboardBrowser,
  makeMember,
  makeOwner,
} from '../testing/service/dashboard-browser.ts';
import { type HttpService, openHttpService } from '../testing/service/http-service.ts';
import {
  liveLines,
  openTablesReader,
  type Tables,
  tablesOf,
} from '../testing/service/live-rows.ts';
import { makeVictim, VICTIM, type Victim } from '../testing/service/victim.ts';

setDefaultTimeout(60_000);

const HOSTED = '/matchmaking/hosted';
const GAME = 'tictactoe';
const STOLEN = 'Stolen';
const SLUG = 'victim';

const WRITES = ROUTES.filter(({ auth, method }) => auth !== 'none' && method !== 'GET');

interface Call {
  readonly path: string;
  readonly body?: object;
}

/** Objects of test mode that name the players of the live one. */
interface Own {
  readonly waiting: string;
  readonly roomCode: string;
  readonly active: string;
  readonly ticket: string;
  readonly group: string;
  readonly webhook: string;
  readonly bot: string;
}

/**
 * By operation: at the victim's live objects, and at those of test mode under the same players'
 * ids.
 */
function callsOf(victim: Victim, own: Own): Readonly<Record<string, readonly Call[]>> {
  const { player, opponent } = VICTIM;
  const renamed = { id: player, displayName: STOLEN };
  const hosted = (path: string) => `${HOSTED}/${path}?game=${GAME}`;
  const both = (path: (of: Victim | Own) => string, body?: object): Call[] =>
    [victim, own].map((of) => ({ path: path(of), ...(body && { body }) }));
  const onPlayer = (path: string, body?: object): Call[] =>
    [player, opponent, 'victim-lobby'].map((id) => ({
      path: `/v1/players/${id}${path}`,
      ...(body && { body }),
    }));
  return {
    createSession: [
      { path: '/v1/sessions', body: { game: GAME, mode: 'live', players: [renamed] } },
      { path: '/v1/sessions', body: { game: GAME, players: [renamed] } },
      { path: '/v1/sessions', body: { game: GAME, mode: 'training', players: [renamed] } },
      {
        path: '/v1/sessions',
        body: { game: GAME, players: [renamed, { id: opponent, displayName: STOLEN }] },
      },
    ],
    joinSession: both(() => '/v1/sessions/join').map((call, index) => {
      const { roomCode } = index === 0 ? victim : own;
      return {
        ...call,
        body: {
          game: GAME,
          mode: index === 0 ? 'live' : 'test',
          roomCode,
          player: { id: opponent, displayName: STOLEN },
        },
      };
    }),
    endSession: both(({ active }) => `/v1/sessions/${active}/end`, {}),
    removeSessionPlayer: both(({ waiting }) => `/v1/sessions/${waiting}/players/${player}`),
    makeSessionToken: both(({ active }) => `/v1/sessions/${active}/players/${player}/token`, {}),
    makeRematch: both(({ active }) => `/v1/sessions/${active}/rematch`, {}),
    verifySession: both(({ active }) => `/v1/sessions/${active}/verify`, {}),
    watchSession: both(({ active }) => `/v1/sessions/${active}/watch`, {}),
    createTicket: [{ path: hosted('ticket'), body: {} }],
    addTicketPlayer: both(({ ticket }) => hosted(`ticket/${ticket}/players`), { playerId: player }),
    removeTicketPlayer: both(({ ticket }) => hosted(`ticket/${ticket}/players/${player}`)),
    promoteTicket: both(({ ticket }) => hosted(`ticket/${ticket}/promote`), {}),
    cancelTicket: both(({ ticket }) => hosted(`ticket/${ticket}`)),
    startMatch: [victim, own].map(({ group }) => ({
      path: hosted('start-match'),
      body: { groupIds: [group] },
    })),
    cancelGroup: both(({ group }) => hosted(`groups/${group}`)),
    makeLobbyToken: onPlayer('/token', { displayName: STOLEN }),
    erasePlayer: onPlayer(''),
    createBot: ['live', undefined].map((mode) => ({
      path: '/v1/bots',
      body: { game: GAME, mode, name: STOLEN, kind: 'external', playerId: `bot:${victim.bot}` },
    })),
    updateBot: both(({ bot }) => `/v1/bots/${bot}`, { name: STOLEN, active: false }),
    deleteBot: both(({ bot }) => `/v1/bots/${bot}`),
    makeBotToken: ['', '?mode=live', '?mode=test'].flatMap((query) =>
      both(({ bot }) => `/v1/bots/${bot}/token${query}`, {}),
    ),
    injectBot: both(({ waiting }) => `/v1/sessions/${waiting}/bots`, { botId: victim.bot }),
    actAsBot: both(({ active }) => `/v1/sessions/${active}/actions`, {
      botId: victim.bot,
      id: '1',
      action: { position: 8 },
    }),
    putIntegrity: ['live', undefined].map((mode) => ({
      path: '/v1/integrity',
      body: {
        mode,
        platform: 'android',
        credential: { packageName: 'com.thief.game', googleCloudProjectNumber: '1' },
      },
    })),
    makeChallenge: ['live', undefined].map((mode) => ({
      path: '/v1/integrity/challenge',
      body: { mode, platform: 'android' },
    })),
    removeIntegrity: ['', '?mode=live'].flatMap((query) =>
      ['android', 'ios'].map((platform) => ({ path: `/v1/integrity/${platform}${query}` })),
    ),
    updateSettings: [{ path: '/v1/settings', body: { rematch: 'create' } }],
    triggerEvent: [{ path: '/v1/events/trigger', body: { type: 'session.ended' } }],
    createWebhook: ['live', 'test'].map((mode) => ({
      path: '/v1/webhooks',
      body: { url: 'https://thief.example/hooks', mode },
    })),
    updateWebhook: both(({ webhook }) => `/v1/webhooks/${webhook}`, { description: STOLEN }),
    rotateWebhook: both(({ webhook }) => `/v1/webhooks/${webhook}/rotate`, {}),
    testWebhook: both(({ webhook }) => `/v1/webhooks/${webhook}/test`, {}),
    resendDelivery: both(
      ({ webhook }) => `/v1/webhooks/${webhook}/deliveries/evt_${'0'.repeat(26)}/resend`,
      {},
    ),
    deleteWebhook: both(({ webhook }) => `/v1/webhooks/${webhook}`),
  };
}

async function makeOwn(ask: Asking): Promise<Own> {
  const players = [{ id: VICTIM.player }, { id: VICTIM.opponent }];
  const session = async (body: object) =>
    (await ask('/v1/sessions', { body: { game: GAME, matchType: 'private', ...body } })).json;
  const waiting = await session({ players: players.slice(0, 1) });
  const active = await session({ players });
  const ticket = async () =>
    (await ask(`${HOSTED}/ticket?game=${GAME}`, { method: 'POST' })).json.ticketId as string;
  const [open, promoted] = [await ticket(), await ticket()];
  const { json } = await ask(`${HOSTED}/ticket/${promoted}/promote?game=${GAME}`, {
    method: 'POST',
  });
  const webhook = await ask('/v1/webhooks', { body: { url: 'https://own.example/hooks' } });
  const bot = await ask('/v1/bots', { body: { game: GAME, name: 'own', kind: 'external' } });
  return {
    waiting: waiting.sessionId,
    roomCode: waiting.roomCode,
    active: active.sessionId,
    ticket: open,
    group: json.group.id,
    webhook: webhook.json.id,
    bot: bot.json.id,
  };
}

/** How a caller of test mode makes each call, and what it may not change. */
interface Stage {
  readonly http: HttpService;
  readonly victim: Victim;
  readonly ask: Asking;
  readonly member: DashboardBrowser;
  /** Everything that the live key reads, and all rows except those of test mode. */
  read(): Promise<readonly string[]>;
}

async function makeStage(http: HttpService, rows: () => Tables | Promise<Tables>): Promise<Stage> {
  const victim = await makeVictim(http, { slug: SLUG });
  const live = makeAsking(http.app, victim.liveKey);
  const ask = makeAsking(http.app, await http.makeKey(victim.tenant, 'test'));
  // Known by a lobby token alone, with a name and a stored response.
  await live('/v1/players/victim-lobby/token', {
    body: { displayName: 'victim lobby' },
    headers: { 'idempotency-key': 'lobby' },
  });
  await live('/v1/players/victim-token/token', {
    body: {},
    headers: { 'idempotency-key': 'token' },
  });
  await http.store.setPresence({
    tenant: victim.tenant.id,
    mode: 'test',
    playerId: VICTIM.player,
    node: 'nod_test',
    isConnected: true,
  });
  const owner = await makeOwner(http);
  const member = await makeMember(http, owner, SLUG, 'owner');
  const reads = [
    ...[victim.waiting, victim.active, victim.ended].map((id) => `/v1/sessions/${id}`),
    `/v1/sessions/${victim.ended}/replay`,
    '/v1/sessions?mode=live',
    '/v1/rooms?mode=live',
    `${HOSTED}/ticket/${victim.ticket}?game=${GAME}`,
    `${HOSTED}/pool?game=${GAME}`,
    ...[VICTIM.player, VICTIM.opponent, 'victim-lobby'].map((id) => `/v1/players/${id}`),
    `/v1/leaderboards?game=${GAME}&mode=live`,
    '/v1/events',
    '/v1/webhooks?mode=live',
    '/v1/integrity',
    '/v1/settings',
    '/v1/bots',
    `/v1/bots/${victim.bot}`,
    `/v1/webhooks/${victim.webhook}/deliveries`,
  ];
  return {
    http,
    victim,
    ask,
    member,
    async read() {
      const told: string[] = [];
      for (const path of reads) told.push(`${path} ${JSON.stringify((await live(path)).json)}`);
      return [...told, ...liveLines(await rows())];
    },
  };
}

async function onSqlite(): Promise<Stage> {
  const http = await openHttpService();
  return makeStage(http, () => tablesOf(http.db));
}

async function onPostgres(): Promise<Stage> {
  const url = await migratedDatabase();
  const store = await openPostgresStore({ url, node: 'nod_test' });
  const reader = openTablesReader(url);
  const http = await openHttpService({}, {}, {}, store);
  const close = async (): Promise<void> => {
    await reader.close();
    await http.close();
  };
  return makeStage({ ...http, close }, () => reader.read());
}

describe('on SQLite', () => suite(onSqlite));
describe.skipIf(!isPostgresHere())('on PostgreSQL', () => suite(onPostgres));

function suite(open: () => Promise<Stage>): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await open();
  });
  /** Each with objects of its own: a call may end them. */
  const callsTo = async (operationId: string) =>
    callsOf(stage.victim, await makeOwn(stage.ask))[operationId] ?? [];
  afterAll(() => stage.http.close());

  test('[K3] every write has its calls here', () => {
    const calls = callsOf(stage.victim, {} as Own);
    expect(WRITES.filter(({ operationId }) => !calls[operationId]?.length)).toEqual([]);
  });

  for (const { operationId, method } of WRITES) {
    test(`[K3] ${operationId} with a test key changes nothing live`, async () => {
      const calls = await callsTo(operationId);
      const before = await stage.read();
      for (const { path, body } of calls) await stage.ask(path, { method, ...(body && { body }) });
      expect(await stage.read()).toEqual(before);
    });
    test(`[K3][D7] ${operationId} by a member in test mode changes nothing live`, async () => {
      const calls = await callsTo(operationId);
      const before = await stage.read();
      for (const { path, body } of calls) {
        await stage.member.ask(`/t/${SLUG}/test${path}`, { method, ...(body && { body }) });
      }
      expect(await stage.read()).toEqual(before);
    });
  }
}
