/** Reading sessions and players afterwards: lists, tokens, replays, exports, erasure. */

import { afterAll, describe, expect, test } from 'bun:test';
import type { MatchHost } from '../../runtime/host/match-host.ts';
import type { PlayerCommand } from '../../runtime/host/player-work.ts';
import type { Subscriber } from '../../runtime/host/work.ts';
import { makeAsking } from '../../testing/service/asking.ts';
import { openHttpService, PUBLIC_URL } from '../../testing/service/http-service.ts';
import { openTenantApi } from '../../testing/service/tenant-api.ts';

const { http, tenant, testKey, liveKey, ask } = await openTenantApi('test');
afterAll(() => http.close());

const make = async (ids: readonly string[] = ['ann', 'ben'], more: object = {}, key = testKey) =>
  (
    await ask('/v1/sessions', {
      key,
      body: { game: 'tictactoe', players: ids.map((id) => ({ id })), ...more },
    })
  ).json;

/** Plays a match as two sockets would. */
function seat(host: MatchHost, session: string, viewer: number) {
  const subscriber: Subscriber = { viewer, player: null, send: () => {}, lost: () => {} };
  const attached = new Promise<void>((resolve) =>
    host.attach(session, subscriber, () => resolve()),
  );
  const play = (command: PlayerCommand) =>
    new Promise<void>((resolve) => {
      const origin: Subscriber = { ...subscriber, send: () => resolve() };
      host.play(session, viewer, command, origin);
    });
  return { attached, play };
}

async function playOut(session: string): Promise<void> {
  const seats = [seat(http.host, session, 0), seat(http.host, session, 1)];
  for (const { attached } of seats) await attached;
  for (const [i, position] of [0, 3, 1, 4, 2].entries()) {
    await seats[i % 2]!.play({ kind: 'act', id: `m${i}`, action: { position } });
  }
}

test('[S7] a replay has every action in wire form, and the seed only at the end', async () => {
  const { sessionId, fairness } = await make();
  const before = (await ask(`/v1/sessions/${sessionId}/replay`)).json;
  expect(before).toMatchObject({ inputs: [], hash: null, result: null });
  expect(before.fairness).toEqual({ ...fairness, seed: null });
  await playOut(sessionId);
  const { json } = await ask(`/v1/sessions/${sessionId}/replay`);
  expect(json.inputs.map((input: { action: unknown }) => input.action)).toEqual(
    [0, 3, 1, 4, 2].map((position) => ({ position })),
  );
  expect(json.fairness.seed).toMatch(/^[0-9a-f]{64}$/);
  expect(new Bun.CryptoHasher('sha256').update(json.fairness.seed).digest('hex')).toBe(
    fairness.commitment,
  );
  expect(json.result).toMatchObject({ winner: 'ann', reason: 'three_in_a_row' });
  const check = await ask(`/v1/sessions/${sessionId}/verify`, { method: 'POST' });
  expect(check.json).toMatchObject({ ok: true, hash: json.hash });
});

test('[S8] the result is that of the game, with its numbers', async () => {
  const { sessionId } = await make();
  await playOut(sessionId);
  const { json } = await ask(`/v1/sessions/${sessionId}`);
  expect(json).toMatchObject({
    status: 'ended',
    expiresAt: null,
    result: { winner: 'ann', winners: ['ann'], moveCount: 5, line: [0, 1, 2] },
  });
  expect(json.result.placements.map((each: { playerId: string }) => each.playerId)).toEqual([
    'ann',
    'ben',
  ]);
});

test('[S6] the tenant ends a session: aborted, and only once', async () => {
  const { sessionId } = await make();
  const end = (body?: object) =>
    ask(`/v1/sessions/${sessionId}/end`, body === undefined ? { method: 'POST' } : { body });
  expect((await end({ reason: 7 })).json).toEqual({ error: 'Invalid reason' });
  const { status, json } = await end({ reason: 'maintenance' });
  expect([status, json.status, json.result.reason]).toEqual([200, 'ended', 'aborted']);
  expect(json).not.toHaveProperty('tokens');
  const again = await end();
  expect([again.status, again.json]).toEqual([409, { error: 'Session has ended' }]);
});

test('[S6] a seated player gets a new token, no other player does', async () => {
  const { sessionId, tokens } = await make();
  http.clock.advance(1_000);
  const token = (id: string) =>
    ask(`/v1/sessions/${sessionId}/players/${id}/token`, { method: 'POST' });
  const { status, json } = await token('ann');
  expect([status, json.expiresIn]).toEqual([201, 300]);
  expect(json.token).not.toBe(tokens.ann);
  expect(json.playUrl).toBe(`${PUBLIC_URL}/play/${tenant.slug}/#token=${json.token}`);
  expect(json.socketUrl).toBe('wss://play.example.test/v1/socket');
  const stranger = await token('cyd');
  expect([stranger.status, stranger.json]).toEqual([404, { error: 'Player not in session' }]);
  expect((await token('a%00')).json).toEqual({ error: 'Invalid playerId' });
});

describe('lists', () => {
  test('[H9] pages contain every session once, newest first, whatever is added meanwhile', async () => {
    const key = await http.makeKey(await http.makeTenant(), 'test');
    const made: string[] = [];
    for (let i = 0; i < 7; i++) {
      made.push((await make(['ann', 'ben'], {}, key)).sessionId);
      http.clock.advance(1);
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { json } = await ask(`/v1/sessions?limit=3&cursor=${cursor}`, { key });
      expect(json.data.length).toBeLessThanOrEqual(3);
      seen.push(...json.data.map((each: { sessionId: string }) => each.sessionId));
      cursor = json.nextCursor;
      http.clock.advance(1);
      await make(['ann', 'ben'], {}, key);
    }
    expect(seen).toEqual(made.toReversed());
  });

  test('[S6] sessions are found by game, status, player and time', async () => {
    const key = await http.makeKey(await http.makeTenant(), 'test');
    const one = await make(['ann', 'ben'], {}, key);
    http.clock.advance(60_000);
    const two = await make(['ann', 'cyd'], { game: 'connect4' }, key);
    await ask(`/v1/sessions/${one.sessionId}/end`, { method: 'POST', key });
    const find = async (query: string) =>
      (await ask(`/v1/sessions?${query}`, { key })).json.data.map(
        (each: { sessionId: string }) => each.sessionId,
      );
    expect(await find('game=connect4')).toEqual([two.sessionId]);
    expect(await find('status=ended')).toEqual([one.sessionId]);
    expect(await find('player=ann')).toEqual([two.sessionId, one.sessionId]);
    expect(await find('player=ben&status=pending')).toEqual([]);
    expect(await find(`createdFrom=${two.createdAt}`)).toEqual([two.sessionId]);
    expect(await find(`createdTo=${two.createdAt}`)).toEqual([one.sessionId]);
    const withZone = encodeURIComponent('2026-11-14T13:00:00+01:00');
    expect((await find(`createdFrom=${withZone}`)).length).toBe(2);
  });

  test('[S6] sessions are found by a key of their metadata and its value', async () => {
    const key = await http.makeKey(await http.makeTenant(), 'test');
    const make = async (metadata: object, more: object = {}) => {
      const body = {
        game: 'tictactoe',
        players: [{ id: 'ann' }, { id: 'ben' }],
        metadata,
        ...more,
      };
      const { json } = await ask('/v1/sessions', { key, body });
      http.clock.advance(1);
      return json.sessionId as string;
    };
    const one = await make({ orderId: '77', region: 'eu' });
    const two = await make({ orderId: '78', region: 'eu' }, { game: 'connect4' });
    const odd = await make({ 'a[b]&=ü': 'x y', empty: '', none: null });
    await ask(`/v1/sessions/${one}/end`, { method: 'POST', key });
    const find = async (query: string, as = key) =>
      (await ask(`/v1/sessions?${query}`, { key: as })).json.data.map(
        (each: { sessionId: string }) => each.sessionId,
      );
    expect(await find('metadata[orderId]=77')).toEqual([one]);
    expect(await find('metadata%5BorderId%5D=78')).toEqual([two]);
    expect(await find('metadata[orderId]=7')).toEqual([]);
    expect(await find('metadata[orderid]=77')).toEqual([]);
    expect(await find('metadata[region]=eu')).toEqual([two, one]);
    expect(await find('metadata[region]=eu&game=connect4')).toEqual([two]);
    expect(await find('metadata[region]=eu&status=ended&player=ann')).toEqual([one]);
    expect(await find('metadata[empty]=')).toEqual([odd]);
    expect(await find('metadata[none]=')).toEqual([]);
    expect(await find(`metadata[${encodeURIComponent('a[b]&=ü')}]=x+y`)).toEqual([odd]);
    expect(await find('metadata[region]=eu&mode=live')).toEqual([]);
    expect(await find(`metadata[region]=eu&limit=1`)).toEqual([two]);
    const { nextCursor } = (await ask('/v1/sessions?metadata[region]=eu&limit=1', { key })).json;
    expect(await find(`metadata[region]=eu&cursor=${nextCursor}`)).toEqual([one]);
    const stranger = await http.makeKey(await http.makeTenant(), 'test');
    expect(await find('metadata[region]=eu', stranger)).toEqual([]);
  });

  const WRONG: readonly (readonly [string, string])[] = [
    ['game=chess', 'Invalid game. Valid: checkers, tictactoe, connect4, fight-arena, pool, ludo'],
    ['mode=x', 'Invalid mode. Valid: live, test, training'],
    ['status=open', 'Invalid status. Valid: pending, active, ended'],
    ['player=%00', 'Invalid player'],
    ['metadata=x', 'Invalid metadata'],
    ['metadata[]=x', 'Invalid metadata'],
    ['metadata[__proto__]=x', 'Invalid metadata'],
    ['metadata[a]=1&metadata[b]=2', 'Invalid metadata'],
    ['metadata[a]=1&metadata[a]=1', 'Invalid metadata'],
    [`metadata[${'k'.repeat(41)}]=x`, 'Invalid metadata'],
    [`metadata[k]=${'x'.repeat(501)}`, 'Invalid metadata.k'],
    ['createdFrom=yesterday', 'Invalid createdFrom'],
    ['createdTo=2026-02-30T00:00:00Z', 'Invalid createdTo'],
    ['game=ludo&game=ludo', 'Invalid game'],
    ['limit=5&limit=5', 'Invalid limit'],
    ['cursor=&cursor=', 'Invalid cursor'],
    ['player=ann&%70layer=ben', 'Invalid player'],
    ['game=chess&limit=1&limit=2', 'Invalid limit'],
    ['limit=0', 'Invalid limit'],
    ['limit=101', 'Invalid limit'],
    ['limit=1e1', 'Invalid limit'],
    ['limit=ten', 'Invalid limit'],
    ['cursor=x', 'Invalid cursor'],
    [
      'limit=0&game=chess',
      'Invalid game. Valid: checkers, tictactoe, connect4, fight-arena, pool, ludo',
    ],
  ];
  test.each(WRONG)('[H9] ?%s', async (query, error) => {
    const { status, json } = await ask(`/v1/sessions?${query}`);
    expect([status, json]).toEqual([400, { error }]);
  });

  test('[H9] unknown parameters are ignored, empty ones count as missing', async () => {
    expect((await ask('/v1/sessions?color=red&color=blue&limit=&cursor=&game=')).status).toBe(200);
  });
});

describe('players', () => {
  test('[P1] a lobby token opens the lobby of the mode of the key', async () => {
    for (const [key, mode] of [
      [testKey, 'test'],
      [liveKey, 'live'],
    ] as const) {
      const { status, json } = await ask('/v1/players/ann/token', { key, body: {} });
      expect([status, json.expiresIn]).toEqual([201, 300]);
      expect(json.socketUrl).toBe('wss://play.example.test/v1/socket');
      expect(http.tokens.parse(json.token, http.clock.now())).toMatchObject({
        scope: 'lobby',
        mode,
        player: 'ann',
        session: null,
        tenant: tenant.id,
      });
    }
  });

  test('[P1] a token lives five minutes', async () => {
    const { json } = await ask('/v1/players/ann/token', { method: 'POST' });
    expect(http.tokens.parse(json.token, http.clock.now() + 299_000)).not.toBeNull();
    expect(http.tokens.parse(json.token, http.clock.now() + 300_000)).toBeNull();
  });

  test('[P1] the name in a lobby token request is stored, and may be sent again', async () => {
    const named = (body: object, idempotency = '') =>
      ask('/v1/players/Nora/token', {
        body,
        ...(idempotency && { headers: { 'Idempotency-Key': idempotency } }),
      });
    const nameOf = async () => (await ask('/v1/players/Nora')).json.displayName;
    expect((await named({ displayName: 'Nora N.' }, 'once')).status).toBe(201);
    expect(await nameOf()).toBe('Nora N.');
    for (const body of [{}, { displayName: null }, { displayName: '' }]) await named(body);
    expect(await nameOf()).toBe('Nora N.');
    await named({ displayName: 'Nora' });
    expect(await nameOf()).toBe('Nora');
    const repeat = await named({ displayName: 'Nora N.' }, 'once');
    expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
    expect(await nameOf()).toBe('Nora');
  });

  test('[P1] the name is checked', async () => {
    const named = (displayName: unknown) => ask('/v1/players/ann/token', { body: { displayName } });
    expect((await named('Ann')).status).toBe(201);
    expect((await named('x'.repeat(65))).json).toEqual({ error: 'Invalid displayName' });
    expect((await named({})).json).toEqual({ error: 'Invalid displayName' });
  });

  test('[R2] an export contains the player and their sessions', async () => {
    const { sessionId } = await make(['Edda', 'ben'], { metadata: { table: '7' } });
    const { json } = await ask('/v1/players/Edda/export');
    expect(json.player.id).toBe('Edda');
    expect(json.sessions).toHaveLength(1);
    expect(json.sessions[0]).toMatchObject({ sessionId, seat: 0, metadata: { table: '7' } });
    expect((await ask('/v1/players/nobody/export')).json).toEqual({ error: 'Player not found' });
  });

  test('[R2] an export is read as the client consumes it, never all sessions at once', async () => {
    for (let n = 0; n < 6; n++) await make(['Ines', `other${n}`]);
    const { store } = http;
    const { loadSession } = store;
    let loads = 0;
    Object.assign(store, {
      loadSession: (id: string) => {
        loads += 1;
        return loadSession.call(store, id);
      },
    });
    const open = () =>
      http.app.fetch(
        new Request(`${PUBLIC_URL}/v1/players/Ines/export`, {
          headers: { authorization: `Bearer ${testKey}` },
        }),
        { address: '127.0.0.1' },
      );
    const broken = await open();
    const reader = broken.body!.getReader();
    await reader.read();
    await reader.cancel();
    const early = loads;
    const whole = (await (await open()).json()) as { sessions: { sessionId: string }[] };
    Object.assign(store, { loadSession });
    expect(early).toBeLessThan(4);
    expect(new Set(whole.sessions.map(({ sessionId }) => sessionId)).size).toBe(6);
  });

  test('[R2] an erased player is named nowhere, and the result stays', async () => {
    const { sessionId } = await make(['Erik', 'ben']);
    await playOut(sessionId);
    expect((await ask('/v1/players/Erik', { method: 'DELETE' })).json).toEqual({ erased: true });
    for (const path of ['', '/replay']) {
      const { json, text } = await ask(`/v1/sessions/${sessionId}${path}`);
      expect(text).not.toContain('Erik');
      expect(json.result).toMatchObject({ winner: null, winners: [null], moveCount: 5 });
      expect(json.players[0]).toMatchObject({ id: null, displayName: null, seat: 0 });
    }
    expect((await ask('/v1/players/Erik', { method: 'DELETE' })).status).toBe(404);
    expect((await ask('/v1/sessions?player=Erik')).json.data).toEqual([]);
    const check = await ask(`/v1/sessions/${sessionId}/verify`, { method: 'POST' });
    expect(check.json.ok).toBe(true);
  });

  test('[K3] a test key neither exports nor erases live data', async () => {
    await make(['Lena', 'ben'], {}, liveKey);
    const erase = { method: 'DELETE' };
    expect((await ask('/v1/players/Lena/export')).json).toEqual({ error: 'Player not found' });
    expect((await ask('/v1/players/Lena', erase)).json).toEqual({ error: 'Player not found' });
    const { sessionId } = await make(['Lena', 'ben']);
    const { json } = await ask('/v1/players/Lena/export');
    expect(json.sessions.map((each: { sessionId: string }) => each.sessionId)).toEqual([sessionId]);
    expect((await ask('/v1/players/Lena', { ...erase, key: liveKey })).status).toBe(200);
  });

  test('[K3] a test key does not erase a player who is connected in live mode only', async () => {
    const other = await openHttpService({ isConnected: (_, mode) => mode === 'live' });
    const tenant = await other.makeTenant();
    const askAs = async (mode: 'live' | 'test') =>
      makeAsking(other.app, await other.makeKey(tenant, mode));
    const [live, testing] = await Promise.all([askAs('live'), askAs('test')]);
    await live('/v1/players/Mia/token', { body: { displayName: 'Mia' } });
    const refused = await testing('/v1/players/Mia', { method: 'DELETE' });
    const erased = await live('/v1/players/Mia', { method: 'DELETE' });
    await other.close();
    expect([refused.status, erased.status]).toEqual([404, 200]);
  });
});

test('[R2] a long export does not block other requests', async () => {
  const count = 120;
  await Promise.all(Array.from({ length: count }, (_, i) => make(['gil', `other ${i}`])));
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  // Known, so that only the export itself yields to other work.
  await ask('/v1/whoami');
  setImmediate(turn);
  const { json } = await ask('/v1/players/gil/export');
  isOver = true;
  expect(json.sessions).toHaveLength(count);
  expect(turns).toBeGreaterThanOrEqual(10);
});
