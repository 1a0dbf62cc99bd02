/** All store areas that are the same in both databases, built on a script runner. */

import { makeAccountStore } from './accounts/accounts.ts';
import { makeBotStore } from './bots.ts';
import { makeCensusStore } from './census.ts';
import { makeServiceStore } from './cluster/service.ts';
import { makeErasingStore } from './erasures.ts';
import { makeIntegrityStore } from './integrity.ts';
import { makeJournalStore } from './journal/journal.ts';
import { makeKeyWatchStore } from './journal/key-watch.ts';
import { makeTenantMetricStore } from './journal/tenant-metrics.ts';
import { makeNamedPlayerStore } from './sessions/players.ts';
import { makeRatingStore } from './sessions/ratings.ts';
import { makeRematchStore } from './sessions/rematches.ts';
import { makeSessionListStore } from './sessions/session-lists.ts';
import { makeSessionLoads } from './sessions/session-loads.ts';
import { makeSessionSweepStore } from './sessions/session-sweeps.ts';
import { makeDueStore } from './sessions/sleeping.ts';
import { makeIdempotencyStore } from './shared/answers.ts';
import type { Runner } from './shared/script.ts';
import { makeSettingsStore } from './shared/settings.ts';
import { makeQueueStore } from './shared/waiting.ts';
import { makeTenancyStore } from './tenants/tenancy.ts';
import { makeTenantRemovalStore } from './tenants/tenant-removal.ts';
import { makeTicketStore } from './tickets/tickets.ts';
import { makeEventStore } from './webhooks/events.ts';
import { makeWebhookStore } from './webhooks/webhooks.ts';

/** `node`: this process's id among those that share the database. */
export function makeAreas(runner: Runner, node: string) {
  const players = makeNamedPlayerStore(runner);
  return {
    ...makeTenancyStore(runner),
    ...makeSettingsStore(runner),
    ...makeTenantRemovalStore(runner, node),
    ...makeServiceStore(runner),
    ...makeCensusStore(runner),
    ...makeSessionLoads(runner),
    ...makeDueStore(runner, node),
    ...makeSessionListStore(runner),
    ...makeSessionSweepStore(runner),
    ...players,
    ...makeErasingStore(runner, players.findPlayer),
    ...makeEventStore(runner),
    ...makeIdempotencyStore(runner),
    ...makeQueueStore(runner),
    ...makeRatingStore(runner),
    ...makeRematchStore(runner),
    ...makeTicketStore(runner),
    ...makeWebhookStore(runner),
    ...makeIntegrityStore(runner),
    ...makeBotStore(runner),
    ...makeAccountStore(runner),
    ...makeJournalStore(runner),
    ...makeKeyWatchStore(runner),
    ...makeTenantMetricStore(runner),
  };
}
