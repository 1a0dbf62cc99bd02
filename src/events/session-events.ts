/** What of a session's log a tenant is told: an event for most records (rule E1). */

import type { Step } from '../match/decide.ts';
import type { Entry } from '../match/record.ts';
import { makeResult } from '../match/result.ts';
import type { EndedSession, Roster, Session } from '../match/session.ts';
import type { EventType, EventWorld, NewEvent } from './event.ts';
import { makeSeatMark } from './marks.ts';

type Told = Pick<NewEvent, 'type' | 'data'>;

/** The event of a new session. Training is nobody's business but the player's: it has none. */
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
): readonly NewEvent[] {
  const events: NewEvent[] = [];
  if (mode === 'training') return events;
  for (const step of steps) {
    const told = tellStep(step);
    if (told === null) continue;
    const { type, data } = told;
    const { at } = step.entry;
    events.push({ id: makeId(), tenant, mode, type, session: step.after.id, at, data });
  }
  return events;
}

function tellStep({ entry: { v, record }, after }: Step): Told | null {
  switch (record.k) {
    case 'action':
      return {
        type: 'move.made',
        data: `{"v":${v},"seat":${record.seat},"action":${JSON.stringify(record.action)}}`,
      };
    case 'joined':
      return tellSeat(record.bot ? 'bot.injected' : 'player.joined', record.seat);
    case 'connected':
      return tellSeat('player.connected', record.seat);
    case 'disconnected':
      return tellSeat('player.disconnected', record.seat);
    case 'started':
      return { type: 'session.started', data: '{}' };
    case 'ended':
      return tellEnd(after);
    case 'created':
    case 'entropy':
    case 'draw':
    case 'missed':
    case 'forfeited':
    case 'owned':
    case 'paused':
      return null;
  }
}

function tellSeat(type: EventType, seat: number): Told {
  return { type, data: `{"seat":${seat}}` };
}

/** `expired` instead of `ended` when it never became active in time. */
function tellEnd(session: Session): Told {
  const ended = session as EndedSession;
  const roster: Roster = ended.seats.map(({ taken }, seat) =>
    taken ? { id: makeSeatMark(seat), displayName: null } : null,
  );
  return {
    type: ended.outcome.reason === 'expired' ? 'session.expired' : 'session.ended',
    data: JSON.stringify({ result: makeResult(ended, roster) }),
  };
}
