/** Membership: this node's own lease, and the other nodes' leases. */

import type { Cancel, Clock } from '../../runtime/ports.ts';
import type { LeaseRow, MemberStore, Renewal } from '../../store/cluster.ts';

/** Lease events of a node. None of these may throw. */
export interface MemberEvents {
  /** Another node's lease has expired, or it has left: its sessions may be taken over. Once each time. */
  onDead(node: string): void;
  /** This node's lease may have expired: other nodes may own what it has in memory. */
  onLapsed(): void;
  /** This node holds a lease again. It may take back what no other node has taken. */
  onRegained(): void;
}

/** What its lease allows this node. */
export type LeaseState =
  /** The lease may have expired: this node owns no session and takes none. */
  | 'lapsed'
  /** The lease began again a moment ago. Other nodes may be about to regain theirs: their sessions are not taken. */
  | 'regained'
  | 'held'
  /** This node gives its sessions away and takes none, until it has left. */
  | 'draining';

/** The store took no heartbeat between these times, ms since 1970: it refused them, or did not answer. */
export interface Silence {
  readonly from: number;
  readonly to: number;
}

export interface Members {
  /**
   * Takes the first lease and starts watching. Rejects when the store cannot be asked. Nodes that died before are
   * not reported: a node that joins takes over what nobody owns anyway.
   */
  join(events: MemberEvents): Promise<void>;
  /** The other nodes whose lease is valid, as last seen, by id. */
  others(): readonly LeaseRow[];
  /** Does this node hold its lease, as far as it can know without asking? */
  isHeld(): boolean;
  lease(): LeaseState;
  /** The latest silence of the store, until now if it goes on; null where there was none. */
  silence(): Silence | null;
  /**
   * The bus finds nobody at a node. If its heartbeats have stopped too, its lease is ended before it expires.
   */
  suspect(node: string): void;
  /** Announces that this node is about to leave. It still holds its lease. */
  drain(): Promise<void>;
  /** Gives up the lease at shutdown. No event follows. */
  leave(): Promise<void>;
}

export interface MembersDeps {
  /** This process's life. */
  readonly node: string;
  readonly store: MemberStore;
  readonly clock: Clock;
  /** Have sessions lost time that their logs do not have yet? */
  isLostTimeDue(): boolean;
  /** The store cannot be asked, and is retried. Called once, until it answers. */
  onError(error: unknown): void;
}

/** How long a lease holds, by the store's clock. */
export const LEASE_MS = 5_000;
/** How often it is renewed, and the other leases are read. */
export const HEARTBEAT_MS = 500;
/** A node considers its own lease expired this much earlier: clocks run at different speeds. */
const MARGIN_MS = 500;
/** After an outage of the store all nodes regain their leases within this time of each other. Ms. */
const REGAINED_MS = 2_000;
/** Concurrent heartbeats, when the store is slow. */
const UNDER_WAY_MAX = 6;
/** A store that takes no heartbeat for this long is more than slow. */
const SILENT_STORE_MS = 1_000;
/** A node that the bus finds nobody at, and that has not renewed its lease for this long, is dead. */
const SILENT_MS = 1_200;
/** How often suspects are checked, and how long after the bus last reported nobody. */
const SUSPECT_LOOK_MS = 100;
const SUSPECT_MS = 2_000;

interface State {
  readonly deps: MembersDeps;
  /** Null until this node has joined. */
  events: MemberEvents | null;
  stage: 'serving' | 'draining' | 'left';
  /** By this node's clock its lease is certain to hold until then. Null when it holds none. */
  heldUntil: number | null;
  regainedUntil: number;
  /** When the store last took a heartbeat, and since when heartbeats have failed; ms since 1970. */
  tookAt: number;
  silentSince: number;
  lastSilence: Silence | null;
  /** Others whose lease was valid when last seen, and those whose death was reported. */
  readonly alive: Map<string, LeaseRow>;
  readonly dead: Set<string>;
  /** When the bus last reported nobody, by node. */
  readonly suspects: Map<string, number>;
  /** Lists are numbered in the order of their requests; one older than the newest seen is ignored. */
  asked: number;
  seen: number;
  /** Heartbeats, and the latest of them. */
  underWay: number;
  lastBeat: Promise<void>;
  /** The last heartbeat failed, and that was reported. */
  isFailing: boolean;
  cancelBeat: Cancel;
  cancelLapse: Cancel;
}

export function makeMembers(deps: MembersDeps): Members {
  const state: State = {
    deps,
    events: null,
    stage: 'serving',
    heldUntil: null,
    regainedUntil: -Infinity,
    tookAt: -Infinity,
    silentSince: Infinity,
    lastSilence: null,
    alive: new Map(),
    dead: new Set(),
    suspects: new Map(),
    asked: 0,
    seen: 0,
    underWay: 0,
    lastBeat: Promise.resolve(),
    isFailing: false,
    cancelBeat: () => undefined,
    cancelLapse: () => undefined,
  };
  return {
    async join(events) {
      await renew(state);
      await look(state);
      state.events = events;
      beatLater(state);
    },
    others: () => [...state.alive.values()].sort((a, b) => (a.node < b.node ? -1 : 1)),
    isHeld: () => isHeld(state),
    lease: () => leaseOf(state),
    silence: () => silenceOf(state),
    suspect: (node) => suspect(state, node),
    async drain() {
      state.stage = 'draining';
      await renew(state);
    },
    async leave() {
      state.stage = 'left';
      state.heldUntil = null;
      state.cancelBeat();
      state.cancelLapse();
      // Otherwise it would begin the lease again.
      await state.lastBeat;
      await deps.store.removeNode(deps.node);
    },
  };
}

function isHeld({ deps, heldUntil }: State): boolean {
  return heldUntil !== null && deps.clock.now() < heldUntil;
}

function leaseOf(state: State): LeaseState {
  if (state.stage !== 'serving') return 'draining';
  if (!isHeld(state)) return 'lapsed';
  return state.deps.clock.now() < state.regainedUntil ? 'regained' : 'held';
}

/** May this node take a session that it does not own? */
export function mayTake(lease: LeaseState): boolean {
  return lease === 'held' || lease === 'regained';
}

function silenceOf(state: State): Silence | null {
  const { deps, events, stage, tookAt, silentSince, lastSilence } = state;
  const now = deps.clock.now();
  const isSilent = now - silentSince >= SILENT_STORE_MS && events !== null && stage !== 'left';
  return isSilent ? { from: tookAt, to: now } : lastSilence;
}

function beatLater(state: State): void {
  state.cancelBeat = state.deps.clock.after(HEARTBEAT_MS, () => {
    beatLater(state);
    if (state.underWay < UNDER_WAY_MAX) state.lastBeat = beat(state);
  });
}

async function beat(state: State): Promise<void> {
  state.underWay += 1;
  try {
    await renew(state);
    await look(state);
    state.isFailing = false;
  } catch (error) {
    failed(state, error);
  }
  state.underWay -= 1;
}

function failed(state: State, error: unknown): void {
  if (!state.isFailing && state.stage !== 'left') state.deps.onError(error);
  state.isFailing = true;
}

async function renew(state: State): Promise<void> {
  const { store, clock, node, isLostTimeDue } = state.deps;
  // The lease lasts at least this long after the request, whenever the store answers.
  const askedAt = clock.now();
  const until = askedAt + LEASE_MS - MARGIN_MS;
  // Until the previous heartbeat is answered it is unknown whether this node serves.
  const isBehind = state.silentSince < askedAt || isLostTimeDue();
  state.silentSince = Math.min(state.silentSince, askedAt);
  const renewal = await store.renewLease(node, LEASE_MS, state.stage === 'draining', isBehind);
  state.lastSilence = silenceOf(state);
  state.tookAt = clock.now();
  state.silentSince = Infinity;
  if (state.stage !== 'left') settle(state, renewal, until);
}

/** What the answer to a heartbeat means for what this node owns. */
function settle(state: State, renewal: Renewal, until: number): void {
  const now = state.deps.clock.now();
  // Answers may arrive out of order.
  const heldUntil = Math.max(until, state.heldUntil ?? -Infinity);
  if (renewal === 'lost' || !isHeld(state)) lapse(state);
  // The answer took longer than the lease lasts.
  if (heldUntil <= now) return;
  state.cancelLapse();
  state.cancelLapse = state.deps.clock.after(heldUntil - now, () => lapse(state));
  const isNew = state.heldUntil === null;
  state.heldUntil = heldUntil;
  if (!isNew || state.events === null) return;
  state.regainedUntil = now + REGAINED_MS;
  state.events.onRegained();
}

function lapse(state: State): void {
  if (state.heldUntil === null) return;
  state.heldUntil = null;
  state.events?.onLapsed();
}

/** Reads which leases are valid. */
async function look(state: State): Promise<void> {
  state.asked += 1;
  const number = state.asked;
  const rows = await state.deps.store.listLeases();
  if (state.stage === 'left' || number < state.seen) return;
  state.seen = number;
  const others = rows.filter(({ node }) => node !== state.deps.node);
  /** Nodes without a row by now. */
  const gone = new Set(state.alive.keys());
  for (const row of others) {
    gone.delete(row.node);
    if (row.isValid) {
      state.alive.set(row.node, row);
      state.dead.delete(row.node);
    } else bury(state, row.node);
  }
  for (const node of gone) bury(state, node);
  const listed = new Set(rows.map(({ node }) => node));
  for (const node of state.dead) if (!listed.has(node)) state.dead.delete(node);
}

function bury(state: State, node: string): void {
  state.alive.delete(node);
  state.suspects.delete(node);
  if (state.dead.has(node)) return;
  state.dead.add(node);
  state.events?.onDead(node);
}

function suspect(state: State, node: string): void {
  if (!state.alive.has(node)) return;
  const isLookedAt = state.suspects.has(node);
  state.suspects.set(node, state.deps.clock.now());
  if (!isLookedAt) void examine(state, node);
}

/** Ends the lease of a node that is silent on the bus and in the store, or stops suspecting it. */
async function examine(state: State, node: string): Promise<void> {
  const { clock, store } = state.deps;
  const at = state.suspects.get(node);
  if (at === undefined || state.stage === 'left') return;
  if (clock.now() - at > SUSPECT_MS) {
    state.suspects.delete(node);
    return;
  }
  try {
    await store.endLease(node, LEASE_MS - SILENT_MS);
    // Another node may have ended it as well.
    await look(state);
  } catch (error) {
    failed(state, error);
  }
  clock.after(SUSPECT_LOOK_MS, () => void examine(state, node));
}
