/** The fields of requests, and the error messages for invalid ones (rule H4). */

import { z } from 'zod';
import { makeChoiceProblem, makeProblem, type Problem } from './errors.ts';
import { GAMES } from './values.ts';

const PLAYER_ID_CHARS_MAX = 128;
const DISPLAY_NAME_CHARS_MAX = 64;
const METADATA_KEYS_MAX = 20;
const METADATA_KEY_CHARS_MAX = 40;
const METADATA_VALUE_CHARS_MAX = 500;
/** Field names from outside are quoted up to this length. */
const QUOTED_CHARS_MAX = 64;

/** Counts characters as people and JSON Schema do: code points, not UTF-16 units. */
function charsBetween(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > 2 * max) return false;
  return text.length <= max || Array.from(text).length <= max;
}

export const shortText = (min: number, max: number) =>
  z
    .string()
    .refine((text) => charsBetween(text, min, max))
    .meta({ minLength: min, maxLength: max });

/** Rule H11: no control characters, no lone surrogates; compared exactly. */
const PLAIN = /^[^\p{Cc}\p{Cs}]*$/u;

export const plainText = (min: number, max: number) => shortText(min, max).regex(PLAIN);

/** Not `.` and `..` either: no client sends them as a path segment. */
const PLAYER_ID = /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]*$/u;

export const playerId = shortText(1, PLAYER_ID_CHARS_MAX)
  .regex(PLAYER_ID)
  .meta({
    description: 'Your id of the player.',
    examples: ['alice'],
  });

export const displayName = plainText(0, DISPLAY_NAME_CHARS_MAX).meta({
  description: 'The name that others see. If absent, the last name is kept.',
  examples: ['Alice'],
});

export const player = z
  .object({ id: playerId, displayName: displayName.nullish() })
  .meta({ id: 'PlayerToSeat' });

/** `src/http/request/read-game.ts` checks which games the server knows. The document lists the shipped ones. */
export const game = z.string().meta({
  id: 'Game',
  enum: [...GAMES],
  description: "A game's id.",
  examples: ['connect4'],
});

const metadataKey = shortText(1, METADATA_KEY_CHARS_MAX);
const metadataValue = shortText(0, METADATA_VALUE_CHARS_MAX);

/** A key and its value, to filter sessions by. */
export const metadataFilter = z
  .record(metadataKey, metadataValue)
  .refine((value) => Object.keys(value).length === 1)
  .meta({ minProperties: 1, maxProperties: 1 });

export const metadata = z
  .record(metadataKey, metadataValue.nullable())
  .refine((value) => Object.keys(value).length <= METADATA_KEYS_MAX)
  .meta({
    id: 'Metadata',
    description: 'Up to 20 keys with your values, returned with the session and in its events.',
    maxProperties: METADATA_KEYS_MAX,
    examples: [{ table: '7' }],
  });

/**
 * Checks one value. Null counts as missing: a schema that accepts `undefined` makes the field
 * optional. `name` is the field's name in messages.
 */
export function readField<T>(schema: z.ZodType<T>, value: unknown, name: string): T | Problem {
  const isAbsent = value === undefined || value === null;
  // Most fields of most requests are absent: no parse needed.
  if (isAbsent && schema._zod.optin === 'optional') return undefined as T;
  const parsed = schema.safeParse(value ?? undefined);
  return parsed.success ? parsed.data : makeFieldProblem(parsed.error.issues[0]!, value, name);
}

/** Checks a whole body or query, its fields in the schema's order. */
export function readFields<T>(schema: z.ZodType<T>, fields: object): T | Problem {
  const parsed = schema.safeParse(fields);
  return parsed.success ? parsed.data : makeFieldProblem(parsed.error.issues[0]!, fields, '');
}

type Issue = z.core.$ZodIssue;

/** The message for the first error. `name` is the field that the issue's path starts from. */
function makeFieldProblem(issue: Issue, root: unknown, name: string): Problem {
  if (issue.code === 'unrecognized_keys') {
    return makeProblem('invalid_field', { field: makePath(name, [...issue.path, issue.keys[0]!]) });
  }
  // A key that is too long is no field's name: its record is reported.
  const path = issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path;
  const field = makePath(name, path);
  const value = path.reduce<unknown>(
    (at, key) => (at === null || at === undefined ? undefined : Reflect.get(Object(at), key)),
    root,
  );
  if (value === undefined || value === null) return makeProblem('field_required', { field });
  if (issue.code === 'invalid_value') return makeChoiceProblem(field, issue.values);
  return makeProblem('invalid_field', { field });
}

/** `players`, `0`, `id` → `players[0].id`. */
function makePath(name: string, path: readonly PropertyKey[]): string {
  let text = name;
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return quoteName(text);
}

/** Names from outside may be long or odd; messages stay short and printable. */
export function quoteName(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD');
  return plain.length <= QUOTED_CHARS_MAX ? plain : `${plain.slice(0, QUOTED_CHARS_MAX - 1)}…`;
}

/** A time with its zone, in a query. */
export const optionalTime = z.iso.datetime({ offset: true }).optional();
