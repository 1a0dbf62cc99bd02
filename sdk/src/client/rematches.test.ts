/** What a client sends about a rematch: kept until answered, and reported whenever it changes. */

import { expect, test } from 'bun:test';
import { at, enter, makeClientWorld } from '../../../src/testing/sockets/client-world.ts';

const said = { t: 'rematch', s: 's1', id: 'r1', do: 'offer' } as const;
const news = {
  t: 'rematch',
  s: 's1',
  asked: [0],
  agreed: false,
  declined: null,
  here: [0, 1],
  until: at(600_000),
  next: null,
  refused: null,
  ratings: [[1500, 1510.5]],
};

test('[P13] an offer is sent once the state has arrived, again on a new socket, and is answered once', () => {
  const world = makeClientWorld(['t']);
  world.connection.sayRematch(said);
  expect(world.sentOf('rematch')).toEqual([]);
  enter(world);
  expect(world.sentOf('rematch')).toEqual([said]);
  world.hangUp(1006);
  world.pass(1_000);
  enter(world);
  expect(world.sentOf('rematch')).toEqual([said]);
  world.say({ ...news, id: 'r1' });
  const told = world.events.filter(({ kind }) => kind === 'rematch');
  expect(told).toMatchObject([
    { s: 's1', id: 'r1', rematch: { asked: [0], here: [0, 1], until: Date.parse(at(600_000)) } },
  ]);
  world.hangUp(1006);
  world.pass(1_000);
  enter(world);
  expect(world.sentOf('rematch')).toEqual([]);
});

test('[P13] a notice has no id, and unknown or missing fields of a later server do no harm', () => {
  const world = makeClientWorld(['t']);
  enter(world);
  world.say({ t: 'rematch', s: 's1', asked: [], here: [], tomorrow: true });
  expect(world.events.at(-1)).toEqual({
    kind: 'rematch',
    s: 's1',
    id: null,
    rematch: {
      asked: [],
      agreed: false,
      declined: null,
      here: [],
      until: null,
      next: null,
      refused: null,
      ratings: null,
    },
  });
});

test('[P13] a message that was too fast is repeated a little later, and a refusal is reported', () => {
  const world = makeClientWorld(['t']);
  enter(world);
  world.connection.sayRematch(said);
  const before = world.events.length;
  world.say({ t: 'reject', s: 's1', id: 'r1', code: 'too_fast', error: '' });
  expect(world.events).toHaveLength(before);
  world.pass(1_500);
  expect(world.sentOf('rematch')).toEqual([said, said]);
  world.say({ t: 'reject', s: 's1', id: 'r1', code: 'rematch_over', error: 'Over' });
  expect(world.events.at(-1)).toMatchObject({ kind: 'rematchRefused', code: 'rematch_over' });
  world.pass(5_000);
  expect(world.sentOf('rematch')).toHaveLength(2);
});
