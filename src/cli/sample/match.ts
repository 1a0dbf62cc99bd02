/** One match of the past, played by the rules from its first record to its last. No clock, no store. */

import type { AnyMind } from '../../../game/src/bot.ts';
import type { Json } from '../../../game/src/game.ts';
import { BATCH_TICKS_MAX } from '../../../game/src/tick-game.ts';
import type { Rules } from '../../games/games.ts';
import { nextDeadline } from '../../match/deadline.ts';
import { type Command, decide, type Step } from '../../match/decide.ts';
import { openSession } from '../../match/evolve.ts';
import type { Entry } from '../../match/record.ts';
import type { ActiveSession, Session } from '../../match/session.ts';
import type { Chance } from './chance.ts';

/** How a match goes, beside the moves. */
export type Course = 'played' | 'resigned' | 'left' | 'under way';

export interface Played {
  readonly first: Session;
  readonly steps: readonly Step[];
}

export interface MatchPlan {
  readonly id: string;
  readonly rules: Rules;
  /** The bot; reused from match to match, because its memory is expensive. Null for no bot. */
  readonly mind: AnyMind | null;
  readonly entry: Entry;
  /** By seat, 0 to 1. */
  readonly skills: readonly number[];
  readonly course: Course;
  /** When all players have connected, ms since 1970. */
  readonly startsAt: number;
  /** The latest time of a record. */
  readonly until: number;
}

/**
 * About the number of moves of a match; a finished one ends before. A running one is not decided by
 * then.
 */
const MOVES: Readonly<Record<Course, number>> = {
  played: 400,
  resigned: 9,
  left: 6,
  'under way': 2,
};
const THINK_MS = 2_600;
/** Positions that the best look at. */
const NODES = 100;
const SECOND_MS = 1_000;
/** Deadlines that pass until a player who left has lost. */
const DEADLINES_MAX = 4;

export function playMatch(plan: MatchPlan, chance: Chance): Played {
  const { id, rules, entry } = plan;
  const first = openSession(() => rules, id, entry);
  const steps: Step[] = [];
  const table: Table = {
    session: first,
    now: entry.at,
    act(command, at) {
      if (at > plan.until) return false;
      const decision = decide(table.session, command, at, 0);
      steps.push(...decision.steps);
      table.now = at;
      table.session = decision.steps.at(-1)?.after ?? table.session;
      return decision.rejection === null;
    },
  };
  for (const seat of first.seats.keys()) {
    const at = plan.startsAt - (first.seats.length - 1 - seat) * 700;
    if (!first.seats[seat]!.isBot) table.act({ kind: 'connect', seat }, at);
  }
  if (rules.game.ticks === undefined) playTurns(table, plan, chance);
  else playTicks(table, plan, chance);
  finish(table, plan, chance);
  return { first, steps };
}

interface Table {
  session: Session;
  now: number;
  /** False where it came to nothing. */
  act(command: Command, at: number): boolean;
}

// ── games of turns ─────────────────────────────────────────────────────────────────────────────

function playTurns(table: Table, plan: MatchPlan, chance: Chance): void {
  const movesMax = MOVES[plan.course] + chance.integer(3);
  for (let move = 0; move < movesMax && table.session.status === 'active'; move++) {
    const seat = table.session.play.acting[0];
    if (seat === undefined) return;
    const skill = plan.skills[seat] ?? 0.5;
    const action = choose(plan, table.session, seat, skill, chance);
    const at = table.now + Math.round(400 + chance.duration(THINK_MS));
    if (!table.act({ kind: 'act', seat, id: `c${move}`, action }, at)) return;
  }
}

/** What the better player finds; the worse one plays whatever is allowed. */
function choose(
  { rules: { game }, mind }: MatchPlan,
  { play }: ActiveSession,
  seat: number,
  skill: number,
  chance: Chance,
): Json {
  const legal = game.legalActions(play.state, seat);
  const isSeen = chance.fraction() < skill;
  if (mind === null || (legal !== null && legal.length > 0 && !isSeen)) {
    return legal === null ? null : chance.pick(legal);
  }
  const level = skill > 0.6 ? 'hard' : 'easy';
  return mind.choose({ state: play.state, seat, level, nodesMax: NODES }, chance);
}

/**
 * The weakest resign, or disconnect and stay away, until one is left; this also ends a match that
 * is too long.
 */
function finish(table: Table, { skills, course }: MatchPlan, chance: Chance): void {
  if (course === 'under way') return;
  const weakest = [...skills.keys()].toSorted((a, b) => skills[a]! - skills[b]!);
  for (const seat of weakest) {
    if (table.session.status !== 'active') return;
    const at = table.now + Math.round(chance.duration(3 * SECOND_MS));
    if (course === 'left') leave(table, seat, at);
    else table.act({ kind: 'resign', seat, id: `resign${seat}` }, at);
  }
}

/** No turn ends before the grace, if the same player is to move. */
function leave(table: Table, seat: number, at: number): void {
  table.act({ kind: 'disconnect', seat }, at);
  for (let tries = 0; tries < DEADLINES_MAX && table.session.status === 'active'; tries++) {
    const deadline = nextDeadline(table.session);
    if (deadline === null) return;
    table.act({ kind: 'tick' }, deadline + 1);
  }
}

// ── real-time games ────────────────────────────────────────────────────────────────

/** The maximum number of ticks that a button is held. */
const HOLD_TICKS = 12;
const BATCHES_MAX = 2_000;

function playTicks(table: Table, { rules: { game }, skills }: MatchPlan, chance: Chance): void {
  const { tickOf, maskMax, ticksPerSecond } = game.ticks!;
  const startedAt = table.now;
  const masks = skills.map(() => 0);
  for (let batch = 0; batch < BATCHES_MAX && table.session.status === 'active'; batch++) {
    const from = tickOf(table.session.play.state);
    const runs: number[][] = [];
    for (let left = BATCH_TICKS_MAX; left > 0; ) {
      const count = Math.min(left, 1 + chance.integer(HOLD_TICKS));
      // The better player presses more.
      for (const [seat, skill] of skills.entries()) {
        masks[seat] = chance.fraction() < skill ? chance.integer(maskMax + 1) : 0;
      }
      runs.push([...masks, count]);
      left -= count;
    }
    const at = startedAt + Math.ceil(((from + BATCH_TICKS_MAX) * SECOND_MS) / ticksPerSecond);
    if (!table.act({ kind: 'ticks', from, runs }, at)) return;
  }
}
