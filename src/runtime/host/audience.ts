/** What a match's subscribers get: the frames of a commit, and the whole state. */

import type { Step } from '../../match/decide.ts';
import type { Frame } from '../../match/frames/frames.ts';
import { makeState, makeStepFrame, makeTicks, showsState } from '../../match/frames/frames.ts';
import type { Session } from '../../match/session.ts';
import type { LeftSeat } from '../../store/store.ts';
import { separately } from './answers.ts';
import type { Match } from './match-table.ts';
import type { Answer, Subscriber, Work, WorkResult } from './work.ts';

/** Called when an engine throws while frames are made. */
export type OnBroken = (error: unknown) => void;

/** Frames in their order, and the version of the last of them. */
export interface Shown {
  readonly frames: readonly Frame[];
  readonly v: number;
}

/**
 * What a commit shows beyond what was already shown. `before`: the session before the commit. `isStateDue`: play
 * stops or resumes, so the whole state is shown.
 */
export function makeFrames(
  match: Match,
  before: Session,
  steps: readonly Step[],
  isStateDue: boolean,
): Shown {
  const frames: Frame[] = [];
  let v = match.shown;
  let isWhole = isStateDue;
  const ticksAt = steps.findLastIndex(({ entry }) => entry.record.k === 'ticks');
  for (const [index, step] of steps.entries()) {
    // When a match's ticks are ahead of its log, one state is shown and the ticks played since: none once these ticks
    // have ended it, as everybody was shown them before.
    if (showsState(step.entry.record) && (match.room !== null || index < ticksAt)) {
      isWhole ||= match.room !== null;
      continue;
    }
    const frame = makeStepFrame(step, {
      roster: match.roster,
      roomCode: match.row.roomCode,
      prev: v,
      before: steps[index - 1]?.after ?? before,
      memory: match,
      next: steps[index + 1],
    });
    if (frame === null) continue;
    frames.push(frame);
    v = step.entry.v;
  }
  if (!isWhole) return { frames, v };
  return { frames: [...frames, ...wholeState(match, v)], v: match.session.v };
}

/** The whole state for everybody, and the ticks that were shown and are not in it. */
function wholeState(match: Match, prev: number): Frame[] {
  const { session, roster, room } = match;
  const { roomCode } = match.row;
  const state: Frame = {
    isShared: false,
    updates: null,
    text: (viewer, wire) =>
      makeState(session, { roster, roomCode, viewer, prev, wire, zeroAt: room?.zeroAt }),
  };
  const rest = uncommittedTicks(match);
  return rest === null ? [state] : [state, rest];
}

/** Ticks that were shown and are not in the log yet; null when there are none. */
export function uncommittedTicks({ session, room }: Match): Frame | null {
  const rest = room?.feed.rest() ?? null;
  return rest === null ? null : makeTicks(session.id, rest);
}

/**
 * The same, with the texts for these subscribers made in one call of an operator's rules, which has a time limit.
 */
export function withTexts({ frames, v }: Shown, subscribers: readonly Subscriber[]): Shown {
  const texts = frames.map((frame) => {
    const made = new Map<string, string>();
    for (const { viewer, wire = 1 } of subscribers) {
      const of = frame.isShared ? `${wire}` : `${wire} ${viewer}`;
      if (!made.has(of)) made.set(of, frame.text(viewer, wire));
    }
    // A shared frame caches its texts itself.
    if (frame.isShared) return frame;
    const text: Frame['text'] = (viewer, wire) =>
      made.get(`${wire} ${viewer}`) ?? frame.text(viewer, wire);
    return { ...frame, text };
  });
  return { frames: texts, v };
}

/** Answers the work, and sends the frames to everybody; to the origin in one write. */
export function publish(
  match: Match,
  work: Work,
  result: WorkResult,
  frames: readonly Frame[],
  breaks: OnBroken,
): void {
  // Fixed before `done`, which may add a subscriber: a new one is sent a whole state.
  const audience = match.subscribers;
  const first = work.done(result);
  const answer = first && { ...first, update: updateOf(frames, first) };
  let isOriginAnswered = answer === undefined;
  const texts = makeTexts(frames, breaks);
  for (const subscriber of audience) {
    const shown = texts(subscriber);
    if (subscriber === work.origin && answer !== undefined) {
      isOriginAnswered = true;
      // If the frames could not be made, nothing is acknowledged.
      subscriber.send(shown, shown.length === 0 ? separately(answer) : answer);
    } else if (shown.length > 0) subscriber.send(shown);
  }
  if (!isOriginAnswered) work.origin?.send([], separately(first!));
}

/** The frame that shows the record of an answer, as an update. */
function updateOf(frames: readonly Frame[], { told }: Answer): number {
  return told.kind === 'done' ? frames.findIndex(({ updates }) => updates === told.v) : -1;
}

/** Sends everybody the whole state. */
export function showState(match: Match, breaks: OnBroken): void {
  const frames = wholeState(match, match.shown);
  match.shown = match.session.v;
  showFrames(match, frames, breaks);
}

/** Sends everybody the frames. */
export function showFrames(match: Match, frames: readonly Frame[], breaks: OnBroken): void {
  const texts = makeTexts(frames, breaks);
  for (const subscriber of match.subscribers) {
    const shown = texts(subscriber);
    if (shown.length > 0) subscriber.send(shown);
  }
}

/**
 * Removes subscribers of seats that were left: the seat's next player is somebody else. Returns them; when they
 * look again, they find no seat of theirs.
 */
export function removeLeavers(match: Match, left: readonly LeftSeat[]): readonly Subscriber[] {
  if (left.length === 0) return [];
  const isLeft = (seat: number | null): boolean => left.some((each) => each.seat === seat);
  match.roster = match.roster.map((player, seat) => (isLeft(seat) ? null : player));
  const gone = match.subscribers.filter(({ viewer }) => isLeft(viewer));
  match.subscribers = match.subscribers.filter(({ viewer }) => !isLeft(viewer));
  return gone;
}

/**
 * The texts of frames for each subscriber; none once the engine has thrown. Frames that are the same for all
 * viewers are one list per subprotocol.
 */
function makeTexts(
  frames: readonly Frame[],
  breaks: OnBroken,
): (subscriber: Subscriber) => readonly string[] {
  const isSame = frames.every(({ isShared }) => isShared);
  const made: (readonly string[])[] = [];
  const make = ({ viewer, wire = 1 }: Subscriber): readonly string[] => {
    try {
      return frames.map((frame) => frame.text(viewer, wire));
    } catch (error) {
      breaks(error);
      return [];
    }
  };
  return isSame ? (each) => (made[each.wire ?? 1] ??= make(each)) : make;
}
