/** The events of a session's records, game by game. */

import { expect, test } from 'bun:test';
import { EVENT_DATA } from '../contract/answers/event-answers.ts';
import type { Step } from '../match/decide.ts';
import { follow, lastDecision, startTrace } from '../testing/matches/session-trace.ts';
import { type CommitEvent, isRecordEvent } from './event.ts';
import { makeStepEvents } from './session-events.ts';

const WORLD = { tenant: 'ten_a', mode: 'live' } as const;

function eventsOf(steps: readonly Step[], mode: 'live' | 'training' = 'live'): CommitEvent[] {
  return [...makeStepEvents({ ...WORLD, mode }, steps, () => 'evt_x')];
}

test("[E1] a move is in its record; the game's own events come after it", () => {
  const trace = follow(
    startTrace(),
    { kind: 'act', seat: 0, id: 'a', action: { position: 4 } },
    1_000,
  );
  const [step] = lastDecision(trace).steps as [Step];
  expect(eventsOf([step])).toEqual([
    { ...WORLD, session: step.after.id, v: step.entry.v, at: step.entry.at },
  ]);
  const told = [
    { type: 'checkers.crowned', data: { seat: 0, square: 3 } },
    { type: 'nobody.knows', data: {} },
  ];
  const [move, crowned, ...rest] = eventsOf([{ ...step, told }]);
  expect(isRecordEvent(move!)).toBe(true);
  expect(crowned).toMatchObject({ type: 'checkers.crowned', data: '{"seat":0,"square":3}' });
  expect(rest).toEqual([]);
  EVENT_DATA['checkers.crowned'].parse({ seat: 0, square: 3 });
});

test('[E1] training has no events', () => {
  const trace = follow(
    startTrace(),
    { kind: 'act', seat: 0, id: 'a', action: { position: 4 } },
    1_000,
  );
  expect(eventsOf(lastDecision(trace).steps, 'training')).toEqual([]);
});
