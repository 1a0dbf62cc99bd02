/** The description of the interface in a real browser, from the real server. */

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { ROUTES } from '../../src/contract/routes/routes.ts';
import { EVENT_TYPES } from '../../src/contract/values.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';

const TEST_MS_MAX = 30_000;
/** The largest transfer size of the page with everything it loads. */
const LOAD_BYTES_MAX = 100_000;

const world = useBrowserWorld('/docs');
const { inBrowser } = world;

interface Opened {
  readonly page: Page;
  /** The page's console output, and what it loaded from elsewhere. */
  readonly complaints: string[];
  /** Bytes that came over the wire, by address. */
  readonly sizes: Map<string, number>;
}

async function open(hash = '', width = 1280): Promise<Opened> {
  const page = await world.browser.newPage({ viewport: { width, height: 800 } });
  const complaints: string[] = [];
  const sizes = new Map<string, number>();
  page.on('console', (said) => void complaints.push(said.text()));
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('requestfinished', async (request) => {
    const { responseBodySize } = await request.sizes();
    sizes.set(request.url(), responseBodySize);
    const isOwn =
      request.url().startsWith(`${world.server.url}/`) || request.url().startsWith('data:');
    if (!isOwn) complaints.push(`asked ${request.url()}`);
  });
  await page.goto(`${world.server.url}/docs/${hash}`);
  await page.locator('main').waitFor();
  return { page, complaints, sizes };
}

inBrowser(
  '[H10] /docs shows every call, frame and event, and contacts nobody else',
  async () => {
    const { page, complaints, sizes } = await open();
    const ids = await page.locator('article').evaluateAll((all) => all.map(({ id }) => id));
    const wanted = [
      ...ROUTES.map(({ operationId }) => operationId as string),
      ...EVENT_TYPES.map((type) => `event.${type}`),
      'socket',
      'closes',
      'rejects',
      'client.act',
      'server.update',
    ];
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    const create = page.locator('article#createSession');
    expect(await create.locator('.failures').first().innerText()).toContain(
      'players[] required for live and test sessions',
    );
    expect(await create.locator('.sample').first().innerText()).toContain(
      `curl -X POST ${world.server.url}/v1/sessions`,
    );
    expect(complaints).toEqual([]);
    expect([...sizes.keys()].some((url) => url.endsWith('/asyncapi.json'))).toBe(true);
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThan(LOAD_BYTES_MAX);
    await page.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[H10] the address leads to a section, and the search narrows page and contents',
  async () => {
    const { page } = await open('#client.act');
    const section = page.locator('article[id="client.act"]');
    const top = await section.evaluate((element) => element.getBoundingClientRect().top);
    expect(top).toBeGreaterThan(0);
    expect(top).toBeLessThan(200);
    await page.locator('nav a[aria-current]', { hasText: 'act' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('room is already full');
    await page.locator('article#createSession').waitFor({ state: 'hidden' });
    expect(await page.locator('article#joinSession').isVisible()).toBe(true);
    expect(await page.locator('nav a[href="#createSession"]').isVisible()).toBe(false);
    await page.locator('input').fill('xyzzy');
    expect(await page.locator('.empty').innerText()).toMatch(/^Nothing/);
    await page.locator('input').fill('');
    await section.waitFor();
    await page.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[H10] on a phone nothing is wider than the screen, and the contents open and close',
  async () => {
    const { page } = await open('', 360);
    const tooWide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(tooWide).toBe(0);
    const entry = page.locator('nav a[href="#joinSession"]');
    expect(await entry.isVisible()).toBe(false);
    await page.locator('.menu').click();
    await entry.waitFor();
    await page.keyboard.press('Escape');
    expect(await entry.isVisible()).toBe(false);
    await page.locator('.menu').click();
    await entry.click();
    expect(await entry.isVisible()).toBe(false);
    expect(await page.locator('article#joinSession h3').isVisible()).toBe(true);
    await page.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[H10] it works with the keyboard only: skip link, contents, details, copying',
  async () => {
    const { page } = await open();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    const summary = page.locator('article#createSession summary').first();
    await summary.focus();
    await page.keyboard.press('Enter');
    expect(await summary.locator('..').getAttribute('open')).toBe('');
    const unnamed = await page
      .locator('button, input, nav, pre')
      .evaluateAll((all) => all.filter((each) => !each.ariaLabel && !each.textContent).length);
    expect(unnamed).toBe(0);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('article#whoami .copy').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('article#whoami .copy', { hasText: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toStartWith('curl ');
    await page.close();
  },
  TEST_MS_MAX,
);
