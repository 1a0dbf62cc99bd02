/** The guides in a real browser, from the real server. */

import { expect } from 'bun:test';
import path from 'node:path';
import { readGuidePages } from '../scripts/guides/pages.ts';
import { brokenRules } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';

const TEST_MS_MAX = 60_000;
/** What one guide and all it loads may weigh on the wire. */
const LOAD_BYTES_MAX = 15_000;

const world = useBrowserWorld('the guides');
const { inBrowser } = world;
const pages = readGuidePages(path.join(import.meta.dirname, '../docs'));
const paths = ['guides/', ...pages.map(({ name }) => name)];

for (const [scheme, width] of [
  ['light', 1280],
  ['dark', 360],
] as const) {
  inBrowser(
    `[H10] every guide can be read by all, ${scheme} and ${width} pixels wide`,
    async () => {
      const view = { viewport: { width, height: 800 }, colorScheme: scheme };
      // The policy would keep axe-core out; the pages' own complaints are looked for in the other test.
      const page = await world.browser.newPage({ ...view, bypassCSP: true });
      for (const each of paths) {
        await page.goto(`${world.server.url}/docs/${each}`);
        expect([each, await brokenRules(page)]).toEqual([each, []]);
        const tooWide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect([each, tooWide]).toEqual([each, 0]);
      }
      await page.close();
    },
    TEST_MS_MAX,
  );
}

inBrowser(
  '[H10] a guide is small, runs no script, and its links lead on',
  async () => {
    const page = await world.browser.newPage();
    const complaints: string[] = [];
    page.on('console', (said) => void complaints.push(said.text()));
    const sizes = new Map<string, number>();
    page.on('requestfinished', async (request) => {
      sizes.set(request.url(), (await request.sizes()).responseBodySize);
    });
    await page.goto(`${world.server.url}/docs/errors#room_full`);
    const top = await page.locator('#room_full').evaluate((it) => it.getBoundingClientRect().top);
    expect(top).toBeGreaterThan(0);
    expect(top).toBeLessThan(200);
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThan(LOAD_BYTES_MAX);
    expect(await page.locator('script').count()).toBe(0);
    await page.getByRole('link', { name: 'keys', exact: true }).click();
    expect(await page.locator('h1').innerText()).toBe('Keys, origins, test and live');
    await page.locator('header a', { hasText: 'Reference' }).click();
    await page.locator('article').first().waitFor();
    await page.locator('header a', { hasText: 'Guides' }).click();
    await page.locator('nav a', { hasText: 'Quick start' }).click();
    expect(await page.locator('h1').innerText()).toBe('Quick start');
    const elsewhere = [...sizes.keys()].filter(
      (url) => !url.startsWith(world.server.url) && !url.startsWith('data:'),
    );
    expect([complaints, elsewhere]).toEqual([[], []]);
    await page.close();
  },
  TEST_MS_MAX,
);
