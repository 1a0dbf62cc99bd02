/** The boards of the example games on the players' page: crazy eights, and rock, paper, scissors. */

import { expect } from 'bun:test';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import type { SeatPage } from '../parts/matches.ts';
import { awaitTurn, closeAll, faultsOf, openSeats, readResult } from '../parts/matches.ts';

const TEST_MS_MAX = 120_000;
const world = useBrowserWorld('boards of the example games', {
  MATCHD_GAMES: join(import.meta.dirname, '../../examples/games'),
});
const { inBrowser } = world;

const isOver = (page: Page): Promise<boolean> =>
  page.locator('.status[data-tone=done]').isVisible();

inBrowser(
  '[W6][W7] crazy eights shows a hand, asks for a suit with an eight, and can be played by keyboard to the end',
  async () => {
    const view = { bypassCSP: true, viewport: { width: 360, height: 740 } };
    const seats = await openSeats(world, { game: 'crazy-eights', options: { rounds: 1 } }, 2, view);
    const [ada, bea] = seats as [SeatPage, SeatPage];
    await awaitTurn(ada.page);
    expect(await brokenRules(ada.page)).toEqual([]);
    // Seven cards each; neither page shows the other's.
    expect(await ada.page.locator('.ce-hand .ce-card').count()).toBe(7);
    const cards = (page: Page) => page.locator('.ce-hand .ce-card').allInnerTexts();
    const both = [...(await cards(ada.page)), ...(await cards(bea.page))];
    expect(new Set(both).size).toBe(14);
    const small = await ada.page.locator('.ce button').evaluateAll(
      (all) =>
        all.filter((each) => {
          const { width, height } = each.getBoundingClientRect();
          return width < 44 || height < 44;
        }).length,
    );
    expect(small).toBe(0);
    for (let n = 0; n < 400 && !(await isOver(ada.page)); n += 1) {
      for (const { page } of seats) {
        if (!(await page.locator('.status[data-tone=mine]').isVisible())) continue;
        // By keyboard: an offered choice, else a card, else a draw.
        for (const kind of [
          '.ce-choice button',
          '.ce-hand [aria-disabled=false]',
          '.ce-card.is-back[aria-disabled=false]',
        ]) {
          const free = page.locator(kind);
          if ((await free.count()) === 0) continue;
          await free.first().focus();
          await page.keyboard.press('Enter');
          break;
        }
      }
      await ada.page.waitForTimeout(30);
    }
    expect((await readResult(ada.page)).reason).toBe('All rounds are played');
    expect(seats.map(faultsOf)).toEqual([[], []]);
    await closeAll(seats);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W6][W7] simultaneous throws are shown once all are made, with the result',
  async () => {
    const view = { bypassCSP: true, viewport: { width: 360, height: 740 } };
    const seats = await openSeats(world, { game: 'rps-tournament' }, 3, view);
    const [ada, bea, cem] = seats as [SeatPage, SeatPage, SeatPage];
    await awaitTurn(ada.page);
    expect(await brokenRules(ada.page)).toEqual([]);
    const press = async ({ page }: SeatPage, name: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await press(ada, 'Rock');
    await ada.page.locator('.rps-sign[aria-pressed=true]', { hasText: 'Rock' }).waitFor();
    await bea.page.locator('.rps-player', { hasText: 'Ada has thrown' }).waitFor();
    expect(await bea.page.locator('.rps-player', { hasText: 'Rock' }).count()).toBe(0);
    await press(bea, 'Scissors');
    await press(cem, 'Rock');
    await ada.page.locator('.rps-player.is-out', { hasText: 'Bea Scissors, out' }).waitFor();
    await ada.page.getByText('Round 2, 2 players left', { exact: true }).waitFor();
    // A player who is out has no throw to make.
    expect(await bea.page.locator('.rps-signs').isVisible()).toBe(false);
    await awaitTurn(ada.page);
    await press(ada, 'Paper');
    await press(cem, 'Rock');
    expect(await readResult(ada.page)).toEqual({
      headline: 'You won',
      reason: 'All others are out',
    });
    expect(seats.map(faultsOf)).toEqual([[], [], []]);
    await closeAll(seats);
  },
  TEST_MS_MAX,
);
