/** Subscribers of a match: sockets that come, go and cross, two of one seat, watchers. */

import { describe, expect, test } from 'bun:test';
import type { AnyGame } from '../../../../game/src/game.ts';
import { release } from '../../../testing/faulty-store.ts';
import { diceRace } from '../../../testing/matches/dice-race.ts';
import { installGame } from '../../../testing/matches/install-game.ts';
import type { Probe, World } from '../../../testing/matches/match-world.ts';
import {
  act,
  attach,
  connect,
  createSession,
  kindsOf,
  makeProbe,
  mark,
  namesOf,
  openWorld,
  pass,
  play,
  settle,
  startMatch,
} from '../../../testing/matches/match-world.ts';

installGame(diceRace as unknown as AnyGame);

const ID = 'ses_socket';

async function connectedOf(world: World): Promise<boolean[]> {
  const { session } = (await world.host.peek(ID))!;
  return session.seats.map(({ connected }) => connected);
}

describe('[P2] sockets', () => {
  test('[P2] presence is committed before the socket is told that it is attached', async () => {
    const world = await openWorld();
    await createSession(world, ID);
    world.faults.next.push('held');
    const probe = makeProbe(0);
    let isDone = false;
    world.host.attach(ID, probe, () => {
      isDone = true;
    });
    await settle();
    expect(await kindsOf(world, ID)).toEqual(['created', 'connected']);
    expect(isDone).toBe(false);
    release(world.faults);
    expect(isDone).toBe(true);
  });

  test('[S1] the session starts when the last seat connects, and all are shown the whole state', async () => {
    const world = await openWorld();
    await createSession(world, ID);
    const x = await connect(world, ID, 0);
    expect(x.take()).toEqual([]);
    const o = makeProbe(1);
    let shown = '';
    world.host.attach(ID, o, () => {
      shown = world.host.stateFor(ID, 1)[0]!;
    });
    await settle();
    expect(x.take()).toMatchObject([
      { t: 'presence', v: 2, prev: 1, seat: 1, connected: true, deadline: null },
      { t: 'state', v: 3, prev: 2, status: 'active', seat: 0, turn: 0 },
    ]);
    // A new subscriber is sent the state by its socket service, and nothing twice.
    expect(o.take()).toEqual([]);
    expect(JSON.parse(shown)).toMatchObject({ v: 3, status: 'active', seat: 1 });
    await play(world, ID, x, mark(4));
    expect(o.take()).toMatchObject([{ t: 'update', v: 4, prev: 3 }]);
  });

  test('[P2] of two sockets of one seat the player is away when both have closed', async () => {
    const world = await openWorld();
    const [x, o] = (await startMatch(world, ID)) as [Probe, Probe];
    const second = await connect(world, ID, 0);
    expect(await kindsOf(world, ID)).toEqual(['created', 'connected', 'connected', 'started']);
    await play(world, ID, second, mark(4));
    expect(namesOf(x.take())).toEqual(['update 4']);
    expect(namesOf(second.take())).toEqual(['ack 4', 'update 4']);
    world.host.detach(ID, x);
    await settle();
    expect(await connectedOf(world)).toEqual([true, true]);
    world.host.detach(ID, second);
    await settle();
    expect(await connectedOf(world)).toEqual([false, true]);
    expect(o.take().at(-1)).toMatchObject({ t: 'presence', seat: 0, connected: false });
    expect(o.seen().at(-1)!['deadline']).not.toBeNull();
  });

  test('[P2] a socket that closes while another of the seat attaches leaves the player connected', async () => {
    const world = await openWorld();
    const [x, o] = (await startMatch(world, ID)) as [Probe, Probe];
    const next = makeProbe(0);
    world.host.attach(ID, next, () => world.host.detach(ID, x));
    await settle();
    expect(await connectedOf(world)).toEqual([true, true]);
    expect(o.take()).toEqual([]);
    // The reverse, too: closed first, then attached.
    world.host.detach(ID, next);
    await attach(world, ID, makeProbe(0));
    expect(await connectedOf(world)).toEqual([true, true]);
  });

  test('[P2] a socket that closed before its presence was committed is marked as gone', async () => {
    const world = await openWorld();
    await createSession(world, ID);
    world.faults.next.push('held');
    const probe = makeProbe(0);
    // As the socket service does: it checks whether the socket is still open, and if not, detaches.
    world.host.attach(ID, probe, () => world.host.detach(ID, probe));
    world.host.detach(ID, probe);
    await settle();
    release(world.faults);
    await settle();
    expect(await kindsOf(world, ID)).toEqual(['created', 'connected', 'disconnected']);
    expect(await connectedOf(world)).toEqual([false, false]);
    await pass(world, 10_000);
    await world.host.maintain();
    expect(world.host.size()).toBe(0);
  });

  test('[P2] detaching twice, or without being attached, does nothing', async () => {
    const world = await openWorld();
    const [x] = (await startMatch(world, ID)) as [Probe, Probe];
    world.host.detach(ID, makeProbe(1));
    world.host.detach('ses_nowhere', x);
    world.host.detach(ID, x);
    world.host.detach(ID, x);
    await settle();
    expect((await kindsOf(world, ID)).slice(4)).toEqual(['disconnected']);
  });

  test('[P2] no one attaches to an unknown session', async () => {
    const world = await openWorld();
    expect(await attach(world, 'ses_nowhere', makeProbe(0))).toEqual({ kind: 'not_found' });
    expect(world.host.size()).toBe(0);
    expect(world.host.stateFor('ses_nowhere', 0)).toEqual([]);
    expect(await world.host.peek('ses_nowhere')).toBeNull();
  });

  test('[P3] a state is sent again only when something has changed', async () => {
    const world = await openWorld();
    const [x] = (await startMatch(world, ID)) as [Probe, Probe];
    expect(world.host.stateFor(ID, 0, 3)).toEqual([]);
    expect(world.host.stateFor(ID, 0, 2)).toHaveLength(1);
    await play(world, ID, x, mark(4));
    expect(JSON.parse(world.host.stateFor(ID, 0, 3)[0]!)).toMatchObject({ v: 4, prev: 4 });
  });

  test('[P3] an emote is sent to all subscribers and is not a record', async () => {
    const world = await openWorld();
    const probes = [...(await startMatch(world, ID)), await connect(world, ID, null)];
    world.host.relay(ID, (v) => JSON.stringify({ t: 'emote', s: ID, v }));
    world.host.relay('ses_nowhere', () => '');
    for (const probe of probes) expect(probe.take()).toEqual([{ t: 'emote', s: ID, v: 3 }]);
    expect((await kindsOf(world, ID)).length).toBe(4);
  });
});

describe('[S10] watchers', () => {
  test('[S10] a watcher has no presence, and the session starts and continues without one', async () => {
    const world = await openWorld();
    await createSession(world, ID);
    const watcher = await connect(world, ID, null);
    expect(await kindsOf(world, ID)).toEqual(['created']);
    await connect(world, ID, 0);
    await connect(world, ID, 1);
    expect(namesOf(watcher.take())).toEqual(['presence 1', 'presence 2', 'state 3']);
    world.host.detach(ID, watcher);
    await settle();
    expect((await kindsOf(world, ID)).length).toBe(4);
    expect(await connectedOf(world)).toEqual([true, true]);
  });

  test('[S10] all players see their own secrets and no others; watchers see none', async () => {
    const world = await openWorld();
    const setup = { game: 'ludo', seats: 3 } as const;
    const players = await startMatch(world, ID, { setup });
    const watcher = await connect(world, ID, null);
    const hand = (frame: { readonly [key: string]: unknown }) =>
      (frame['view'] as { readonly hand: unknown }).hand;
    for (let n = 0; n < 30; n++) {
      const { session } = (await world.host.peek(ID))!;
      if (session.status !== 'active') break;
      const state = session.play.state as { readonly turn: number };
      await play(world, ID, players[state.turn]!, act(`a${n}`, { stake: 1 }));
      const { hands } = (await after(world)) as { readonly hands: readonly number[] };
      for (const probe of players) {
        const news = probe.take().filter(({ t }) => t === 'update');
        for (const frame of news) expect(hand(frame)).toBe(hands[probe.viewer!]!);
      }
      for (const frame of watcher.take().filter(({ t }) => t === 'update')) {
        expect(hand(frame)).toBeNull();
      }
    }
    expect(hand(JSON.parse(world.host.stateFor(ID, null)[0]!))).toBeNull();
    const seed = (await world.host.peek(ID))!.session.setup.seed;
    for (const probe of [...players, watcher]) {
      expect(JSON.stringify(probe.writes)).not.toContain(seed);
      expect(JSON.stringify(probe.writes)).not.toContain('hands');
    }
  });
});

async function after(world: World): Promise<unknown> {
  const { session } = (await world.host.peek(ID))!;
  return session.status === 'pending' ? null : session.play?.state;
}
