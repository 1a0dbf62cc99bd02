/** How a player follows the match: the last event, the list of moves, earlier positions, and why a tap had no effect. */

import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import type { SeatPage } from '../parts/matches.ts';
import { awaitTurn, faultsOf, makeMatch, openSeat, pressCell } from '../parts/matches.ts';
import { followSent } from '../parts/sent-frames.ts';

const TEST_MS_MAX = 120_000;
/** Longest animation on the page. Milliseconds. */
const REST_MS = 700;
const WIDE = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const;
const PHONE = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
} as const;

const world = useBrowserWorld('following a match');
const { inBrowser } = world;

type View = Parameters<typeof openSeat>[2];

async function openBoth(
  request: { readonly game: string; readonly [field: string]: unknown },
  view: View,
): Promise<[SeatPage, SeatPage]> {
  const { playUrls } = await makeMatch(world.server, request);
  const [ada, bea] = [
    await openSeat(world.browser, playUrls[0]!, view),
    await openSeat(world.browser, playUrls[1]!, view),
  ];
  await awaitTurn(ada.page);
  return [ada, bea];
}

async function close(...seats: readonly SeatPage[]): Promise<void> {
  expect(seats.flatMap(faultsOf)).toEqual([]);
  await Promise.all(seats.map(({ context }) => context.close()));
}

/** Waits until the line of the last event has this text. */
async function awaitEvent(page: Page, text: string): Promise<void> {
  await page.locator('.trail-text', { hasText: text }).waitFor();
}

/** Presses a cell that is disabled on the page. */
const pressAnyway = (page: Page, index: number): Promise<void> =>
  page.locator('[role=gridcell]').nth(index).click({ force: true });

/** The marks on the board of tic-tac-toe. */
const marksOn = (page: Page): Promise<number> => page.locator('.board .ttt-mark').count();

describe('the line of the last event', () => {
  inBrowser(
    '[W6] names the last move, a declined draw offer, and the state of the connection',
    async () => {
      const [ada, bea] = await openBoth({ game: 'connect4' }, WIDE);
      await pressCell(ada.page, 3);
      await awaitEvent(ada.page, 'You: red in column 4');
      await awaitEvent(bea.page, 'Ada: red in column 4');
      await ada.page.getByRole('button', { name: 'Offer draw' }).click();
      await awaitEvent(bea.page, 'Ada: draw offered');
      await bea.page.getByRole('button', { name: 'Decline' }).click();
      await awaitEvent(ada.page, 'Bea: draw declined');
      await bea.context.close();
      await awaitEvent(ada.page, 'Bea lost the connection');
      await close(ada);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6] says when the player’s own connection is restored',
    async () => {
      const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const ada = await openSeat(world.browser, world.proxied(playUrls[0]!), WIDE);
      const bea = await openSeat(world.browser, playUrls[1]!, WIDE);
      await awaitTurn(ada.page);
      world.proxy.cut();
      await ada.page.locator('#app[data-connection=waiting]').waitFor();
      world.proxy.repair();
      await awaitEvent(ada.page, 'Connected again');
      await close(ada, bea);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6] describes a shot and its foul',
    async () => {
      const [ada, bea] = await openBoth({ game: 'pool' }, WIDE);
      await ada.page.locator('.po-shoot[aria-disabled=false]').click();
      await awaitEvent(ada.page, 'You played');
      await awaitEvent(bea.page, 'Ada played');
      await close(ada, bea);
    },
    TEST_MS_MAX,
  );
});

inBrowser(
  '[W6] names a missed turn, to both players',
  async () => {
    const [ada, bea] = await openBoth(
      { game: 'ludo', seats: 2, options: { turnTimeoutMs: 5_000 } },
      WIDE,
    );
    await awaitEvent(bea.page, 'Ada took too long, so the turn played itself');
    await ada.page.locator('.trail-text', { hasText: 'took too long' }).waitFor();
    await close(ada, bea);
  },
  TEST_MS_MAX,
);

describe('the list of moves', () => {
  inBrowser(
    '[W6] shows an earlier position, which stays while the match continues, and returns to the current one',
    async () => {
      const [ada, bea] = await openBoth({ game: 'tictactoe' }, WIDE);
      await pressCell(ada.page, 0);
      await awaitTurn(bea.page);
      await pressCell(bea.page, 4);
      await awaitTurn(ada.page);
      const moves = ada.page.locator('.moves .move:not(.is-start)');
      await moves.nth(1).waitFor();
      expect(await moves.first().innerText()).toContain('row 1, column 1');
      await moves.first().click();
      await ada.page.locator('.table.is-past').waitFor();
      expect(await marksOn(ada.page)).toBe(1);
      // No move is possible in an earlier position, and the page says why.
      await pressAnyway(ada.page, 8);
      await ada.page.locator('.status-text', { hasText: 'earlier position' }).waitFor();
      // By keyboard too: on to the next move, and back again.
      await moves.first().focus();
      await ada.page.keyboard.press('ArrowUp');
      await awaitEvent(ada.page, 'Start position');
      expect(await marksOn(ada.page)).toBe(0);
      expect(await brokenRules(ada.page)).toEqual([]);
      await ada.page.keyboard.press('Escape');
      await ada.page.locator('.table:not(.is-past)').waitFor();
      expect(await marksOn(ada.page)).toBe(2);
      await pressCell(ada.page, 8);
      await awaitTurn(bea.page);
      await ada.page.locator('.moves .move.is-start').click();
      await pressCell(bea.page, 1);
      // New moves are announced; the shown position stays.
      await awaitEvent(ada.page, 'Start position · Bea: O in row 1, column 2');
      expect(await marksOn(ada.page)).toBe(0);
      await ada.page.locator('.trail-line').getByRole('button', { name: 'Back to now' }).click();
      expect(await marksOn(ada.page)).toBe(4);
      await close(ada, bea);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6][N1] survives a reload, including moves made meanwhile',
    async () => {
      const [ada, bea] = await openBoth({ game: 'connect4' }, WIDE);
      const list = ada.page.locator('.moves .move:not(.is-start)');
      for (const column of [0, 1]) {
        const { page } = column === 0 ? ada : bea;
        await awaitTurn(page);
        await pressCell(page, column);
      }
      await list.nth(1).waitFor();
      await ada.page.goto('about:blank');
      await ada.page.goBack();
      await list.nth(1).waitFor();
      await ada.page.reload();
      await awaitTurn(ada.page);
      expect(await list.allInnerTexts()).toHaveLength(2);
      await pressCell(ada.page, 2);
      await list.nth(2).waitFor();
      await list.first().click();
      expect(await ada.page.locator('.c4-stones > g').count()).toBe(1);
      await close(ada, bea);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6] is a sheet on a phone, with targets of 44 px and no violation of axe rules, light and dark',
    async () => {
      const [ada, bea] = await openBoth({ game: 'tictactoe' }, PHONE);
      await pressCell(ada.page, 0);
      await awaitTurn(bea.page);
      await pressCell(bea.page, 4);
      await awaitTurn(ada.page);
      const { page } = ada;
      await page.getByRole('button', { name: 'Moves' }).click();
      for (const theme of ['light', 'dark']) {
        await page.evaluate((wanted) => {
          document.documentElement.dataset['theme'] = wanted;
        }, theme);
        await page.waitForTimeout(REST_MS);
        expect(await brokenRules(page)).toEqual([]);
      }
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('.trail button, .move')]
          .filter((each) => each.checkVisibility())
          .map((each) => each.getBoundingClientRect())
          .filter(({ width, height }) => width < 44 || height < 44)
          .map(({ width, height }) => `${width} × ${height}`),
      );
      expect(small).toEqual([]);
      await page.locator('.move').nth(1).click();
      expect(await marksOn(page)).toBe(1);
      // The sheet does not cover the shown board.
      const [board, sheet] = [
        await page.locator('.board').boundingBox(),
        await page.locator('.moves').boundingBox(),
      ];
      expect(board!.y + board!.height).toBeLessThanOrEqual(sheet!.y + 1);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.locator('.moves').waitFor({ state: 'hidden' });
      await close(ada, bea);
    },
    TEST_MS_MAX,
  );
});

describe('a tap without effect', () => {
  inBrowser(
    '[W3][W6] is explained at once, also to screen readers, and nothing is sent',
    async () => {
      const [ada, bea] = await openBoth({ game: 'tictactoe' }, WIDE);
      const sent = followSent(ada.page);
      await ada.page.reload();
      await awaitTurn(ada.page);
      const refused = async (page: Page, text: string): Promise<void> => {
        await page.locator('.status-text', { hasText: text }).waitFor();
        await page.locator('[role=alert]', { hasText: text }).waitFor({ state: 'attached' });
      };
      await pressAnyway(bea.page, 2);
      await refused(bea.page, 'It is not your turn');
      await pressCell(ada.page, 0);
      await awaitTurn(bea.page);
      await ada.page.locator('[role=gridcell]').nth(5).focus();
      await ada.page.keyboard.press('Enter');
      await refused(ada.page, 'It is not your turn');
      await pressAnyway(bea.page, 0);
      await refused(bea.page, 'That square is taken');
      expect(sent).toEqual([{ position: 0 }]);
      await close(ada, bea);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W3][W6] on checkers names the rule that forbids it',
    async () => {
      const [ada, bea] = await openBoth({ game: 'checkers' }, WIDE);
      const press = async ({ page }: SeatPage, cell: number): Promise<void> =>
        page.locator(`[data-cell="${cell}"]`).click({ force: true });
      await press(ada, 17);
      await ada.page.locator('.status-text', { hasText: 'not yours' }).waitFor();
      await press(ada, 62);
      await ada.page.locator('.status-text', { hasText: 'cannot move' }).waitFor();
      await press(ada, 40);
      await press(ada, 28);
      await ada.page.locator('.status-text', { hasText: 'cannot go there' }).waitFor();
      await close(ada, bea);
    },
    TEST_MS_MAX,
  );
});

describe('a premove in checkers', () => {
  const press = async ({ page }: SeatPage, ...cells: readonly number[]): Promise<void> => {
    for (const cell of cells) await page.locator(`[data-cell="${cell}"]`).click({ force: true });
  };
  const planned = ({ page }: SeatPage) => page.locator('.ck-cell.is-planned');

  inBrowser(
    '[W3] is played as soon as it is legal, and can be taken back before',
    async () => {
      const [ada, bea] = await openBoth({ game: 'checkers' }, WIDE);
      await press(ada, 40, 33);
      await awaitTurn(bea.page);
      await press(ada, 42, 35);
      expect(await planned(ada).count()).toBe(2);
      await press(ada, 35);
      expect(await planned(ada).count()).toBe(0);
      await press(ada, 44, 37);
      await ada.page.locator('.ck-way-line.is-planned').first().waitFor({ state: 'attached' });
      expect(await brokenRules(ada.page)).toEqual([]);
      await press(bea, 23, 30);
      await awaitEvent(bea.page, 'Ada: 10 to 14');
      await awaitTurn(bea.page);
      await close(ada, bea);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W3] that has become illegal is not sent, and the page says so',
    async () => {
      const [ada, bea] = await openBoth({ game: 'checkers' }, WIDE);
      await press(ada, 40, 33);
      await awaitTurn(bea.page);
      await press(ada, 42, 28);
      await press(bea, 23, 30);
      await ada.page.locator('.status-text', { hasText: 'not possible any more' }).waitFor();
      expect(await planned(ada).count()).toBe(0);
      await awaitTurn(ada.page);
      await close(ada, bea);
    },
    TEST_MS_MAX,
  );
});
