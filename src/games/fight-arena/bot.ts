/** Plays fight arena: sees with a human delay, predicts the present, and simulates its options. */

import type { Bot, BotLevel, Question } from '../../../game/src/bot.ts';
import { happens } from '../../../game/src/bot.ts';
import type { Seat } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { BUTTONS } from './controls.ts';
import { MOVES, totalTicks } from './moves.ts';
import type { Plan } from './plans.ts';
import { maskOf, PLANS, REPLIES } from './plans.ts';
import type { Fighter, FightState } from './state.ts';
import { step } from './step.ts';

interface Skill {
  /** Ticks until the bot sees an event. */
  readonly reactionTicks: number;
  /** Ticks between two thoughts. */
  readonly thinkTicks: number;
  /** How many of `REPLIES` it considers, and how many ticks it looks ahead. */
  readonly replies: number;
  readonly aheadTicks: number;
  /** The percentage of thoughts with a random result. */
  readonly whims: number;
  /** The error of its evaluation: a random part of this is added to a plan's value. */
  readonly blur: number;
}

export const SKILLS: Readonly<Record<BotLevel, Skill>> = {
  easy: { reactionTicks: 30, thinkTicks: 24, replies: 1, aheadTicks: 16, whims: 70, blur: 150 },
  medium: { reactionTicks: 21, thinkTicks: 14, replies: 2, aheadTicks: 20, whims: 35, blur: 80 },
  hard: { reactionTicks: 13, thinkTicks: 5, replies: 6, aheadTicks: 30, whims: 2, blur: 20 },
  perfect: { reactionTicks: 13, thinkTicks: 5, replies: 6, aheadTicks: 30, whims: 2, blur: 20 },
};

/** The longest reaction time of any level, in ticks. */
const MEMORY_TICKS = 30;
/** The worth of acting earlier than the opponent, per tick; the cost of a wrong distance, per millimetre. */
const WORTH_OF_TICK = 3;
const REACH = 850;
const COST_OF_FAR = 0.05;
/** Rough, because their inputs are seldom known. */
const AIR_BUSY_TICKS = 5;
const FALL_BUSY_TICKS = 40;
/** In the corner there is no room to retreat. */
const WORTH_OF_ROUND = 500;
const PLAIN_SHARE = 2;

/** The bot's memory, newest last: the states it was asked about and its answers. */
interface Memory {
  readonly states: FightState[];
  readonly masks: number[];
  plan: Plan;
  /** The tick in which the plan began, and that of the next thought. */
  since: number;
  thinkAt: number;
}

/** The mask for the next tick: called for every tick, in order. */
function choose(memory: Memory, question: Question<FightState>, random: Random): number {
  const { state, seat, level } = question;
  remember(memory, state);
  if (state.phase !== 'fight') return answer(memory, 0);
  const skill = SKILLS[level];
  const now = imagine(memory, seat, skill);
  const me = now.fighters[seat]!;
  if (!canChoose(me)) {
    // The input it holds while it cannot act blocks as soon as it can.
    if (me.act !== 'attack' && me.y === 0) memory.plan = PLANS[0]!;
  } else if (state.tick >= memory.thinkAt) {
    memory.plan = think(now, question, skill, random);
    memory.since = state.tick;
    memory.thinkAt = state.tick + skill.thinkTicks;
  }
  const mask = maskOf(memory.plan, state.tick - memory.since, me.facing);
  // A button that is still down must be released before it counts again.
  return answer(memory, mask & BUTTONS & me.held ? mask & ~BUTTONS : mask);
}

/** Free, in the air, or in an attack that can be continued: otherwise there is nothing to decide. */
function canChoose({ act, move, hasContact }: Fighter): boolean {
  if (act === 'free' || act === 'air') return true;
  return move !== null && hasContact && MOVES[move].cancels;
}

function remember(memory: Memory, state: FightState): void {
  const last = memory.states.at(-1);
  if (last !== undefined && last.tick + 1 !== state.tick) {
    memory.states.length = 0;
    memory.masks.length = 0;
    memory.thinkAt = 0;
  }
  memory.states.push(state);
  if (memory.states.length <= MEMORY_TICKS + 1) return;
  memory.states.shift();
  memory.masks.shift();
}

function answer(memory: Memory, mask: number): number {
  memory.masks.push(mask);
  return mask;
}

/**
 * The predicted present: the last state seen, advanced with its own masks while the opponent keeps
 * its held input. Nothing newer than the reaction time is used.
 */
function imagine({ states, masks }: Memory, seat: Seat, { reactionTicks }: Skill): FightState {
  const newest = states.length - 1;
  const seenAt = Math.max(0, newest - reactionTicks);
  let state = states[seenAt]!;
  const theirs = state.fighters[1 - seat]!.held;
  for (let at = seenAt; at < newest; at += 1) state = play(state, seat, masks[at]!, theirs);
  return state;
}

function play(state: FightState, seat: Seat, mine: number, theirs: number): FightState {
  return step(state, seat === 0 ? [mine, theirs] : [theirs, mine]);
}

function think(
  now: FightState,
  { seat, nodesMax }: Question<FightState>,
  skill: Skill,
  random: Random,
): Plan {
  if (happens(skill.whims, random)) return PLANS[random.integer(PLANS.length)]!;
  const each = skill.replies * skill.aheadTicks;
  const count = Math.max(1, Math.min(PLANS.length, Math.floor(nodesMax / each)));
  let best = PLANS[0]!;
  let bestWorth = Number.NEGATIVE_INFINITY;
  for (const plan of PLANS.slice(0, count)) {
    const worth = worthOf(now, seat, plan, skill) + random.integer(skill.blur + 1);
    if (worth <= bestWorth) continue;
    best = plan;
    bestWorth = worth;
  }
  return best;
}

/** Over all replies: the sum of their mean and their worst. */
function worthOf(now: FightState, seat: Seat, plan: Plan, skill: Skill): number {
  let sum = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < skill.replies; n += 1) {
    const after = playOut(now, seat, plan, REPLIES[n]!, skill.aheadTicks);
    const worth = judge(now, after, seat);
    sum += worth;
    least = Math.min(least, worth);
  }
  return (sum / skill.replies) * PLAIN_SHARE + least;
}

/** Both keep their current direction, as far as their plans are concerned. */
function playOut(now: FightState, seat: Seat, plan: Plan, reply: Plan, ticks: number): FightState {
  const mine = now.fighters[seat]!.facing;
  const theirs = now.fighters[1 - seat]!.facing;
  let state = now;
  for (let at = 0; at < ticks && state.phase === 'fight'; at += 1) {
    state = play(state, seat, maskOf(plan, at, mine), maskOf(reply, at, theirs));
  }
  return state;
}

function judge(before: FightState, after: FightState, seat: Seat): number {
  const me = after.fighters[seat]!;
  const other = after.fighters[1 - seat]!;
  const round = after.rounds.length > before.rounds.length ? after.rounds.at(-1)! : null;
  const won = round === null || round.winner === null ? 0 : round.winner === seat ? 1 : -1;
  const apart = Math.abs(Math.abs(me.x - other.x) - REACH);
  const health = me.health - other.health;
  const ahead = busyTicks(other) - busyTicks(me);
  return health + won * WORTH_OF_ROUND + ahead * WORTH_OF_TICK - Math.trunc(apart * COST_OF_FAR);
}

/** About how many ticks until the fighter can act. */
function busyTicks({ act, stun, y, move, age }: Fighter): number {
  switch (act) {
    case 'hit':
    case 'block':
    case 'down':
      return stun;
    case 'fall':
      return FALL_BUSY_TICKS;
    case 'attack':
      return y > 0 ? AIR_BUSY_TICKS : totalTicks(MOVES[move!]) - age;
    case 'air':
      return AIR_BUSY_TICKS;
    default:
      return 0;
  }
}

/** Its action is the mask for one tick. `perfect` plays like `hard`: the game is not solved. */
export const fightArenaBot: Bot<FightState, number> = {
  makeMind() {
    const memory: Memory = { states: [], masks: [], plan: () => 0, since: 0, thinkAt: 0 };
    return { choose: (question, random) => choose(memory, question, random) };
  },
};
