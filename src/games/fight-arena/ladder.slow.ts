/** The bot's levels over many matches; fights between equals are fair and end. */

import { expect, test } from 'bun:test';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { playOff } from '../play-off.ts';
import { fightArenaBot } from './bot.ts';
import { openFight } from './fight.test-kit.ts';
import { fightArena } from './fight-arena.ts';
import type { MoveName } from './moves.ts';
import { MOVE_NAMES } from './moves.ts';
import { step } from './step.ts';

const NODES = 100_000;
const TEST_MS_MAX = 600_000;
const play = { game: fightArena, bot: fightArenaBot, nodesMax: NODES };

function chance(name: string) {
  return makeRandom(`${TEST_SEED}`, () => name, 0);
}

test(
  `[G-FIGHT-8] hard scores at least 0.9 against medium over 60 matches (seed ${TEST_SEED})`,
  () => {
    const part = playOff({ ...play, levels: ['hard', 'medium'], games: 60 }, chance('hard'));
    expect(part).toBeGreaterThanOrEqual(0.9);
  },
  TEST_MS_MAX,
);

test(
  `[G-FIGHT-8] medium scores at least 0.9 against easy over 40 matches (seed ${TEST_SEED})`,
  () => {
    const part = playOff({ ...play, levels: ['medium', 'easy'], games: 40 }, chance('medium'));
    expect(part).toBeGreaterThanOrEqual(0.9);
  },
  TEST_MS_MAX,
);

test(
  `[G-FIGHT-4] between equals both seats win, most rounds are knockouts, every attack is useful (seed ${TEST_SEED})`,
  () => {
    const hits = new Map<MoveName, number>();
    const won = [0, 0];
    let rounds = 0;
    let knockouts = 0;
    for (let n = 0; n < 24; n += 1) {
      const random = chance(`equals ${n}`);
      const level = n % 2 === 0 ? 'hard' : 'medium';
      const minds = [fightArenaBot.makeMind(), fightArenaBot.makeMind()];
      let state = openFight();
      while (state.phase !== 'over') {
        const before = state;
        const ask = (seat: number) =>
          minds[seat]!.choose({ state: before, seat, level, nodesMax: NODES }, random);
        state = step(state, [ask(0), ask(1)]);
        for (const { move, hasContact } of state.fighters) {
          if (move !== null && hasContact) hits.set(move, (hits.get(move) ?? 0) + 1);
        }
      }
      for (const { winner, by } of state.rounds) {
        rounds += 1;
        if (by === 'knockout') knockouts += 1;
        if (winner !== null) won[winner]! += 1;
      }
    }
    expect(knockouts / rounds).toBeGreaterThan(0.8);
    expect(Math.min(...won) / (won[0]! + won[1]!)).toBeGreaterThan(0.3);
    const used = MOVE_NAMES.filter((name) => name !== 'bolt' && hits.has(name));
    expect(used.length).toBe(MOVE_NAMES.length - 1);
  },
  TEST_MS_MAX,
);
