/** Plays fight arena on a page: key presses, and readings from the page. */

import type { BrowserContext, Page } from 'playwright-core';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { scriptOf } from './page-chance.ts';

export const BOARD = '.board.fa';

/** Waits until the countdown is over. */
export async function awaitFight(page: Page): Promise<void> {
  await page.locator(`${BOARD}[data-phase=fight]`).waitFor({ timeout: 20_000 });
}

/** Both fighters' acts in the last frame, such as `free` or `attack-light`. */
export async function readActs(page: Page): Promise<readonly string[]> {
  return (await page.locator(BOARD).getAttribute('data-acts'))?.split(' ') ?? [];
}

/** Health, rounds and time in the text for screen readers. */
export function readWords(page: Page): Promise<string> {
  return page.locator('.fa-stage > .only-heard').innerText();
}

/** Turns on the connection figures, as the player's setting does. */
export async function showLine(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => localStorage.setItem('matchd.netFigures', 'true'));
}

/**
 * Walks towards the other player and attacks without end. Returns at once: the keys are pressed within the page, so
 * that
 * a slow test does not slow the player.
 */
export function beat(page: Page): Promise<void> {
  return page.evaluate(() => {
    const send = (kind: string, code: string): void => {
      window.dispatchEvent(new KeyboardEvent(kind, { code, cancelable: true }));
    };
    send('keydown', 'KeyD');
    setInterval(() => {
      send('keydown', 'KeyK');
      setTimeout(() => send('keyup', 'KeyK'), 60);
    }, 350);
  });
}

/** The text about the connection in the corner. */
export function readLine(page: Page): Promise<string> {
  return page.locator('.fa-line').innerText();
}

/**
 * Presses random keys until the match is over, also after a reload. The keys are pressed within the page, so that a
 * slow
 * test does not slow the player.
 */
export async function mash(page: Page, layout: 0 | 1, seed = TEST_SEED): Promise<void> {
  const script = scriptOf(pressAtRandom, 2 * seed + layout, layout);
  await page.addInitScript(script);
  await page.evaluate(script);
}

/** Runs in the page. The seed determines keys and planned pauses; real pauses may be longer. */
function pressAtRandom(chance: () => number, layout: 0 | 1): void {
  const ways = [
    ['KeyA', 'KeyD', 'KeyD', 'KeyS', 'KeyW'],
    ['ArrowLeft', 'ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp'],
  ][layout]!;
  const attacks = [
    ['KeyJ', 'KeyK', 'KeyL', 'KeyI', 'Space'],
    ['KeyZ', 'KeyX', 'KeyC', 'KeyV', 'KeyB'],
  ][layout]!;
  const any = (list: readonly string[]): string => list[Math.floor(chance() * list.length)]!;
  const send = (kind: string, code: string): void => {
    window.dispatchEvent(new KeyboardEvent(kind, { code, bubbles: true, cancelable: true }));
  };
  const press = (code: string, ms: number): void => {
    send('keydown', code);
    setTimeout(() => send('keyup', code), ms);
  };
  const go = (): void => {
    press(any(ways), 40 + chance() * 260);
    if (chance() < 0.6) press(any(attacks), 50);
    setTimeout(go, 60 + chance() * 160);
  };
  go();
}
