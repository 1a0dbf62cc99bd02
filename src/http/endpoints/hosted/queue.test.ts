/** The queue through the whole HTTP side: who is matched with whom, who waits, and races. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import path from 'node:path';
import type { AnyGame } from '../../../../game/src/game.ts';
import { drawSeats } from '../../../match/seating.ts';
import type { StoredWaiting } from '../../../store/queue.ts';
import { openSqliteStore } from '../../../store/sqlite/sqlite-store.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { diceRace } from '../../../testing/matches/dice-race.ts';
import { installGame } from '../../../testing/matches/install-game.ts';
import { type Asked, type Asking, makeAsking } from '../../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../../testing/service/http-service.ts';
import {
  FOUR_SEATS,
  idsOf,
  makeQueueAsking,
  sessionOf,
} from '../../../testing/service/queue-asking.ts';
import { makeTempFolder, removeFolder } from '../../../testing/temp-folder.ts';

/** A game for up to four, under the id of ludo. */
installGame(diceRace as unknown as AnyGame);

let http: HttpService;
let tenant: Tenant;
let ask: Asking;

beforeAll(async () => {
  http = await openHttpService();
});
afterAll(() => http.close());
// Players who wait in one test must not be matched in the next.
beforeEach(async () => {
  tenant = await http.makeTenant();
  ask = makeAsking(http.app, await http.makeKey(tenant, 'live'));
});

const { make, view } = makeQueueAsking(() => ask);
const four = FOUR_SEATS;

describe('meeting', () => {
  test('[S2] the second player is seated with the first, and gets that session and a token', async () => {
    const ann = await make('ann');
    const ben = await make('ben');
    expect([ann.status, ben.status]).toEqual([201, 201]);
    expect(sessionOf(ben)).toBe(sessionOf(ann));
    expect(idsOf(ben)).toEqual(['ann', 'ben']);
    expect(Object.keys(ben.json.tokens)).toEqual(['ben']);
    expect(http.tokens.parse(ben.json.sessionToken, http.clock.now())).toMatchObject({
      player: 'ben',
      session: sessionOf(ann),
    });
    const cid = await make('cid');
    expect(sessionOf(cid)).not.toBe(sessionOf(ann));
  });

  test('[S2] a create that names all players matches no one else', async () => {
    const ann = await make('ann');
    const pair = await make(['ben', 'cid']);
    expect(sessionOf(pair)).not.toBe(sessionOf(ann));
    expect(sessionOf(await make('dan'))).toBe(sessionOf(ann));
  });

  test('[S2] private rooms neither wait nor are matched', async () => {
    const room = await make('ann', { matchType: 'private' });
    const ben = await make('ben');
    expect(sessionOf(ben)).not.toBe(sessionOf(room));
    expect(sessionOf(await make('ann', { matchType: 'private' }))).not.toBe(sessionOf(room));
  });

  const APART: readonly (readonly [string, object])[] = [
    ['game', { game: 'connect4' }],
    ['options', { options: { turnTimeoutMs: 30_000 } }],
    ['clock', { options: { clock: { initialMs: 60_000 } } }],
    ['grace', { options: { disconnectGraceMs: 5_000 } }],
    ['mode', { mode: 'test' }],
  ];
  test.each(APART)('[S2] another %s is another queue', async (_, change) => {
    const ann = await make('ann');
    const ben = await make('ben', change);
    expect(sessionOf(ben)).not.toBe(sessionOf(ann));
    expect(sessionOf(await make('cid', change))).toBe(sessionOf(ben));
    expect(sessionOf(await make('dan'))).toBe(sessionOf(ann));
  });

  test('[S2] options that state the default are equal to absent ones', async () => {
    const ann = await make('ann', { options: { afk: true, disconnectGraceMs: 60_000 } });
    expect(sessionOf(await make('ben'))).toBe(sessionOf(ann));
  });

  test('[S2][K3] players of two tenants are never matched', async () => {
    const ann = await make('ann');
    const other = await http.makeTenant();
    const key = await http.makeKey(other, 'live');
    const ben = await make('ben', {}, { key });
    expect(sessionOf(ben)).not.toBe(sessionOf(ann));
  });

  test('[S2] another number of seats is another queue, and parties are seated together', async () => {
    const ann = await make('ann', four);
    expect(sessionOf(await make('ben', { game: 'ludo', seats: 3 }))).not.toBe(sessionOf(ann));
    const pair = await make(['cid', 'dan'], four);
    expect(sessionOf(pair)).toBe(sessionOf(ann));
    expect(Object.keys(pair.json.tokens)).toEqual(['cid', 'dan']);
    // Three are seated: a pair does not fit, one player does.
    const apart = await make(['eve', 'fay'], four);
    expect(sessionOf(apart)).not.toBe(sessionOf(ann));
    expect(sessionOf(await make(['gus', 'hal'], four))).toBe(sessionOf(apart));
    const last = await make('ivy', four);
    expect(sessionOf(last)).toBe(sessionOf(ann));
    expect(idsOf(last)).toEqual(['ann', 'cid', 'dan', 'ivy']);
  });

  test('[S2] a tenant past its month cannot start waiting, and still joins a waiting session', async () => {
    const limits = { sessionsPerMonth: 1 };
    const small = await http.makeTenant({ limits });
    const key = await http.makeKey(small, 'live');
    expect((await make('ann', {}, { key })).status).toBe(201);
    expect((await make('ben', {}, { key })).status).toBe(201);
    expect((await make('cid', {}, { key })).status).toBe(429);
  });
});

describe('waiting', () => {
  test('[S2] a player who already waits gets 200 with the same session and new tokens', async () => {
    const ann = await make('ann');
    const again = await make('ann', { metadata: { not: 'kept' } });
    expect(again.status).toBe(200);
    expect(sessionOf(again)).toBe(sessionOf(ann));
    expect(again.json.metadata).toBeNull();
    expect(http.tokens.parse(again.json.tokens.ann, http.clock.now())).toMatchObject({
      player: 'ann',
      session: sessionOf(ann),
    });
    // Also for another queue of the game: a player waits only once for a game.
    const other = await make('ann', { options: { afk: false } });
    expect([other.status, sessionOf(other)]).toEqual([200, sessionOf(ann)]);
    expect((await make('ann', { game: 'connect4' })).status).toBe(201);
    expect((await make('ann', { mode: 'test' })).status).toBe(201);
  });

  test('[S2] a full session accepts no one: the next create is a new session', async () => {
    const ann = await make('ann');
    await make('ben');
    const next = await make('ann');
    expect(next.status).toBe(201);
    expect(sessionOf(next)).not.toBe(sessionOf(ann));
  });

  test('[S2] an aborted session no longer waits', async () => {
    const ann = await make('ann');
    await ask(`/v1/sessions/${sessionOf(ann)}/end`, { method: 'POST' });
    const ben = await make('ben');
    expect(sessionOf(ben)).not.toBe(sessionOf(ann));
    const again = await make('ann');
    expect([again.status, sessionOf(again)]).toEqual([201, sessionOf(ben)]);
  });

  test('[S2] an expired session no longer waits', async () => {
    const ann = await make('ann');
    http.clock.advance(300_000);
    const ben = await make('ben');
    expect(ben.status).toBe(201);
    expect(sessionOf(ben)).not.toBe(sessionOf(ann));
    expect((await view(sessionOf(ann))).json).toMatchObject({
      status: 'ended',
      result: { reason: 'expired' },
    });
  });

  test('[S2] no player is seated in a session that is about to expire', async () => {
    const ann = await make('ann');
    http.clock.advance(270_000);
    expect(sessionOf(await make('ben'))).toBe(sessionOf(ann));
    const cid = await make('cid');
    http.clock.advance(270_001);
    const dan = await make('dan');
    expect(sessionOf(dan)).not.toBe(sessionOf(cid));
    expect((await make('cid')).status).toBe(200);
    http.clock.advance(29_999);
    // The expiry is committed before anything that is committed now.
    await http.store.ping();
    const again = await make('cid');
    expect([again.status, sessionOf(again)]).toEqual([201, sessionOf(dan)]);
  });

  test('[S2] a party of which only some members wait is refused', async () => {
    await make('ann', four);
    const mixed = await make(['ann', 'ben'], four);
    expect([mixed.status, mixed.json.error]).toEqual([409, 'Player already in session']);
    await make(['cid', 'dan'], { game: 'ludo', seats: 3 });
    const both = await make(['dan', 'cid'], four);
    expect(both.status).toBe(200);
    expect(Object.keys(both.json.tokens)).toEqual(['dan', 'cid']);
  });

  test('[S2][S3] a player who joined by room code waits, too, and the last seat ends the waiting', async () => {
    const ann = await make('ann', four);
    const join = (id: string) =>
      ask('/v1/sessions/join', {
        body: { game: 'ludo', roomCode: ann.json.roomCode, player: { id } },
      });
    expect((await join('ben')).status).toBe(200);
    expect((await make('ben', four)).status).toBe(200);
    await join('cid');
    const last = await make('dan', four);
    expect([last.status, sessionOf(last)]).toEqual([201, sessionOf(ann)]);
    expect((await make('ben', four)).status).toBe(201);
  });

  test('[S2][H8] a repeat gets the first response, whether created, matched or waiting', async () => {
    const headers = { 'idempotency-key': 'k1' };
    const ann = await make('ann', {}, { headers });
    const met = await make('ben', {}, { headers: { 'idempotency-key': 'k2' } });
    const repeated = await make('ben', {}, { headers: { 'idempotency-key': 'k2' } });
    expect(repeated.status).toBe(201);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect([sessionOf(repeated), idsOf(repeated)]).toEqual([sessionOf(met), ['ann', 'ben']]);
    expect(Object.keys(repeated.json.tokens)).toEqual(['ben']);
    const cid = await make('cid');
    const waited = await make('cid', {}, { headers: { 'idempotency-key': 'k3' } });
    await make('dan');
    const again = await make('cid', {}, { headers: { 'idempotency-key': 'k3' } });
    expect([waited.status, again.status]).toEqual([200, 200]);
    expect([sessionOf(waited), sessionOf(again)]).toEqual([sessionOf(cid), sessionOf(cid)]);
    expect(sessionOf(await make('ann', {}, { headers }))).toBe(sessionOf(ann));
  });

  test('[S2][R2] no player is seated with an erased player', async () => {
    const ann = await make('ann');
    await ask('/v1/players/ann', { method: 'DELETE' });
    const again = await make('ann');
    expect(again.status).toBe(201);
    expect(sessionOf(again)).not.toBe(sessionOf(ann));
    const { json: table } = await make(['ben', 'cid'], four);
    await ask('/v1/players/ben', { method: 'DELETE' });
    const left = await make('cid', four);
    expect([left.status, sessionOf(left) === table.sessionId]).toEqual([201, false]);
  });

  test('[S2][R2] no player is seated with an erased player who joined by room code while waiting elsewhere', async () => {
    const slow = { ...four, options: { turnTimeoutMs: 30_000 } };
    await make('ann', four);
    const { json: table } = await make('ben', slow);
    const body = { roomCode: table.roomCode, game: 'ludo', player: { id: 'ann' } };
    expect((await ask('/v1/sessions/join', { body })).status).toBe(200);
    await ask('/v1/players/ann', { method: 'DELETE' });
    const cid = await make('cid', slow);
    expect([cid.status, sessionOf(cid) === table.sessionId]).toEqual([201, false]);
  });

  test('[S2] a session that accepts no one, though the store lists it, does not block the queue', async () => {
    const folder = makeTempFolder();
    const bare = await openSqliteStore(path.join(folder, 'matchd.db'));
    const listed: StoredWaiting[] = [];
    const stale = await openHttpService(
      {},
      {},
      {},
      {
        ...bare,
        listWaiting: async (line, limit) => [...(await bare.listWaiting(line, limit)), ...listed],
      },
    );
    const world = await stale.makeTenant();
    const staleAsk = makeAsking(stale.app, await stale.makeKey(world, 'live'));
    const come = (id: string) =>
      staleAsk('/v1/sessions', { body: { game: 'tictactoe', players: [{ id }] } });
    const ann = await come('ann');
    await staleAsk(`/v1/sessions/${sessionOf(ann)}/end`, { method: 'POST' });
    listed.push({ session: sessionOf(ann), rating: 1500, since: stale.clock.now(), taken: 1 });
    const ben = await come('ben');
    expect([ben.status, sessionOf(await come('cid')) === sessionOf(ben)]).toEqual([201, true]);
    await stale.close();
    removeFolder(folder);
  });
});

test('[S2][I3a] the verdicts of both devices are on the session in which the players met', async () => {
  const device = (platform: string) => ({ platform, integrityToken: 'x' });
  const ann = await make('ann', device('ios'));
  const ben = await make('ben', device('android'));
  expect(sessionOf(ben)).toBe(sessionOf(ann));
  expect([ann.json.integrity.platform, ben.json.integrity.platform]).toEqual(['ios', 'android']);
  const { json } = await view(sessionOf(ann));
  expect(json.integrity.platform).toBe('ios');
  const checks: { playerId: string; platform: string }[] = json.integrityChecks;
  expect(checks.map(({ playerId, platform }) => `${playerId} ${platform}`)).toEqual([
    'ann ios',
    'ben android',
  ]);
});

describe('seats', () => {
  test('[S2][S9] are drawn by the seed, and verification shows it', async () => {
    const first = new Set<number>();
    for (let i = 0; i < 24; i++) {
      const ann = await make(`ann${i}`);
      first.add(ann.json.players[0].seat);
      await make(`ben${i}`);
      const id = sessionOf(ann);
      const { json: ended } = await ask(`/v1/sessions/${id}/end`, { method: 'POST' });
      const { json: replay } = await ask(`/v1/sessions/${id}/replay`);
      expect(replay.drawnSeats).toEqual(drawSeats(ended.fairness.seed, 2));
      expect(replay.drawnSeats[0]).toBe(ann.json.players[0].seat);
      const { json: check } = await ask(`/v1/sessions/${id}/verify`, { method: 'POST' });
      expect(check).toMatchObject({ ok: true });
    }
    // The probability that 24 first players get the same seat is below one in eight million.
    expect(first).toEqual(new Set([0, 1]));
  });

  test('[S1] follow the order of the players when all are named', async () => {
    const { json } = await make(['ann', 'ben']);
    expect(json.players.map(({ id }: { id: string }) => id)).toEqual(['ann', 'ben']);
    expect((await ask(`/v1/sessions/${json.sessionId}/replay`)).json.drawnSeats).toBeNull();
  });
});

describe('races', () => {
  /** The number of sessions of each size; no player has two seats. */
  async function tally(answers: readonly Asked[]): Promise<Record<number, number>> {
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const sizes: Record<number, number> = {};
    const seated: string[] = [];
    for (const id of new Set(answers.map(sessionOf))) {
      const ids = idsOf(await view(id));
      seated.push(...ids);
      sizes[ids.length] = (sizes[ids.length] ?? 0) + 1;
    }
    expect(new Set(seated).size).toBe(seated.length);
    expect(seated.length).toBe(answers.length);
    return sizes;
  }

  test('[S2][S5] 1,001 concurrent creates for two seats: 500 full sessions and one player who waits', async () => {
    const all = Array.from({ length: 1_001 }, (_, n) => make(`p${n}`));
    expect(await tally(await Promise.all(all))).toEqual({ 1: 1, 2: 500 });
  });

  test('[S2][S5] 402 concurrent creates for four seats: 100 full sessions and two players who wait', async () => {
    const all = Array.from({ length: 402 }, (_, n) => make(`p${n}`, four));
    expect(await tally(await Promise.all(all))).toEqual({ 2: 1, 4: 100 });
  });

  test('[S2] one player with 50 concurrent creates: one session, one 201', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => make('ann')));
    expect(new Set(all.map(sessionOf)).size).toBe(1);
    const statuses = all.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(49).fill(200), 201]);
    expect(idsOf(await view(sessionOf(all[0]!)))).toEqual(['ann']);
  });

  test('[S2] one player in several queues at once waits in one of them', async () => {
    const all = await Promise.all(
      [5_000, 6_000, 7_000, 8_000].map((turnTimeoutMs) =>
        make('ann', { options: { turnTimeoutMs } }),
      ),
    );
    expect(new Set(all.map(sessionOf)).size).toBe(1);
    expect(all.filter(({ status }) => status === 201).length).toBe(1);
  });

  test('[S2][S5] concurrent creates, joins by code and ends: no session over capacity', async () => {
    const first = await make('ann', four);
    const { roomCode } = first.json;
    const calls = Array.from({ length: 60 }, (_, n) => {
      if (n % 3 === 0) return make(`p${n}`, four);
      if (n === 31) return ask(`/v1/sessions/${sessionOf(first)}/end`, { method: 'POST' });
      const player = { id: `p${n}` };
      return ask('/v1/sessions/join', { body: { game: 'ludo', roomCode, player } });
    });
    const answers = (await Promise.all(calls)).filter(({ status }) => status === 201);
    expect(answers.length).toBe(20);
    const ids = [...new Set([first, ...answers].map(sessionOf))];
    const seated = (await Promise.all(ids.map(view))).map(idsOf);
    for (const players of seated) expect(players.length).toBeLessThanOrEqual(4);
    expect(new Set(seated.flat()).size).toBe(seated.flat().length);
  });
});
