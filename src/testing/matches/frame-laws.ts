/** The laws of every session's frames: the chain, the secrets, a state for each viewer. */

import { expect } from 'bun:test';
import type { AnyGame, Json } from '../../../game/src/game.ts';
import { actingSeats } from '../../../game/src/game.ts';
import type { Numbers } from '../../../sdk/src/frames/compact.ts';
import { spellOut } from '../../../sdk/src/frames/compact.ts';
import type { Step } from '../../match/decide.ts';
import { gameOf } from '../../match/evolve.ts';
import type { Wire } from '../../match/frames/compact.ts';
import type { Viewer } from '../../match/frames/frames.ts';
import { makeState, makeStepFrame, viewOf } from '../../match/frames/frames.ts';
import { makeResult } from '../../match/result.ts';
import type { Roster, Session } from '../../match/session.ts';
import { thaw } from './session-laws.ts';
import type { Trace } from './session-trace.ts';
import { makeTestRoster, TEST_ROOM_CODE, TEST_SECRET } from './session-trace.ts';

/** A frame as a client reads it. */
export type ReadFrame = { readonly [key: string]: Json };

/** Every frame of a session, in order, as one viewer reads them with `matchd.v1`. */
export function framesFor(trace: Trace, viewer: Viewer): readonly ReadFrame[] {
  return textsFor(trace, viewer, 1).map((text) => JSON.parse(text));
}

/** The same with `matchd.v2`, each expanded. */
function compactFramesFor(trace: Trace, viewer: Viewer): readonly ReadFrame[] {
  const roster = makeTestRoster(trace.first.seats.length);
  const numbers: Numbers = new Map();
  const first = makeState(trace.first, {
    roomCode: TEST_ROOM_CODE,
    roster,
    viewer,
    prev: trace.first.v,
    wire: 2,
  });
  spellOut(numbers, JSON.parse(first));
  return textsFor(trace, viewer, 2).flatMap((text) => spellOut(numbers, JSON.parse(text)) as never);
}

function textsFor(trace: Trace, viewer: Viewer, wire: Wire): readonly string[] {
  const roster = makeTestRoster(trace.first.seats.length);
  const texts: string[] = [];
  let prev = trace.first.v;
  for (const { before, step, next } of stepsOf(trace)) {
    const frame = makeStepFrame(step, { roomCode: TEST_ROOM_CODE, roster, prev, before, next });
    if (frame === null) continue;
    texts.push(frame.text(viewer, wire));
    prev = step.entry.v;
  }
  return texts;
}

/** A step, the session before it, and the next step of the same commit. */
interface Stepped {
  readonly before: Session;
  readonly step: Step;
  readonly next: Step | undefined;
}

function stepsOf({ commands }: Trace): readonly Stepped[] {
  return commands.flatMap(({ before, decision: { steps } }) =>
    steps.map((step, index) => ({
      before: steps[index - 1]?.after ?? before,
      step,
      next: steps[index + 1],
    })),
  );
}

/** Without the fields of `matchd.v2`, and undefined ones. */
function plain({ n: _, base: __, ...frame }: ReadFrame): ReadFrame {
  return asJson(frame) as ReadFrame;
}

function viewersOf({ seats }: Session): readonly Viewer[] {
  return [null, ...seats.keys()];
}

/** Checks every frame of a trace for every viewer, and the whole state after every record. */
export function checkFrames(trace: Trace): void {
  const roster = makeTestRoster(trace.first.seats.length);
  const steps = stepsOf(trace);
  for (const viewer of viewersOf(trace.first)) {
    const frames = framesFor(trace, viewer);
    // Every record after the first shows something, so the chain has no gap; ticks were shown
    // before.
    const shown = steps.filter(({ step }) => step.entry.record.k !== 'ticks');
    expect(frames.map(({ v }) => v)).toEqual(shown.map(({ step }) => step.entry.v));
    expect(compactFramesFor(trace, viewer).map(plain)).toEqual([...frames]);
    let prev: Json = trace.first.v;
    for (const [index, frame] of frames.entries()) {
      expect(frame['prev']).toBe(prev);
      prev = frame['v']!;
      const { step, next } = shown[index]!;
      checkFrame(frame, step, next, roster, viewer);
    }
    checkState(trace.first, roster, viewer);
  }
}

function checkFrame(
  frame: ReadFrame,
  { entry, after }: Step,
  next: Step | undefined,
  roster: Roster,
  viewer: Viewer,
): void {
  expect(frame['s']).toBe(after.id);
  expect(JSON.stringify(frame)).not.toContain(TEST_SECRET);
  checkState(after, roster, viewer);
  switch (frame['t']) {
    case 'update':
      checkUpdate(frame, after, next?.after.status === 'ended', viewer);
      if (entry.record.k === 'action') checkAction(frame, entry.record, gameOf(after), viewer);
      return;
    case 'over':
      expect(after.status).toBe('ended');
      if (after.status === 'ended')
        expect(frame['result']).toEqual(asJson(makeResult(after, roster)));
      return;
    case 'presence':
      expect(frame['seat']).toBe('seat' in entry.record ? entry.record.seat : null);
      expect(frame['connected']).toBe(after.seats[Number(frame['seat'])]!.connected);
      return;
    default:
      expect(frame['t']).toBe('state');
      expect(frame).toEqual(stateFor(after, roster, viewer, Number(frame['prev'])));
      if (entry.record.k === 'started') expect(frame['status']).toBe('active');
      return;
  }
}

function checkUpdate(frame: ReadFrame, after: Session, isLast: boolean, viewer: Viewer): void {
  if (after.status !== 'active') throw new Error('An update after the end');
  const game = gameOf(after);
  const { state } = after.play;
  expect(frame['view']).toEqual(asJson(game.view(state, viewer)));
  if (isLast) {
    expect(frame).toMatchObject({ turn: null, legal: [], deadline: null });
    expect((frame['clock'] as ReadFrame | null)?.['running'] ?? null).toBeNull();
    return;
  }
  expect(frame['turn']).toBe(game.turn(state));
  const acting = actingSeats(game, state);
  if (game.acting !== undefined) expect(frame['acting']).toEqual(acting);
  const own = viewer !== null && acting.includes(viewer) ? viewer : acting[0];
  const legal = game.legalActions(state, own);
  if (legal === null) expect(frame).not.toHaveProperty('legal');
  else {
    const isOpen = game.openInformation && game.acting === undefined;
    const isShown = isOpen || own === viewer;
    expect(frame['legal']).toEqual(isShown ? asJson(legal) : []);
  }
}

/** With hidden information, unless the game says otherwise, only the acting seat sees the action. */
function checkAction(
  frame: ReadFrame,
  { seat, action }: { readonly seat: number; readonly action: Json },
  { openInformation }: AnyGame,
  viewer: Viewer,
): void {
  expect(frame['action']).toEqual(openInformation || viewer === seat ? action : null);
}

function stateFor(session: Session, roster: Roster, viewer: Viewer, prev: number): ReadFrame {
  return JSON.parse(makeState(session, { roomCode: TEST_ROOM_CODE, roster, viewer, prev }));
}

/** The whole state has every field of rule P3, and no secret. */
function checkState(session: Session, roster: Roster, viewer: Viewer): void {
  const state = stateFor(session, roster, viewer, session.v);
  expect(state).toMatchObject({
    t: 'state',
    s: session.id,
    v: session.v,
    game: session.setup.game,
    variant: session.setup.variant,
    status: session.status,
    seat: viewer,
    turn: session.status === 'active' ? gameOf(session).turn(session.play.state) : null,
    view: asJson(viewOf(session, viewer)),
  });
  for (const field of ['players', 'clock', 'deadline']) expect(state).toHaveProperty(field);
  expect(state['legal'] ?? []).toBeArray();
  expect(JSON.stringify(state)).not.toContain(TEST_SECRET);
}

function asJson(value: unknown): Json {
  return thaw(value) as Json;
}
