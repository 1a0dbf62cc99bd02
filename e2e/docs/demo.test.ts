/** The demo's app in a real browser: every game starts in its frame, and the page gets its events. */

import { describe, expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { readSession } from '../parts/matches.ts';

const TEST_MS_MAX = 90_000;
/** The minimum height of a target, CSS pixels. */
const TARGET_PX = 44;
const AXE = join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js');
const world = useBrowserWorld('the demo');
const { inBrowser } = world;

/** The app, and its console errors. */
async function openApp(
  view: { readonly colorScheme?: 'light' | 'dark'; readonly width?: number } = {},
): Promise<{ readonly page: Page; readonly complaints: string[]; close(): Promise<void> }> {
  const { colorScheme = 'light', width = 1_280 } = view;
  const viewport = { width, height: 800 };
  const context = await world.browser.newContext({
    viewport,
    colorScheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(`${world.server.url}/demo`);
  await page.locator('#backend-code', { hasText: 'sessions.create' }).waitFor();
  return { page, complaints, close: () => context.close() };
}

interface Choice {
  readonly game: string;
  readonly variant?: string;
  readonly against?: string;
  readonly seats?: string;
}

async function start(page: Page, choice: Choice): Promise<FrameLocator> {
  await page.getByLabel(choice.game).check();
  if (choice.variant !== undefined) await page.getByLabel('Rules').selectOption(choice.variant);
  if (choice.against !== undefined) await page.getByLabel(choice.against).check();
  if (choice.seats !== undefined) await page.getByLabel('Seats').selectOption(choice.seats);
  await page.getByRole('button', { name: 'Start the match' }).click();
  return page.frameLocator('#frame iframe');
}

const awaitEvent = (page: Page, type: string, text = ''): Promise<void> =>
  page.locator(`#events [data-type=${type}]`, { hasText: text }).first().waitFor();

/** The session of the match, from the backend's last response. */
function watchSessions(page: Page): () => string {
  let session = '';
  page.on('response', async (response) => {
    if (!response.url().endsWith('/demo/api/matches') || !response.ok()) return;
    session = ((await response.json()) as { session: string }).session;
  });
  return () => session;
}

const axe = async (page: Page): Promise<unknown[]> => {
  await page.evaluate(readFileSync(AXE, 'utf8'));
  return page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: { run(): Promise<{ violations: [] }> } };
    return (await checker.run()).violations.map(({ id, nodes }) => [id, JSON.stringify(nodes)]);
  });
};

describe('the demo app', () => {
  inBrowser(
    '[WEB][H10] starts every game against a bot, with every variant that it lists',
    async () => {
      const { page, complaints, close } = await openApp();
      const session = watchSessions(page);
      const started: string[] = [];
      for (const game of await page.locator('.games label').allInnerTexts()) {
        await page.getByLabel(game).check();
        for (const variant of await page.locator('[name=variant] option').evaluateAll(valuesOf)) {
          await page.getByLabel(game).check();
          await page.locator('[name=variant]').evaluate(choose, variant);
          const before = session();
          await page.getByRole('button', { name: 'Start the match' }).click();
          while (session() === before) await page.waitForTimeout(20);
          const made = await awaitActive(session());
          started.push(`${made.game} ${made.variant} ${made.mode} ${made.status}`);
        }
      }
      expect(started.sort()).toEqual(
        [
          'checkers american',
          'checkers brazilian',
          'checkers international',
          'checkers russian',
          'connect4 standard',
          'fight-arena standard',
          'ludo classic',
          'ludo quick',
          'ludo teams',
          'ludo timed',
          'pool eightball',
          'pool nineball',
          'tictactoe standard',
        ].map((each) => `${each} training active`),
      );
      expect(complaints).toEqual([]);
      await close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] plays a match with a friend by link to the end, and receives the result',
    async () => {
      const { page, complaints, close } = await openApp();
      const session = watchSessions(page);
      const match = await start(page, { game: 'Tic-tac-toe', against: 'A friend' });
      const link = page.locator('#links a');
      const friend = await page.context().newPage();
      await friend.goto((await link.getAttribute('href'))!);
      await friend.locator('[role=gridcell]').first().waitFor();
      expect(friend.url()).toBe(`${world.server.url}/play/demo/`);
      for (const [ply, cell] of [4, 0, 2, 1, 6].entries()) {
        const board = ply % 2 === 0 ? match : friend;
        await board.locator('.status[data-tone=mine]').waitFor();
        await board.locator('[role=gridcell]').nth(cell).click();
      }
      await awaitEvent(page, 'ended', 'demo-1 won');
      expect(await page.locator('#outcome').innerText()).toContain('demo-1 won');
      expect((await readSession(world.server, session())).result).toMatchObject({
        winner: 'demo-1',
      });
      expect(complaints).toEqual([]);
      await close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] shows the same match from the same seat after a reload, and nothing of a match that no longer exists',
    async () => {
      const { page, complaints, close } = await openApp();
      const session = watchSessions(page);
      const match = await start(page, { game: 'Tic-tac-toe', against: 'A friend' });
      const friend = await page.context().newPage();
      await friend.goto((await page.locator('#links a').getAttribute('href'))!);
      await match.locator('.status[data-tone=mine]').waitFor();
      await match.locator('[role=gridcell]').nth(4).click();
      await friend.locator('.status[data-tone=mine]').waitFor();
      await page.reload();
      await awaitEvent(page, 'state', 'active, seat 1 to move');
      await friend.locator('[role=gridcell]').nth(0).click();
      await match.locator('.status[data-tone=mine]').waitFor();
      await match.locator('[role=gridcell]').nth(2).click();
      await friend.locator('.status[data-tone=mine]').waitFor();
      expect((await readSession(world.server, session())).status).toBe('active');
      // A token issued in the same second may be equal.
      expect(await page.locator('#links a').getAttribute('href')).toContain('#token=');
      const stored = await page.evaluate(() => JSON.stringify(sessionStorage));
      expect([stored.includes(session()), stored.includes('token')]).toEqual([true, false]);
      expect(complaints).toEqual([]);
      const gone = '{"session":"ses_gone","player":"demo-1","others":[]}';
      await page.evaluate((text) => sessionStorage.setItem('matchd.demo.match', text), gone);
      await page.reload();
      await page.locator('#backend-code', { hasText: 'sessions.create' }).waitFor();
      await page.waitForFunction(() => sessionStorage.getItem('matchd.demo.match') === null);
      expect(await page.locator('#frame iframe').count()).toBe(0);
      await close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] stores the match while its backend fails to answer, and retries on request',
    async () => {
      const { page, close } = await openApp();
      await start(page, { game: 'Tic-tac-toe', against: 'A friend' });
      await awaitEvent(page, 'state', 'pending');
      const stored = () => page.evaluate(() => sessionStorage.getItem('matchd.demo.match'));
      const before = await stored();
      const refuse = { status: 503, json: { error: 'Service unavailable' } };
      await page.route('**/demo/api/tokens', (route) => route.fulfill(refuse));
      await page.reload();
      await page
        .locator('#trouble', { hasText: 'cannot be shown: Service unavailable.' })
        .waitFor();
      expect([await page.locator('#frame iframe').count(), await stored()]).toEqual([0, before]);
      const retry = page.getByRole('button', { name: 'Retry' });
      expect((await retry.boundingBox())!.height).toBeGreaterThanOrEqual(TARGET_PX);
      await page.unroute('**/demo/api/tokens');
      await page.route('**/demo/api/tokens', (route) => route.abort());
      await retry.click();
      await page.locator('#trouble', { hasText: 'cannot be shown: Failed to fetch.' }).waitFor();
      await page.unroute('**/demo/api/tokens');
      await retry.click();
      await awaitEvent(page, 'state', 'pending');
      expect(await page.locator('#trouble').innerText()).toBe('');
      expect(await retry.isVisible()).toBe(false);
      await close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] offers the games at an address without a game, without a violation of axe rules',
    async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [1_280, 360]) {
          const view = { viewport: { width, height: 740 }, colorScheme, bypassCSP: true };
          const page = await world.browser.newPage(view);
          const answer = await page.goto(`${world.server.url}/demo/chess`);
          expect(answer!.status()).toBe(404);
          expect(await page.locator('h1').innerText()).toBe('No such game');
          expect(await axe(page)).toEqual([]);
          for (const link of await page.getByRole('link').all()) {
            expect((await link.boundingBox())!.height).toBeGreaterThanOrEqual(TARGET_PX);
          }
          await page.getByRole('link', { name: 'All of the demo' }).click();
          await page.waitForURL(`${world.server.url}/demo/`);
          await page.close();
        }
      }
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] lets four play ludo, each with their own link',
    async () => {
      const { page, close } = await openApp();
      await start(page, { game: 'Ludo', against: 'A friend', variant: 'teams' });
      await page.locator('#links li').nth(2).waitFor();
      const links = await page.locator('#links a').evaluateAll((all) => all.map(String));
      expect([links.length, new Set(links).size]).toEqual([3, 3]);
      await awaitEvent(page, 'state', 'pending');
      await close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] changes look, colours and language of the match while it is played',
    async () => {
      const { page, close } = await openApp();
      const match = await start(page, { game: 'Connect four' });
      await match.locator('.status[data-tone=mine]').waitFor();
      const background = () => match.locator('body').evaluate(colourOf);
      await page.getByLabel('Dark', { exact: true }).check();
      await match.locator('html[data-theme=dark]').waitFor();
      const dark = await background();
      await page.getByLabel('Own', { exact: true }).check();
      await page.getByLabel('background', { exact: true }).fill('#ffe8cc');
      await match.locator('html[data-theme=light]').waitFor();
      await page.waitForTimeout(100);
      expect(await background()).toBe('rgb(255, 232, 204)');
      expect(dark).not.toBe('rgb(255, 232, 204)');
      expect(await page.locator('#page-code').innerText()).toContain("background: '#ffe8cc'");
      await page.getByLabel('Language of the match').selectOption('de');
      await match.locator('html[lang=de]').waitFor();
      expect(await page.locator('#page-code').innerText()).toContain("locale: 'de'");
      await close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] contains no key, and shows its backend’s error messages',
    async () => {
      const { page, close } = await openApp();
      const { testKey } = world.server;
      const bodies: string[] = [];
      page.on('response', async (response) => {
        if (response.url().startsWith(world.server.url)) bodies.push(await response.text());
      });
      await start(page, { game: 'Tic-tac-toe' });
      await awaitEvent(page, 'state', 'active');
      expect(bodies.join()).not.toContain(testKey);
      await page.locator('[name=level]').evaluate((select: HTMLSelectElement) => {
        select.options[0]!.value = 'godlike';
        select.selectedIndex = 0;
      });
      await page.getByRole('button', { name: 'Start the match' }).click();
      await page.locator('#trouble', { hasText: 'Invalid options.botDifficulty' }).waitFor();
      await close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] has no violation of axe rules, light and dark, wide and narrow',
    async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [1_280, 360]) {
          const { page, close } = await openApp({ colorScheme, width });
          expect(await axe(page)).toEqual([]);
          await start(page, { game: 'Tic-tac-toe', against: 'A friend' });
          await awaitEvent(page, 'state', 'pending');
          await page.getByLabel('Own', { exact: true }).check();
          expect(await axe(page)).toEqual([]);
          const isWider = await page.evaluate(() => document.body.scrollWidth > innerWidth);
          expect(isWider).toBe(false);
          await close();
        }
      }
    },
    TEST_MS_MAX,
  );
});

interface Made {
  readonly game: string;
  readonly variant: string;
  readonly mode: string;
  readonly status: string;
}

/** The session once its match is open in the page: it begins when its player connects. */
async function awaitActive(session: string): Promise<Made> {
  for (let tries = 0; ; tries += 1) {
    const made = (await readSession(world.server, session)) as unknown as Made;
    if (made.status === 'active' || tries === 200) return made;
    await Bun.sleep(50);
  }
}

const valuesOf = (options: (HTMLElement | SVGElement)[]): string[] =>
  options.map((option) => (option as HTMLOptionElement).value);

const colourOf = (body: HTMLElement): string => getComputedStyle(body).backgroundColor;

/** Chooses a value of a list, even while the list is hidden. */
function choose(list: HTMLElement | SVGElement, value: string): void {
  (list as HTMLSelectElement).value = value;
  list.dispatchEvent(new Event('change', { bubbles: true }));
}
