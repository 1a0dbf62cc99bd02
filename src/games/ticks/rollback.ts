/** A player's side of a tick game: predicts with the same step, and rolls back if it was wrong. */

import type { Seat } from '../../../game/src/game.ts';
import type { TickRun } from '../../../game/src/tick-game.ts';
import { countTicks, ticksOf } from '../../../game/src/tick-game.ts';

/** The most ticks by which a player's own input is delayed. */
export const DELAY_TICKS_MAX = 3;
/** A prediction that was wrong for longer is a visible jump, counted separately. */
export const ROLLBACK_TICKS_MAX = 15;
/** Ticks played ahead of the server's; then the game waits. */
export const AHEAD_TICKS_MAX = 30;
/** Ticks between sent masks after a change; without one it is one tick more, unless it is every tick. */
export const SEND_TICKS = 3;

export interface RollbackSetup<State> {
  /** The game's own step and hash, the same functions as on the server. Without a hash none is compared. */
  readonly step: (state: State, masks: readonly number[]) => State;
  readonly hash?: (state: State) => string;
  readonly tickOf: (state: State) => number;
  readonly seats: number;
  /** Null for a watcher. */
  readonly seat: Seat | null;
  /** The committed state to begin with. */
  readonly state: State;
  /** How long own input is held back, 0 to `DELAY_TICKS_MAX`. */
  readonly delayTicks: number;
  /** Replaces `SEND_TICKS`, for games with other than 60 ticks a second. */
  readonly sendTicks?: number;
}

/** `ticks` as received: every seat's inputs from tick `from` on. */
export interface TicksFrame {
  readonly from: number;
  readonly inputs: readonly TickRun[];
  /** The number of committed ticks. */
  readonly committed: number;
  /** The hash of the state after the last of these ticks; sent once a second. */
  readonly hash?: string;
}

/** `in` as sent, without the session. */
export interface MasksFrame {
  readonly from: number;
  readonly masks: readonly number[];
}

/** Why the whole state must be requested again. */
export type SyncReason = 'gap' | 'hash_differs';

export interface RollbackStats {
  /** How often a prediction was wrong, and for how many ticks at most. */
  rollbacks: number;
  deepest: number;
  /** How often one was wrong for more than `ROLLBACK_TICKS_MAX`; not in `rollbacks` or `deepest`. */
  jumps: number;
  /** Total number of ticks played again. */
  replayed: number;
  /** How often the game waited because the server had sent nothing for too long. */
  waits: number;
  /** How often the whole state was requested again, and how often because a hash differed. */
  resyncs: number;
  desyncs: number;
  /** Own masks that the server did not use as sent, because they came too late. */
  refused: number;
}

export interface Rollback<State> {
  /** The state to draw: the prediction. */
  readonly shown: () => State;
  /** The state after the last tick from the server. Never a prediction. */
  readonly confirmed: () => State;
  /** The number of committed ticks: they are final. */
  readonly committed: () => number;
  /** Not null: a `sync` is needed, and nothing is predicted until `restart`. */
  readonly syncReason: () => SyncReason | null;
  /** Plays the next tick. False if the game has to wait for the server. */
  tick(mask: number): boolean;
  /** Masks to send now; null if there is no need yet. */
  outgoing(): MasksFrame | null;
  receive(frame: TicksFrame): void;
  /** Continues from a committed state: after `sync`, or after the server is back. */
  restart(state: State): void;
  /** Changes the delay of own input, within 0 and `DELAY_TICKS_MAX`. */
  setDelay(ticks: number): void;
  readonly stats: Readonly<RollbackStats>;
}

/** The mutable state. Ticks are counted from 0; `guesses[0]` is for the tick after `confirmed`. */
interface Core<State> {
  readonly setup: RollbackSetup<State>;
  confirmed: State;
  /** How many ticks `confirmed` and `shown` include. */
  confirmedTick: number;
  shown: State;
  shownTick: number;
  /** The predictions, tick by tick, from `confirmedTick` to `shownTick`. */
  guesses: (readonly number[])[];
  /** Masks by seat of the last tick received. */
  last: readonly number[];
  /** Own masks for the ticks from `ownFrom` on. */
  own: number[];
  ownFrom: number;
  /** Own masks before this tick have been sent. */
  sentTo: number;
  delay: number;
  committed: number;
  syncReason: SyncReason | null;
  readonly stats: RollbackStats;
}

export function makeRollback<State>(setup: RollbackSetup<State>): Rollback<State> {
  const stats: RollbackStats = {
    rollbacks: 0,
    deepest: 0,
    jumps: 0,
    replayed: 0,
    waits: 0,
    resyncs: 0,
    desyncs: 0,
    refused: 0,
  };
  const core: Core<State> = { ...openCore(setup, setup.state), delay: 0, stats };
  core.delay = boundedDelay(setup.delayTicks);
  return {
    shown: () => core.shown,
    confirmed: () => core.confirmed,
    committed: () => core.committed,
    syncReason: () => core.syncReason,
    tick: (mask) => tick(core, mask),
    outgoing: () => outgoing(core),
    receive: (frame) => receive(core, frame),
    restart: (state) => void Object.assign(core, openCore(setup, state)),
    setDelay(ticks) {
      core.delay = boundedDelay(ticks);
    },
    stats,
  };
}

function boundedDelay(ticks: number): number {
  return Math.min(DELAY_TICKS_MAX, Math.max(0, Math.trunc(ticks)));
}

function openCore<State>(
  setup: RollbackSetup<State>,
  state: State,
): Omit<Core<State>, 'delay' | 'stats'> {
  const tickNumber = setup.tickOf(state);
  return {
    setup,
    confirmed: state,
    confirmedTick: tickNumber,
    shown: state,
    shownTick: tickNumber,
    guesses: [],
    last: Array<number>(setup.seats).fill(0),
    own: [],
    ownFrom: tickNumber,
    sentTo: tickNumber,
    committed: tickNumber,
    syncReason: null,
  };
}

function tick<State>(core: Core<State>, mask: number): boolean {
  if (core.syncReason !== null) return false;
  if (core.shownTick - core.confirmedTick >= AHEAD_TICKS_MAX) {
    core.stats.waits += 1;
    return false;
  }
  if (core.setup.seat !== null) plan(core, core.setup.seat, mask);
  playGuess(core);
  return true;
}

/** Own input for the tick that is `delay` ahead; when the delay grows the gap repeats the last mask. */
function plan<State>(core: Core<State>, seat: Seat, mask: number): void {
  skipConfirmed(core);
  const target = core.shownTick + core.delay;
  const end = core.ownFrom + core.own.length;
  // When the delay shrinks, planned masks stay: they may have been sent.
  for (let at = end; at < target; at += 1) core.own.push(core.own.at(-1) ?? core.last[seat]!);
  if (end <= target) core.own.push(mask);
}

/** Ticks received while nothing was played here need no masks any more. */
function skipConfirmed<State>(core: Core<State>): void {
  if (core.ownFrom + core.own.length >= core.confirmedTick) return;
  core.own = [];
  core.ownFrom = core.confirmedTick;
  core.sentTo = core.confirmedTick;
}

function playGuess<State>(core: Core<State>): void {
  const masks = guess(core, core.shownTick);
  core.guesses.push(masks);
  core.shown = core.setup.step(core.shown, masks);
  core.shownTick += 1;
}

/** The others repeat their last input; one's own is known. */
function guess<State>({ last, own, ownFrom, setup }: Core<State>, at: number): readonly number[] {
  if (setup.seat === null) return last;
  const masks = last.slice();
  masks[setup.seat] = own[at - ownFrom] ?? last[setup.seat]!;
  return masks;
}

function outgoing<State>(core: Core<State>): MasksFrame | null {
  if (core.setup.seat === null || core.syncReason !== null) return null;
  const from = core.sentTo;
  const masks = core.own.slice(from - core.ownFrom);
  if (masks.length === 0) return null;
  const before = core.own[from - core.ownFrom - 1];
  const isIdle = masks.every((mask) => mask === before);
  const due = core.setup.sendTicks ?? SEND_TICKS;
  if (masks.length < (isIdle && due > 1 ? due + 1 : due)) return null;
  core.sentTo += masks.length;
  forget(core);
  return { from, masks };
}

/** Own masks are kept from the last tick received on, and the one before what must still be sent. */
function forget<State>(core: Core<State>): void {
  const needed = Math.min(core.confirmedTick, core.sentTo - 1) - core.ownFrom;
  if (needed <= 0) return;
  core.own.splice(0, needed);
  core.ownFrom += needed;
}

function receive<State>(core: Core<State>, frame: TicksFrame): void {
  if (core.syncReason !== null) return;
  const to = frame.from + countTicks(frame.inputs);
  core.committed = Math.max(core.committed, frame.committed);
  if (to <= core.confirmedTick) return;
  if (frame.from > core.confirmedTick) {
    requestState(core, 'gap');
    return;
  }
  const told = ticksOf(frame.inputs).slice(core.confirmedTick - frame.from);
  const wrongAt = confirm(core, told);
  const hash = frame.hash === undefined ? undefined : core.setup.hash?.(core.confirmed);
  if (hash !== undefined && hash !== frame.hash) {
    requestState(core, 'hash_differs');
  } else if (wrongAt !== null) rollBack(core, wrongAt);
  else catchUp(core);
}

/** Plays received ticks, and finds the first wrong prediction; null if there is none. */
function confirm<State>(core: Core<State>, told: readonly (readonly number[])[]): number | null {
  const { setup } = core;
  let wrongAt: number | null = null;
  for (const [index, masks] of told.entries()) {
    const guessed = core.guesses[index];
    const at = core.confirmedTick;
    if (guessed !== undefined && !isSame(guessed, masks)) wrongAt ??= at;
    if (setup.seat !== null) noteRefusal(core, at, masks[setup.seat]!);
    core.confirmed = setup.step(core.confirmed, masks);
    core.confirmedTick += 1;
    core.last = masks;
  }
  core.guesses.splice(0, told.length);
  forget(core);
  return wrongAt;
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.every((mask, seat) => mask === other[seat]);
}

function noteRefusal<State>(core: Core<State>, at: number, used: number): void {
  const sent = at < core.sentTo ? core.own[at - core.ownFrom] : undefined;
  if (sent !== undefined && sent !== used) core.stats.refused += 1;
}

/** The server is ahead of the shown state: no prediction is left, and the caller's clock is slow. */
function catchUp<State>(core: Core<State>): void {
  if (core.shownTick > core.confirmedTick) return;
  core.shown = core.confirmed;
  core.shownTick = core.confirmedTick;
}

/**
 * Plays again from the last tick received. `AHEAD_TICKS_MAX` limits the depth, and the server's
 * state would be no newer.
 */
function rollBack<State>(core: Core<State>, wrongAt: number): void {
  const { stats } = core;
  const depth = core.shownTick - wrongAt;
  if (depth > ROLLBACK_TICKS_MAX) stats.jumps += 1;
  else {
    stats.rollbacks += 1;
    stats.deepest = Math.max(stats.deepest, depth);
  }
  const to = Math.max(core.shownTick, core.confirmedTick);
  stats.replayed += to - core.confirmedTick;
  core.guesses = [];
  core.shown = core.confirmed;
  core.shownTick = core.confirmedTick;
  while (core.shownTick < to) playGuess(core);
}

/** Nothing is predicted any more: the shown state stays until the whole state arrives. */
function requestState<State>(core: Core<State>, reason: SyncReason): void {
  core.syncReason = reason;
  core.stats.resyncs += 1;
  if (reason === 'hash_differs') core.stats.desyncs += 1;
}
