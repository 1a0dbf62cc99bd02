/** A match in a customer's page, in a real browser: the events that the page gets, and the token in the address. */

import { beforeAll, describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { findChromium } from '../parts/browser.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { call, makeMatch, openSeat, PLAYERS } from '../parts/matches.ts';
import type { Recorded } from '../parts/shop.ts';
import { awaitEvent, eventsOf, matchFrame, mountIn, useShop } from '../parts/shop.ts';

const TEST_MS_MAX = 60_000;
const world = useBrowserWorld('a match in a customer’s page');
const { inBrowser } = world;
const shop = useShop();
let tenant: string;

beforeAll(async () => {
  if (findChromium() === null) return;
  const tenantInfo = (await call(world.server, 'GET', '/v1/whoami')) as {
    tenant: { slug: string };
  };
  tenant = tenantInfo.tenant.slug;
}, TEST_MS_MAX);

async function openShop(path = '/') {
  const page = await (await world.browser.newContext()).newPage();
  await page.goto(shop.url('127.0.0.1', path));
  return page;
}

/** Waits for an event of this type after the first `count` events. */
const awaitEventAfter = (page: Page, type: string, count: number): Promise<unknown> =>
  page.waitForFunction(
    ([wanted, before]) =>
      (window as unknown as { recorded: Recorded }).recorded.events
        .slice(before)
        .some((event) => event.type === wanted),
    [type, count] as const,
  );

describe('a match in a customer’s page', () => {
  inBrowser(
    '[WEB] is mounted by a play URL, reports its states and its end, and applies theme and sound',
    async () => {
      const { sessionId, playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const page = await openShop();
      await mountIn(page, { url: playUrls[0]!, tenant, theme: 'dark' });
      await awaitEvent(page, 'ready');
      const frame = matchFrame(page);
      const src = await page.locator('iframe').getAttribute('src');
      expect(src).not.toContain('token');
      expect(frame.url()).not.toContain('#');
      const bea = await openSeat(world.browser, playUrls[1]!);
      await frame.locator('.status[data-tone=mine]', { hasText: 'Your turn' }).waitFor();
      expect(await frame.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
      await page.evaluate(() =>
        (window as unknown as { recorded: Recorded }).recorded.mounted.setTheme('light'),
      );
      await frame.waitForFunction(() => document.documentElement.dataset['theme'] === 'light');
      await frame.locator('[role=gridcell]').nth(4).click();
      await bea.page.locator('.status[data-tone=mine]').waitFor();
      await call(world.server, 'POST', `/v1/sessions/${sessionId}/end`, {});
      const ended = await awaitEvent(page, 'ended');
      expect(ended).toMatchObject({ session: sessionId, result: { reason: 'aborted' } });
      const states = (await eventsOf(page)).filter(({ type }) => type === 'state');
      expect(states.at(-1)).toMatchObject({ game: 'tictactoe', status: 'ended' });
      // No message to the page contains a token that opens a socket.
      expect(JSON.stringify(await eventsOf(page))).not.toMatch(/eyJ/);
      await page.context().close();
      await bea.context.close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] remembers the player’s own mute setting after a reload, and applies the page’s settings',
    async () => {
      const { sessionId, playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const page = await openShop();
      await mountIn(page, { url: playUrls[0]!, tenant });
      const bea = await openSeat(world.browser, playUrls[1]!);
      const sound = () => matchFrame(page).locator('button.sound');
      const awaitSound = (isOn: boolean) =>
        matchFrame(page).locator(`button.sound[aria-pressed=${isOn}]`).waitFor();
      await sound().click();
      await awaitSound(false);
      const before = (await eventsOf(page)).length;
      await matchFrame(page).evaluate(() => location.reload());
      await awaitEventAfter(page, 'state', before);
      // Settings arrive in order: when the theme has changed, earlier ones have been applied.
      await page.evaluate(() =>
        (window as unknown as { recorded: Recorded }).recorded.mounted.setTheme('dark'),
      );
      await matchFrame(page).waitForFunction(
        () => document.documentElement.dataset['theme'] === 'dark',
      );
      await awaitSound(false);
      for (const muted of [false, true]) {
        await page.evaluate(
          (wish) => (window as unknown as { recorded: Recorded }).recorded.mounted.setMuted(wish),
          muted,
        );
        await awaitSound(!muted);
      }
      await call(world.server, 'POST', `/v1/sessions/${sessionId}/end`, {});
      await awaitEvent(page, 'ended');
      // A finished match loads again after a reload, but does not report its end a second time.
      const over = (await eventsOf(page)).length;
      await matchFrame(page).evaluate(() => location.reload());
      await awaitEventAfter(page, 'state', over);
      expect((await eventsOf(page)).filter(({ type }) => type === 'ended')).toHaveLength(1);
      await page.context().close();
      await bea.context.close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] the page’s mute setting does not replace the player’s own choice in the next mount',
    async () => {
      const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const page = await openShop();
      const awaitSound = (isOn: boolean) =>
        matchFrame(page).locator(`button.sound[aria-pressed=${isOn}]`).waitFor();
      const remount = async (wish: { muted?: boolean }) => {
        await page.evaluate(() =>
          (window as unknown as { recorded: Recorded }).recorded.mounted.unmount(),
        );
        await mountIn(page, { url: playUrls[0]!, tenant, ...wish });
      };
      await mountIn(page, { url: playUrls[0]!, tenant });
      const bea = await openSeat(world.browser, playUrls[1]!);
      await awaitSound(true);
      await remount({ muted: true });
      await awaitSound(false);
      await remount({});
      await awaitSound(true);
      await matchFrame(page).locator('button.sound').click();
      await awaitSound(false);
      await remount({ muted: false });
      await awaitSound(true);
      await remount({});
      await awaitSound(false);
      await page.context().close();
      await bea.context.close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB][P2] gets its token in the handshake, requests a new one when needed, and survives a reload',
    async () => {
      const { sessionId } = await makeMatch(world.server, { game: 'tictactoe' });
      const path = `/v1/sessions/${sessionId}/players/${PLAYERS[0].id}/token`;
      const { token } = (await call(world.server, 'POST', path)) as { token: string };
      const page = await openShop();
      await mountIn(page, { url: world.server.url, tenant, token: 'not.a.token' }, token);
      await awaitEvent(page, 'state');
      expect(
        await page.evaluate(
          () => (window as unknown as { recorded: Recorded }).recorded.tokenRequests,
        ),
      ).toBe(1);
      const count = (await eventsOf(page)).length;
      await matchFrame(page).evaluate(() => location.reload());
      await awaitEventAfter(page, 'state', count);
      await page.context().close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] is shown by the sample of the guide, unchanged',
    async () => {
      const { sessionId, playUrls } = await makeMatch(world.server, { game: 'connect4' });
      const page = await openShop();
      await page.evaluate(async (playUrl) => {
        const file = '/sample.js';
        const { show } = await import(file);
        const events: unknown[] = [];
        Object.assign(window, { recorded: { events } });
        const askForToken = () => Promise.resolve(null);
        show(document.getElementById('here'), playUrl, askForToken, (event: unknown) =>
          events.push(event),
        );
      }, playUrls[0]!);
      expect(await awaitEvent(page, 'state')).toMatchObject({ session: sessionId });
      await page.context().close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] sends an app the messages of the app guide over each bridge',
    async () => {
      const { sessionId, playUrls } = await makeMatch(world.server, { game: 'connect4' });
      const page = await openShop(`/#${encodeURIComponent(playUrls[0]!)}`);
      await page.evaluate(async () => {
        const sent: Record<string, string[]> = { reactNative: [], ios: [], android: [] };
        const bridge = (name: string) => ({
          postMessage: (text: string) => sent[name]!.push(text),
        });
        Object.assign(window, {
          sent,
          ReactNativeWebView: bridge('reactNative'),
          webkit: { messageHandlers: { matchdApp: bridge('ios') } },
          matchdApp: bridge('android'),
        });
        const file = '/match.js';
        const { open } = await import(file);
        open(document.getElementById('here'), () => Promise.resolve(null));
      });
      expect(page.url()).toBe(shop.url());
      await page.waitForFunction(() =>
        JSON.stringify((window as unknown as { sent: object }).sent).includes('pending'),
      );
      const sent = await page.evaluate(
        () => (window as unknown as { sent: Record<string, string[]> }).sent,
      );
      for (const [bridge, texts] of Object.entries(sent)) {
        const state = texts.map((text) => JSON.parse(text)).find(({ type }) => type === 'state');
        expect([bridge, state.session]).toEqual([bridge, sessionId]);
      }
      await page.context().close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W3] is shown by a cross-origin isolated page',
    async () => {
      const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const page = await openShop('/isolated');
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
      await mountIn(page, { url: playUrls[0]! });
      await awaitEvent(page, 'state');
      await page.context().close();
    },
    TEST_MS_MAX,
  );
});

describe('the token', () => {
  inBrowser(
    '[W1] is removed from the address before the page loads, and is in no request and no storage',
    async () => {
      const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const token = /token=([^&]+)/.exec(playUrls[0]!)![1]!;
      const context = await world.browser.newContext();
      const page = await context.newPage();
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url(), JSON.stringify(request.headers())));
      await page.goto(`${playUrls[0]!}&theme=dark`, { waitUntil: 'domcontentloaded' });
      const known = await page.evaluate(() => [
        location.href,
        JSON.stringify(history.state),
        document.referrer,
        // The browser records its own navigation with the full URL, readable by scripts of this origin only.
        JSON.stringify(performance.getEntriesByType('resource')),
      ]);
      expect(known[0]).toBe(`${world.server.url}/play/${tenant}/`);
      await page.locator('[role=gridcell]').first().waitFor();
      const stored = await page.evaluate(() =>
        JSON.stringify([
          Object.entries(sessionStorage),
          Object.entries(localStorage),
          document.cookie,
        ]),
      );
      expect([...known.slice(1), stored, ...sent].filter((each) => each.includes(token))).toEqual(
        [],
      );
      expect(sent.filter((each) => /"referer":"[^"]/i.test(each))).toEqual([]);
      await context.close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W1] is removed from the address even if the page’s scripts cannot reach the service',
    async () => {
      const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const context = await world.browser.newContext();
      const page = await context.newPage();
      await page.routeWebSocket(/./, (socket) => socket.close());
      await page.goto(playUrls[0]!, { waitUntil: 'domcontentloaded' });
      expect(page.url()).toBe(`${world.server.url}/play/${tenant}/`);
      await page.goBack();
      expect(page.url()).not.toContain('token');
      await context.close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W4][W6] reloads at most once for a language that is not available',
    async () => {
      const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const context = await world.browser.newContext({ locale: 'de-DE' });
      const page = await context.newPage();
      await page.goto(shop.url());
      await mountIn(page, { url: playUrls[0]! });
      await awaitEvent(page, 'ready');
      const loads = async (): Promise<number> =>
        (await eventsOf(page)).filter(({ type }) => type === 'ready').length;
      const wish = (locale: string): Promise<void> =>
        page.evaluate(
          (to) => (window as unknown as { recorded: Recorded }).recorded.mounted.setLocale(to),
          locale,
        );
      await wish('fr');
      await page.waitForTimeout(1_500);
      expect(await loads()).toBe(1);
      const before = (await eventsOf(page)).length;
      await wish('pt-BR');
      await awaitEventAfter(page, 'ready', before);
      await page.waitForTimeout(1_500);
      expect([await loads(), await matchFrame(page).locator('html').getAttribute('lang')]).toEqual([
        2,
        'pt',
      ]);
      await context.close();
    },
    TEST_MS_MAX,
  );
});
