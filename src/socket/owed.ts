/** Whole states that a socket is still to be sent: a few at a time, and no more than its reader takes. */

import { isAnswer } from '../runtime/host/player-work.ts';
import type { Connection, Place } from './connection.ts';
import { sendFrames } from './connection.ts';
import type { SocketDeps } from './deps.ts';

/** States in one write; a state may take milliseconds to make, and others have their turn in between. */
const STATES_AT_ONCE = 16;

/** Sends frames of one session, after the state if that is still to come; none while it is behind. */
export function sendOfSession(
  deps: SocketDeps,
  connection: Connection,
  place: Place,
  texts: readonly string[],
): void {
  const { session, viewer } = place;
  if (connection.leftOutBytes !== null) owe(connection, session);
  else if (connection.owed?.delete(session)) {
    // What is shown is in the state that will come from the session's node; what is answered is not.
    const isToCome = deps.host.askState(session, place);
    const rest = isToCome ? texts.filter(isAnswer) : texts;
    sendFrames(connection, [...(isToCome ? [] : deps.host.stateFor(session, viewer)), ...rest]);
    return;
  }
  sendFrames(connection, texts);
}

export function owe(connection: Connection, session: string): void {
  connection.owed ??= new Set();
  connection.owed.add(session);
}

/** Sends what is owed, after `first`; the rest when the reader has taken it, or a moment later. */
export function sendOwed(
  deps: SocketDeps,
  connection: Connection,
  first: readonly string[] = [],
): void {
  const { state, owed } = connection;
  if (state.kind !== 'open' || connection.leftOutBytes !== null) return;
  const texts = [...first];
  let left = STATES_AT_ONCE;
  for (const session of owed ?? []) {
    if (left === 0) break;
    left -= 1;
    owed?.delete(session);
    const place = state.places.get(session);
    if (place === undefined || deps.host.askState(session, place)) continue;
    texts.push(...deps.host.stateFor(session, place.viewer));
  }
  sendFrames(connection, texts);
  if (owed?.size === 0) connection.owed = null;
  else if (owed !== null && connection.leftOutBytes === null) {
    deps.clock.after(0, () => sendOwed(deps, connection));
  }
}
