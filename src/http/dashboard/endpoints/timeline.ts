/** A session's log in readable form: what happened when, without the secret seed (rule S9). */

import { makeTime } from '../../../match/frames/frames.ts';
import type { Entry, LogRecord } from '../../../match/record.ts';

export interface TimelineRow {
  readonly v: number;
  readonly at: string;
  /** The record's kind. */
  readonly kind: LogRecord['k'];
  /** Null when no seat did it. */
  readonly seat: number | null;
  /** The kind's details; null for none. */
  readonly detail: unknown;
}

/** `hidesActions`: the match is running with hidden information, so actions are left out (rule S9d). */
export function timelineOf(
  entries: readonly Entry[],
  hidesActions: boolean,
): readonly TimelineRow[] {
  return entries.map(({ v, at, record }) => ({
    v,
    at: makeTime(at),
    kind: record.k,
    seat: 'seat' in record ? record.seat : null,
    detail: hidesActions && record.k === 'action' ? null : detailOf(record),
  }));
}

/** An allow-list of fields: anything else is left out. */
function detailOf(record: LogRecord): unknown {
  switch (record.k) {
    case 'created': {
      const { seed, ...setup } = record.setup;
      return { ...setup, seats: setup.seats, taken: record.taken, bots: record.bots };
    }
    case 'joined':
      return { bot: record.bot };
    case 'left':
      return { by: record.id === null ? 'tenant' : 'player' };
    case 'entropy':
      return { value: record.value };
    case 'action':
      return record.action;
    case 'ticks':
      return { from: record.from, count: record.runs.length };
    case 'draw':
      return { do: record.do };
    case 'forfeited':
      return { reason: record.reason };
    case 'ended':
      return record.outcome;
    case 'owned':
    case 'paused':
      return { lostMs: record.lostMs };
    case 'connected':
    case 'disconnected':
    case 'started':
    case 'missed':
      return null;
  }
}
