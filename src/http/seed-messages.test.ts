/** Every line of the published error tables, through the whole HTTP side on a real store. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Ask, type Asked, type Asking, makeAsking } from '../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../testing/service/http-service.ts';

const VALID_GAMES = 'checkers, tictactoe, connect4, fight-arena, pool, ludo';
const TWO = [{ id: 'ann' }, { id: 'ben' }];
const START = { game: 'tictactoe', players: TWO };
const UNKNOWN_SESSION = 'ses_01kafw3q9t5ne8rz2m4xbcd7hj';

let http: HttpService;
let ask: Asking;
/** Keys, named by their special property. */
const keys: Record<string, string> = {};

beforeAll(async () => {
  http = await openHttpService();
  const tenant = await http.makeTenant();
  const suspended = await http.makeTenant({ active: false });
  const poor = await http.makeTenant({ limits: { requestsPerMinute: 1 } });
  const now = http.clock.now();
  keys['test'] = await http.makeKey(tenant, 'test');
  keys['live'] = await http.makeKey(tenant, 'live');
  keys['expired'] = await http.makeKey(tenant, 'test', { expiresAt: now });
  keys['revoked'] = await http.makeKey(tenant, 'test', { revokedAt: now - 1 });
  keys['suspended'] = await http.makeKey(suspended, 'test');
  keys['poor'] = await http.makeKey(poor, 'test');
  keys['app'] = await http.makeKey(tenant, 'test', { origins: ['https://app.example'] });
  ask = makeAsking(http.app, keys['test']);
  // Uses the whole window of the limited tenant.
  await ask('/v1/whoami', { key: keys['poor'] });
});
afterAll(() => http.close());

interface Line {
  /** The rule and its condition. */
  readonly title: string;
  readonly path?: string;
  /** The name of a key; the test key when left out, none when null. */
  readonly key?: string | null;
  readonly ask?: Ask;
  readonly status: number;
  readonly error: string;
}

const make = (body: unknown): Ask => ({ body });
const MISSING_GAME = { status: 400, error: 'game is required' };
const INVALID_GAME = { status: 400, error: `Invalid game. Valid: ${VALID_GAMES}` };
const NO_PLAYERS = { status: 400, error: 'players[] required for live and test sessions' };
const NO_HEADER = { status: 401, error: 'Missing Authorization header' };
const NO_KEY = { status: 401, error: 'Invalid or inactive API key' };
const NO_ORIGIN = { status: 403, error: 'Origin not allowed for this API key' };
const NO_LIVE = { status: 403, error: 'Test API key cannot create live sessions' };
const NO_SESSION = { status: 404, error: 'Session not found' };
const NO_ROOM = { status: 404, error: 'Room code expired or invalid' };
const LIMITED = { status: 429, error: 'Rate limit exceeded' };

const join = (roomCode: string) => make({ game: 'tictactoe', roomCode, player: { id: 'ann' } });

const LINES: readonly Line[] = [
  { title: '[T1] the body is empty', ask: make({}), ...MISSING_GAME },
  { title: '[T1] there is no body', ask: { method: 'POST' }, ...MISSING_GAME },
  { title: '[T1] game is null', ask: make({ game: null, players: TWO }), ...MISSING_GAME },
  { title: '[T2] game is unknown', ask: make({ game: 'chess' }), ...INVALID_GAME },
  { title: '[T2] game is a number', ask: make({ game: 7 }), ...INVALID_GAME },
  { title: '[T2] game is empty', ask: make({ game: '' }), ...INVALID_GAME },
  { title: '[T2] game is in capitals', ask: make({ game: 'LUDO' }), ...INVALID_GAME },
  { title: '[T2] game is a list', ask: make({ game: ['ludo'] }), ...INVALID_GAME },
  { title: '[T2] game is inherited', ask: make({ game: '__proto__' }), ...INVALID_GAME },
  { title: '[T3] players is missing', ask: make({ game: 'ludo' }), ...NO_PLAYERS },
  {
    title: '[T3] players is missing in a live session',
    key: 'live',
    ask: make({ game: 'tictactoe', mode: 'live' }),
    ...NO_PLAYERS,
  },
  { title: '[T3] players is null', ask: make({ ...START, players: null }), ...NO_PLAYERS },
  { title: '[T3] players is empty', ask: make({ ...START, players: [] }), ...NO_PLAYERS },
  {
    title: '[T3] players is no list',
    ask: make({ ...START, players: 'ann' }),
    ...NO_PLAYERS,
  },
  {
    title: '[T3] players is an object',
    ask: make({ ...START, players: { id: 'ann' } }),
    ...NO_PLAYERS,
  },
  {
    title: '[T4] a test key asks for live',
    ask: make({ ...START, mode: 'live' }),
    ...NO_LIVE,
  },
  { title: '[T5] no header, known path', key: null, ask: make(START), ...NO_HEADER },
  { title: '[T5] no header, unknown path', key: null, path: '/nowhere', ...NO_HEADER },
  { title: '[T6] the key is nonsense', key: 'nonsense', ask: make(START), ...NO_KEY },
  { title: '[T6] the tenant is inactive', key: 'suspended', ask: make(START), ...NO_KEY },
  {
    title: '[T7] the origin is not in the list',
    key: 'app',
    ask: { ...make(START), headers: { origin: 'https://evil.example' } },
    ...NO_ORIGIN,
  },
  { title: '[T11] a required field is missing', ask: make({}), ...MISSING_GAME },
  { title: '[T11] the game is invalid', ask: make({ game: 'go' }), ...INVALID_GAME },
  {
    title: '[T11] matchType is invalid for the game',
    ask: make({ ...START, matchType: 'ranked' }),
    status: 400,
    error: 'Invalid matchType for tictactoe. Valid: matchmaking, private, bot',
  },
  {
    title: '[T11] matchType is one that cannot be asked for',
    ask: make({ ...START, matchType: 'hosted' }),
    status: 400,
    error: 'Invalid matchType for tictactoe. Valid: matchmaking, private, bot',
  },
  { title: '[T12] the header is missing', key: null, ...NO_HEADER },
  { title: '[T12] the key is invalid', key: 'nonsense', ...NO_KEY },
  { title: '[T12] the key has expired', key: 'expired', ...NO_KEY },
  { title: '[T12] the key was revoked', key: 'revoked', ...NO_KEY },
  { title: '[T12] the tenant is inactive', key: 'suspended', ...NO_KEY },
  {
    title: '[T13] the origin is not in the list',
    key: 'app',
    ask: { headers: { origin: 'https://evil.example' } },
    ...NO_ORIGIN,
  },
  { title: '[T13] a test key makes live', ask: make({ ...START, mode: 'live' }), ...NO_LIVE },
  {
    title: '[T14] there is no session',
    path: `/v1/sessions/${UNKNOWN_SESSION}`,
    ...NO_SESSION,
  },
  { title: '[T14] the id is none', path: '/v1/sessions/17', ...NO_SESSION },
  {
    title: '[T14] there is no such room',
    path: '/v1/sessions/join',
    ask: join('AAAAAA'),
    ...NO_ROOM,
  },
  {
    title: '[T14] the code is no code',
    path: '/v1/sessions/join',
    ask: join('☂'),
    ...NO_ROOM,
  },
  {
    title: '[T15] a player is named twice',
    ask: make({ ...START, players: [{ id: 'ann' }, { id: 'ann' }] }),
    status: 409,
    error: 'Player already in session',
  },
  { title: '[T16] the window is used up', key: 'poor', ask: make(START), ...LIMITED },
];

test.each(LINES.map((line) => [line.title, line] as const))(
  '%s',
  async (_, { path = '/v1/sessions', key = 'test', ask: asked, status, error }) => {
    const text = key === null ? null : (keys[key] ?? key);
    const answer = await ask(path, { ...asked, key: text });
    expect(answer.json).toEqual({ error });
    expect(answer.status).toBe(status);
  },
);

const room = async (players: readonly object[]): Promise<Asked> =>
  ask('/v1/sessions', { body: { game: 'tictactoe', matchType: 'private', players } });
const enter = (code: string, id: string): Promise<Asked> =>
  ask('/v1/sessions/join', { body: { game: 'tictactoe', roomCode: code, player: { id } } });

test('[T10] a room that has all its players is full', async () => {
  const { json } = await room([{ id: 'ann' }]);
  expect((await enter(json.roomCode, 'ben')).status).toBe(200);
  const answer = await enter(json.roomCode, 'cyd');
  expect(answer.status).toBe(409);
  expect(answer.json).toEqual({ error: 'Room is already full' });
});

test('[T15] a seated player cannot join again', async () => {
  const { json } = await room([{ id: 'ann' }]);
  const answer = await enter(json.roomCode, 'ann');
  expect(answer.status).toBe(409);
  expect(answer.json).toEqual({ error: 'Player already in session' });
});

test('[T15] a full room is reported to a stranger as full, and to its players as joined already', async () => {
  const { json } = await room(TWO);
  expect((await enter(json.roomCode, 'cyd')).json).toEqual({ error: 'Room is already full' });
  expect((await enter(json.roomCode, 'ann')).json).toEqual({ error: 'Player already in session' });
});

test('[T14] a code is gone once its session has ended or its ten minutes are over', async () => {
  const { json: ended } = await room([{ id: 'ann' }]);
  await ask(`/v1/sessions/${ended.sessionId}/end`, { method: 'POST' });
  expect((await enter(ended.roomCode, 'ben')).json).toEqual({ error: NO_ROOM.error });
  const { json: old } = await room([{ id: 'ann' }]);
  http.clock.advance(600_000);
  expect((await enter(old.roomCode, 'ben')).json).toEqual({ error: NO_ROOM.error });
});

test('[T17] a failure on our side reveals nothing; the request id finds it in the log', async () => {
  const secret = 'the disk is on fire';
  const broken = await openHttpService({
    keys: {
      refused: () => null,
      find: () => {
        throw new Error(secret);
      },
    },
  });
  const answer = await makeAsking(broken.app, 'any')('/v1/whoami');
  expect(answer.status).toBe(500);
  expect(answer.text).toBe('{"error":"Internal server error"}');
  const requestId = answer.headers.get('x-request-id');
  const line = broken.lines.find(({ fields }) => fields['requestId'] === requestId);
  expect(line?.level).toBe('error');
  expect(String(line?.fields['err'])).toContain(secret);
  await broken.close();
});

test('[H2] the log line of a refused request has the code of its response', async () => {
  const answer = await ask('/v1/sessions', { body: {} });
  expect(answer.status).toBe(400);
  const id = answer.headers.get('x-request-id');
  const line = http.lines.find(({ fields }) => fields['requestId'] === id);
  expect(line?.fields).toMatchObject({
    route: 'createSession',
    status: 400,
    code: 'field_required',
  });
});
