/** Ease of use of each board: sizes, targets, time pressure, settings, clocks, emotes next to the plate. */

import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { useBrowserWorld } from '../parts/browser-world.ts';
import type { SeatPage } from '../parts/matches.ts';
import {
  awaitTurn,
  FOUR_PLAYERS,
  faultsOf,
  makeMatch,
  openSeat,
  pressCell,
} from '../parts/matches.ts';
import { pressSquares, TO_CAPTURE } from './checkers-hands.ts';
import { recordWalks, walksOf } from './recorded-walks.ts';

const TEST_MS_MAX = 180_000;
/** The size of a target, in either direction. CSS pixels. */
const TARGET_PX = 44;
const SIZES = [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;
const PHONE = { viewport: SIZES[0], hasTouch: true, isMobile: true } as const;
const CALM = { ...PHONE, reducedMotion: 'reduce' } as const;

const world = useBrowserWorld('ease of use of the boards');
const { inBrowser } = world;

async function close(...seats: readonly SeatPage[]): Promise<void> {
  expect(seats.flatMap(faultsOf)).toEqual([]);
  await Promise.all(seats.map(({ context }) => context.close()));
}

async function openAll(
  request: { readonly game: string; readonly [field: string]: unknown },
  view: Parameters<typeof openSeat>[2],
  lang = 'en',
): Promise<SeatPage[]> {
  const { playUrls } = await makeMatch(world.server, request as { readonly game: string });
  const seats: SeatPage[] = [];
  for (const url of playUrls) {
    seats.push(await openSeat(world.browser, `${url}&lang=${lang}`, view));
  }
  await Promise.all(seats.map(({ page }) => page.locator('.board').waitFor()));
  return seats;
}

/** Rolls until a token of this page's player can be chosen; false when the turn stays with another player. */
async function rollUntilFree(seats: readonly SeatPage[]): Promise<SeatPage> {
  for (const until = Date.now() + 60_000; Date.now() < until; ) {
    for (const seat of seats) {
      const { page } = seat;
      if (await page.locator('.lu-token.is-free').count()) return seat;
      const die = page.locator('.lu-die.is-free');
      if (await die.count()) await die.dispatchEvent('click');
    }
    await seats[0]!.page.waitForTimeout(30);
  }
  throw new Error('No token could be chosen');
}

const LUDO = { game: 'ludo', players: FOUR_PLAYERS } as const;

describe('ludo on a phone', () => {
  for (const lang of ['en', 'de', 'es', 'pt', 'hi']) {
    inBrowser(
      `[W6] shows the whole count of tokens at home (${lang})`,
      async () => {
        const seats = await openAll(LUDO, CALM, lang);
        const [{ page }] = seats as [SeatPage];
        await page.locator('.status[data-tone=mine]').waitFor();
        const cut: string[] = [];
        for (const size of SIZES) {
          await page.setViewportSize(size);
          await page.waitForTimeout(200);
          const found = await page.evaluate(() =>
            [...document.querySelectorAll('.plate-sub > :first-child')]
              .filter((each) => each.scrollWidth > each.clientWidth)
              .map((each) => each.textContent),
          );
          cut.push(...found.map((text) => `${size.width}: ${text}`));
        }
        expect(cut).toEqual([]);
        await close(...seats);
      },
      TEST_MS_MAX,
    );
  }

  inBrowser(
    '[W6] has targets of 44 px: the die, and each token that can be chosen',
    async () => {
      const seats = await openAll(LUDO, CALM);
      const [first] = seats as [SeatPage];
      await first.page.locator('.lu-die.is-free').waitFor();
      const die = await first.page.locator('.lu-die-hit').boundingBox();
      expect(Math.min(die!.width, die!.height)).toBeGreaterThanOrEqual(TARGET_PX);
      const { page } = await rollUntilFree(seats);
      const sizes = await page.evaluate(() =>
        [...document.querySelectorAll('.lu-token.is-free .lu-hit')].map((each) => {
          const { width, height } = each.getBoundingClientRect();
          return Math.min(width, height);
        }),
      );
      expect(sizes.length).toBeGreaterThan(0);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(TARGET_PX - 0.5);
      // A tap next to a token selects the nearest.
      const box = (await page.locator('.lu-token.is-free .lu-face').first().boundingBox())!;
      await page.touchscreen.tap(box.x + box.width / 2 + 14, box.y + box.height / 2 + 10);
      await page.locator('.lu-token.is-free').first().waitFor({ state: 'detached' });
      await close(...seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W3] rolls automatically if the player wants it, and remembers the setting',
    async () => {
      const seats = await openAll({ game: 'ludo', seats: 2 }, CALM);
      const [{ page }, other] = seats as [SeatPage, SeatPage];
      await page.locator('.lu-die.is-free').waitFor();
      const wish = page.getByRole('button', { name: 'Roll by itself' });
      expect(await wish.getAttribute('aria-pressed')).toBe('false');
      await page.waitForTimeout(900);
      expect(await page.locator('.lu-die.is-free').count()).toBe(1);
      await wish.click();
      await page.locator('.trail-text', { hasText: /You rolled/ }).waitFor();
      await page.reload();
      await page.locator('.trail-settings .setting[aria-pressed=true]').waitFor();
      await close(...seats);
      expect(other.complaints).toEqual([]);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W3] a tap speeds up the running animation',
    async () => {
      const seats = await openAll({ game: 'ludo', seats: 2 }, PHONE);
      const [{ page }] = seats as [SeatPage];
      await page.locator('.lu-die.is-free').waitFor();
      await page.locator('.lu-die').dispatchEvent('click');
      await page.locator('.trail-text', { hasText: /rolled/ }).waitFor();
      const rates = await page.evaluate(() => {
        const board = document.querySelector('.board')!;
        const click = new MouseEvent('click', { bubbles: true, detail: 1, clientX: 5, clientY: 5 });
        board.querySelector('.lu-plate')!.dispatchEvent(click);
        return board
          .getAnimations({ subtree: true })
          .filter((each) => !(each instanceof CSSAnimation))
          .map((each) => each.playbackRate);
      });
      expect(rates.length).toBeGreaterThan(0);
      expect(new Set(rates)).toEqual(new Set([6]));
      await close(...seats);
    },
    TEST_MS_MAX,
  );
});

/** Plays moves of checkers with both seats in turn. */
async function playMoves(
  ada: SeatPage,
  bea: SeatPage,
  moves: readonly (readonly [number, number])[],
): Promise<void> {
  for (const [n, squares] of moves.entries()) {
    const seat = n % 2 === 0 ? ada : bea;
    await awaitTurn(seat.page);
    await pressSquares(seat, ...squares);
  }
}

/** Parts of a board that extend beyond the page or the board's area. */
const stickingOut = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const board = document.querySelector('.board')!;
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    return [
      board,
      ...board.querySelectorAll('[role=gridcell] .ttt-face, [role=gridcell] .ttt-edge'),
    ]
      .map((each) => ({ name: each.getAttribute('class'), box: each.getBoundingClientRect() }))
      .filter(
        ({ box }) =>
          box.left < -0.5 || box.top < -0.5 || box.right > width + 0.5 || box.bottom > height + 0.5,
      )
      .map(({ name }) => `${name} at ${width}×${height}`);
  });

/** Plays until a capture has been marked; false if the match ends before. */
async function playToCapture(seats: readonly SeatPage[], until: number): Promise<boolean> {
  const [{ page: watched }] = seats as [SeatPage];
  // The mark may be removed before a query would see it.
  await watched.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('.lu-burst-mark') === null) return;
      document.body.dataset['burst'] = 'seen';
    }).observe(document.querySelector('.board')!, { childList: true, subtree: true });
  });
  while (Date.now() < until) {
    for (const { page } of seats) {
      const free = page.locator('.lu-token.is-free, .lu-die.is-free');
      if (await free.count()) await free.last().dispatchEvent('click');
    }
    if (await watched.locator('body[data-burst=seen]').count()) return true;
    if (await watched.locator('.status[data-tone=done]').count()) return false;
  }
  return false;
}

describe('a capture', () => {
  inBrowser(
    '[W6] in ludo marks its square until the next move',
    async () => {
      let isMarked = false;
      // A match can end without a capture.
      for (const until = Date.now() + 150_000; !isMarked && Date.now() < until; ) {
        const seats = await openAll({ game: 'ludo', seats: 2 }, CALM);
        isMarked = await playToCapture(seats, until);
        if (isMarked) {
          await seats[0]!.page.getByRole('button', { name: 'Moves' }).click();
          await seats[0]!.page.locator('.move-taken > *').first().waitFor();
        }
        await close(...seats);
      }
      expect(isMarked).toBe(true);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6] of several pieces in checkers animates its path and the captured pieces, jump by jump',
    async () => {
      const seats = await openAll({ game: 'checkers' }, { viewport: SIZES[2] });
      const [ada, bea] = seats as [SeatPage, SeatPage];
      await playMoves(ada, bea, [...TO_CAPTURE, [14, 23]]);
      await awaitTurn(bea.page);
      await pressSquares(bea, 27);
      // Read the path before it is removed.
      expect(await bea.page.locator('.ck-way-fallen').count()).toBe(2);
      await ada.page.evaluate(recordWalks);
      await pressSquares(bea, 11);
      await ada.page.locator('.ck-way-line.is-last').first().waitFor({ state: 'attached' });
      const walks = await walksOf(ada.page);
      // Three squares and the tops of the two jumps; each piece is removed as it is jumped.
      expect(walks.map(({ frames }) => frames).sort()).toEqual([2, 2, 5]);
      const [first, second] = walks.filter(({ frames }) => frames === 2);
      expect(second!.delay).toBeGreaterThan(first!.delay);
      expect(await ada.page.locator('.ck-way-fallen').count()).toBe(2);
      await ada.page.locator('.trail-text', { hasText: 'takes 2 pieces' }).waitFor();
      // The list of moves shows them, too.
      await ada.page.locator('.moves .move').last().locator('.move-taken > *').nth(1).waitFor();
      await close(...seats);
    },
    TEST_MS_MAX,
  );
});

describe('a planned capture', () => {
  inBrowser(
    '[W3][W6] of several pieces is pressed square by square, can be taken back, and is played when it is legal',
    async () => {
      const seats = await openAll({ game: 'checkers' }, CALM);
      const [ada, bea] = seats as [SeatPage, SeatPage];
      const planned = bea.page.locator('.ck-cell.is-planned');
      await playMoves(ada, bea, TO_CAPTURE);
      await awaitTurn(ada.page);
      // One of the two pieces is where it will be captured; the other arrives there with the next move.
      await pressSquares(bea, 27, 18, 11);
      expect(await planned.count()).toBe(3);
      expect(await bea.page.locator('.ck-way-fallen').count()).toBe(1);
      await bea.page.keyboard.press('Escape');
      expect(await planned.count()).toBe(0);
      await pressSquares(bea, 27, 18, 11, 5);
      expect(await planned.count()).toBe(0);
      await pressSquares(bea, 27, 18, 11);
      await playMoves(ada, bea, [[14, 23]]);
      await ada.page.locator('.trail-text', { hasText: 'takes 2 pieces to 11' }).waitFor();
      await awaitTurn(ada.page);
      expect(await planned.count()).toBe(0);
      await close(...seats);
    },
    TEST_MS_MAX,
  );
});

describe('under the mouse', () => {
  const opacityOf = (page: Page, selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((each) => getComputedStyle(each).opacity);

  inBrowser(
    '[W3] a disc shows where it would land, and a piece where it can move',
    async () => {
      const view = { viewport: SIZES[2], reducedMotion: 'reduce' } as const;
      const racks = await openAll({ game: 'connect4' }, view);
      const rack = racks[0]!.page;
      await awaitTurn(rack);
      const landing = '.c4-column:nth-child(4) .c4-landing';
      expect(await opacityOf(rack, landing)).toBe('0');
      await rack.locator('[role=gridcell]').nth(3).hover();
      await rack.locator('.c4-column:nth-child(4):hover').waitFor();
      await rack.waitForTimeout(200);
      expect(await opacityOf(rack, landing)).toBe('1');
      await close(...racks);
      const seats = await openAll({ game: 'checkers' }, view);
      const { page } = seats[0]!;
      await awaitTurn(page);
      await page.locator('[data-cell="42"]').hover();
      const hinted = page.locator('.ck-cell.is-hinted');
      const cells = await hinted.evaluateAll((all) =>
        all.map((each) => each.getAttribute('data-cell')),
      );
      expect(cells).toEqual(['33', '35']);
      await page.locator('[data-cell="42"]').click();
      expect(await hinted.count()).toBe(0);
      await close(...seats);
    },
    TEST_MS_MAX,
  );
});

describe('boards', () => {
  inBrowser(
    '[W6] tic-tac-toe fits at every size',
    async () => {
      const seats = await openAll({ game: 'tictactoe' }, { reducedMotion: 'reduce' });
      const [{ page }] = seats as [SeatPage];
      const out: string[] = [];
      for (const size of [...SIZES, { width: 360, height: 520 }]) {
        await page.setViewportSize(size);
        await page.waitForTimeout(150);
        out.push(...(await stickingOut(page)));
      }
      expect(out).toEqual([]);
      await close(...seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6] connect four hides no part of a disc behind the rack',
    async () => {
      const seats = await openAll({ game: 'connect4' }, { reducedMotion: 'reduce' });
      const [{ page }] = seats as [SeatPage];
      await awaitTurn(page);
      await pressCell(page, 3);
      await page.locator('.c4-stones > g').waitFor({ state: 'attached' });
      // Only the rack covers the discs, and its holes are circles.
      const over = await page.evaluate(() => {
        const stones = document.querySelector('.c4-stones')!;
        return [...stones.parentElement!.children]
          .slice([...stones.parentElement!.children].indexOf(stones) + 1)
          .map((each) => each.getAttribute('class'));
      });
      expect(over).toEqual(['c4-rack', 'c4-lips', 'c4-marks']);
      await close(...seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6] an emote is next to the plate: name and clock stay visible',
    async () => {
      const seats = await openAll({ game: 'checkers' }, { reducedMotion: 'reduce' });
      const [ada, bea] = seats as [SeatPage, SeatPage];
      await awaitTurn(ada.page);
      const faults: string[] = [];
      for (const size of SIZES) {
        await bea.page.setViewportSize(size);
        await ada.page.getByRole('button', { name: 'React' }).click();
        await ada.page.getByRole('button', { name: 'Thumbs up' }).click();
        await bea.page.locator('.bubble:not([hidden])').waitFor();
        const over = await bea.page.evaluate(() => {
          const bubble = document.querySelector('.bubble:not([hidden])')!.getBoundingClientRect();
          return [...document.querySelectorAll('.plate-name, .plate-clock')].some((each) => {
            const box = each.getBoundingClientRect();
            return (
              box.width > 0 &&
              Math.min(box.right, bubble.right) > Math.max(box.left, bubble.left) + 1 &&
              Math.min(box.bottom, bubble.bottom) > Math.max(box.top, bubble.top) + 1
            );
          });
        });
        if (over) faults.push(`${size.width}×${size.height}`);
        await bea.page.locator('.bubble:not([hidden])').waitFor({ state: 'detached' });
      }
      expect(faults).toEqual([]);
      await close(...seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6] a clock turns amber, then red',
    async () => {
      const options = { turnTimeoutMs: 12_000 };
      const seats = await openAll({ game: 'tictactoe', options }, { reducedMotion: 'reduce' });
      const [{ page }] = seats as [SeatPage];
      await page.locator('.plate.is-turn').waitFor();
      expect(await page.locator('.plate:is(.is-soon, .is-hurry)').count()).toBe(0);
      await page.locator('.plate.is-soon').waitFor();
      const colourOf = () =>
        page
          .locator('.plate.is-turn .plate-clock')
          .evaluate((each) => getComputedStyle(each).color);
      const amber = await colourOf();
      await page.locator('.plate.is-hurry').waitFor();
      expect(await colourOf()).not.toBe(amber);
      await close(...seats);
    },
    TEST_MS_MAX,
  );

  for (const [motion, wanted] of [
    ['no-preference', 'vibrates'],
    ['reduce', 'does not vibrate under reduced motion'],
  ] as const) {
    inBrowser(
      `[W6] a phone ${wanted} on the player’s turn`,
      async () => {
        const seats = await openAll({ game: 'tictactoe' }, { ...PHONE, reducedMotion: motion });
        const [ada, bea] = seats as [SeatPage, SeatPage];
        await bea.page.evaluate(() => {
          Object.assign(window, { shakes: 0 });
          navigator.vibrate = () => {
            (window as unknown as { shakes: number }).shakes += 1;
            return true;
          };
        });
        const shakes = () =>
          bea.page.evaluate(() => (window as unknown as { shakes: number }).shakes);
        await bea.page.locator('.plate').first().tap();
        await awaitTurn(ada.page);
        await pressCell(ada.page, 0);
        await awaitTurn(bea.page);
        expect(await shakes()).toBe(motion === 'reduce' ? 0 : 1);
        if (motion !== 'reduce') {
          await bea.page.getByRole('button', { name: 'Moves' }).tap();
          await bea.page.getByRole('button', { name: 'Vibrate' }).tap();
          await bea.page.getByRole('button', { name: 'Close' }).tap();
          await pressCell(bea.page, 1);
          await awaitTurn(ada.page);
          await pressCell(ada.page, 2);
          await awaitTurn(bea.page);
          expect(await shakes()).toBe(1);
        }
        await close(...seats);
      },
      TEST_MS_MAX,
    );
  }
});
