/** A runner that does nothing but hand on what is written of presence. */

import type { PlayerPresence } from '../../tickets.ts';
import type { Runner, Script } from '../shared/script.ts';
import { WRITE_AGAIN } from './presence.ts';

/** `isAgain`: they are said to be here once more. The tenant knows none of them. */
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
