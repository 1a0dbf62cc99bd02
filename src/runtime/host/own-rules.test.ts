/** A move of an operator's rules: entered once, and shown as a shipped game's is, only after its commit. */

import { beforeEach, expect, test } from 'bun:test';
import type { AnyGame } from '../../../game/src/game.ts';
import { makeGames } from '../../games/games.ts';
import { tictactoe } from '../../games/tictactoe/tictactoe.ts';
import { release } from '../../testing/faulty-store.ts';
import type { World } from '../../testing/match-world.ts';
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
} from '../../testing/match-world.ts';

const ID = 'ses_own';
const HASH = 'a'.repeat(64);

const engine = tictactoe as unknown as AnyGame;
/** What was asked of the rules, one for each call from outside. */
let calls: string[] = [];
let isViewBroken = false;
/** Each seat and the watchers are shown a view of their own. */
const own: AnyGame = {
  ...engine,
  openInformation: false,
  view(state, viewer) {
    if (isViewBroken) throw new Error('view is broken');
    return { ...(engine.view(state, viewer) as object), viewer };
  },
};
const games = makeGames([{ game: own, bot: null, hash: HASH }]);

const open = (): Promise<World> =>
  openWorld({
    games,
    runRules(_, what, act) {
      calls.push(what);
      return act();
    },
  });

const start = (world: World) =>
  startMatch(world, ID, { setup: { rulesVersion: own.rulesVersion, rulesHash: HASH } });

/** As it is shown with one cross. */
const boardWith = (position: number) =>
  Array.from({ length: 9 }, (_, cell) => (cell === position ? 'X' : null));

beforeEach(() => {
  isViewBroken = false;
});

test('[P4] a move enters an operator’s rules once, and is shown to nobody before its commit', async () => {
  const world = await open();
  const [x, o] = await start(world);
  world.faults.next.push('held');
  calls = [];
  await play(world, ID, x!, mark(4));
  expect([x!.take(), o!.take()]).toEqual([[], []]);
  release(world.faults);
  await settle();
  expect(calls).toEqual(['decide']);
  expect(namesOf(x!.take())).toEqual(['ack 4', 'update 4']);
  expect(o!.take()).toMatchObject([
    { t: 'update', v: 4, view: { board: boardWith(4), viewer: 1 } },
  ]);
});

test('[P4] a move counts although its view throws, and the match ends', async () => {
  const world = await open();
  const [x, o] = await start(world);
  isViewBroken = true;
  await play(world, ID, x!, mark(4));
  await settle();
  expect(await kindsOf(world, ID)).toEqual(expect.arrayContaining(['action', 'ended']));
  expect(await fateOf(world, ID)).toBe('ended aborted');
  expect(namesOf(x!.take())).toContain('ack 4');
  expect(namesOf(o!.take())).not.toContain('update 4');
});

test('[P4] a commit that did not come about leaves nothing of its move behind', async () => {
  const world = await open();
  const [x, o] = await start(world);
  world.faults.next.push('conflict');
  await play(world, ID, x!, mark(4));
  await settle();
  expect([...namesOf(x!.take()), ...namesOf(o!.take())]).not.toContain('update 4');
  const again = await connect(world, ID, 0);
  await play(world, ID, again, mark(0));
  await settle();
  expect(again.take().at(-1)).toMatchObject({ t: 'update', view: { board: boardWith(0) } });
});
