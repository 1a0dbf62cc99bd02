/**
 * The queue from a player's side, over real sockets: waiting, being matched, beginning (rules S1,
 * S2).
 */

import { afterEach, expect } from 'bun:test';
import { drawSeats } from '../../match/seating.ts';
import { test } from '../../testing/sockets/both-protocols.ts';
import { openSocketWorld, type SocketWorld } from '../../testing/sockets/socket-world.ts';

let world: SocketWorld;
afterEach(() => world.close());

test('[S2] a waiting player is shown the newcomer, and both begin on the seats that were drawn', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const meet = (player: string) =>
    world.makeSession(issuer, { matchType: 'matchmaking', players: [player] });
  const id = await meet('ann');
  const ann = await world.open({ token: world.sessionToken(issuer, id, 'ann') });
  const waiting = await ann.next('state');
  expect(waiting).toMatchObject({ s: id, status: 'pending' });
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'bob') });
  await lobby.next('welcome');
  expect(await meet('bob')).toBe(id);
  const joined = await ann.next('state');
  expect(joined.players.map((player) => player.id).sort()).toEqual(['ann', 'bob']);
  // The lobby is notified of the session and connects its player: the match begins.
  const { seed } = (await world.match(id)).session.setup;
  const [first, second] = drawSeats(seed, 2);
  let shown = await lobby.next('state');
  while (shown.status !== 'active') shown = await lobby.next('state');
  expect(shown).toMatchObject({ s: id, seat: second });
  let begun = await ann.next('state');
  while (begun.status !== 'active') begun = await ann.next('state');
  expect(begun).toMatchObject({ seat: first, turn: 0 });
  expect(waiting.seat).toBe(first!);
});
