/** The events that a tenant receives of a session's log: one for most records (rule E1). */

import type { Seat } from '../../game/src/game.ts';
import type { Step } from '../match/decide.ts';
import { shownInStep } from '../match/frames/frames.ts';
import type { Entry, LogRecord } from '../match/record.ts';
import { makeResult } from '../match/result.ts';
import type { EndedSession, Roster, Session } from '../match/session.ts';
import type { CommitEvent, EventType, EventWorld, NewEvent, RecordEvent } from './event.ts';
import { EVENT_TYPES } from './event.ts';
import { makeRecordEventId } from './event-id.ts';
import { makeSeatMark } from './marks.ts';

type Told = Pick<NewEvent, 'type' | 'data'>;
const NOTHING: readonly Told[] = [];

/** Kinds of records whose event needs no further data. */
const TOLD_BY_RECORD: ReadonlySet<LogRecord['k']> = new Set([
  'action',
  'connected',
  'disconnected',
]);

/** The event of a new session. Training concerns only the player: it has none. */
export function makeCreatedEvents(
  world: EventWorld,
  session: string,
  entry: Entry,
  makeId: () => string,
): readonly NewEvent[] {
  const { tenant, mode } = world;
  if (mode === 'training' || entry.record.k !== 'created') return [];
  const data = JSON.stringify({ seats: entry.record.taken });
  const { at } = entry;
  return [{ id: makeId(), tenant, mode, type: 'session.created', session, at, data }];
}

/** The events of records about to be committed, in their order. */
export function makeStepEvents(
  { tenant, mode }: EventWorld,
  steps: readonly Step[],
  makeId: () => string,
  before: Session | null = null,
): readonly CommitEvent[] {
  const events: CommitEvent[] = [];
  if (mode === 'training') return events;
  for (const [index, step] of steps.entries()) {
    const { v, at, record } = step.entry;
    const session = step.after.id;
    const isByRecord = TOLD_BY_RECORD.has(record.k) && !isHidden(step);
    if (isByRecord) events.push({ tenant, mode, session, v, at });
    // Of most records that is all.
    if (step.told === undefined && isByRecord) continue;
    const then = steps[index - 1]?.after ?? before;
    for (const { type, data } of [...stepEvents(step, then), ...gameEvents(step)]) {
      events.push({ id: makeId(), tenant, mode, type, session, at, data });
    }
  }
  return events;
}

/** What the game has to say of its own. Engines' words that no tenant was promised are not passed on. */
function gameEvents({ told = [] }: Step): readonly Told[] {
  return told.flatMap(({ type, data }) => {
    const known = EVENT_TYPES.find((each) => each === type);
    return known === undefined ? [] : [{ type: known, data: JSON.stringify(data) }];
  });
}

/** The event that is derived from a record; null when the record no longer allows it. */
export function makeRecordEvent(told: RecordEvent, record: LogRecord): NewEvent | null {
  const { tenant, mode, session, v, at } = told;
  const event = recordEvent(v, record);
  return event === null
    ? null
    : { id: makeRecordEventId(session, v, at), tenant, mode, session, at, ...event };
}

/** The many: what happens again and again in a match, and needs nothing but its record. */
function recordEvent(v: number, record: LogRecord): Told | null {
  switch (record.k) {
    case 'action':
      return {
        type: 'move.made',
        data: JSON.stringify({ v, seat: record.seat, action: record.action }),
      };
    case 'connected':
      return seatEvent('player.connected', v, record.seat);
    case 'disconnected':
      return seatEvent('player.disconnected', v, record.seat);
    default:
      return null;
  }
}

/** A hidden action: its record does not say which part is public. */
function isHidden({ entry: { record }, after }: Step): boolean {
  return record.k === 'action' && !after.rules.game.openInformation;
}

/** An action as it is open to all. */
function hiddenActionEvent(step: Step, seat: Seat, before: Session | null): Told {
  const action = shownInStep(step, before, null);
  return { type: 'move.made', data: JSON.stringify({ v: step.entry.v, seat, action }) };
}

/**
 * The few that are stored completely, so that they outlive the session's log. `before`: the session
 * before the step.
 */
function stepEvents(step: Step, before: Session | null): readonly Told[] {
  const { v, record } = step.entry;
  const { after } = step;
  switch (record.k) {
    case 'action':
      return isHidden(step) ? [hiddenActionEvent(step, record.seat, before)] : NOTHING;
    case 'joined':
      return [seatEvent(record.bot ? 'bot.injected' : 'player.joined', v, record.seat)];
    case 'left':
      return [seatEvent('player.left', v, record.seat)];
    case 'started':
      return [{ type: 'session.started', data: '{}' }];
    case 'ended':
      return [endEvent(after)];
    default:
      return NOTHING;
  }
}

/** With the record's version: the seat's player may change before the start. */
function seatEvent(type: EventType, v: number, seat: number): Told {
  return { type, data: `{"v":${v},"seat":${seat}}` };
}

/** `expired` instead of `ended` when it never became active in time. */
function endEvent(session: Session): Told {
  const ended = session as EndedSession;
  const roster: Roster = ended.seats.map(({ taken }, seat) =>
    taken ? { id: makeSeatMark(seat), displayName: null } : null,
  );
  return {
    type: ended.outcome.reason === 'expired' ? 'session.expired' : 'session.ended',
    data: JSON.stringify({ result: makeResult(ended, roster) }),
  };
}
