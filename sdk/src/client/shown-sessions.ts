/** What a connection's socket shows of the player's sessions, and the sessions it has to ask for. */

import type { ClientMessage, LeftFrame, RejectFrame, ServerFrame } from '../generated/frames.ts';
import type { Link } from './link.ts';
import { transmit } from './link.ts';
import { refuse, sendAgain } from './outbox.ts';
import { refuseRematch, sayRematchesAgain } from './rematches.ts';
import { askReplaysAgain, refuseReplay } from './replays.ts';
import type { AnySessionView, SessionView } from './session-view.ts';
import { endView, takeFrame, takeWarning } from './session-view.ts';

/** Shortest interval between requests for a missing frame. */
const SYNC_EVERY_MS = 2_000;
/** Missed sessions requested at once: the server counts each as a whole state. */
const ASKED_AT_ONCE = 16;

/** What waits for an answer, commands, replays and rematches: ids with their sessions. */
const waiting = (link: Link): (readonly [id: string, s: string])[] => [
  ...[...link.outbox.values()].map(({ id, s }) => [id, s] as const),
  ...link.replays,
  ...[...link.rematches.values()].map(({ id, s }) => [id, s] as const),
];

/** A lobby gets open sessions: sessions that ended meanwhile have to be requested. */
export function missedBy(link: Link, shown: readonly string[]): Set<string> {
  const wanted = new Set(waiting(link).map(([, s]) => s));
  for (const { s, status } of link.sessions.values()) if (status !== 'ended') wanted.add(s);
  return new Set([...wanted].filter((s) => !shown.includes(s)));
}

/** Sessions that this socket does not show are requested: after the pong that is due, else at once. */
export function seek(link: Link, s: string): void {
  const { status, shown, missed, pings } = link;
  if (status.kind !== 'open' || shown.has(s) || missed.has(s)) return;
  missed.add(s);
  if (pings.size === 0) transmit(link, askMissed(link));
}

export function askMissed({ missed }: Link): ClientMessage {
  const asked = [...missed].slice(0, ASKED_AT_ONCE);
  return { t: 'hello', resume: Object.fromEntries(asked.map((s) => [s, 0])) };
}

export function takeReject(link: Link, frame: RejectFrame): void {
  const { s, id, code } = frame;
  // A refusal without an id can only answer `hello`: nothing else is sent for sessions that are not shown.
  if (s !== null && id === null && code === 'unknown_session' && link.missed.delete(s)) {
    loseSession(link, s, frame);
  } else if (!refuseReplay(link, frame) && !refuseRematch(link, frame)) refuse(link, frame);
}

/** A missed session no longer exists: it is over, and so is everything that waits for it. */
function loseSession(link: Link, session: string, frame: RejectFrame): void {
  const view = link.sessions.get(session);
  if (view !== undefined) keep(link, endView(view, null), frame);
  for (const [id, s] of waiting(link)) if (s === session) takeReject(link, { ...frame, id });
}

/** Requests about the session that wait get no answer. */
export function leaveSession(link: Link, { s: session, seat }: LeftFrame): void {
  link.sessions.delete(session);
  link.shown.delete(session);
  link.missed.delete(session);
  const error = 'The player has left the session';
  for (const [id, s] of waiting(link)) {
    if (s === session) takeReject(link, { t: 'reject', s, id, code: 'unknown_session', error });
  }
  link.options.onEvent({ kind: 'left', s: session, seat });
}

type SessionFrame = Extract<
  ServerFrame,
  { t: 'state' | 'update' | 'presence' | 'over' | 'warning' }
>;

export function showFrame(link: Link, frame: SessionFrame): void {
  const before = link.sessions.get(frame.s) ?? null;
  if (frame.t === 'warning') {
    if (before !== null) keep(link, takeWarning(before, frame), frame);
    return;
  }
  const { view, gap } = takeFrame(before, frame);
  if (gap) sync(link, frame.s);
  if (view !== null && view !== before) keep(link, view, frame);
  if (frame.t !== 'state') return;
  link.syncedAt.delete(frame.s);
  link.missed.delete(frame.s);
  if (link.shown.has(frame.s)) return;
  link.shown.set(frame.s, frame.ticks === undefined);
  sendAgain(link, frame);
  askReplaysAgain(link, frame.s);
  sayRematchesAgain(link, frame.s);
}

function keep(link: Link, folded: AnySessionView, cause: ServerFrame): void {
  // The server sends views of the game that it names.
  const session = folded as SessionView;
  link.sessions.set(session.s, session);
  link.options.onEvent({ kind: 'session', session, cause });
}

function sync(link: Link, s: string): void {
  const now = link.options.ports.now();
  if (now - (link.syncedAt.get(s) ?? 0) < SYNC_EVERY_MS) return;
  link.syncedAt.set(s, now);
  transmit(link, { t: 'sync', s });
}
