/** Reads a request's game: one of those that this process serves. */

import type { z } from 'zod';
import { isProblem, makeChoiceProblem, makeProblem, type Problem } from '../../contract/errors.ts';
import { readFields } from '../../contract/fields.ts';
import type { Games, Rules } from '../../games/games.ts';

/** The rules of the game in a field. */
export function readGame(games: Games, value: unknown): Rules | Problem {
  if (value === undefined || value === null) {
    return makeProblem('field_required', { field: 'game' });
  }
  const rules = typeof value === 'string' ? games.find(value) : null;
  return rules ?? makeChoiceProblem('game', games.ids());
}

/** As `readFields`, for a request that may name a game: the game is checked in the order of the fields. */
export function readGameFields<T>(
  games: Games,
  schema: z.ZodObject & z.ZodType<T>,
  fields: Readonly<Record<string, unknown>>,
): T | Problem {
  const { game } = fields;
  if (game === undefined || game === null) return readFields(schema, fields);
  const found = readGame(games, game);
  if (!isProblem(found)) return readFields(schema, fields);
  const names = Object.keys(schema.shape);
  const before = names.slice(0, names.indexOf('game'));
  const parsed = schema.safeParse(fields);
  const wrong = parsed.success ? undefined : parsed.error.issues[0]!.path[0];
  return before.includes(String(wrong)) ? readFields(schema, fields) : found;
}
