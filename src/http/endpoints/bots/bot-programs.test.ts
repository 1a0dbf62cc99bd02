/** Programs that play external bots: tokens, streams, actions (rules B3, E4). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Asking, makeAsking } from '../../../testing/service/asking.ts';
import {
  type HttpService,
  openHttpService,
  PUBLIC_URL,
} from '../../../testing/service/http-service.ts';

let world: HttpService;
let tenant: Tenant;
let key: string;
let ask: Asking;

beforeAll(async () => {
  world = await openHttpService();
  tenant = await world.makeTenant();
  key = await world.makeKey(tenant, 'test');
  ask = makeAsking(world.app, key);
});
afterAll(() => world.close());

interface Program {
  readonly id: string;
  readonly playerId: string;
  readonly token: string;
  /** Sends a request as the program, with its token. */
  readonly ask: Asking;
}

async function makeProgram(game = 'tictactoe'): Promise<Program> {
  const { json } = await ask('/v1/bots', { body: { game, name: 'P', kind: 'external' } });
  const made = await ask(`/v1/bots/${json.id}/token`, { method: 'POST' });
  expect(made.status).toBe(201);
  const { token } = made.json;
  return { id: json.id, playerId: json.playerId, token, ask: makeAsking(world.app, token) };
}

/** A match whose human is connected: a bot on seat 1. */
async function startMatch({ id }: Program, player = 'ann'): Promise<string> {
  const body = { game: 'tictactoe', matchType: 'private', players: [{ id: player }] };
  const { json } = await ask('/v1/sessions', { body });
  const seated = await ask(`/v1/sessions/${json.sessionId}/bots`, { body: { botId: id } });
  expect(seated.status).toBe(201);
  const subscriber = { viewer: 0, player: null, send: () => {}, lost: () => {} };
  await new Promise<void>((resolve) =>
    world.host.attach(json.sessionId, subscriber, () => resolve()),
  );
  return json.sessionId;
}

let moves = 0;
async function playHuman(session: string, position: number): Promise<void> {
  moves += 1;
  const command = { kind: 'act', id: `h${moves}`, action: { position } } as const;
  expect((await world.host.playAs(session, { seat: 0, player: null }, command)).kind).toBe('done');
}

interface Line {
  readonly t: string;
  readonly [field: string]: unknown;
}

/** The lines of a stream. Blank ones are left out unless requested. */
async function openStream(bot: string, bearer: string) {
  const request = new Request(`${PUBLIC_URL}/v1/bots/${bot}/stream`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  const response = await world.app.fetch(request, { address: '203.0.113.7' });
  const reader = response.body!.getReader();
  const texts: string[] = [];
  let rest = '';
  const nextText = async (): Promise<string | null> => {
    while (texts.length === 0) {
      const { value, done } = await reader.read();
      if (done) return null;
      const lines = (rest + new TextDecoder().decode(value)).split('\n');
      rest = lines.pop()!;
      texts.push(...lines);
    }
    return texts.shift()!;
  };
  return {
    response,
    nextText,
    async next(t: string): Promise<Line> {
      for (;;) {
        const text = await nextText();
        if (text === null) throw new Error('The stream has ended');
        const line = text === '' ? null : (JSON.parse(text) as Line);
        if (line?.t === t) return line;
      }
    },
    close: () => reader.cancel(),
  };
}

test("[B3] a token is for external bots, and names the stream's address", async () => {
  const { json: builtin } = await ask('/v1/bots', {
    body: { game: 'tictactoe', name: 'B', kind: 'builtin' },
  });
  const refused = await ask(`/v1/bots/${builtin.id}/token`, { method: 'POST' });
  expect([refused.status, refused.json.error]).toEqual([409, 'Bot is played by the service']);
  const program = await makeProgram();
  const { json } = await ask(`/v1/bots/${program.id}/token`, { method: 'POST' });
  expect(json).toEqual({
    token: json.token,
    expiresIn: 86_400,
    socketUrl: 'wss://play.example.test/v1/socket',
    streamUrl: `${PUBLIC_URL}/v1/bots/${program.id}/stream`,
  });
});

test('[B3] the first line is complete; invitations and moves follow', async () => {
  const program = await makeProgram();
  const old = await startMatch(program);
  const stream = await openStream(program.id, program.token);
  expect(stream.response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  const welcome = JSON.parse((await stream.nextText())!);
  expect(welcome).toMatchObject({ t: 'welcome', bot: program.id, sessions: [old] });
  expect(welcome.states[0]).toMatchObject({ t: 'state', s: old, seat: 1, status: 'active' });

  const body = { game: 'tictactoe', matchType: 'bot', players: [{ id: 'bob' }] };
  const { json } = await ask('/v1/sessions', { body });
  const invited = json.players[1].id === program.playerId;
  if (invited) {
    expect(await stream.next('state')).toMatchObject({ s: json.sessionId, status: 'pending' });
  }
  await playHuman(old, 4);
  expect(await stream.next('update')).toMatchObject({ s: old, turn: 1, action: { position: 4 } });
  await stream.close();
});

test('[B3] an action is answered once it is committed, and a repeat has no second effect', async () => {
  const program = await makeProgram();
  const id = await startMatch(program);
  await playHuman(id, 4);
  const body = { id: 'first', action: { position: 0 } };
  const acked = await program.ask(`/v1/sessions/${id}/actions`, { body });
  expect(acked.status).toBe(200);
  const { entries } = (await world.store.loadSession(id))!;
  expect(entries[acked.json.v]!.record).toMatchObject({ k: 'action', seat: 1, id: 'first' });
  const again = await program.ask(`/v1/sessions/${id}/actions`, { body });
  expect(again.json).toEqual(acked.json);
  expect((await world.store.loadSession(id))!.entries).toHaveLength(entries.length);
});

test('[B3][P7] a rejected action is answered with the reason, as an error', async () => {
  const program = await makeProgram();
  const id = await startMatch(program);
  const act = async (body: object, session = id) => {
    const { status, json, headers } = await program.ask(`/v1/sessions/${session}/actions`, {
      body,
    });
    return [status, headers.get('x-error-code'), json.error];
  };
  const mark = (position: number, name: string) => ({ id: name, action: { position } });
  expect(await act({})).toEqual([400, 'field_required', 'id is required']);
  expect(await act({ id: 'a' })).toEqual([400, 'field_required', 'action is required']);
  expect((await act(mark(0, 'a'))).slice(0, 2)).toEqual([409, 'not_your_turn']);
  await playHuman(id, 4);
  expect((await act({ id: 'a', action: { x: 1 } })).slice(0, 2)).toEqual([400, 'bad_action']);
  expect((await act(mark(4, 'a'))).slice(0, 2)).toEqual([409, 'illegal_move']);
  expect((await act(mark(0, 'a')))[0]).toBe(200);
  expect((await act(mark(1, 'a'))).slice(0, 2)).toEqual([409, 'id_reused']);
  expect((await act(mark(1, 'b'), `ses_${'0'.repeat(26)}`))[1]).toBe('session_not_found');
  const { json } = await ask('/v1/sessions', {
    body: { game: 'tictactoe', matchType: 'private', players: [{ id: 'ann' }] },
  });
  expect((await act(mark(1, 'b'), json.sessionId))[1]).toBe('bot_not_seated');
  await ask(`/v1/sessions/${json.sessionId}/bots`, { body: { botId: program.id } });
  expect((await act(mark(1, 'b'), json.sessionId))[1]).toBe('session_not_active');
  await ask(`/v1/sessions/${id}/end`, { method: 'POST' });
  expect((await act(mark(1, 'c')))[1]).toBe('session_ended');
});

test('[B3] with a key the request names the bot', async () => {
  const program = await makeProgram();
  const id = await startMatch(program);
  await playHuman(id, 4);
  const body = { id: 'a', action: { position: 0 } };
  const path = `/v1/sessions/${id}/actions`;
  expect((await ask(path, { body })).json.error).toBe('botId is required');
  expect((await ask(path, { body: { ...body, botId: '' } })).json.error).toBe('Invalid botId');
  const other = await makeProgram();
  expect((await ask(path, { body: { ...body, botId: other.id } })).json.error).toBe(
    'Bot not in session',
  );
  expect((await ask(path, { body: { ...body, botId: program.id } })).status).toBe(200);
});

test('[E4] a bot token allows its own stream and actions, and nothing else', async () => {
  const program = await makeProgram();
  const other = await makeProgram();
  const id = await startMatch(other);
  await playHuman(id, 4);
  const paths = [
    ['/v1/whoami', {}],
    ['/v1/sessions', {}],
    [`/v1/sessions/${id}`, {}],
    ['/v1/bots', {}],
    [`/v1/bots/${program.id}`, {}],
    [`/v1/bots/${program.id}/token`, { method: 'POST' }],
    [`/v1/sessions/${id}/bots`, { method: 'POST' }],
  ] as const;
  for (const [path, how] of paths) {
    // From an address of its own, because guesses at keys are counted by address.
    const answer = await program.ask(path, { ...how, address: '198.51.100.9' });
    expect([path, answer.status]).toEqual([path, 401]);
  }
  expect((await program.ask(`/v1/bots/${other.id}/stream`)).status).toBe(404);
  const body = { id: 'a', action: { position: 0 } };
  const path = `/v1/sessions/${id}/actions`;
  expect((await program.ask(path, { body })).json.error).toBe('Bot not in session');
  const named = await program.ask(path, { body: { ...body, botId: other.id } });
  expect(named.json.error).toBe('Bot not found');
});

test('[E4] a token ends with its key, and when it expires', async () => {
  const spare = await world.makeKey(tenant, 'test', { expiresAt: world.clock.now() + 10_000 });
  const { json } = await ask('/v1/bots', {
    body: { game: 'tictactoe', name: 'P', kind: 'external' },
  });
  const made = await ask(`/v1/bots/${json.id}/token`, { method: 'POST', key: spare });
  const act = () =>
    ask(`/v1/sessions/ses_${'0'.repeat(26)}/actions`, {
      key: made.json.token,
      body: { id: 'a', action: 1 },
      address: '198.51.100.10',
    });
  expect((await act()).status).toBe(404);
  await world.clock.advance(11_000);
  expect((await act()).status).toBe(401);
  const program = await makeProgram();
  await world.clock.advance(86_401_000);
  const late = await program.ask(`/v1/sessions/ses_${'0'.repeat(26)}/actions`, {
    body: { id: 'a', action: 1 },
    address: '198.51.100.11',
  });
  expect(late.status).toBe(401);
});

test('[B3][H6] streams count towards the plan, and stop counting when they close', async () => {
  const small = await world.makeTenant({ limits: { eventStreams: 1 } });
  const smallKey = await world.makeKey(small, 'test');
  const asking = makeAsking(world.app, smallKey);
  const { json } = await asking('/v1/bots', {
    body: { game: 'tictactoe', name: 'P', kind: 'external' },
  });
  const first = await openStream(json.id, smallKey);
  const second = await asking(`/v1/bots/${json.id}/stream`);
  expect([second.status, second.json.error]).toEqual([
    429,
    'Event stream limit of the plan exceeded',
  ]);
  await first.close();
  const third = await openStream(json.id, smallKey);
  expect(third.response.status).toBe(200);
  await third.close();
});

test('[H8][E4] two programs may use the same Idempotency-Key: each gets the response for its own bot', async () => {
  const [first, second] = [await makeProgram(), await makeProgram()];
  const id = await startMatch(first);
  const headers = { 'idempotency-key': 'ply 1' };
  const body = { id: 'a1', action: { position: 0 } };
  const path = `/v1/sessions/${id}/actions`;
  await playHuman(id, 4);
  expect((await first.ask(path, { body, headers })).status).toBe(200);
  const other = await second.ask(path, { body, headers });
  expect(other.headers.get('idempotent-replayed')).toBeNull();
  expect([other.status, other.json.error]).toEqual([404, 'Bot not in session']);
  const again = await first.ask(path, { body, headers });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});

test("[B3] one unreadable session does not hide the bot's other sessions", async () => {
  const program = await makeProgram();
  const [good, bad] = [await startMatch(program), await startMatch(program, 'bob')];
  const { peek } = world.host;
  world.host.peek = (id) => (id === bad ? Promise.reject(new Error('unreadable')) : peek(id));
  const stream = await openStream(program.id, program.token);
  world.host.peek = peek;
  expect(stream.response.status).toBe(200);
  expect(JSON.parse((await stream.nextText())!).sessions).toEqual([good]);
  await stream.close();
});

test('[B3] a stream stays open through silence and ends when the service drains', async () => {
  const program = await makeProgram();
  const stream = await openStream(program.id, key);
  await stream.next('welcome');
  const silent = stream.nextText();
  await Bun.sleep(5);
  await world.clock.advance(25_000);
  expect(await silent).toBe('');
  const end = stream.nextText();
  await Bun.sleep(5);
  world.botStreams.drain();
  expect(await end).toBeNull();
});
