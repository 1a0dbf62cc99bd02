/**
 * The frames of play in `matchd.v2` (rule P12): JSON lists that begin with the session's number on
 * the socket. They are made for number 0, which is the only one of most sockets. Times are ms since
 * the session was created. All other frames are those of `matchd.v1`.
 */

import type { Json, Outcome, Seat } from '../../../game/src/game.ts';
import type { TicksFrame } from '../../games/ticks/rollback.ts';
import type { Change } from './change.ts';

/** The subprotocol a frame is for: `matchd.v1`, `matchd.v2`. */
export type Wire = 1 | 2;

export interface CompactUpdate {
  readonly v: number;
  readonly prev: number;
  readonly at: number;
  readonly seat: Seat;
  readonly action: Json;
  readonly turn: Seat | null;
  /** Replaces `turn` in a game in which several seats act at the same time. */
  readonly acting: readonly Seat[] | undefined;
  readonly deadline: number | null;
  readonly view: Change;
  readonly legal: Change;
  /** Null without a clock. */
  readonly clock: CompactClock | null;
}

export interface CompactClock {
  readonly remainingMs: readonly number[];
  readonly running: Seat | null;
  readonly flagsAt: number | null;
}

export interface CompactOver {
  readonly v: number;
  readonly prev: number;
  readonly at: number;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly moveCount: number;
}

/** `[n, v, at, seat, action, turn, deadline, view, legal, [remaining, running, flagsAt]?, prev?, id?]` */
export function makeCompactUpdate(update: CompactUpdate): string {
  const { v, prev, at, seat, action, turn, acting, deadline, view, legal, clock } = update;
  const frame: Json[] = [0, v, at, seat, action, acting ?? turn, deadline, view, legal];
  if (clock !== null) frame.push([clock.remainingMs, clock.running, clock.flagsAt]);
  // Nearly always it is the version before.
  if (prev !== v - 1) frame.push(prev);
  return JSON.stringify(frame);
}

/** `[n, "over", v, at, reason, winners, places, durationMs, moveCount, detail?, scores?, prev?]` */
export function makeCompactOver(over: CompactOver): string {
  const { v, prev, at, outcome, durationMs, moveCount } = over;
  const { reason, winners, places, detail, scores } = outcome;
  const frame: Json[] = [0, 'over', v, at, reason, winners, places, durationMs, moveCount];
  if (Object.keys(detail).length > 0) frame.push(detail);
  if (scores !== undefined) frame.push(scores);
  if (prev !== v - 1) frame.push(prev);
  return JSON.stringify(frame);
}

/** `[n, "ticks", from, inputs, committed, hash?]` */
export function makeCompactTicks({ from, inputs, committed, hash }: TicksFrame): string {
  return JSON.stringify([0, 'ticks', from, inputs, committed, ...(hash ? [hash] : [])]);
}

/** A whole state of `matchd.v1`, with what the following compact frames need. */
export function withNumber(state: string, createdAt: number): string {
  return `${state.slice(0, -1)},"base":${createdAt},"n":0}`;
}

/** An update that also acknowledges its command, for the sender. */
export function acknowledging(update: string, id: string): string {
  return `${update.slice(0, -1)},${JSON.stringify(id)}]`;
}

/** A session's frame for a socket on which the session has that number. */
export function numbered(text: string, n: number): string {
  if (n === 0) return text;
  if (text.startsWith('[0,')) return `[${n}${text.slice(2)}`;
  return text.startsWith('{"t":"state"') ? `${text.slice(0, -2)}${n}}` : text;
}
