/** A query's values, read and checked as its schema says. */

import type { z } from 'zod';
import { makeProblem, type Problem } from '../contract/errors.ts';
import { readFields } from '../contract/fields.ts';

/** Names whose values are whole numbers. */
const NUMBERS: ReadonlySet<string> = new Set(['limit', 'capacity']);
const WHOLE = /^-?\d{1,9}$/;

/**
 * The values that the schema names; empty ones count as missing. A parameter that is given twice is
 * refused before any value is checked, as programs differ in which one they read (rule H4).
 */
export function readQuery<T>(
  schema: z.ZodObject & z.ZodType<T>,
  query: URLSearchParams,
): T | Problem {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(schema.shape)) {
    const texts = query.getAll(name);
    if (texts.length > 1) return makeProblem('invalid_field', { field: name });
    const text = texts[0];
    if (text === undefined || text === '') continue;
    values[name] = NUMBERS.has(name) && WHOLE.test(text) ? Number(text) : text;
  }
  return readFields(schema, values);
}
