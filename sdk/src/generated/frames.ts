/** The frames of `matchd.v1`. Made by scripts/generate.ts: not to be changed by hand. */
// @table

import type { Replay } from './api.ts';
import type { Result } from './api.ts';
import type { Series } from './api.ts';
import type { Game } from './games.ts';

/** The feelings a player can show: a closed list. */
export const EMOTES = [
  'thumbs_up',
  'thumbs_down',
  'clap',
  'laugh',
  'cry',
  'angry',
  'surprised',
  'thinking',
  'hello',
  'good_game',
  'good_luck',
  'oops',
] as const;

/** The token was accepted and the presence committed. A `state` of each session follows. */
export interface WelcomeFrame {
  readonly t: "welcome";
  /** Null for a watcher. */
  readonly player: string | null;
  /** A `state` of each follows. */
  readonly sessions: readonly string[];
  readonly resumeToken: string;
  readonly pingMs: number;
}

/** The whole session, as the receiver may see it. */
export interface StateFrame {
  readonly t: "state";
  /** The id of the session. */
  readonly s: string;
  /** The version of the record shown. */
  readonly v: number;
  /** The version of the session's previous frame. If it does not match, send `sync`. */
  readonly prev: number;
  readonly game: Game;
  readonly variant: string;
  readonly status: "pending" | "active" | "ended";
  /** The seat of the view; null for a watcher. */
  readonly seat: number | null;
  readonly players: readonly ({
    readonly id: string | null;
    readonly displayName: string | null;
    readonly seat: number;
    readonly isBot: boolean;
    readonly connected: boolean;
  })[];
  /** Only for players, while a `private` session has an open seat. */
  readonly roomCode?: string | undefined;
  /** The seat to move; null for none. */
  readonly turn: number | null;
  /** The seats that may act, in games with simultaneous moves. */
  readonly acting?: readonly number[] | undefined;
  readonly view: unknown;
  /** Legal actions of the seat to move; absent if not finite. With hidden information or simultaneous moves: the receiver's. */
  readonly legal?: readonly unknown[] | undefined;
  readonly clock: {
    /** By seat, as of `at`. */
    readonly remainingMs: readonly number[];
    readonly running: number | null;
    readonly flagsAt: string | null;
  } | null;
  /** When the turn ends; before the start, when the session expires. */
  readonly deadline: string | null;
  /** When the game's time limit ends the match; null if it has none or the limit is not running. */
  readonly endsAt: string | null;
  /** Only in real-time games. `ticks` may follow at once. */
  readonly ticks?: {
    /** The tick after the one that `view` shows. */
    readonly next: number;
    /** When that tick is due; null while play is paused. */
    readonly at: string | null;
  } | undefined;
  readonly drawOfferedBy: number | null;
  /** By seat: when a disconnected player forfeits the match. */
  readonly graces: readonly (string | null)[];
  /** Seats of an active match whose players have never connected; absent if there are none. */
  readonly awaited?: readonly number[] | undefined;
  /** Only for a rematch. */
  readonly series?: Series | undefined;
  /** Hex SHA-256 of the match's secret seed. The replay reveals the seed after the end. */
  readonly commitment: string;
  readonly at: string;
  readonly result: Result | null;
}

/** One committed action, and the session after it. */
export interface UpdateFrame {
  readonly t: "update";
  /** The id of the session. */
  readonly s: string;
  /** The version of the record shown. */
  readonly v: number;
  /** The version of the session's previous frame. If it does not match, send `sync`. */
  readonly prev: number;
  readonly seat: number;
  /** Null if hidden from the receiver. */
  readonly action: unknown;
  readonly view: unknown;
  /** The seat to move; null for none. */
  readonly turn: number | null;
  /** The seats that may act, in games with simultaneous moves. */
  readonly acting?: readonly number[] | undefined;
  /** Legal actions of the seat to move; absent if not finite. With hidden information or simultaneous moves: the receiver's. */
  readonly legal?: readonly unknown[] | undefined;
  readonly clock: {
    /** By seat, as of `at`. */
    readonly remainingMs: readonly number[];
    readonly running: number | null;
    readonly flagsAt: string | null;
  } | null;
  readonly deadline: string | null;
  readonly at: string;
}

/** The match has ended. */
export interface OverFrame {
  readonly t: "over";
  /** The id of the session. */
  readonly s: string;
  /** The version of the record shown. */
  readonly v: number;
  /** The version of the session's previous frame. If it does not match, send `sync`. */
  readonly prev: number;
  readonly result: Result;
  readonly at: string;
}

/** A player connected or disconnected. */
export interface PresenceFrame {
  readonly t: "presence";
  /** The id of the session. */
  readonly s: string;
  /** The version of the record shown. */
  readonly v: number;
  /** The version of the session's previous frame. If it does not match, send `sync`. */
  readonly prev: number;
  readonly seat: number;
  readonly connected: boolean;
  readonly deadline: string | null;
}

/** You left the session or were removed. No more of its frames follow. */
export interface LeftFrame {
  readonly t: "left";
  /** The id of the session. */
  readonly s: string;
  /** The version of the record shown. */
  readonly v: number;
  /** The version of the session's previous frame. If it does not match, send `sync`. */
  readonly prev: number;
  readonly seat: number;
}

/** Two thirds of the turn have passed. */
export interface WarningFrame {
  readonly t: "warning";
  /** The id of the session. */
  readonly s: string;
  /** The version of the record shown. */
  readonly v: number;
  /** The version of the session's previous frame. If it does not match, send `sync`. */
  readonly prev: number;
  readonly kind: "afk";
  /** The seat to move; null for none. */
  readonly seat: number | null;
  readonly deadline: string;
}

/** The inputs of every seat, tick by tick, in real-time games. */
export interface TicksFrame {
  readonly t: "ticks";
  /** The id of the session. */
  readonly s: string;
  /** The first tick. After a gap, send `sync`. */
  readonly from: number;
  /** Runs: the input of each seat, then the number of ticks. */
  readonly inputs: readonly (readonly number[])[];
  /** The number of committed ticks. */
  readonly committed: number;
  /** Hash of the state after the last of these ticks; once a second. */
  readonly hash?: string | undefined;
}

/** The command is committed, by this frame or an earlier one with its id. */
export interface AckFrame {
  readonly t: "ack";
  /** The id of the session. */
  readonly s: string;
  readonly id: string;
  /** The version of the record shown. */
  readonly v: number;
  /** The version of the session's previous frame. If it does not match, send `sync`. */
  readonly prev: number;
}

/** A frame had no effect. */
export interface RejectFrame {
  readonly t: "reject";
  readonly s: string | null;
  /** Null for frames without an id. */
  readonly id: string | null;
  readonly code: "not_your_turn" | "illegal_move" | "ambiguous_move" | "bad_action" | "unknown_session" | "watch_only" | "session_not_active" | "session_not_pending" | "session_ended" | "session_not_ended" | "room_full" | "player_in_session" | "id_reused" | "draws_not_offered_here" | "draw_offer_too_soon" | "no_draw_offer" | "entropy_too_late" | "entropy_given" | "too_fast" | "too_far_ahead" | "no_rematch" | "rematch_over" | "replay_too_large" | "busy" | "unavailable";
  /** One sentence for the developer. */
  readonly error: string;
}

/** A player shows an emote. */
export interface EmoteFrame {
  readonly t: "emote";
  /** The id of the session. */
  readonly s: string;
  /** The version of the record shown. */
  readonly v: number;
  /** The version of the session's previous frame. If it does not match, send `sync`. */
  readonly prev: number;
  readonly seat: number;
  readonly emote: "thumbs_up" | "thumbs_down" | "clap" | "laugh" | "cry" | "angry" | "surprised" | "thinking" | "hello" | "good_game" | "good_luck" | "oops";
}

/** The answer to `ping`. */
export interface PongFrame {
  readonly t: "pong";
  readonly n: number;
  readonly now: string;
  /** Replaces the earlier one. */
  readonly resumeToken?: string | undefined;
  /** The number of watchers now. Only on a socket of one session. */
  readonly watchers?: number | undefined;
}

/** The replay, as returned by `GET /v1/sessions/:id/replay`. */
export interface ReplayFrame {
  readonly t: "replay";
  /** The id of the session. */
  readonly s: string;
  readonly id: string;
  readonly replay: Replay;
}

/** The state of the rematch, sent on request and to everybody when it changes. */
export interface RematchFrame {
  readonly t: "rematch";
  /** The id of the session. */
  readonly s: string;
  /** The id of the frame it answers; absent otherwise. */
  readonly id?: string | undefined;
  /** Seats that offered a rematch, in order. */
  readonly asked: readonly number[];
  /** Whether all players agreed. Bots always agree. */
  readonly agreed: boolean;
  /** The seat that declined. No agreement is possible any more. */
  readonly declined: number | null;
  /** Seats of players who are connected. */
  readonly here: readonly number[];
  /** Until when players can agree; null if the session can have no rematch. */
  readonly until: string | null;
  /** The rematch, once created. */
  readonly next: {
    readonly session: string;
    /** The player's token for it. Only in answers to the player's own frames. */
    readonly token?: string | undefined;
  } | null;
  /** Why the service could not create the agreed rematch; otherwise null. */
  readonly refused: string | null;
  /** Each seat's rating before and after; null for an unrated match. */
  readonly ratings: readonly (readonly unknown[])[] | null;
}

/** Play an action of the game. The `ack` follows the commit. */
export interface ActMessage {
  readonly t: "act";
  /** The id of the session. */
  readonly s: string;
  /** The client's id for this command. A repeat has no second effect. */
  readonly id: string;
  /** The action, as defined by the game. */
  readonly action?: unknown;
}

/** Resign the match. */
export interface ResignMessage {
  readonly t: "resign";
  /** The id of the session. */
  readonly s: string;
  /** The client's id for this command. A repeat has no second effect. */
  readonly id: string;
}

/** Leave a pending session. The seat is open again. */
export interface LeaveMessage {
  readonly t: "leave";
  /** The id of the session. */
  readonly s: string;
  /** The client's id for this command. A repeat has no second effect. */
  readonly id: string;
}

/** Offer a draw, or answer an offer. In checkers and connect4 only. */
export interface DrawMessage {
  readonly t: "draw";
  /** The id of the session. */
  readonly s: string;
  /** The client's id for this command. A repeat has no second effect. */
  readonly id: string;
  readonly do: "offer" | "accept" | "decline";
}

/** Show an emote to everybody. It is not part of the log. */
export interface EmoteMessage {
  readonly t: "emote";
  /** The id of the session. */
  readonly s: string;
  readonly emote: "thumbs_up" | "thumbs_down" | "clap" | "laugh" | "cry" | "angry" | "surprised" | "thinking" | "hello" | "good_game" | "good_luck" | "oops";
}

/** Add entropy to the random seed before the match starts, once for each player. */
export interface EntropyMessage {
  readonly t: "entropy";
  /** The id of the session. */
  readonly s: string;
  /** The player's entropy for the random seed. */
  readonly value: string;
}

/** Send the inputs of the ticks from `from` on, in real-time games. */
export interface InMessage {
  readonly t: "in";
  /** The id of the session. */
  readonly s: string;
  /** The tick of the first mask. */
  readonly from: number;
  /** The pressed inputs of 1 to 60 ticks, one bit mask each. */
  readonly masks: readonly number[];
}

/** Request the whole state. */
export interface SyncMessage {
  readonly t: "sync";
  /** The id of the session. */
  readonly s: string;
}

/** Request the replay of an ended match. */
export interface ReplayMessage {
  readonly t: "replay";
  /** The id of the session. */
  readonly s: string;
  /** The client's id, returned in the answer. */
  readonly id: string;
}

/** Offer, withdraw or decline a rematch of an ended match, or request its state. */
export interface RematchMessage {
  readonly t: "rematch";
  /** The id of the session. */
  readonly s: string;
  /** The client's id, returned in the answer. */
  readonly id: string;
  /** Absent: request the state. `decline` is final. */
  readonly do?: "offer" | "withdraw" | "decline" | undefined;
}

/** Request the time, and keep the connection alive. */
export interface PingMessage {
  readonly t: "ping";
  /** Returned in the `pong`. */
  readonly n: number;
}

/** Send the token, unless the handshake had it. On an open socket, request missed frames. */
export interface HelloMessage {
  readonly t: "hello";
  /** Required unless sent as a subprotocol. */
  readonly token?: string | undefined;
  /** The version last seen of each session. A lobby also receives those that ended while it was disconnected. */
  readonly resume?: Readonly<Record<string, number>> | undefined;
}

/** Whatever the server sends. */
export type ServerFrame =
  | WelcomeFrame
  | StateFrame
  | UpdateFrame
  | OverFrame
  | PresenceFrame
  | LeftFrame
  | WarningFrame
  | TicksFrame
  | AckFrame
  | RejectFrame
  | EmoteFrame
  | PongFrame
  | ReplayFrame
  | RematchFrame;

/** Whatever a client sends. */
export type ClientMessage =
  | ActMessage
  | ResignMessage
  | LeaveMessage
  | DrawMessage
  | EmoteMessage
  | EntropyMessage
  | InMessage
  | SyncMessage
  | ReplayMessage
  | RematchMessage
  | PingMessage
  | HelloMessage;
