/**
 * Screenshots of special situations for docs/screens: an offered rematch, a planned multiple capture, a stack in
 * ludo, a
 * beginners' table of pool. `bun e2e/screens/board-screens.ts [folder [name...]]`; without names, all of them.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { pressSquares, TO_CAPTURE } from '../boards/checkers-hands.ts';
import { showStack } from '../boards/ludo-stack.ts';
import { findChromium, launchChromium } from '../parts/browser.ts';
import { playToEnd } from '../parts/finished-match.ts';
import type { SeatPage, Tenant } from '../parts/matches.ts';
import { awaitTurn, closeAll, makeMatch, openSeat } from '../parts/matches.ts';
import { freePort, startServer } from '../parts/server-process.ts';
import { isPhone, isTaken, SIZES, type Size } from './screen-sizes.ts';

const FOLDER = process.argv[2] ?? join(import.meta.dirname, '../../docs/screens');
const ONLY: readonly string[] = process.argv.slice(3);
const THEMES = ['light', 'dark'] as const;
/** Longest animation on the page, so that screenshots show it at rest. Milliseconds. */
const REST_MS = 900;

interface Look {
  readonly theme: (typeof THEMES)[number];
  readonly size: Size;
}

type Show = (name: string, browser: Browser, tenant: Tenant, look: Look) => Promise<void>;

/** Takes a screenshot of what the page shows while the mouse is at this point. */
async function takePicture(
  page: Page,
  name: string,
  { theme, size }: Look,
  [x, y]: readonly [number, number] = [0, 0],
): Promise<void> {
  await page.mouse.move(x, y);
  await page.waitForTimeout(REST_MS);
  const file = `${name}-${theme}-${size.width}x${size.height}.png`;
  await page.screenshot({ path: join(FOLDER, file) });
}

const viewOf = ({ size }: Look) => ({ viewport: size, hasTouch: isPhone(size) });

const openAll = (
  browser: Browser,
  urls: readonly string[],
  words: string,
  look: Look,
): Promise<SeatPage[]> =>
  Promise.all(
    urls.map((url) => openSeat(browser, `${url}&theme=${look.theme}${words}`, viewOf(look))),
  );

/** The result of a match whose other player has offered a rematch. */
const showRematch: Show = async (name, browser, tenant, look) => {
  const request = { game: 'tictactoe', matchType: 'private' } as const;
  const { playUrls } = await playToEnd(tenant, request, { seed: 'screens' });
  const seats = await openAll(browser, playUrls, '', look);
  const [ada, bea] = seats.map(({ page }) => page) as [Page, Page];
  await Promise.all(
    [ada, bea].map((page) => page.getByRole('button', { name: 'Rematch', exact: true }).waitFor()),
  );
  await bea.getByRole('button', { name: 'Rematch', exact: true }).click();
  await ada.getByRole('button', { name: 'Accept rematch' }).waitFor();
  await takePicture(ada, name, look);
  await closeAll(seats);
};

/** A capture of two pieces, planned square by square during the other player's turn. */
const showPlanned: Show = async (name, browser, tenant, look) => {
  const { playUrls } = await makeMatch(tenant, { game: 'checkers' });
  const seats = await openAll(browser, playUrls, '', look);
  const [ada, bea] = seats as [SeatPage, SeatPage];
  for (const [n, squares] of TO_CAPTURE.entries()) {
    const seat = n % 2 === 0 ? ada : bea;
    await awaitTurn(seat.page);
    await pressSquares(seat, ...squares);
  }
  await awaitTurn(ada.page);
  await pressSquares(bea, 27, 18, 11);
  await bea.page.locator('.ck-cell.is-planned').nth(2).waitFor();
  await takePicture(bea.page, name, look);
  await closeAll(seats);
};

const showStacked: Show = async (name, browser, tenant, look) => {
  const { playUrls } = await makeMatch(tenant, { game: 'ludo', seats: 2 });
  const ada = await openSeat(browser, 'about:blank', viewOf(look));
  await showStack(ada.page);
  await ada.page.goto(`${playUrls[0]}&theme=${look.theme}`);
  const bea = await openSeat(browser, playUrls[1]!);
  await ada.page.locator('.lu-token.is-free').first().waitFor();
  const box = (await ada.page.locator('.lu-token.is-free .lu-face').last().boundingBox())!;
  const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
  await takePicture(ada.page, name, look, middle);
  await closeAll([ada, bea]);
};

const showBallPaths: Show = async (name, browser, tenant, look) => {
  const { playUrls } = await makeMatch(tenant, { game: 'pool' });
  const seats = await openAll(browser, playUrls, '&paths=on', look);
  const { page } = seats[0]!;
  await page.locator('.po-shot:not([hidden]) .po-shoot[aria-disabled=false]').waitFor();
  await takePicture(page, name, look);
  await closeAll(seats);
};

/** By the names of their screenshots. */
const SHOWS: Readonly<Record<string, Show>> = {
  'tictactoe-rematch': showRematch,
  'checkers-planned': showPlanned,
  'ludo-stack': showStacked,
  'pool-paths': showBallPaths,
};

async function main(): Promise<void> {
  const executable = findChromium();
  if (executable === null) throw new Error('There is no chromium here: set CHROMIUM_PATH');
  mkdirSync(FOLDER, { recursive: true });
  const dataDir = mkdtempSync(join(tmpdir(), 'matchd-screens-'));
  const server = await startServer({ port: await freePort(), dataDir });
  const browser = await launchChromium(executable);
  try {
    for (const theme of THEMES) {
      for (const size of SIZES) {
        for (const [name, show] of Object.entries(SHOWS)) {
          if (ONLY.length > 0 && !ONLY.includes(name)) continue;
          if (!isTaken(name, size)) continue;
          await show(name, browser, server, { theme, size });
        }
      }
    }
  } finally {
    await browser.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
