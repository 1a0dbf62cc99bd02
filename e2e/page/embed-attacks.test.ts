/** Hostile pages around, beside and in front of a match, in a real browser: what they cannot do. */

import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { findChromium } from '../parts/browser.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { makeMatch, openSeat, readSession } from '../parts/matches.ts';
import {
  addFrame,
  awaitEvent,
  eventsOf,
  launchNamed,
  matchFrame,
  mountIn,
  useShop,
} from '../parts/shop.ts';

const TEST_MS_MAX = 60_000;
/** Longer than a match takes to answer: after this, no answer means none was sent. */
const SILENCE_MS = 700;
/** The page says within this time that it may not show a match. Milliseconds. */
const MESSAGE_MS_MAX = 5_000;
const MARK = 'matchd.embed.1';
const MATCHD = join(import.meta.dirname, '../../src/cli/main.ts');

const world = useBrowserWorld('attacks on an embedded match');
const { inBrowser } = world;
const shop = useShop();
/** The customer's site, whose origin is listed on a key of the tenant. All other origins are strangers. */
const OWN = 'shop.example';
const EVIL = 'evil.example';
let browser: Browser;

beforeAll(async () => {
  if (findChromium() === null) return;
  browser = await launchNamed();
  runMatchd(
    'keys',
    'create',
    '--tenant',
    'demo',
    '--mode',
    'live',
    '--name',
    'site',
    '--origin',
    shop.url(OWN).slice(0, -1),
  );
  runMatchd('tenants', 'create', '--name', 'Bare');
}, TEST_MS_MAX);
afterAll(() => browser?.close());

function runMatchd(...args: string[]): void {
  const command = [MATCHD, ...args, '--data', world.server.dataDir];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
}

async function openPage(host: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(shop.url(host));
  return page;
}

const makeTicTacToe = () => makeMatch(world.server, { game: 'tictactoe' });

/** Checks that an attack changed nothing: no move, no connection, no result. */
async function expectUntouched(sessionId: string, status = 'pending'): Promise<void> {
  const now = await readSession(world.server, sessionId);
  expect([now.status, now.result]).toEqual([status, null]);
}

/** Whether any frame of the page shows a match. */
async function isShown(page: Page): Promise<boolean> {
  await page.waitForTimeout(SILENCE_MS);
  const counts = await Promise.all(
    page.frames().map((frame) =>
      frame
        .locator('#app')
        .count()
        .catch(() => 0),
    ),
  );
  return counts.some((count) => count > 0);
}

describe('a page that may not frame a match', () => {
  inBrowser(
    '[W2] only the tenant’s own site can embed the match, with any HTML element',
    async () => {
      const { sessionId, playUrls } = await makeTicTacToe();
      for (const tag of ['iframe', 'object', 'embed', 'frame']) {
        const page = await openPage(EVIL);
        await page.evaluate(
          ([name, address]) => {
            const element = document.createElement(name!);
            element.setAttribute(name === 'object' ? 'data' : 'src', address!);
            const place = name === 'frame' ? document.createElement('frameset') : document.body;
            if (name === 'frame') document.body.replaceWith(place);
            place.append(element);
          },
          [tag, playUrls[0]!] as const,
        );
        expect([tag, await isShown(page)]).toEqual([tag, false]);
        await page.context().close();
      }
      await expectUntouched(sessionId);
      const own = await openPage(OWN);
      await mountIn(own, { url: playUrls[0]! });
      await awaitEvent(own, 'state');
      await own.context().close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W2] the site of one tenant cannot frame the page of another tenant, of an unknown one, or of none',
    async () => {
      const { playUrls } = await makeTicTacToe();
      for (const path of ['/play/', '/play/bare/', '/play/no-such-tenant/']) {
        const page = await openPage(OWN);
        await addFrame(page, playUrls[0]!.replace('/play/demo/', path));
        expect([path, await isShown(page)]).toEqual([path, false]);
        await page.context().close();
      }
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W2] a page that may not be framed says why nothing is shown, and how to fix it',
    async () => {
      const { playUrls } = await makeTicTacToe();
      for (const viewport of [
        { width: 360, height: 740 },
        { width: 1_280, height: 800 },
      ]) {
        const page = await openPage(EVIL);
        await page.setViewportSize(viewport);
        const from = Date.now();
        await mountIn(page, { url: playUrls[0]! });
        const words = page.locator('#here [role=alert]');
        await words.waitFor();
        expect(Date.now() - from).toBeLessThan(MESSAGE_MS_MAX);
        expect(await words.innerText()).toContain(`Is ${new URL(shop.url(EVIL)).origin} among`);
        expect(await page.locator('iframe').isVisible()).toBe(false);
        const isWider = await page.evaluate(() => document.body.scrollWidth > innerWidth);
        expect(isWider).toBe(false);
        await page.context().close();
      }
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W2] a stranger cannot embed the match through a frame of the allowed site, nor by framing that site',
    async () => {
      const { sessionId, playUrls } = await makeTicTacToe();
      // The site frames a stranger, who frames the match.
      const inner = await openPage(OWN);
      await mountIn(await addFrame(inner, shop.url(EVIL)), { url: playUrls[0]! });
      expect(await isShown(inner)).toBe(false);
      // A stranger frames the site, which mounts the match as usual.
      const outer = await openPage(EVIL);
      const site = await addFrame(outer, shop.url(OWN));
      await mountIn(site, { url: playUrls[0]! });
      expect(await isShown(outer)).toBe(false);
      await site.locator('[role=alert]').waitFor();
      expect(await eventsOf(site)).toEqual([{ type: 'error', code: 'not_loaded' }]);
      await expectUntouched(sessionId);
      await Promise.all([inner.context().close(), outer.context().close()]);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W3] a page that opens the match in a window can neither navigate that window nor send it messages',
    async () => {
      const { sessionId, playUrls } = await makeTicTacToe();
      const page = await openPage(EVIL);
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        page.evaluate((address) => {
          Object.assign(window, { opened: open(address) });
        }, playUrls[0]!),
      ]);
      await opened.locator('[role=gridcell]').first().waitFor();
      const known = await page.evaluate(async (mark) => {
        const { opened: other } = window as unknown as { opened: Window };
        const received: unknown[] = [];
        addEventListener('message', ({ data }) => received.push(data));
        const { port2 } = new MessageChannel();
        other.postMessage({ mark, type: 'init', nonce: '', token: 'x' }, '*', [port2]);
        try {
          other.location.href = '/elsewhere';
        } catch {
          // The browser may also throw.
        }
        await new Promise((resolve) => setTimeout(resolve, 500));
        return { isClosed: other.closed, received };
      }, MARK);
      expect(known).toEqual({ isClosed: true, received: [] });
      expect(await opened.evaluate(() => window.opener)).toBeNull();
      expect(opened.url()).toBe(`${world.server.url}/play/demo/`);
      await expectUntouched(sessionId);
      await page.context().close();
    },
    TEST_MS_MAX,
  );
});

/** Posts every message of the protocol from a frame to the page and to the match in it. */
async function postEverything(from: Frame): Promise<unknown[]> {
  return from.evaluate(
    async ([mark, ms]) => {
      const received: unknown[] = [];
      addEventListener('message', ({ data }) => received.push(data));
      const top = window.parent;
      const match = top.frames[0]!;
      const result = { winner: 'mallory', reason: 'resignation' };
      let deep: unknown = 1;
      for (let depth = 0; depth < 500; depth += 1) deep = [deep];
      const odd = [null, 7, '', mark, [mark], { mark }, { mark, type: {} }, new Date(), new Map()];
      const huge = { mark, type: 'hello', text: 'x'.repeat(20_000_000) };
      for (const to of [top, match]) {
        for (const type of ['hello', 'init', 'ended', 'state', 'token', 'tokenNeeded', 'theme']) {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => received.push(data);
          const text = { mark, type, result, nonce: '', token: 'x', ask: 1, theme: 'dark' };
          to.postMessage(text, '*', [port2]);
          to.postMessage({ mark, t: 'act', type, action: { position: 0 } }, '*');
        }
        for (const each of [...odd, deep, huge]) to.postMessage(each, '*');
      }
      try {
        match.location.href = 'about:blank';
      } catch {
        // Sibling frames may not navigate each other.
      }
      await new Promise((resolve) => setTimeout(resolve, ms as number));
      return received;
    },
    [MARK, SILENCE_MS] as const,
  );
}

describe('a frame beside the match', () => {
  inBrowser(
    '[W4] can neither forge an event, nor take the port, nor navigate the match elsewhere',
    async () => {
      const { sessionId, playUrls } = await makeTicTacToe();
      const page = await openPage(OWN);
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      await mountIn(page, { url: playUrls[0]! });
      await awaitEvent(page, 'state');
      const before = await eventsOf(page);
      expect(await postEverything(await addFrame(page, shop.url(EVIL)))).toEqual([]);
      expect(await eventsOf(page)).toEqual(before);
      expect(complaints).toEqual([]);
      await expectUntouched(sessionId);
      // The match is unchanged and continues.
      const bea = await openSeat(browser, playUrls[1]!);
      await matchFrame(page).locator('.status[data-tone=mine]').waitFor();
      await expectUntouched(sessionId, 'active');
      await Promise.all([page.context().close(), bea.context.close()]);
    },
    TEST_MS_MAX,
  );
});

/** A page that connects to the match without the SDK, and stores its port as `port`. */
async function connectByHand(page: Page, playUrl: string): Promise<void> {
  await page.evaluate(
    async ([address, mark]) => {
      const url = new URL(address!);
      const token = new URLSearchParams(url.hash.slice(1)).get('token');
      url.hash = `embed=n1&host=${encodeURIComponent(location.origin)}`;
      const frame = document.createElement('iframe');
      frame.src = url.href;
      const received: unknown[] = [];
      await new Promise<void>((resolve) => {
        addEventListener('message', ({ source }) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => received.push(data);
          const init = { mark, type: 'init', nonce: 'n1', token, mayAskToken: false };
          (source as Window).postMessage(init, '*', [port2]);
          Object.assign(window, { port: port1, received, init });
          resolve();
        });
        document.body.append(frame);
      });
    },
    [playUrl, MARK] as const,
  );
}

describe('a page that hosts the match', () => {
  inBrowser(
    '[W4] cannot play, end or change the match by any message over the port',
    async () => {
      const { sessionId, playUrls } = await makeTicTacToe();
      const page = await openPage(OWN);
      const complaints: string[] = [];
      const leaks: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => {
        if (request.url().includes('leak.example')) leaks.push(request.url());
      });
      await connectByHand(page, playUrls[0]!);
      const bea = await openSeat(browser, playUrls[1]!);
      const match = matchFrame(page);
      await match.locator('.status[data-tone=mine]').waitFor();
      await page.evaluate(() => {
        const { port } = window as unknown as { port: MessagePort };
        const leak = 'url(http://leak.example/)';
        const action = { position: 0 };
        const odd: unknown[] = [null, undefined, 7, '', [], {}, { type: null }, { type: 'x' }];
        for (const type of ['act', 'resign', 'draw', 'end', 'ended', 'init', 'hello', 'state']) {
          odd.push({ type, t: type, action, id: 'x', do: 'offer', result: { winner: 'mallory' } });
        }
        odd.push({ type: 'token', ask: 1, token: 'x' }, { type: 'mute', muted: 'yes' });
        for (const theme of ['"><img src=x>', leak, {}, 1]) odd.push({ type: 'theme', theme });
        for (const palette of [7, [], { background: leak }, { text: 'red;--x:1' }, { radius: 1e9 }])
          odd.push({ type: 'palette', palette });
        for (const locale of ['../../x', 'x'.repeat(1_000_000), {}, '__proto__'])
          odd.push({ type: 'locale', locale });
        odd.push({ type: 'palette', palette: { background: 'x'.repeat(5_000_000) } });
        for (const each of odd) port.postMessage(each);
      });
      await page.waitForTimeout(SILENCE_MS);
      expect(complaints).toEqual([]);
      expect(leaks).toEqual([]);
      await expectUntouched(sessionId, 'active');
      expect(await match.locator('[role=gridcell]').first().getAttribute('aria-label')).toMatch(
        /empty/i,
      );
      // It is still the player's turn, and they can move.
      await match.locator('[role=gridcell]').nth(4).click();
      await bea.page.locator('.status[data-tone=mine]').waitFor();
      await Promise.all([page.context().close(), bea.context.close()]);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W4] is answered once: a repeated greeting with another port or token changes nothing',
    async () => {
      const [mine, other] = [await makeTicTacToe(), await makeTicTacToe()];
      const page = await openPage(OWN);
      await connectByHand(page, mine.playUrls[0]!);
      await matchFrame(page).locator('[role=gridcell]').first().waitFor();
      const received = await page.evaluate(
        async ([token, ms]) => {
          const { init } = window as unknown as { init: object };
          const got: unknown[] = [];
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => got.push(data);
          frames[0]!.postMessage({ ...init, token }, '*', [port2]);
          await new Promise((resolve) => setTimeout(resolve, ms as number));
          return got;
        },
        [/token=([^&]+)/.exec(other.playUrls[0]!)![1]!, SILENCE_MS] as const,
      );
      expect(received).toEqual([]);
      const { players } = (await readSession(world.server, other.sessionId)) as unknown as Seated;
      expect(players.some(({ connected }) => connected)).toBe(false);
      await page.context().close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W4] can read neither the token that opens the socket nor the resume token',
    async () => {
      const { playUrls } = await makeTicTacToe();
      const page = await openPage(OWN);
      await connectByHand(page, playUrls[0]!);
      await matchFrame(page).locator('[role=gridcell]').first().waitFor();
      const known = await page.evaluate(() => {
        const { received } = window as unknown as { received: unknown[] };
        const tries = [
          () => frames[0]!.document.body.innerText,
          () => frames[0]!.location.href,
          () => frames[0]!.sessionStorage.length,
          () => frames[0]!.history.state,
        ];
        const read = tries.map((look) => {
          try {
            return look();
          } catch (error) {
            return (error as Error).name;
          }
        });
        return { read, received: JSON.stringify(received) };
      });
      expect(known.read).toEqual(Array.from({ length: 4 }, () => 'SecurityError'));
      // All tokens of the service begin with this.
      expect(known.received).not.toMatch(/eyJ/);
      await page.context().close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W4] gets no message and no match when the address names another page as host',
    async () => {
      const { sessionId, playUrls } = await makeTicTacToe();
      const page = await openPage(OWN);
      const received = await page.evaluate(
        async ([src, mark, ms]) => {
          const got: unknown[] = [];
          addEventListener('message', ({ data }) => got.push(data));
          const frame = document.createElement('iframe');
          frame.src = src as string;
          document.body.append(frame);
          await new Promise((resolve) => frame.addEventListener('load', resolve));
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => got.push(data);
          const init = { mark, type: 'init', nonce: 'n', token: null };
          frame.contentWindow!.postMessage(init, '*', [port2]);
          await new Promise((resolve) => setTimeout(resolve, ms as number));
          return got;
        },
        [`${playUrls[0]!}&embed=n&host=https%3A%2F%2Fother.example`, MARK, SILENCE_MS] as const,
      );
      expect(received).toEqual([]);
      await expectUntouched(sessionId);
      await page.context().close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W4] gets no token into a frame that was navigated to a stranger before the greeting',
    async () => {
      const { playUrls } = await makeTicTacToe();
      const page = await openPage(OWN);
      await mountIn(page, { url: playUrls[0]! });
      await awaitEvent(page, 'state');
      const before = (await eventsOf(page)).length;
      await page.locator('iframe').evaluate((frame: HTMLIFrameElement, to) => {
        frame.src = to;
      }, shop.url(EVIL));
      await page.waitForFunction(() => document.querySelector('iframe') !== null);
      const stranger = await waitForFrame(page, shop.url(EVIL));
      const received = await stranger.evaluate(
        async ([mark, ms]) => {
          const got: unknown[] = [];
          addEventListener('message', ({ data }) => got.push(data));
          window.parent.postMessage({ mark, type: 'hello' }, '*');
          await new Promise((resolve) => setTimeout(resolve, ms as number));
          return got;
        },
        [MARK, SILENCE_MS] as const,
      );
      expect(received).toEqual([]);
      expect((await eventsOf(page)).slice(before)).toEqual([]);
      await page.context().close();
    },
    TEST_MS_MAX,
  );
});

interface Seated {
  readonly players: readonly { readonly connected: boolean }[];
}

async function waitForFrame(page: Page, url: string): Promise<Frame> {
  for (;;) {
    const frame = page.frames().find((each) => each.url() === url);
    if (frame !== undefined) {
      await frame.waitForLoadState();
      return frame;
    }
    await page.waitForTimeout(20);
  }
}
