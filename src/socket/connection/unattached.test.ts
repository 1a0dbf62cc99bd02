/** A socket is shown nothing of a session before it is attached to it. */

import { afterEach, expect } from 'bun:test';
import { test } from '../../testing/sockets/both-protocols.ts';
import { openFakeSocket } from '../../testing/sockets/fake-socket.ts';
import { openSocketWorld, type SocketWorld, until } from '../../testing/sockets/socket-world.ts';

let world: SocketWorld;
afterEach(() => world.close());

test('[P3][N3] no state is sent of a session to which the socket is not attached yet', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id } = await world.startMatch(issuer);
  const lobby = openFakeSocket(world.sockets, world.lobbyToken(issuer, 'ann'));
  await until(() => lobby.sent.some((text) => text.startsWith('{"t":"state"')));
  const { state } = lobby.data;
  const place = state.kind === 'open' ? state.places.get(id)! : null;
  const shown = lobby.sent.length;
  // As while another node's session is in memory here and about to be returned.
  place!.isAttached = false;
  lobby.receive({ t: 'sync', s: id });
  lobby.receive({ t: 'hello', resume: { [id]: 0 } });
  expect(lobby.sent.length).toBe(shown);
  place!.isAttached = true;
  lobby.receive({ t: 'sync', s: id });
  expect(lobby.sent.length).toBe(shown + 1);
  lobby.close(1000, '');
});
