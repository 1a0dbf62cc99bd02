/** Positions of pool for tests, and shots played in them. */

import { isRefusal } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { makeRandom } from '../../../game/src/random.ts';
import type { PoolAction, ShotAction } from './action.ts';
import type { Facts } from './facts.ts';
import type { Strike } from './physics/strike.ts';
import { pool } from './pool.ts';
import type { Place, Table, Variant } from './rack.ts';
import type { PoolState } from './state.ts';

export const noChance: Random = makeRandom('pool', () => 'test', 0);

export function initialOf(variant: Variant, callPocket = 'all'): PoolState {
  return pool.initial({ variant, seats: 2, options: { callPocket } });
}

/** A table with these balls only. */
function tableOf(places: Readonly<Record<number, Place>>, variant: Variant): Table {
  const count = variant === 'eightball' ? 16 : 10;
  return Array.from({ length: count }, (_, n) => places[n] ?? null);
}

/** Seat 0 to shoot with these balls, after the break. */
export function laid(
  places: Readonly<Record<number, Place>>,
  changes: Partial<PoolState> = {},
): PoolState {
  const { variant = 'eightball', callPocket = 'all' } = changes;
  return {
    ...initialOf(variant, callPocket),
    isBreak: false,
    inHand: null,
    table: tableOf(places, variant),
    shots: 1,
    ...changes,
  };
}

export function shotOf(strike: Partial<Strike>, more: Partial<ShotAction> = {}): ShotAction {
  return { shot: { aim: 0, speed: 1, side: 0, follow: 0, elevation: 0, ...strike }, ...more };
}

/** The state after an action of the seat to move. Throws if it is refused. */
export function play(state: PoolState, action: PoolAction): PoolState {
  const applied = pool.apply(state, state.seat, action, noChance);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

/** Why the seat to move may not do this; null if it may. */
export function refusalOf(state: PoolState, action: PoolAction): string | null {
  const applied = pool.apply(state, state.seat, action, noChance);
  return isRefusal(applied) ? applied.error : null;
}

/** A clean shot that hits ball 1 first, drives something to a cushion, and pockets nothing. */
export function factsOf(changes: Partial<Facts>): Facts {
  return {
    first: 1,
    isBehindString: false,
    isRailed: true,
    railed: 4,
    pocketed: [],
    scratched: null,
    ...changes,
  };
}
