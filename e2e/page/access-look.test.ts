/** The layout and colours of the players' page: every screen, every language, a tenant's colours, hostile values. */

import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Mounted } from '../../sdk/src/embed/mount.ts';
import { LANGUAGE_TAGS } from '../../web/play/src/i18n/languages.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { BOARD_GAMES, stepByKeys } from '../parts/keyboard.ts';
import type { SeatPage } from '../parts/matches.ts';
import {
  awaitTurn,
  call,
  FOUR_PLAYERS,
  faultsOf,
  makeMatch,
  openSeat,
  pressCell,
} from '../parts/matches.ts';
import { awaitEvent, matchFrame, mountIn, useShop } from '../parts/shop.ts';

const TEST_MS_MAX = 120_000;
const SETTLE_MS_MAX = 2_000;

const world = useBrowserWorld('the looks of the players’ page');
const { inBrowser } = world;
const shop = useShop();

/** Opens the pages of both seats, with parameters added to their addresses. */
async function openBoth(game: string, words: string, dark = false): Promise<[SeatPage, SeatPage]> {
  const seats = game === 'ludo' ? { seats: 2 } : {};
  const { playUrls } = await makeMatch(world.server, { game, ...seats });
  const open = (url: string): Promise<SeatPage> =>
    openSeat(world.browser, url + words, {
      reducedMotion: 'reduce',
      colorScheme: dark ? 'dark' : 'light',
    });
  return [await open(playUrls[0]!), await open(playUrls[1]!)];
}

const closeAll = (seats: readonly SeatPage[]) =>
  Promise.all(seats.map(({ context }) => context.close()));

/** Narrow and small phones, one on its side, a desk at 200 % and at 400 %, a desk. */
const SIZES = [
  [320, 568],
  [360, 740],
  [568, 320],
  [740, 360],
  [640, 400],
  [320, 256],
  [768, 1024],
  [1280, 800],
] as const;

/** Elements that overflow, are cut off, overlap others or are too small to press. */
function faultsOfLayout(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width) faults.push('the page is too wide');
    const seen = (selector: string): Element[] =>
      [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
    const nameOf = (each: Element): string =>
      `${each.getAttribute('class')} "${each.textContent?.slice(0, 30)}"`;
    for (const each of seen('button, select, summary, input, .plate, .status, .board')) {
      const { left, right, width: own, height } = each.getBoundingClientRect();
      if (left < -0.5 || right > width + 0.5) faults.push(`${nameOf(each)} sticks out`);
      if (own < 18 || height < 18) faults.push(`${nameOf(each)} is too small`);
    }
    for (const each of seen('.button > span, .status-text, .status-detail, .result-reason')) {
      // Text for screen readers only is one pixel wide.
      if (each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1) {
        faults.push(`${nameOf(each)} is cut off`);
      }
      const { left, right } = each.getBoundingClientRect();
      const box = (each.closest('.button, .status, .card') ?? each).getBoundingClientRect();
      if (left < box.left - 1 || right > box.right + 1) faults.push(`${nameOf(each)} spills`);
    }
    // "You" below the player's own name must fit; the text after it may be cut off.
    for (const each of seen('.plate.is-own .plate-sub > :first-child')) {
      if (each.scrollWidth > each.clientWidth) faults.push(`${nameOf(each)} is cut off`);
    }
    const parts = seen('.plates, .status, .board, .controls, .card, .po-tools');
    for (const [n, a] of parts.entries()) {
      for (const b of parts.slice(n + 1)) {
        if (a.contains(b)) continue;
        const [one, two] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
        const over = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
        const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
        if (over > 1 && across > 1) {
          faults.push(`${a.getAttribute('class')} and ${b.getAttribute('class')} overlap`);
        }
      }
    }
    return faults;
  });
}

async function faultsAtAllSizes(page: Page, when: string): Promise<string[]> {
  const faults: string[] = [];
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    let found = await faultsOfLayout(page);
    // The layout needs time to settle. A real fault remains.
    for (const until = Date.now() + SETTLE_MS_MAX; found.length > 0 && Date.now() < until; ) {
      await page.waitForTimeout(60);
      found = await faultsOfLayout(page);
    }
    faults.push(...found.map((fault) => `${when} ${width}x${height}: ${fault}`));
  }
  return faults;
}

describe('on every screen', () => {
  for (const game of BOARD_GAMES) {
    inBrowser(
      `[W6] ${game}: nothing overflows, is cut off or overlaps, in any language`,
      async () => {
        const faults: string[] = [];
        for (const tag of LANGUAGE_TAGS) {
          const seats = await openBoth(game, `&lang=${tag}`);
          const [ada, bea] = seats;
          await stepByKeys(ada.page, game);
          await bea.page.locator('.board').waitFor();
          faults.push(...(await faultsAtAllSizes(ada.page, `${tag}, during,`)));
          await bea.page.locator('.controls > .button:last-child').click();
          await bea.page.locator('dialog .is-danger').click();
          await ada.page.locator('.status[data-tone=done]').waitFor();
          faults.push(...(await faultsAtAllSizes(ada.page, `${tag}, after,`)));
          await closeAll(seats);
        }
        expect(faults).toEqual([]);
      },
      TEST_MS_MAX,
    );
  }
});

inBrowser(
  '[W6] ludo for four players has room for four plates with points and a clock, in any language',
  async () => {
    const options = { turnTimeoutMs: 3_600_000 };
    const request = { game: 'ludo', variant: 'timed', players: FOUR_PLAYERS, options };
    const { playUrls } = await makeMatch(world.server, request);
    const others = await Promise.all(
      playUrls.slice(1).map((url) => openSeat(world.browser, url, {})),
    );
    const faults: string[] = [];
    for (const tag of LANGUAGE_TAGS) {
      const seat = await openSeat(world.browser, `${playUrls[0]}&lang=${tag}`, {});
      // On the player's turn the plate shows the clock next to the points.
      await seat.page.locator('.plate.is-own.is-turn .plate-clock', { hasText: ':' }).waitFor();
      faults.push(...(await faultsAtAllSizes(seat.page, tag)));
      await seat.context.close();
    }
    expect(faults).toEqual([]);
    await closeAll(others);
  },
  TEST_MS_MAX,
);

/** Colours that would make text unreadable without correction. */
const UNREADABLE = [
  { background: '#ffffff', surface: '#ffffff', text: '#ffffff', primary: '#ffff66' },
  { background: '#000000', surface: '#ffffff', text: '#333333', primary: '#101010' },
  { background: '#777777', text: '#777777', primary: '#ff00ff', boardDark: '#fffdf8', radius: 0 },
];
const paletteOf = (palette: object): string =>
  `&palette=${encodeURIComponent(JSON.stringify(palette))}`;

const propertiesOf = (page: Page, ...names: string[]): Promise<string[]> =>
  page.evaluate((all) => {
    const style = getComputedStyle(document.documentElement);
    return all.map((name) => style.getPropertyValue(name).trim());
  }, names);

describe('in a tenant’s colours', () => {
  inBrowser(
    '[W6][S1] the page applies the colours and corner radius from its address, and seat 1’s colours in checkers',
    async () => {
      const palette = { background: '#102030', primary: '#f80', piece2: '#abcdef', radius: '3px' };
      const seats = await openBoth('checkers', paletteOf(palette));
      const { page } = seats[0];
      await page.locator('.ck-piece').first().waitFor();
      const wanted = ['#102030', '#ff8800', '#abcdef', '3px'];
      const names = ['--mp-background', '--mp-primary', '--mp-piece-2', '--mp-radius'];
      expect(await propertiesOf(page, ...names)).toEqual(wanted);
      const colourOf = (selector: string, property: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((each, name) => getComputedStyle(each).getPropertyValue(name), property);
      expect(await colourOf('body', 'background-color')).toBe('rgb(16, 32, 48)');
      expect(await colourOf('.ck-piece.piece-1 .ck-face', 'fill')).toBe('rgb(171, 205, 239)');
      // A dark background implies the dark defaults, regardless of the device's preference.
      expect(await colourOf('html', 'color-scheme')).toBe('dark');
      await page.reload();
      await page.locator('.ck-piece').first().waitFor();
      expect(await propertiesOf(page, ...names)).toEqual(wanted);
      expect(seats.flatMap(faultsOf)).toEqual([]);
      await closeAll(seats);
    },
    TEST_MS_MAX,
  );

  for (const [n, palette] of UNREADABLE.entries()) {
    inBrowser(
      `[W6] text stays readable with any colours (${n})`,
      async () => {
        const broken: string[] = [];
        for (const game of BOARD_GAMES) {
          const seats = await openBoth(game, paletteOf(palette), n === 1);
          await stepByKeys(seats[0].page, game);
          await seats[0].page.waitForTimeout(400);
          broken.push(...(await brokenRules(seats[0].page)).map((rule) => `${game}: ${rule}`));
          await closeAll(seats);
        }
        expect(broken).toEqual([]);
      },
      TEST_MS_MAX,
    );
  }

  inBrowser(
    '[W6] a value that is not a colour has no effect: no injected style and no request to another server',
    async () => {
      const evil = 'https://evil.example/x';
      const palette = {
        background: `url(${evil})`,
        surface: `#fff;background-image:url(${evil})`,
        text: `image-set("${evil}" 1x)`,
        primary: 'var(--mp-background)',
        accent: 'expression(alert(1))',
        radius: `calc(1px) url(${evil})`,
        '--mp-text': '#ffffff',
        style: `}*{background:url(${evil})}`,
      };
      const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const context = await world.browser.newContext();
      const page = await context.newPage();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(`${playUrls[0]}&theme=light${paletteOf(palette)}`);
      await page.locator('.board').waitFor();
      expect(requests.filter((url) => !url.startsWith(world.server.url))).toEqual([]);
      expect(await propertiesOf(page, '--mp-background', '--mp-text', '--mp-radius')).toEqual([
        '#eeebe3',
        '#1b2a2e',
        '14px',
      ]);
      expect(await page.evaluate(() => document.documentElement.getAttribute('style') ?? '')).toBe(
        '',
      );
      await context.close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W4][W6] an embedding page changes colours and language during the match',
    async () => {
      const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const tenantInfo = (await call(world.server, 'GET', '/v1/whoami')) as {
        tenant: { slug: string };
      };
      const page = await (await world.browser.newContext({ colorScheme: 'light' })).newPage();
      await page.goto(shop.url());
      await mountIn(page, { url: playUrls[0]!, tenant: tenantInfo.tenant.slug });
      await awaitEvent(page, 'state');
      const frame = matchFrame(page);
      const background = (wanted: string) =>
        frame.waitForFunction(
          (colour) => getComputedStyle(document.body).backgroundColor === colour,
          wanted,
        );
      const wish = (run: (mounted: Mounted) => void) =>
        page.evaluate(`(${run})(window.recorded.mounted)`);
      await wish((mounted) => mounted.setPalette({ background: '#002b36' }));
      await background('rgb(0, 43, 54)');
      await wish((mounted) => mounted.setPalette(null));
      await background('rgb(238, 235, 227)');
      await wish((mounted) => mounted.setTheme('dark'));
      await background('rgb(16, 23, 26)');
      await wish((mounted) => mounted.setLocale('de-AT'));
      await frame.locator('.status-text', { hasText: 'Warten auf Bea' }).waitFor();
      expect(await frame.evaluate(() => document.documentElement.lang)).toBe('de');
      // The SDK sends earlier settings again after the frame reloads.
      await background('rgb(16, 23, 26)');
      await page.context().close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6] the theme "auto" follows the device during the match, on the canvas as well',
    async () => {
      const { playUrls } = await makeMatch(world.server, { game: 'pool' });
      const seat = await openSeat(world.browser, playUrls[0]!, {
        colorScheme: 'light',
        reducedMotion: 'reduce',
      });
      const { page } = seat;
      await page.locator('.po-canvas').waitFor();
      await page.waitForTimeout(200);
      const painted = () =>
        page.evaluate(() => document.querySelector<HTMLCanvasElement>('.po-canvas')!.toDataURL());
      const light = await painted();
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.waitForTimeout(200);
      expect(await propertiesOf(page, '--mp-background')).toEqual(['#10171a']);
      expect((await painted()) === light).toBe(false);
      expect(faultsOf(seat)).toEqual([]);
      await seat.context.close();
    },
    TEST_MS_MAX,
  );
});

/** Each element's distance from the page's left, top and right edge. */
const marginsOf = (page: Page, selector: string): Promise<[number, number, number]> =>
  page.locator(selector).evaluate((each) => {
    const { left, top, right } = each.getBoundingClientRect();
    return [left, top + scrollY, document.documentElement.clientWidth - right];
  });

inBrowser(
  '[W6] pool’s spin control fits on every screen size',
  async () => {
    const seats = await openBoth('pool', '&lang=de');
    const { page } = seats[0];
    await page.locator('.po-spin summary').click();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      const margins = await marginsOf(page, '.po-spin-box');
      expect([width, Math.min(...margins) >= 0]).toEqual([width, true]);
    }
    await closeAll(seats);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W6] a draw offer from a player with a long name is readable and covers neither plates nor board',
  async () => {
    const players = [{ id: 'ada' }, { id: 'bea', displayName: 'Maximiliane von '.repeat(4) }];
    const { playUrls } = await makeMatch(world.server, { game: 'connect4', players });
    const seats = [
      await openSeat(world.browser, `${playUrls[0]}&lang=de`),
      await openSeat(world.browser, `${playUrls[1]}&lang=en`),
    ] as const;
    const { page } = seats[0];
    await page.locator('.status[data-tone=mine]').waitFor();
    await pressCell(page, 3);
    await awaitTurn(seats[1].page);
    await seats[1].page.getByRole('button', { name: 'Offer draw' }).click();
    await page.getByRole('button', { name: 'Annehmen' }).waitFor();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      const covered = await page.evaluate(() => {
        const boxOf = (each: string) => document.querySelector(each)!.getBoundingClientRect();
        const words = boxOf('.status-text');
        const others = [
          '.plates',
          '.board',
          '.footer button:not([hidden])',
          '.status-actions:not([hidden])',
        ];
        return others.filter((each) => {
          const { left, top, right, bottom } = boxOf(each);
          const isBeside = right <= words.left + 1 || left >= words.right - 1;
          return !isBeside && bottom > words.top + 1 && top < words.bottom - 1;
        });
      });
      expect([width, height, covered]).toEqual([width, height, []]);
      const margins = await marginsOf(page, '.status-text');
      expect([width, Math.min(...margins) >= 0]).toEqual([width, true]);
    }
    await closeAll(seats);
  },
  TEST_MS_MAX,
);
