/** Slots that are taken and released: limits on what a tenant may have open at once (rule H6). */

import type { LimitStore } from '../../store/limits.ts';
import { StoreUnavailable } from '../../store/shared/store-unavailable.ts';
import type { Clock } from '../ports.ts';

/** Releases a slot; harmless after the first time. */
export type LeavePlace = () => void;

export interface Places {
  /**
   * Takes one of the `max` slots under a key, e.g. `streams:live ten_a`; null when all are taken. Rejects with
   * `StoreUnavailable` when the shared store cannot be asked, or does not count this node.
   */
  take(key: string, max: number): Promise<LeavePlace | null>;
  /** Returns surplus. To be called every second. */
  maintain(): void;
  /**
   * To be called when the node holds a lease again after a gap: other nodes could take what it had reserved, and
   * the store keeps nothing for a node that was gone for long.
   */
  catchUp(): void;
}

/** All slots belong to this process. */
export function makeLocalPlaces(): Places {
  const taken = new Map<string, number>();
  return {
    async take(key, max) {
      const count = taken.get(key) ?? 0;
      if (count >= max) return null;
      taken.set(key, count + 1);
      return once(() => {
        const left = taken.get(key)! - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      });
    },
    maintain() {},
    catchUp() {},
  };
}

/** At most this many slots are reserved in advance; fewer of a small limit, because other nodes may need them. */
const AHEAD_MAX = 64;
/** All nodes together reserve at most this part of all slots in advance. */
const AHEAD_PART = 8;
/** After all slots were taken the store is asked again after this delay. Ms. */
const FULL_MS = 200;

export interface LeasedPlacesDeps {
  readonly store: Pick<LimitStore, 'holdPlaces'>;
  readonly clock: Clock;
  readonly node: string;
  /** The number of live nodes, including this one. */
  nodes(): number;
  /** Does this node hold its lease? Its slots are its own only while it does. */
  isHeld(): boolean;
  /** The store cannot be asked. */
  onError(error: unknown): void;
}

/** A key's slots on this node. */
interface Held {
  readonly key: string;
  max: number;
  taken: number;
  /** The slots granted to this node, including those taken. */
  held: number;
  /** The store had no more: it is not asked before this time. */
  fullUntil: number;
  /** Was one taken since the last `maintain`? */
  isInUse: boolean;
  /** The node's row may differ from this state: the last call failed, or its lease had expired. */
  isUnsure: boolean;
  /** How often the node's lease has begun again: slots of the lease before may be another node's. */
  leases: number;
  /** The call to the store in progress; one at a time. */
  underWay: Promise<void> | null;
}

/**
 * A node's row says how many slots it may take, and the rows of all live nodes never exceed the limit. Some are
 * reserved in advance, so that most requests do not wait for the store.
 */
export function makeLeasedPlaces(deps: LeasedPlacesDeps): Places {
  const places = new Map<string, Held>();
  const open = (key: string, max: number): Held => {
    const held: Held = {
      key,
      max,
      taken: 0,
      held: 0,
      fullUntil: 0,
      isInUse: false,
      isUnsure: false,
      leases: 0,
      underWay: null,
    };
    places.set(key, held);
    return held;
  };
  return {
    async take(key, max) {
      const here = places.get(key) ?? open(key, max);
      if (here.max !== max) Object.assign(here, { max, fullUntil: 0 });
      for (;;) {
        if (here.taken >= here.max) return null;
        // This node alone may have stood still: its slots may be another node's by now.
        if (!deps.isHeld()) throw noLease();
        if (here.taken < here.held) return takeOne(here);
        if (deps.clock.now() < here.fullUntil) return null;
        await (here.underWay ?? hold(deps, here, here.taken + 1 + ahead(deps, here)));
        // Dropped meanwhile, because no slot was taken.
        if (places.get(key) !== here) places.set(key, here);
      }
    },
    maintain() {
      if (!deps.isHeld()) return;
      for (const [key, here] of places) {
        if (here.underWay !== null) continue;
        const wanted = here.taken + (here.isInUse ? ahead(deps, here) : 0);
        here.isInUse = false;
        if (here.held > wanted || here.isUnsure) hold(deps, here, wanted).catch(deps.onError);
        else if (here.taken === 0 && here.held === 0) places.delete(key);
      }
    },
    catchUp() {
      for (const here of places.values()) {
        here.held = here.taken;
        here.isUnsure = true;
        here.leases += 1;
      }
    },
  };
}

function takeOne(here: Held): LeavePlace {
  here.taken += 1;
  here.isInUse = true;
  return once(() => {
    here.taken -= 1;
  });
}

function ahead({ nodes }: LeasedPlacesDeps, { max }: Held): number {
  return Math.min(AHEAD_MAX, Math.floor(max / (AHEAD_PART * nodes())));
}

function hold(deps: LeasedPlacesDeps, here: Held, wanted: number): Promise<void> {
  const { key, max, taken, leases } = here;
  // Deducted before the store is notified.
  here.held = Math.min(here.held, Math.max(wanted, taken));
  here.isUnsure = true;
  const { store, node, clock } = deps;
  here.underWay = store
    .holdPlaces({ key, node, max, taken, wanted })
    .then((held) => {
      if (held === null) throw noLease();
      // Granted under the lease before.
      if (here.leases !== leases) return;
      here.held = held;
      here.isUnsure = false;
      if (held < wanted && held <= here.taken) here.fullUntil = clock.now() + FULL_MS;
    })
    .finally(() => {
      here.underWay = null;
    });
  return here.underWay;
}

function noLease(): StoreUnavailable {
  return new StoreUnavailable('this node has no lease: its places are not counted');
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
