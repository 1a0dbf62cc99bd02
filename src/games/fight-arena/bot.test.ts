/** The bot: its reaction time, its inputs, and the differences between its levels. */

import { describe, expect, test } from 'bun:test';
import { BOT_LEVELS } from '../../../game/src/bot.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { deepFreeze } from '../../../game/src/testing/random-play.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { playOff } from '../play-off.ts';
import { fightArenaBot, SKILLS } from './bot.ts';
import { BUTTONS, MASK_MAX } from './controls.ts';
import { makeMasher, openFight, startFight } from './fight.test-kit.ts';
import { fightArena } from './fight-arena.ts';
import type { FightState } from './state.ts';
import { step } from './step.ts';

const NODES = 100_000;
/** On a busy machine. */
const TEST_MS_MAX = 30_000;

function chance(name: string) {
  return makeRandom(`${TEST_SEED}`, () => name, 0);
}

describe.each(BOT_LEVELS)('%s', (level) => {
  test(`[G-FIGHT-8] presses only valid controls, and changes no state (seed ${TEST_SEED})`, () => {
    const mind = fightArenaBot.makeMind();
    const masher = makeMasher(chance(level));
    let state = openFight();
    for (let n = 0; n < 600; n += 1) {
      // Frozen: a bot that changes its position throws.
      const question = deepFreeze({ state, seat: 1, level, nodesMax: 2_000 });
      const mask = mind.choose(question, chance(`${n}`));
      expect(Number.isInteger(mask) && mask >= 0 && mask <= MASK_MAX).toBe(true);
      state = step(state, [masher(), mask]);
    }
  });

  test(`[G-FIGHT-8] reacts to nothing that is newer than its reaction time (seed ${TEST_SEED})`, () => {
    const { reactionTicks } = SKILLS[level];
    let answered = 0;
    // Enough in a row that some fall into the tick before a thought.
    for (let splitAt = 60; splitAt < 110; splitAt += 1) {
      const masher = makeMasher(chance(`${level} ${splitAt}`));
      const theirs = Array.from({ length: splitAt + reactionTicks + 60 }, masher);
      const one = answersTo(level, theirs, splitAt);
      const other = answersTo(
        level,
        theirs.map((mask, at) => (at < splitAt ? mask : BUTTONS & ~mask)),
        splitAt,
      );
      const seen = splitAt + reactionTicks;
      expect(other.slice(0, seen + 1)).toEqual(one.slice(0, seen + 1));
      if (other.join() !== one.join()) answered += 1;
    }
    expect(answered).toBeGreaterThan(10);
  });
});

/** The inputs of a bot on seat 0, tick by tick, against these masks. */
function answersTo(
  level: (typeof BOT_LEVELS)[number],
  theirs: readonly number[],
  name: number,
): readonly number[] {
  const mind = fightArenaBot.makeMind();
  const random = chance(`answers ${name}`);
  let state: FightState = startFight();
  return theirs.map((mask) => {
    const mine = mind.choose({ state, seat: 0, level, nodesMax: NODES }, random);
    state = step(state, [mine, mask]);
    return mine;
  });
}

test('[G-FIGHT-8] a bot that has missed ticks starts over', () => {
  const mind = fightArenaBot.makeMind();
  const ask = (state: FightState) =>
    mind.choose({ state, seat: 0, level: 'hard', nodesMax: NODES }, chance('anew'));
  const early = startFight();
  ask(early);
  const late = { ...early, tick: early.tick + 500 };
  const fresh = fightArenaBot.makeMind();
  const question = { state: late, seat: 0, level: 'hard', nodesMax: NODES } as const;
  expect(ask(late)).toBe(fresh.choose(question, chance('anew')));
});

test(
  `[G-FIGHT-8] hard beats medium, and medium easy (seed ${TEST_SEED})`,
  () => {
    const game = { game: fightArena, bot: fightArenaBot, games: 4, nodesMax: NODES };
    expect(playOff({ ...game, levels: ['hard', 'medium'] }, chance('hm'))).toBeGreaterThan(0.7);
    expect(playOff({ ...game, levels: ['medium', 'easy'] }, chance('me'))).toBeGreaterThan(0.7);
  },
  TEST_MS_MAX,
);

test(
  `[G-FIGHT-8] easy sometimes loses against random inputs (seed ${TEST_SEED})`,
  () => {
    let lost = 0;
    for (let n = 0; n < 12; n += 1) {
      const mind = fightArenaBot.makeMind();
      const random = chance(`child ${n}`);
      const masher = makeMasher(random);
      let state = openFight({ roundsToWin: 1 });
      while (state.phase !== 'over') {
        const question = { state, seat: 1, level: 'easy', nodesMax: NODES } as const;
        state = step(state, [masher(), mind.choose(question, random)]);
      }
      if (fightArena.outcome(state)!.winners[0] === 0) lost += 1;
    }
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(12);
  },
  TEST_MS_MAX,
);
