/** Moves through the match host: committed first, then sent once, in order, to everybody. */

import { beforeEach, describe, expect, test } from 'bun:test';
import { release } from '../../../testing/faulty-store.ts';
import type { Probe, World } from '../../../testing/matches/match-world.ts';
import {
  act,
  connect,
  fateOf,
  kindsOf,
  logOf,
  makeProbe,
  mark,
  namesOf,
  openWorld,
  pass,
  play,
  restart,
  settle,
  startMatch,
} from '../../../testing/matches/match-world.ts';
import { MAILBOX_MAX } from '../mailbox.ts';

const ID = 'ses_moves1';

let world: World;
let x: Probe;
let o: Probe;
beforeEach(async () => {
  world = await openWorld();
  [x, o] = (await startMatch(world, ID)) as [Probe, Probe];
});

describe('[P4] a move', () => {
  test('[P4] nothing that shows a move leaves before its commit', async () => {
    const watcher = await connect(world, ID, null);
    watcher.take();
    world.faults.next.push('held');
    await play(world, ID, x, mark(4));
    expect((await logOf(world, ID)).length).toBe(5);
    expect([x.take(), o.take(), watcher.take()]).toEqual([[], [], []]);
    expect(JSON.parse(world.host.stateFor(ID, 1)[0]!)).toMatchObject({ v: 3, turn: 0 });
    release(world.faults);
    expect(namesOf(x.take())).toEqual(['ack 4', 'update 4']);
    expect(namesOf(o.take())).toEqual(['update 4']);
    expect(namesOf(watcher.take())).toEqual(['update 4']);
    expect(world.host.stats).toMatchObject({ commits: 3, records: 4 });
  });

  test('[P4] the sender gets ack, update and over in one write, everybody else the same without ack', async () => {
    for (const [n, position] of [0, 3, 1, 4].entries()) {
      await play(world, ID, n % 2 === 0 ? x : o, mark(position));
    }
    const writes = x.writes.length;
    await play(world, ID, x, mark(2));
    expect(x.writes.length).toBe(writes + 1);
    expect(namesOf(x.writes.at(-1)!)).toEqual(['ack 8', 'update 8', 'over 9']);
    expect(namesOf(o.writes.at(-1)!)).toEqual(['update 8', 'over 9']);
    expect(x.writes.at(-1)![0]).toEqual({ t: 'ack', s: ID, id: 'm2', v: 8, prev: 7 });
    expect(await fateOf(world, ID)).toBe('ended three_in_a_row');
  });

  test('[P3] every frame names the frame before it, whenever the client attached', async () => {
    const watcher = await connect(world, ID, null);
    watcher.take();
    await play(world, ID, x, mark(0));
    await play(world, ID, o, mark(4));
    const late = await connect(world, ID, null);
    const state = JSON.parse(world.host.stateFor(ID, null)[0]!);
    await play(world, ID, x, mark(1));
    await play(world, ID, x, { kind: 'resign', id: 'r' });
    for (const [probe, start] of [
      [watcher, 3],
      [x, 3],
      [late, state.v],
    ] as const) {
      let shown = start;
      for (const frame of probe.take().filter(({ t }) => t !== 'ack')) {
        expect(frame['prev']).toBe(shown);
        shown = frame.v!;
      }
      expect(shown).toBe(8);
    }
  });

  test('[P7] a refused move names its fault, is answered to its sender alone and changes nothing', async () => {
    const refused = async (probe: Probe, action: unknown) => {
      await play(world, ID, probe, act('again', action));
      return namesOf(probe.take());
    };
    expect(await refused(o, { position: 0 })).toEqual(['reject not_your_turn']);
    expect(await refused(x, { position: 9 })).toEqual(['reject bad_action']);
    expect(await refused(x, null)).toEqual(['reject bad_action']);
    await play(world, ID, x, mark(0));
    o.take();
    expect(await refused(o, { position: 0 })).toEqual(['reject illegal_move']);
    expect(world.host.stats.rejections).toBe(4);
    expect((await logOf(world, ID)).length).toBe(5);
    // A rejected id may be used again.
    expect(await refused(o, { position: 1 })).toEqual(['ack 5', 'update 5']);
    expect(namesOf(x.take())).toEqual(['ack 4', 'update 4', 'update 5']);
  });

  test('[P7] commands for an unknown session are answered as such', async () => {
    await play(world, 'ses_nowhere', x, mark(0));
    expect(x.take()).toEqual([
      {
        t: 'reject',
        s: 'ses_nowhere',
        id: 'm0',
        code: 'unknown_session',
        error: 'There is no such session',
      },
    ]);
  });

  test('[P4] moves that arrive during a commit wait for their turn', async () => {
    world.faults.next.push('held');
    world.host.play(ID, 0, mark(0), x);
    world.host.play(ID, 1, mark(4), o);
    world.host.play(ID, 0, mark(1), x);
    world.host.play(ID, 0, mark(2), x);
    await settle();
    release(world.faults);
    await settle();
    expect(namesOf(x.take())).toEqual([
      'ack 4',
      'update 4',
      'update 5',
      'ack 6',
      'update 6',
      'reject not_your_turn',
    ]);
    expect(namesOf(o.take())).toEqual(['update 4', 'ack 5', 'update 5', 'update 6']);
    expect((await kindsOf(world, ID)).slice(4)).toEqual(['action', 'action', 'action']);
  });

  test('[P7] a mailbox accepts a limited number and refuses the rest as busy', async () => {
    world.faults.next.push('held');
    world.host.play(ID, 0, mark(0), x);
    for (let n = 0; n < MAILBOX_MAX + 3; n++)
      world.host.play(ID, 1, act(`n${n}`, { position: 0 }), o);
    await settle();
    expect(namesOf(o.take())).toEqual(['reject busy', 'reject busy', 'reject busy']);
    release(world.faults);
    await settle();
    const answers = namesOf(o.take()).filter((name) => name.startsWith('reject'));
    expect(answers).toEqual(Array(MAILBOX_MAX).fill('reject illegal_move'));
    expect(world.host.stats.rejections).toBe(MAILBOX_MAX);
  });

  test('[P7] a session that is being read accepts a limited number and refuses the rest as busy', async () => {
    const next = await restart(world);
    const probe = makeProbe(0);
    for (let n = 0; n < MAILBOX_MAX + 2; n++) next.host.play(ID, 0, act(`n${n}`, {}), probe);
    expect(namesOf(probe.take())).toEqual(['reject busy', 'reject busy']);
    await settle();
    expect(namesOf(probe.take())).toEqual(Array(MAILBOX_MAX).fill('reject bad_action'));
  });

  test('[P5] a full mailbox does not keep the service from noticing a closed socket', async () => {
    world.faults.next.push('held');
    world.host.play(ID, 0, mark(0), x);
    for (let n = 0; n < MAILBOX_MAX; n++) world.host.play(ID, 1, act(`n${n}`, {}), o);
    world.host.detach(ID, o);
    await settle();
    release(world.faults);
    await settle();
    expect((await world.host.peek(ID))!.session.seats[1]!.connected).toBe(false);
    expect((await kindsOf(world, ID)).at(-1)).toBe('disconnected');
  });
});

describe('[P4] a repeated command', () => {
  const acks = (probe: Probe) => namesOf(probe.take()).filter((name) => !name.startsWith('update'));

  test('[P4] gets its first ack and has no second effect, on any socket of the player', async () => {
    await play(world, ID, x, mark(0));
    await play(world, ID, o, mark(1));
    const second = await connect(world, ID, 0);
    x.take();
    second.take();
    await play(world, ID, x, mark(0));
    await play(world, ID, second, mark(0));
    expect(acks(x)).toEqual(['ack 4']);
    expect(acks(second)).toEqual(['ack 4']);
    expect((await logOf(world, ID)).length).toBe(6);
  });

  test('[P4] and its first, concurrent, have one effect and two acks', async () => {
    world.host.play(ID, 0, mark(0), x);
    world.host.play(ID, 0, mark(0), x);
    await settle();
    expect(namesOf(x.take())).toEqual(['ack 4', 'update 4', 'ack 4']);
    expect((await kindsOf(world, ID)).filter((kind) => kind === 'action')).toEqual(['action']);
  });

  test('[P4] is recognized after the session has left memory and returned', async () => {
    await play(world, ID, x, mark(0));
    for (const probe of [x, o]) world.host.detach(ID, probe);
    await settle();
    await pass(world, 10_000);
    await world.host.maintain();
    expect(world.host.size()).toBe(0);
    x.take();
    await play(world, ID, x, mark(0));
    expect(namesOf(x.take())).toEqual(['ack 4']);
    expect(world.host.size()).toBe(1);
  });

  test('[P4] is recognized after a crash, also in an ended match', async () => {
    await play(world, ID, x, mark(0));
    await play(world, ID, o, { kind: 'resign', id: 'r1' });
    const next = await restart(world);
    const [probe, other] = [makeProbe(0), makeProbe(1)];
    await play(next, ID, probe, mark(0));
    await play(next, ID, other, { kind: 'resign', id: 'r1' });
    expect(namesOf(probe.take())).toEqual(['ack 4']);
    expect(namesOf(other.take())).toEqual(['ack 5']);
    expect((await logOf(next, ID)).length).toBe(7);
  });

  test('[P4] with another content is id_reused, and each player has ids of their own', async () => {
    await play(world, ID, x, act('1', { position: 0 }));
    await play(world, ID, o, act('1', { position: 4 }));
    for (const probe of [x, o]) probe.take();
    await play(world, ID, x, act('1', { position: 8 }));
    await play(world, ID, x, { kind: 'resign', id: '1' });
    await play(world, ID, x, act('1', { junk: true }));
    await play(world, ID, o, act('1', { position: 4, more: 'ignored' }));
    expect(namesOf(x.take())).toEqual(['reject id_reused', 'reject id_reused', 'reject id_reused']);
    expect(namesOf(o.take())).toEqual(['ack 5']);
    expect(await fateOf(world, ID)).toBe('active');
  });

  test('[P4] may have any id', async () => {
    for (const [n, id] of ['__proto__', '1:m', '😀', 'constructor'].entries()) {
      await play(world, ID, n % 2 === 0 ? x : o, act(id, { position: n }));
    }
    for (const probe of [x, o]) probe.take();
    await play(world, ID, x, act('__proto__', { position: 0 }));
    await play(world, ID, x, act('toString', { position: 4 }));
    expect(namesOf(x.take())).toEqual(['ack 4', 'ack 8', 'update 8']);
  });
});
