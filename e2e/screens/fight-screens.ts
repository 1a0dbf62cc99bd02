/** Screenshots of fight arena for docs/screens: `bun e2e/screens/fight-screens.ts [folder]`. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { awaitFight, BOARD, beat } from '../boards/fight-hands.ts';
import { findChromium, launchChromium } from '../parts/browser.ts';
import type { SeatPage, Tenant } from '../parts/matches.ts';
import { makeMatch, openSeat, PLAYERS } from '../parts/matches.ts';
import { freePort, startServer } from '../parts/server-process.ts';

const FOLDER = process.argv[2] ?? join(import.meta.dirname, '../../docs/screens');
const SIZES = [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
const THEMES = ['light', 'dark'] as const;
/** Takes only these, if given: `light-360x740`. */
const WANTED = process.argv.slice(3);
const isWanted = ({ theme, size }: Look): boolean =>
  WANTED.length === 0 || WANTED.includes(`${theme}-${size.width}x${size.height}`);
/** From the last hit to the win pose, and to the result at rest. Milliseconds. */
const WIN_MS = 2_400;
const REST_MS = 2_500;
const END_MS = 60_000;

interface Look {
  readonly theme: (typeof THEMES)[number];
  readonly size: (typeof SIZES)[number];
}

/** Waits until both fighters are about in this act, given as a pattern of `data-acts`. */
async function awaitActs(page: Page, wanted: string, timeout: number): Promise<void> {
  await page.waitForFunction(
    ([board, pattern]) =>
      new RegExp(pattern!).test(document.querySelector<HTMLElement>(board!)?.dataset['acts'] ?? ''),
    [BOARD, wanted],
    { timeout },
  );
}

async function hold(page: Page, code: string, ms: number): Promise<void> {
  await page.keyboard.down(code);
  await page.waitForTimeout(ms);
  await page.keyboard.up(code);
}

/** Walks up to the opponent and attacks until a hit. */
async function hit(ada: Page, code: string): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    await hold(ada, 'KeyD', 180);
    await ada.keyboard.press(code, { delay: 40 });
    const isHit = await awaitActs(ada, ' (hit|fall)', 3_000)
      .then(() => true)
      .catch(() => false);
    if (isHit) return;
  }
}

async function showFight(browser: Browser, tenant: Tenant, { theme, size }: Look): Promise<void> {
  const match = await makeMatch(tenant, {
    game: 'fight-arena',
    players: PLAYERS,
    options: { roundSeconds: 60, roundsToWin: 1 },
  });
  const isPhone = Math.min(size.width, size.height) < 600;
  const view = { viewport: size, hasTouch: isPhone, isMobile: isPhone };
  const seats: SeatPage[] = [];
  for (const [seat, url] of match.playUrls.entries()) {
    seats.push(await openSeat(browser, `${url}&theme=${theme}&lang=en`, seat === 0 ? view : {}));
  }
  const ada = seats[0]!.page;
  ada.setDefaultTimeout(20_000);
  const take = (state: string): Promise<unknown> => {
    const name = `fight-arena-${state}-${theme}-${size.width}x${size.height}.png`;
    return ada.screenshot({ path: join(FOLDER, name), timeout: END_MS });
  };
  await awaitFight(ada);
  await ada.keyboard.press('KeyL', { delay: 60 });
  await ada.waitForTimeout(300);
  await take('active');
  await ada.waitForTimeout(900);
  await hold(ada, 'KeyD', 250);
  await hit(ada, 'KeyK');
  await take('hit');
  await ada.keyboard.press('KeyW', { delay: 60 });
  await ada.waitForTimeout(350);
  await take('jump');
  await ada.waitForTimeout(900);
  await ada.locator('.fa-open').click();
  await ada.locator('.fa-sheet').waitFor();
  await take('moves');
  await ada.locator('.fa-sheet-close').click();
  await beat(ada);
  await ada.locator(`${BOARD}[data-phase=over]`).waitFor({ timeout: END_MS });
  await ada.waitForTimeout(300);
  await take('fall');
  await ada.waitForTimeout(WIN_MS - 300);
  await take('win');
  await ada.locator('.status[data-tone=done]').waitFor();
  await ada.waitForTimeout(REST_MS);
  await take('ended');
  await Promise.all(seats.map(({ context }) => context.close()));
}

/** Against a bot, with everything that training shows. */
async function showTraining(
  browser: Browser,
  tenant: Tenant,
  { theme, size }: Look,
): Promise<void> {
  const match = await makeMatch(tenant, {
    game: 'fight-arena',
    matchType: 'bot',
    players: [PLAYERS[0]],
    options: { roundSeconds: 60, botDifficulty: 'easy' },
  });
  const isPhone = Math.min(size.width, size.height) < 600;
  const view = { viewport: size, hasTouch: isPhone, isMobile: isPhone };
  const { page, context } = await openSeat(browser, 'about:blank', view);
  await context.addInitScript(() => {
    for (const name of ['netFigures', 'hitBoxes', 'frameData', 'inputs']) {
      localStorage.setItem(`matchd.${name}`, 'true');
    }
  });
  await page.goto(`${match.playUrls[0]!}&theme=${theme}&lang=en`);
  await awaitFight(page);
  await beat(page);
  await page.waitForTimeout(2_500);
  const name = `fight-arena-training-${theme}-${size.width}x${size.height}.png`;
  await page.screenshot({ path: join(FOLDER, name) });
  await context.close();
}

async function main(): Promise<void> {
  const executable = findChromium();
  if (executable === null) throw new Error('There is no chromium here: set CHROMIUM_PATH');
  mkdirSync(FOLDER, { recursive: true });
  const dataDir = mkdtempSync(join(tmpdir(), 'matchd-fight-screens-'));
  const server = await startServer({ port: await freePort(), dataDir });
  const browser = await launchChromium(executable);
  try {
    for (const theme of THEMES) {
      for (const size of SIZES.filter((each) => isWanted({ theme, size: each }))) {
        await showFight(browser, server, { theme, size });
        await showTraining(browser, server, { theme, size });
      }
    }
  } finally {
    await browser.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
