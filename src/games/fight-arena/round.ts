/** The course of a match: ready time, round time, round end, and match end. */

import type { Outcome } from '../../../game/src/game.ts';
import { drawnByTwo, wonBy } from '../../../game/src/outcome.ts';
import { PAUSE_TICKS, READY_TICKS, REPLAYS_MAX } from './stage.ts';
import type { Fighter, FightState, Round, StateDraft } from './state.ts';
import { countUndecided, countWins, makeFighter } from './state.ts';

/** Counts the tick down and enters the next phase when it is due. `fighters` are updated already. */
export function countDown(state: StateDraft): void {
  state.left -= 1;
  if (state.phase === 'fight') endRound(state);
  else if (state.left > 0) return;
  else if (state.phase === 'ready') {
    state.phase = 'fight';
    state.left = state.roundTicks;
  } else beginRound(state);
}

function endRound(state: StateDraft): void {
  const round = judge(state.fighters, state.roundTicks - state.left, state.left === 0);
  if (round === null) return;
  state.rounds = [...state.rounds, round];
  state.phase = isMatchOver(state) ? 'over' : 'pause';
  state.left = state.phase === 'over' ? 0 : PAUSE_TICKS;
}

/** The round's result, or null while it is running. A knockout on the last tick is a knockout. */
function judge(
  [a, b]: readonly [Fighter, Fighter],
  ticks: number,
  isTimeUp: boolean,
): Round | null {
  const isDown = a.health === 0 || b.health === 0;
  if (!isDown && !isTimeUp) return null;
  const health = [a.health, b.health] as const;
  if (a.health === b.health) {
    return { winner: null, by: isDown ? 'double_knockout' : 'equal_health', health, ticks };
  }
  return { winner: a.health > b.health ? 0 : 1, by: isDown ? 'knockout' : 'time', health, ticks };
}

function isMatchOver(state: StateDraft): boolean {
  const wins = countWins(state);
  return Math.max(...wins) >= state.roundsToWin || countUndecided(state) > REPLAYS_MAX;
}

/** Held input must be released before it counts again. */
function beginRound(state: StateDraft): void {
  const [a, b] = state.fighters;
  Object.assign(a, makeFighter(0, a.held));
  Object.assign(b, makeFighter(1, b.held));
  state.phase = 'ready';
  state.left = READY_TICKS;
  state.stop = 0;
}

/** The result of the match: by rounds won, or drawn because one round had no winner. */
export function outcome(state: FightState): Outcome | null {
  if (state.phase !== 'over') return null;
  const wins = countWins(state);
  const detail = { rounds: state.rounds.map((round) => ({ ...round })), roundsWon: wins };
  if (countUndecided(state) > REPLAYS_MAX) return { ...drawnByTwo('rounds_undecided'), detail };
  return wonBy(wins[0] > wins[1] ? 0 : 1, 'rounds_won', detail);
}
