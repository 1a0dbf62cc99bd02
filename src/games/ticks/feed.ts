/** Ticks on the way from the server: collected into frames, and into batches to commit. */

import type { TickRules } from '../../../game/src/game.ts';
import type { TickRun } from '../../../game/src/tick-game.ts';
import { BATCH_TICKS_MAX, makeRuns } from '../../../game/src/tick-game.ts';
import type { TicksFrame } from './rollback.ts';

/** Ticks between frames after a change of a mask, and without one. */
export const FRAME_TICKS = 3;
export const IDLE_FRAME_TICKS = 9;
/** The most played but uncommitted ticks; beyond that the match pauses. */
export const UNCOMMITTED_TICKS_MAX = 60;

/** The content of one commit. */
export interface Batch<State> {
  readonly from: number;
  readonly runs: readonly TickRun[];
  /** Their result when they were played; null if it is not stored. */
  readonly played: Played<State> | null;
}

export interface Played<State> {
  readonly before: State;
  readonly after: State;
}

export interface Feed<State> {
  /** A tick was played: its inputs, and the state after it. */
  add(masks: readonly number[], after: State): void;
  /** The due frame, if any; with `isLast` everything that is left. The same for all viewers. */
  frame(isLast?: boolean): TicksFrame | null;
  /** The next batch to commit, once it is full or `isLast`; one at a time, otherwise null. */
  batch(isLast?: boolean): Batch<State> | null;
  /** The log has reached that tick: a batch that led there is committed. */
  committed(tick: number): void;
  /** The ticks after a whole `state` at the last committed tick, so that nobody waits for them. */
  rest(): TicksFrame | null;
  /** True while too many ticks are uncommitted to play more. */
  readonly isFull: () => boolean;
  /** True while everything that was played is committed. */
  readonly isEmpty: () => boolean;
}

interface Ticks<State> {
  readonly rules: Pick<TickRules<State>, 'ticksPerSecond' | 'tickOf' | 'hash'>;
  /** The uncommitted ticks, from `committedTick` on. */
  readonly open: (readonly number[])[];
  committedTick: number;
  /** Ticks of the running batch; 0 if there is none. */
  underWay: number;
  /** The next tick to send. */
  sentTick: number;
  /** The masks of the last tick sent. */
  sentMasks: readonly number[] | null;
  /** Whether a mask has changed since then. Tracked per tick, because frames are requested in each. */
  hasChanged: boolean;
  hashedTick: number;
  state: State;
  /**
   * The state at the beginning of the next batch, null if unknown, and those after each full batch.
   * Storing every state would burden the garbage collector.
   */
  before: State | null;
  afters: State[];
}

export function makeFeed<State>(rules: Ticks<State>['rules'], state: State): Feed<State> {
  const tick = rules.tickOf(state);
  const ticks: Ticks<State> = {
    rules,
    open: [],
    committedTick: tick,
    underWay: 0,
    sentTick: tick,
    sentMasks: null,
    hasChanged: true,
    hashedTick: tick,
    state,
    before: state,
    afters: [],
  };
  return {
    add(masks, after) {
      ticks.open.push(masks);
      ticks.state = after;
      const forBatches = ticks.open.length - ticks.underWay;
      if (forBatches % BATCH_TICKS_MAX === 0) ticks.afters.push(after);
      ticks.hasChanged ||= masks.some((mask, seat) => mask !== ticks.sentMasks![seat]);
    },
    frame: (isLast = false) => takeFrame(ticks, isLast),
    batch: (isLast = false) => takeBatch(ticks, isLast),
    committed(tick) {
      if (tick <= ticks.committedTick) return;
      ticks.open.splice(0, tick - ticks.committedTick);
      ticks.committedTick = tick;
      ticks.underWay = 0;
    },
    rest() {
      const sent = ticks.open.slice(0, ticks.sentTick - ticks.committedTick);
      return sent.length === 0 ? null : frameOf(ticks, ticks.committedTick, sent);
    },
    isFull: () => ticks.open.length >= UNCOMMITTED_TICKS_MAX,
    isEmpty: () => ticks.open.length === 0,
  };
}

function frameOf<State>(
  { committedTick }: Ticks<State>,
  from: number,
  masks: readonly (readonly number[])[],
): TicksFrame {
  return { from, inputs: makeRuns(masks), committed: committedTick };
}

function takeFrame<State>(ticks: Ticks<State>, isLast: boolean): TicksFrame | null {
  const { rules, open, sentTick, committedTick, hasChanged } = ticks;
  const count = committedTick + open.length - sentTick;
  const needed = hasChanged ? FRAME_TICKS : IDLE_FRAME_TICKS;
  if (count < (isLast ? 1 : needed)) return null;
  const fresh = open.slice(-count);
  const frame = frameOf(ticks, sentTick, fresh);
  ticks.sentTick += count;
  ticks.sentMasks = fresh.at(-1)!;
  ticks.hasChanged = false;
  if (ticks.sentTick - ticks.hashedTick < rules.ticksPerSecond) return frame;
  ticks.hashedTick = ticks.sentTick;
  return { ...frame, hash: rules.hash(ticks.state) };
}

/** Never more than has been sent: no viewer may know less than the log. */
function takeBatch<State>(ticks: Ticks<State>, isLast: boolean): Batch<State> | null {
  const sent = ticks.sentTick - ticks.committedTick;
  if (ticks.underWay > 0 || sent === 0 || (sent < BATCH_TICKS_MAX && !isLast)) return null;
  ticks.underWay = Math.min(BATCH_TICKS_MAX, sent);
  const masks = ticks.open.slice(0, ticks.underWay);
  const { before } = ticks;
  const after = takeAfter(ticks);
  const played = before === null || after === null ? null : { before, after };
  return { from: ticks.committedTick, runs: makeRuns(masks), played };
}

/** The state after the taken batch; null if it is not stored. The next batch begins with it. */
function takeAfter<State>(ticks: Ticks<State>): State | null {
  const { rules, afters, state, committedTick, underWay } = ticks;
  const end = committedTick + underWay;
  ticks.before = [...afters, state].find((each) => rules.tickOf(each) === end) ?? null;
  ticks.afters = afters.filter((each) => rules.tickOf(each) > end);
  return ticks.before;
}
