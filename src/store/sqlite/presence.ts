/** Presence in SQLite: known to the writer's thread only. */

import type { PresenceStore } from '../tickets.ts';
import type { GroupCommit } from './writer/group-commit.ts';

export function makePresenceStore({ perform }: Pick<GroupCommit, 'perform'>): PresenceStore {
  return {
    async setPresence(presence) {
      await perform<'setPresence'>({ op: 'setPresence', presence });
    },
  };
}
