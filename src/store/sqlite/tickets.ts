/** The start of groups, and presence, in SQLite: by the writer's thread. */

import type { PresenceStore, TicketStore } from '../tickets.ts';
import type { GroupCommit } from './group-commit.ts';

export function makeGroupStore({
  perform,
}: Pick<GroupCommit, 'perform'>): Pick<TicketStore, 'startGroups'> & PresenceStore {
  return {
    async setPresence(presence) {
      await perform<'setPresence'>({ op: 'setPresence', presence });
    },
    startGroups: (start) => perform<'startGroups'>({ op: 'startGroups', start }),
  };
}
