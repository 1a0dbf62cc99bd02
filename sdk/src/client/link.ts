/** What a player's connection is made of: its status, its news, the world it works in, its state. */

import type { Replay } from '../generated/api.ts';
import type {
  ClientMessage,
  RematchMessage,
  ServerFrame,
  TicksFrame,
} from '../generated/frames.ts';
import type { Numbers } from './compact.ts';
import { shorten } from './compact.ts';
import type { CommandMessage, Emote, Seat } from './frames.ts';
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
  /** Nothing will come of trying again. `wasOpen`: it had been up before. */
  | { readonly kind: 'failed'; readonly reason: FailReason; readonly wasOpen: boolean }
  | { readonly kind: 'closed' };
/** `left`: the player has left the only session of the connection, or was removed from it. */
export type FailReason = 'no_credential' | 'token_refused' | 'origin_refused' | 'protocol' | 'left';

export type ConnectionEvent =
  | { readonly kind: 'status'; readonly status: ConnectionStatus }
  /** Keep it: it opens sockets after the token has expired. */
  | { readonly kind: 'credential'; readonly resumeToken: string }
  | { readonly kind: 'session'; readonly session: SessionView; readonly cause: ServerFrame }
  /** A command was taken, or refused with a code. */
  | { readonly kind: 'acked'; readonly command: CommandMessage; readonly v: number }
  | {
      readonly kind: 'rejected';
      readonly command: CommandMessage | null;
      readonly code: string;
      /** One sentence for the developer. */
      readonly error: string;
    }
  /** The player left a session before it began, or was removed: it is none of theirs any more. */
  | { readonly kind: 'left'; readonly s: string; readonly seat: number }
  | { readonly kind: 'emote'; readonly s: string; readonly seat: number; readonly emote: Emote }
  /** Of games that run by the clock. */
  | { readonly kind: 'ticks'; readonly frame: TicksFrame }
  /** How many watch the session of the connection; said when it is another number. */
  | { readonly kind: 'watchers'; readonly count: number }
  /** A replay that was asked for, or why there is none. */
  | { readonly kind: 'replay'; readonly s: string; readonly id: string; readonly replay: Replay }
  | {
      readonly kind: 'replayRefused' | 'rematchRefused';
      readonly s: string;
      readonly id: string;
      readonly code: string;
      /** One sentence for the developer. */
      readonly error: string;
    }
  /** What the players say about a rematch. `id` is that of the call it answers; null where it is news. */
  | {
      readonly kind: 'rematch';
      readonly s: string;
      readonly id: string | null;
      readonly rematch: Rematch;
    };

/** What the players of a match that is over say about a rematch. */
export interface Rematch {
  /** Seats of players who want one, in the order in which they asked. */
  readonly asked: readonly Seat[];
  /** All of them do; bots are always ready. */
  readonly agreed: boolean;
  /** Who said no, which is final. */
  readonly declined: Seat | null;
  /** Seats of players who are connected. */
  readonly here: readonly Seat[];
  /** Until when players can agree, ms since 1970; null where there can be none. */
  readonly until: number | null;
  /** The rematch, once it is made. The token opens it; it stands only in the answer to a call. */
  readonly next: { readonly session: string; readonly token?: string | undefined } | null;
  /** Why the service could not make it; null unless it tried. */
  readonly refused: string | null;
  /** Ratings before and after, by seat; null where the match did not count. */
  readonly ratings: readonly (readonly [before: number, after: number])[] | null;
}

/** The part of a WebSocket that is used. */
export interface Socket {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** The world outside. */
export interface ConnectionPorts {
  open(url: string, protocols: string[]): Socket;
  /** Our own time, ms since 1970: it goes on evenly, also when the device's clock is set. */
  now(): number;
  /** Calls once after so many milliseconds; the answer calls it off. */
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
   * Asked for a fresh token when there is none left; null says that there will be none. When it
   * rejects it is asked again later.
   */
  readonly getToken: (() => Promise<string | null>) | null;
  /** How often the server is asked at most, so that its news is no older. Milliseconds. */
  readonly pingMsMax: number;
  readonly ports: ConnectionPorts;
  onEvent(event: ConnectionEvent): void;
}

/** All that a connection's functions work on. */
export interface Link {
  readonly options: ConnectionOptions;
  readonly clock: ServerClock;
  readonly sessions: Map<string, SessionView>;
  readonly outbox: Map<string, CommandMessage>;
  /** The version of the last command that was taken, by session. */
  readonly acked: Map<string, number>;
  /** The views that what is in `outbox` was decided on, by id; none where an own move is to be shown yet. */
  readonly decidedOn: Map<string, unknown>;
  /** Commands whose position is gone: it is asked whether they were taken, and no more than that. */
  readonly outdated: Set<string>;
  /** Calls off the next sending of what is in `outbox`, by id. */
  readonly resends: Map<string, () => void>;
  /** Commands that were under way when a socket ended for a frame that could not be read. */
  readonly suspects: Set<string>;
  /** By session. */
  readonly entropy: Map<string, string>;
  /** Replays that were asked for and not answered: their sessions, by id. */
  readonly replays: Map<string, string>;
  /** What was said about rematches and is not answered, by id. */
  readonly rematches: Map<string, RematchMessage>;
  /** What the frames of this socket are short for. */
  readonly numbers: Numbers;
  readonly pings: Map<number, number>;
  /** Sessions whose whole state has come on this socket, and whether they stand still between records. */
  readonly shown: Map<string, boolean>;
  /** Sessions that go on or are waited for, and that this socket does not show: asked for. */
  missed: Set<string>;
  /** When a missing frame was last asked for, by session. */
  readonly syncedAt: Map<string, number>;
  status: ConnectionStatus;
  credentials: readonly string[];
  socket: Socket | null;
  /** Attempts since it was last up for a while. */
  attempt: number;
  /** Ends for unreadable frames since it was last up for a while. */
  badFrames: number;
  refusals: number;
  /** Which request for a fresh token counts; null when none is under way. */
  asking: object | null;
  openedAt: number | null;
  wasOpen: boolean;
  /** How many watch the session, as last told; null before. */
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
