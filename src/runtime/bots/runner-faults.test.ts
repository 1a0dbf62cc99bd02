/** How the runner handles answers that are late, wrong or no longer wanted. */

import { expect, test } from 'bun:test';
import type { BotLevel } from '../../../game/src/bot.ts';
import type { AnyGame, Json } from '../../../game/src/game.ts';
import { makeSearchBot } from '../../../game/src/search/search-bot.ts';
import { tictactoe } from '../../games/tictactoe/tictactoe.ts';
import {
  attach,
  createSession,
  fateOf,
  kindsOf,
  logOf,
  makeProbe,
  mark,
  openWorld,
  play,
  restart,
  settle,
  type World,
} from '../../testing/matches/match-world.ts';
import { makeSeededRandomness } from '../../testing/seeded-randomness.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { fallbackAction, startBotRunner } from './runner.ts';
import type { Thinkers } from './thinkers.ts';
import type { Answer, Thought } from './thought.ts';

const ID = 'ses_1';

/** Questions wait here until a test answers them. */
function makeScript() {
  const asked: { thought: Thought; lateMs: number; done: (answer: Answer) => void }[] = [];
  let cancelled = 0;
  const thinkers: Thinkers = {
    think(thought, lateMs, done) {
      const one = { thought, lateMs, done };
      asked.push(one);
      return () => {
        if (asked.includes(one)) cancelled += 1;
      };
    },
    stop: async () => {},
  };
  const answer = async (reply: Answer): Promise<void> => {
    asked.shift()!.done(reply);
    await settle();
  };
  return { thinkers, asked, answer, cancelled: () => cancelled };
}

/** A running match of a person on seat 0 and a bot on seat 1; errors are collected in `faults`. */
async function open(level: BotLevel | null, pauseMs = { min: 0, max: 0 }) {
  const world = await openWorld();
  const script = makeScript();
  const faults: string[] = [];
  const runner = startBotRunner({
    host: world.host,
    thinkers: script.thinkers,
    clock: world.clock,
    randomness: makeSeededRandomness(TEST_SEED),
    pauseMs,
    onFault: (_, error) => void faults.push(error),
  });
  await createSession(world, ID, { taken: [0] });
  world.host.run(ID, {
    command: () => ({ kind: 'join', bot: true, ...(level === null ? null : { level }) }),
    done: () => undefined,
  });
  await settle();
  const probe = makeProbe(0);
  await attach(world, ID, probe);
  return { world, script, faults, runner, probe };
}

const right = (position: number): Answer => ({ ok: true, action: { position } as Json });

async function actionsOf(world: World): Promise<unknown[]> {
  const entries = await logOf(world, ID);
  return entries.flatMap(({ record }) => (record.k === 'action' ? [record.seat] : []));
}

test('[B4] the bot is asked when it is to move, with the position and its level', async () => {
  const { world, script, probe } = await open('hard');
  expect(script.asked).toEqual([]);
  await play(world, ID, probe, mark(4));
  expect(script.asked).toHaveLength(1);
  const { thought, lateMs } = script.asked[0]!;
  expect(thought).toMatchObject({ rules: { game: 'tictactoe' }, seat: 1, level: 'hard' });
  expect(thought.state).toEqual({ board: '....X....' });
  // At most 20 s of a turn of 60 s.
  expect(lateMs).toBe(20_000);
  await script.answer(right(0));
  expect(await actionsOf(world)).toEqual([0, 1]);
});

test('[B4] an illegal answer is replaced by a legal action, and logged', async () => {
  const { world, script, faults, probe } = await open('easy');
  await play(world, ID, probe, mark(4));
  await script.answer(right(4));
  await world.clock.advance(1);
  await settle();
  expect(await actionsOf(world)).toEqual([0, 1]);
  expect(faults).toEqual(['illegal_move: Position 4 is taken']);
});

test('[B4] a missing or late answer is replaced by a legal action', async () => {
  const { world, script, faults, probe } = await open('perfect');
  await play(world, ID, probe, mark(4));
  await script.answer({ ok: false, error: 'The answer came too late' });
  expect(await actionsOf(world)).toEqual([0, 1]);
  expect(faults).toEqual(['The answer came too late']);
});

test('[B4] it waits as long as a person would, and only a small part of a short turn', async () => {
  const { world, script, probe } = await open('easy', { min: 1_000, max: 1_000 });
  await play(world, ID, probe, mark(4));
  await script.answer(right(0));
  await world.clock.advance(999);
  await settle();
  expect(await actionsOf(world)).toEqual([0]);
  await world.clock.advance(1);
  await settle();
  expect(await actionsOf(world)).toEqual([0, 1]);
});

test('[B4] a match that ends while the bot thinks gets no action', async () => {
  const { world, script, runner, probe } = await open('easy');
  await play(world, ID, probe, mark(4));
  await play(world, ID, probe, { kind: 'resign', id: 'r' });
  expect(script.cancelled()).toBe(1);
  expect(runner.figures().underWay).toBe(0);
  await script.answer(right(0));
  expect(await fateOf(world, ID)).toBe('ended resignation');
  expect(await actionsOf(world)).toEqual([0]);
});

test('[B4] players who connect and disconnect do not restart its thought', async () => {
  const { world, script, probe } = await open('easy');
  await play(world, ID, probe, mark(4));
  world.host.detach(ID, probe);
  await settle();
  await attach(world, ID, makeProbe(0));
  expect((await kindsOf(world, ID)).slice(-2)).toEqual(['disconnected', 'connected']);
  expect(script.asked).toHaveLength(1);
  await script.answer(right(0));
  expect(await actionsOf(world)).toEqual([0, 1]);
});

test('[B3][B4] the service does not play for a program, which loses on time', async () => {
  const { world, script, probe } = await open(null);
  await play(world, ID, probe, mark(4));
  await world.clock.advance(60_000);
  await settle();
  expect(script.asked).toEqual([]);
  expect(await fateOf(world, ID)).toBe('ended afk_timeout');
});

test('[B4] once stopped it makes no more moves', async () => {
  const { world, script, runner, probe } = await open('easy', { min: 500, max: 500 });
  await play(world, ID, probe, mark(4));
  await script.answer(right(0));
  await runner.stop();
  await world.clock.advance(1_000);
  await settle();
  expect(await actionsOf(world)).toEqual([0]);
});

test('[B4] after a restart the bot is asked again about its pending turn', async () => {
  const { world, script, runner, probe } = await open('medium');
  await play(world, ID, probe, mark(4));
  expect(script.asked).toHaveLength(1);
  await runner.stop();
  const next = await restart(world, 5_000);
  const again = makeScript();
  startBotRunner({
    host: next.host,
    thinkers: again.thinkers,
    clock: next.clock,
    randomness: makeSeededRandomness(TEST_SEED),
    pauseMs: { min: 0, max: 0 },
    onFault: () => {},
  });
  const recovered = next.host.recover();
  await settle();
  expect(await recovered).toBe(1);
  expect(again.asked[0]!.thought).toMatchObject({ seat: 1, level: 'medium' });
  await again.answer(right(0));
  expect(await actionsOf(next)).toEqual([0, 1]);
});

test('[B4] the replacement for an operator’s bot is drawn from its seed, not searched', () => {
  let applied = 0;
  const counted: AnyGame = {
    ...(tictactoe as AnyGame),
    apply(...asked) {
      applied += 1;
      return (tictactoe as AnyGame).apply(...asked);
    },
  };
  const bot = makeSearchBot(counted)!;
  const state: Json = { board: '....X....' };
  const question = { state, seat: 1, level: 'hard', nodesMax: 1_000 } as const;
  const rules = { game: counted, bot, hash: 'ab'.repeat(32) };
  const seeds = Array.from({ length: 40 }, (_, n) => `${TEST_SEED} ${n}`);
  const draw = () => seeds.map((seed) => fallbackAction(rules, question, seed));
  const drawn = draw();
  expect(applied).toBe(0);
  expect(draw()).toEqual(drawn);
  const legal = counted.legalActions(state, 1)!;
  for (const action of drawn) expect(legal).toContainEqual(action!);
  expect(new Set(drawn.map((action) => JSON.stringify(action))).size).toBeGreaterThan(3);
});
