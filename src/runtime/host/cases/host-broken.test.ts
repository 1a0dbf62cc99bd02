/** An engine that throws takes down its own match and nothing else. */

import { beforeEach, describe, expect, test } from 'bun:test';
import type { AnyGame } from '../../../../game/src/game.ts';
import { tictactoe } from '../../../games/tictactoe/tictactoe.ts';
import type { Entry } from '../../../match/record.ts';
import { installGame } from '../../../testing/matches/install-game.ts';
import type { Probe, World } from '../../../testing/matches/match-world.ts';
import {
  connect,
  createSession,
  fateOf,
  kindsOf,
  logOf,
  makeProbe,
  mark,
  namesOf,
  openWorld,
  pass,
  passMaintained,
  play,
  restart,
  settle,
  startMatch,
  TENANT,
} from '../../../testing/matches/match-world.ts';

const ID = 'ses_broken';
const OTHER = 'ses_healthy';

/** The part of the engine that throws, from a given board on. */
const faults = { in: 'nothing' as keyof AnyGame | 'nothing' | 'json', board: '' };

function check(where: keyof AnyGame, state: unknown): void {
  const { board } = state as { readonly board: string };
  if (faults.in === where && board === faults.board) throw new Error(`${where} is broken`);
}

const engine = tictactoe as unknown as AnyGame;
const brittle: AnyGame = {
  ...engine,
  id: 'ludo',
  openInformation: false,
  turn(state) {
    check('turn', state);
    return engine.turn(state);
  },
  apply(state, seat, action, random) {
    check('apply', state);
    return engine.apply(state, seat, action, random);
  },
  view(state, seat) {
    check('view', state);
    return engine.view(state, seat);
  },
  legalActions(state) {
    check('legalActions', state);
    return engine.legalActions(state);
  },
  outcome(state) {
    check('outcome', state);
    return engine.outcome(state);
  },
  parseAction(input) {
    const action = engine.parseAction(input);
    // A value that no record can hold.
    return faults.in === 'json' && action !== null ? { position: 4n as unknown as number } : action;
  },
  hasWinner(state) {
    check('hasWinner', state);
    return false;
  },
  initial(setup) {
    if (faults.in === 'initial') throw new Error('initial is broken');
    return engine.initial(setup);
  },
};
installGame(brittle);

const EMPTY = '.........';
const MOVED = '....X....';

let world: World;
let x: Probe;
let o: Probe;
beforeEach(async () => {
  faults.in = 'nothing';
  world = await openWorld();
  [x, o] = (await startMatch(world, ID, { setup: { game: 'ludo' } })) as [Probe, Probe];
});

function breakIn(where: typeof faults.in, board: string = EMPTY): void {
  faults.in = where;
  faults.board = board;
}

/** The other match continues unaffected, also in the same batch. */
async function withNeighbour(act: () => Promise<void>): Promise<void> {
  const [a, b] = (await startMatch(world, OTHER)) as [Probe, Probe];
  await act();
  await play(world, OTHER, a, mark(0));
  expect(namesOf(a.take())).toEqual(['ack 4', 'update 4']);
  expect(namesOf(b.take())).toEqual(['update 4']);
  expect(await fateOf(world, OTHER)).toBe('active');
}

describe('[S8] an engine that throws', () => {
  test('[S8] at a move: the match is aborted, and its mover is notified once that is committed', async () => {
    await withNeighbour(async () => {
      breakIn('apply');
      world.faults.next.push('held');
      await play(world, ID, x, mark(4));
      expect([x.take(), o.take()]).toEqual([[], []]);
      for (const answer of world.faults.held.splice(0)) answer();
      await settle();
      expect(namesOf(x.take())).toEqual(['reject session_ended', 'over 4']);
      expect(namesOf(o.take())).toEqual(['over 4']);
      expect(await fateOf(world, ID)).toBe('ended aborted');
    });
    expect(world.broken).toEqual([[ID, new Error('apply is broken')]]);
    expect(world.host.stats.broken).toBe(1);
    await play(world, ID, x, mark(4));
    expect(namesOf(x.take())).toEqual(['reject session_ended']);
  });

  for (const where of ['turn', 'outcome'] as const) {
    test(`[S8] in ${where} after a move: the move is not committed and the match is aborted`, async () => {
      breakIn(where, MOVED);
      await withNeighbour(() => play(world, ID, x, mark(4)));
      expect(namesOf(x.take())).toEqual(['reject session_ended', 'over 4']);
      expect((await kindsOf(world, ID)).slice(4)).toEqual(['ended']);
    });
  }

  for (const where of ['view', 'legalActions'] as const) {
    test(`[S8] in ${where} after the commit: the move is acknowledged, then the match is aborted`, async () => {
      breakIn(where, MOVED);
      await withNeighbour(() => play(world, ID, x, mark(4)));
      expect(namesOf(x.take())).toEqual(['ack 4', 'over 5']);
      expect(namesOf(o.take())).toEqual(['over 5']);
      expect((await kindsOf(world, ID)).slice(4)).toEqual(['action', 'ended']);
      expect(world.host.stats.broken).toBe(1);
    });
  }

  test('[S8] with an action that cannot be serialized: none of it is written, and the match is aborted', async () => {
    breakIn('json');
    await withNeighbour(() => play(world, ID, x, mark(4)));
    expect(namesOf(x.take())).toEqual(['reject session_ended', 'over 4']);
    expect(await fateOf(world, ID)).toBe('ended aborted');
  });

  test('[S8] at the start: the session is aborted before it was active', async () => {
    const id = 'ses_start1';
    await createSession(world, id, { setup: { game: 'ludo' } });
    const first = await connect(world, id, 0);
    breakIn('initial');
    await connect(world, id, 1);
    expect(await fateOf(world, id)).toBe('ended aborted');
    expect(namesOf(first.take()).at(-1)).toBe('over 2');
    const { row } = (await world.kept.loadSession(id))!;
    expect(row.startedAt).toBeNull();
  });

  test('[S8] when the time runs out: the match is aborted, and other alarms still work', async () => {
    await startMatch(world, OTHER);
    breakIn('turn');
    await pass(world, 60_000);
    expect(await fateOf(world, ID)).toBe('ended aborted');
    expect(await fateOf(world, OTHER)).toBe('ended afk_timeout');
  });

  test('[S8] when a state is requested: there is none, and the match is aborted', async () => {
    breakIn('view');
    expect(world.host.stateFor(ID, 0)).toEqual([]);
    await settle();
    expect(await fateOf(world, ID)).toBe('ended aborted');
    expect(namesOf(x.take())).toEqual(['over 4']);
    expect(JSON.parse(world.host.stateFor(ID, 0)[0]!)).toMatchObject({
      t: 'state',
      v: 4,
      view: null,
      result: { reason: 'aborted', winner: null },
    });
  });

  test('[S8] at the view of an ended match: at least the result is shown', async () => {
    await play(world, ID, x, { kind: 'resign', id: 'r' });
    breakIn('view');
    expect(JSON.parse(world.host.stateFor(ID, 0)[0]!)).toMatchObject({
      t: 'state',
      v: 5,
      status: 'ended',
      view: null,
      result: { reason: 'resignation', winner: 'player-1' },
    });
    expect(world.broken).toEqual([]);
  });

  test('[S8] and whose end cannot be written: the write is retried until it succeeds', async () => {
    breakIn('apply');
    world.faults.next.push('unknown_lost');
    await play(world, ID, x, mark(4));
    expect(namesOf(x.take())).toEqual(['reject unavailable']);
    expect(await fateOf(world, ID)).toBe('active');
    await passMaintained(world, 1_000);
    const probe = await connect(world, ID, 0);
    await play(world, ID, probe, mark(4));
    // Meanwhile time was lost and two seats became disconnected, and one of them reconnected.
    expect(namesOf(probe.take())).toEqual(['reject session_ended', 'over 8']);
    expect(await fateOf(world, ID)).toBe('ended aborted');
  });
});

describe('[S8] a log that cannot be followed any more', () => {
  async function crashWithBrokenLog(): Promise<World> {
    await play(world, ID, x, mark(4));
    await play(world, ID, o, mark(0));
    breakIn('apply', MOVED);
    return restart(world);
  }

  test('[S8] its match is aborted when the process starts, and others are taken over', async () => {
    await startMatch(world, OTHER);
    const next = await crashWithBrokenLog();
    expect(await next.host.recover()).toBe(2);
    expect(await fateOf(next, ID)).toBe('ended aborted');
    expect(await fateOf(next, OTHER)).toBe('active');
    expect((await kindsOf(next, ID)).slice(4)).toEqual(['action', 'action', 'ended']);
    expect(next.broken.map(([id]) => id)).toEqual([ID]);
    // Only once: no player returns to it.
    await passMaintained(next, 20_000);
    expect(next.broken.length).toBe(1);
    expect(next.host.size()).toBe(0);
  });

  test('[S8] it can be read up to the fault, and with its result', async () => {
    const next = await crashWithBrokenLog();
    const view = (await next.host.peek(ID))!;
    expect(view.session).toMatchObject({ status: 'active', v: 5 });
    const probe = makeProbe(0);
    await play(next, ID, probe, mark(8));
    expect(namesOf(probe.take())).toEqual(['reject session_ended']);
    const ended = (await next.host.peek(ID))!;
    expect(ended.session).toMatchObject({ status: 'ended', outcome: { reason: 'aborted' } });
    const later = await restart(next);
    expect((await later.host.peek(ID))!.session).toMatchObject({
      status: 'ended',
      v: 6,
      outcome: { reason: 'aborted' },
    });
    expect(later.broken).toEqual([]);
  });

  /** Both are disconnected: the next deadline depends on whether somebody has won. */
  async function leaveBoth(): Promise<void> {
    world.host.detach(ID, x);
    world.host.detach(ID, o);
    await settle();
  }

  test('[S8][P6] its match is aborted when it is woken, once, and others are woken', async () => {
    await startMatch(world, OTHER, { setup: { disconnectGraceMs: 0 } });
    await leaveBoth();
    await passMaintained(world, 15_000);
    expect(world.host.size()).toBe(1);
    breakIn('hasWinner');
    await passMaintained(world, 60_000);
    expect(await fateOf(world, ID)).toBe('ended aborted');
    expect(await fateOf(world, OTHER)).toBe('ended afk_timeout');
    expect(world.broken.map(([id]) => id)).toEqual([ID]);
  });

  test('[S8][P6] its match is aborted when it is taken over, once', async () => {
    await leaveBoth();
    breakIn('hasWinner');
    const next = await restart(world, 20_000);
    await next.host.recover();
    await passMaintained(next, 5_000);
    expect(await fateOf(next, ID)).toBe('ended aborted');
    expect(next.broken.map(([id]) => id)).toEqual([ID]);
    expect(next.host.isLostTimeDue()).toBe(false);
  });

  test('[S8][P6] its match is aborted when it has to be read again, once', async () => {
    await leaveBoth();
    breakIn('hasWinner');
    world.host.release(ID);
    await passMaintained(world, 5_000);
    expect(await fateOf(world, ID)).toBe('ended aborted');
    expect(world.broken.map(([id]) => id)).toEqual([ID]);
    expect(world.host.isLostTimeDue()).toBe(false);
  });

  for (const where of ['apply', 'turn'] as const) {
    test(`[S7] (${where}) a match that had ended before keeps its result`, async () => {
      await play(world, ID, x, mark(4));
      await play(world, ID, o, { kind: 'resign', id: 'r' });
      breakIn(where);
      const next = await restart(world);
      const { session } = (await next.host.peek(ID))!;
      expect(session).toMatchObject({
        status: 'ended',
        outcome: { reason: 'resignation', winners: [0] },
      });
      const probe = await connect(next, ID, 0);
      await play(next, ID, probe, mark(0));
      expect(namesOf(probe.take())).toEqual(['reject session_ended']);
      expect((await logOf(next, ID)).length).toBe(7);
      expect(next.broken).toEqual([]);
    });
  }

  test('[S8] a log without a beginning delays no other session', async () => {
    const junk: Entry = { v: 0, at: world.clock.now(), record: { k: 'started' } };
    const stored = (await world.kept.loadSession(ID))!;
    await world.kept.createSession({
      row: { ...stored.row, id: 'ses_junk01', roomCode: 'JUNK01' },
      seats: [],
      entry: junk,
      roomCodeExpiresAt: world.clock.now(),
      wakeAt: world.clock.now(),
      quota: { month: null, sessionsPerMonthMax: null, openSessionsMax: null },
      idempotency: null,
    });
    await passMaintained(world, 3_000);
    expect(world.broken.length).toBe(1);
    await play(world, 'ses_junk01', x, mark(0));
    expect(namesOf(x.take())).toEqual(['reject unavailable']);
    expect((await world.kept.loadSession(ID))!.row.tenant).toBe(TENANT);
    // It is read once where it is wanted, and the process keeps sending heartbeats.
    const before = world.broken.length;
    world.host.reclaim('ses_junk01');
    await passMaintained(world, 5_000);
    expect([world.broken.length - before, world.host.isLostTimeDue()]).toEqual([1, false]);
  });
});
