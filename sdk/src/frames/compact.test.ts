/** `matchd.v2` in the player's client, with a simulated server that speaks it. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  at,
  type ClientWorld,
  makeClientWorld,
  START,
  STATE,
  WELCOME,
} from '../../../src/testing/sockets/client-world.ts';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import { type Numbers, parseServerFrames } from './compact.ts';

const LEGAL = [{ position: 0 }, { position: 1 }];
const NUMBERED = { ...STATE, view: { board: [null, null] }, legal: LEGAL, base: START, n: 0 };

function open(): ClientWorld {
  const world = makeClientWorld(['t.1']);
  world.say(WELCOME);
  world.say(NUMBERED);
  return world;
}

const viewOf = (world: ClientWorld) => world.connection.sessions.get('s1')!;

test('[P12] a command is sent in short form, and its update acknowledges it and shows it', () => {
  const world = open();
  const id = world.act('s1', { position: 0 });
  expect(world.socket().sent.at(-1)).toEqual([0, id, { position: 0 }] as never);
  world.say([0, 4, 1_000, 0, { position: 0 }, 1, 61_000, { board: [0, 1, 'X'] }, [0, 1], id]);
  const news = world.events.slice(-2);
  expect(news).toMatchObject([
    { kind: 'acked', v: 4, command: { id } },
    { kind: 'session', cause: { t: 'update', v: 4, prev: 3, at: at(1_000) } },
  ]);
  expect(viewOf(world)).toMatchObject({
    v: 4,
    turn: 1,
    deadline: START + 61_000,
    view: { board: ['X', null] },
    legal: [{ position: 1 }],
    lastMove: { v: 4, seat: 0, action: { position: 0 } },
  });
  expect(world.connection.sending).toEqual([]);
});

test('[P12] a change relative to an unseen frame is refused: the whole state is requested', () => {
  const world = open();
  world.say([0, 5, 1_000, 0, { position: 0 }, 1, 61_000, { board: [0, 1, 'X'] }, [0, 1]]);
  expect(viewOf(world)).toMatchObject({ v: 3, view: { board: [null, null] } });
  expect(world.sentOf('sync')).toHaveLength(1);
  // A change that was shown before has no effect, but still acknowledges.
  const id = world.act('s1', { position: 1 });
  world.say([0, 3, 500, 0, { position: 1 }, 1, null, { board: [1, 1, 'X'] }, {}, id]);
  expect(viewOf(world)).toMatchObject({ v: 3, view: { board: [null, null] } });
  expect(world.connection.sending).toEqual([]);
  expect(world.sentOf('sync')).toHaveLength(1);
});

test('[P12] frames of matchd.v1 are part of the chain: fields they leave out stay', () => {
  const world = open();
  const presence = { t: 'presence', s: 's1', v: 4, prev: 3, seat: 1, connected: false };
  world.say({ ...presence, deadline: at(60_000) });
  const clock = [[59_000, 60_000], 1, 61_500];
  world.say([0, 5, 1_000, 0, { position: 1 }, 1, null, { board: [1, 1, 'X'] }, {}, clock]);
  expect(viewOf(world)).toMatchObject({
    v: 5,
    view: { board: [null, 'X'] },
    legal: LEGAL,
    deadline: null,
    clock: { remainingMs: [59_000, 60_000], running: 1, flagsAt: at(61_500) },
  });
  world.say([0, 'over', 6, 2_000, 'forfeit', [1], [2, 1], 2_000, 1, { by: 'x' }]);
  expect(viewOf(world)).toMatchObject({
    status: 'ended',
    result: {
      by: 'x',
      winner: 'bea',
      winners: ['bea'],
      reason: 'forfeit',
      moveCount: 1,
      placements: [
        { playerId: 'bea', seat: 1, isBot: false, place: 1 },
        { playerId: 'ada', seat: 0, isBot: false, place: 2 },
      ],
    },
  });
});

test('[P12] where the server speaks matchd.v1 so does the client', () => {
  const world = makeClientWorld(['t.1']);
  world.say(WELCOME);
  world.say(STATE);
  const id = world.act('s1', { position: 0 });
  expect(world.socket().sent.at(-1)).toEqual({ t: 'act', s: 's1', id, action: { position: 0 } });
  // A number belongs to its socket.
  const other = open();
  other.hangUp(1006);
  other.pass(1_000);
  other.say(WELCOME);
  other.say(STATE);
  other.act('s1', { position: 0 });
  expect(other.sentOf('act')).toHaveLength(1);
});

test(`[P12] no input makes it throw (seed ${TEST_SEED})`, () => {
  const n = fc.constantFrom<unknown>(0, 0, 0, 1, '0', null);
  const update = fc.tuple(n, fc.nat(9), fc.nat(), fc.nat(3), fc.jsonValue(), fc.nat(3), fc.nat());
  const lists = fc.oneof(
    fc
      .tuple(update, fc.jsonValue(), fc.jsonValue(), fc.array(fc.jsonValue()))
      .map(([head, view, legal, tail]) => [...head, view, legal, ...tail]),
    fc.tuple(n, fc.constantFrom('over', 'ticks', 'state'), fc.jsonValue(), fc.jsonValue()),
    fc.array(fc.jsonValue()),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.array(lists), (frames) => {
      const numbers: Numbers = new Map();
      parseServerFrames(numbers, JSON.stringify(NUMBERED));
      for (const frame of frames) parseServerFrames(numbers, JSON.stringify(frame));
      expect(numbers.size).toBe(1);
    }),
    { seed: TEST_SEED },
  );
});
