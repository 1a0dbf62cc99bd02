/**
 * Makes the animated picture of README.md: a match, `kill -9`, the restart, and the match going on.
 * node_modules/.bin/bun e2e/screens/kill-picture.ts [FILE]
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { findChromium, launchChromium } from '../parts/browser.ts';
import { makeMatch, openSeat, pressCell } from '../parts/matches.ts';
import type { ServerProcess } from '../parts/server-process.ts';
import { freePort, startServer } from '../parts/server-process.ts';
import type { Picture } from './moving-picture.ts';
import { makeMovingPicture } from './moving-picture.ts';

const FILE = process.argv[2] ?? join(import.meta.dirname, '../../docs/screens/kill.png');
const VIEW = { viewport: { width: 360, height: 540 }, colorScheme: 'light' } as const;
/** The interval between frames, and the longest time for which one is shown. Milliseconds. */
const PICTURE_EVERY_MS = 250;
const SHOWN_MS_MAX = 2_500;
/** The pause between steps, so that a reader can follow. Milliseconds. */
const PAUSE_MS = 900;
/** How long the last frame is shown. Milliseconds. */
const LAST_MS = 2_500;

/** Takes frames until it is stopped; consecutive equal frames become one that is shown longer. */
function film(page: Page): () => Promise<readonly Picture[]> {
  const taken: { png: Buffer; ms: number }[] = [];
  let isOn = true;
  const running = (async () => {
    while (isOn) {
      const from = performance.now();
      const png = await page.screenshot();
      await Bun.sleep(PICTURE_EVERY_MS - (performance.now() - from));
      const ms = Math.round(performance.now() - from);
      const last = taken.at(-1);
      if (last?.png.equals(png)) last.ms += ms;
      else taken.push({ png, ms });
    }
  })();
  return async () => {
    isOn = false;
    await running;
    const shown = taken.map(({ png, ms }) => ({ png, ms: Math.min(ms, SHOWN_MS_MAX) }));
    return shown.map((each, at) => (at === shown.length - 1 ? { ...each, ms: LAST_MS } : each));
  };
}

/** Each plays one move with the mouse when it is their turn. */
async function move(page: Page, cell: number): Promise<void> {
  await page.locator('.status[data-tone=mine]').waitFor();
  await pressCell(page, cell);
  await page.locator('.status[data-tone=calm], .status[data-tone=done]').waitFor();
  await Bun.sleep(PAUSE_MS);
}

async function playThroughKill(
  start: () => Promise<ServerProcess>,
  server: ServerProcess,
): Promise<readonly Picture[]> {
  const browser = await launchChromium(findChromium()!);
  const { playUrls } = await makeMatch(server, { game: 'tictactoe' });
  const ada = await openSeat(browser, playUrls[0]!, VIEW);
  const bea = await openSeat(browser, playUrls[1]!, VIEW);
  await ada.page.locator('.status[data-tone=mine]').waitFor();
  const stop = film(ada.page);
  await move(ada.page, 4);
  await move(bea.page, 0);
  await server.kill();
  await ada.page.locator('.status[data-tone=bad]').waitFor();
  await Bun.sleep(PAUSE_MS);
  const again = await start();
  await move(ada.page, 2);
  await move(bea.page, 1);
  await move(ada.page, 6);
  const pictures = await stop();
  await browser.close();
  await again.stop();
  return pictures;
}

const dataDir = makeTempFolder();
const port = await freePort();
const start = (): Promise<ServerProcess> => startServer({ port, dataDir });
const pictures = await playThroughKill(start, await start());
removeFolder(dataDir);
const moving = makeMovingPicture(pictures);
writeFileSync(FILE, moving);
console.log(`${FILE}: ${pictures.length} pictures, ${moving.length} bytes`);
