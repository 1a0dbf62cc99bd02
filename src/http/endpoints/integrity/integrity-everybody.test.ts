/**
 * Devices of players who join by code, by a lobby or by a ticket are checked like those of a
 * create.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { hash } from 'node:crypto';
import type { EventView } from '../../../events/render.ts';
import type { Asked } from '../../../testing/service/asking.ts';
import {
  type DeviceTenant,
  type DeviceWorld,
  openDeviceWorld,
} from '../../../testing/service/device-world.ts';
import {
  type HostedAsking,
  makeHostedAsking,
  presenceOf,
} from '../../../testing/service/hosted-asking.ts';

const MINUTE_MS = 60_000;

let world: DeviceWorld;
let acme: DeviceTenant;
let hosted: HostedAsking;

beforeAll(async () => {
  world = await openDeviceWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  acme = await world.makeTenant();
  hosted = makeHostedAsking(acme.ask, connect);
});

const connect = (player: string) =>
  world.http.store.setPresence(presenceOf(acme.tenant.id, 'test', player));
const deviceOf = (integrityToken = world.mint()) => ({ platform: 'android', integrityToken });
const bindTo = (text: string) => world.mint({ requestHash: hash('sha256', text, 'base64url') });

/** A private room of ann's, whose device is not checked. */
async function room(): Promise<{ readonly sessionId: string; readonly roomCode: string }> {
  const body = { game: 'tictactoe', matchType: 'private', players: [{ id: 'ann' }] };
  return (await acme.ask('/v1/sessions', { body })).json;
}

const join = (roomCode: string, id: string, device: object = {}, headers = {}) =>
  acme.ask('/v1/sessions/join', {
    body: { game: 'tictactoe', roomCode, player: { id }, ...device },
    headers,
  });
const lobby = (id: string, body: object = {}, headers = {}) =>
  acme.ask(`/v1/players/${id}/token`, { body, headers });
const add = (ticket: string, playerId: string, device: object = {}, headers = {}) =>
  hosted.add(ticket, playerId, { body: { playerId, ...device }, headers });

async function checkEvents(): Promise<readonly EventView[]> {
  const { json } = await acme.ask('/v1/events?types=integrity.checked');
  return json.data;
}

/** The checked players, and their verdicts. */
const checksOf = ({ json }: Asked): readonly string[] =>
  (json.integrityChecks ?? []).map(
    (check: { playerId: string; status: string; rooted: boolean }) =>
      `${check.playerId} ${check.status}${check.rooted ? ', rooted' : ''}`,
  );

describe('a player who joins by code', () => {
  test('[I3b][S3] is checked, and the verdict is that of their seat', async () => {
    const { sessionId, roomCode } = await room();
    const joined = await join(roomCode, 'ben', deviceOf(world.mint({ labels: [] })));
    expect(joined.status).toBe(200);
    expect(joined.json.integrity).toMatchObject({ status: 'failed', rooted: true });
    const shown = await acme.ask(`/v1/sessions/${sessionId}`);
    expect(checksOf(shown)).toEqual(['ben failed, rooted']);
    expect(shown.json.integrity).toEqual(joined.json.integrity);
    const told = await checkEvents();
    expect(told.map(({ sessionId: about, data }) => [about, data['playerId']])).toEqual([
      [sessionId, 'ben'],
    ]);
  });

  test('[I3b] without a platform nothing is checked', async () => {
    const { sessionId, roomCode } = await room();
    const { json } = await join(roomCode, 'ben', { integrityToken: world.mint() });
    expect(json.integrity).toBeNull();
    const shown = await acme.ask(`/v1/sessions/${sessionId}`);
    expect(shown.json).not.toHaveProperty('integrityChecks');
    expect(await checkEvents()).toEqual([]);
  });

  test('[I3b] a token is bound to the join by game, player and room code', async () => {
    const { roomCode } = await room();
    const text = `{"game":"tictactoe","player":"ben","roomCode":"${roomCode}"}`;
    const spelled = ` ${roomCode.toLowerCase()} `;
    const { json } = await join(spelled, 'ben', deviceOf(bindTo(text)));
    expect(json.integrity).toMatchObject({ status: 'passed', bound: 'request' });
    const other = await room();
    const moved = await join(other.roomCode, 'ben', deviceOf(bindTo(text)));
    expect(moved.json.integrity).toMatchObject({ bound: 'none' });
  });

  test('[I3b][I4] a failed join returns its finding to its own repeat only', async () => {
    const { roomCode } = await room();
    const device = deviceOf();
    const { service } = world.http;
    const { join: working } = service;
    Object.assign(service, { join: () => Promise.reject(new Error('the disk is gone')) });
    const failed = await join(roomCode, 'ben', device);
    Object.assign(service, { join: working });
    expect(failed.status).toBe(500);
    const { decode } = world.google.calls;
    const other = await room();
    const stolen = await join(other.roomCode, 'ben', device);
    expect(stolen.json.integrity.reasons).toEqual(['token_replayed']);
    expect((await join(roomCode, 'ben', device)).json.integrity.status).toBe('passed');
    expect(world.google.calls.decode).toBe(decode);
  });

  test('[I3b][H8] a repeat asks Google nothing and shows the same verdict', async () => {
    const { sessionId, roomCode } = await room();
    const device = deviceOf();
    const first = await join(roomCode, 'ben', device, { 'idempotency-key': 'j' });
    const { decode } = world.google.calls;
    const again = await join(roomCode, 'ben', device, { 'idempotency-key': 'j' });
    expect(again.json.integrity).toEqual(first.json.integrity);
    expect(world.google.calls.decode).toBe(decode);
    expect(checksOf(await acme.ask(`/v1/sessions/${sessionId}`))).toEqual(['ben passed']);
  });

  test('[I3b] the verdict is in the responses of a create, too, and in the export of its player', async () => {
    const first = await acme.create('android', world.mint(), {
      matchType: 'private',
      players: [{ id: 'ann' }],
    });
    const joined = await join(first.json.roomCode, 'ben', deviceOf(world.mint({ labels: [] })));
    expect(checksOf(joined)).toEqual(['ann passed', 'ben failed, rooted']);
    expect(joined.json.integrity.status).toBe('failed');
    const shown = await acme.ask(`/v1/sessions/${first.json.sessionId}`);
    expect(shown.json.integrity).toEqual(first.json.integrity);
    const held = await acme.ask('/v1/players/ben/export');
    expect(held.json.sessions[0].integrity).toEqual(joined.json.integrity);
  });
});

describe('a player who is added to a ticket', () => {
  test('[I3c][M2] is checked, and the verdict goes into the match', async () => {
    const ticket = await hosted.ticket();
    for (const id of ['ann', 'ben']) await connect(id);
    const ann = await add(ticket, 'ann', deviceOf());
    const ben = await add(ticket, 'ben', deviceOf(world.mint({ labels: [] })));
    expect([ann.json.result, ann.json.integrity.status]).toEqual(['ok', 'passed']);
    expect([ben.json.result, ben.json.integrity.status]).toEqual(['ok', 'failed']);
    const shown = (await hosted.call('GET', `/ticket/${ticket}`)).json;
    expect(shown.players).toEqual([
      { id: 'ann', displayName: null, integrity: ann.json.integrity },
      { id: 'ben', displayName: null, integrity: ben.json.integrity },
    ]);
    const started = await hosted.start([await hosted.promote(ticket)]);
    const both = ['ann passed', 'ben failed, rooted'];
    expect(checksOf(started)).toEqual(both);
    const { sessionId } = started.json;
    expect(checksOf(await acme.ask(`/v1/sessions/${sessionId}`))).toEqual(both);
    const told = await checkEvents();
    expect(
      told.map(({ sessionId: about, data }) => [about, data['playerId'], data['status']]),
    ).toEqual([
      [sessionId, 'ann', 'passed'],
      [sessionId, 'ben', 'failed'],
    ]);
  });

  test('[I3c][M2] without a device the response and the players are as before', async () => {
    const group = await hosted.group('ann', 'ben');
    const { json } = await hosted.pool();
    expect(json.groups[0].players[0]).toEqual({ id: 'ann', displayName: null });
    const started = await hosted.start([group]);
    expect(started.json.integrity).toBeNull();
    expect(started.json).not.toHaveProperty('integrityChecks');
  });

  test('[I3c] a token is bound to the add by game, player and ticket', async () => {
    const ticket = await hosted.ticket();
    await connect('ann');
    const text = `{"game":"tictactoe","player":"ann","ticket":"${ticket}"}`;
    const { json } = await add(ticket, 'ann', deviceOf(bindTo(text)));
    expect(json.integrity).toMatchObject({ status: 'passed', bound: 'request' });
  });

  test('[I3c][I4] an add before the player is connected returns its finding to its repeat', async () => {
    const ticket = await hosted.ticket();
    const device = deviceOf();
    for (let tries = 0; tries < 3; tries++) {
      expect((await add(ticket, 'cat', device)).status).toBe(409);
    }
    const { decode } = world.google.calls;
    await connect('cat');
    expect((await add(ticket, 'cat', device)).json.integrity.status).toBe('passed');
    expect(world.google.calls.decode).toBe(decode);
  });

  test('[I3c][M2] a repeated add does not change the verdict', async () => {
    const ticket = await hosted.ticket();
    await connect('ann');
    const first = await add(ticket, 'ann', deviceOf());
    const again = await add(ticket, 'ann', deviceOf(world.mint({ labels: [] })));
    expect([again.status, again.json.integrity.status]).toEqual([200, 'failed']);
    const { json } = await hosted.call('GET', `/ticket/${ticket}`);
    expect(json.players[0].integrity).toEqual(first.json.integrity);
  });
});

describe('a player who requests a lobby', () => {
  test('[I3d][P1] is checked, and the verdict is in the answer and the export', async () => {
    const { status, json } = await lobby('ann', deviceOf(world.mint({ labels: [] })));
    expect([status, json.integrity.status]).toEqual([201, 'failed']);
    const held = await acme.ask('/v1/players/ann/export');
    expect(held.json.integrity).toEqual([{ mode: 'test', ...json.integrity }]);
    expect((await lobby('ann')).json).not.toHaveProperty('integrity');
    const newest = await lobby('ann', deviceOf());
    const now = await acme.ask('/v1/players/ann/export');
    expect(now.json.integrity).toEqual([{ mode: 'test', ...newest.json.integrity }]);
  });

  test('[I3d] an add without a device takes the newest verdict of the last hour', async () => {
    await connect('ann');
    await connect('ben');
    await lobby('ann', deviceOf());
    await lobby('ben', deviceOf());
    const ben = await lobby('ben', deviceOf(world.mint({ labels: [] })));
    world.http.clock.advance(59 * MINUTE_MS);
    const started = await hosted.start([await hosted.group('ann', 'ben')]);
    expect(checksOf(started)).toEqual(['ann passed', 'ben failed, rooted']);
    expect(started.json.integrityChecks[1]).toEqual({ playerId: 'ben', ...ben.json.integrity });
  });

  test('[I3d] a verdict that is an hour old, or of the other mode, is not taken', async () => {
    await lobby('ann', deviceOf());
    await acme.live('/v1/players/ben/token', { body: deviceOf() });
    world.http.clock.advance(60 * MINUTE_MS);
    await acme.live('/v1/players/ben/token', { body: deviceOf() });
    const started = await hosted.start([await hosted.group('ann', 'ben')]);
    expect(started.json).not.toHaveProperty('integrityChecks');
  });

  test('[I3d] the verdict of an add takes precedence over that of the lobby', async () => {
    await lobby('ann', deviceOf());
    const ticket = await hosted.ticket();
    await connect('ann');
    await add(ticket, 'ann', deviceOf(world.mint({ labels: [] })));
    const { json } = await hosted.call('GET', `/ticket/${ticket}`);
    expect(json.players[0].integrity.status).toBe('failed');
  });

  test('[I3d] a token is bound to the lobby by its player', async () => {
    const bound = await lobby('ann', deviceOf(bindTo('{"player":"ann"}')));
    expect(bound.json.integrity.bound).toBe('request');
    const other = await lobby('ben', deviceOf(bindTo('{"player":"ann"}')));
    expect(other.json.integrity.bound).toBe('none');
  });

  test('[I3d][H8] a repeat gets another token, the same verdict, and asks Google nothing', async () => {
    const body = { displayName: 'Ann', ...deviceOf() };
    const first = await lobby('ann', body, { 'idempotency-key': 'l' });
    const { decode } = world.google.calls;
    const again = await lobby('ann', body, { 'idempotency-key': 'l' });
    expect(again.json.integrity).toEqual(first.json.integrity);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(world.google.calls.decode).toBe(decode);
    // The player has that name already: the device is checked and stored all the same.
    const later = await lobby('ann', { displayName: 'Ann', ...deviceOf() });
    expect(later.json.integrity.status).toBe('passed');
  });

  test('[I3d][R2] an erasure removes the verdict of the lobby', async () => {
    await lobby('ann', deviceOf());
    expect((await acme.ask('/v1/players/ann', { method: 'DELETE' })).status).toBe(200);
    await lobby('ann', { displayName: 'Another' });
    expect((await acme.ask('/v1/players/ann/export')).json.integrity).toEqual([]);
    await connect('ann');
    const ticket = await hosted.ticket();
    await add(ticket, 'ann');
    const { json } = await hosted.call('GET', `/ticket/${ticket}`);
    expect(json.players[0]).not.toHaveProperty('integrity');
  });
});

describe('every call', () => {
  test('[I3b][I3c][I3d] an invalid platform or token is refused, and changes nothing', async () => {
    const { roomCode } = await room();
    const ticket = await hosted.ticket();
    await connect('ben');
    const calls = [
      (device: object) => join(roomCode, 'ben', device),
      (device: object) => lobby('ben', device),
      (device: object) => add(ticket, 'ben', device),
    ];
    for (const call of calls) {
      const refused = [
        await call({ platform: 'web' }),
        await call({ ...deviceOf(), integrityToken: 7 }),
      ];
      expect(refused.map(({ status, json }) => [status, json.error])).toEqual([
        [400, 'Invalid platform. Valid: android, ios'],
        [400, 'Invalid integrityToken'],
      ]);
      const fields = { platform: null, integrityToken: null };
      expect((await call(fields)).status).toBeLessThan(300);
    }
  });

  test('[I2][I3b][I3c][I3d] is not delayed by a failing provider', async () => {
    world.google.behave({ decode: { status: 503, body: '' } });
    const { roomCode } = await room();
    const ticket = await hosted.ticket();
    await connect('ben');
    const answers = [
      await join(roomCode, 'ben', deviceOf()),
      await lobby('ben', deviceOf()),
      await add(ticket, 'ben', deviceOf()),
    ];
    world.google.behave({ decode: 'well' });
    expect(answers.map(({ status, json }) => [status, json.integrity.status])).toEqual([
      [200, 'error'],
      [201, 'error'],
      [200, 'error'],
    ]);
  });

  test('[I3] stores nothing of the token', async () => {
    const { roomCode } = await room();
    const ticket = await hosted.ticket();
    await connect('ben');
    const tokens = [world.mint(), world.mint(), world.mint()];
    await join(roomCode, 'ben', deviceOf(tokens[0]), { 'idempotency-key': 'a' });
    await lobby('ben', deviceOf(tokens[1]), { 'idempotency-key': 'b' });
    await add(ticket, 'ben', deviceOf(tokens[2]), { 'idempotency-key': 'c' });
    const logged = world.http.lines.map((line) => JSON.stringify(line));
    const texts = [...(await world.http.texts()), ...logged];
    for (const token of tokens) {
      expect(texts.some((text) => text.includes(token.slice(0, 40)))).toBe(false);
    }
  });
});
