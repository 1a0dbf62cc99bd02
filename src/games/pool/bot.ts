/** Plays pool: finds shots, tries them on the simulated table, and plays them with an unsteady hand. */

import type { Bot, BotLevel, Question } from '../../../game/src/bot.ts';
import type { Random } from '../../../game/src/random.ts';
import type { Choice, PoolAction } from './action.ts';
import { shake } from './hand.ts';
import type { PoolState } from './state.ts';
import { findTargets } from './targets.ts';
import type { Style } from './think.ts';
import { breakShot, findShot } from './think.ts';

interface Level extends Style {
  /** Unsteadiness of its hand, in units of `shake`. */
  readonly hand: number;
  readonly breakSpeed: number;
}

const HARD: Level = {
  shotsMax: 4_000,
  finalists: 12,
  samples: 40,
  units: 0.4,
  hand: 0.4,
  breakSpeed: 11.5,
};
const LEVELS: Readonly<Record<BotLevel, Level>> = {
  easy: { shotsMax: 12, finalists: 0, samples: 0, units: 0, hand: 8, breakSpeed: 9.5 },
  medium: { shotsMax: 60, finalists: 0, samples: 0, units: 0, hand: 3, breakSpeed: 10.5 },
  hard: HARD,
  perfect: HARD,
};

/** The cost of a simulated shot in positions of the budget: they take about as long. */
const NODES_A_SHOT = 100;

/** With a shot at least this easy it accepts the table, otherwise it hands it back. */
const EASY_SHOT = 0.15;

function choose(state: PoolState): Choice {
  const { choices, table } = state;
  if (choices.includes('spot')) return 'spot';
  if (!choices.includes('pass') || choices.includes('rerack')) return 'accept';
  const cue = table[0] ?? null;
  const best = cue === null ? 1 : (findTargets(state, cue)[0]?.ease ?? 0);
  return best >= EASY_SHOT ? 'accept' : 'pass';
}

function act({ state, level, nodesMax }: Question<PoolState>, random: Random): PoolAction {
  if (state.choices.length > 0) return { choose: choose(state) };
  const style = LEVELS[level];
  const shotsMax = Math.max(1, Math.min(style.shotsMax, Math.floor(nodesMax / NODES_A_SHOT)));
  const meant = state.isBreak
    ? breakShot(state, style.breakSpeed, random)
    : findShot(state, { ...style, ...within(style, shotsMax) }, random);
  return shake(meant, style.hand, random);
}

/** A smaller budget is split evenly: half for ideas, half for trying them again. */
function within({ finalists, samples }: Style, shotsMax: number): Partial<Style> {
  if (finalists === 0) return { shotsMax };
  const each = Math.floor(shotsMax / (2 * finalists));
  return { shotsMax, samples: Math.min(samples, each) };
}

/** Three levels; nobody solves pool, so `perfect` is `hard`. */
export const poolBot: Bot<PoolState, PoolAction> = {
  makeMind: () => ({ choose: act }),
};
