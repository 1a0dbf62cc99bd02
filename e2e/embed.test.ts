/** A match in a foreign page, in a real browser: what the page gets, and what an attacker does not. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { findChromium, launchChromium } from './browser.ts';
import { call, makeMatch, openSeat, PLAYERS, readSession } from './matches.ts';
import type { ServerProcess } from './server-process.ts';
import { freePort, startServer } from './server-process.ts';

const TEST_MS_MAX = 60_000;
const ROOT = join(import.meta.dirname, '..');
const executable = findChromium();
const inBrowser = test.skipIf(executable === null);
const dataDir = mkdtempSync(join(tmpdir(), 'matchd-embed-'));

let server: ServerProcess;
let browser: Browser;
let tenant: string;
/** The customer's own page, a page in a frame of it, and a page that nobody allowed. */
let shop: ReturnType<typeof Bun.serve>;
let pages: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  if (executable === null) return;
  server = await startServer({ port: await freePort(), dataDir });
  const who = (await call(server, 'GET', '/v1/whoami')) as { tenant: { slug: string } };
  tenant = who.tenant.slug;
  const built = await Bun.build({
    entrypoints: [join(ROOT, 'sdk/src/embed/index.ts')],
    target: 'browser',
  });
  const script = await built.outputs[0]!.text();
  const serve = (hostname: string) =>
    Bun.serve({
      port: 0,
      hostname,
      fetch: ({ url }) => {
        const isScript = new URL(url).pathname === '/embed.js';
        const type = isScript ? 'text/javascript' : 'text/html; charset=utf-8';
        const page = '<!doctype html><title>shop</title><div id="here" style="height:600px"></div>';
        return new Response(isScript ? script : page, { headers: { 'content-type': type } });
      },
    });
  shop = serve('127.0.0.1');
  pages = serve('127.0.0.1');
  browser = await launchChromium(executable);
}, TEST_MS_MAX);

afterAll(async () => {
  await browser?.close();
  await shop?.stop(true);
  await pages?.stop(true);
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, TEST_MS_MAX);

const urlOf = (of: typeof shop, host = '127.0.0.1'): string => `http://${host}:${of.port}/`;

interface Wish {
  readonly url: string;
  readonly tenant?: string;
  readonly token?: string;
  readonly theme?: 'dark' | 'light';
}

/** What pages of these tests keep for them to look at. */
interface Kept {
  readonly events: { readonly type: string; readonly [name: string]: unknown }[];
  mounted: { setTheme(theme: string): void; setMuted(muted: boolean): void; unmount(): void };
  asked: number;
}

/** Mounts a match in the page, as a customer's script does. */
async function mountIn(page: Page, wish: Wish, freshToken: string | null = null): Promise<void> {
  await page.evaluate(
    async ([options, fresh]) => {
      // A name, not a literal, so that it is loaded in the browser alone.
      const file = '/embed.js';
      const { mount } = await import(file);
      const kept: Kept = { events: [], mounted: null as never, asked: 0 };
      Object.assign(window, { kept });
      kept.mounted = mount(document.getElementById('here'), {
        ...options,
        ...(fresh !== null && {
          getToken: async () => {
            kept.asked += 1;
            return fresh;
          },
        }),
        onEvent: (event: Kept['events'][number]) => kept.events.push(event),
      });
    },
    [wish, freshToken] as const,
  );
}

const eventsOf = (page: Page): Promise<Kept['events']> =>
  page.evaluate(() => (window as unknown as { kept: Kept }).kept.events);

async function awaitEvent(page: Page, type: string): Promise<Kept['events'][number]> {
  await page.waitForFunction(
    (wanted) =>
      (window as unknown as { kept: Kept }).kept.events.some((event) => event.type === wanted),
    type,
  );
  return (await eventsOf(page)).find((event) => event.type === type)!;
}

async function openShop(): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(urlOf(shop));
  return page;
}

const matchFrame = (page: Page): Frame => page.frames().find((each) => each !== page.mainFrame())!;

describe('a match in a customer’s page', () => {
  inBrowser(
    '[WEB] is mounted by a play URL, tells its states and its end, and takes theme and sound',
    async () => {
      const { sessionId, playUrls } = await makeMatch(server, { game: 'tictactoe' });
      const page = await openShop();
      await mountIn(page, { url: playUrls[0]!, tenant, theme: 'dark' });
      await awaitEvent(page, 'ready');
      const frame = matchFrame(page);
      const src = await page.locator('iframe').getAttribute('src');
      expect(src).not.toContain('token');
      expect(frame.url()).not.toContain('#');
      const bea = await openSeat(browser, playUrls[1]!);
      await frame.locator('.status[data-tone=mine]', { hasText: 'Your turn' }).waitFor();
      expect(await frame.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
      await page.evaluate(() =>
        (window as unknown as { kept: Kept }).kept.mounted.setTheme('light'),
      );
      await frame.waitForFunction(() => document.documentElement.dataset['theme'] === 'light');
      await frame.locator('[role=gridcell]').nth(4).click();
      await bea.page.locator('.status[data-tone=mine]').waitFor();
      await call(server, 'POST', `/v1/sessions/${sessionId}/end`, {});
      const ended = await awaitEvent(page, 'ended');
      expect(ended).toMatchObject({ session: sessionId, result: { reason: 'aborted' } });
      const states = (await eventsOf(page)).filter(({ type }) => type === 'state');
      expect(states.at(-1)).toMatchObject({ game: 'tictactoe', status: 'ended' });
      // Nothing that the page is told holds what opens a socket.
      expect(JSON.stringify(await eventsOf(page))).not.toMatch(/eyJ/);
      await page.context().close();
      await bea.context.close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB][P2] gets its token by the handshake, asks for a fresh one, and survives a reload',
    async () => {
      const { sessionId } = await makeMatch(server, { game: 'tictactoe' });
      const path = `/v1/sessions/${sessionId}/players/${PLAYERS[0].id}/token`;
      const { token } = (await call(server, 'POST', path)) as { token: string };
      const page = await openShop();
      await mountIn(page, { url: server.url, tenant, token: 'not.a.token' }, token);
      await awaitEvent(page, 'state');
      expect(await page.evaluate(() => (window as unknown as { kept: Kept }).kept.asked)).toBe(1);
      const count = (await eventsOf(page)).length;
      await matchFrame(page).evaluate(() => location.reload());
      await page.waitForFunction(
        (before) =>
          (window as unknown as { kept: Kept }).kept.events
            .slice(before)
            .some(({ type }) => type === 'state'),
        count,
      );
      await page.context().close();
    },
    TEST_MS_MAX,
  );
});

/** What every attack here is to leave as it was: nobody moved, nobody came, nobody won. */
async function expectUntouched(sessionId: string): Promise<void> {
  const { status, result } = await readSession(server, sessionId);
  expect([status, result]).toEqual(['pending', null]);
}

describe('an attacker', () => {
  inBrowser(
    '[WEB] in a sibling frame can neither fake an event nor take the port',
    async () => {
      const { sessionId, playUrls } = await makeMatch(server, { game: 'tictactoe' });
      const page = await openShop();
      await mountIn(page, { url: playUrls[0]!, tenant });
      await awaitEvent(page, 'state');
      const before = (await eventsOf(page)).length;
      // An advertisement of another origin, beside the match.
      await page.evaluate((src) => {
        const frame = document.createElement('iframe');
        frame.src = src;
        document.body.append(frame);
      }, urlOf(pages));
      await page.locator('iframe').nth(1).waitFor();
      const sibling = page.frames().find((each) => each.url().startsWith(urlOf(pages)));
      if (sibling === undefined) throw new Error('The other frame is not there');
      await sibling.waitForLoadState();
      const heard = await sibling.evaluate(async () => {
        const mark = 'matchd.embed.1';
        const got: unknown[] = [];
        addEventListener('message', ({ data }) => got.push(data));
        const top = window.parent;
        const match = top.frames[0]!;
        const result = { winner: 'mallory' };
        for (const to of [top, match]) {
          for (const type of ['hello', 'init', 'ended', 'state', 'token', 'tokenNeeded']) {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = ({ data }) => got.push(data);
            to.postMessage({ mark, type, result, nonce: '', token: 'x', ask: 1 }, '*', [port2]);
            to.postMessage({ mark, t: 'act', type, action: { position: 0 } }, '*');
          }
        }
        await new Promise((resolve) => setTimeout(resolve, 500));
        return got;
      });
      expect(heard).toEqual([]);
      expect((await eventsOf(page)).length).toBe(before);
      await expectUntouched(sessionId);
      await page.context().close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB][H7] on an origin that is not the tenant’s cannot frame the match at all',
    async () => {
      const { playUrls } = await makeMatch(server, { game: 'tictactoe' });
      // In development the machine itself may, so the stranger has to come under another name.
      const stranger = await launchStranger();
      try {
        const page = await stranger.newPage();
        await page.goto(urlOf(pages, 'evil.example'));
        await mountIn(page, { url: playUrls[0]!, tenant });
        await page.waitForTimeout(1_500);
        expect(await eventsOf(page)).toEqual([]);
        expect(await matchFrame(page).locator('#app').count()).toBe(0);
      } finally {
        await stranger.close();
      }
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] who names another page’s origin as the host hears nothing and gets no match',
    async () => {
      const { sessionId, playUrls } = await makeMatch(server, { game: 'tictactoe' });
      const page = await openShop();
      const heard = await page.evaluate(
        async ([src, mark]) => {
          const got: unknown[] = [];
          addEventListener('message', ({ data }) => got.push(data));
          const frame = document.createElement('iframe');
          frame.src = src!;
          document.body.append(frame);
          await new Promise((resolve) => frame.addEventListener('load', resolve));
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => got.push(data);
          frame.contentWindow!.postMessage({ mark, type: 'init', nonce: 'n', token: null }, '*', [
            port2,
          ]);
          await new Promise((resolve) => setTimeout(resolve, 500));
          return got;
        },
        [
          `${playUrls[0]!.replace('/play/', `/play/${tenant}/`)}&embed=n&host=https%3A%2F%2Fother.example`,
          'matchd.embed.1',
        ] as const,
      );
      expect(heard).toEqual([]);
      await expectUntouched(sessionId);
      await page.context().close();
    },
    TEST_MS_MAX,
  );
});

/** A browser for which `evil.example` is this machine. */
async function launchStranger(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: executable!,
    headless: true,
    args: ['--no-sandbox', '--host-resolver-rules=MAP evil.example 127.0.0.1'],
  });
}
