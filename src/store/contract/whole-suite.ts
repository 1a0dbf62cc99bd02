/** The contract of the areas beyond `CoreStore`, as tests that every implementation runs. */

import { describe, test } from 'bun:test';
import { accountCases } from './accounts/account-cases.ts';
import { journalCases } from './accounts/journal-cases.ts';
import { keyWatchCases } from './accounts/key-watch-cases.ts';
import { removalCases } from './accounts/removal-cases.ts';
import { secretCases } from './accounts/secret-cases.ts';
import { type AreaCase, runOn, type StorePlace } from './area.ts';
import { botCases } from './bot-cases.ts';
import { censusCases } from './census-cases.ts';
import { eventCases } from './event-cases.ts';
import { integrityCases } from './integrity-cases.ts';
import { ratingCases } from './rating-cases.ts';
import { rematchCases } from './rematch-cases.ts';
import { tenantMetricCases } from './tenant-metric-cases.ts';
import { webhookCases } from './webhook-cases.ts';

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
