/** A lobby that was disconnected while matches ended, with a simulated server. */

import { expect, test } from 'bun:test';
import {
  type ClientWorld,
  enter,
  makeClientWorld,
  START,
  STATE,
  WELCOME,
} from '../../../src/testing/sockets/client-world.ts';

/** A lobby that reconnected, whose sessions are no longer in the server's list. */
function comeBack(world: ClientWorld): void {
  world.hangUp(1006);
  world.pass(1_000);
  world.say({ ...WELCOME, sessions: [] });
  world.say({ t: 'pong', n: world.sentOf('ping')[0]!['n'], now: new Date(START).toISOString() });
}

const ENDED = { ...STATE, v: 9, prev: 9, status: 'ended', turn: null, result: { winner: null } };

test('[P2][P4] a match that ended meanwhile is requested, and its command is answered', () => {
  const world = makeClientWorld(['t']);
  enter(world);
  const id = world.act('s1', { position: 0 });
  comeBack(world);
  expect(world.sentOf('hello')).toEqual([{ t: 'hello', resume: { s1: 0 } }]);
  world.say(ENDED);
  expect(world.connection.sessions.get('s1')).toMatchObject({ status: 'ended', turn: null });
  expect(world.sentOf('act')).toHaveLength(1);
  world.say({ t: 'ack', s: 's1', id, v: 4 });
  expect(world.connection.sending).toEqual([]);
  comeBack(world);
  expect(world.sentOf('hello')).toEqual([]);
});

test('[P2] a session that is over for this client is requested only while something waits for it', () => {
  const world = makeClientWorld(['t']);
  enter(world);
  world.say(ENDED);
  world.connection.askReplay('s1', 'r1');
  comeBack(world);
  expect(world.sentOf('hello')).toHaveLength(1);
  world.say(ENDED);
  expect(world.sentOf('replay')).toHaveLength(1);
});

test('[P2][P7] a session that no longer exists is over, and what waits for it is refused', () => {
  const world = makeClientWorld(['t']);
  enter(world);
  const id = world.act('s1', { position: 0 });
  world.connection.askReplay('s1', 'r1');
  comeBack(world);
  const code = 'unknown_session';
  world.say({ t: 'reject', s: 's1', id: null, code, error: 'Long over' });
  const view = world.connection.sessions.get('s1');
  expect(view).toMatchObject({ status: 'ended', turn: null, deadline: null, result: null });
  expect(world.events.slice(-2)).toMatchObject([
    { kind: 'rejected', command: { id }, code },
    { kind: 'replayRefused', id: 'r1', code },
  ]);
  expect(world.connection.sending).toEqual([]);
});

test.each([
  { t: 'emote', s: 's1', emote: 'clap' },
  { t: 'sync', s: 's1' },
  { t: 'in', s: 's1', from: 5, masks: [0] },
] as const)('[P4] nothing is sent to a session before it is shown: %j', (message) => {
  const world = makeClientWorld(['t']);
  enter(world);
  const id = world.act('s1', { position: 0 });
  comeBack(world);
  expect(world.connection.transmit(message)).toBe(false);
  expect(world.sentOf(message.t)).toEqual([]);
  world.say(ENDED);
  expect(world.connection.transmit(message)).toBe(true);
  // A refusal now does not answer `hello`: the command waits for its own answer.
  const error = 'This socket does not show that session';
  world.say({ t: 'reject', s: 's1', id: null, code: 'unknown_session', error });
  expect(world.connection.sending.map((each) => each.id)).toEqual([id]);
  expect(world.connection.sessions.get('s1')!.result).not.toBeNull();
});

test('[P5] of many missed sessions a few are requested at a time', () => {
  const world = makeClientWorld(['t']);
  const ids = Array.from({ length: 20 }, (_, n) => `s${n}`);
  world.say({ ...WELCOME, sessions: ids });
  for (const s of ids) world.say({ ...STATE, s });
  comeBack(world);
  const asked = (): string[] => Object.keys(world.sentOf('hello').at(-1)!['resume'] as object);
  expect(asked()).toEqual(ids.slice(0, 16));
  for (const s of asked()) world.say({ ...ENDED, s });
  world.pass(25_000);
  const ping = world.sentOf('ping').at(-1)!;
  world.say({ t: 'pong', n: ping['n'], now: new Date(START).toISOString() });
  expect(asked()).toEqual(ids.slice(16));
});

test('[P4] a request for a session that was never shown is answered, or refused as unknown', () => {
  const world = makeClientWorld(['t']);
  world.connection.askReplay('old', 'r1');
  world.say({ ...WELCOME, sessions: [] });
  const pong = { t: 'pong', n: 1, now: new Date(START).toISOString() };
  world.say(pong);
  expect(world.sentOf('hello')).toEqual([{ t: 'hello', resume: { old: 0 } }]);
  world.say({ ...ENDED, s: 'old' });
  expect(world.sentOf('replay')).toEqual([{ t: 'replay', s: 'old', id: 'r1' }]);
  // On an open connection at once, and once.
  world.act('none', {});
  world.act('none', {});
  expect(world.sentOf('hello').slice(1)).toEqual([{ t: 'hello', resume: { none: 0 } }]);
  world.say({ t: 'reject', s: 'none', id: null, code: 'unknown_session', error: '' });
  expect(world.events.slice(-2)).toMatchObject([
    { kind: 'rejected', command: { s: 'none' }, code: 'unknown_session' },
    { kind: 'rejected', command: { s: 'none' }, code: 'unknown_session' },
  ]);
  expect(world.connection.sending).toEqual([]);
});

test('[P4] a listed session, whose state is sent anyway, is not requested', () => {
  const world = makeClientWorld(['t']);
  world.say(WELCOME);
  world.act('s1', { position: 0 });
  world.say(STATE);
  world.say({ t: 'pong', n: 1, now: new Date(START).toISOString() });
  expect([world.sentOf('hello'), world.sentOf('act')]).toMatchObject([[], [{ s: 's1' }]]);
});
