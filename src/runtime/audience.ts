/** What a match's audience is shown, and who is in it. */

import type { Frame } from '../match/frames.ts';
import { makeState, makeTicks } from '../match/frames.ts';
import type { LeftSeat } from '../store/store.ts';
import type { Match } from './match-table.ts';
import type { Subscriber } from './work.ts';

/**
 * Takes who left off the roster, and their sockets out of the audience: the seat's next player is none of
 * theirs. Answers those sockets' subscribers, who find nothing of theirs here when they look anew.
 */
export function dismissLeavers(match: Match, left: readonly LeftSeat[]): readonly Subscriber[] {
  if (left.length === 0) return [];
  const isLeft = (seat: number | null): boolean => left.some((each) => each.seat === seat);
  match.roster = match.roster.map((player, seat) => (isLeft(seat) ? null : player));
  const gone = [...match.subscribers].filter(({ viewer }) => isLeft(viewer));
  for (const subscriber of gone) match.subscribers.delete(subscriber);
  return gone;
}

/** The whole state for everybody, and the ticks that were shown and are not in it. */
export function wholeState(match: Match): Frame[] {
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

/** Null when what there is to show differs by viewer. */
export function textsForAll(frames: readonly Frame[]): readonly string[] | null {
  const texts: string[] = [];
  for (const frame of frames) {
    if (!frame.shared) return null;
    texts.push(frame.text);
  }
  return texts;
}
