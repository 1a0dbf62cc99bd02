/**
 * Screenshots of the players' page in other languages, colours and shapes, for docs/screens:
 * `bun e2e/screens/screens-looks.ts [folder]`.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { findChromium, launchChromium } from '../parts/browser.ts';
import type { BoardGame } from '../parts/keyboard.ts';
import { stepByKeys } from '../parts/keyboard.ts';
import type { Tenant } from '../parts/matches.ts';
import { makeMatch, openSeat } from '../parts/matches.ts';
import { freePort, startServer } from '../parts/server-process.ts';

const FOLDER = process.argv[2] ?? join(import.meta.dirname, '../../docs/screens');
/** Longest animation on the page, so that screenshots show it at rest. Milliseconds. */
const REST_MS = 900;
const MOVES = 7;
const ATTEMPTS_MAX = 200;

interface Look {
  readonly name: string;
  readonly game: BoardGame;
  /** Parameters added to the address. */
  readonly words: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly forcedColors?: 'active';
}

const PHONE = { width: 360, height: 740 };
const OWN = {
  background: '#fff0f6',
  surface: '#ffffff',
  text: '#3b0a24',
  primary: '#ff4f9a',
  accent: '#00c2a8',
  boardLight: '#ffe3ef',
  boardDark: '#8a2f6b',
  piece1: '#ff4f9a',
  piece2: '#1d1235',
  radius: 24,
};
const own = `&palette=${encodeURIComponent(JSON.stringify(OWN))}`;

const LOOKS: readonly Look[] = [
  { name: 'hindi', game: 'pool', words: '&lang=hi', size: PHONE },
  {
    name: 'german-on-its-side',
    game: 'checkers',
    words: '&lang=de',
    size: { width: 740, height: 360 },
  },
  { name: 'spanish-small', game: 'ludo', words: '&lang=es', size: { width: 320, height: 568 } },
  { name: 'own-colours', game: 'connect4', words: `&lang=pt${own}`, size: PHONE },
  {
    name: 'forced-colours',
    game: 'tictactoe',
    words: '&lang=en',
    size: PHONE,
    forcedColors: 'active',
  },
];

async function showLook(browser: Browser, tenant: Tenant, look: Look): Promise<void> {
  const { name, game, words, size, forcedColors } = look;
  const { playUrls } = await makeMatch(tenant, { game, ...(game === 'ludo' && { seats: 2 }) });
  const view: Parameters<typeof openSeat>[2] = {
    viewport: size,
    reducedMotion: 'reduce',
    ...(forcedColors && { forcedColors }),
  };
  const seats = [];
  for (const url of playUrls) {
    seats.push(await openSeat(browser, `${url}&theme=light${words}`, view));
  }
  const [first] = seats;
  for (let moves = 0, tries = 0; moves < MOVES && tries < ATTEMPTS_MAX; tries += 1) {
    for (const { page } of seats) {
      if (await stepByKeys(page, game)) moves += 1;
      await page.locator('.is-sending').waitFor({ state: 'detached' });
    }
  }
  await first!.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await first!.page.waitForTimeout(REST_MS);
  await first!.page.screenshot({ path: join(FOLDER, `look-${name}.png`) });
  await Promise.all(seats.map(({ context }) => context.close()));
}

const executable = findChromium();
if (executable === null) throw new Error('There is no chromium here: set CHROMIUM_PATH');
mkdirSync(FOLDER, { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'matchd-looks-'));
const server = await startServer({ port: await freePort(), dataDir });
const browser = await launchChromium(executable);
try {
  for (const look of LOOKS) await showLook(browser, server, look);
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
