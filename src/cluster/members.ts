/** Who is there: this node's own lease, and what it sees of the others'. */

import type { Cancel, Clock } from '../runtime/ports.ts';
import type { LeaseRow, MemberStore, Renewal } from '../store/cluster.ts';

/** What a node is told of leases. None of these may throw. */
export interface MemberEvents {
  /** Another node's lease is over, or it has left: its sessions may be taken over. Once for each time. */
  onDead(node: LeaseRow): void;
  /** Another node's lease is valid: with each look. */
  onAlive(node: LeaseRow): void;
  /**
   * This node's lease may be over: others may hold what it has in memory. It lets go of everything and
   * answers nothing from memory until `onHeld`.
   */
  onLapsed(): void;
  /** This node holds a lease again. What nobody else has taken it may take back. */
  onHeld(): void;
  /**
   * The store took no heartbeat between these times, ms since 1970: it refused them, or did not answer. Told again and
   * again as that goes on, and when it is over.
   */
  onSilent(from: number, to: number): void;
}

export interface Members {
  /**
   * Takes the first lease and begins to look. Rejects when the store cannot be asked. Of nodes whose
   * lease was over before nothing is told: whoever joins takes over what nobody holds anyway.
   */
  join(events: MemberEvents): Promise<void>;
  /** The other nodes whose lease is valid, as last seen, by id. */
  others(): readonly LeaseRow[];
  /** Does this node hold its lease, as far as it can know without asking? */
  isHeld(): boolean;
  /** Tells `onSilent` of the time until now, if the store takes no heartbeat: it is told of itself every half second. */
  tellSilent(): void;
  /**
   * The bus finds nobody at a node. If its heartbeats have stopped too its lease is ended, without
   * waiting until it runs out.
   */
  suspect(node: string): void;
  /** Says that this node is about to leave. It goes on holding its lease. */
  drain(): Promise<void>;
  /** Gives the lease up: the end. Nothing is told afterwards. */
  leave(): Promise<void>;
}

export interface MembersDeps {
  /** This process's life. */
  readonly node: string;
  readonly store: MemberStore;
  readonly clock: Clock;
  /** The store cannot be asked, and is asked again and again. Once, until it can be. */
  onError(error: unknown): void;
}

/** How long a lease holds, by the store's clock. */
export const LEASE_MS = 5_000;
/** How often it is renewed, and the others are looked at. */
export const HEARTBEAT_MS = 500;
/** A node counts its own lease as over so much earlier: clocks do not run alike. */
const MARGIN_MS = 500;
/** Heartbeats that may be under way at one time, when the store is slow. */
const UNDER_WAY_MAX = 6;
/** A store that takes no heartbeat for so long is more than slow. */
const SILENT_STORE_MS = 1_000;
/** A node that the bus finds nobody at, and that has not renewed its lease for so long, is dead. */
const SILENT_MS = 1_200;
/** How often that is looked at, and how long after the bus last said so. */
const SUSPECT_LOOK_MS = 100;
const SUSPECT_MS = 2_000;

interface State {
  readonly deps: MembersDeps;
  events: MemberEvents;
  /** Others whose lease was valid when last seen, and those of which `onDead` has been told. */
  readonly alive: Map<string, LeaseRow>;
  readonly dead: Set<string>;
  /** When the bus last said that nobody is there, by node. */
  readonly suspects: Map<string, number>;
  /** By this node's clock: until then its lease holds for certain. */
  heldUntil: number;
  isHeld: boolean;
  /** When the store last took a heartbeat, and since when it has been asked for one and took none; ms since 1970. */
  tookAt: number;
  silentSince: number;
  isDraining: boolean;
  isOver: boolean;
  isFailing: boolean;
  underWay: number;
  /** The latest of them. */
  lastBeat: Promise<void>;
  /** Lists are numbered as they are asked for; one that is older than what was seen is not looked at. */
  asked: number;
  seen: number;
  cancelBeat: Cancel;
  cancelLapse: Cancel;
}

const nothing = (): void => undefined;

export function makeMembers(deps: MembersDeps): Members {
  const state: State = {
    ...{
      deps,
      events: {
        onDead: nothing,
        onAlive: nothing,
        onLapsed: nothing,
        onHeld: nothing,
        onSilent: nothing,
      },
    },
    ...{ alive: new Map(), dead: new Set(), suspects: new Map() },
    ...{ tookAt: -Infinity, silentSince: Infinity },
    ...{ heldUntil: -Infinity, isHeld: false, isDraining: false, isOver: false, isFailing: false },
    ...{
      underWay: 0,
      lastBeat: Promise.resolve(),
      asked: 0,
      seen: 0,
      cancelBeat: nothing,
      cancelLapse: nothing,
    },
  };
  return {
    async join(events) {
      await renew(state);
      await look(state);
      state.events = events;
      beatLater(state);
    },
    others: () => [...state.alive.values()].sort((a, b) => (a.node < b.node ? -1 : 1)),
    isHeld: () => deps.clock.now() < state.heldUntil,
    tellSilent: () => tellSilent(state),
    suspect: (node) => suspect(state, node),
    async drain() {
      state.isDraining = true;
      await renew(state);
    },
    async leave() {
      state.isOver = true;
      state.isHeld = false;
      state.heldUntil = -Infinity;
      state.cancelBeat();
      state.cancelLapse();
      // Or it would begin the lease anew.
      await state.lastBeat;
      await deps.store.removeNode(deps.node);
    },
  };
}

function beatLater(state: State): void {
  state.cancelBeat = state.deps.clock.after(HEARTBEAT_MS, () => {
    beatLater(state);
    tellSilent(state);
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
  if (!state.isFailing && !state.isOver) state.deps.onError(error);
  state.isFailing = true;
}

async function renew(state: State): Promise<void> {
  const { store, clock, node } = state.deps;
  // The lease lasts at least this long after the store was asked, whenever it answers.
  const askedAt = clock.now();
  const until = askedAt + LEASE_MS - MARGIN_MS;
  state.silentSince = Math.min(state.silentSince, askedAt);
  const renewal = await store.renewLease(node, LEASE_MS, state.isDraining);
  tellSilent(state);
  state.tookAt = clock.now();
  state.silentSince = Infinity;
  if (!state.isOver) settle(state, renewal, Math.max(until, state.heldUntil));
}

/** Not only when it is over: deadlines run out meanwhile. */
function tellSilent({ deps, events, tookAt, silentSince, isOver }: State): void {
  const now = deps.clock.now();
  if (!isOver && now - silentSince >= SILENT_STORE_MS) events.onSilent(tookAt, now);
}

/** What the answer to a heartbeat means for what this node holds. */
function settle(state: State, renewal: Renewal, until: number): void {
  const { clock } = state.deps;
  if (renewal === 'lost' || clock.now() >= state.heldUntil) lapse(state);
  state.heldUntil = until;
  state.cancelLapse();
  const left = until - clock.now();
  // The answer took longer than the lease lasts.
  if (left <= 0) return;
  state.cancelLapse = clock.after(left, () => lapse(state));
  if (state.isHeld) return;
  state.isHeld = true;
  state.events.onHeld();
}

function lapse(state: State): void {
  if (!state.isHeld) return;
  state.isHeld = false;
  state.heldUntil = -Infinity;
  state.events.onLapsed();
}

/** Sees whose lease is valid. */
async function look(state: State): Promise<void> {
  state.asked += 1;
  const number = state.asked;
  const rows = await state.deps.store.listLeases();
  if (state.isOver || number < state.seen) return;
  state.seen = number;
  const others = rows.filter(({ node }) => node !== state.deps.node);
  /** Of whom there is no row any more. */
  const left = new Map(state.alive);
  for (const row of others) {
    left.delete(row.node);
    if (row.isValid) see(state, row);
    else bury(state, row);
  }
  for (const row of left.values()) bury(state, row);
  const listed = new Set(rows.map(({ node }) => node));
  for (const node of state.dead) if (!listed.has(node)) state.dead.delete(node);
}

function see(state: State, row: LeaseRow): void {
  state.alive.set(row.node, row);
  state.dead.delete(row.node);
  state.events.onAlive(row);
}

function bury(state: State, row: LeaseRow): void {
  state.alive.delete(row.node);
  state.suspects.delete(row.node);
  if (state.dead.has(row.node)) return;
  state.dead.add(row.node);
  state.events.onDead(row);
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
  if (at === undefined || state.isOver) return;
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
