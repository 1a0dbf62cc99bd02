/** The exported form of a replay, and the parser for replays from outside. */

import type { GameId, Json, Options, Seat } from '../../../game/src/game.ts';
import type { Draw } from '../../../game/src/random.ts';
import type { Result } from '../result.ts';
import type { ReplayControl, ReplayInput, ReplayTicks } from './rerun.ts';

export interface Fairness {
  /** Hex SHA-256 of the seed's text. */
  readonly commitment: string;
  /** Null until the end. */
  readonly seed: string | null;
  /** The players' entropy, as one text. */
  readonly entropy: string;
}

export interface ReplayPlayer {
  /** Null once erased. */
  readonly id: string | null;
  readonly displayName: string | null;
  readonly seat: Seat;
  readonly isBot: boolean;
}

/** What one record of a match drew. */
export interface ReplayChance {
  readonly v: number;
  /** In the order in which they were drawn. */
  readonly draws: readonly Draw[];
}

export interface Replay {
  readonly sessionId: string;
  readonly rulesVersion: number;
  /** The hash of that version's code; absent for shipped games. */
  readonly rulesHash?: string;
  readonly game: GameId;
  readonly variant: string;
  readonly seats: number;
  readonly options: Options;
  readonly players: readonly ReplayPlayer[];
  readonly fairness: Fairness;
  /** Seats in the order in which they were taken, if the seed drew it; otherwise null. */
  readonly drawnSeats: readonly Seat[] | null;
  readonly inputs: readonly ReplayInput[];
  /** For tick games only. */
  readonly ticks?: readonly ReplayTicks[];
  readonly controls: readonly ReplayControl[];
  /** Every drawn value, by record; null until the end, absent in replays of an earlier matchd. */
  readonly chance?: readonly ReplayChance[] | null;
  /** Hex SHA-256 of the state's canonical JSON; null when the game never began. */
  readonly hash: string | null;
  readonly result: Result | null;
  /** Signature of the exporting installation over everything else; absent in replays of an earlier matchd. */
  readonly signature?: ReplaySignature;
}

export interface ReplaySignature {
  /** The `kid` of the public key that verifies it. */
  readonly keyId: string;
  readonly algorithm: 'Ed25519';
  /** 64 bytes in base64url. */
  readonly value: string;
}

/** Larger files are no replay of ours. */
export const REPLAY_BYTES_MAX = 64 * 1024 * 1024;

/** The most seats of a session in any game: the engine checks the rest. */
const SEATS_MAX = 64;

const CONTROL_KINDS: readonly string[] = [
  ...(['missed', 'resignation', 'afk_timeout', 'clock_timeout', 'disconnect'] as const),
  ...(['draw_offer', 'draw_accept', 'draw_decline'] as const),
] satisfies readonly ReplayControl['kind'][];

const HEX = /^[0-9a-f]{64}$/;

/** What is wrong with a value, as `<field>: <what it should be>`; null when nothing is. */
type Check = (value: unknown, name: string) => string | null;
type Form = Readonly<Record<string, Check>>;

const must =
  (what: string, fits: (value: unknown) => boolean): Check =>
  (value, name) =>
    fits(value) ? null : `${name}: has to be ${what}`;

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = must('a text', (value) => typeof value === 'string');
const textOrNull = must('a text or null', (value) => value === null || typeof value === 'string');
const flag = must('true or false', (value) => typeof value === 'boolean');
const number = must('a number', (value) => typeof value === 'number');
const whole = must('a whole number', isWhole);
const count = must('a whole number from 0', (value) => isWhole(value) && value >= 0);
const seat = must('a seat', (value) => isWhole(value) && value >= 0 && value <= SEATS_MAX);
const hex = must('64 hex digits', (value) => typeof value === 'string' && HEX.test(value));
const anything: Check = () => null;

const orNull =
  (check: Check): Check =>
  (value, name) =>
    value === null ? null : check(value, name);
const orAbsent =
  (check: Check): Check =>
  (value, name) =>
    value === undefined ? null : check(value, name);

const object =
  (form: Form): Check =>
  (value, name) => {
    if (!isObject(value)) return `${name}: has to be an object`;
    for (const [field, check] of Object.entries(form)) {
      const wrong = check(
        Object.hasOwn(value, field) ? value[field] : undefined,
        `${name}.${field}`,
      );
      if (wrong !== null) return wrong;
    }
    return null;
  };

const listOf =
  (check: Check): Check =>
  (value, name) => {
    if (!Array.isArray(value)) return `${name}: has to be a list`;
    for (const [index, each] of value.entries()) {
      const wrong = check(each, `${name}[${index}]`);
      if (wrong !== null) return wrong;
    }
    return null;
  };

const options: Check = (value, name) => {
  if (!isObject(value)) return `${name}: has to be an object`;
  const known = ['string', 'number', 'boolean'];
  const wrong = Object.keys(value).find((each) => !known.includes(typeof value[each]));
  return wrong === undefined ? null : `${name}.${wrong}: has to be a text, a number or a flag`;
};

const place = { v: count, at: text };

/** The fields that verification needs. Other fields in a file are ignored. */
const replayForm: Form = {
  sessionId: orAbsent(text),
  rulesVersion: whole,
  rulesHash: orAbsent(hex),
  game: text,
  variant: text,
  seats: must('a number of seats', (value) => isWhole(value) && value >= 1 && value <= SEATS_MAX),
  options,
  players: listOf(object({ id: textOrNull, displayName: textOrNull, seat, isBot: flag })),
  fairness: object({ commitment: hex, seed: textOrNull, entropy: text }),
  drawnSeats: orAbsent(orNull(listOf(seat))),
  inputs: listOf(object({ ...place, seat, action: anything })),
  ticks: orAbsent(listOf(object({ ...place, from: whole, runs: anything }))),
  controls: orAbsent(
    listOf(
      object({
        ...place,
        seat,
        kind: must('a kind of control', (value) => CONTROL_KINDS.includes(value as string)),
      }),
    ),
  ),
  chance: orAbsent(orNull(listOf(object({ v: count, draws: listOf(listOf(count)) })))),
  hash: orNull(hex),
  // Verification compares its fields one by one.
  result: orNull(object({ reason: text, durationMs: number })),
};

/** The replay in a text, or what is wrong with it in one sentence. */
export function parseReplay(source: string): Replay | string {
  try {
    return readReplay(JSON.parse(source));
  } catch (error) {
    return (error as Error).message;
  }
}

/** The same for a JSON value. */
export function readReplay(value: unknown): Replay | string {
  const wrong = object(replayForm)(value, 'replay');
  if (wrong !== null) return wrong.replace(/^replay\.?/, '').replace(/^: /, '');
  const found = value as Replay;
  const absent = { sessionId: '', drawnSeats: null, controls: [] };
  return { ...absent, ...found, inputs: found.inputs.map(withAction) };
}

/** JSON has no undefined: a missing action counts as one that no game knows. */
function withAction(input: ReplayInput): ReplayInput {
  return { ...input, action: input.action ?? (null as Json) };
}
