/** Pictures of fight arena for docs/screens: `bun e2e/fight-screens.ts [folder]`. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { findChromium, launchChromium } from './browser.ts';
import { awaitFight, BOARD } from './fight-hands.ts';
import type { SeatPage, Tenant } from './matches.ts';
import { makeMatch, openSeat, PLAYERS } from './matches.ts';
import { freePort, startServer } from './server-process.ts';

const FOLDER = process.argv[2] ?? join(import.meta.dirname, '../docs/screens');
const SIZES = [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
  { width: 1280, height: 800 },
];
const THEMES = ['light', 'dark'] as const;
/** Until what has ended is at rest. Milliseconds. */
const REST_MS = 2_500;

interface Look {
  readonly theme: (typeof THEMES)[number];
  readonly size: (typeof SIZES)[number];
}

/** Waits until both are about this, as a pattern of the board's `data-acts`. */
async function awaitActs(page: Page, wanted: string): Promise<void> {
  await page.waitForFunction(
    ([board, pattern]) =>
      new RegExp(pattern!).test(document.querySelector<HTMLElement>(board!)?.dataset['acts'] ?? ''),
    [BOARD, wanted],
  );
}

async function hold(page: Page, code: string, ms: number): Promise<void> {
  await page.keyboard.down(code);
  await page.waitForTimeout(ms);
  await page.keyboard.up(code);
}

/** Goes near, and strikes until it hits. */
async function hit(ada: Page, code: string): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    await hold(ada, 'KeyD', 180);
    await ada.keyboard.press(code, { delay: 40 });
    const isHit = await awaitActs(ada, ' (hit|fall)')
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
  const [ada, bea] = seats.map(({ page }) => page) as [Page, Page];
  ada.setDefaultTimeout(3_000);
  const take = (state: string): Promise<unknown> => {
    const name = `fight-arena-${state}-${theme}-${size.width}x${size.height}.png`;
    return ada.screenshot({ path: join(FOLDER, name) });
  };
  await awaitFight(ada);
  await ada.keyboard.press('KeyL', { delay: 60 });
  await ada.waitForTimeout(300);
  await take('active');
  await ada.waitForTimeout(900);
  await hold(ada, 'KeyD', 250);
  await hit(ada, 'KeyK');
  await take('hit');
  await bea.getByRole('button', { name: 'Resign' }).click();
  await bea.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await ada.waitForTimeout(REST_MS);
  await take('ended');
  await Promise.all(seats.map(({ context }) => context.close()));
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
      for (const size of SIZES) await showFight(browser, server, { theme, size });
    }
  } finally {
    await browser.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
