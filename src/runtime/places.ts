/** Places that are taken and left again: how much of a kind a tenant may have open at once (rule H6). */

import type { LimitStore } from '../store/limits.ts';
import { StoreAway } from '../store/store-away.ts';
import type { Clock } from './ports.ts';

/** Gives a place back; harmless after the first time. */
export type LeavePlace = () => void;

export interface Places {
  /**
   * Takes one of the `max` places under a key, e.g. `streams:live ten_a`; null when all are taken.
   * Rejects when the store that counts for all nodes cannot be asked, or does not count this node: then with `StoreAway`.
   */
  take(key: string, max: number): Promise<LeavePlace | null>;
  /** Gives back what is not needed. To be called every second. */
  maintain(): void;
  /**
   * To be called when the node holds a lease again after it had none: others could take what this
   * node has in advance, and of one that was gone for long the store keeps nothing.
   */
  catchUp(): void;
}

/** All places are this process's. */
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

/** So many places are had in advance at most; of a small number fewer, as others may want them. */
const AHEAD_MAX = 64;
/** What all nodes together have in advance is at most this part of all. */
const AHEAD_PART = 8;
/** After all places were taken the store is asked again so much later. Ms. */
const FULL_MS = 200;

export interface LeasedPlacesDeps {
  readonly store: Pick<LimitStore, 'holdPlaces'>;
  readonly clock: Clock;
  readonly node: string;
  /** How many nodes live, this one among them. */
  nodes(): number;
  /** Does this node hold its lease? Places are its own for as long only. */
  isHeld(): boolean;
  /** The store cannot be asked. */
  onError(error: unknown): void;
}

/** The places under a key as this node has them. */
interface Held {
  readonly key: string;
  max: number;
  taken: number;
  /** How many it may take, those that are taken among them. */
  held: number;
  /** The store said that there are no more: it is not asked before. */
  fullUntil: number;
  /** Was one taken since the last `maintain`? */
  isInUse: boolean;
  /** The node's row may say something else than is held here: the last call failed, or its lease was over. */
  isUnsure: boolean;
  /** How often the node's lease has begun again: what was held under the lease before may be another node's. */
  leases: number;
  /** Of a call to the store; one at a time. */
  underWay: Promise<void> | null;
}

/**
 * A node's row says how many places it may take, and the rows of all nodes that live are never more
 * than there are places. Some are had in advance, so that not each has to wait for the store.
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
        // Time may have stood still for this node alone: what it had may be another node's by now.
        if (!deps.isHeld()) throw noLease();
        if (here.taken < here.held) return takeOne(here);
        if (deps.clock.now() < here.fullUntil) return null;
        await (here.underWay ?? hold(deps, here, here.taken + 1 + ahead(deps, here)));
        // Forgotten meanwhile, as nobody had a place.
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
  // What is given up is given up before it is said.
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

function noLease(): StoreAway {
  return new StoreAway('this node has no lease: its places are not counted');
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
