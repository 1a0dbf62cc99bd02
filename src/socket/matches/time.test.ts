/** Time from a player's side: warnings, graces, ends, and the shutdown of the service. */

import { afterEach, expect } from 'bun:test';
import { makeTime } from '../../match/frames/frames.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { test } from '../../testing/sockets/both-protocols.ts';
import {
  openSocketWorld,
  type SessionWish,
  type SocketWorld,
  until,
} from '../../testing/sockets/socket-world.ts';

let world: SocketWorld;
afterEach(() => world.close());

async function start(wish: SessionWish = {}) {
  const clock = makeManualClock();
  world = await openSocketWorld({ clock });
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer, wish);
  return { clock, issuer, id, ann: clients[0], bob: clients[1], began: clock.now() };
}

test('[P6] a warning at two thirds of the turn, to both, then loss by afk_timeout', async () => {
  const { clock, id, ann, bob, began } = await start();
  expect(ann.frames.at(-2)).toMatchObject({ t: 'state', deadline: makeTime(began + 60_000) });
  clock.advance(39_999);
  expect(await ann.settle()).toEqual([]);
  clock.advance(1);
  for (const client of [ann, bob]) {
    const deadline = makeTime(began + 60_000);
    const warning = { t: 'warning', s: id, v: 3, prev: 3, kind: 'afk', seat: 0, deadline };
    expect(await client.next('warning')).toEqual(warning as never);
  }
  clock.advance(19_999);
  expect(await ann.settle()).toEqual([]);
  clock.advance(1);
  for (const client of [ann, bob]) {
    const { result } = await client.next('over');
    expect(result).toMatchObject({ winner: 'bob', reason: 'afk_timeout', durationMs: 60_000 });
  }
});

test('[P6] a move gives the other player a whole turn; with afk off no player is warned', async () => {
  const { clock, id, ann, bob, began } = await start();
  clock.advance(50_000);
  await bob.next('warning');
  ann.send({ t: 'act', s: id, id: '1', action: { position: 4 } });
  const { deadline } = await bob.next('update');
  expect(deadline).toBe(makeTime(began + 110_000));
  clock.advance(39_999);
  expect(await bob.settle()).toEqual([]);
  clock.advance(1);
  await bob.next('warning');
  await world.close();
  const calm = await start({ options: { afk: false } });
  expect(calm.ann.frames.at(-2)).toMatchObject({ t: 'state', deadline: null });
  calm.clock.advance(30 * 24 * 3_600_000);
  expect(await calm.ann.settle()).toEqual([]);
});

test('[P6] an absent player has the grace, shown as a time, and plays on after a return within it', async () => {
  const { clock, issuer, id, ann, bob } = await start({ options: { afk: false } });
  await bob.close();
  const gone = await ann.next('presence');
  expect(gone).toMatchObject({
    seat: 1,
    connected: false,
    deadline: makeTime(clock.now() + 60_000),
  });
  clock.advance(59_999);
  const again = await world.enter(issuer, id, 'bob');
  expect(await ann.next('presence')).toMatchObject({ seat: 1, connected: true, deadline: null });
  clock.advance(600_000);
  expect(await ann.settle()).toEqual([]);
  await again.close();
  await ann.next('presence');
  clock.advance(60_000);
  const { result } = await ann.next('over');
  expect(result).toMatchObject({ winner: 'ann', reason: 'disconnect' });
});

test('[P6][S8] both absent past their grace: aborted, and no winner', async () => {
  const { clock, issuer, id, ann, bob } = await start({ options: { afk: false } });
  await ann.close();
  await bob.next('presence');
  clock.advance(30_000);
  await bob.close();
  // In memory, too: time that passes while it is only in the store is charged to no player.
  await until(async () => !(await world.isConnected(id, 1)));
  clock.advance(60_000);
  await until(async () => {
    clock.advance(1); // What is in the store may not have set its alarm yet.
    return (await world.kindsOf(id)).at(-1) === 'ended';
  });
  const late = await world.enter(issuer, id, 'ann');
  expect(late.frames.at(-1)).toMatchObject({
    status: 'ended',
    result: { winner: null, reason: 'aborted' },
  });
});

test('[P6][S1] a session that does not begin in time ends for the waiting player', async () => {
  const clock = makeManualClock();
  world = await openSocketWorld({ clock });
  const issuer = await world.makeIssuer();
  const id = await world.makeSession(issuer, { players: ['ann'] });
  const ann = await world.enter(issuer, id, 'ann');
  expect(ann.frames.at(-1)).toMatchObject({ deadline: makeTime(clock.now() + 600_000) });
  clock.advance(600_000);
  expect((await ann.next('over')).result.reason).toBe('expired');
});

test('[P5] a restart: open sockets and those still entering get 1012, new ones are refused', async () => {
  const { clock, issuer, id, ann, bob } = await start();
  const greeting = await world.open();
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'cid') });
  await lobby.next('welcome');
  world.sockets.drain();
  for (const client of [ann, bob, greeting, lobby]) {
    expect(await client.closed).toMatchObject({ code: 1012 });
  }
  const token = world.sessionToken(issuer, id, 'ann');
  await expect(world.open({ token })).rejects.toMatchObject({ status: 503 });
  await expect(world.open()).rejects.toMatchObject({ status: 503 });
  const { database } = world;
  await world.leave();
  world = await openSocketWorld({ database, clock });
  const again = await world.enter(issuer, id, 'ann');
  expect(again.frames.at(-1)).toMatchObject({ t: 'state', status: 'active' });
});

test('[F4] a socket whose match cannot be written stays for 30 s, and is shown the match as soon as it can be', async () => {
  const { clock, id, ann, bob } = await start({ options: { afk: false } });
  const { commit } = world.store;
  const stepMs = 500;
  /** Steps until nothing happens any more. */
  const stand = async (ms: number): Promise<void> => {
    for (let stood = 0; stood < ms && bob.isOpen(); stood += stepMs) {
      clock.advance(stepMs);
      await ann.settle();
    }
  };
  const breakStore = async (): Promise<void> => {
    // Slow at first, so that there is time to give back: without a commit the match cannot even be
    // shown.
    let slowMs = 1_000;
    world.store.commit = (_, done) => {
      clock.skip(slowMs);
      slowMs = 0;
      setImmediate(done, 'unknown');
    };
    ann.send({ t: 'act', s: id, id: '1', action: { position: 4 } });
    expect(await ann.next('reject')).toMatchObject({ code: 'unavailable' });
  };
  await breakStore();
  await stand(20_000);
  world.store.commit = commit;
  // The longest pause between two tries.
  await stand(2_000);
  // With the time given back in a record of its own.
  for (const { frames } of [ann, bob]) {
    await until(() => frames.some((frame) => frame.t === 'state' && frame.v === 4));
  }
  await breakStore();
  await stand(29_000);
  for (const client of [ann, bob]) expect(client.isOpen()).toBe(true);
  clock.advance(2_000);
  for (const client of [ann, bob]) expect((await client.closed).code).toBe(1012);
});

test('[R2] all sockets of an erased player are closed, and no others', async () => {
  const { issuer, ann, bob } = await start();
  const other = await world.makeIssuer();
  const lobbies = [
    await world.open({ token: world.lobbyToken(issuer, 'ann') }),
    await world.open({ token: world.lobbyToken(other, 'ann') }),
  ] as const;
  for (const lobby of lobbies) await lobby.next('welcome');
  world.sockets.dropPlayer({ tenant: issuer.tenant.id, world: 'live', playerId: 'ann' });
  for (const client of [ann, lobbies[0]]) expect((await client.closed).code).toBe(4401);
  await bob.next('presence');
  expect(lobbies[1].isOpen()).toBe(true);
});

// ── origins ────────────────────────────────────────────────────────────────────────────────────

test('[H7] a socket is accepted from the origins of the key that issued its token, and from our own', async () => {
  world = await openSocketWorld();
  const free = await world.makeIssuer();
  const bound = await world.makeIssuer(free.tenant, {
    origins: ['https://shop.test', 'https://*.a.test'],
  });
  const strict = await world.makeIssuer(free.tenant, {
    origins: ['https://shop.test'],
    requireOrigin: true,
  });
  const own = 'https://play.example.test';
  const cases = [
    [free, 'https://any.test', 0],
    [free, null, 0],
    [bound, 'https://shop.test', 0],
    [bound, 'https://x.a.test', 0],
    [bound, own, 0],
    [bound, null, 0],
    [bound, 'http://shop.test', 4403],
    [bound, 'https://shop.test:444', 4403],
    [bound, 'https://a.test', 4403],
    [bound, 'https://x.y.a.test', 4403],
    [bound, 'null', 4403],
    [strict, 'https://shop.test', 0],
    [strict, own, 0],
    [strict, 'https://any.test', 4403],
    [strict, null, 4403],
  ] as const;
  for (const [n, [issuer, origin, code]] of cases.entries()) {
    const token = world.lobbyToken(issuer, `ann-${n}`);
    const headers: Record<string, string> = origin === null ? {} : { Origin: origin };
    for (const way of ['subprotocol', 'hello']) {
      const client = await world.open({ token: way === 'hello' ? null : token, headers });
      if (way === 'hello') client.send({ t: 'hello', token });
      if (code === 0) await client.next('welcome');
      else expect([(await client.closed).code, client.frames.length]).toEqual([code, 0]);
    }
  }
});
