/** The legality of an action: everything that is refused before a ball is struck. */

import type { Refusal } from '../../../game/src/game.ts';
import { illegalMove } from '../../../game/src/refusal.ts';
import type { Call, Choice, PoolAction, ShotAction } from './action.ts';
import { groupOf, isOnEight } from './eightball.ts';
import type { Strike } from './physics/strike.ts';
import { AIM_MAX, ELEVATION_MAX, OFFSET_MAX, SPEED_MAX, SPEED_MIN } from './physics/strike.ts';
import { refusePlace } from './rack.ts';
import type { PoolState } from './state.ts';

/** Why the seat to move may not do this; null if it may. */
export function refuseAction(state: PoolState, action: PoolAction): Refusal | null {
  const error = 'choose' in action ? wrongChoice(state, action.choose) : wrongShot(state, action);
  return error === null ? null : illegalMove(error);
}

function wrongChoice({ choices }: PoolState, choice: Choice): string | null {
  if (choices.includes(choice)) return null;
  if (choices.length === 0) return 'There is nothing to choose: a shot is due';
  return `The choice is between ${choices.join(', ')}`;
}

function wrongShot(state: PoolState, action: ShotAction): string | null {
  if (state.choices.length > 0) return `First choose: ${state.choices.join(', ')}`;
  return (
    wrongStrike(action.shot) ??
    wrongPlacing(state, action) ??
    wrongPushOut(state, action) ??
    wrongCall(state, action)
  );
}

/** Why a strike is impossible; null if it is possible. */
export function wrongStrike({ aim, speed, side, follow, elevation }: Strike): string | null {
  if (Math.abs(aim) > AIM_MAX) return `The aim has to be from -${AIM_MAX} to ${AIM_MAX}`;
  if (speed < SPEED_MIN || speed > SPEED_MAX) {
    return `The speed has to be from ${SPEED_MIN} to ${SPEED_MAX}`;
  }
  if (side * side + follow * follow > OFFSET_MAX * OFFSET_MAX) {
    return `Side and follow have to lie within ${OFFSET_MAX} of the middle`;
  }
  if (elevation < 0 || elevation > ELEVATION_MAX) {
    return `The elevation has to be from 0 to ${ELEVATION_MAX}`;
  }
  return null;
}

function wrongPlacing({ table, inHand }: PoolState, { place }: ShotAction): string | null {
  if (inHand === null) return place === undefined ? null : 'The cue ball is not in hand';
  if (place !== undefined) return refusePlace(table, [place.x, place.y], inHand);
  return table[0] === null ? 'The cue ball is in hand: place it' : null;
}

function wrongPushOut(state: PoolState, { pushOut }: ShotAction): string | null {
  if (pushOut === undefined || state.mayPushOut) return null;
  return 'Only the shot after a break can be a push-out';
}

function wrongCall(state: PoolState, { call, safety }: ShotAction): string | null {
  if (state.variant === 'nineball' || state.isBreak) {
    const what = state.isBreak ? 'on a break' : 'in nineball';
    return call === undefined && safety === undefined ? null : `Nothing is called ${what}`;
  }
  if (safety !== undefined) return call === undefined ? null : 'A safety calls no ball';
  const eight = isOnEight(state);
  const isCalled = state.callPocket === 'all' || (state.callPocket === 'eight' && eight);
  if (!isCalled) return call === undefined ? null : 'This shot is not called';
  if (call === undefined) return 'This shot needs a call, or safety';
  return wrongCalledBall(state, call, eight);
}

function wrongCalledBall(state: PoolState, { ball }: Call, eight: boolean): string | null {
  if ((state.table[ball] ?? null) === null) return `Ball ${ball} is not on the table`;
  if (eight) return ball === 8 ? null : 'Only the 8 is left to call';
  if (ball === 8) return 'The 8 can be called once the own group is gone';
  const own = state.groups?.[state.seat];
  return own === undefined || groupOf(ball) === own ? null : `Ball ${ball} is not of the ${own}`;
}
