/** All limits on requests and sockets: of this process alone, or shared by nodes (rule H6). */

import type { LimitStore } from '../../store/limits.ts';
import type { WindowLimiter } from '../../tenancy/limiter.ts';
import { makeWindowLimiter, WINDOW_MS } from '../../tenancy/limiter.ts';
import type { Clock } from '../ports.ts';
import { type LeasedWindows, makeLeasedWindows } from './leased-windows.ts';
import { makeLeasedPlaces, makeLocalPlaces, type Places } from './places.ts';

/** Rows of windows that ended this long ago are removed: no node's clock is that far behind. Ms. */
const STORED_MS = 10 * WINDOW_MS;

export interface Limits {
  /** Requests of plans, by tenant and mode. */
  readonly planWindows: Pick<LeasedWindows, 'take'>;
  /** Requests of the dashboard, by account. */
  readonly dashboardWindows: Pick<LeasedWindows, 'take'>;
  /** Requests that failed the key check, by address. Separate, so that a flood of these drops no plan's window. */
  readonly wrongKeyWindows: Pick<WindowLimiter, 'take'>;
  /** What a plan lets a tenant have open at once. */
  readonly places: Places;
  /** Returns surplus. To be called every second. */
  maintain(): void;
  /** To be called when the node holds a lease again after a gap. */
  catchUp(): void;
  /** Removes expired rows; returns how many. To be called now and then. */
  sweep(): Promise<number>;
  /**
   * The shutdown: returns unspent leased tokens, and allows no more of them. To be called once requests are
   * answered. Rejects when the store did not accept all of them.
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
  /** The number of live nodes, including this one. */
  nodes(): number;
  /** Does this node hold its lease? */
  isHeld(): boolean;
  /** The store cannot be asked: requests are refused once the leased tokens are spent. */
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
      // Each node counts its own share: an attacker who guesses keys must not cause writes.
      take: (key, limit, now) => wrongKeys.take(key, Math.max(1, Math.floor(limit / nodes())), now),
    },
    places,
    maintain() {
      windows.maintain();
      places.maintain();
    },
    catchUp: places.catchUp,
    sweep: () => store.removeLeftovers(clock.now() - STORED_MS),
    close: windows.close,
  };
}
