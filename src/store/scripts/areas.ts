/** All store areas that are the same in both databases, built on a script runner. */

import { makeAccountStore } from './accounts.ts';
import { makeIdempotencyStore } from './answers.ts';
import { makeBotStore } from './bots.ts';
import { makeCensusStore } from './census.ts';
import { makeErasingStore } from './erasures.ts';
import { makeEventStore } from './events.ts';
import { makeIntegrityStore } from './integrity.ts';
import { makeJournalStore } from './journal.ts';
import { makeKeyWatchStore } from './key-watch.ts';
import { makeNamedPlayerStore } from './players.ts';
import { makeRatingStore } from './ratings.ts';
import { makeRematchStore } from './rematches.ts';
import type { Runner } from './script.ts';
import { makeServiceStore } from './service.ts';
import { makeSessionListStore } from './session-lists.ts';
import { makeSessionLoads } from './session-loads.ts';
import { makeSessionSweepStore } from './session-sweeps.ts';
import { makeSettingsStore } from './settings.ts';
import { makeDueStore } from './sleeping.ts';
import { makeTenancyStore } from './tenancy.ts';
import { makeTenantMetricStore } from './tenant-metrics.ts';
import { makeTenantRemovalStore } from './tenant-removal.ts';
import { makeTicketStore } from './tickets.ts';
import { makeQueueStore } from './waiting.ts';
import { makeWebhookStore } from './webhooks.ts';

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
