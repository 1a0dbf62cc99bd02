/**
 * P6 gift: no time is given back without an interruption, and no more than the interruption can
 * have taken.
 */

import { nextDeadline, RETURN_GRACE_MS } from '../../src/match/deadline.ts';
import type { Fault } from '../plan.ts';
import type { StoredData } from '../store/stored.ts';
import type { Stretch, Trouble } from '../world/nemesis.ts';
import type { History } from './history.ts';
import { lengthOf, listTroubles, type Past, partsIn, troublesOf } from './past.ts';
import { type LogStep, nodesOf, readLog } from './turns.ts';

/** The lost time of a session in memory begins this much before a fault, and ends this much after. Ms. */
const REACH: {
  readonly [fault in Fault | 'other']?: { readonly before: number; readonly after: number };
} = {
  /** A pulse comes every 250 ms; a heartbeat, every 500, may be in progress. */
  pause: { before: 600, after: 300 },
  /** A heartbeat is sent every 500 ms, and a call that hangs fails after four seconds. */
  other: { before: 1_000, after: 8_000 },
};
/** How long after a fault a session may still have to be loaded because of it. Ms. */
const AFTERMATH_MS = 20_000;

/**
 * In every run no record gives back more than has passed since the last one, or what leaves ten
 * seconds. If clocks are right, faults must explain it. No table shows why a session was loaded:
 * then any fault near its nodes does.
 */
export function checkGifts(
  { sessions }: StoredData,
  past: Past,
  areClocksRight: boolean,
  history: History,
): void {
  const troubles = listTroubles(past);
  for (const kept of sessions.values()) {
    const steps = readLog(kept);
    for (const [at, step] of steps.entries()) {
      const { record, v } = step.entry;
      const lostMs = 'lostMs' in record ? record.lostMs : 0;
      if (lostMs === 0) continue;
      const window = steps.slice(at - 1, at + 1);
      const mostMs = Math.min(
        sinceLastRecord(step),
        areClocksRight ? explainedMs(past, troubles, window) : Infinity,
      );
      if (lostMs <= mostMs) continue;
      const id = kept.row.id;
      history.found(
        `P6 gift: ${id} was given ${lostMs} ms at ${v}, where ${Math.round(mostMs)} could be lost`,
      );
    }
  }
}

/** All the time that has passed, or what leaves ten seconds to the next deadline. */
function sinceLastRecord({ entry, before }: LogStep): number {
  const deadline = nextDeadline(before!) ?? Infinity;
  return Math.max(entry.at - before!.at, entry.at + RETURN_GRACE_MS - deadline);
}

/**
 * The most that the faults between two records may have taken; Infinity if the session was loaded
 * because of one.
 */
function explainedMs(past: Past, troubles: readonly Trouble[], window: readonly LogStep[]): number {
  const { entry, kept, before } = window.at(-1)!;
  const between: Stretch = { from: before!.at, to: entry.at };
  const touching = troublesOf(past, troubles, nodesOf(window));
  const isNew = before!.v === 0;
  if (kept.isLoaded || kept.slept || isNew || entry.record.k === 'owned') {
    const isTouched = touching.some(
      ({ from, to }) => from <= between.to && to + AFTERMATH_MS >= between.from,
    );
    return isTouched ? Infinity : 0;
  }
  const reached = touching.map(({ fault, from, to }) => {
    const { before: earlier, after } = (REACH[fault] ?? REACH.other)!;
    return { from: from - earlier, to: to + after };
  });
  return lengthOf(partsIn(between, reached));
}
