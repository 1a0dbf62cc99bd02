/** All limits that requests and sockets run into: of this process alone, or shared by nodes (rule H6). */

import type { LimitStore } from '../store/limits.ts';
import type { WindowLimiter } from '../tenancy/limiter.ts';
import { makeWindowLimiter, WINDOW_MS } from '../tenancy/limiter.ts';
import { type LeasedWindows, makeLeasedWindows } from './leased-windows.ts';
import { makeLeasedPlaces, makeLocalPlaces, type Places } from './places.ts';
import type { Clock } from './ports.ts';

/** Rows of windows that ended so long ago are removed: no node's clock is so far behind. Ms. */
const KEPT_MS = 10 * WINDOW_MS;

export interface Limits {
  /** Requests of plans, by tenant and mode. */
  readonly planWindows: Pick<LeasedWindows, 'take'>;
  /** Requests of the dashboard, by account. */
  readonly dashboardWindows: Pick<LeasedWindows, 'take'>;
  /** Requests that failed the key check, by address. Apart, so that a flood of these forgets no plan. */
  readonly wrongKeyWindows: Pick<WindowLimiter, 'take'>;
  /** What a plan lets a tenant have open at once. */
  readonly places: Places;
  /** Gives back what is not needed. To be called every second. */
  maintain(): void;
  /** To be called when the node holds a lease again after it had none. */
  catchUp(): void;
  /** Removes what is over; answers how many rows. To be called now and then. */
  sweep(): Promise<number>;
  /**
   * The end: gives back what was leased of windows and is not spent, and allows nothing of them any
   * more. To be called once requests are answered. Rejects when the store did not take all of it.
   */
  close(): Promise<void>;
}

export function makeLocalLimits(): Limits {
  return {
    planWindows: makeWindowLimiter(),
    dashboardWindows: makeWindowLimiter(),
    wrongKeyWindows: makeWindowLimiter(),
    places: makeLocalPlaces(),
    maintain() {},
    catchUp() {},
    sweep: async () => 0,
    close: async () => {},
  };
}

export interface SharedLimitsDeps {
  readonly store: LimitStore;
  readonly clock: Clock;
  readonly node: string;
  /** How many nodes live, this one among them. */
  nodes(): number;
  /** Does this node hold its lease? */
  isHeld(): boolean;
  /** The store cannot be asked: requests are refused once what was leased is spent. */
  onAway(error: unknown): void;
}

export function makeSharedLimits(deps: SharedLimitsDeps): Limits {
  const { store, clock, nodes, onAway } = deps;
  const windows = makeLeasedWindows(deps);
  const places = makeLeasedPlaces({ ...deps, onError: onAway });
  const wrongKeys = makeWindowLimiter();
  return {
    planWindows: windows,
    dashboardWindows: {
      take: (key, limit, now) => windows.take(`dashboard:${key}`, limit, now),
    },
    wrongKeyWindows: {
      // A share of its own for each node: who guesses keys must not have rows written for it.
      take: (key, limit, now) => wrongKeys.take(key, Math.max(1, Math.floor(limit / nodes())), now),
    },
    places,
    maintain() {
      windows.maintain();
      places.maintain();
    },
    catchUp: places.catchUp,
    sweep: () => store.removeLeftovers(clock.now() - KEPT_MS),
    close: windows.close,
  };
}
