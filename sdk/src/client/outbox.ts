/** Commands in flight: stored until they are answered, and sent again until then (rule P4). */

import type { CommandMessage } from '../frames/frames.ts';
import type { AckFrame, RejectFrame, StateFrame } from '../generated/frames.ts';
import type { Link } from './link.ts';
import { transmit } from './link.ts';
import { sameJson } from './session-view.ts';

/** A command that the server could not accept for the moment is sent again after this. */
const RESEND_WAIT_MS = 1_000;
/** An unanswered command is sent again after this: its id makes that harmless. */
const ANSWER_WAIT_MS = 8_000;
/** Size limits of a frame and of the randomness: what cannot be sent is refused here. */
const FRAME_BYTES_MAX = 16 * 1_024;
const ENTROPY = /^[^\p{Cc}\p{Cs}]+$/u;
const ENTROPY_CHARS_MAX = 64;
/** Refusals that say nothing about the command itself. */
const PASSING = new Set(['unavailable', 'busy', 'too_fast']);

export function send(link: Link, command: CommandMessage): void {
  const bytes = new TextEncoder().encode(JSON.stringify(command));
  if (bytes.length > FRAME_BYTES_MAX) {
    emitUnreadable(link, command);
    return;
  }
  link.outbox.set(command.id, command);
  if (link.status.kind === 'replaced') {
    giveUp(link);
    return;
  }
  const shown = link.sessions.get(command.s);
  const isBehind = shown !== undefined && shown.v < (link.acked.get(command.s) ?? 0);
  // Leaving is valid in any position.
  const isPositional = command.t !== 'leave' && shown?.view != null;
  if (isPositional && !isBehind) link.decidedOn.set(command.id, shown.view);
  // Before the session's state has arrived the socket does not know it either.
  if (link.shown.has(command.s)) dispatch(link, command);
}

/** An invalid action is never accepted; under the id of an accepted one it gets `id_reused`. */
function dispatch(link: Link, command: CommandMessage): void {
  const { s, id } = command;
  const message = link.outdated.has(id) ? ({ t: 'act', s, id, action: null } as const) : command;
  if (transmit(link, message)) dispatchIn(link, command, ANSWER_WAIT_MS);
}

/** Again, unless its position is gone. Real-time games have no position that can be gone. */
function dispatchAgain(link: Link, command: CommandMessage): void {
  const { s, id } = command;
  const before = link.decidedOn.get(id);
  const hasPositions = before !== undefined && link.shown.get(s);
  if (hasPositions && !sameJson(before, link.sessions.get(s)?.view)) link.outdated.add(id);
  dispatch(link, command);
}

/** Later, unless it is answered or the socket is lost first; replaces an earlier timer. */
function dispatchIn(link: Link, command: CommandMessage, waitMs: number): void {
  link.resends.get(command.id)?.();
  const cancel = link.options.ports.after(waitMs, () => dispatchAgain(link, command));
  link.resends.set(command.id, cancel);
}

/** It was answered, or never will be. */
function settle(link: Link, id: string): void {
  link.outbox.delete(id);
  link.decidedOn.delete(id);
  link.outdated.delete(id);
  link.suspects.delete(id);
  link.resends.get(id)?.();
  link.resends.delete(id);
}

/** The socket is lost: unanswered commands go over the next. */
export function stopResending({ resends }: Link): void {
  for (const cancel of resends.values()) cancel();
  resends.clear();
}

export function acknowledge(link: Link, { id, v }: AckFrame): void {
  const acked = link.outbox.get(id);
  if (acked === undefined) return;
  settle(link, id);
  link.acked.set(acked.s, v);
  // Commands sent right after it were decided with it in mind: its effect does not outdate them.
  for (const { id: other, s } of link.outbox.values()) {
    if (s === acked.s) link.decidedOn.delete(other);
  }
  link.options.onEvent({ kind: 'acked', command: acked, v });
}

export function refuse(link: Link, { id, code, error }: RejectFrame): void {
  const refused = id === null ? null : (link.outbox.get(id) ?? null);
  if (refused !== null && PASSING.has(code)) {
    dispatchIn(link, refused, RESEND_WAIT_MS);
    return;
  }
  const isOutdated = id !== null && link.outdated.has(id);
  if (refused !== null && isOutdated && code === 'id_reused') {
    // It was accepted, and is acknowledged again.
    link.outdated.delete(refused.id);
    link.decidedOn.delete(refused.id);
    dispatch(link, refused);
  } else if (isOutdated && code === 'bad_action') {
    emitRefused(link, refused, 'outdated', 'Decided on a position that is gone');
  } else emitRefused(link, refused, code, error);
}

/** None of it is sent any more. */
function emitRefused(
  link: Link,
  command: CommandMessage | null,
  code: string,
  error: string,
): void {
  if (command !== null) settle(link, command.id);
  link.options.onEvent({ kind: 'rejected', command, code, error });
}

/** The player has gone elsewhere: commands meant for here are not carried out on return, except `tellFirst`. */
export function giveUp(link: Link, notifyFirst = (): void => {}): void {
  const given = [...link.outbox.values()];
  link.outbox.clear();
  link.entropy.clear();
  notifyFirst();
  for (const each of given) {
    emitRefused(link, each, 'replaced', 'Replaced: it is not known the result of it');
  }
}

function emitUnreadable(link: Link, command: CommandMessage | null): void {
  emitRefused(link, command, 'bad_action', 'The server cannot read it');
}

/** A frame could not be read, and it is unknown which. Commands in flight at two such closes are dropped. */
export function suspect(link: Link, ids: readonly string[]): void {
  for (const id of ids) {
    if (link.suspects.has(id)) {
      link.suspects.delete(id);
      emitUnreadable(link, link.outbox.get(id) ?? null);
    } else link.suspects.add(id);
  }
}

/** The player's contribution to the randomness: a repeat changes nothing. */
export function addEntropy(link: Link, s: string, value: string): void {
  if (value.length > ENTROPY_CHARS_MAX || !ENTROPY.test(value)) {
    emitUnreadable(link, null);
    return;
  }
  link.entropy.set(s, value);
  if (link.shown.has(s)) transmit(link, { t: 'entropy', s, value });
}

/** The first state on a new socket: whatever the old one may have lost is sent again. */
export function sendAgain(link: Link, { s, status }: StateFrame): void {
  for (const each of link.outbox.values()) if (each.s === s) dispatchAgain(link, each);
  const value = link.entropy.get(s);
  if (status !== 'pending') link.entropy.delete(s);
  else if (value !== undefined) transmit(link, { t: 'entropy', s, value });
}
