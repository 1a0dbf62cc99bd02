/** The rematch of an ended session, through the whole HTTP side on a real store. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { PlayerCommand } from '../../runtime/host/player-work.ts';
import type { Subscriber } from '../../runtime/host/work.ts';
import { type Asking, makeAsking } from '../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';

let http: HttpService;
let ask: Asking;
let liveKey: string;

beforeAll(async () => {
  http = await openHttpService();
  const tenant = await http.makeTenant();
  ask = makeAsking(http.app, await http.makeKey(tenant, 'test'));
  liveKey = await http.makeKey(tenant, 'live');
});
afterAll(() => http.close());

const ids = (players: readonly { readonly id: string }[]) => players.map(({ id }) => id);
const make = async (body: object) =>
  (await ask('/v1/sessions', { body: { game: 'tictactoe', ...body } })).json;
const rematch = (session: string, more: object = {}) =>
  ask(`/v1/sessions/${session}/rematch`, { method: 'POST', ...more });

/** Seats 0 and 1 play until seat 0 has a row. */
async function playOut(session: string): Promise<void> {
  const seats = [0, 1].map(
    (viewer): Subscriber => ({ viewer, player: null, send: () => {}, lost: () => {} }),
  );
  for (const seat of seats) {
    await new Promise<void>((done) => http.host.attach(session, seat, () => done()));
  }
  for (const [i, position] of [0, 3, 1, 4, 2].entries()) {
    const command: PlayerCommand = { kind: 'act', id: `m${i}`, action: { position } };
    await new Promise<void>((done) =>
      http.host.play(session, i % 2, command, { ...seats[i % 2]!, send: () => done() }),
    );
  }
}

const TWO = [{ id: 'ann', displayName: 'Ann' }, { id: 'ben' }];

async function ended(body: object = {}): Promise<string> {
  const { sessionId } = await make({ players: TWO, ...body });
  await playOut(sessionId);
  return sessionId;
}

describe('the rematch', () => {
  test('[S11] is the same match with exchanged seats, again and again', async () => {
    const same = {
      matchType: 'private',
      metadata: { table: '7' },
      theme: { primary: '#ABC' },
      options: { turnTimeoutMs: 7_000, clock: { initialMs: 60_000, incrementMs: 1_000 } },
    };
    const first = await ended(same);
    const { status, json } = await rematch(first);
    expect(status).toBe(201);
    const { matchType, metadata, theme } = same;
    expect(json).toMatchObject({ matchType, metadata, theme, status: 'pending', mode: 'test' });
    expect(json.sessionId).not.toBe(first);
    expect(ids(json.players)).toEqual(['ben', 'ann']);
    expect(json.players[1].displayName).toBe('Ann');
    expect(Object.keys(json.tokens).sort()).toEqual(['ann', 'ben']);
    const { session } = (await http.host.peek(json.sessionId))!;
    expect(session.setup.turnTimeoutMs).toBe(7_000);
    expect(session.setup.clock).toEqual(same.options.clock);
    await playOut(json.sessionId);
    const third = await rematch(json.sessionId);
    expect(ids(third.json.players)).toEqual(['ann', 'ben']);
  });

  test('[S11] exists once: concurrent and later calls return the same one', async () => {
    const first = await ended();
    const calls = await Promise.all(Array.from({ length: 20 }, () => rematch(first)));
    expect(calls.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(calls.map(({ json }) => json.sessionId)).size).toBe(1);
    const verified = await ask(`/v1/sessions/${first}/verify`, { method: 'POST' });
    expect(verified.json).toMatchObject({ ok: true, seal: { state: 'sealed' } });
  });

  test('[S11] with an Idempotency-Key a repeat is the stored response with new tokens', async () => {
    const first = await ended();
    const headers = { 'idempotency-key': 'again-1' };
    const [made, repeat] = [await rematch(first, { headers }), await rematch(first, { headers })];
    expect([made.status, repeat.status]).toEqual([201, 201]);
    expect(repeat.json.sessionId).toBe(made.json.sessionId);
  });

  test('[S11] there is none before the end, for a match that never began, or for one that the key may not see', async () => {
    const { sessionId } = await make({ players: TWO });
    const early = await rematch(sessionId);
    expect([early.status, early.json.error]).toEqual([409, 'Session has not ended']);
    await ask(`/v1/sessions/${sessionId}/end`, { body: {} });
    const never = await rematch(sessionId);
    expect([never.status, never.json.error]).toEqual([409, 'Session cannot have a rematch']);
    const other = makeAsking(http.app, await http.makeKey(await http.makeTenant(), 'live'));
    const foreign = await other(`/v1/sessions/${await ended()}/rematch`, { method: 'POST' });
    expect([foreign.status, foreign.json.error]).toEqual([404, 'Session not found']);
  });

  test('[S11] [R2] there is none with an erased player', async () => {
    const first = await ended({ players: [{ id: 'gone' }, { id: 'stays' }] });
    const erased = await ask('/v1/players/gone', { method: 'DELETE', key: liveKey });
    expect(erased.status).toBeLessThan(300);
    const { status, json } = await rematch(first);
    expect([status, json.error]).toEqual([409, 'Session cannot have a rematch']);
  });

  test('[S11] in training the bot of the same level changes seats, too', async () => {
    const { sessionId, players } = await make({ mode: 'training' });
    const seat: Subscriber = { viewer: 0, player: null, send: () => {}, lost: () => {} };
    await new Promise<void>((done) => http.host.attach(sessionId, seat, () => done()));
    await ask(`/v1/sessions/${sessionId}/end`, { body: {} });
    const { status, json } = await rematch(sessionId);
    expect(status).toBe(201);
    expect(ids(json.players)).toEqual(ids(players).reverse());
    expect(Object.keys(json.tokens)).toEqual([players[0].id]);
    const { session } = (await http.host.peek(json.sessionId))!;
    expect(session.seats.map(({ isBot, level }) => [isBot, level])).toEqual([
      [true, 'medium'],
      [false, null],
    ]);
  });

  test('[S11] a bot changes seats as a bot, and there is no rematch once it is inactive', async () => {
    const fields = { game: 'tictactoe', name: 'Bo', kind: 'builtin', difficulty: 'easy' };
    const bot = (await ask('/v1/bots', { body: fields })).json;
    const begin = async () => {
      const { sessionId } = await make({ players: [{ id: 'ann' }], matchType: 'bot' });
      const seat: Subscriber = { viewer: 0, player: null, send: () => {}, lost: () => {} };
      await new Promise<void>((done) => http.host.attach(sessionId, seat, () => done()));
      await ask(`/v1/sessions/${sessionId}/end`, { body: {} });
      return sessionId;
    };
    const [first, second] = [await begin(), await begin()];
    const { status, json } = await rematch(first);
    expect(status).toBe(201);
    expect(ids(json.players)[1]).toBe('ann');
    expect(Object.keys(json.tokens)).toEqual(['ann']);
    const { session } = (await http.host.peek(json.sessionId))!;
    expect(session.seats.map(({ isBot, level }) => [isBot, level])).toEqual([
      [true, 'easy'],
      [false, null],
    ]);
    expect((await ask(`/v1/bots/${bot.id}`, { method: 'DELETE' })).status).toBeLessThan(300);
    const refused = await rematch(second);
    expect([refused.status, refused.json.error]).toEqual([409, 'Session cannot have a rematch']);
  });
});
