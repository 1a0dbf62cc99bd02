/** Checkers from a player's side: real sockets, a real store, moves in their wire form. */

import { afterEach, expect } from 'bun:test';
import { makeRandom } from '../../../game/src/random.ts';
import { test } from '../../testing/sockets/both-protocols.ts';
import { openSocketWorld, type SocketWorld } from '../../testing/sockets/socket-world.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';

let world: SocketWorld;
afterEach(() => world.close());

async function start() {
  world = await openSocketWorld();
  const { id, clients } = await world.startMatch(await world.makeIssuer(), { game: 'checkers' });
  const act = async (seat: number, n: number, action: object) => {
    clients[seat]!.send({ t: 'act', s: id, id: `${n}`, action });
    const answer = await clients[seat]!.next('ack', 'reject');
    if (answer.t === 'reject') return answer;
    await clients[1 - seat]!.next('update');
    return clients[seat]!.next('update');
  };
  return { id, clients, act };
}

test('[G-CHK] moves, a mandatory capture, and refusals on the wire', async () => {
  const { act } = await start();
  expect(await act(0, 1, { from: 42, to: 35 })).toMatchObject({ t: 'update', turn: 1 });
  expect(await act(1, 2, { from: 42, to: 35 })).toMatchObject({ code: 'illegal_move' });
  expect(await act(0, 3, { from: 44, to: 37 })).toMatchObject({ code: 'not_your_turn' });
  expect(await act(1, 3, { from: 100, to: 37 })).toMatchObject({ code: 'bad_action' });
  expect(await act(1, 4, { from: 21, to: 28 })).toMatchObject({
    legal: [{ from: 35, to: 21 }],
    view: { mustCapture: true },
  });
  expect(await act(0, 5, { from: 46, to: 37 })).toMatchObject({
    code: 'illegal_move',
    error: 'The piece on cell 46 cannot capture, and another one has to',
  });
});

test('[G-CHK][E4] a draw that is offered and accepted ends the game', async () => {
  const { id, clients, act } = await start();
  await act(0, 1, { from: 42, to: 35 });
  clients[0].send({ t: 'draw', s: id, id: 'd', do: 'offer' });
  await clients[1].next('update');
  clients[1].send({ t: 'draw', s: id, id: 'e', do: 'accept' });
  const { result } = await clients[0].next('over');
  expect(result).toMatchObject({ winner: null, reason: 'draw_agreed' });
});

test(`[G-CHK] a random game is shown to both players to its end (seed ${TEST_SEED})`, async () => {
  const { id, clients, act } = await start();
  const random = makeRandom(`${TEST_SEED}`, () => 'checkers sockets', 0);
  let legal: readonly object[] = [{ from: 42, to: 35 }];
  let seat = 0;
  for (let n = 0; legal.length > 0; n += 1) {
    const update = await act(seat, n, legal[random.integer(legal.length)]!);
    if (update.t !== 'update') throw new Error(JSON.stringify(update));
    legal = (update.legal ?? []) as readonly object[];
    seat = 1 - seat;
  }
  for (const client of clients) {
    const { result } = await client.next('over');
    expect(['no_pieces', 'no_moves', 'repetition', 'no_progress']).toContain(result.reason);
  }
  expect(await world.kindsOf(id)).toContain('ended');
});
