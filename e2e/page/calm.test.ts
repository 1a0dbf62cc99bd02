/** Pages in a browser whose user wants less motion. */

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { closeAll, makeMatch, openSeat } from '../parts/matches.ts';

const world = useBrowserWorld('less motion');
const { inBrowser } = world;

inBrowser(
  '[W6] a player who wants less motion sees no endless animation',
  async () => {
    for (const game of ['ludo', 'connect4']) {
      const { playUrls } = await makeMatch(world.server, { game, seats: 2 });
      const view = { reducedMotion: 'reduce', viewport: { width: 400, height: 760 } } as const;
      const open = (url: string) => openSeat(world.browser, url, view);
      const seats = await Promise.all(playUrls.map(open));
      const pages = seats.map(({ page }) => page);
      // The player to move gets a hint animation.
      const isAsked = (page: Page) => page.locator('.board [class*=is-free]').count();
      while (!(await Promise.all(pages.map(isAsked))).some(Boolean)) await Bun.sleep(50);
      const endless = await Promise.all(pages.map((page) => page.evaluate(namesOfEndless)));
      expect(endless).toEqual([[], []]);
      await closeAll(seats);
    }
  },
  60_000,
);

/** Runs in the page. */
function namesOfEndless(): string[] {
  return document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().iterations === Infinity)
    .map((animation) => (animation as CSSAnimation).animationName);
}
