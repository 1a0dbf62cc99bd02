/** Fight arena: two fighters, sixty ticks a second, best of three rounds. Integers only. */

import type { Game, GameEvent, Json, Refusal, TickRules } from '../../../game/src/game.ts';
import { illegalMove } from '../../../game/src/refusal.ts';
import { MASK_MAX } from './controls.ts';
import { hashFight } from './hash.ts';
import { outcome } from './round.ts';
import { TICKS_PER_SECOND } from './stage.ts';
import type { FightState } from './state.ts';
import { countWins, makeInitial } from './state.ts';
import { step } from './step.ts';

const NO_ACTIONS: readonly never[] = Object.freeze([]);
const NO_EVENTS: readonly GameEvent[] = Object.freeze([]);

/** `fight.round_ended` for every round that ended in between. */
function eventsOf(before: FightState, after: FightState): readonly GameEvent[] {
  if (before.rounds.length === after.rounds.length) return NO_EVENTS;
  return after.rounds.slice(before.rounds.length).map((round, index) => ({
    type: 'fight.round_ended',
    data: { round: before.rounds.length + index + 1, ...round },
  }));
}

const ticks: TickRules<FightState> = {
  ticksPerSecond: TICKS_PER_SECOND,
  maskMax: MASK_MAX,
  step,
  tickOf: (state) => state.tick,
  hash: hashFight,
  eventsOf,
};

/** Everything is public, and a browser continues from it. */
function view(state: FightState): Json {
  return { ...state, roundsWon: countWins(state) };
}

function apply(): Refusal {
  return illegalMove('This game is played by ticks and has no actions');
}

/** Seat 0 begins on the left. */
export const fightArena: Game<FightState, never> & { readonly ticks: TickRules<FightState> } = {
  id: 'fight-arena',
  rulesVersion: 1,
  seats: { min: 2, max: 2, default: 2 },
  variants: ['standard'],
  options: {
    roundSeconds: { kind: 'integer', min: 10, max: 99, default: 99 },
    roundsToWin: { kind: 'integer', min: 1, max: 3, default: 2 },
  },
  /** Unused: no seat ever moves alone. */
  turnTimeoutMs: 60_000,
  drawOffers: false,
  openInformation: true,
  ticks,
  initial: makeInitial,
  turn: () => null,
  parseAction: () => null,
  legalActions: (state) => (state.phase === 'over' ? NO_ACTIONS : null),
  apply,
  view,
  outcome,
  makeNotation: () => '',
  parseNotation: () => null,
};
