/** The options of a session: their bounds (rule S9a). */

import type { Game, OptionSpec, Options, OptionValue } from '../../game/src/game.ts';
import type { BotDifficulty, ClockSetting } from './record.ts';
import { BOT_DIFFICULTIES } from './record.ts';

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

/** Bounds of the options that every game has, in milliseconds. */
export const OPTION_LIMITS = {
  turnTimeoutMs: { min: 5 * SECOND_MS, max: 14 * DAY_MS },
  disconnectGraceMs: { min: 0, max: 14 * DAY_MS, default: 60 * SECOND_MS },
  clockInitialMs: { min: 10 * SECOND_MS, max: 14 * DAY_MS },
  clockIncrementMs: { min: 0, max: DAY_MS },
} as const;

/** How long a session may be pending, by the way it is filled. Milliseconds. */
export const PENDING_MS = { private: 600 * SECOND_MS, other: 300 * SECOND_MS } as const;

/** A session's final options. */
export interface SessionOptions {
  readonly game: Options;
  readonly turnTimeoutMs: number;
  readonly clock: ClockSetting | null;
  readonly disconnectGraceMs: number;
  readonly afk: boolean;
  readonly botDifficulty: BotDifficulty;
}

/** The first invalid option, as the path of the field below `options`. */
export interface OptionError {
  readonly field: string;
  /** The valid values, if they are a list. */
  readonly valid: readonly string[] | null;
  /** It is missing and required. */
  readonly isMissing?: true;
}

type Bounds = { readonly min: number; readonly max: number };
type AnyOptions = Readonly<Record<string, unknown>>;

/**
 * Checks the given options against the game's and fills in the defaults. Unknown names are refused;
 * null counts as missing.
 */
export function parseOptions(
  game: Pick<Game<never, never>, 'options' | 'turnTimeoutMs'> & {
    readonly ticks?: object;
    readonly acting?: unknown;
  },
  asked: AnyOptions,
): SessionOptions | OptionError {
  // If no seat ever moves alone a clock has nothing to count.
  const clock = game.ticks === undefined && game.acting === undefined ? ['clock'] : [];
  const known = ['turnTimeoutMs', ...clock, 'disconnectGraceMs', 'afk', 'botDifficulty'];
  const own = Object.keys(game.options);
  for (const name of Object.keys(asked)) {
    if (!known.includes(name) && !own.includes(name)) return { field: name, valid: null };
  }
  const wrong = commonOptionError(asked) ?? gameOptionError(game.options, asked);
  if (wrong !== null) return wrong;
  const get = <T>(name: string, otherwise: T): T => (asked[name] ?? otherwise) as T;
  return {
    game: Object.fromEntries(own.map((name) => [name, get(name, game.options[name]!.default)])),
    turnTimeoutMs: get('turnTimeoutMs', game.turnTimeoutMs),
    clock: makeClockSetting(asked['clock']),
    disconnectGraceMs: get('disconnectGraceMs', OPTION_LIMITS.disconnectGraceMs.default),
    afk: get('afk', true),
    botDifficulty: get('botDifficulty', 'medium'),
  };
}

export function isOptionError(value: SessionOptions | OptionError): value is OptionError {
  return 'field' in value;
}

function commonOptionError(asked: AnyOptions): OptionError | null {
  const integers = ['turnTimeoutMs', 'disconnectGraceMs'] as const;
  for (const name of integers) {
    if (!isAbsentOr(asked[name], (value) => isWithin(value, OPTION_LIMITS[name]))) {
      return { field: name, valid: null };
    }
  }
  const clock = clockError(asked['clock']);
  if (clock !== null) return clock;
  if (!isAbsentOr(asked['afk'], (value) => typeof value === 'boolean')) {
    return { field: 'afk', valid: ['true', 'false'] };
  }
  const isDifficulty = (value: unknown): boolean => BOT_DIFFICULTIES.some((each) => each === value);
  if (!isAbsentOr(asked['botDifficulty'], isDifficulty)) {
    return { field: 'botDifficulty', valid: BOT_DIFFICULTIES };
  }
  return null;
}

function clockError(clock: unknown): OptionError | null {
  if (clock === undefined || clock === null) return null;
  if (typeof clock !== 'object' || Array.isArray(clock)) return { field: 'clock', valid: null };
  const fields = clock as AnyOptions;
  const unknown = Object.keys(fields).find(
    (name) => name !== 'initialMs' && name !== 'incrementMs',
  );
  if (unknown !== undefined) return { field: `clock.${unknown}`, valid: null };
  const initial = fields['initialMs'] ?? null;
  if (initial === null) return { field: 'clock.initialMs', valid: null, isMissing: true };
  if (!isWithin(initial, OPTION_LIMITS.clockInitialMs)) {
    return { field: 'clock.initialMs', valid: null };
  }
  const increment = fields['incrementMs'];
  if (!isAbsentOr(increment, (value) => isWithin(value, OPTION_LIMITS.clockIncrementMs))) {
    return { field: 'clock.incrementMs', valid: null };
  }
  return null;
}

function makeClockSetting(clock: unknown): ClockSetting | null {
  if (clock === undefined || clock === null) return null;
  const { initialMs, incrementMs } = clock as { initialMs: number; incrementMs?: number | null };
  return { initialMs, incrementMs: incrementMs ?? 0 };
}

function gameOptionError(
  specs: Readonly<Record<string, OptionSpec>>,
  asked: AnyOptions,
): OptionError | null {
  for (const [name, spec] of Object.entries(specs)) {
    if (isAbsentOr(asked[name], (value) => fitsOption(spec, value))) continue;
    return { field: name, valid: spec.kind === 'choice' ? spec.values.map(String) : null };
  }
  return null;
}

/** Whether the option may have the value. */
export function fitsOption(spec: OptionSpec, value: unknown): value is OptionValue {
  switch (spec.kind) {
    case 'integer':
      return isWithin(value, spec);
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return spec.values.some((each) => each === value);
  }
}

function isWithin(value: unknown, bounds: Bounds): boolean {
  return (
    typeof value === 'number' &&
    Number.isSafeInteger(value) &&
    value >= bounds.min &&
    value <= bounds.max
  );
}

function isAbsentOr(value: unknown, test: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || test(value);
}
