/** Cursors of lists whose pages end at an id: ids sort by time (rule H9). */

import { Buffer } from 'node:buffer';
import { makeProblem, type Problem } from '../../contract/errors.ts';
import type { IdPrefix } from '../../runtime/ids.ts';
import { isId } from '../../runtime/ids.ts';

export function makeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** The id in a cursor; null stays null. */
export function parseCursor(prefix: IdPrefix, text: string | null): string | null | Problem {
  if (text === null) return null;
  const id = Buffer.from(text, 'base64url').toString();
  return isId(prefix, id) ? id : makeProblem('invalid_field', { field: 'cursor' });
}
