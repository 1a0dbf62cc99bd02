/** The areas of a store in SQLite, over what reads and writes: alike for a file, and for one in memory. */

import { ALONE } from '../alone.ts';
import type { AuditKeysInUse } from '../audit-keys.ts';
import { makeAccountStore } from '../scripts/accounts.ts';
import { makeIdempotencyStore } from '../scripts/answers.ts';
import { makeBotStore } from '../scripts/bots.ts';
import { makeCensusStore } from '../scripts/census.ts';
import { CREATE_SESSION } from '../scripts/creates.ts';
import { makeErasingStore } from '../scripts/erasures.ts';
import { makeEventStore } from '../scripts/events.ts';
import { makeIntegrityStore } from '../scripts/integrity.ts';
import { makeJournalStore } from '../scripts/journal.ts';
import { makeKeyWatchStore } from '../scripts/key-watch.ts';
import { makeNamedPlayerStore } from '../scripts/players.ts';
import { makeRatingStore } from '../scripts/ratings.ts';
import type { Runner } from '../scripts/script.ts';
import { makeServiceStore } from '../scripts/service.ts';
import { makeSessionListStore } from '../scripts/session-lists.ts';
import { makeSessionLoads } from '../scripts/session-loads.ts';
import { makeSessionSweepStore } from '../scripts/session-sweeps.ts';
import { makeDueStore, SLEEP } from '../scripts/sleeping.ts';
import { makeTenancyStore } from '../scripts/tenancy.ts';
import { makeTenantRemovalStore } from '../scripts/tenant-removal.ts';
import { makeTicketStore } from '../scripts/tickets.ts';
import { makeQueueStore } from '../scripts/waiting.ts';
import { makeWebhookStore } from '../scripts/webhooks.ts';
import type { Store } from '../whole-store.ts';
import { makeAuditKeyStore } from './audit-keys.ts';
import type { GroupCommit } from './group-commit.ts';
import { makePresenceStore } from './presence.ts';

export interface AreaParts {
  readonly writer: Pick<GroupCommit, 'commit' | 'perform' | 'onEvents'>;
  readonly runner: Runner;
  /** One of several nodes; absent: the one process that serves. */
  readonly node?: string | undefined;
}

/** All of a store but what depends on where it is. */
export function makeAreas({
  writer,
  runner,
  node = ALONE,
}: AreaParts): Omit<Store, 'listSecrets' | 'replaceSecrets' | 'close'> {
  const auditKeys: AuditKeysInUse = { keys: [] };
  const players = makeNamedPlayerStore(runner);
  return {
    ...makeTenancyStore(runner),
    ...makeTenantRemovalStore(runner, node),
    ...makeServiceStore(runner),
    ...makeCensusStore(runner),
    ...makeSessionLoads(runner),
    ...makeDueStore(runner, node),
    ...makeSessionListStore(runner),
    ...makeSessionWrites(writer, runner),
    ...makeSessionSweepStore(runner),
    ...players,
    ...makeErasingStore(runner, players.findPlayer),
    ...makeEventStore(runner),
    ...makeIdempotencyStore(runner),
    ...makeQueueStore(runner),
    ...makeRatingStore(runner),
    ...makeTicketStore(runner),
    ...makePresenceStore(writer),
    ...makeWebhookStore(runner),
    ...makeIntegrityStore(runner),
    ...makeBotStore(runner),
    ...makeAccountStore(runner),
    ...makeJournalStore(runner),
    ...makeAuditKeyStore(writer, runner, auditKeys),
    ...makeKeyWatchStore(runner),
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
