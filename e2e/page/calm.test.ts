/** Reduced motion: what is animated in a browser that prefers it, and in one that does not. */

import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { useBrowserWorld } from '../parts/browser-world.ts';
import {
  awaitTurn,
  closeAll,
  makeMatch,
  openSeat,
  pressCell,
  readResult,
} from '../parts/matches.ts';

const TEST_MS_MAX = 120_000;

const world = useBrowserWorld('reduced motion');
const { inBrowser } = world;

inBrowser(
  '[W6] a page with reduced motion has no endless animation',
  async () => {
    for (const game of ['ludo', 'connect4']) {
      const { playUrls } = await makeMatch(world.server, { game, seats: 2 });
      const view = { reducedMotion: 'reduce', viewport: { width: 400, height: 760 } } as const;
      const open = (url: string) => openSeat(world.browser, url, view);
      const seats = await Promise.all(playUrls.map(open));
      const pages = seats.map(({ page }) => page);
      // The player to move sees an animated hint.
      const hasTargets = (page: Page) => page.locator('.board [class*=is-free]').count();
      while (!(await Promise.all(pages.map(hasTargets))).some(Boolean)) await Bun.sleep(50);
      const endless = await Promise.all(pages.map((page) => page.evaluate(namesOfEndless)));
      expect(endless).toEqual([[], []]);
      await closeAll(seats);
    }
  },
  TEST_MS_MAX,
);

/** Runs in the page. */
function namesOfEndless(): string[] {
  return document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().iterations === Infinity)
    .map((animation) => (animation as CSSAnimation).animationName);
}

/** Runs in the page: records which elements are animated from now on, and for how long. Milliseconds. */
function recordMotion(): void {
  const moved: Record<string, number> = {};
  Object.assign(window, { moved });
  const note = (target: Element | null, ms: unknown): void => {
    const name = target?.classList[0] ?? target?.tagName ?? '';
    moved[name] = Math.max(moved[name] ?? 0, Number(ms));
  };
  for (const kind of ['animationstart', 'transitionrun'] as const) {
    document.addEventListener(kind, ({ target }) => {
      for (const { effect } of (target as Element).getAnimations()) {
        note(target as Element, effect?.getComputedTiming().duration);
      }
    });
  }
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...given) {
    const animation = animate.apply(this, given);
    note(this, animation.effect?.getComputedTiming().duration);
    return animation;
  };
}

const motionIn = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(() => (window as unknown as { moved: Record<string, number> }).moved);

/** The time from the result until all animations have ended. Milliseconds. */
const RESULT_MS = 1_500;
/** Animated elements and their durations: headline, card, rematch sheet, and the line through the three. Milliseconds. */
const RESULT_MOTION = { 'status-text': 300, card: 300, rematch: 300, 'ttt-line': 500 };
/** The winner's piece jumps. */
const WINNER_MOTION = { ...RESULT_MOTION, piece: 800 };

describe('a result', () => {
  for (const motion of ['no-preference', 'reduce'] as const) {
    inBrowser(
      `[W6] a line of three ${motion === 'reduce' ? 'shows at once under reduced motion' : 'is animated, with the line through the three'}`,
      async () => {
        const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
        const seats = [];
        for (const url of playUrls) {
          seats.push(await openSeat(world.browser, url, { reducedMotion: motion }));
        }
        const [ada, bea] = seats.map(({ page }) => page) as [Page, Page];
        for (const [ply, cell] of [4, 0, 2, 1, 6].entries()) {
          const page = ply % 2 === 0 ? ada : bea;
          await awaitTurn(page);
          if (ply === 4) for (const each of [ada, bea]) await each.evaluate(recordMotion);
          await pressCell(page, cell);
        }
        for (const page of [ada, bea]) {
          await readResult(page);
          await page.locator('.rematch-buttons button').first().waitFor();
          await page.waitForTimeout(RESULT_MS);
        }
        const [won, lost] = await Promise.all([ada, bea].map(motionIn));
        if (motion === 'reduce') {
          const seen = [...Object.entries(won!), ...Object.entries(lost!)];
          expect(seen.filter(([, ms]) => ms > 1)).toEqual([]);
        } else {
          expect(won).toMatchObject(WINNER_MOTION);
          expect(lost).toMatchObject(RESULT_MOTION);
          expect(lost).not.toHaveProperty('piece');
        }
        await closeAll(seats);
      },
      TEST_MS_MAX,
    );
  }
});
