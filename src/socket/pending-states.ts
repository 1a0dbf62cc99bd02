/** Whole states waiting to be sent to a socket: a few at a time, and no faster than they are read. */

import { numbered } from '../match/frames/compact.ts';
import { separately, withAnswer } from '../runtime/host/answers.ts';
import type { PlacedAnswer } from '../runtime/host/work.ts';
import type { Connection, Place } from './connection/connection.ts';
import { sendFrames } from './connection/connection.ts';
import type { SocketDeps } from './connection/deps.ts';

/** States in one write; making a state may take milliseconds, so other work runs in between. */
const STATES_AT_ONCE = 16;

/** Sends frames of one session, after its state if that is pending; none while the socket is behind. */
export function sendOfSession(
  deps: SocketDeps,
  connection: Connection,
  place: Place,
  texts: readonly string[],
  answer?: PlacedAnswer,
): void {
  const { session } = place;
  if (connection.leftOutBytes !== null) queueState(connection, session);
  else if (connection.pendingStates?.delete(session)) {
    if (deps.host.askState(session, place)) {
      // The state from the session's node includes the updates; answers are still sent.
      sendFrames(connection, withAnswer(connection.wire, [], answer && separately(answer)));
      return;
    }
    sendFrames(connection, stateTexts(deps, connection, place));
  }
  sendFrames(connection, nameSession(place, withAnswer(connection.wire, texts, answer)));
}

/** The whole state of a session, for its slot on a socket; nothing for a client that has seen it. */
export function stateTexts(
  { host }: SocketDeps,
  { wire }: Connection,
  place: Place,
  seen?: number,
): readonly string[] {
  return nameSession(place, host.stateFor(place.session, place.viewer, seen, wire));
}

/** Sends a requested whole state, or marks it pending for a socket that is behind. */
export function sendState(
  connection: Connection,
  { session }: Pick<Place, 'session'>,
  texts: readonly string[],
): void {
  if (connection.leftOutBytes === null) connection.pendingStates?.delete(session);
  else queueState(connection, session);
  sendFrames(connection, texts);
}

function nameSession({ n }: Place, texts: readonly string[]): readonly string[] {
  return n === 0 ? texts : texts.map((text) => numbered(text, n));
}

export function queueState(connection: Connection, session: string): void {
  connection.pendingStates ??= new Set();
  connection.pendingStates.add(session);
}

/** Sends pending states, after `first`; the rest when the reader has read it, or a moment later. */
export function sendPendingStates(
  deps: SocketDeps,
  connection: Connection,
  first: readonly string[] = [],
): void {
  const { state, pendingStates } = connection;
  if (state.kind !== 'open' || connection.leftOutBytes !== null) return;
  const texts = [...first];
  let left = STATES_AT_ONCE;
  for (const session of pendingStates ?? []) {
    if (left === 0) break;
    left -= 1;
    pendingStates?.delete(session);
    const place = state.places.get(session);
    if (place === undefined || deps.host.askState(session, place)) continue;
    texts.push(...stateTexts(deps, connection, place));
  }
  sendFrames(connection, texts);
  if (pendingStates?.size === 0) connection.pendingStates = null;
  else if (pendingStates !== null && connection.leftOutBytes === null) {
    deps.clock.after(0, () => sendPendingStates(deps, connection));
  }
}
