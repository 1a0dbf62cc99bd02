/** Plays the boards by keyboard only, like a player who sees the focus. */

import type { Page } from 'playwright-core';

export const BOARD_GAMES = ['tictactoe', 'connect4', 'checkers', 'ludo', 'pool'] as const;
export type BoardGame = (typeof BOARD_GAMES)[number];

/** The control may be disabled while balls roll. */
const TAB_WITHIN_MS = 30_000;

/** Presses Tab until the focus is on the wanted element. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (const until = Date.now() + TAB_WITHIN_MS; Date.now() < until; ) {
    const isFocused = await page.evaluate(
      (wanted) => document.activeElement?.matches(wanted) === true,
      selector,
    );
    if (isFocused) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${selector}`);
}

/** Moves the focus over a grid to its first matching cell and presses it; false when none matches. */
async function pressCell(page: Page, cells: string, kind: string, columns: number) {
  const index = await page.evaluate(
    ([all, wanted]) =>
      [...document.querySelectorAll(all!)].findIndex((cell) => cell.matches(wanted!)),
    [cells, kind],
  );
  if (index === -1) return false;
  await tabTo(page, cells);
  await page.keyboard.press('Shift+Home');
  const keys = [
    ...Array<string>(Math.floor(index / columns)).fill('ArrowDown'),
    ...Array<string>(index % columns).fill('ArrowRight'),
  ];
  for (const key of keys) await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  return true;
}

async function stepCheckers(page: Page): Promise<boolean> {
  const press = (kind: string) => pressCell(page, '.ck-cell', kind, 4);
  if (!(await press('.is-origin'))) return false;
  // A capture with several paths is played square by square.
  while (await press('.is-target'));
  return true;
}

async function stepLudo(page: Page): Promise<boolean> {
  if (await page.locator('.lu-die.is-free').count()) {
    await tabTo(page, '.lu-die');
    await page.keyboard.press('Enter');
    return true;
  }
  return pressCell(page, '.lu-token', '.is-free', 4);
}

/** So soft that no shot after the break can pocket the eight, which would end the match. */
const SOFTLY = Array<string>(8).fill('ArrowDown');

async function stepPool(page: Page): Promise<boolean> {
  const choice = '.po-choices:not([hidden]) button[aria-disabled=false]';
  const shot = '.po-shot:not([hidden]) .po-shoot[aria-disabled=false]';
  if (await page.locator(choice).count()) {
    await tabTo(page, choice);
  } else if (await page.locator(shot).count()) {
    await tabTo(page, '.po-canvas');
    for (const key of ['d', 'b', 'ArrowLeft', 'Shift+ArrowRight', ...SOFTLY]) {
      await page.keyboard.press(key);
    }
  } else return false;
  await page.keyboard.press('Enter');
  return true;
}

/** One move on a page; false if it is not its player's turn. */
export function stepByKeys(page: Page, game: BoardGame): Promise<boolean> {
  switch (game) {
    case 'tictactoe':
      return pressCell(page, '.ttt-cell', '.is-free', 3);
    case 'connect4':
      return pressCell(page, '.c4-column', '.is-free', 7);
    case 'checkers':
      return stepCheckers(page);
    case 'ludo':
      return stepLudo(page);
    case 'pool':
      return stepPool(page);
  }
}

/** Resigns and confirms it. */
export async function resignByKeys(page: Page): Promise<void> {
  await tabTo(page, '.controls > .button:last-child');
  await page.keyboard.press('Enter');
  await tabTo(page, 'dialog .is-danger');
  await page.keyboard.press('Enter');
}
