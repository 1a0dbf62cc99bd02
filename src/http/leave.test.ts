/** Leaving a pending session through the whole HTTP side (rule S3a): the seat, the queue, events and verdicts. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { AnyGame } from '../../game/src/game.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { diceRace } from '../testing/matches/dice-race.ts';
import { installGame } from '../testing/matches/install-game.ts';
import { type Ask, type Asked, type Asking, makeAsking } from '../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../testing/service/http-service.ts';
import { FOUR_SEATS, idsOf, makeQueueAsking, sessionOf } from '../testing/service/queue-asking.ts';

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

const leave = (id: string, player: string, asking: Ask = {}) =>
  ask(`/v1/sessions/${id}/players/${player}`, { method: 'DELETE', ...asking });

test('[S3a] a seat that was left is filled from the queue, and the one who left is matched with others', async () => {
  const ann = await make('ann', four);
  const id = sessionOf(ann);
  expect(sessionOf(await make('ben', four))).toBe(id);
  const left = await leave(id, 'ben');
  expect(left.status).toBe(200);
  expect(left.json).toMatchObject({ sessionId: id, status: 'pending' });
  expect(idsOf(left)).toEqual(['ann']);
  expect('tokens' in left.json).toBe(false);
  expect(idsOf(await make(['cid', 'dan', 'eve'], four))).toEqual(['ann', 'cid', 'dan', 'eve']);
  const ben = await make('ben', four);
  expect([ben.status, sessionOf(ben) === id]).toEqual([201, false]);
});

test('[S3a] a full session waits again when a player leaves it', async () => {
  const id = sessionOf(await make('ann'));
  expect(sessionOf(await make('ben'))).toBe(id);
  const again = await make('ann');
  expect(sessionOf(again)).not.toBe(id);
  expect((await leave(sessionOf(again), 'ann')).json.status).toBe('ended');
  expect((await leave(id, 'ben')).status).toBe(200);
  expect(sessionOf(await make('cid'))).toBe(id);
});

test('[S3a] the last one to leave ends the session, and frees the plan and the queue', async () => {
  const id = sessionOf(await make('ann'));
  const left = await leave(id, 'ann');
  expect(left.json).toMatchObject({ status: 'ended', result: { reason: 'aborted' } });
  const next = await make('ben');
  expect([next.status, sessionOf(next) === id]).toEqual([201, false]);
});

test('[S3a][H4] each refusal has its own code, in one order', async () => {
  const id = sessionOf(await make('ann', { matchType: 'private' }));
  const told = async (asked: Promise<Asked>) => {
    const { status, json } = await asked;
    return [status, json.error];
  };
  expect(await told(leave('ses_none', 'ann'))).toEqual([404, 'Session not found']);
  expect(await told(leave(id, 'ben'))).toEqual([404, 'Player not in session']);
  const strange = await http.makeKey(await http.makeTenant(), 'live');
  expect(await told(leave(id, 'ann', { key: strange }))).toEqual([404, 'Session not found']);
  await ask(`/v1/sessions/${id}/end`, { method: 'POST' });
  expect(await told(leave(id, 'ann'))).toEqual([409, 'Session is not pending']);
});

test('[S3a][H8] a repeat removes no other player', async () => {
  const id = sessionOf(await make(['ann', 'ben'], { ...four, matchType: 'private' }));
  const headers = { 'Idempotency-Key': 'l1' };
  const first = await leave(id, 'ben', { headers });
  const room = first.json.roomCode;
  const body = { roomCode: room, game: 'ludo', player: { id: 'ben' } };
  expect((await ask('/v1/sessions/join', { body })).status).toBe(200);
  const again = await leave(id, 'ben', { headers });
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  expect(again.json).toEqual(first.json);
  expect(idsOf(await view(id))).toEqual(['ann', 'ben']);
});

test('[S3a][S5] of many concurrent leaves and joins no player has two seats, and no seat is lost', async () => {
  const id = sessionOf(await make(['ann', 'ben', 'cid'], { ...four, matchType: 'private' }));
  const { roomCode } = (await view(id)).json;
  const join = (player: string) =>
    ask('/v1/sessions/join', { body: { roomCode, game: 'ludo', player: { id: player } } });
  await Promise.all([
    leave(id, 'ben'),
    leave(id, 'ben'),
    leave(id, 'cid'),
    ...Array.from({ length: 12 }, (_, n) => join(`p${n}`)),
  ]);
  const ids = idsOf(await view(id));
  expect(ids.length).toBe(4);
  expect(new Set(ids).size).toBe(4);
  expect(ids).toContain('ann');
  expect(ids).not.toContain('ben');
});

test("[S3a][I3a] the verdict of one who left is not shown for the seat's next player", async () => {
  const id = sessionOf(await make('ann', { ...four, matchType: 'private' }));
  const { roomCode } = (await view(id)).json;
  const join = (player: string, device = {}) =>
    ask('/v1/sessions/join', {
      body: { roomCode, game: 'ludo', player: { id: player }, ...device },
    });
  await join('ben', { platform: 'ios', integrityToken: 'x' });
  expect((await view(id)).json.integrity).not.toBeNull();
  const left = await leave(id, 'ben', { headers: { 'Idempotency-Key': 'd1' } });
  expect([left.json.integrity, left.json.integrityChecks]).toEqual([null, undefined]);
  await join('cid');
  const { json } = await view(id);
  expect([json.integrity, json.integrityChecks]).toEqual([null, undefined]);
  const told = await ask(`/v1/events?sessionId=${id}&types=integrity.checked`);
  expect(told.json.data.length).toBeLessThanOrEqual(1);
});

test('[S3a][E1] events name the player who had the seat when they were written', async () => {
  const id = sessionOf(await make('ann', { ...four, matchType: 'private' }));
  const { roomCode } = (await view(id)).json;
  const join = (player: string) =>
    ask('/v1/sessions/join', { body: { roomCode, game: 'ludo', player: { id: player } } });
  await join('ben');
  await leave(id, 'ben');
  await join('cid');
  const { json } = await ask(`/v1/events?sessionId=${id}`);
  const told = json.data.map((each: { type: string; data: { playerId?: string } }) => [
    each.type,
    each.data.playerId,
  ]);
  expect(told).toEqual([
    ['session.created', undefined],
    ['player.joined', 'ben'],
    ['player.left', 'ben'],
    ['player.joined', 'cid'],
  ]);
});
