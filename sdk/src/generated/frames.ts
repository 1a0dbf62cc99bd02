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

/** The token was good, and the presence is committed. A `state` of each session follows. */
export interface WelcomeFrame {
  readonly t: "welcome";
  /** Null for watchers. */
  readonly player: string | null;
  /** A `state` follows for each. */
  readonly sessions: readonly string[];
  readonly resumeToken: string;
  readonly pingMs: number;
}

/** A session as a whole, as its reader may see it. */
export interface StateFrame {
  readonly t: "state";
  /** The id of the session. */
  readonly s: string;
  /** Version of the record this shows. */
  readonly v: number;
  /** Version of the session's frame before. No fit: `sync`. */
  readonly prev: number;
  readonly game: Game;
  readonly variant: string;
  readonly status: "pending" | "active" | "ended";
  /** Whose view it is; null for watchers. */
  readonly seat: number | null;
  readonly players: readonly ({
    readonly id: string | null;
    readonly displayName: string | null;
    readonly seat: number;
    readonly isBot: boolean;
    readonly connected: boolean;
  })[];
  /** While it opens a seat of a `private` session; to players alone. */
  readonly roomCode?: string | undefined;
  /** The seat to move; null when nobody is. */
  readonly turn: number | null;
  /** The seats that may act, of games in which several act at the same time. */
  readonly acting?: readonly number[] | undefined;
  readonly view: unknown;
  /** Legal actions of the seat to move; left out where they are not finite. Where information is hidden, or several act, those of the receiver. */
  readonly legal?: readonly unknown[] | undefined;
  readonly clock: {
    /** By seat, as of `at`. */
    readonly remainingMs: readonly number[];
    readonly running: number | null;
    readonly flagsAt: string | null;
  } | null;
  /** End of the turn; before the start, the session's. */
  readonly deadline: string | null;
  /** When the game's own time is up; null where it has none, or does not run. */
  readonly endsAt: string | null;
  /** Of games that run by the clock: then `ticks` may follow at once. */
  readonly ticks?: {
    /** The tick that comes after what `view` shows. */
    readonly next: number;
    /** When that tick is due; null while play stands still. */
    readonly at: string | null;
  } | undefined;
  readonly drawOfferedBy: number | null;
  /** By seat: when its absence ends the match. */
  readonly graces: readonly (string | null)[];
  /** Seats of an active match whose players were never connected; left out when there are none. */
  readonly awaited?: readonly number[] | undefined;
  /** Of a rematch alone. */
  readonly series?: Series | undefined;
  /** Hex SHA-256 of the match's secret seed, which the replay shows at the end. */
  readonly commitment: string;
  readonly at: string;
  readonly result: Result | null;
}

/** One committed action, and the session after it. */
export interface UpdateFrame {
  readonly t: "update";
  /** The id of the session. */
  readonly s: string;
  /** Version of the record this shows. */
  readonly v: number;
  /** Version of the session's frame before. No fit: `sync`. */
  readonly prev: number;
  readonly seat: number;
  /** Null where the receiver may not see it. */
  readonly action: unknown;
  readonly view: unknown;
  /** The seat to move; null when nobody is. */
  readonly turn: number | null;
  /** The seats that may act, of games in which several act at the same time. */
  readonly acting?: readonly number[] | undefined;
  /** Legal actions of the seat to move; left out where they are not finite. Where information is hidden, or several act, those of the receiver. */
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
  /** Version of the record this shows. */
  readonly v: number;
  /** Version of the session's frame before. No fit: `sync`. */
  readonly prev: number;
  readonly result: Result;
  readonly at: string;
}

/** A player came or went. */
export interface PresenceFrame {
  readonly t: "presence";
  /** The id of the session. */
  readonly s: string;
  /** Version of the record this shows. */
  readonly v: number;
  /** Version of the session's frame before. No fit: `sync`. */
  readonly prev: number;
  readonly seat: number;
  readonly connected: boolean;
  readonly deadline: string | null;
}

/** You left the session, or were removed from it. No frame of it follows. */
export interface LeftFrame {
  readonly t: "left";
  /** The id of the session. */
  readonly s: string;
  /** Version of the record this shows. */
  readonly v: number;
  /** Version of the session's frame before. No fit: `sync`. */
  readonly prev: number;
  readonly seat: number;
}

/** Two thirds of the turn are over. */
export interface WarningFrame {
  readonly t: "warning";
  /** The id of the session. */
  readonly s: string;
  /** Version of the record this shows. */
  readonly v: number;
  /** Version of the session's frame before. No fit: `sync`. */
  readonly prev: number;
  readonly kind: "afk";
  /** The seat to move; null when nobody is. */
  readonly seat: number | null;
  readonly deadline: string;
}

/** What every seat held down, tick by tick, in games that run by the clock. */
export interface TicksFrame {
  readonly t: "ticks";
  /** The id of the session. */
  readonly s: string;
  /** The first tick. A gap before it: `sync`. */
  readonly from: number;
  /** Runs: what each seat held down, by seat, and last for how many ticks. */
  readonly inputs: readonly (readonly number[])[];
  /** So many ticks are in the log for good. */
  readonly committed: number;
  /** Of the state after the last of these ticks; once a second. */
  readonly hash?: string | undefined;
}

/** A command was committed, now or when it was first sent. */
export interface AckFrame {
  readonly t: "ack";
  /** The id of the session. */
  readonly s: string;
  readonly id: string;
  /** Version of the record this shows. */
  readonly v: number;
  /** Version of the session's frame before. No fit: `sync`. */
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

/** A player shows a feeling. */
export interface EmoteFrame {
  readonly t: "emote";
  /** The id of the session. */
  readonly s: string;
  /** Version of the record this shows. */
  readonly v: number;
  /** Version of the session's frame before. No fit: `sync`. */
  readonly prev: number;
  readonly seat: number;
  readonly emote: "thumbs_up" | "thumbs_down" | "clap" | "laugh" | "cry" | "angry" | "surprised" | "thinking" | "hello" | "good_game" | "good_luck" | "oops";
}

/** The answer to `ping`. */
export interface PongFrame {
  readonly t: "pong";
  readonly n: number;
  readonly now: string;
  /** In place of the older one. */
  readonly resumeToken?: string | undefined;
  /** How many watch now, on a socket that is of one session. */
  readonly watchers?: number | undefined;
}

/** The match from its start to its end, as `GET /v1/sessions/:id/replay` gives it. */
export interface ReplayFrame {
  readonly t: "replay";
  /** The id of the session. */
  readonly s: string;
  readonly id: string;
  readonly replay: Replay;
}

/** What the players say about a rematch: to whoever asked, and to everybody whenever it changes. */
export interface RematchFrame {
  readonly t: "rematch";
  /** The id of the session. */
  readonly s: string;
  /** Of the frame it answers; absent in news. */
  readonly id?: string | undefined;
  /** Seats of players who want a rematch, in order. */
  readonly asked: readonly number[];
  /** All of them do; bots are always ready. */
  readonly agreed: boolean;
  /** Who said no: there is no agreement any more. */
  readonly declined: number | null;
  /** Seats of players who have a socket open anywhere. */
  readonly here: readonly number[];
  /** Until when players can agree; null where the session can have no rematch. */
  readonly until: string | null;
  /** The rematch, once it is made. */
  readonly next: {
    readonly session: string;
    /** Opens it. In the answer to a player's own frame alone. */
    readonly token?: string | undefined;
  } | null;
  /** Why the service could not make the rematch that was agreed on; else null. */
  readonly refused: string | null;
  /** Each seat's rating before and after; null where it did not count. */
  readonly ratings: readonly (readonly unknown[])[] | null;
}

/** Plays an action of the game. The `ack` comes after it was committed. */
export interface ActMessage {
  readonly t: "act";
  /** The id of the session. */
  readonly s: string;
  /** The client's own for this command; a repeat has no second effect. */
  readonly id: string;
  /** What to do, in the words of the game. */
  readonly action?: unknown;
}

/** Gives the match up. */
export interface ResignMessage {
  readonly t: "resign";
  /** The id of the session. */
  readonly s: string;
  /** The client's own for this command; a repeat has no second effect. */
  readonly id: string;
}

/** Leaves a session that is still pending: the seat is open again. */
export interface LeaveMessage {
  readonly t: "leave";
  /** The id of the session. */
  readonly s: string;
  /** The client's own for this command; a repeat has no second effect. */
  readonly id: string;
}

/** Offers a draw, or answers the offer: checkers and connect4 only. */
export interface DrawMessage {
  readonly t: "draw";
  /** The id of the session. */
  readonly s: string;
  /** The client's own for this command; a repeat has no second effect. */
  readonly id: string;
  readonly do: "offer" | "accept" | "decline";
}

/** Shows a feeling to everybody. It is no record of the match. */
export interface EmoteMessage {
  readonly t: "emote";
  /** The id of the session. */
  readonly s: string;
  readonly emote: "thumbs_up" | "thumbs_down" | "clap" | "laugh" | "cry" | "angry" | "surprised" | "thinking" | "hello" | "good_game" | "good_luck" | "oops";
}

/** Adds to the chance of the match before its start; each player's once. */
export interface EntropyMessage {
  readonly t: "entropy";
  /** The id of the session. */
  readonly s: string;
  /** The player's own part in the match's chance, before the start. */
  readonly value: string;
}

/** Tells what is held down from tick `from` on, in games that run by the clock. */
export interface InMessage {
  readonly t: "in";
  /** The id of the session. */
  readonly s: string;
  /** The tick that the first mask is for. */
  readonly from: number;
  /** What is held down, tick by tick; 1 to 60 of them. */
  readonly masks: readonly number[];
}

/** Asks for the whole state. */
export interface SyncMessage {
  readonly t: "sync";
  /** The id of the session. */
  readonly s: string;
}

/** Asks for the replay of a match that is over. */
export interface ReplayMessage {
  readonly t: "replay";
  /** The id of the session. */
  readonly s: string;
  /** The client's own: it comes back in the answer. */
  readonly id: string;
}

/** Says what the player thinks of a rematch, or only asks what was said. Of matches that are over. */
export interface RematchMessage {
  readonly t: "rematch";
  /** The id of the session. */
  readonly s: string;
  /** The client's own: it comes back in the answer. */
  readonly id: string;
  /** Absent, it only asks what was said. `decline` is final. */
  readonly do?: "offer" | "withdraw" | "decline" | undefined;
}

/** Asks for the time, and says that one is still there. */
export interface PingMessage {
  readonly t: "ping";
  /** Comes back in the `pong`. */
  readonly n: number;
}

/** Shows the token, if the handshake did not; on an open socket it asks for the gap. */
export interface HelloMessage {
  readonly t: "hello";
  /** Unless it stood in the subprotocol. */
  readonly token?: string | undefined;
  /** The version last seen of each session. A lobby is shown those it names that ended while it was away. */
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
