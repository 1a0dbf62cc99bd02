/** Ticks on their way from the server: gathered into frames, and into batches to be committed. */

import type { TickRules } from '../../../game/src/game.ts';
import type { TickRun } from '../../../game/src/tick-game.ts';
import { BATCH_TICKS_MAX, makeRuns } from '../../../game/src/tick-game.ts';
import type { TicksFrame } from './rollback.ts';

/** A frame goes out every so many ticks when a mask has changed, and every so many when none has. */
export const FRAME_TICKS = 3;
export const IDLE_FRAME_TICKS = 9;
/** Ticks that may be played and not committed yet; beyond that the match stands still. */
export const UNCOMMITTED_TICKS_MAX = 60;

/** What one commit covers. */
export interface Batch<State> {
  readonly from: number;
  readonly runs: readonly TickRun[];
  /** What they came to when they were played; null where it is not kept. */
  readonly played: Played<State> | null;
}

export interface Played<State> {
  readonly before: State;
  readonly after: State;
}

export interface Feed<State> {
  /** A tick was played: what was held down, and the state after it. */
  add(masks: readonly number[], after: State): void;
  /** The frame that is due, if one is; all that is left when `isLast`. For everybody alike. */
  frame(isLast?: boolean): TicksFrame | null;
  /** The next batch to be committed, once it is full or `isLast`; one at a time, else null. */
  batch(isLast?: boolean): Batch<State> | null;
  /** The log has come to that tick: a batch under way that led there is done. */
  committed(tick: number): void;
  /** What follows a whole `state` at the last committed tick, so that nobody waits for it. */
  rest(): TicksFrame | null;
  /** True while so much is not committed that nothing more may be played. */
  readonly isFull: () => boolean;
  /** True while all that was played is committed. */
  readonly isEmpty: () => boolean;
}

interface Ticks<State> {
  readonly rules: Pick<TickRules<State>, 'ticksPerSecond' | 'tickOf' | 'hash'>;
  /** All that is not committed, tick by tick, from `committedTick` on. */
  readonly open: (readonly number[])[];
  committedTick: number;
  /** Ticks of the batch under way; 0 when there is none. */
  underWay: number;
  /** The next tick to go into a frame. */
  sentTick: number;
  /** The masks of the last tick sent. */
  sentMasks: readonly number[] | null;
  /** Has a mask changed since then? Looked at as ticks come, as frames are asked for in each. */
  hasChanged: boolean;
  hashedTick: number;
  state: State;
  /**
   * The state that the next batch begins with, null where it is not known, and those after each full batch
   * that follows: all states would be many for the collector of garbage to look through.
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

/** Never more than has been sent: who was told last is not told less than the log. */
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

/** The state after the batch that is taken; null where it is not kept. The next batch begins with it. */
function takeAfter<State>(ticks: Ticks<State>): State | null {
  const { rules, afters, state, committedTick, underWay } = ticks;
  const end = committedTick + underWay;
  ticks.before = [...afters, state].find((each) => rules.tickOf(each) === end) ?? null;
  ticks.afters = afters.filter((each) => rules.tickOf(each) > end);
  return ticks.before;
}
