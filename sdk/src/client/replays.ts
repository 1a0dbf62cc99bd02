/** Replay requests in flight: sent after the end, and again on every new socket until answered. */

import type { RejectFrame, ReplayFrame } from '../generated/frames.ts';
import type { Link } from './link.ts';
import { transmit } from './link.ts';

export function askReplay(link: Link, s: string, id: string): void {
  link.replays.set(id, s);
  // Before the session's state has arrived the socket does not know it either.
  if (link.shown.has(s)) transmit(link, { t: 'replay', s, id });
}

export function takeReplay(link: Link, { s, id, replay }: ReplayFrame): void {
  if (link.replays.delete(id)) link.options.onEvent({ kind: 'replay', s, id, replay });
}

/** Handles a refusal of a replay; false for any other. */
export function refuseReplay(link: Link, { id, code, error }: RejectFrame): boolean {
  const s = id === null ? undefined : link.replays.get(id);
  if (id === null || s === undefined) return false;
  link.replays.delete(id);
  link.options.onEvent({ kind: 'replayRefused', s, id, code, error });
  return true;
}

export function askReplaysAgain(link: Link, session: string): void {
  for (const [id, s] of link.replays) if (s === session) transmit(link, { t: 'replay', s, id });
}
