/** What the players' page loads before a match can be played, as the browser counts it. */

import { expect } from 'bun:test';
import { join } from 'node:path';
import { weighPage } from '../../scripts/build/page-weight.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { makeMatch } from '../parts/matches.ts';

const TEST_MS_MAX = 60_000;

const world = useBrowserWorld('the size of the first load');
const { inBrowser } = world;

/** The page's markup, style and code, before the chunks of its game and language. Gzipped bytes. */
const PAGE_BYTES_MAX = 40_000;
/** The most that a page may load before it can be played, compressed. Bytes. */
const FIRST_LOAD_BYTES_MAX = 100_000;

inBrowser(
  '[WEB] the first load of any game stays below 100 kB and contains no code of replays or the list of moves',
  async () => {
    for (const game of ['tictactoe', 'connect4', 'checkers', 'ludo', 'pool', 'fight-arena']) {
      const { playUrls } = await makeMatch(world.server, { game });
      const context = await world.browser.newContext();
      const page = await context.newPage();
      const sizes = new Map<string, number>();
      page.on('requestfinished', async (request) => {
        const { responseBodySize, responseHeadersSize } = await request.sizes();
        sizes.set(new URL(request.url()).pathname, responseBodySize + responseHeadersSize);
      });
      await page.goto(playUrls[0]!);
      await page.locator('.board').waitFor();
      await page.waitForTimeout(500);
      const bytes = [...sizes.values()].reduce((sum, each) => sum + each, 0);
      console.log(`${game}: ${bytes} bytes in ${sizes.size} answers`);
      expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX);
      expect([...sizes.keys()].filter((path) => /replay|panel|opener|book/.test(path))).toEqual([]);
      await context.close();
    }
  },
  TEST_MS_MAX,
);

inBrowser('[WEB] the page without its language and board is at most 40 kB', () => {
  const { first } = weighPage(join(import.meta.dirname, '../../web/play/dist'));
  console.log(`the page: ${first} bytes`);
  expect(first).toBeLessThanOrEqual(PAGE_BYTES_MAX);
});
