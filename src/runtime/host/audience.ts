/** Who is shown a match, and what: the frames of a commit, and the whole state. */

import type { Step } from '../../match/decide.ts';
import type { Frame } from '../../match/frames.ts';
import { makeState, makeStepFrame, makeTicks, showsState } from '../../match/frames.ts';
import type { LeftSeat } from '../../store/store.ts';
import type { Match } from './match-table.ts';
import type { Subscriber, Work, WorkResult } from './work.ts';

/** Told of an engine that threw over what is to be shown. */
export type Breaks = (error: unknown) => void;

/**
 * What a commit shows, as far as it has not been shown. `isStateDue`: play stands still or goes on, so the
 * whole state is shown.
 */
export function makeFrames(match: Match, steps: readonly Step[], isStateDue: boolean): Frame[] {
  const frames: Frame[] = [];
  let isWhole = isStateDue;
  const ticksAt = steps.findLastIndex(({ entry }) => entry.record.k === 'ticks');
  for (const [index, step] of steps.entries()) {
    // Of a match whose ticks are ahead of its log one state is shown, and what was played since:
    // none once these ticks have ended it, as everybody was shown them before.
    if (showsState(step.entry.record) && (match.room !== null || index < ticksAt)) {
      isWhole ||= match.room !== null;
      continue;
    }
    const frame = makeStepFrame(step, match.roster, match.shown, steps[index + 1]);
    if (frame === null) continue;
    frames.push(frame);
    match.shown = step.entry.v;
  }
  if (isWhole) frames.push(...wholeState(match));
  return frames;
}

/** The whole state for everybody, and the ticks that were shown and are not in it. */
function wholeState(match: Match): Frame[] {
  const { session, roster, room } = match;
  const prev = match.shown;
  match.shown = session.v;
  const text = (viewer: Subscriber['viewer']): string =>
    makeState(session, roster, viewer, prev, room?.zeroAt);
  const rest = restOf(match);
  return [
    { shared: false, text },
    ...(rest === null ? [] : [{ shared: true, text: rest } as const]),
  ];
}

/** Ticks that were shown and are not in the log yet; null when there are none. */
export function restOf({ session, room }: Match): string | null {
  const rest = room?.feed.rest() ?? null;
  return rest === null ? null : makeTicks(session.id, rest);
}

/** Answers the work, and shows the frames to everybody; to its origin in one write. */
export function tell(
  match: Match,
  work: Work,
  result: WorkResult,
  frames: readonly Frame[],
  breaks: Breaks,
): void {
  // Fixed before `done`, which may add a subscriber: that one is sent a whole state.
  const audience = match.subscribers;
  const first = work.done(result);
  let isOriginTold = first === undefined;
  const same = textsForAll(frames);
  for (const subscriber of audience) {
    const texts = same ?? textsFor(frames, subscriber, breaks);
    if (subscriber === work.origin && first !== undefined) {
      isOriginTold = true;
      subscriber.send([first, ...texts]);
    } else if (texts.length > 0) subscriber.send(texts);
  }
  if (!isOriginTold) work.origin?.send([first!]);
}

/** Shows everybody the whole state. */
export function showState(match: Match, breaks: Breaks): void {
  const frames = wholeState(match);
  for (const subscriber of match.subscribers) {
    const texts = textsFor(frames, subscriber, breaks);
    if (texts.length > 0) subscriber.send(texts);
  }
}

/**
 * Takes who left off the roster, and their sockets out of the audience: the seat's next player is none of
 * theirs. Answers those sockets' subscribers, who find nothing of theirs here when they look anew.
 */
export function dismissLeavers(match: Match, left: readonly LeftSeat[]): readonly Subscriber[] {
  if (left.length === 0) return [];
  const isLeft = (seat: number | null): boolean => left.some((each) => each.seat === seat);
  match.roster = match.roster.map((player, seat) => (isLeft(seat) ? null : player));
  const gone = match.subscribers.filter(({ viewer }) => isLeft(viewer));
  match.subscribers = match.subscribers.filter(({ viewer }) => !isLeft(viewer));
  return gone;
}

/** Null when what there is to show differs by viewer. */
function textsForAll(frames: readonly Frame[]): readonly string[] | null {
  const texts: string[] = [];
  for (const frame of frames) {
    if (!frame.shared) return null;
    texts.push(frame.text);
  }
  return texts;
}

function textsFor(frames: readonly Frame[], { viewer }: Subscriber, breaks: Breaks): string[] {
  try {
    return frames.map((frame) => (frame.shared ? frame.text : frame.text(viewer)));
  } catch (error) {
    breaks(error);
    return [];
  }
}
