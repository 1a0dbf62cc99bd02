/** Values of a query, as a schema can check them. */

import type { z } from 'zod';

/** Names whose values are whole numbers. */
const NUMBERS: ReadonlySet<string> = new Set(['limit', 'capacity']);
const WHOLE = /^-?\d{1,9}$/;

/** The values the schema names: of repeated ones the first; empty ones count as missing. */
export function readQuery(schema: z.ZodObject, query: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(schema.shape)) {
    const text = query.get(name);
    if (text === null || text === '') continue;
    values[name] = NUMBERS.has(name) && WHOLE.test(text) ? Number(text) : text;
  }
  return values;
}
