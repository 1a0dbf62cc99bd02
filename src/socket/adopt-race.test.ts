/** A lobby may find a session in the store before its creator has adopted it in memory. */

import { afterEach, expect } from 'bun:test';
import { test } from '../testing/sockets/both-protocols.ts';
import { openSocketWorld, type SocketWorld, until } from '../testing/sockets/socket-world.ts';

let world: SocketWorld;
afterEach(() => world.close());

/** Delays the creator between the commit and the adoption, while `run` runs. */
function holdMaker(run: () => Promise<void>): void {
  const { createSession } = world.store;
  world.store.createSession = async (session) => {
    const outcome = await createSession(session);
    await run();
    return outcome;
  };
}

test('[P1] a lobby that finds a session before its creator adopts it shows it all the same', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  holdMaker(async () => {
    const ann = await world.open({ token: world.lobbyToken(issuer, 'ann') });
    await ann.next('state');
  });
  const id = await world.makeSession(issuer);
  expect(await world.isConnected(id, 0)).toBe(true);
  const bob = await world.enter(issuer, id, 'bob');
  expect(bob.frames.at(-1)).toMatchObject({ status: 'active' });
  expect((await world.match(id)).subscribers.length).toBe(2);
});

test('[P1] also while the creator is just reading it', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { loadSession } = world.store;
  let goOn = (): void => {};
  const isHeld = new Promise<void>((resolve) => {
    let reads = 0;
    world.store.loadSession = async (id) => {
      const stored = await loadSession(id);
      reads += 1;
      // The first read is the lobby's; the second loads the session into memory.
      if (reads !== 2) return stored;
      resolve();
      await new Promise<void>((go) => {
        goOn = go;
      });
      return stored;
    };
  });
  let lobby: Promise<unknown> = Promise.resolve();
  holdMaker(async () => {
    const ann = await world.open({ token: world.lobbyToken(issuer, 'ann') });
    lobby = ann.next('state');
    await isHeld;
  });
  const id = await world.makeSession(issuer);
  const bob = await world.enter(issuer, id, 'bob');
  goOn();
  await lobby;
  await until(() => world.isConnected(id, 0));
  expect((await world.match(id)).phase).not.toBe('asleep');
  await until(() => bob.frames.some((frame) => frame.t === 'state' && frame.status === 'active'));
  expect((await world.match(id)).subscribers.length).toBe(2);
});

test('[P6] a player who is connecting when the service stops is dropped by it and has ten seconds', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const session = { players: ['ann', 'bob'], options: { disconnectGraceMs: 0 } };
  const id = await world.makeSession(issuer, session);
  await world.enter(issuer, id, 'bob');
  const { commit } = world.store;
  const slow = Promise.withResolvers<void>();
  let asked = 0;
  world.store.commit = (wanted, done) => {
    asked += 1;
    commit(wanted, (outcome) => void slow.promise.then(() => done(outcome)));
  };
  void world.open({ token: world.sessionToken(issuer, id, 'ann') }).catch(() => undefined);
  await until(() => asked > 0);
  world.sockets.drain();
  await until(() => world.sockets.size() === 0);
  world.store.commit = commit;
  slow.resolve();
  const gone = async () =>
    (await world.logOf(id)).flatMap(({ record }) => (record.k === 'disconnected' ? [record] : []));
  await until(async () => (await gone()).length === 2);
  expect((await gone()).map(({ putAway }) => putAway)).toEqual([true, true]);
});
