/** The server's frames: their types, and their validation. */

import type { Result, SeatedPlayer } from '../generated/api.ts';
import type {
  ActMessage,
  DrawMessage,
  EmoteMessage,
  LeaveMessage,
  OverFrame,
  PresenceFrame,
  ResignMessage,
  ServerFrame,
  StateFrame,
  UpdateFrame,
} from '../generated/frames.ts';
import { EMOTES } from '../generated/frames.ts';

/** The subprotocols, the preferred one first, and the prefix that carries a token. */
export const SUBPROTOCOLS = ['matchd.v2', 'matchd.v1'] as const;
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
  left: 4410,
  tooFast: 4429,
} as const;

export type Emote = EmoteMessage['emote'];
/** Index of a seat, counted from 0. */
export type Seat = number;
export type DrawStep = DrawMessage['do'];
export type SessionStatus = StateFrame['status'];
export type PlayerFrame = SeatedPlayer;
export type ClockFrame = NonNullable<StateFrame['clock']>;
export type ResultFrame = Result;

/** Frames that show records, in an unbroken chain of versions. */
export type ChainFrame = StateFrame | UpdateFrame | PresenceFrame | OverFrame;
/** A player's messages. `id` is the client's own: a repeat has no second effect. */
export type CommandMessage = ActMessage | LeaveMessage | ResignMessage | DrawMessage;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isFlag: Check = (value) => typeof value === 'boolean';
const isObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isSeatOrNone: Check = (value) => value === null || isNumber(value);

const CHAIN = { s: isText, v: isNumber, prev: isNumber };

/** The required fields of each frame, by its `t`. Others may be added any time. */
const FIELDS: Readonly<Record<ServerFrame['t'], Readonly<Record<string, Check>>>> = {
  welcome: { sessions: Array.isArray, resumeToken: isText, pingMs: isNumber },
  state: {
    ...CHAIN,
    game: isText,
    status: isText,
    players: Array.isArray,
    graces: Array.isArray,
    at: isText,
  },
  update: { ...CHAIN, seat: isNumber, turn: isSeatOrNone, at: isText },
  presence: { ...CHAIN, seat: isNumber, connected: isFlag },
  left: { ...CHAIN, seat: isNumber },
  over: { ...CHAIN, result: isObject },
  warning: { ...CHAIN, seat: isNumber, deadline: isText },
  ticks: { s: isText, from: isNumber, inputs: Array.isArray, committed: isNumber },
  ack: { s: isText, id: isText, v: isNumber },
  reject: { code: isText },
  emote: { s: isText, seat: isNumber, emote: (value) => EMOTES.some((each) => each === value) },
  rematch: { s: isText, asked: Array.isArray, here: Array.isArray },
  pong: { n: isNumber, now: isText },
  replay: { s: isText, id: isText, replay: isObject },
};

/** A server frame; null for one that this client does not know or cannot use. */
export function parseServerFrame(text: string): ServerFrame | null {
  return checkFrame(parseJson(text));
}

/** The same for a parsed value; null for one that this client does not know or cannot use. */
export function checkFrame(value: unknown): ServerFrame | null {
  if (!isObject(value)) return null;
  const frame = value as Readonly<Record<string, unknown>>;
  const kind = frame['t'];
  if (typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind)) return null;
  const fields = FIELDS[kind as ServerFrame['t']];
  const fits = Object.entries(fields).every(([name, check]) => check(frame[name]));
  return fits ? (frame as unknown as ServerFrame) : null;
}

/** A frame's time in milliseconds since 1970; null for none. */
export function parseTime(time: string | null | undefined): number | null {
  const ms = Date.parse(time ?? '');
  return Number.isFinite(ms) ? ms : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
