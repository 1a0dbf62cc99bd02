/** Every target on the players' page has 44 pixels at 360 × 740, on every board, before, during and after the match. */

import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { closeAll, makeMatch, openSeat, readResult, type SeatPage } from '../parts/matches.ts';

const TEST_MS_MAX = 120_000;
const TARGET_PX = 44;
const PHONE = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
} as const;

/**
 * Smaller targets, with the reason: eight columns of a board as wide as the screen leave 42 pixels each, seven leave
 * 46.
 * Tokens of ludo have a wider target, which `seen-boards.test.ts` measures: a press beside a token goes to the
 * nearest one.
 */
const SMALLER: Readonly<Record<string, readonly string[]>> = {
  checkers: ['[role=gridcell]'],
  ludo: ['[role=gridcell]'],
};
/** After the end no square of a board can be pressed. */
const AFTERWARDS: readonly string[] = ['[role=gridcell]'];

const world = useBrowserWorld('the targets of the players’ page');
const { inBrowser } = world;

/** Interactive elements that are too small. A label counts together with its checkbox. */
const smallTargetsOn = (page: Page, skipped: readonly string[]): Promise<string[]> =>
  page.evaluate(
    ([least, skip]) => {
      const all = document.querySelectorAll<HTMLElement>(
        'button, a[href], summary, select, input, [role=gridcell], [role=button], [role=slider]',
      );
      return [...all]
        .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .filter((each) => each.closest('[inert], .only-heard') === null)
        .filter((each) => !(skip as string[]).some((selector) => each.matches(selector)))
        .map((each) => ({ each, box: (each.closest('label') ?? each).getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && box.height > 0)
        .filter(({ box }) => Math.min(box.width, box.height) < (least as number) - 0.5)
        .map(
          ({ each, box }) =>
            `${each.getAttribute('class') ?? each.tagName} “${(each.ariaLabel ?? each.textContent).slice(0, 20)}” ${Math.round(box.width)}×${Math.round(box.height)}`,
        );
    },
    [TARGET_PX, skipped] as const,
  );

describe('at 360 × 740 every target has 44 px', () => {
  for (const game of ['tictactoe', 'connect4', 'checkers', 'ludo', 'pool', 'fight-arena']) {
    inBrowser(
      `[W6] ${game}: before, during and after the match, with emotes, moves and a dialog open`,
      async () => {
        const { playUrls } = await makeMatch(world.server, {
          game,
          ...(game === 'ludo' && { seats: 2 }),
        });
        const small: Record<string, string[]> = {};
        const ada = await openSeat(world.browser, playUrls[0]!, PHONE);
        const { page } = ada;
        const look = async (where: string, skipped = SMALLER[game] ?? []): Promise<void> => {
          await page.waitForTimeout(300);
          small[where] = await smallTargetsOn(page, skipped);
        };
        await page.getByRole('button', { name: 'Leave' }).waitFor();
        await look('pending');
        const bea: SeatPage = await openSeat(world.browser, playUrls[1]!, PHONE);
        await page.locator('.board').waitFor();
        await page.locator('.footer button', { hasText: 'Resign' }).waitFor();
        await look('active');
        await page.getByRole('button', { name: 'React' }).click();
        await look('emotes');
        await page.keyboard.press('Escape');
        await bea.page.getByRole('button', { name: 'Resign' }).click();
        await bea.page.getByRole('dialog').waitFor();
        small['question'] = await smallTargetsOn(bea.page, SMALLER[game] ?? []);
        await bea.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
        await readResult(page);
        await look('ended', AFTERWARDS);
        await page.getByRole('button', { name: 'Watch replay' }).click();
        await page.getByRole('slider').first().waitFor();
        await look('replay', AFTERWARDS);
        await page.getByRole('button', { name: 'Fair play' }).click();
        await page.locator('.fair-verdict[data-good]').waitFor();
        await look('fair play', AFTERWARDS);
        const found = Object.entries(small).filter(([, list]) => list.length > 0);
        expect(found).toEqual([]);
        await closeAll([ada, bea]);
      },
      TEST_MS_MAX,
    );
  }
});
