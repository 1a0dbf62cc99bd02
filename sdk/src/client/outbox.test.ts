/** Commands of a player who has moved on elsewhere, with a simulated server. */

import { expect, test } from 'bun:test';
import type { ClientWorld } from '../../../src/testing/sockets/client-world.ts';
import {
  at,
  enter,
  makeClientWorld,
  STATE,
  UPDATE,
  WELCOME,
} from '../../../src/testing/sockets/client-world.ts';

const GONE_ON = { ...STATE, v: 9, prev: 9, view: { board: ['X'] } };

function comeBack(world: ClientWorld, state: object): void {
  world.hangUp(1006);
  world.pass(20_000);
  world.say(WELCOME);
  world.say(state);
}

const told = (world: ClientWorld): object[] =>
  world.events.filter(({ kind }) => kind === 'rejected' || kind === 'acked');
const reject = (world: ClientWorld, id: string, code: string): void =>
  world.say({ t: 'reject', s: 's1', id, code, error: '' });

test('[P4] a move decided on an outdated position is queried, never played', () => {
  const world = makeClientWorld(['t']);
  enter(world);
  const id = world.act('s1', { position: 0 });
  comeBack(world, GONE_ON);
  const question = { t: 'act', s: 's1', id, action: null };
  expect(world.sentOf('act')).toEqual([question]);
  reject(world, id, 'unavailable');
  world.pass(1_000);
  expect(world.sentOf('act')).toEqual([question, question]);
  reject(world, id, 'bad_action');
  expect(told(world)).toMatchObject([{ command: { id }, code: 'outdated' }]);
  expect(world.connection.sending).toEqual([]);
});

test('[P4] an accepted move is acknowledged with its first version, whatever came after it', () => {
  const world = makeClientWorld(['t']);
  enter(world);
  const id = world.act('s1', { position: 0 });
  comeBack(world, GONE_ON);
  reject(world, id, 'id_reused');
  expect(world.sentOf('act').at(-1)).toEqual({ t: 'act', s: 's1', id, action: { position: 0 } });
  // The connection breaks once more before the answer.
  comeBack(world, GONE_ON);
  expect(world.sentOf('act')).toEqual([{ t: 'act', s: 's1', id, action: { position: 0 } }]);
  world.say({ t: 'ack', s: 's1', id, v: 4 });
  expect(told(world)).toMatchObject([{ kind: 'acked', command: { id }, v: 4 }]);
});

test('[P4] so is a resignation; any other answer about it is passed on', () => {
  const world = makeClientWorld(['t']);
  enter(world);
  world.resign('s1');
  comeBack(world, { ...GONE_ON, status: 'ended' });
  expect(world.sentOf('resign')).toEqual([]);
  reject(world, String(world.sentOf('act')[0]!['id']), 'session_ended');
  expect(told(world)).toMatchObject([{ command: { t: 'resign' }, code: 'session_ended' }]);
});

test('[P4] positions are equal whatever the order of their fields, and a fight has none', () => {
  const world = makeClientWorld(['t']);
  world.say(WELCOME);
  world.say({ ...STATE, view: { board: [null], clue: { a: 1, b: [{ c: 2, d: 3 }] } } });
  const id = world.act('s1', { position: 0 });
  comeBack(world, { ...STATE, v: 9, view: { clue: { b: [{ d: 3, c: 2 }], a: 1 }, board: [null] } });
  expect(world.sentOf('act')).toEqual([{ t: 'act', s: 's1', id, action: { position: 0 } }]);
  world.say({ ...GONE_ON, ticks: { next: 7, at: null } });
  world.resign('s1');
  comeBack(world, { ...STATE, v: 10, ticks: { next: 9, at: null } });
  expect(world.sentOf('resign')).toHaveLength(1);
});

const QUESTION = { t: 'act', s: 's1', id: 'id-1', action: null };
const BUSY_MS = 1_000;
const UNANSWERED_MS = 8_000;

/** The connection holds meanwhile. */
function enterForLong(world: ClientWorld): void {
  enter(world);
  world.say({ t: 'pong', n: 1, now: at(0) });
}

test('[P4] so is a move refused for the moment, or not answered, whose position changed on the same socket', () => {
  for (const waitMs of [BUSY_MS, UNANSWERED_MS]) {
    const world = makeClientWorld(['t']);
    enterForLong(world);
    const id = world.act('s1', { position: 0 });
    if (waitMs === BUSY_MS) reject(world, id, 'busy');
    // It was played for them: it is another turn.
    world.say({ ...UPDATE, action: { missed: true } });
    world.pass(waitMs);
    expect(world.sentOf('act').slice(1)).toEqual([QUESTION]);
    reject(world, id, 'bad_action');
    expect(told(world)).toMatchObject([{ command: { id }, code: 'outdated' }]);
    world.pass(UNANSWERED_MS);
    expect(world.sentOf('act')).toHaveLength(2);
  }
});

test('[P4] a move accepted without an answer in time is acknowledged, though its own effect is shown', () => {
  const world = makeClientWorld(['t']);
  enterForLong(world);
  const id = world.act('s1', { position: 0 });
  world.say(UPDATE);
  world.pass(UNANSWERED_MS);
  reject(world, id, 'id_reused');
  expect(world.sentOf('act').slice(1)).toEqual([
    QUESTION,
    { ...QUESTION, action: { position: 0 } },
  ]);
  world.say({ t: 'ack', s: 's1', id, v: 4 });
  expect(told(world)).toMatchObject([{ kind: 'acked', command: { id }, v: 4 }]);
});

test('[P4] on the same socket a fight has no outdated position, and a warning does not outdate one', () => {
  const world = makeClientWorld(['t']);
  world.say(WELCOME);
  world.say({ ...STATE, ticks: { next: 7, at: null } });
  world.resign('s1');
  reject(world, 'id-1', 'busy');
  world.say({ ...GONE_ON, ticks: { next: 90, at: null } });
  world.pass(BUSY_MS);
  expect(world.sentOf('resign')).toHaveLength(2);
  const still = makeClientWorld(['t']);
  enter(still);
  const id = still.act('s1', { position: 0 });
  reject(still, id, 'unavailable');
  still.say({ t: 'presence', s: 's1', v: 4, prev: 3, seat: 1, connected: false, deadline: null });
  still.pass(BUSY_MS);
  const act = { ...QUESTION, action: { position: 0 } };
  expect(still.sentOf('act')).toEqual([act, act]);
});

test('[P2] a move made on reconnecting during the notice of a replacement is kept', () => {
  const world = makeClientWorld(['t']);
  enter(world);
  const before = world.act('s1', { position: 0 });
  let after = '';
  world.hear(({ kind }) => {
    if (kind !== 'status' || world.connection.status.kind !== 'replaced') return;
    expect(world.connection.sending).toEqual([]);
    world.connection.reconnect();
    after = world.act('s1', { position: 1 });
  });
  world.hangUp(4409);
  expect(told(world)).toMatchObject([{ command: { id: before }, code: 'replaced' }]);
  enter(world);
  expect(world.sentOf('act')).toMatchObject([{ id: after, action: { position: 1 } }]);
});

test('[P2] commands in progress when another window took over are given up, and later ones are refused', () => {
  const world = makeClientWorld(['t']);
  world.say(WELCOME);
  world.say({ ...STATE, status: 'pending' });
  world.connection.entropy('s1', 'luck');
  const id = world.act('s1', { position: 0 });
  world.hangUp(4409);
  expect(told(world)).toMatchObject([{ command: { id }, code: 'replaced' }]);
  world.resign('s1');
  expect(told(world)).toMatchObject([{}, { command: { t: 'resign' }, code: 'replaced' }]);
  world.connection.reconnect();
  world.say(WELCOME);
  world.say({ ...STATE, status: 'pending' });
  expect(world.socket().sent.map(({ t }) => t)).toEqual(['ping']);
  expect(world.connection.sending).toEqual([]);
});

test('[P4] a second move before the first is shown was decided on no position', () => {
  const world = makeClientWorld(['t']);
  enter(world);
  world.say({ t: 'ack', s: 's1', id: world.act('s1', { position: 0 }), v: 4 });
  world.hangUp(1006);
  const id = world.act('s1', { position: 1 });
  world.pass(1_000);
  world.say(WELCOME);
  world.say(GONE_ON);
  expect(world.sentOf('act')).toEqual([{ t: 'act', s: 's1', id, action: { position: 1 } }]);
});

test('[P4] of two commands sent one after the other the second is sent again when it was too fast', () => {
  const world = makeClientWorld(['t']);
  enter(world);
  world.say({ t: 'pong', n: 1, now: at(0) });
  const first = world.act('s1', { position: 0 });
  const second = world.act('s1', { position: 1 });
  // The effect of the first is no reason to give the second up.
  world.say(UPDATE);
  world.say({ t: 'ack', s: 's1', id: first, v: 4 });
  world.say({ t: 'reject', s: 's1', id: second, code: 'too_fast', error: 'Too fast' });
  world.pass(1_000);
  expect(world.sentOf('act').slice(2)).toMatchObject([{ id: second, action: { position: 1 } }]);
});
