/** An operator's rules in a match: called once a move, and limited in every function. */

import { expect, test } from 'bun:test';
import type { AnyGame } from '../../../../game/src/game.ts';
import { makeGames } from '../../../games/games.ts';
import { tictactoe } from '../../../games/tictactoe/tictactoe.ts';
import { release } from '../../../testing/faulty-store.ts';
import type { Probe, World } from '../../../testing/matches/match-world.ts';
import {
  connect,
  fateOf,
  kindsOf,
  mark,
  namesOf,
  openWorld,
  play,
  settle,
  startMatch,
} from '../../../testing/matches/match-world.ts';
import { GUARD_LIMITS, makeGuard } from '../../games/guard.ts';
import { stopwatchMs } from '../../system.ts';

const ID = 'ses_1';
const HASH = 'a'.repeat(64);
const LIMITS = { ...GUARD_LIMITS, callMs: 150, strictCallMs: 40 };

interface Own {
  readonly world: World;
  readonly probes: readonly [Probe, Probe];
  /** The guarded calls since the last look. */
  entered(): readonly string[];
}

/** A running match of the game as an operator's own. */
async function openOwn(change: Partial<AnyGame> = {}): Promise<Own> {
  const calls: string[] = [];
  const onCall = ({ what }: { readonly what: string }): void => void calls.push(what);
  const guard = makeGuard({ limits: LIMITS, elapsedMs: stopwatchMs, onCall });
  const game = { ...(tictactoe as unknown as AnyGame), ...change };
  const games = makeGames([guard.protect({ game, bot: null, hash: HASH })]);
  const world = await openWorld({ games, runRules: guard.run });
  const setup = { rulesVersion: 1, rulesHash: HASH };
  const [x, o] = (await startMatch(world, ID, { setup })) as [Probe, Probe];
  calls.length = 0;
  return { world, probes: [x, o], entered: () => calls.splice(0) };
}

/** Fails in one way once the board has that many marks. */
function failingAfter(marks: number, fail: () => never): Partial<AnyGame> {
  return {
    view(state) {
      const { board } = tictactoe.view(state as never, null) as {
        readonly board: readonly unknown[];
      };
      if (board.filter((cell) => cell !== null).length === marks) fail();
      return tictactoe.view(state as never, null);
    },
  };
}

const TOP_ROW = [0, 3, 1, 4, 2];

test('[G-OWN][P3] a move calls the rules once, and is shown like that of a shipped game', async () => {
  const own = await openOwn();
  const plain = await openWorld();
  const shipped = (await startMatch(plain, ID)) as [Probe, Probe];
  for (const [n, position] of TOP_ROW.entries()) {
    await play(own.world, ID, own.probes[n % 2]!, mark(position));
    await play(plain, ID, shipped[n % 2]!, mark(position));
    expect(own.entered()).toEqual(['decide']);
    for (const seat of [0, 1] as const) {
      const [mine, theirs] = [own.probes[seat].take(), shipped[seat].take()];
      expect(mine.length).toBeGreaterThan(0);
      expect(mine).toEqual(theirs);
    }
  }
  expect(await fateOf(own.world, ID)).toBe(await fateOf(plain, ID));
});

test('[S8][G-OWN] rules that throw at the view: the move is acknowledged, then the match is aborted', async () => {
  const { world, probes } = await openOwn(
    failingAfter(1, () => {
      throw new Error('no view');
    }),
  );
  await play(world, ID, probes[0], mark(4));
  expect(namesOf(probes[0].take())).toEqual(['ack 4', 'over 5']);
  expect((await kindsOf(world, ID)).slice(4)).toEqual(['action', 'ended']);
  expect(await fateOf(world, ID)).toBe('ended aborted');
});

test('[S8][G-OWN] a view that never ends: the move is not committed, and the match is aborted in time', async () => {
  const { world, probes } = await openOwn(
    failingAfter(1, () => {
      for (;;);
    }),
  );
  const began = stopwatchMs();
  await play(world, ID, probes[0], mark(4));
  expect(stopwatchMs() - began).toBeLessThan(10_000);
  expect(namesOf(probes[0].take())).toEqual(['reject session_ended', 'over 4']);
  expect((await kindsOf(world, ID)).slice(4)).toEqual(['ended']);
  expect(world.broken.map(([id, error]) => [id, `${error}`])).toEqual([
    [ID, expect.stringContaining('took longer than')],
  ]);
});

test('[P4][G-OWN] frames made with the decision are sent to no one before its commit', async () => {
  const { world, probes } = await openOwn();
  world.faults.next.push('held');
  await play(world, ID, probes[0], mark(4));
  expect(probes.map((probe) => probe.take())).toEqual([[], []]);
  release(world.faults);
  await settle();
  expect(probes.map((probe) => namesOf(probe.take()))).toEqual([
    ['ack 4', 'update 4'],
    ['update 4'],
  ]);
});

test('[P4][G-OWN] a failed commit leaves nothing of its move behind', async () => {
  const { world, probes } = await openOwn();
  world.faults.next.push('conflict');
  await play(world, ID, probes[0], mark(4));
  await settle();
  expect(probes.flatMap((probe) => namesOf(probe.take()))).not.toContain('update 4');
  const again = await connect(world, ID, 0);
  await play(world, ID, again, mark(0));
  await settle();
  const { board } = again.take().at(-1)!['view'] as { readonly board: readonly unknown[] };
  expect(board).toEqual(['X', ...Array<null>(8).fill(null)]);
});
