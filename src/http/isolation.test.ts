/**
 * Every route, called by strangers with another tenant's ids: nothing is found, revealed or changed
 * (rule K3).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import { ROUTES, type Route } from '../contract/routes/routes.ts';
import { type HttpService, openHttpService, PUBLIC_URL } from '../testing/service/http-service.ts';
import { makeVictim, VICTIM, type Victim } from '../testing/service/victim.ts';

/** How a route is called with the victim's ids. */
interface Sample {
  readonly path: string;
  readonly body?: object;
  /** The code of the 404; null if the calling key is answered from its own world instead. */
  readonly refused: ErrorCode | null;
  /** The refusal for an object of the same tenant, if it differs. */
  readonly refusedInside?: ErrorCode;
}

const HOSTED = '/matchmaking/hosted';
const GAME = 'tictactoe';

/** Live bots are read in both worlds (rule K3): the tenant's own test key finds them. */
const SHARED: ReadonlySet<string> = new Set(['getBot']);

/** By operation. A route without one fails the first test. */
function samplesOf(victim: Victim): Readonly<Record<string, Sample>> {
  const { waiting, active, ended, ticket, group, webhook, sent, bot } = victim;
  const player = VICTIM.player;
  const own = (path: string, body?: object): Sample => ({
    path,
    refused: null,
    ...(body === undefined ? null : { body }),
  });
  const session = (path: string, body: object = {}): Sample => ({
    path: `/v1/sessions/${path}`,
    body,
    refused: 'session_not_found',
  });
  const onTicket = (path: string, body: object = {}): Sample => ({
    path: `${HOSTED}/ticket/${ticket}${path}?game=${GAME}`,
    body,
    refused: 'ticket_not_found',
  });
  const onGroup = (path: string, body: object): Sample => ({
    path: `${HOSTED}/${path}?game=${GAME}`,
    body,
    refused: 'group_not_found',
  });
  const onPlayer = (path: string): Sample => ({
    path: `/v1/players/${path}`,
    refused: 'player_not_found',
  });
  const onWebhook = (path: string, body: object = {}): Sample => ({
    path: `/v1/webhooks/${webhook}${path}`,
    body,
    refused: 'webhook_not_found',
  });
  const onBot = (path: string, body: object = {}): Sample => ({
    path: `/v1/bots/${bot}${path}`,
    body,
    refused: 'bot_not_found',
    refusedInside: 'test_key_live_bot',
  });
  const credential = {
    platform: 'android',
    credential: { packageName: 'com.thief.game', googleCloudProjectNumber: '1' },
  };
  return {
    createSession: own('/v1/sessions', { game: GAME, players: [{ id: 'thief' }] }),
    listSessions: own(`/v1/sessions?mode=live&player=${player}`),
    joinSession: {
      path: '/v1/sessions/join',
      body: { game: GAME, mode: 'live', roomCode: victim.roomCode, player: { id: 'thief' } },
      refused: 'room_code_invalid',
    },
    getSession: session(waiting),
    endSession: session(`${active}/end`),
    removeSessionPlayer: session(`${waiting}/players/${player}`),
    makeSessionToken: session(`${active}/players/${player}/token`),
    getReplay: session(`${ended}/replay`),
    makeRematch: session(`${ended}/rematch`),
    verifySession: session(`${ended}/verify`),
    watchSession: session(`${active}/watch`),
    listGames: own('/v1/games'),
    listRooms: own('/v1/rooms?mode=live'),
    createTicket: own(`${HOSTED}/ticket?game=${GAME}`),
    getTicket: onTicket(''),
    cancelTicket: onTicket(''),
    addTicketPlayer: onTicket('/players', { playerId: player }),
    removeTicketPlayer: onTicket(`/players/${player}`),
    promoteTicket: onTicket('/promote'),
    listTickets: own(`${HOSTED}/ticket?game=${GAME}`),
    listPool: own(`${HOSTED}/pool?game=${GAME}`),
    cancelGroup: onGroup(`groups/${group}`, {}),
    startMatch: onGroup('start-match', { groupIds: [group] }),
    makeLobbyToken: own(`/v1/players/${player}/token`, {}),
    erasePlayer: onPlayer(player),
    exportPlayer: onPlayer(`${player}/export`),
    getPlayer: onPlayer(`${player}?mode=live`),
    listRatingHistory: onPlayer(`${player}/rating-history?game=${GAME}&mode=live`),
    listLeaders: own(`/v1/leaderboards?game=${GAME}&mode=live`),
    createBot: {
      ...own('/v1/bots', { game: GAME, name: 'thief', kind: 'builtin' }),
    },
    listBots: own('/v1/bots'),
    getBot: onBot(''),
    updateBot: onBot('', { name: 'stolen' }),
    deleteBot: onBot(''),
    makeBotToken: onBot('/token'),
    streamBot: onBot('/stream'),
    injectBot: session(`${waiting}/bots`, { botId: bot }),
    actAsBot: {
      // The bot is asked for before the session.
      ...session(`${active}/actions`, { botId: bot, id: '1', action: { position: 0 } }),
      refused: 'bot_not_found',
      refusedInside: 'test_key_live_bot',
    },
    putIntegrity: own('/v1/integrity', credential),
    listIntegrity: own('/v1/integrity'),
    makeChallenge: own('/v1/integrity/challenge', { platform: 'android' }),
    removeIntegrity: {
      path: '/v1/integrity/ios',
      refused: 'credential_not_found',
    },
    getMetricSummary: own('/v1/metrics/summary?mode=live'),
    getMetricSeries: own('/v1/metrics/series?mode=live'),
    listEvents: own(`/v1/events?mode=live&sessionId=${ended}`),
    streamEvents: own('/v1/events/stream?mode=live'),
    triggerEvent: own('/v1/events/trigger', { type: 'session.ended' }),
    createWebhook: own('/v1/webhooks', { url: 'https://thief.example/hooks' }),
    listWebhooks: own('/v1/webhooks?mode=live'),
    getWebhook: onWebhook(''),
    updateWebhook: onWebhook('', { description: 'stolen' }),
    deleteWebhook: onWebhook(''),
    rotateWebhook: onWebhook('/rotate'),
    testWebhook: onWebhook('/test'),
    listDeliveries: onWebhook('/deliveries'),
    getSettings: own('/v1/settings'),
    updateSettings: own('/v1/settings', { rematch: 'create' }),
    getDelivery: onWebhook(`/deliveries/${sent}`),
    resendDelivery: onWebhook(`/deliveries/${sent}/resend`),
    whoami: own('/v1/whoami'),
  };
}

/** The caller; `isSameTenant` is the test key of the victim itself. */
interface Stranger {
  readonly key: string;
  readonly isSameTenant: boolean;
}

const KEYED: readonly Route[] = ROUTES.filter(({ auth }) => auth !== 'none');
const names = KEYED.map(({ operationId }) => operationId);
const STRANGERS: readonly (readonly [title: string, index: number, names: readonly string[]])[] = [
  ['the live key of another tenant', 0, names],
  ['the test key of another tenant', 1, names],
  ["the victim's own test key", 2, names.filter((name) => !SHARED.has(name))],
];

let http: HttpService;
let victim: Victim;
let samples: Readonly<Record<string, Sample>>;
let strangers: readonly Stranger[];
let before: ReadonlyMap<string, string>;

beforeAll(async () => {
  http = await openHttpService();
  victim = await makeVictim(http);
  samples = samplesOf(victim);
  const other = await http.makeTenant();
  strangers = [
    { key: await http.makeKey(other, 'live'), isSameTenant: false },
    { key: await http.makeKey(other, 'test'), isSameTenant: false },
    { key: await http.makeKey(victim.tenant, 'test'), isSameTenant: true },
  ];
  before = await readAll();
});
afterAll(() => http.close());

interface Told {
  readonly status: number;
  readonly code: string | null;
  readonly text: string;
}

async function call({ method }: Route, { path, body }: Sample, key: string): Promise<Told> {
  const headers = new Headers({ authorization: `Bearer ${key}` });
  const hasBody = method !== 'GET' && body !== undefined;
  if (hasBody) headers.set('content-type', 'application/json');
  const request = new Request(`${PUBLIC_URL}${path}`, {
    method,
    headers,
    ...(hasBody ? { body: JSON.stringify(body) } : null),
  });
  const response = await http.app.fetch(request, { address: '203.0.113.9' });
  const code = response.headers.get('x-error-code');
  return { status: response.status, code, text: await readText(response) };
}

/** Streams have no end: what is there at once, and what arrives within a moment. */
async function readText(response: Response): Promise<string> {
  const isStream = /event-stream|ndjson/.test(response.headers.get('content-type') ?? '');
  if (!isStream) return response.text();
  const reader = response.body!.getReader();
  const late = Bun.sleep(STREAM_MS).then(() => reader.cancel());
  const decoder = new TextDecoder();
  let text = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
  }
  await late;
  return text;
}
const STREAM_MS = 50;

/** What the victim itself reads by each GET. */
async function readAll(): Promise<ReadonlyMap<string, string>> {
  const read = new Map<string, string>();
  for (const route of KEYED) {
    const sample = samples[route.operationId];
    if (route.method !== 'GET' || sample === undefined) continue;
    const told = await call(route, sample, victim.liveKey);
    read.set(route.operationId, `${told.status} ${told.text}`);
  }
  return read;
}

function leaksIn({ text }: Told, sample: Sample, { isSameTenant }: Stranger): string[] {
  const asked = `${sample.path} ${JSON.stringify(sample.body ?? {})}`;
  const secrets = isSameTenant ? victim.secrets : [...victim.secrets, ...victim.tenantSecrets];
  // A caller's own input reveals nothing to them.
  return secrets.filter((secret) => text.includes(secret) && !asked.includes(secret));
}

test('[K3] every route with a key has a sample here', () => {
  expect(names.filter((name) => samples[name] === undefined)).toEqual([]);
});

test('[K3] the victim itself finds all of it', () => {
  for (const [name, read] of before) expect([name, read.slice(0, 3)]).toEqual([name, '200']);
  const all = [...before.values()].join('\n');
  const shown = [...victim.secrets, ...victim.tenantSecrets];
  expect(shown.filter((secret) => !all.includes(secret))).toEqual([]);
});

describe.each(STRANGERS)('%s', (_, index, reached) => {
  test.each([...reached])('[K3] %s finds nothing of it', async (name) => {
    const route = KEYED.find(({ operationId }) => operationId === name)!;
    const sample = samples[name]!;
    const stranger = strangers[index]!;
    const told = await call(route, sample, stranger.key);
    expect(leaksIn(told, sample, stranger)).toEqual([]);
    if (sample.refused !== null) {
      const inside = stranger.isSameTenant ? sample.refusedInside : undefined;
      const code = inside ?? sample.refused;
      expect([told.status, told.code]).toEqual([ERRORS[code].status, code]);
    } else {
      // The key's own world, or a world or a permission that it does not have.
      expect([200, 201, 403, 404]).toContain(told.status);
    }
  });
});

const ID = /\b(ses_|tkt_|grp_|whk_|bot_)[0-9a-z]{26}/g;
const NEVER = '01kafw3q9t5ne8rz2m4xbcd7hj';

test('[K3] unknown ids get the same response', async () => {
  for (const route of KEYED) {
    const sample = samples[route.operationId]!;
    if (sample.refused === null || sample.path.search(ID) === -1) continue;
    const { key } = strangers[0]!;
    const unknown = { ...sample, path: sample.path.replace(ID, `$1${NEVER}`) };
    const there = await call(route, sample, key);
    const nowhere = await call(route, unknown, key);
    const blur = (text: string) => text.replace(ID, '$1');
    expect([nowhere.status, blur(nowhere.text)]).toEqual([there.status, blur(there.text)]);
  }
});

test('[K3] afterwards the victim finds everything unchanged', async () => {
  expect(Object.fromEntries(await readAll())).toEqual(Object.fromEntries(before));
});

test('[K3] the samples are right: the victim gets no such 404', async () => {
  const isLast = ({ method, operationId }: Route) =>
    method === 'DELETE' || operationId === 'endSession';
  for (const route of [...KEYED.filter((each) => !isLast(each)), ...KEYED.filter(isLast)]) {
    const sample = samples[route.operationId]!;
    if (sample.refused === null) continue;
    const { code } = await call(route, sample, victim.liveKey);
    expect([route.operationId, code]).not.toEqual([route.operationId, sample.refused]);
  }
});
