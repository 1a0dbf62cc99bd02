/** The list of moves of an operator's game without a board: uses its notation, and shows no hidden information. */

import { afterAll, expect } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRandom } from '../../game/src/random.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import type { SeatPage } from '../parts/matches.ts';
import { FOUR_PLAYERS, faultsOf, makeMatch, openSeat } from '../parts/matches.ts';

const TEST_MS_MAX = 120_000;
const EXAMPLES = join(import.meta.dirname, '../../examples/games');
const VIEW = { viewport: { width: 1280, height: 800 } };
/** What can be pressed on the generic board. */
const FREE = '.any-cell.is-free, button.any-chip.is-free, .any-buttons button:not([data-key=back])';

/** The game under another id, for which the page has no board. */
const games = makeTempFolder();
afterAll(() => removeFolder(games));
mkdirSync(join(games, 'plain-eights'));
const rules = readFileSync(join(EXAMPLES, 'crazy-eights/rules.ts'), 'utf8');
writeFileSync(
  join(games, 'plain-eights/rules.ts'),
  rules.replace("id: 'crazy-eights'", "id: 'plain-eights'"),
);

const world = useBrowserWorld('moves of an operator’s game', { MATCHD_GAMES: games });

/** Presses allowed controls until this many moves are listed. */
async function playUntil(seats: readonly SeatPage[], moves: number): Promise<void> {
  const random = makeRandom('own moves', () => `${TEST_SEED}`, 0);
  const listed = seats[0]!.page.locator('.moves .move:not(.is-start)');
  for (const until = Date.now() + 60_000; (await listed.count()) < moves; ) {
    if (Date.now() > until) throw new Error(`Only ${await listed.count()} moves`);
    for (const { page } of seats) {
      const free = page.locator(FREE);
      const count = await free.count();
      if (count === 0) continue;
      await free.nth(random.integer(count)).evaluate((each: HTMLElement) => each.click());
    }
    await seats[0]!.page.waitForTimeout(40);
  }
}

world.inBrowser(
  `[P6][W6] lists moves, and earlier positions show only the player’s own hand (seed ${TEST_SEED})`,
  async () => {
    const players = FOUR_PLAYERS.slice(0, 3);
    const request = { game: 'plain-eights', seats: 3, players };
    const { playUrls } = await makeMatch(world.server, request);
    const seats: SeatPage[] = [];
    for (const url of playUrls) seats.push(await openSeat(world.browser, url, VIEW));
    await playUntil(seats, 6);
    for (const [seat, { page }] of seats.entries()) {
      const moves = page.locator('.moves .move:not(.is-start)');
      expect((await moves.allInnerTexts()).every((text) => text.trim() !== '')).toBe(true);
      await moves.nth(2).click();
      await page.locator('.table.is-past').waitFor();
      const hands = page.locator('.any-section', { hasText: 'Hands' }).first();
      expect(await hands.locator('.any-section .any-label').allInnerTexts()).toEqual([
        players[seat]!.displayName,
      ]);
      await page.locator('.trail-line').getByRole('button', { name: 'Back to now' }).click();
      await page.locator('.table:not(.is-past)').waitFor();
    }
    expect(seats.flatMap(faultsOf)).toEqual([]);
    await Promise.all(seats.map(({ context }) => context.close()));
  },
  TEST_MS_MAX,
);
