/** Nine-ball by the WPA rules (section 2): the result of a shot. */

import type { Seat } from '../../../game/src/game.ts';
import type { ShotAction } from './action.ts';
import type { Verdict } from './eightball.ts';
import { BREAK_RAILS } from './eightball.ts';
import type { Facts } from './facts.ts';
import type { Foul, PoolState } from './state.ts';
import { otherSeat } from './state.ts';

const NINE = 9;

/** Consecutive fouls that lose the game. */
const FOULS_MAX = 3;

export function judgeNineball(state: PoolState, action: ShotAction, facts: Facts): Verdict {
  const foul = findFoul(state, action, facts);
  const hasNine = facts.pocketed.some(({ ball }) => ball === NINE);
  if (foul !== null) return { ...judgeFoul(state, foul), spot: hasNine ? [NINE] : [] };
  const other = otherSeat(state.seat);
  const legal = { ...turnOf(state, state.seat, 0), mayPushOut: state.isBreak };
  if (action.pushOut === true) {
    return { ...legal, seat: other, choices: ['accept', 'pass'], spot: hasNine ? [NINE] : [] };
  }
  if (hasNine) return { ...legal, result: { winner: state.seat, reason: 'nine_pocketed' } };
  return facts.pocketed.length > 0 ? legal : { ...legal, seat: other };
}

/** A turn of `next` after a shot that leaves the shooter with that many fouls in a row. */
function turnOf({ seat, fouls }: PoolState, next: Seat, count: number): Verdict {
  return {
    foul: null,
    seat: next,
    isBreak: false,
    inHand: null,
    choices: [],
    mayPushOut: false,
    fouls: seat === 0 ? [count, fouls[1]] : [fouls[0], count],
  };
}

/** Ball in hand anywhere, also after a break: the lowest ball may be behind the head string. */
function judgeFoul(state: PoolState, foul: Foul): Verdict {
  const other = otherSeat(state.seat);
  const count = state.fouls[state.seat]! + 1;
  const verdict: Verdict = { ...turnOf(state, other, count), foul, inHand: 'anywhere' };
  if (count < FOULS_MAX) return verdict;
  return { ...verdict, result: { winner: other, reason: 'three_fouls' } };
}

function findFoul(state: PoolState, { pushOut }: ShotAction, facts: Facts): Foul | null {
  if (facts.scratched !== null) return 'scratch';
  if (pushOut === true) return null;
  if (facts.first === null) return 'no_contact';
  const lowest = state.table.findIndex((place, n) => n > 0 && place !== null);
  if (facts.first !== lowest) return 'wrong_ball_first';
  if (!state.isBreak) return facts.isRailed ? null : 'no_rail';
  return facts.pocketed.length === 0 && facts.railed < BREAK_RAILS ? 'weak_break' : null;
}
