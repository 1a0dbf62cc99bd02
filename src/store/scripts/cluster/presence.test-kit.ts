/** A runner that only passes presence writes on. */

import type { PlayerPresence } from '../../tickets.ts';
import type { Runner, Script } from '../shared/script.ts';
import { WRITE_AGAIN } from './presence.ts';

/** `isAgain`: presence is rewritten. The tenant knows none of the players. */
export function makePresenceRunner(
  write: (rows: readonly PlayerPresence[], isAgain: boolean) => Promise<void>,
): Pick<Runner, 'sql' | 'write'> {
  return {
    sql: null as never,
    async write<Ask, Answer>(script: Script<Ask, Answer>, ask: Ask): Promise<Answer> {
      const { rows } = ask as { readonly rows: readonly PlayerPresence[] };
      await write(rows, script.name === WRITE_AGAIN.name);
      return [] as Answer;
    },
  };
}
