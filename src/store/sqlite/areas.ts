/** A SQLite store, built on its reads and its writer: the same for a file and in memory. */

import type { AuditKeysInUse } from '../audit-keys.ts';
import { makeAreas as makeScriptAreas } from '../scripts/areas.ts';
import { CREATE_SESSION } from '../scripts/sessions/creates.ts';
import { SLEEP } from '../scripts/sessions/sleeping.ts';
import type { Runner } from '../scripts/shared/script.ts';
import { SINGLE_PROCESS } from '../shared/single-process.ts';
import type { Store } from '../whole-store.ts';
import { makeAuditKeyStore } from './audit-keys.ts';
import { makePresenceStore } from './presence.ts';
import type { GroupCommit } from './writer/group-commit.ts';

export interface AreaParts {
  readonly writer: Pick<GroupCommit, 'commit' | 'perform' | 'onEvents'>;
  readonly runner: Runner;
  /** For one of several nodes; absent: the one process that serves. */
  readonly node?: string | undefined;
}

/** All areas of a store that do not depend on where it is. */
export function makeAreas({
  writer,
  runner,
  node = SINGLE_PROCESS,
}: AreaParts): Omit<Store, 'listSecrets' | 'replaceSecrets' | 'close'> {
  const auditKeys: AuditKeysInUse = { keys: [] };
  return {
    ...makeScriptAreas(runner, node),
    ...makeSessionWrites(writer, runner),
    ...makePresenceStore(writer),
    ...makeAuditKeyStore(writer, runner, auditKeys),
    onEvents: writer.onEvents,
  };
}

function makeSessionWrites({ commit }: AreaParts['writer'], { write }: Runner) {
  return {
    commit,
    createSession: (session) => write(CREATE_SESSION, session),
    async sleep(sessions) {
      await Promise.all(sessions.map((each) => write(SLEEP, each)));
    },
  } satisfies Partial<Store>;
}
