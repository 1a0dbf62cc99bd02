/** Bots over HTTP: registered, changed, deleted, seated. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Asking, makeAsking } from '../../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../../testing/service/http-service.ts';

let world: HttpService;
let tenant: Tenant;
let ask: Asking;
let askLive: Asking;
let askStranger: Asking;

beforeAll(async () => {
  world = await openHttpService();
  tenant = await world.makeTenant();
  ask = makeAsking(world.app, await world.makeKey(tenant, 'test'));
  askLive = makeAsking(world.app, await world.makeKey(tenant, 'live'));
  const stranger = await world.makeTenant();
  askStranger = makeAsking(world.app, await world.makeKey(stranger, 'test'));
});

afterAll(() => world.close());

/** A new tenant without bots. */
async function newcomer(): Promise<Asking> {
  return makeAsking(world.app, await world.makeKey(await world.makeTenant(), 'test'));
}

const ROSA = { game: 'tictactoe', name: 'Rosa', kind: 'builtin' };

async function register(
  asking: Asking,
  fields: object = {},
): Promise<{ id: string; playerId: string }> {
  const made = await asking('/v1/bots', { body: { ...ROSA, ...fields } });
  expect(made.status).toBe(201);
  return made.json;
}

async function openSession(asking: Asking, fields: object = {}): Promise<string> {
  const body = { game: 'tictactoe', matchType: 'private', players: [{ id: 'ann' }], ...fields };
  const made = await asking('/v1/sessions', { body });
  expect(made.status).toBe(201);
  return made.json.sessionId;
}

test('[B1] a bot is created with the given fields, and defaults for the others', async () => {
  const { status, json } = await ask('/v1/bots', { body: ROSA });
  expect(status).toBe(201);
  expect(json).toEqual({
    id: json.id,
    game: 'tictactoe',
    mode: 'test',
    name: 'Rosa',
    displayName: 'Rosa',
    playerId: `bot:${json.id}`,
    kind: 'builtin',
    difficulty: 'medium',
    weight: 1,
    active: true,
    createdAt: json.createdAt,
  });
  expect(json.id).toMatch(/^bot_[0-9a-z]{26}$/);
  const fields = { displayName: 'R', playerId: 'rosa-1', difficulty: 'hard', weight: 1_000 };
  expect((await ask('/v1/bots', { body: { ...ROSA, ...fields } })).json).toMatchObject(fields);
  const program = await ask('/v1/bots', { body: { ...ROSA, kind: 'external' } });
  expect(program.json.difficulty).toBeNull();
});

test('[B1] errors name the first invalid field', async () => {
  const cases: [object, string][] = [
    [{}, 'game is required'],
    [
      { game: 'chess' },
      'Invalid game. Valid: checkers, tictactoe, connect4, fight-arena, pool, ludo',
    ],
    [{ game: 'ludo' }, 'name is required'],
    [{ game: 'ludo', name: '' }, 'Invalid name'],
    [{ game: 'ludo', name: 'x'.repeat(65) }, 'Invalid name'],
    [{ game: 'ludo', name: 'x' }, 'kind is required'],
    [{ game: 'ludo', name: 'x', kind: 'human' }, 'Invalid kind. Valid: builtin, external'],
    [{ ...ROSA, playerId: '' }, 'Invalid playerId'],
    [{ ...ROSA, difficulty: 'x' }, 'Invalid difficulty. Valid: easy, medium, hard, perfect'],
    [{ ...ROSA, kind: 'external', difficulty: 'easy' }, 'Invalid difficulty'],
    [{ ...ROSA, weight: 0 }, 'Invalid weight'],
    [{ ...ROSA, weight: 1_001 }, 'Invalid weight'],
    [{ ...ROSA, weight: 1.5 }, 'Invalid weight'],
  ];
  for (const [body, message] of cases) {
    const answer = await ask('/v1/bots', { body });
    expect([answer.status, answer.json.error]).toEqual([400, message]);
  }
});

test('[B1] a player id belongs to one bot only, and is free again when the bot is deleted', async () => {
  const asking = await newcomer();
  const { id } = await register(asking, { playerId: 'rosa' });
  const second = await asking('/v1/bots', { body: { ...ROSA, playerId: 'rosa' } });
  expect([second.status, second.json.error]).toEqual([409, 'playerId is taken by another bot']);
  await asking(`/v1/bots/${id}`, { method: 'DELETE' });
  await register(asking, { playerId: 'rosa' });
});

test('[B1] an update changes the given fields and keeps the others', async () => {
  const { id } = await register(ask);
  const { score, ...before } = (await ask(`/v1/bots/${id}`)).json;
  const change = { name: 'Rosina', difficulty: 'perfect', weight: 7, active: false };
  const patched = await ask(`/v1/bots/${id}`, { method: 'PATCH', body: change });
  expect(patched.json).toEqual({ ...before, ...change });
  expect((await ask(`/v1/bots/${id}`)).json).toEqual({ ...before, ...change, score });
  const wrong = await ask(`/v1/bots/${id}`, { method: 'PATCH', body: { weight: 'x' } });
  expect(wrong.json.error).toBe('Invalid weight');
});

test("[B1] a deleted bot and another tenant's bot are not found by any call", async () => {
  const { id } = await register(ask);
  const external = await register(ask, { kind: 'external' });
  const asks = (bot: string) =>
    [
      [`/v1/bots/${bot}`, {}],
      [`/v1/bots/${bot}`, { method: 'PATCH', body: { weight: 2 } }],
      [`/v1/bots/${bot}/token`, { method: 'POST' }],
      [`/v1/bots/${bot}/stream`, {}],
      [`/v1/bots/${bot}`, { method: 'DELETE' }],
    ] as const;
  const isUnknown = async (asking: Asking, bot: string): Promise<void> => {
    for (const [path, how] of asks(bot)) {
      const answer = await asking(path, how);
      expect([path, answer.status, answer.json.error]).toEqual([path, 404, 'Bot not found']);
    }
  };
  await isUnknown(askStranger, external.id);
  await isUnknown(ask, 'bot_nonsense');
  const deleted = await ask(`/v1/bots/${id}`, { method: 'DELETE' });
  expect(deleted.json).toEqual({ id, deleted: true });
  await ask(`/v1/bots/${external.id}`, { method: 'DELETE' });
  await isUnknown(ask, id);
  await isUnknown(ask, external.id);
});

test('[B1][K3] a live key sees and changes the bots of test mode by their id', async () => {
  const { id } = await register(ask);
  expect((await askLive(`/v1/bots/${id}`)).status).toBe(200);
  await askLive(`/v1/bots/${id}`, { method: 'PATCH', body: { weight: 3 } });
  expect((await ask(`/v1/bots/${id}`)).json.weight).toBe(3);
});

test('[B1][H9] lists are paged, newest first, and filter by game and activity', async () => {
  const asking = await newcomer();
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) {
    await world.clock.advance(2);
    ids.unshift((await register(asking, { game: i % 2 === 0 ? 'tictactoe' : 'connect4' })).id);
  }
  const first = await asking('/v1/bots?limit=2');
  const second = await asking(`/v1/bots?limit=2&cursor=${first.json.nextCursor}`);
  const third = await asking(`/v1/bots?limit=2&cursor=${second.json.nextCursor}`);
  const seen = [first, second, third].flatMap(({ json }) =>
    json.data.map((bot: { id: string }) => bot.id),
  );
  expect(seen).toEqual(ids);
  expect(third.json.nextCursor).toBeNull();
  expect((await asking('/v1/bots?game=connect4')).json.data).toHaveLength(2);
  await asking(`/v1/bots/${ids[0]}`, { method: 'PATCH', body: { active: false } });
  expect((await asking('/v1/bots?active=false')).json.data).toHaveLength(1);
  expect((await asking('/v1/bots?active=true')).json.data).toHaveLength(4);
});

test('[B1][H8] a repeated request registers one bot', async () => {
  const asking = await newcomer();
  const headers = { 'idempotency-key': 'once' };
  const first = await asking('/v1/bots', { body: ROSA, headers });
  const again = await asking('/v1/bots', { body: ROSA, headers });
  expect(again.json).toEqual(first.json);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect((await asking('/v1/bots')).json.data).toHaveLength(1);
});

test('[B2][B4] a named bot takes the open seat and is flagged as a bot everywhere', async () => {
  const bot = await register(ask, { difficulty: 'easy' });
  const id = await openSession(ask);
  const { status, json } = await ask(`/v1/sessions/${id}/bots`, { body: { botId: bot.id } });
  expect(status).toBe(201);
  expect(json.bot.id).toBe(bot.id);
  expect(json.session.players).toEqual([
    { id: 'ann', displayName: null, seat: 0, isBot: false, connected: false },
    { id: bot.playerId, displayName: 'Rosa', seat: 1, isBot: true, connected: true },
  ]);
  const looked = await ask(`/v1/sessions/${id}`);
  expect(looked.json.players[1].isBot).toBe(true);
  expect((await ask(`/v1/sessions/${id}/replay`)).json.players[1].isBot).toBe(true);
});

test('[B2][T8][T9][T10] refusals are in their fixed order', async () => {
  const asking = await newcomer();
  const url = async () => `/v1/sessions/${await openSession(asking)}/bots`;
  const refusalOf = async (path: string, body: object = {}) => {
    const { status, json } = await asking(path, { body });
    return [status, json.error];
  };
  const nowhere = `/v1/sessions/ses_${'0'.repeat(26)}/bots`;
  expect(await refusalOf(nowhere, { botId: 'x' })).toEqual([404, 'Session not found']);
  expect(await refusalOf(await url())).toEqual([404, 'No active bots available for this tenant']);
  expect(await refusalOf(await url(), { botId: 'x' })).toEqual([404, 'Bot not found']);
  expect(await refusalOf(nowhere, { botId: '' })).toEqual([400, 'Invalid botId']);
  const other = await register(asking, { game: 'connect4' });
  expect(await refusalOf(await url())).toEqual([404, 'No active bots available for this tenant']);
  const of = { botId: other.id };
  expect(await refusalOf(await url(), of)).toEqual([400, `Bot ${other.id} plays connect4`]);

  const full = `/v1/sessions/${await openSession(asking, { players: [{ id: 'a' }, { id: 'b' }] })}/bots`;
  expect(await refusalOf(full)).toEqual([409, 'Room is already full']);
  expect(await refusalOf(full, of)).toEqual([400, `Bot ${other.id} plays connect4`]);

  const ended = await openSession(asking);
  await asking(`/v1/sessions/${ended}/end`, { method: 'POST' });
  expect(await refusalOf(`/v1/sessions/${ended}/bots`)).toEqual([409, 'Session is not pending']);
  expect(await refusalOf(`/v1/sessions/${ended}/bots`, { botId: 'x' })).toEqual([
    404,
    'Bot not found',
  ]);

  const idle = await register(asking);
  await asking(`/v1/bots/${idle.id}`, { method: 'PATCH', body: { active: false } });
  expect(await refusalOf(await url(), { botId: idle.id })).toEqual([409, 'Bot is not active']);
  expect(await refusalOf(await url())).toEqual([404, 'No active bots available for this tenant']);
});

test('[B2] auto-pick chooses by weight among the active bots of the game', async () => {
  const asking = await newcomer();
  const heavy = await register(asking, { weight: 900 });
  const light = await register(asking, { weight: 100 });
  await register(asking, { game: 'connect4', weight: 1_000 });
  const idle = await register(asking, { weight: 1_000 });
  await asking(`/v1/bots/${idle.id}`, { method: 'PATCH', body: { active: false } });
  const counts = new Map<string, number>();
  for (let i = 0; i < 200; i += 1) {
    const id = await openSession(asking);
    const { json } = await asking(`/v1/sessions/${id}/bots`, { method: 'POST' });
    counts.set(json.bot.id, (counts.get(json.bot.id) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual([heavy.id, light.id].sort());
  // Nine in ten of 200: fewer than 155 or more than 198 occurs about once in a million runs.
  expect(counts.get(heavy.id)).toBeWithin(155, 199);
});

test('[B2][S5] of many concurrent joins and injections exactly one takes the free seat', async () => {
  const asking = await newcomer();
  for (let i = 0; i < 8; i += 1) await register(asking);
  for (let round = 0; round < 20; round += 1) {
    const made = await asking('/v1/sessions', {
      body: { game: 'tictactoe', matchType: 'private', players: [{ id: 'ann' }] },
    });
    const { sessionId, roomCode } = made.json;
    const tries = Array.from({ length: 16 }, (_, i) =>
      i % 2 === 0
        ? asking(`/v1/sessions/${sessionId}/bots`, { method: 'POST' })
        : asking('/v1/sessions/join', {
            body: { roomCode, game: 'tictactoe', player: { id: `p${i}` } },
          }),
    );
    const answers = await Promise.all(tries);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    const losers = answers.filter(({ status }) => status >= 300);
    expect(new Set(losers.map(({ json }) => json.error))).toEqual(
      new Set(['Room is already full']),
    );
    const { players } = (await asking(`/v1/sessions/${sessionId}`)).json;
    expect(players).toHaveLength(2);
  }
});

test('[S4] bot: open seats are filled at once, or nothing is created', async () => {
  const asking = await newcomer();
  const body = { game: 'tictactoe', matchType: 'bot', players: [{ id: 'ann' }] };
  const none = await asking('/v1/sessions', { body });
  expect([none.status, none.json.error]).toEqual([404, 'No active bots available for this tenant']);
  expect((await asking('/v1/sessions')).json.data).toEqual([]);
  const bot = await register(asking);
  const made = await asking('/v1/sessions', { body });
  expect(made.status).toBe(201);
  expect(made.json.matchType).toBe('bot');
  expect(made.json.players[1]).toMatchObject({ id: bot.playerId, seat: 1, isBot: true });
  expect(Object.keys(made.json.tokens)).toEqual(['ann']);
  const token = await asking(`/v1/sessions/${made.json.sessionId}/players/${bot.playerId}/token`, {
    method: 'POST',
  });
  expect([token.status, token.json.error]).toEqual([404, 'Player not in session']);
});

test('[S4] training stores the given name and nothing else of the player', async () => {
  const train = async (players: unknown) => {
    const { status, json } = await ask('/v1/sessions', {
      body: { game: 'tictactoe', mode: 'training', players },
    });
    expect(status).toBe(201);
    expect(json.players).toHaveLength(2);
    expect(json.players[0].id).toStartWith('guest:');
    return json.players[0].displayName;
  };
  const [ann, zoe] = [
    { id: 'ann', displayName: 'Ann' },
    { id: 'zoe', displayName: 'Zoe' },
  ];
  expect(await train([ann, zoe])).toBe('Ann');
  for (const none of [[{ id: 'ann' }], [], 7, [{ id: 'ann', displayName: 'x'.repeat(65) }]]) {
    expect(await train(none)).toBe('Guest');
  }
});

test('[S4][K3] training: one generated human, the rest bots; in the world of its key', async () => {
  for (const [asking, other] of [
    [ask, askLive],
    [askLive, ask],
  ] as const) {
    const body = { game: 'connect4', mode: 'training', options: { botDifficulty: 'hard' } };
    const { status, json } = await asking('/v1/sessions', { body });
    expect(status).toBe(201);
    const [guest, trainer] = json.players;
    expect(guest).toMatchObject({ displayName: 'Guest', seat: 0, isBot: false });
    expect(trainer).toMatchObject({ id: 'trainer:hard:1', displayName: 'Bot (hard)', isBot: true });
    expect(Object.keys(json.tokens)).toEqual([guest.id]);
    expect(json.mode).toBe('training');
    const path = `/v1/sessions/${json.sessionId}`;
    expect((await asking(path)).status).toBe(200);
    // A live key may read what a test key has created, but not conversely.
    expect((await other(path)).status).toBe(other === ask ? 404 : 200);
    const listed = (await ask('/v1/sessions?mode=training&limit=100')).json.data;
    expect(listed.some((each: { sessionId: string }) => each.sessionId === json.sessionId)).toBe(
      asking === ask,
    );
    const joined = await asking('/v1/sessions/join', {
      body: { mode: 'training', roomCode: json.roomCode, game: 'connect4', player: { id: 'x' } },
    });
    expect(joined.status).toBe(404);
  }
});

test('[B2][H8] a repeated injection seats one bot', async () => {
  const asking = await newcomer();
  await register(asking);
  await register(asking);
  const id = await openSession(asking);
  const how = { method: 'POST', headers: { 'idempotency-key': 'seat' } };
  const first = await asking(`/v1/sessions/${id}/bots`, how);
  const again = await asking(`/v1/sessions/${id}/bots`, how);
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.json).toEqual(first.json);
});

test('[B2][E1] an injection creates an event, with the bot flagged', async () => {
  const asking = await newcomer();
  const bot = await register(asking);
  const id = await openSession(asking);
  await asking(`/v1/sessions/${id}/bots`, { method: 'POST' });
  const { data } = (await asking('/v1/events')).json;
  const event = data.find((each: { type: string }) => each.type === 'bot.injected');
  expect(event).toMatchObject({ sessionId: id, data: { seat: 1 } });
  expect(JSON.stringify(event)).toContain(bot.playerId);
  expect(JSON.stringify(event)).toContain('"isBot":true');
});

test('[S4] training has no events, and does not count towards the month', async () => {
  const poor = await world.makeTenant({ limits: { sessionsPerMonth: 0 } });
  const asking = makeAsking(world.app, await world.makeKey(poor, 'live'));
  const made = await asking('/v1/sessions', { body: { game: 'tictactoe', mode: 'training' } });
  expect(made.status).toBe(201);
  expect((await asking('/v1/events')).json.data).toEqual([]);
});

test.each(['builtin', 'external'])(
  '[B1][R2] a bot is not a person to erase (%s): it plays its matches to the end',
  async (kind) => {
    const asking = await newcomer();
    const bot = await register(asking, { kind, playerId: 'rosa' });
    const session = await openSession(asking);
    await asking(`/v1/sessions/${session}/bots`, { body: { botId: bot.id } });
    const refused = await asking('/v1/players/rosa', { method: 'DELETE' });
    expect([refused.status, refused.json]).toEqual([404, { error: 'Player not found' }]);
    const { json } = await asking(`/v1/sessions/${session}`);
    expect(json.players).toMatchObject([{ id: 'ann' }, { id: 'rosa', isBot: true }]);
    // Once the bot is gone its player id can be erased like any other.
    await asking(`/v1/sessions/${session}/end`, { body: {} });
    await asking(`/v1/bots/${bot.id}`, { method: 'DELETE' });
    expect((await asking('/v1/players/rosa', { method: 'DELETE' })).status).toBe(200);
  },
);

test('[K3][R2] a bot created by a test key does not keep a live person from being erased', async () => {
  const asking = await newcomer();
  const both = await world.makeTenant();
  const live = makeAsking(world.app, await world.makeKey(both, 'live'));
  const test = makeAsking(world.app, await world.makeKey(both, 'test'));
  await openSession(live, { players: [{ id: 'zoe' }] });
  const bot = await register(test, { playerId: 'zoe' });
  const session = await openSession(test);
  await test(`/v1/sessions/${session}/bots`, { body: { botId: bot.id } });
  expect((await live('/v1/players/zoe/export')).status).toBe(200);
  expect((await live('/v1/players/zoe', { method: 'DELETE' })).status).toBe(200);
  expect((await live('/v1/players/zoe/export')).status).toBe(404);
  // A person who was only named and has not played yet.
  await asking('/v1/players/yan/token', { body: { displayName: 'Yan' } });
  await register(asking, { playerId: 'yan' });
  expect((await asking('/v1/players/yan', { method: 'DELETE' })).status).toBe(200);
});

test('[B1][R2] a deleted bot that still plays is not a person to erase', async () => {
  const asking = await newcomer();
  const bot = await register(asking, { kind: 'external', playerId: 'rosa' });
  const session = await openSession(asking);
  await asking(`/v1/sessions/${session}/bots`, { body: { botId: bot.id } });
  await asking(`/v1/bots/${bot.id}`, { method: 'DELETE' });
  const act = () =>
    asking(`/v1/sessions/${session}/actions`, {
      body: { botId: bot.id, id: 'move-1', action: { position: 4 } },
    });
  expect((await act()).json).toEqual({ error: 'Session is not active' });
  expect((await asking('/v1/players/rosa', { method: 'DELETE' })).status).toBe(404);
  expect((await act()).json).toEqual({ error: 'Session is not active' });
  await asking(`/v1/sessions/${session}/end`, { body: {} });
  expect((await asking('/v1/players/rosa', { method: 'DELETE' })).status).toBe(200);
});
