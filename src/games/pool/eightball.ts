/** Eight-ball by the WPA rules (section 3): the result of a shot. */

import type { Seat } from '../../../game/src/game.ts';
import type { Choice, ShotAction } from './action.ts';
import type { Facts } from './facts.ts';
import type { Foul, Group, PoolState } from './state.ts';
import { otherSeat } from './state.ts';

export const EIGHT = 8;

/** The rules' verdict on a shot: the changes to the state, except the balls' new positions. */
export type Verdict = Partial<Omit<PoolState, 'table' | 'last' | 'shots'>> & {
  readonly foul: Foul | null;
  /** Balls to put back on the table. */
  readonly spot?: readonly number[];
};

/** How many object balls a break must drive to a cushion if it pockets none. */
export const BREAK_RAILS = 4;

export function groupOf(ball: number): Group | null {
  if (ball === EIGHT) return null;
  return ball < EIGHT ? 'solids' : 'stripes';
}

/**
 * Whether the seat to move plays for the 8: its group is gone. If all other balls on an open table
 * have fallen without a call, either seat does; the WPA does not say so, but otherwise nobody could
 * continue.
 */
export function isOnEight({ variant, groups, seat, table }: PoolState): boolean {
  if (variant !== 'eightball') return false;
  const own = groups?.[seat];
  return table.every((place, n) => n === 0 || place === null || !isOwn(n, own));
}

/** Whether this ball may be hit first, and counts, for a player who is not on the 8 yet. */
function isOwn(ball: number, own: Group | undefined): boolean {
  return ball !== EIGHT && (own === undefined || groupOf(ball) === own);
}

export function judgeEightball(state: PoolState, action: ShotAction, facts: Facts): Verdict {
  return state.isBreak ? judgeBreak(state, facts) : judgeShot(state, action, facts);
}

/** A turn that continues or passes, with nothing in hand and no choices. */
function turnOf(seat: Seat): Verdict {
  return { foul: null, seat, isBreak: false, inHand: null, choices: [] };
}

/** WPA 3.3: choices after a break that drove too few balls, or that pocketed the 8. */
function judgeBreak({ seat }: PoolState, facts: Facts): Verdict {
  const { pocketed, railed, scratched } = facts;
  const other = otherSeat(seat);
  const foul = scratched === null ? null : 'scratch';
  const inHand = scratched === null ? null : 'behind_head_string';
  const choosing = (chooser: Seat, choices: readonly Choice[], why: Foul | null): Verdict => ({
    ...turnOf(chooser),
    foul: why,
    choices,
    inHand,
  });
  if (pocketed.some(({ ball }) => ball === EIGHT)) {
    return choosing(scratched === null ? seat : other, ['spot', 'rerack'], foul);
  }
  if (pocketed.length === 0 && railed < BREAK_RAILS) {
    return choosing(other, ['accept', 'rerack', 'pass'], foul ?? 'weak_break');
  }
  if (scratched !== null) return { ...turnOf(other), foul, inHand };
  return turnOf(pocketed.length > 0 ? seat : other);
}

function judgeShot(state: PoolState, action: ShotAction, facts: Facts): Verdict {
  const { seat } = state;
  const foul = findFoul(state, facts);
  if (facts.pocketed.some(({ ball }) => ball === EIGHT)) {
    return { ...turnOf(seat), foul, result: judgeEight(state, action, facts, foul) };
  }
  if (foul !== null) return { ...turnOf(otherSeat(seat)), foul, inHand: 'anywhere' };
  const scored = action.safety === true ? null : findScored(state, action, facts);
  if (scored === null) return turnOf(otherSeat(seat));
  return { ...turnOf(seat), groups: state.groups ?? groupsWith(seat, scored) };
}

function groupsWith(seat: Seat, own: Group): readonly [Group, Group] {
  const other = own === 'solids' ? 'stripes' : 'solids';
  return seat === 0 ? [own, other] : [other, own];
}

/** The group of the ball that earns the next shot; null if none does. */
function findScored(
  { callPocket, groups, seat }: PoolState,
  { call }: ShotAction,
  { pocketed }: Facts,
): Group | null {
  const counts = (ball: number) => groups === null || groupOf(ball) === groups[seat];
  const scored =
    callPocket === 'all'
      ? pocketed.find(({ ball, pocket }) => ball === call?.ball && pocket === call.pocket)
      : pocketed.find(({ ball }) => counts(ball));
  return scored === undefined ? null : groupOf(scored.ball);
}

/** WPA 3.8: who wins when the 8 has fallen. */
function judgeEight(
  state: PoolState,
  { call }: ShotAction,
  { pocketed }: Facts,
  foul: Foul | null,
): NonNullable<PoolState['result']> {
  const other = otherSeat(state.seat);
  if (!isOnEight(state)) return { winner: other, reason: 'eight_early' };
  if (foul !== null) return { winner: other, reason: 'eight_with_foul' };
  const fallen = pocketed.find(({ ball }) => ball === EIGHT)!;
  const isCalled = call?.ball === EIGHT && call.pocket === fallen.pocket;
  if (state.callPocket !== 'none' && !isCalled) {
    return { winner: other, reason: 'eight_wrong_pocket' };
  }
  return { winner: state.seat, reason: 'eight_pocketed' };
}

/** WPA 3.9. While the table is open any ball but the 8 may be hit first (3.4). */
function findFoul(state: PoolState, facts: Facts): Foul | null {
  const { first, scratched, isBehindString, isRailed } = facts;
  if (scratched !== null) return 'scratch';
  if (first === null) return 'no_contact';
  const isRight = isOnEight(state) ? first === EIGHT : isOwn(first, state.groups?.[state.seat]);
  if (!isRight) return 'wrong_ball_first';
  if (state.inHand === 'behind_head_string' && isBehindString) return 'behind_head_string';
  return isRailed ? null : 'no_rail';
}
