/** Rooms that may be watched, and the tokens to watch them (rule S10). */

import { afterAll, describe, expect, test } from 'bun:test';
import type { Subscriber } from '../../runtime/host/work.ts';
import { PUBLIC_URL } from '../../testing/service/http-service.ts';
import { openTenantApi } from '../../testing/service/tenant-api.ts';

const { http, tenant, testKey, liveKey, ask } = await openTenantApi('live');
afterAll(() => http.close());

async function make(more: object = {}, key = liveKey): Promise<string> {
  // Ids of one millisecond have no order.
  http.clock.advance(1);
  const players = [{ id: 'ann', displayName: 'Ann' }, { id: 'ben' }];
  const body = { game: 'tictactoe', players, ...more };
  return (await ask('/v1/sessions', { key, body })).json.sessionId;
}

/** Connects a viewer as its socket would. */
async function attach(session: string, viewer: number | null): Promise<Subscriber> {
  const subscriber: Subscriber = { viewer, player: null, send: () => {}, lost: () => {} };
  await new Promise<void>((resolve) => http.host.attach(session, subscriber, () => resolve()));
  return subscriber;
}

async function start(more: object = {}, key = liveKey): Promise<string> {
  const id = await make(more, key);
  await attach(id, 0);
  await attach(id, 1);
  return id;
}

const end = (id: string) => ask(`/v1/sessions/${id}/end`, { method: 'POST' });

const roomsOf = async (query: string, key = liveKey): Promise<string[]> => {
  const { json } = await ask(`/v1/rooms${query}`, { key });
  return json.data.map((room: { sessionId: string }) => room.sessionId);
};

describe('the list', () => {
  test('[S10] active sessions are listed with their players and the number of watchers', async () => {
    const id = await start();
    const watcher = await attach(id, null);
    const { status, json } = await ask('/v1/rooms');
    const player = { isBot: false, connected: true };
    expect(status).toBe(200);
    expect(json).toEqual({
      data: [
        {
          sessionId: id,
          game: 'tictactoe',
          mode: 'live',
          matchType: 'matchmaking',
          variant: 'standard',
          status: 'active',
          seats: 2,
          players: [
            { id: 'ann', displayName: 'Ann', seat: 0, ...player },
            { id: 'ben', displayName: null, seat: 1, ...player },
          ],
          watchers: 1,
          startedAt: expect.stringMatching(/^\d{4}-.+\.\d{3}Z$/),
        },
      ],
      nextCursor: null,
    });
    http.host.detach(id, watcher);
    expect((await ask('/v1/rooms')).json.data[0].watchers).toBe(0);
    await end(id);
    expect(await roomsOf('')).toEqual([]);
  });

  test('[S10] pending, ended and private sessions are no rooms', async () => {
    await make();
    const hidden = await start({ matchType: 'private' });
    const over = await start();
    await end(over);
    const open = await start();
    expect(await roomsOf('')).toEqual([open]);
    expect(await roomsOf('?game=tictactoe')).toEqual([open]);
    expect(await roomsOf('?game=connect4')).toEqual([]);
    for (const id of [hidden, open]) await end(id);
  });

  test('[S10][K3] each key sees the rooms of its own mode', async () => {
    const live = await start();
    const trial = await start({}, testKey);
    const stranger = await http.makeKey(await http.makeTenant(), 'live');
    expect(await roomsOf('')).toEqual([live]);
    expect(await roomsOf('?mode=test')).toEqual([trial]);
    expect(await roomsOf('', testKey)).toEqual([trial]);
    expect(await roomsOf('?mode=live', testKey)).toEqual([]);
    expect(await roomsOf('', stranger)).toEqual([]);
    for (const id of [live, trial]) await end(id);
  });

  test('[S10][H9] pages, the newest first, stable while rooms are added', async () => {
    const first: string[] = [];
    for (let n = 0; n < 5; n++) first.unshift(await start());
    const { json } = await ask('/v1/rooms?limit=2');
    await start();
    const pages = [json.data.map((room: { sessionId: string }) => room.sessionId)];
    for (let { nextCursor } = json; nextCursor !== null; ) {
      const next = (await ask(`/v1/rooms?limit=2&cursor=${nextCursor}`)).json;
      pages.push(next.data.map((room: { sessionId: string }) => room.sessionId));
      ({ nextCursor } = next);
    }
    expect(pages).toEqual([first.slice(0, 2), first.slice(2, 4), first.slice(4)]);
  });

  test.each([
    ['game=chess', 'Invalid game. Valid: checkers, tictactoe, connect4, fight-arena, pool, ludo'],
    ['mode=training', 'Invalid mode. Valid: live, test'],
    ['limit=0', 'Invalid limit'],
    ['limit=101', 'Invalid limit'],
    ['cursor=x', 'Invalid cursor'],
  ])('[S10][H4] %s is refused', async (query, error) => {
    const { status, json } = await ask(`/v1/rooms?${query}`);
    expect([status, json]).toEqual([400, { error }]);
  });
});

describe('the token', () => {
  const watch = (id: string, more: object = {}) =>
    ask(`/v1/sessions/${id}/watch`, { method: 'POST', ...more });

  test('[S10] is for watching that session and nothing else', async () => {
    for (const more of [{}, { matchType: 'private' }, { mode: 'test' }]) {
      const id = await make(more);
      const { status, json } = await watch(id);
      expect([status, Object.keys(json)]).toEqual([
        201,
        ['token', 'expiresIn', 'socketUrl', 'playUrl'],
      ]);
      expect(json.expiresIn).toBe(300);
      expect(new URL(json.playUrl).hash).toBe(`#token=${json.token}`);
      expect(json.socketUrl).toBe(`${PUBLIC_URL.replace('https', 'wss')}/v1/socket`);
      expect(http.tokens.parse(json.token, http.clock.now())).toMatchObject({
        scope: 'watch',
        tenant: tenant.id,
        mode: more.mode ?? 'live',
        player: null,
        session: id,
      });
    }
  });

  test('[S10] is issued until the end, and not for a session that the key may not see', async () => {
    const id = await start();
    expect((await watch(id)).status).toBe(201);
    await end(id);
    const late = await watch(id);
    expect([late.status, late.json]).toEqual([409, { error: 'Session has ended' }]);
    const live = await start();
    const stranger = await http.makeKey(await http.makeTenant(), 'live');
    for (const [of, key] of [
      [live, testKey],
      [live, stranger],
      ['ses_0', liveKey],
    ] as const) {
      const { status, json } = await watch(of, { key });
      expect([status, json]).toEqual([404, { error: 'Session not found' }]);
    }
  });

  test('[S10][H8] a repeat gets a new token', async () => {
    const id = await make();
    const headers = { 'idempotency-key': 'once' };
    const first = await watch(id, { headers });
    http.clock.advance(2_000);
    const again = await watch(id, { headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.json).toEqual({
      ...first.json,
      token: expect.any(String),
      playUrl: expect.stringContaining(`#token=${again.json.token}`),
    });
    expect(again.json.token).not.toBe(first.json.token);
    expect(http.tokens.parse(again.json.token, http.clock.now())?.scope).toBe('watch');
  });
});
