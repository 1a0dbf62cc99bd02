/** The parts of a player's connection: its status, its events, its environment, its state. */

import type { Numbers } from '../frames/compact.ts';
import { shorten } from '../frames/compact.ts';
import type { CommandMessage, Emote, Seat } from '../frames/frames.ts';
import type { Replay } from '../generated/api.ts';
import type {
  ClientMessage,
  RematchMessage,
  ServerFrame,
  TicksFrame,
} from '../generated/frames.ts';
import type { RetryCause } from './retry.ts';
import type { ServerClock } from './server-clock.ts';
import type { SessionView } from './session-view.ts';

export type ConnectionStatus =
  | { readonly kind: 'connecting'; readonly attempt: number }
  | { readonly kind: 'open' }
  /** `retryAt` is in ms since 1970, on the clock that `ownNow` reads. */
  | {
      readonly kind: 'waiting';
      readonly cause: RetryCause;
      readonly attempt: number;
      readonly retryAt: number;
    }
  /** The same player has opened the session elsewhere. Only `reconnect` brings it back. */
  | { readonly kind: 'replaced' }
  /** Permanent: retrying does not help. `wasOpen`: it had been open before. */
  | { readonly kind: 'failed'; readonly reason: FailReason; readonly wasOpen: boolean }
  | { readonly kind: 'closed' };
/** `left`: the player has left the connection's only session, or was removed from it. */
export type FailReason = 'no_credential' | 'token_refused' | 'origin_refused' | 'protocol' | 'left';

export type ConnectionEvent =
  | { readonly kind: 'status'; readonly status: ConnectionStatus }
  /** Keep it: it opens sockets after the token has expired. */
  | { readonly kind: 'credential'; readonly resumeToken: string }
  | { readonly kind: 'session'; readonly session: SessionView; readonly cause: ServerFrame }
  /** A command was accepted, or refused with a code. */
  | { readonly kind: 'acked'; readonly command: CommandMessage; readonly v: number }
  | {
      readonly kind: 'rejected';
      readonly command: CommandMessage | null;
      readonly code: string;
      /** One sentence for the developer. */
      readonly error: string;
    }
  /** The player left a session before it began, or was removed from it. */
  | { readonly kind: 'left'; readonly s: string; readonly seat: number }
  | { readonly kind: 'emote'; readonly s: string; readonly seat: number; readonly emote: Emote }
  /** Only for tick games. */
  | { readonly kind: 'ticks'; readonly frame: TicksFrame }
  /** The number of spectators of the connection's session, whenever it changes. */
  | { readonly kind: 'watchers'; readonly count: number }
  /** A requested replay, or why there is none. */
  | { readonly kind: 'replay'; readonly s: string; readonly id: string; readonly replay: Replay }
  | {
      readonly kind: 'replayRefused' | 'rematchRefused';
      readonly s: string;
      readonly id: string;
      readonly code: string;
      /** One sentence for the developer. */
      readonly error: string;
    }
  /** The state of the rematch. `id` is that of the call it answers; null for an unsolicited update. */
  | {
      readonly kind: 'rematch';
      readonly s: string;
      readonly id: string | null;
      readonly rematch: Rematch;
    };

/** The players' answers about a rematch of an ended match. */
export interface Rematch {
  /** Seats of players who want one, in the order of their offers. */
  readonly asked: readonly Seat[];
  /** All players want one; bots are always ready. */
  readonly agreed: boolean;
  /** The seat that declined, which is final. */
  readonly declined: Seat | null;
  /** Seats of players who are connected. */
  readonly here: readonly Seat[];
  /** Until when players can agree, ms since 1970; null when there can be none. */
  readonly until: number | null;
  /** The rematch, once it is created. The token opens it; only the answer to a call has one. */
  readonly next: { readonly session: string; readonly token?: string | undefined } | null;
  /** Why the service could not create it; null unless it tried. */
  readonly refused: string | null;
  /** Ratings before and after, by seat; null when the match did not count. */
  readonly ratings: readonly (readonly [before: number, after: number])[] | null;
}

/** The part of a WebSocket that is used. */
export interface Socket {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** The environment. */
export interface ConnectionPorts {
  open(url: string, protocols: string[]): Socket;
  /** A monotonic clock, ms since 1970, unaffected by changes of the device's clock. */
  now(): number;
  /** Calls once after this many milliseconds; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
  /** 0 to 1. */
  random(): number;
}

export interface ConnectionOptions {
  /** `wss://…/v1/socket` */
  readonly url: string;
  /** Tokens to open with, the best first; the next is tried when one is refused. */
  readonly credentials: readonly string[];
  /**
   * Called for a fresh token when there is none left; null means that there will be none. When it rejects it is
   * called again later.
   */
  readonly getToken: (() => Promise<string | null>) | null;
  /** The shortest interval of pings to the server, so that its updates are no older. Milliseconds. */
  readonly pingMsMax: number;
  readonly ports: ConnectionPorts;
  onEvent(event: ConnectionEvent): void;
}

/** The state of a connection's functions. */
export interface Link {
  readonly options: ConnectionOptions;
  readonly clock: ServerClock;
  readonly sessions: Map<string, SessionView>;
  readonly outbox: Map<string, CommandMessage>;
  /** The version of the last accepted command, by session. */
  readonly acked: Map<string, number>;
  /** The views on which the commands in `outbox` were decided, by id; none while an own move is not shown yet. */
  readonly decidedOn: Map<string, unknown>;
  /** Commands whose position is gone: the client asks only whether they were accepted. */
  readonly outdated: Set<string>;
  /** Cancels the next sending of commands in `outbox`, by id. */
  readonly resends: Map<string, () => void>;
  /** Commands in flight when a socket ended for an unreadable frame. */
  readonly suspects: Set<string>;
  /** By session. */
  readonly entropy: Map<string, string>;
  /** Replays requested and not answered: their sessions, by id. */
  readonly replays: Map<string, string>;
  /** Unanswered messages about rematches, by id. */
  readonly rematches: Map<string, RematchMessage>;
  /** What this socket's compact frames leave out. */
  readonly numbers: Numbers;
  readonly pings: Map<number, number>;
  /** Sessions whose whole state has arrived on this socket, and whether they change only by records. */
  readonly shown: Map<string, boolean>;
  /** Sessions, running or awaited, that this socket does not show yet and that were requested. */
  missed: Set<string>;
  /** When a missing frame was last requested, by session. */
  readonly syncedAt: Map<string, number>;
  status: ConnectionStatus;
  credentials: readonly string[];
  socket: Socket | null;
  /** Attempts since the last stable connection. */
  attempt: number;
  /** Closes for unreadable frames since the last stable connection. */
  badFrames: number;
  refusals: number;
  /** The current request for a fresh token; null for none. */
  asking: object | null;
  openedAt: number | null;
  wasOpen: boolean;
  /** The session's watchers, as last reported; null before. */
  watchers: number | null;
  pingMs: number;
  pingCount: number;
  cancelTimer: () => void;
  cancelPing: () => void;
}

/** Sends a message on an open socket; false when there is none. */
export function transmit(link: Link, message: ClientMessage): boolean {
  if (link.socket === null || link.status.kind !== 'open') return false;
  link.socket.send(JSON.stringify(shorten(link.numbers, message)));
  return true;
}
