/** The guides in a real browser, from the real server. */

import { expect } from 'bun:test';
import path from 'node:path';
import { readGuidePages } from '../../scripts/guides/pages.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';

const TEST_MS_MAX = 180_000;
/** The largest transfer size of one guide with everything it loads. */
const LOAD_BYTES_MAX = 16_000;

const world = useBrowserWorld('the guides');
const { inBrowser } = world;
const pages = readGuidePages(path.join(import.meta.dirname, '../../docs'));
const paths = ['guides/', ...pages.map(({ name }) => name)];

for (const [scheme, width] of [
  ['light', 1280],
  ['dark', 360],
] as const) {
  inBrowser(
    `[H10] every guide is accessible, ${scheme} and ${width} pixels wide`,
    async () => {
      const view = { viewport: { width, height: 800 }, colorScheme: scheme };
      // The policy would block axe-core; another test checks the pages' own errors.
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
  '[H10] a guide stays below its size limit, and its links work',
  async () => {
    const page = await world.browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => void complaints.push(message.text()));
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

inBrowser(
  '[H10] samples name this service, are copied whole, and are in tabs if they are equivalent',
  async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const context = await world.browser.newContext({ permissions });
    const page = await context.newPage();
    const { url } = world.server;
    await page.goto(`${url}/docs/guides/quick-start`);
    const words = await page.locator('main').innerText();
    expect([words.includes(':4000'), /<https?:/.test(words)]).toEqual([false, false]);
    const boxes = await page.locator('main pre').count();
    expect(await page.locator('.sample-box > .copy').count()).toBe(boxes);
    const copied = async (): Promise<string> => {
      await page
        .getByRole('button', { name: 'Copy: 2. Make a match' })
        .filter({ visible: true })
        .click();
      await page.getByText('Copied').waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copied()).toStartWith(`curl -s ${url}/v1/sessions`);
    await page.getByRole('tab', { name: 'curl' }).press('ArrowRight');
    expect(await page.locator('.tabs pre:visible').count()).toBe(1);
    await page.getByText('Copied').waitFor({ state: 'detached' });
    expect(await copied()).toStartWith(`const response = await fetch('${url}/v1/sessions'`);
    await page.reload();
    expect(await page.getByRole('tab', { selected: true }).innerText()).toBe('JavaScript');
    await page.getByRole('link', { name: `${url}/demo` }).click();
    await page.waitForURL(`${url}/demo/`);
    await context.close();
    const plain = await world.browser.newContext({ javaScriptEnabled: false });
    const bare = await plain.newPage();
    await bare.goto(`${url}/docs/guides/quick-start`);
    expect(await bare.locator('.tabs pre').count()).toBe(2);
    await plain.close();
  },
  TEST_MS_MAX,
);
