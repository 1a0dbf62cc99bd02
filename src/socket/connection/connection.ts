/** A socket's life cycle: a union of what is valid while it is greeting, entering, open and closed. */

import { CLOSE } from '../../contract/messages.ts';
import type { Wire } from '../../match/frames/compact.ts';
import type { PlatformSocket } from '../../platform/platform.ts';
import type { TokenClaims } from '../../runtime/access/tokens.ts';
import type { Subscriber } from '../../runtime/host/work.ts';
import type { LeavePlace } from '../../runtime/limits/places.ts';
import type { Cancel } from '../../runtime/ports.ts';
import type { Backlogs } from './backlogs.ts';
import type { Buckets } from './buckets.ts';
import type { Receipt } from './receipts.ts';
import type { SessionNumbers } from './session-numbers.ts';

/** A session on a socket. `viewer` is the seat there, null for a watcher. */
export interface Place extends Subscriber {
  readonly session: string;
  /** The session's number in compact frames on this socket (rule P12). */
  readonly n: number;
  /** The session is attached to the socket; until then that is pending. */
  isAttached: boolean;
  /** Its player has asked about a rematch here: the others know that they are here. */
  hasRequested: boolean;
}

/** The sessions on a socket, by id. Usually one, which needs no map. */
export class PlacesById {
  private only: Place | null = null;
  private many: Map<string, Place> | null = null;

  get(session: string): Place | undefined {
    if (this.many !== null) return this.many.get(session);
    return this.only?.session === session ? this.only : undefined;
  }

  has(session: string): boolean {
    return this.get(session) !== undefined;
  }

  /** A new session. */
  add(place: Place): void {
    if (this.many === null && this.only === null) {
      this.only = place;
      return;
    }
    this.many ??= new Map(this.all().map((each) => [each.session, each]));
    this.many.set(place.session, place);
    this.only = null;
  }

  delete(session: string): void {
    if (this.only?.session === session) this.only = null;
    this.many?.delete(session);
  }

  /** A copy: the loop over them may remove some. */
  all(): readonly Place[] {
    if (this.many !== null) return [...this.many.values()];
    return this.only === null ? [] : [this.only];
  }
}

export type ConnectionState =
  /** The token will come in a `hello`. */
  | { readonly kind: 'greeting'; readonly cancelTimeout: Cancel }
  /** The token is being checked. */
  | { readonly kind: 'checking'; readonly claims: TokenClaims }
  /** It counts, and its player is being connected; `welcome` is still to come. */
  | { readonly kind: 'entering'; readonly claims: TokenClaims; readonly places: PlacesById }
  | { readonly kind: 'open'; readonly claims: TokenClaims; readonly places: PlacesById }
  | { readonly kind: 'closed' };

export interface Connection {
  /** The client's address as `addressKey` returns it: limits by address use this. */
  readonly address: string;
  /** The Origin header of the handshake, null when there was none. */
  readonly origin: string | null;
  /** The token from the handshake's subprotocol, until it is checked; null when it will come in a `hello`. */
  token: string | null;
  /** The agreed subprotocol. */
  readonly wire: Wire;
  /** With `matchd.v2`: the numbers of its sessions. */
  readonly numbers: SessionNumbers;
  readonly buckets: Buckets;
  /** Counts its unread bytes, together with the other sockets of its address and of the process. */
  readonly backlogs: Backlogs;
  /** The bytes that `backlogs` counts for it. */
  backlogBytes: number;
  /** When its handshake came, ms since 1970. */
  readonly openedAt: number;
  socket: PlatformSocket<Connection> | null;
  state: ConnectionState;
  /**
   * Bytes dropped since it fell behind by reading too slowly: once its backlog is gone it gets whole states. Null
   * while it keeps up.
   */
  leftOutBytes: number | null;
  /** Sessions whose whole state is still to be sent, in that order; null for none. */
  pendingStates: Set<string> | null;
  /** Replays requested while it was behind: their sessions, by the client's own ids; null for none. */
  pendingReplays: Map<string, string> | null;
  /** Unanswered commands. */
  readonly receipts: Receipt[];
  /** When its resume token was last renewed, ms since 1970. */
  renewedAt: number;
  /**
   * With other nodes: of two sockets of a slot the one with the higher stamp is newer. 0 until its client has
   * given a sign of life.
   */
  stamp: number;
  /** With other nodes: releases its slot among the tenant's sockets. */
  leavePlace: LeavePlace | null;
  /** The service itself has ended it and asked its client to reconnect. */
  isPutAway: boolean;
}

/** Above this backlog a reader gets only the latest state. Bytes. */
const BEHIND_BYTES = 256 * 1_024;
/** Above this backlog, dropped bytes included, it is closed. Bytes. */
const BACKLOG_BYTES_MAX = 1_024 * 1_024;
/** The same until its token is accepted: before that it is sent only answers to pings. Bytes. */
const GREETING_BACKLOG_BYTES_MAX = 16 * 1_024;

export function closeConnection(
  connection: Connection,
  { code, reason }: { readonly code: number; readonly reason: string },
): void {
  if (code === CLOSE.restarting.code) connection.isPutAway = true;
  connection.socket?.close(code, reason);
}

/** Sends frames, unless the other end does not read them: then it will get whole states. */
export function sendFrames(connection: Connection, texts: readonly string[]): void {
  const { socket } = connection;
  if (socket === null || texts.length === 0) return;
  if (connection.leftOutBytes === null) socket.send(texts);
  else for (const text of texts) connection.leftOutBytes += text.length;
  checkBacklog(connection);
}

/** Closes a socket that reads too slowly. To be called whenever something was queued for it. */
export function checkBacklog(connection: Connection): void {
  const { socket, state, address, backlogs } = connection;
  if (socket === null) return;
  const bytes = socket.backlogBytes();
  noteBacklog(connection, bytes);
  if (bytes > BEHIND_BYTES) connection.leftOutBytes ??= 0;
  const unread = bytes + (connection.leftOutBytes ?? 0);
  const max = state.kind === 'open' ? BACKLOG_BYTES_MAX : GREETING_BACKLOG_BYTES_MAX;
  if (unread > max || backlogs.isCrowded(address, bytes)) {
    closeConnection(connection, CLOSE.overloaded);
  }
}

export function noteBacklog(connection: Connection, bytes: number): void {
  connection.backlogs.note(connection.address, connection.backlogBytes, bytes);
  connection.backlogBytes = bytes;
}
