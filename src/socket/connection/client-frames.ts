/** Parses client frames of either subprotocol into `matchd.v1` messages (rules P3, P12). */

import type { ClientFrame } from '../../contract/messages.ts';
import { clientFrame } from '../../contract/messages.ts';
import type { Connection } from './connection.ts';

/** What is wrong with a frame: it is not JSON, or its first invalid field. */
export interface BadFrame {
  readonly wrong: string;
}

export function parseFrame(connection: Connection, text: string): ClientFrame | BadFrame {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { wrong: 'no JSON' };
  }
  const isCompact = connection.wire === 2 && Array.isArray(json);
  const parsed = clientFrame.safeParse(isCompact ? spellOut(connection, json as unknown[]) : json);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path[0];
  // Only known names: a close reason has at most 123 bytes. Fields within `resume` are not named.
  return { wrong: field === undefined ? 'no object' : String(field) };
}

/** `[n, id, action]` is an `act`, `[n, from, masks]` an `in`; further elements are ignored. */
function spellOut(connection: Connection, [n, second, third]: readonly unknown[]): object {
  const s = sessionAt(connection, n);
  return typeof second === 'number'
    ? { t: 'in', s, from: second, masks: third }
    : { t: 'act', s, id: second, action: third };
}

/** The session of that number on the socket. An unknown number parses as an invalid session id. */
function sessionAt({ numbers }: Connection, n: unknown): unknown {
  const isNumber = Number.isSafeInteger(n) && Number(n) >= 0;
  return isNumber ? numbers.sessionAt(Number(n)) || `#${Number(n)}` : null;
}

/** The number of a session on a socket: fixed while the socket is open. */
export function numberOf({ wire, numbers }: Connection, session: string): number {
  return wire === 1 ? 0 : numbers.of(session);
}
