/** Reads and checks a query's values by its schema. */

import type { z } from 'zod';
import { isProblem, makeProblem, type Problem } from '../../contract/errors.ts';
import { readFields } from '../../contract/fields.ts';
import type { Games } from '../../games/games.ts';
import { readGameFields } from './read-game.ts';

/** Parameters with integer values. */
const NUMBERS: ReadonlySet<string> = new Set(['limit', 'capacity']);
const WHOLE = /^-?\d{1,9}$/;

/** Parameters with keys of their own: `metadata[orderId]=77`. */
const OBJECTS: ReadonlySet<string> = new Set(['metadata']);

/**
 * The values of the schema's parameters; empty ones count as missing. A repeated parameter is refused before any
 * value is checked, because programs differ in which one they read (rule H4).
 */
export function readQuery<T>(
  schema: z.ZodObject & z.ZodType<T>,
  query: URLSearchParams,
): T | Problem {
  const values = valuesOf(schema, query);
  return isProblem(values) ? values : readFields(schema, values);
}

/** The same for a query that may name a game. */
export function readGameQuery<T>(
  games: Games,
  schema: z.ZodObject & z.ZodType<T>,
  query: URLSearchParams,
): T | Problem {
  const values = valuesOf(schema, query);
  return isProblem(values) ? values : readGameFields(games, schema, values);
}

type Values = Readonly<Record<string, unknown>>;

function valuesOf(schema: z.ZodObject, query: URLSearchParams): Values | Problem {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(schema.shape)) {
    const texts = query.getAll(name);
    if (texts.length > 1) return makeProblem('invalid_field', { field: name });
    const text = texts[0];
    if (OBJECTS.has(name)) {
      const found = readObject(name, query);
      if (isProblem(found)) return found;
      if (found !== null) values[name] = found;
    }
    if (text === undefined || text === '') continue;
    values[name] = NUMBERS.has(name) && WHOLE.test(text) ? Number(text) : text;
  }
  return values;
}

/** Null when there is none. An empty value of a key is a value. */
function readObject(name: string, query: URLSearchParams): object | Problem | null {
  const found = [...query].filter(([each]) => each.startsWith(`${name}[`) && each.endsWith(']'));
  if (found.length === 0) return null;
  const keys = found.map(([each]) => each.slice(name.length + 1, -1));
  const isTwice = new Set(keys).size < keys.length;
  if (isTwice) return makeProblem('invalid_field', { field: name });
  return Object.fromEntries(found.map(([, value], index) => [keys[index]!, value]));
}
