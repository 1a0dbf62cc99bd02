/** What varies in paths. */

import { z } from 'zod';
import { playerId } from './fields.ts';

export const PARAMS = {
  id: z
    .string()
    .meta({ description: "The session's id.", examples: ['ses_01kafw3q9t5ne8rz2m4xbcd7hj'] }),
  playerId,
} as const;

/** Names of what varies, in the order of the path. */
export function paramsOf(path: string): (keyof typeof PARAMS)[] {
  return Array.from(path.matchAll(/:(\w+)/g), (found) => found[1] as keyof typeof PARAMS);
}
