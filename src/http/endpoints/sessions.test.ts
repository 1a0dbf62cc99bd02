/** Sessions created, shown, listed and ended, through the whole HTTP side on a real store. */

import { afterAll, describe, expect, test } from 'bun:test';
import { PUBLIC_URL } from '../../testing/service/http-service.ts';
import { openTenantApi } from '../../testing/service/tenant-api.ts';

const TWO = [{ id: 'ann' }, { id: 'ben', displayName: 'Ben' }];
const START = { game: 'tictactoe', players: TWO };
const ROOM = { game: 'tictactoe', matchType: 'private', players: [{ id: 'ann' }] };

const { http, tenant, testKey, liveKey, ask } = await openTenantApi('test');
afterAll(() => http.close());

const make = (body: object = START, key = testKey) => ask('/v1/sessions', { body, key });

test('[W1] play URLs lead to the tenant’s page, with token and theme behind the #', async () => {
  const page = `${PUBLIC_URL}/play/${tenant.slug}/`;
  const plain = (await make()).json;
  expect(plain.playUrls.ben).toBe(`${page}#token=${plain.tokens.ben}`);
  const theme = { primary: '#ABC', radius: 8 };
  const { sessionId, playUrls, tokens } = (await make({ ...START, theme })).json;
  const palette = encodeURIComponent(JSON.stringify(theme));
  expect(playUrls.ann).toBe(`${page}#token=${tokens.ann}&palette=${palette}`);
  const again = await ask(`/v1/sessions/${sessionId}/players/ben/token`, { method: 'POST' });
  expect(again.json.playUrl).toBe(`${page}#token=${again.json.token}&palette=${palette}`);
  const watch = await ask(`/v1/sessions/${sessionId}/watch`, { method: 'POST' });
  expect(watch.json.playUrl).toBe(`${page}#token=${watch.json.token}&palette=${palette}`);
});

test('[S1] the response has every field, in its order', async () => {
  const { status, json } = await make({
    ...START,
    metadata: { table: '7', gone: null },
    theme: { primary: '#ABC', radius: 8, unknown: 1, text: null },
  });
  expect(status).toBe(201);
  expect(Object.keys(json)).toEqual(
    'sessionId game mode matchType variant status roomCode seats players sessionToken tokens playUrls expiresIn expiresAt theme metadata webhooksEnabled integrity fairness result createdAt startedAt endedAt'.split(
      ' ',
    ),
  );
  expect(json).toMatchObject({
    game: 'tictactoe',
    mode: 'test',
    matchType: 'matchmaking',
    variant: 'standard',
    status: 'pending',
    seats: 2,
    expiresIn: 300,
    theme: { primary: '#ABC', radius: 8 },
    metadata: { table: '7' },
    webhooksEnabled: true,
    integrity: null,
    result: null,
    startedAt: null,
    endedAt: null,
  });
  expect(json.metadata).not.toHaveProperty('gone');
  expect(json.players).toEqual([
    { id: 'ann', displayName: null, seat: 0, isBot: false, connected: false },
    { id: 'ben', displayName: 'Ben', seat: 1, isBot: false, connected: false },
  ]);
  expect(json.sessionToken).toBe(json.tokens.ann);
  expect(Date.parse(json.expiresAt) - Date.parse(json.createdAt)).toBe(300_000);
  expect(http.tokens.parse(json.tokens.ben, http.clock.now())).toMatchObject({
    scope: 'session',
    tenant: tenant.id,
    mode: 'test',
    player: 'ben',
    session: json.sessionId,
  });
});

test('[S1] tokens are only in the response that created them', async () => {
  const { json: made } = await make();
  const { json } = await ask(`/v1/sessions/${made.sessionId}`);
  const { sessionToken, tokens, playUrls, expiresIn, ...rest } = made;
  expect(json).toEqual(rest);
  expect([sessionToken, tokens, playUrls, expiresIn]).not.toContain(undefined);
});

test('[S1] a private room waits ten minutes', async () => {
  const { json } = await make(ROOM);
  expect(Date.parse(json.expiresAt) - Date.parse(json.createdAt)).toBe(600_000);
});

test('[H11] ids are distinguished by their prefix and times are ISO 8601 with milliseconds', async () => {
  const { json } = await make();
  expect(json.sessionId).toMatch(/^ses_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(json.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

const PLAYER_IDS: readonly (readonly [string, string, boolean])[] = [
  ['one character', 'x', true],
  ['128 characters', 'x'.repeat(128), true],
  ['128 characters outside the first plane', '🂡'.repeat(128), true],
  ['129 characters', 'x'.repeat(129), false],
  ['none', '', false],
  ['a space', ' ', true],
  ['a slash and a percent sign', 'a/%2F', true],
  ['__proto__', '__proto__', true],
  ['constructor', 'constructor', true],
  ['a line break', 'a\nb', false],
  ['a control character of Latin-1', 'a\u0085', false],
  ['half a surrogate pair', '\ud83c', false],
  ['a dot', '.', false],
  ['two dots', '..', false],
  ['three dots', '...', true],
];

test.each(PLAYER_IDS)('[H11] a player id of %s', async (_, id, isValid) => {
  const { status, json } = await make({ ...START, players: [{ id }, { id: 'other' }] });
  expect(status).toBe(isValid ? 201 : 400);
  if (!isValid) return expect(json).toEqual({ error: 'Invalid players[0].id' });
  expect(Object.keys(json.tokens)).toEqual([id, 'other']);
  const encoded = encodeURIComponent(id);
  const path = `/v1/sessions/${json.sessionId}/players/${encoded}/token`;
  const token = await ask(path, { method: 'POST' });
  expect(token.status).toBe(201);
  expect(http.tokens.parse(token.json.token, http.clock.now())?.player).toBe(id);
});

test('[H11] player ids are compared exactly', async () => {
  const players = [{ id: 'Ann' }, { id: 'ann' }];
  expect((await make({ ...START, players })).status).toBe(201);
});

describe('fields', () => {
  const WRONG: readonly (readonly [object, string])[] = [
    [{ players: ['ann', 'ben'] }, 'Invalid players[0]'],
    [{ players: [null] }, 'players[0] is required'],
    [{ players: [{ id: 'ann' }, {}] }, 'players[1].id is required'],
    [{ players: [{ id: 7 }] }, 'Invalid players[0].id'],
    [{ players: [{ id: 'a', displayName: 'x'.repeat(65) }] }, 'Invalid players[0].displayName'],
    [
      { players: [1, 2, 3].map((n) => ({ id: `p${n}` })) },
      'Too many players for tictactoe. Maximum: 2',
    ],
    [
      { game: 'ludo', players: [1, 2, 3, 4, 5].map((n) => ({ id: `p${n}` })) },
      'Too many players for ludo. Maximum: 4',
    ],
    [{ mode: 'Live' }, 'Invalid mode. Valid: live, test, training'],
    [{ platform: 'web' }, 'Invalid platform. Valid: android, ios'],
    [{ integrityToken: {} }, 'Invalid integrityToken'],
    [{ variant: 'misere' }, 'Invalid variant for tictactoe. Valid: standard'],
    [{ variant: 7 }, 'Invalid variant for tictactoe. Valid: standard'],
    [{ seats: '2' }, 'Invalid seats. Valid: 2'],
    [{ game: 'ludo', seats: 5 }, 'Invalid seats. Valid: 2, 3, 4'],
    [{ game: 'ludo', variant: 'teams', seats: 2 }, 'Invalid seats. Valid: 4'],
    [
      { game: 'ludo', options: { thirdSixVoidsTurn: 'never' } },
      'Invalid options.thirdSixVoidsTurn. Valid: true, last',
    ],
    [
      { game: 'ludo', seats: 2, players: [1, 2, 3].map((n) => ({ id: `p${n}` })) },
      'Invalid seats. Valid: 3, 4',
    ],
    [{ options: [] }, 'Invalid options'],
    [{ options: 'fast' }, 'Invalid options'],
    [{ options: { pace: 1 } }, 'Invalid options.pace'],
    [{ options: JSON.parse('{"__proto__":1}') }, 'Invalid options.__proto__'],
    [{ options: { turnTimeoutMs: 4_999 } }, 'Invalid options.turnTimeoutMs'],
    [{ options: { afk: 'no' } }, 'Invalid options.afk. Valid: true, false'],
    [
      { options: { botDifficulty: 'x' } },
      'Invalid options.botDifficulty. Valid: easy, medium, hard, perfect',
    ],
    [{ options: { clock: { incrementMs: 1 } } }, 'options.clock.initialMs is required'],
    [{ options: { clock: { initialMs: 1 } } }, 'Invalid options.clock.initialMs'],
    [{ metadata: [] }, 'Invalid metadata'],
    [{ metadata: { a: 1 } }, 'Invalid metadata.a'],
    [{ metadata: { a: 'x'.repeat(501) } }, 'Invalid metadata.a'],
    [{ metadata: { ['k'.repeat(41)]: 'x' } }, 'Invalid metadata'],
    [{ metadata: { '': 'x' } }, 'Invalid metadata'],
    [
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [i, 'x'])) },
      'Invalid metadata',
    ],
    [{ theme: '#fff' }, 'Invalid theme'],
    [{ theme: { primary: 'red' } }, 'Invalid theme.primary'],
    [{ theme: { boardDark: '#ffff' } }, 'Invalid theme.boardDark'],
    [{ theme: { radius: 65 } }, 'Invalid theme.radius'],
    [{ theme: { radius: '1em' } }, 'Invalid theme.radius'],
  ];
  test.each(WRONG)('[H4] %j', async (change, error) => {
    const { status, json } = await make({ ...START, ...change });
    expect([status, json]).toEqual([400, { error }]);
  });

  const RIGHT: readonly object[] = [
    {
      players: [
        { id: 'a', displayName: '🂡'.repeat(64) },
        { id: 'b', displayName: null },
      ],
    },
    { mode: null, platform: null, matchType: null, variant: null, seats: null, options: null },
    { metadata: null, theme: null, integrityToken: null },
    { seats: 2, unknown: { deep: [1] } },
    {
      options: {
        turnTimeoutMs: 5_000,
        clock: { initialMs: 60_000 },
        disconnectGraceMs: 0,
        afk: false,
      },
    },
    { metadata: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [i, 'x'.repeat(500)])) },
    { metadata: JSON.parse('{"__proto__":"x"}') },
    { theme: { radius: '12px', piece4: '#00ff7F' } },
  ];
  test.each(RIGHT.map((change) => [change]))('[H4] takes %j', async (change) => {
    expect((await make({ ...START, ...change })).status).toBe(201);
  });

  test('[H4] messages quote unusual names briefly', async () => {
    const options = { [`${'x'.repeat(1_000)}`]: 1 };
    const { json } = await make({ ...START, options });
    expect(json.error.length).toBeLessThan(100);
  });
});

test('[I2] a platform and a token without a credential: the check is skipped', async () => {
  const { json } = await make({ ...START, platform: 'ios', integrityToken: 'x' });
  expect(json.integrity).toMatchObject({ platform: 'ios', status: 'skipped', jailbroken: null });
  expect(json.integrity.reasons).toEqual(['no_credential']);
  const { json: bare } = await make({ ...START, platform: 'ios' });
  expect(bare.integrity).toMatchObject({ status: 'skipped', reasons: ['token_missing'] });
  expect((await make({ ...START, integrityToken: 'x' })).json.integrity).toBeNull();
});

test('[S9a] a variant may have its own number of seats: ludo in teams has four', async () => {
  const ludo = { game: 'ludo', players: TWO };
  expect((await make(ludo)).json).toMatchObject({ variant: 'classic', seats: 2 });
  expect((await make({ ...ludo, variant: 'teams' })).json).toMatchObject({ seats: 4 });
  const asked = await make({ ...ludo, variant: 'teams', seats: 3 });
  expect([asked.status, asked.json]).toEqual([400, { error: 'Invalid seats. Valid: 4' }]);
});

test('[S9a] fight arena runs by the clock: it has no options of chess clocks', async () => {
  const fight = { ...START, game: 'fight-arena' };
  const made = await make(fight);
  expect([made.status, made.json.variant]).toEqual([201, 'standard']);
  const clock = await make({ ...fight, options: { clock: { initialMs: 60_000 } } });
  expect([clock.status, clock.json]).toEqual([400, { error: 'Invalid options.clock' }]);
  expect((await make({ ...fight, options: { roundSeconds: 100 } })).status).toBe(400);
  const training = await make({ game: 'fight-arena', mode: 'training' });
  expect(training.json.players).toMatchObject([{ isBot: false }, { isBot: true }]);
});

describe('rooms', () => {
  const join = (body: object, key = testKey) => ask('/v1/sessions/join', { body, key });

  test('[S3] a code seats the next player, who gets a token', async () => {
    const { json: room } = await make(ROOM);
    expect(room.roomCode).toMatch(/^[2-9A-Z]{6}$/);
    const typed = ` ${room.roomCode.toLowerCase().slice(0, 3)}-${room.roomCode.slice(3)}`;
    const player = { id: 'ben', displayName: 'Ben' };
    const { status, json } = await join({ game: 'tictactoe', roomCode: typed, player });
    expect(status).toBe(200);
    expect(json.sessionId).toBe(room.sessionId);
    expect(Object.keys(json.tokens)).toEqual(['ben']);
    expect(json.sessionToken).toBe(json.tokens.ben);
    expect(json.players[1]).toMatchObject({ ...player, seat: 1 });
  });

  test('[S3] the game has to match', async () => {
    const { json } = await make(ROOM);
    const answer = await join({ game: 'connect4', roomCode: json.roomCode, player: { id: 'ben' } });
    expect([answer.status, answer.json]).toEqual([404, { error: 'Room code expired or invalid' }]);
  });

  const WRONG: readonly (readonly [object, string])[] = [
    [{}, 'game is required'],
    [{ game: 'tictactoe' }, 'roomCode is required'],
    [{ game: 'tictactoe', roomCode: 7 }, 'Invalid roomCode'],
    [{ game: 'tictactoe', roomCode: 'ABCDEF' }, 'player is required'],
    [{ game: 'tictactoe', roomCode: 'ABCDEF', player: 'ben' }, 'Invalid player'],
    [{ game: 'tictactoe', roomCode: 'ABCDEF', player: {} }, 'player.id is required'],
    [{ game: 'tictactoe', roomCode: 'ABCDEF', player: { id: '' } }, 'Invalid player.id'],
  ];
  test.each(WRONG)('[S3] %j', async (body, error) => {
    expect((await join(body)).json).toEqual({ error });
  });

  test('[S5] of many parallel joins exactly the free seats are taken', async () => {
    const { json: room } = await make(ROOM);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        join({ game: 'tictactoe', roomCode: room.roomCode, player: { id: `p${i}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(29);
  });

  test('[K3] a room of the other world does not exist', async () => {
    const { json: live } = await make(ROOM, liveKey);
    const body = { game: 'tictactoe', roomCode: live.roomCode, player: { id: 'ben' } };
    expect((await join(body)).status).toBe(404);
    expect((await join({ ...body, mode: 'live' })).status).toBe(404);
    const { json: room } = await make(ROOM);
    const other = { ...body, roomCode: room.roomCode };
    expect((await join(other, liveKey)).status).toBe(404);
    expect((await join({ ...other, mode: 'test' }, liveKey)).status).toBe(200);
  });
});

describe('worlds', () => {
  test('[K3] the mode is that of the key; a live key may make a test session', async () => {
    expect((await make(START, liveKey)).json.mode).toBe('live');
    expect((await make({ ...START, mode: 'test' }, liveKey)).json.mode).toBe('test');
  });

  test('[K3] an object that a key may not see is 404, on every path', async () => {
    const { json: live } = await make(START, liveKey);
    const { json: foreign } = await make(
      START,
      await http.makeKey(await http.makeTenant(), 'test'),
    );
    for (const id of [live.sessionId, foreign.sessionId]) {
      const paths = ['', '/replay', '/verify', '/end', '/players/ann/token'];
      for (const path of paths) {
        const method = path === '' || path === '/replay' ? 'GET' : 'POST';
        const answer = await ask(`/v1/sessions/${id}${path}`, { method });
        expect([path, answer.status, answer.json]).toEqual([
          path,
          404,
          { error: 'Session not found' },
        ]);
      }
    }
    expect((await ask(`/v1/sessions/${live.sessionId}`, { key: liveKey })).json.status).toBe(
      'pending',
    );
  });

  test('[K3] a live key reads test sessions by their id', async () => {
    const { json } = await make();
    expect((await ask(`/v1/sessions/${json.sessionId}`, { key: liveKey })).status).toBe(200);
  });

  test("[K3] lists show the key's own mode unless another is requested", async () => {
    const own = await http.makeTenant();
    const [test, live] = [await http.makeKey(own, 'test'), await http.makeKey(own, 'live')];
    await make(START, test);
    await make(START, live);
    const modes = async (key: string, query = '') =>
      (await ask(`/v1/sessions${query}`, { key })).json.data.map(
        (each: { mode: string }) => each.mode,
      );
    expect(await modes(test)).toEqual(['test']);
    expect(await modes(live)).toEqual(['live']);
    expect(await modes(live, '?mode=test')).toEqual(['test']);
    expect(await modes(test, '?mode=live')).toEqual([]);
  });

  test('[K4] whoami returns tenant, key, mode, plan, limits and origins', async () => {
    const own = await http.makeTenant({ plan: 'growth', name: 'Growing' });
    const key = await http.makeKey(own, 'live', {
      name: 'backend',
      origins: ['https://a.example'],
    });
    const { json } = await ask('/v1/whoami', { key });
    expect(json).toMatchObject({
      tenant: { id: own.id, name: 'Growing' },
      key: { name: 'backend' },
      mode: 'live',
      plan: 'growth',
      limits: { requestsPerMinute: 300, sessionsPerMonth: 10_000 },
      origins: ['https://a.example'],
      requireOrigin: false,
    });
    expect(JSON.stringify(json)).not.toContain(key);
  });
});
