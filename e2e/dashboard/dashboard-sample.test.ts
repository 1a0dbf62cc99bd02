/** The dashboard with a month of sample data: pages that are full, at the width of a laptop. */

import { beforeAll, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { firstOwner, type Visit } from './dashboard-visit.ts';

const TEST_MS_MAX = 120_000;

const world = useBrowserWorld('the dashboard with sample data', {}, ['--sample-data']);
const { inBrowser } = world;

let owner: Visit;

beforeAll(async () => {
  // Without a browser there is no world.
  if (world.browser !== undefined) owner = await firstOwner(world.browser, world.server);
}, TEST_MS_MAX);

/** Pages with ids in their tables, and a table of each. */
const LISTS = [
  ['overview', 'Recent events'],
  ['sessions', 'Sessions'],
  ['players', 'Players'],
  ['leaderboard', 'Leaderboard'],
  ['webhooks', 'Webhooks'],
  ['requests', 'Requests'],
  ['keys', 'API keys'],
  ['audit', 'Audit'],
] as const;

/** Ids that stand on several lines, and tables that are wider than their place. */
async function crowded(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const isBroken = (element: Element): boolean => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1;
    };
    const ids = [...document.querySelectorAll('td .id')]
      .filter((each) => /^[a-z]+_[0-9a-z]{26}$/.test(each.textContent ?? ''))
      .filter(isBroken)
      .map(({ textContent }) => textContent ?? '');
    const tables = [...document.querySelectorAll('.table-scroll')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((each) => `scrolls: ${each.querySelector('table')?.ariaLabel}`);
    return [...ids, ...tables];
  });
}

inBrowser(
  '[D10] at 1280 pixels ids stand on one line, and no table scrolls to the side',
  async () => {
    const { page } = owner;
    for (const [name, table] of LISTS) {
      await owner.to(`t/sample/live/${name}`);
      await page.getByRole('table', { name: table }).waitFor();
      expect([name, await crowded(page)]).toEqual([name, []]);
    }
    await owner.to('t/sample/live/sessions?status=ended');
    await page.getByRole('link', { name: /^ses_/ }).first().click();
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    expect(await crowded(page)).toEqual([]);
    await owner.to('t/sample/live/webhooks');
    await page.getByRole('link', { name: /analytics/ }).click();
    await page.getByRole('table', { name: 'Attempts' }).waitFor();
    expect(await crowded(page)).toEqual([]);
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);
