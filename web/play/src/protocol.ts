/** The frames of `matchd.v1` as a player's client sees them: their types and the door they pass. */

/** The subprotocol, and what a token is announced with beside it. */
export const SUBPROTOCOL = 'matchd.v1';
export const TOKEN_PROTOCOL_PREFIX = 'token.';

/** Why a server closes a socket. */
export const CLOSE = {
  restarting: 1012,
  overloaded: 1013,
  badFrame: 4400,
  token: 4401,
  origin: 4403,
  noHello: 4408,
  replaced: 4409,
  tooFast: 4429,
} as const;

/** The feelings a player can show: a closed list, the server's own. */
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
export type Emote = (typeof EMOTES)[number];

/** Index of a seat, counted from 0. */
export type Seat = number;
export type DrawStep = 'offer' | 'accept' | 'decline';
export type SessionStatus = 'pending' | 'active' | 'ended';

export interface PlayerFrame {
  /** Null when the player was erased. */
  readonly id: string | null;
  readonly displayName: string | null;
  readonly seat: Seat;
  readonly isBot: boolean;
  readonly connected: boolean;
}

export interface ClockFrame {
  /** Time left by seat as of the frame, in milliseconds. */
  readonly remainingMs: readonly number[];
  /** The seat whose clock runs; null when none does. */
  readonly running: Seat | null;
  /** When that seat's time is up. ISO 8601. */
  readonly flagsAt: string | null;
}

export interface ResultFrame {
  readonly winner: string | null;
  readonly winners: readonly (string | null)[];
  /** Every seat's place, 1 for the first; equal places are shared. */
  readonly placements: readonly { readonly seat: Seat; readonly place: number }[];
  readonly reason: string;
  readonly durationMs: number;
  readonly moveCount: number;
  /** What the game adds, e.g. `line`. */
  readonly [detail: string]: unknown;
}

/** What every frame of a session's chain carries. */
interface Chained {
  /** The session. */
  readonly s: string;
  /** The version of the record the frame shows. */
  readonly v: number;
  /** The version of the frame before it. */
  readonly prev: number;
}

export interface WelcomeFrame {
  readonly t: 'welcome';
  /** The player's id; null for watchers. */
  readonly player: string | null;
  /** The sessions this socket shows; a `state` of each follows. */
  readonly sessions: readonly string[];
  /** Opens sockets until the session is long over. */
  readonly resumeToken: string;
  /** How often to ping. */
  readonly pingMs: number;
}

export interface StateFrame extends Chained {
  readonly t: 'state';
  readonly game: string;
  readonly variant: string;
  readonly status: SessionStatus;
  /** The receiver's own seat; null for watchers. */
  readonly seat: Seat | null;
  readonly players: readonly PlayerFrame[];
  readonly turn: Seat | null;
  /** The game as this seat may see it; null when it never began. */
  readonly view: unknown;
  /** The legal actions of the seat to move; absent where they are not finite. */
  readonly legal?: readonly unknown[] | null;
  readonly clock: ClockFrame | null;
  /** When the turn runs out; while pending, when the session expires. ISO 8601. */
  readonly deadline: string | null;
  readonly drawOfferedBy: Seat | null;
  /** By seat: until when a player who is away may come back. ISO 8601. */
  readonly graces: readonly (string | null)[];
  /** Time of the record. ISO 8601. */
  readonly at: string;
  readonly result: ResultFrame | null;
  /** What an opponent joins with, on pending sessions that have a code. */
  readonly roomCode?: string | null;
}

export interface UpdateFrame extends Chained {
  readonly t: 'update';
  readonly seat: Seat;
  /** A game's action, or `{ draw }`, `{ missed }`, `{ forfeit }`. */
  readonly action: unknown;
  readonly view: unknown;
  readonly turn: Seat | null;
  readonly legal?: readonly unknown[] | null;
  readonly clock: ClockFrame | null;
  readonly deadline: string | null;
  readonly at: string;
}

export interface PresenceFrame extends Chained {
  readonly t: 'presence';
  readonly seat: Seat;
  readonly connected: boolean;
  readonly deadline: string | null;
}

export interface OverFrame extends Chained {
  readonly t: 'over';
  readonly result: ResultFrame;
  readonly at: string;
}

export interface WarningFrame extends Chained {
  readonly t: 'warning';
  readonly kind: 'afk';
  readonly seat: Seat;
  readonly deadline: string;
}

export interface AckFrame {
  readonly t: 'ack';
  readonly s: string;
  readonly id: string;
  /** The version of the command's record. */
  readonly v: number;
}

export interface RejectFrame {
  readonly t: 'reject';
  readonly s: string | null;
  /** Null when what was refused carried none. */
  readonly id: string | null;
  readonly code: string;
  readonly error: string;
}

export interface EmoteFrame {
  readonly t: 'emote';
  readonly s: string;
  readonly seat: Seat;
  readonly emote: Emote;
}

export interface PongFrame {
  readonly t: 'pong';
  readonly n: number;
  /** The server's time: ISO 8601, or milliseconds since 1970. */
  readonly now: string | number;
  /** A fresh one now and then. */
  readonly resumeToken?: string;
}

/** Frames that show records, in an unbroken chain of versions. */
export type ChainFrame = StateFrame | UpdateFrame | PresenceFrame | OverFrame;
export type ServerFrame =
  | ChainFrame
  | WelcomeFrame
  | WarningFrame
  | AckFrame
  | RejectFrame
  | EmoteFrame
  | PongFrame;

/** What a player asks for. `id` is the client's own: a repeat of it has no second effect. */
export type CommandFrame =
  | { readonly t: 'act'; readonly s: string; readonly id: string; readonly action: unknown }
  | { readonly t: 'resign'; readonly s: string; readonly id: string }
  | { readonly t: 'draw'; readonly s: string; readonly id: string; readonly do: DrawStep };

export type ClientFrame =
  | CommandFrame
  | { readonly t: 'emote'; readonly s: string; readonly emote: Emote }
  | { readonly t: 'sync'; readonly s: string }
  | { readonly t: 'ping'; readonly n: number };

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isFlag: Check = (value) => typeof value === 'boolean';
const isList: Check = Array.isArray;
const isObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

const CHAIN = { s: isText, v: isNumber, prev: isNumber };

/** The fields without which a frame is of no use, by its `t`. Others may be added any time. */
const FIELDS: Readonly<Record<ServerFrame['t'], Readonly<Record<string, Check>>>> = {
  welcome: { sessions: isList, resumeToken: isText, pingMs: isNumber },
  state: { ...CHAIN, game: isText, status: isText, players: isList, graces: isList, at: isText },
  update: { ...CHAIN, seat: isNumber, turn: orNull(isNumber), at: isText },
  presence: { ...CHAIN, seat: isNumber, connected: isFlag },
  over: { ...CHAIN, result: isObject },
  warning: { ...CHAIN, seat: isNumber, deadline: isText },
  ack: { s: isText, id: isText, v: isNumber },
  reject: { code: isText },
  emote: { s: isText, seat: isNumber, emote: (value) => EMOTES.some((each) => each === value) },
  pong: { n: isNumber, now: (value) => isText(value) || isNumber(value) },
};

/** A frame of the server; null for what this client does not know or cannot use. */
export function parseServerFrame(text: string): ServerFrame | null {
  const value = parseJson(text);
  if (!isObject(value)) return null;
  const frame = value as Record<string, unknown>;
  const kind = frame['t'];
  if (typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind)) return null;
  const fields = FIELDS[kind as ServerFrame['t']];
  const fits = Object.entries(fields).every(([name, check]) => check(frame[name]));
  return fits ? (frame as unknown as ServerFrame) : null;
}

/** Milliseconds since 1970 of a time in a frame; null for none. */
export function parseTime(time: string | number | null | undefined): number | null {
  if (time === null || time === undefined) return null;
  const ms = typeof time === 'number' ? time : Date.parse(time);
  return Number.isFinite(ms) ? ms : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
