/** The API reference in a real browser, from the real server. */

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { ROUTES } from '../../src/contract/routes/routes.ts';
import { EVENT_TYPES } from '../../src/contract/values.ts';
import { firstOwner } from '../dashboard/dashboard-visit.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';

const TEST_MS_MAX = 90_000;
/** Checking all axe rules over all operations takes a while. */
const AXE_MS_MAX = 180_000;
/** The largest transfer size of the page with everything it loads. */
const LOAD_BYTES_MAX = 100_000;

const world = useBrowserWorld('/docs');
const { inBrowser } = world;

interface Opened {
  readonly page: Page;
  /** The page's console output, and its requests to other servers. */
  readonly complaints: string[];
  /** Bytes transferred, by address. */
  readonly sizes: Map<string, number>;
}

async function open(hash = '', width = 1280): Promise<Opened> {
  const page = await world.browser.newPage({ viewport: { width, height: 800 } });
  const complaints: string[] = [];
  const sizes = new Map<string, number>();
  page.on('console', (message) => void complaints.push(message.text()));
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
  '[H10] /docs shows every operation, frame and event, and contacts no other server',
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
    expect(await create.locator('.sample pre').first().innerText()).toContain(
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
  '[H10] the address leads to a section, which the table of contents marks',
  async () => {
    const { page } = await open('#client.act');
    const section = page.locator('article[id="client.act"]');
    const top = await section.evaluate((element) => element.getBoundingClientRect().top);
    expect(top).toBeGreaterThan(0);
    expect(top).toBeLessThan(200);
    await page.locator('nav a[aria-current]', { hasText: 'act' }).waitFor();
    await page.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[H10] on a phone nothing is wider than the screen, and the table of contents opens and closes',
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

/** The bar's search, by its name. */
const searchOf = (page: Page) =>
  page.getByRole('combobox', { name: 'Search guides and reference' });

inBrowser(
  '[H10] the search ranks reference and guides, works by keyboard alone, and loads its index on first use',
  async () => {
    const { page, complaints, sizes } = await open();
    const isIndex = (url: string): boolean => url.endsWith('/docs/search.json');
    expect([...sizes.keys()].some(isIndex)).toBe(false);
    await page.keyboard.press('/');
    await page.keyboard.type('rotate a webhook');
    const options = page.getByRole('option');
    await options.filter({ hasText: 'POST /v1/webhooks/{webhookId}/rotate' }).waitFor();
    expect([...sizes.keys()].some(isIndex)).toBe(true);
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ results$/ })
      .waitFor();
    const picked = page.locator('[role="option"][aria-selected="true"]');
    const activeOf = () => searchOf(page).getAttribute('aria-activedescendant');
    expect(await activeOf()).toBe(await picked.getAttribute('id'));
    await page.keyboard.press('ArrowDown');
    expect(await activeOf()).toBe('search-results-1');
    await page.keyboard.press('ArrowUp');
    const rotate = options.filter({ hasText: 'POST /v1/webhooks/{webhookId}/rotate' });
    for (let n = 0; n < 12 && (await rotate.getAttribute('aria-selected')) !== 'true'; n++) {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(/#rotateWebhook$/);
    expect(await options.count()).toBe(0);
    expect(await page.locator('article#rotateWebhook h3').isVisible()).toBe(true);
    await searchOf(page).fill('xyzzy');
    await page.getByText('Nothing matches these words.').waitFor();
    await page.keyboard.press('Escape');
    expect(await searchOf(page).inputValue()).toBe('');
    expect(await searchOf(page).getAttribute('aria-expanded')).toBe('false');
    expect(complaints).toEqual([]);
    await page.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[H10] a guide finds the reference and vice versa; a search that fails to load says so',
  async () => {
    const { page, complaints } = await open();
    await page.route('**/docs/search.json', (route) => route.abort());
    await searchOf(page).fill('room_full');
    await page.getByText('The search could not be loaded.').waitFor();
    await page.unrouteAll();
    complaints.length = 0;
    const inErrors = page.getByRole('option').filter({ hasText: 'room_full' }).first();
    // The focus and the first letter may each have started a load, so a second one may still fail later.
    while (!(await inErrors.isVisible())) {
      await searchOf(page).fill('');
      await searchOf(page).fill('room_ful');
      await page.waitForTimeout(250);
    }
    await searchOf(page).fill('going live');
    await page.getByRole('option').filter({ hasText: 'Going live' }).first().click();
    await page.waitForURL(/\/docs\/guides\/going-live/);
    await searchOf(page).fill('start a match from groups');
    const start = page.getByRole('option').filter({ hasText: 'start-match' }).first();
    await start.waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await brokenRules(page)]).toEqual([colorScheme, []]);
    }
    await start.click();
    await page.waitForURL(/\/docs\/#startMatch$/);
    await page.locator('article#startMatch').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[H10] every section of the reference is found, and every result of it exists',
  async () => {
    const { page } = await open();
    const ids = await page
      .locator('.chapter:not(:first-of-type) article')
      .evaluateAll((all) => all.map(({ id }) => `/docs/#${id}`));
    const response = await fetch(`${world.server.url}/docs/search.json`);
    const entries = (await response.json()) as readonly { readonly url: string }[];
    const known = entries.map(({ url }) => url).filter((url) => url.startsWith('/docs/#'));
    expect(known.toSorted()).toEqual(ids.toSorted());
    await page.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[H10] a name such as `X-Request-Id` stands on one line, in the reference and in the error list',
  async () => {
    const { page } = await open();
    for (const path of ['', 'errors']) {
      await page.goto(`${world.server.url}/docs/${path}`);
      await page.locator('main p code').first().waitFor();
      const broken = await page.locator('main code').evaluateAll((all) =>
        all.flatMap((code) => {
          const text = code.textContent ?? '';
          // A sample is a block, and what has spaces may break there.
          if (code.closest('pre') !== null || /\s/.test(text)) return [];
          const range = document.createRange();
          range.selectNodeContents(code);
          const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
          return lines.size > 1 ? [text] : [];
        }),
      );
      expect([path, broken]).toEqual([path, []]);
    }
    await page.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[H10] samples of all operations are in tabs of four languages; the choice is remembered and a sample is copied whole',
  async () => {
    const { page, complaints } = await open('#createSession');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const create = page.locator('article#createSession');
    const tabs = create.getByRole('tab');
    expect(await tabs.allInnerTexts()).toEqual(['curl', 'TypeScript', 'Python', 'Go']);
    const topOf = () => tabs.first().evaluate((tab) => tab.getBoundingClientRect().top);
    const before = await topOf();
    await tabs.first().focus();
    await page.keyboard.press('ArrowRight');
    await create.getByText('matchd.sessions.create(').waitFor();
    expect(await page.locator(':focus').innerText()).toBe('TypeScript');
    expect(Math.abs((await topOf()) - before)).toBeLessThan(2);
    await create.locator('.copy').first().click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toStartWith(
      "import { createMatchd } from '@matchd/sdk';",
    );
    await page.keyboard.press('Escape');
    await tabs.nth(1).focus();
    await page.keyboard.press('End');
    await create.getByText('package main').waitFor();
    const whoami = page.locator('article#whoami');
    await whoami.getByText('http.NewRequest("GET"').waitFor();
    await tabs.nth(2).click();
    await create.getByText('requests.post(').waitFor();
    // The choice applies to the next page, if that has the language.
    await page.goto(`${world.server.url}/docs/`);
    await whoami.getByText('requests.get(').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[H10][D11] a link opens an operation in the dashboard’s explorer in test mode, which sends it only when asked to',
  async () => {
    const owner = await firstOwner(world.browser, world.server);
    const { page } = owner;
    await page.goto(`${world.server.url}/docs/#createSession`);
    await page
      .locator('article#createSession')
      .getByRole('link', { name: 'Try it in the dashboard' })
      .click();
    await page.waitForURL(/\/dashboard\/t\/demo\/test\/explorer\?/);
    expect(await page.getByLabel('Method').inputValue()).toBe('POST');
    expect(await page.getByLabel('Path').inputValue()).toBe('/v1/sessions');
    expect(await page.getByLabel('Body, as JSON').inputValue()).toContain('"game": "connect4"');
    expect(await page.getByText(/^2\d\d · req_/).count()).toBe(0);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^201 · req_/).waitFor();
    // Live mode only reads, whatever the link requests.
    await owner.to('t/demo/live/explorer?method=POST&path=/v1/sessions&body={}');
    await page.getByText('POST /v1/sessions changes something').waitFor();
    expect(await page.getByLabel('Path').inputValue()).toBe('/v1/whoami');
    // A link that names no operation is ignored.
    await owner.to('t/demo/test/explorer?method=BREW&path=//elsewhere.test');
    expect(await page.getByLabel('Path').inputValue()).toBe('/v1/whoami');
    expect(owner.complaints).toEqual([]);
    await owner.context.close();
  },
  TEST_MS_MAX,
);

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 360],
  ['dark', 1920],
] as const) {
  inBrowser(
    `[H10] the reference is accessible, ${colorScheme} and ${width} pixels wide`,
    async () => {
      const { page } = await open('#createSession', width);
      await page.emulateMedia({ colorScheme });
      await page.locator('article#createSession').getByRole('tab', { name: 'Python' }).click();
      await page.locator('article#createSession').getByText('requests.post(').waitFor();
      const folder = process.env['SHOTS_FOLDER'];
      const shoot = async (name: string): Promise<void> => {
        const path = `${folder}/docs-${name}-${colorScheme}-${width}.png`;
        if (folder !== undefined) await page.screenshot({ path });
      };
      await shoot('tabs');
      await searchOf(page).fill('rotate a webhook');
      await page.getByRole('option').first().waitFor();
      await shoot('search');
      const tooWide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(tooWide).toBe(0);
      expect(await brokenRules(page)).toEqual([]);
      await page.close();
    },
    AXE_MS_MAX,
  );
}
