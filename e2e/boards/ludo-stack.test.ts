/** Several tokens of ludo on one square, in a real browser: how they are shown and pressed, and where they would move. */

import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { EDGE, squareAt } from '../../web/play/src/games/ludo/track.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { closeAll, faultsOf, makeMatch, openSeat } from '../parts/matches.ts';
import { STACK, showStack } from './ludo-stack.ts';

const TEST_MS_MAX = 120_000;
const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
] as const;

const world = useBrowserWorld('stacks of ludo');
const { inBrowser } = world;

/** Opens both pages; the first shows the stack, and its moves are recorded. */
async function openStack(size: (typeof SIZES)[number], isShared = false) {
  const { playUrls } = await makeMatch(world.server, { game: 'ludo', seats: 2 });
  const view = { viewport: size, reducedMotion: 'reduce' } as const;
  const ada = await openSeat(world.browser, 'about:blank', view);
  const { played } = await showStack(ada.page, isShared);
  await ada.page.goto(playUrls[0]!);
  const bea = await openSeat(world.browser, playUrls[1]!, view);
  await ada.page.locator('.lu-token.is-free').first().waitFor();
  const close = async (): Promise<void> => {
    expect([...faultsOf(ada), ...faultsOf(bea)]).toEqual([]);
    await closeAll([ada, bea]);
  };
  return { page: ada.page, played, close };
}

/** The middle of a square on the page, in a match of two with seat 0 nearest. */
async function middleOf(page: Page, square: number): Promise<[number, number]> {
  const { x, y, width } = (await page.locator('.board').boundingBox())!;
  const [column, row] = squareAt(square, { seats: 2, nearest: 0 });
  return [x + (column * width) / EDGE, y + (row * width) / EDGE];
}

/** How far parts of these tokens extend beyond the square around a point; only those that do. CSS pixels. */
async function sticksOut(page: Page, tokens: string, [x, y]: readonly [number, number]) {
  const unit = (await page.locator('.board').boundingBox())!.width / EDGE;
  return page.locator(tokens).evaluateAll(
    (all, { x: atX, y: atY, half }) =>
      all
        .flatMap((each) => [
          ...each.querySelectorAll('.lu-face, .lu-shade, .lu-halo, .lu-count-ground'),
        ])
        .filter((each) => getComputedStyle(each).opacity !== '0')
        .map((each) => ({ name: each.getAttribute('class'), box: each.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0)
        .map(({ name, box: { left, right, top, bottom } }) => ({
          name,
          by: Math.max(atX - left, right - atX, atY - top, bottom - atY) - half,
        }))
        .filter(({ by }) => by > 0.5),
    { x, y, half: unit / 2 },
  );
}

describe('a stack of ludo', () => {
  for (const size of SIZES) {
    inBrowser(
      `[W6] shows how many tokens it has, stays within its square and plays as one (${size.width}×${size.height})`,
      async () => {
        const { page, played, close } = await openStack(size);
        const counts = page.locator('.lu-token.is-stacked > .lu-count');
        expect(await counts.allTextContents()).toEqual(['4', '2']);
        const unit = (await page.locator('.board').boundingBox())!.width / EDGE;
        const [x, y] = await middleOf(page, STACK.square);
        expect(await sticksOut(page, '.lu-token.is-free', [x, y])).toEqual([]);
        // Each has a name and can be focused; a press anywhere on the stack moves one of them.
        const labels = await page
          .locator('.lu-token.is-free')
          .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
        expect(new Set(labels).size).toBe(4);
        await page.mouse.click(x + unit / 4, y + unit / 4);
        await page.waitForFunction(() => document.querySelector('.lu-token.is-sending') !== null);
        expect(played).toHaveLength(1);
        expect(played[0]).toHaveProperty('token');
        await close();
      },
      TEST_MS_MAX,
    );
  }

  for (const size of SIZES) {
    inBrowser(
      `[W6] of two seats shows both numbers, without overlap and within its square (${size.width}×${size.height})`,
      async () => {
        const { page, close } = await openStack(size, true);
        const place = await middleOf(page, STACK.square);
        const tokens = '.lu-token:is(.is-lowest, .is-above)';
        expect(await page.locator(tokens).count()).toBe(6);
        expect(await sticksOut(page, tokens, place)).toEqual([]);
        const numbers = await page
          .locator('.lu-token.is-stacked .lu-count-ground')
          .evaluateAll((all) =>
            all.map((each) => {
              const { left, top, width } = each.getBoundingClientRect();
              return { x: left + width / 2, y: top + width / 2, radius: width / 2 };
            }),
          );
        const [first, second] = numbers as [(typeof numbers)[number], (typeof numbers)[number]];
        const apart = Math.hypot(first.x - second.x, first.y - second.y);
        expect(apart).toBeGreaterThan(first.radius + second.radius - 0.5);
        if (process.env['STACK_PICTURES'] !== undefined) {
          await page.screenshot({
            path: `${process.env['STACK_PICTURES']}/stack-${size.width}.png`,
          });
        }
        await close();
      },
      TEST_MS_MAX,
    );
  }

  inBrowser(
    '[W6] marks the square a token would move to, under the mouse and with the focus',
    async () => {
      const { page, close } = await openStack(SIZES[1]);
      const mark = page.locator('.lu-mark.is-shown');
      expect(await mark.count()).toBe(0);
      await page.mouse.move(...(await middleOf(page, STACK.square)));
      await mark.waitFor();
      const [x, y] = await middleOf(page, STACK.target);
      const box = (await mark.boundingBox())!;
      expect(Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y)).toBeLessThan(2);
      await page.mouse.move(5, 5);
      await mark.waitFor({ state: 'detached' });
      await page.locator('.lu-token.is-free').nth(2).focus();
      await mark.waitFor();
      await close();
    },
    TEST_MS_MAX,
  );
});
