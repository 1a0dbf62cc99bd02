/** The players' page on a slow connection: its skeleton is drawn long before its style and code have arrived. */

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { makeMatch } from '../parts/matches.ts';

const TEST_MS_MAX = 90_000;
/** The connection: 400 kbit/s, with this latency. */
const BYTES_PER_S = 50_000;
const LATENCY_MS = 80;
const LOADS = 6;

const world = useBrowserWorld('the page on a slow connection');
const { inBrowser } = world;

/** Times of the document, the drawn skeleton and the style. Milliseconds since the navigation. */
const readTimes = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const [visit] = performance.getEntriesByType('navigation');
    const [first] = performance.getEntriesByType('paint');
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const { responseEnd } = files.find(({ name }) => name.endsWith('.css'))!;
    const arrived = (visit as PerformanceNavigationTiming).responseEnd;
    return [arrived, first!.startTime, responseEnd].map(Math.round);
  });

inBrowser(
  '[WEB] a slow connection shows the skeleton of the match before its style sheet has arrived',
  async () => {
    const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
    const seen = { 'a new window': [] as string[], 'the same window': [] as string[] };
    for (let load = 0; load < LOADS; load += 1) {
      const context = await world.browser.newContext({ viewport: { width: 360, height: 740 } });
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await devtools.send('Network.enable');
      await devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: LATENCY_MS,
        downloadThroughput: BYTES_PER_S,
        uploadThroughput: BYTES_PER_S,
      });
      // The first visit also waits for the browser to start a process for the page.
      for (const [where, times] of Object.entries(seen)) {
        await devtools.send('Network.clearBrowserCache');
        await page.goto(playUrls[0]!.replace('#', `?in=${where}#`), { waitUntil: 'commit' });
        await page.locator('.plate').first().waitFor();
        const [document, outline, style] = await readTimes(page);
        expect(outline!).toBeLessThan(style!);
        expect(await page.locator('.skeleton').count()).toBe(0);
        times.push(`${document}, ${outline}, ${style}`);
      }
      await context.close();
    }
    for (const [where, times] of Object.entries(seen)) {
      console.log(`${where}: document, outline, style after ms: ${times.join('; ')}`);
    }
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] the skeleton has the position and size of the match, in both themes, and needs no scripts',
  async () => {
    const folder = process.env['SKELETON_PICTURES'];
    for (const [width, height, colorScheme] of [
      [360, 740, 'light'],
      [1_280, 800, 'dark'],
    ] as const) {
      const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const viewport = { width, height };
      const context = await world.browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      let go = (): void => {};
      const held = new Promise<void>((resolve) => {
        go = resolve;
      });
      await page.route('**/play/assets/**', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(playUrls[0]!, { waitUntil: 'commit' });
      const outline = page.locator('.skeleton > :last-child');
      await outline.waitFor();
      // The document alone is enough to draw it.
      await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
      const wanted = (await outline.boundingBox())!;
      if (folder !== undefined) await page.screenshot({ path: `${folder}/skeleton-${width}.png` });
      go();
      await page.locator('.board').waitFor();
      const table = (await page.locator('.table').boundingBox())!;
      for (const side of ['x', 'y', 'width', 'height'] as const) {
        expect([side, Math.abs(table[side] - wanted[side]) < 40]).toEqual([side, true]);
      }
      await context.close();
    }
    const plain = await world.browser.newContext({ javaScriptEnabled: false });
    const page = await plain.newPage();
    await page.goto(`${world.server.url}/play/`);
    expect(await page.locator('.skeleton').isVisible()).toBe(false);
    expect(await page.locator('noscript').first().isVisible()).toBe(true);
    await plain.close();
  },
  TEST_MS_MAX,
);
