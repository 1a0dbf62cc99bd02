/** One socket's life: a union of what is valid while it is greeting, entering, open and closed. */

import { CLOSE } from '../contract/messages.ts';
import type { Wire } from '../match/compact.ts';
import type { PlatformSocket } from '../platform/platform.ts';
import type { Subscriber } from '../runtime/host/work.ts';
import type { LeavePlace } from '../runtime/places.ts';
import type { Cancel } from '../runtime/ports.ts';
import type { TokenClaims } from '../runtime/tokens.ts';
import type { Backlogs } from './backlogs.ts';
import type { Receipt } from './receipts.ts';

/** What a socket may still do before it is too fast (rule P5). */
export interface Bucket {
  readonly rate: Rate;
  tokens: number;
  refilledAt: number;
}

/** A session that an open socket shows. */
export interface Place {
  readonly session: string;
  /** What the session is called in compact frames on this socket (rule P12). */
  readonly n: number;
  readonly seat: number | null;
  readonly subscriber: Subscriber;
  /** The session shows itself to the socket; until then that has been asked for. */
  isAttached: boolean;
}

export type ConnectionState =
  /** The token is still to come, in a `hello`. */
  | { readonly kind: 'greeting'; readonly cancelTimeout: Cancel }
  /** The token is being checked. */
  | { readonly kind: 'checking'; readonly claims: TokenClaims }
  /** It counts, and its player is being connected; `welcome` is still to come. */
  | { readonly kind: 'entering'; readonly claims: TokenClaims; readonly places: Map<string, Place> }
  | { readonly kind: 'open'; readonly claims: TokenClaims; readonly places: Map<string, Place> }
  | { readonly kind: 'closed' };

export interface Connection {
  readonly address: string;
  /** The Origin header of the handshake, null when there was none. */
  readonly origin: string | null;
  /** The token of the handshake's subprotocol, null when it is to come in a `hello`. */
  readonly token: string | null;
  /** The subprotocol that was agreed on. */
  readonly wire: Wire;
  /** With `matchd.v2`: sessions by their numbers; empty where one is not shown any more. */
  readonly numbered: string[];
  readonly bucket: Bucket;
  /** Of `in` frames alone. */
  readonly inputBucket: Bucket;
  /** Of whole states asked for, beside `bucket`: each costs a view, and a view may cost much. */
  readonly stateBucket: Bucket;
  /** Of replays asked for, beside `bucket`. */
  readonly replayBucket: Bucket;
  /** Of pings and pongs, which are no messages. Another one once its token is accepted. */
  controlBucket: Bucket;
  /** Counts what it has not read, with the other sockets of its address and of the process. */
  readonly backlogs: Backlogs;
  /** What `backlogs` counts for it, bytes. */
  backlogBytes: number;
  /** When its handshake came, ms since 1970. */
  readonly openedAt: number;
  socket: PlatformSocket<Connection> | null;
  state: ConnectionState;
  /**
   * Bytes left out since it fell behind, as it reads too slowly: until its backlog is gone, then it
   * gets whole states. Null while it keeps up.
   */
  leftOutBytes: number | null;
  /** Sessions whose whole state is still to be sent, in that order. */
  readonly owed: Set<string>;
  /** Replays that were asked for while it was behind: their sessions, by the client's own ids. */
  readonly owedReplays: Map<string, string>;
  /** Commands without an answer. */
  readonly receipts: Receipt[];
  /** When its resume token was last renewed, ms since 1970. */
  renewedAt: number;
  /**
   * Where there are other nodes: of two sockets of a place the one with the higher stamp is newer. 0
   * until its client has given a sign of life.
   */
  stamp: number;
  /** Where there are other nodes: gives back its place among the tenant's sockets. */
  leavePlace: LeavePlace | null;
  /** The service itself has ended it and asked its client to come back. */
  isPutAway: boolean;
}

/** Past this backlog a reader is served only the latest state. Bytes. */
const BEHIND_BYTES = 256 * 1_024;
/** Past this backlog, what was left out of it included, it is closed. Bytes. */
const BACKLOG_BYTES_MAX = 1_024 * 1_024;
/** The same until its token is accepted: before that it is sent nothing but answers to pings. Bytes. */
const GREETING_BACKLOG_BYTES_MAX = 16 * 1_024;

/** Messages a second, and how many at once (rule P5). */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
  /** So many over the rate are refused one by one; after that the socket is closed. DEBT when absent. */
  readonly debt?: number;
}
export const MESSAGE_RATE: Rate = { perSecond: 20, burst: 40 };
/** Of `in`, beside all others. */
export const INPUT_RATE: Rate = { perSecond: 30, burst: 60 };
/** Of whole states asked for, by `sync` or `hello`. */
export const STATE_RATE: Rate = { perSecond: 2, burst: 20 };
/** Of pings and pongs, each counted. */
export const CONTROL_RATE: Rate = { perSecond: 5, burst: 20 };
/** The same until its token is accepted. */
export const GREETING_CONTROL_RATE: Rate = { perSecond: 1, burst: 5, debt: 5 };
const DEBT = 40;

export function makeBucket(now: number, rate: Rate): Bucket {
  return { rate, tokens: rate.burst, refilledAt: now };
}

/** Takes messages from the bucket, mostly one: fine, to be refused, or the socket's last. */
export function spend(bucket: Bucket, now: number, count = 1): 'fine' | 'refuse' | 'close' {
  refill(bucket, now);
  bucket.tokens -= count;
  if (bucket.tokens >= 0) return 'fine';
  return bucket.tokens > -(bucket.rate.debt ?? DEBT) ? 'refuse' : 'close';
}

/** Is there one left? It is not taken. */
export function hasLeft(bucket: Bucket, now: number): boolean {
  refill(bucket, now);
  return bucket.tokens >= 1;
}

/** Is it as if nothing had ever been taken? */
export function isFull(bucket: Bucket, now: number): boolean {
  refill(bucket, now);
  return bucket.tokens >= bucket.rate.burst;
}

function refill(bucket: Bucket, now: number): void {
  const { perSecond, burst } = bucket.rate;
  const fresh = ((now - bucket.refilledAt) * perSecond) / 1_000;
  bucket.tokens = Math.min(burst, bucket.tokens + fresh);
  bucket.refilledAt = now;
}

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

/** Closes a socket that reads too slowly. To be called whenever something was queued for it, by whomever. */
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
