/** The contract of the areas beyond `CoreStore`, as tests that every implementation runs. */

import { describe, test } from 'bun:test';
import { accountCases } from './contract/account-cases.ts';
import { type AreaCase, runOn, type StorePlace } from './contract/area.ts';
import { botCases } from './contract/bot-cases.ts';
import { censusCases } from './contract/census-cases.ts';
import { eventCases } from './contract/event-cases.ts';
import { integrityCases } from './contract/integrity-cases.ts';
import { journalCases } from './contract/journal-cases.ts';
import { keyWatchCases } from './contract/key-watch-cases.ts';
import { ratingCases } from './contract/rating-cases.ts';
import { rematchCases } from './contract/rematch-cases.ts';
import { removalCases } from './contract/removal-cases.ts';
import { secretCases } from './contract/secret-cases.ts';
import { tenantMetricCases } from './contract/tenant-metric-cases.ts';
import { webhookCases } from './contract/webhook-cases.ts';

const AREA_CASES: Readonly<Record<string, readonly AreaCase[]>> = {
  events: eventCases,
  webhooks: webhookCases,
  bots: botCases,
  integrity: integrityCases,
  accounts: accountCases,
  journal: journalCases,
  keyWatch: keyWatchCases,
  secrets: secretCases,
  census: censusCases,
  ratings: ratingCases,
  rematches: rematchCases,
  tenantMetrics: tenantMetricCases,
  removal: removalCases,
};

/** Registers the suite. `makePlace` returns an empty database for each case. */
export function wholeStoreSuite(name: string, makePlace: () => Promise<StorePlace>): void {
  for (const [area, cases] of Object.entries(AREA_CASES)) {
    describe(`${name}: ${area}`, () => {
      for (const each of cases) test(each.title, async () => runOn(await makePlace(), each));
    });
  }
}
