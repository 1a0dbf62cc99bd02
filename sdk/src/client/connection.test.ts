/** The player's connection: with a simulated server and simulated time. */

import { describe, expect, test } from 'bun:test';
import {
  at,
  enter,
  makeClientWorld as makeWorld,
  START,
  STATE,
  UPDATE,
  WELCOME,
  type ClientWorld as World,
} from '../../../src/testing/sockets/client-world.ts';

describe('connecting', () => {
  test('[P2] the token travels as a second subprotocol and never in the address', () => {
    const world = makeWorld(['t.1']);
    expect(world.socket().protocols).toEqual(['matchd.v2', 'matchd.v1', 'token.t.1']);
  });

  test('[P2] without a token, or with one that no header can carry, no connection is tried', () => {
    expect(makeWorld([]).connection.status).toMatchObject({ reason: 'no_credential' });
    expect(makeWorld(['a b']).connection.status).toMatchObject({ reason: 'token_refused' });
  });

  test('[P2] after 4401 the next credential is tried, then the connection has failed', () => {
    const world = makeWorld(['resume', 'token']);
    world.hangUp(4401);
    expect(world.socket().protocols.at(-1)).toBe('token.token');
    world.hangUp(4401);
    const status = world.connection.status;
    expect(status).toEqual({ kind: 'failed', reason: 'token_refused', wasOpen: false });
  });

  test('[P2] a lost socket reconnects with the resume token of the welcome', () => {
    const world = makeWorld(['t.1']);
    enter(world);
    world.hangUp(1006);
    expect(world.connection.status).toMatchObject({ kind: 'waiting', cause: 'lost' });
    world.pass(400);
    expect(world.socket().protocols.at(-1)).toBe('token.r.1');
  });

  test('[P2] a pong renews the resume token', () => {
    const world = makeWorld(['t.1']);
    enter(world);
    world.say({ t: 'pong', n: 1, now: at(0), resumeToken: 'r.2' });
    expect(world.events).toContainEqual({ kind: 'credential', resumeToken: 'r.2' });
  });
});

describe('fresh tokens', () => {
  const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

  test('[P2] are requested when the others are refused, at most three times', async () => {
    let asked = 0;
    const world = makeWorld(['old'], () => {
      asked += 1;
      return Promise.resolve(`fresh.${asked}`);
    });
    world.hangUp(4401);
    await settled();
    expect(world.socket().protocols.at(-1)).toBe('token.fresh.1');
    world.hangUp(4401);
    await settled();
    expect(world.socket().protocols.at(-1)).toBe('token.fresh.2');
    world.hangUp(4401);
    expect(world.connection.status).toMatchObject({ kind: 'failed', reason: 'token_refused' });
  });

  test('[P2] that are not available yet are requested again, with growing delays', async () => {
    let asked = 0;
    const world = makeWorld([], () => {
      asked += 1;
      return asked < 3 ? Promise.reject(new Error('offline')) : Promise.resolve('fresh');
    });
    await settled();
    expect(world.connection.status).toMatchObject({ kind: 'waiting', attempt: 0 });
    world.pass(400);
    await settled();
    expect(world.connection.status).toMatchObject({ kind: 'waiting', attempt: 1 });
    world.pass(800);
    await settled();
    expect(world.socket().protocols.at(-1)).toBe('token.fresh');
  });

  test('[P2] that arrive after the connection was closed open nothing', async () => {
    let give: (token: string) => void = () => {};
    const world = makeWorld([], () => new Promise((resolve) => (give = resolve)));
    world.connection.close();
    give('late');
    await settled();
    expect(world.sockets).toHaveLength(0);
  });
});

describe('the chain of frames', () => {
  test('[P3] frames in sequence are shown, repeated ones are not', () => {
    const world = makeWorld(['t']);
    enter(world);
    world.say(UPDATE);
    world.say(UPDATE);
    expect(world.events.filter((event) => event.kind === 'session')).toHaveLength(2);
    expect(world.connection.sessions.get('s1')).toMatchObject({ v: 4, turn: 1 });
    expect(world.sentOf('sync')).toHaveLength(0);
  });

  test('[P3] a gap requests the whole state, once, and nothing is shown until it arrives', () => {
    const world = makeWorld(['t']);
    enter(world);
    world.say({ ...UPDATE, v: 6, prev: 5 });
    world.say({ ...UPDATE, v: 7, prev: 6 });
    expect(world.sentOf('sync')).toEqual([{ t: 'sync', s: 's1' }]);
    expect(world.connection.sessions.get('s1')!.v).toBe(3);
    world.say({ ...STATE, v: 7, prev: 7 });
    expect(world.connection.sessions.get('s1')!.v).toBe(7);
  });

  test('[P3] a second gap soon after the first was closed requests the state again', () => {
    const world = makeWorld(['t']);
    enter(world);
    world.say({ ...UPDATE, v: 6, prev: 5 });
    world.say({ ...STATE, v: 6, prev: 6 });
    world.say({ ...UPDATE, v: 9, prev: 8 });
    expect(world.sentOf('sync')).toHaveLength(2);
  });

  test('[P3] an ack is not part of the chain', () => {
    const world = makeWorld(['t']);
    enter(world);
    const id = world.act('s1', { position: 0 });
    world.say({ t: 'ack', s: 's1', id, v: 4, prev: 3 });
    world.say(UPDATE);
    expect(world.connection.sessions.get('s1')!.v).toBe(4);
    expect(world.sentOf('sync')).toHaveLength(0);
  });

  test('[P3] junk and frames of later protocol versions are ignored', () => {
    const world = makeWorld(['t']);
    enter(world);
    for (const data of ['', 'null', '[]', '{"t":"toString"}', '{"t":"new"}', '{"t":"update"}']) {
      world.socket().onmessage?.({ data });
    }
    expect(world.connection.status).toEqual({ kind: 'open' });
  });
});

describe('commands', () => {
  test('[P4] an unacknowledged command is sent again with its id on the next socket', () => {
    const world = makeWorld(['t']);
    enter(world);
    const id = world.act('s1', { position: 0 });
    world.hangUp(1006);
    world.pass(400);
    enter(world);
    expect(world.sentOf('act')).toEqual([{ t: 'act', s: 's1', id, action: { position: 0 } }]);
    world.say({ t: 'ack', s: 's1', id, v: 4 });
    expect(world.connection.sending).toHaveLength(0);
    world.hangUp(1006);
    world.pass(1_000);
    enter(world);
    expect(world.sentOf('act')).toHaveLength(0);
  });

  test('[P4] a command given while there is no socket waits for the state', () => {
    const world = makeWorld(['t']);
    enter(world);
    world.hangUp(1012);
    world.resign('s1');
    world.pass(200);
    world.say(WELCOME);
    expect(world.sentOf('resign')).toHaveLength(0);
    world.say(STATE);
    expect(world.sentOf('resign')).toHaveLength(1);
  });

  test('[P7] a refusal is reported with its code, and the command is removed', () => {
    const world = makeWorld(['t']);
    enter(world);
    const id = world.act('s1', { position: 0 });
    world.say({ t: 'reject', s: 's1', id, code: 'illegal_move', error: 'Position 0 is taken' });
    expect(world.events.at(-1)).toMatchObject({ kind: 'rejected', code: 'illegal_move' });
    expect(world.connection.sending).toHaveLength(0);
  });

  test('[P4] a command of unknown outcome is sent again with the same id', () => {
    const world = makeWorld(['t']);
    enter(world);
    const id = world.act('s1', { position: 0 });
    world.say({ t: 'reject', s: 's1', id, code: 'unavailable', error: '' });
    world.pass(1_000);
    expect(world.sentOf('act').map((frame) => frame['id'])).toEqual([id, id]);
  });

  test('[P4] a command without an answer is sent again on its socket until there is one', () => {
    const world = makeWorld(['t']);
    enter(world);
    world.say({ t: 'pong', n: 1, now: at(0) });
    const id = world.act('s1', { position: 0 });
    world.pass(7_900);
    expect(world.sentOf('act')).toHaveLength(1);
    world.pass(8_000);
    expect(world.sentOf('act').map((frame) => frame['id'])).toEqual([id, id]);
    world.say({ t: 'ack', s: 's1', id, v: 4 });
    world.pass(8_500);
    expect(world.sentOf('act')).toHaveLength(2);
  });

  test('[P4] a command refused for the moment is sent again once, not by two timers', () => {
    const world = makeWorld(['t']);
    enter(world);
    world.say({ t: 'pong', n: 1, now: at(0) });
    const id = world.act('s1', { position: 0 });
    world.pass(7_500);
    world.say({ t: 'reject', s: 's1', id, code: 'unavailable', error: '' });
    world.pass(2_000);
    expect(world.sentOf('act')).toHaveLength(2);
  });
});

describe('messages the server could not read', () => {
  const told = (world: World): object[] =>
    world.events.flatMap((event) => (event.kind === 'rejected' ? [event] : []));

  test('[P5] a value that no frame may carry is refused here, and never sent', () => {
    const world = makeWorld(['t']);
    world.say(WELCOME);
    world.say({ ...STATE, status: 'pending' });
    for (const value of ['x'.repeat(65), '', 'a\nb', '\ud800']) {
      world.connection.entropy('s1', value);
    }
    expect(world.sentOf('entropy')).toEqual([]);
    expect(told(world)).toMatchObject(Array(4).fill({ command: null, code: 'bad_action' }));
    world.connection.entropy('s1', 'ä'.repeat(64));
    expect(world.sentOf('entropy')).toHaveLength(1);
  });

  test('[P5] a command larger than a frame is refused here, at the exact limit', () => {
    const world = makeWorld(['t']);
    enter(world);
    const bare = JSON.stringify({ t: 'act', s: 's1', id: 'id-1', action: '' }).length;
    world.act('s1', `ä${'x'.repeat(16 * 1_024 - bare - 2)}`);
    expect(world.sentOf('act')).toHaveLength(1);
    const id = world.act('s1', `ä${'x'.repeat(16 * 1_024 - bare - 1)}`);
    expect(world.sentOf('act')).toHaveLength(1);
    expect(told(world)).toMatchObject([{ command: { id }, code: 'bad_action' }]);
    expect(world.connection.sending).toHaveLength(1);
  });

  test('[P4] a move is not refused because of an invalid frame beside it: it is sent again and answered', () => {
    const world = makeWorld(['t']);
    enter(world);
    const id = world.act('s1', { position: 0 });
    world.hangUp(4400);
    world.pass(400);
    enter(world);
    expect(world.sentOf('act')).toHaveLength(1);
    world.say({ t: 'ack', s: 's1', id, v: 4 });
    expect(told(world)).toEqual([]);
    expect(world.events.at(-1)).toMatchObject({ kind: 'acked', command: { id }, v: 4 });
  });

  test('[P5] a command in progress at two such closes is given up, one that waited is not', () => {
    const world = makeWorld(['t']);
    enter(world);
    const id = world.act('s1', 'junk');
    const waiting = world.act('s2', { position: 0 });
    for (let n = 0; n < 2; n += 1) {
      expect(told(world)).toEqual([]);
      world.hangUp(4400);
      world.pass(2_000);
      enter(world);
    }
    expect(told(world)).toMatchObject([{ command: { id }, code: 'bad_action' }]);
    expect(world.connection.sending.map((command) => command.id)).toEqual([waiting]);
    expect(world.sentOf('act')).toEqual([]);
  });
});

describe('disconnecting and reconnecting', () => {
  test('[P2] a replaced connection stays closed until it is told to reconnect', () => {
    const world = makeWorld(['t']);
    enter(world);
    world.hangUp(4409);
    world.pass(600_000);
    world.connection.wake();
    expect(world.connection.status).toEqual({ kind: 'replaced' });
    expect(world.sockets).toHaveLength(1);
    world.connection.reconnect();
    expect(world.sockets).toHaveLength(2);
  });

  test('[P5] delays grow while connections do not last, and are short again after one that did', () => {
    const world = makeWorld(['t']);
    const waits = [0, 1, 2, 3].map(() => {
      world.hangUp(1006);
      const { status } = world.connection;
      if (status.kind !== 'waiting') throw new Error(status.kind);
      const wait = status.retryAt;
      world.pass(7_000);
      return wait;
    });
    expect(new Set(waits).size).toBe(4);
    enter(world);
    world.say({ t: 'pong', n: 1, now: at(0) });
    world.pass(6_000);
    world.hangUp(1006);
    expect(world.connection.status).toMatchObject({ kind: 'waiting', attempt: 0 });
  });

  test('[P5] too fast and overloaded wait longer; a page that wakes does not shorten too fast', () => {
    const world = makeWorld(['t']);
    world.hangUp(4429);
    world.connection.wake();
    expect(world.sockets).toHaveLength(1);
    world.pass(5_000);
    expect(world.sockets).toHaveLength(2);
    world.hangUp(1013);
    expect(world.connection.status).toMatchObject({ kind: 'waiting', cause: 'overloaded' });
  });

  test('[P5] unreadable frames end the client after three closes in a row, with or without a welcome', () => {
    const world = makeWorld(['t']);
    for (let n = 0; n < 3; n += 1) {
      enter(world);
      world.hangUp(4400);
      if (n < 2) world.pass(2_000);
    }
    expect(world.connection.status).toMatchObject({ kind: 'failed', reason: 'protocol' });
  });

  test('[P5] an occasional unreadable frame ends nothing', () => {
    const world = makeWorld(['t']);
    for (let n = 0; n < 5; n += 1) {
      enter(world);
      world.say({ t: 'pong', n: n + 1, now: at(0) });
      world.pass(6_000);
      world.hangUp(4400);
      world.pass(400);
    }
    expect(world.connection.status.kind).toBe('connecting');
  });

  test('[P5] 4403 is final', () => {
    const world = makeWorld(['t']);
    world.hangUp(4403);
    expect(world.connection.status).toMatchObject({ kind: 'failed', reason: 'origin_refused' });
  });

  test('[P2] a socket without a welcome, and one without a pong, are given up', () => {
    const world = makeWorld(['t']);
    world.pass(10_000);
    expect(world.socket().closed || world.sockets.length > 1).toBe(true);
    world.pass(1_000);
    enter(world);
    world.say({ t: 'pong', n: 1, now: at(0) });
    world.pass(25_000);
    expect(world.sentOf('ping').map((frame) => frame['n'])).toEqual([1, 2]);
    world.pass(8_000);
    expect(world.connection.status.kind).toBe('waiting');
  });

  test('[P6] the server’s clock is read from pongs', () => {
    const world = makeWorld(['t']);
    enter(world);
    world.say({ t: 'pong', n: 1, now: at(10_000) });
    expect(world.connection.serverNow()).toBe(START + 10_000);
  });

  test('[P5] after 1012 it reconnects at once', () => {
    const world = makeWorld(['t']);
    enter(world);
    world.hangUp(1012);
    world.pass(200);
    expect(world.sockets).toHaveLength(2);
  });
});

describe('replays', () => {
  const DOCUMENT = { sessionId: 's1', game: 'tictactoe' };
  const asked = { t: 'replay', s: 's1', id: 'r1' };

  test('[P11] a replay is requested once the state has arrived, again on a new socket, and answered once', () => {
    const world = makeWorld(['t']);
    world.connection.askReplay('s1', 'r1');
    expect(world.sentOf('replay')).toEqual([]);
    enter(world);
    expect(world.sentOf('replay')).toEqual([asked]);
    world.hangUp(1006);
    world.pass(1_000);
    enter(world);
    expect(world.sentOf('replay')).toEqual([asked]);
    for (let n = 0; n < 2; n += 1) world.say({ ...asked, replay: DOCUMENT });
    expect(world.events.filter(({ kind }) => kind === 'replay')).toEqual([
      { kind: 'replay', s: 's1', id: 'r1', replay: DOCUMENT } as never,
    ]);
    world.hangUp(1006);
    world.pass(1_000);
    enter(world);
    expect(world.sentOf('replay')).toEqual([]);
  });

  test('[P11] a refusal of a replay affects no command', () => {
    const world = makeWorld(['t']);
    enter(world);
    world.connection.askReplay('s1', 'r1');
    world.say({ t: 'reject', s: 's1', id: 'r1', code: 'session_not_ended', error: 'It goes on' });
    expect(world.events.at(-1)).toMatchObject({ kind: 'replayRefused', code: 'session_not_ended' });
    world.say({ t: 'reject', s: 's1', id: 'r1', code: 'too_fast', error: '' });
    expect(world.events.at(-1)).toMatchObject({ kind: 'rejected', command: null });
  });

  test('[P11] the number of watchers is reported when it changes', () => {
    const world = makeWorld(['t']);
    enter(world);
    world.say({ t: 'pong', n: 1, now: at(0), watchers: 2 });
    world.say({ t: 'pong', n: 1, now: at(0), watchers: 2 });
    for (const watchers of [2, 3]) {
      world.pass(25_000);
      world.say({ t: 'pong', n: world.sentOf('ping').length, now: at(0), watchers });
    }
    const told = world.events.flatMap((event) => (event.kind === 'watchers' ? [event.count] : []));
    expect(told).toEqual([2, 3]);
  });
});
