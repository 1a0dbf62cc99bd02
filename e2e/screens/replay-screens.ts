/** Screenshots of replays, for docs/screens: `bun e2e/screens/replay-screens.ts [folder]`. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openSocket } from '../../src/testing/sockets/socket-client.ts';
import { findChromium, launchChromium } from '../parts/browser.ts';
import type { FinishedMatch } from '../parts/finished-match.ts';
import { playToEnd } from '../parts/finished-match.ts';
import type { Tenant } from '../parts/matches.ts';
import { call, openSeat, PLAYERS, readResult } from '../parts/matches.ts';
import { freePort, startServer } from '../parts/server-process.ts';
import { isTaken, SIZES, type Size } from './screen-sizes.ts';

const FOLDER = process.argv[2] ?? join(import.meta.dirname, '../../docs/screens');
const THEMES = ['light', 'dark'] as const;
/** Longest animation on the page, so that screenshots show it at rest. Milliseconds. */
const REST_MS = 900;

interface Look {
  readonly theme: (typeof THEMES)[number];
  readonly size: Size;
}

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

async function takePicture(page: Page, name: string, { theme, size }: Look): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(REST_MS);
  const file = `${name}-${theme}-${size.width}x${size.height}.png`;
  await page.screenshot({ path: join(FOLDER, file) });
}

/** A finished match: its replay in the middle, and its checks. */
async function showReplay(
  browser: Browser,
  { playUrls, replay }: FinishedMatch,
  look: Look,
): Promise<void> {
  const url = `${playUrls[0]}&theme=${look.theme}`;
  const { page, context } = await openSeat(browser, url, { viewport: look.size });
  await readResult(page);
  await press(page, 'Watch replay');
  const slider = page.getByRole('slider');
  await slider.fill(String(Math.floor(replay.inputs.length / 2)));
  await takePicture(page, `${replay.game}-replay`, look);
  await press(page, 'Fair play');
  await page.locator('.fair-verdict[data-good]').waitFor();
  await takePicture(page, `${replay.game}-fairness`, look);
  await context.close();
}

/** The same match with one move assigned to the other seat, and the result of the checks. */
async function showTampered(
  browser: Browser,
  { url }: Tenant,
  { replay }: FinishedMatch,
  look: Look,
): Promise<void> {
  const { page, context } = await openSeat(browser, `${url}/play/#replay&theme=${look.theme}`, {
    viewport: look.size,
  });
  await page.locator('.opener').waitFor();
  await takePicture(page, 'replay-opener', look);
  const inputs = replay.inputs.map((each, n) =>
    n === 4 ? { ...each, seat: 1 - each.seat } : each,
  );
  const buffer = Buffer.from(JSON.stringify({ ...replay, inputs }));
  const file = { name: 'replay.json', mimeType: 'application/json', buffer };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('slider').waitFor();
  await press(page, 'Fair play');
  await page.locator('.fair-verdict[data-good=false]').waitFor();
  await takePicture(page, 'replay-tampered', look);
  await context.close();
}

async function showWatching(browser: Browser, tenant: Tenant, look: Look): Promise<void> {
  const { sessionId: s, tokens } = (await call(tenant, 'POST', '/v1/sessions', {
    game: 'connect4',
    players: PLAYERS,
  })) as { sessionId: string; tokens: Record<string, string> };
  const { playUrl } = (await call(tenant, 'POST', `/v1/sessions/${s}/watch`)) as {
    playUrl: string;
  };
  const port = Number(new URL(tenant.url).port);
  const clients = [];
  for (const { id } of PLAYERS) {
    const client = await openSocket(port, { token: tokens[id]! });
    await client.next('state');
    clients.push(client);
  }
  for (const [ply, column] of [3, 3, 2, 4, 2, 2, 5].entries()) {
    const client = clients[ply % 2]!;
    client.send({ t: 'act', s, id: `${ply}`, action: { column } });
    await client.next('ack');
  }
  const url = `${playUrl}&theme=${look.theme}`;
  const { page, context } = await openSeat(browser, url, { viewport: look.size });
  await page.locator('.watching', { hasText: '1 viewer' }).waitFor();
  await takePicture(page, 'connect4-watching', look);
  await context.close();
  for (const client of clients) await client.close();
}

async function main(): Promise<void> {
  const executable = findChromium();
  if (executable === null) throw new Error('There is no chromium here: set CHROMIUM_PATH');
  mkdirSync(FOLDER, { recursive: true });
  const dataDir = mkdtempSync(join(tmpdir(), 'matchd-screens-'));
  const server = await startServer({ port: await freePort(), dataDir });
  const browser = await launchChromium(executable);
  try {
    for (const game of ['checkers', 'pool'] as const) {
      const variant = game === 'pool' ? { variant: 'nineball' } : {};
      const match = await playToEnd(server, { game, ...variant }, { seed: 'screens' });
      for (const theme of THEMES) {
        for (const size of SIZES.filter((each) => isTaken('replay', each))) {
          await showReplay(browser, match, { theme, size });
          if (game === 'checkers') await showTampered(browser, server, match, { theme, size });
        }
      }
    }
    for (const theme of THEMES) {
      for (const size of SIZES.filter((each) => isTaken('watching', each)))
        await showWatching(browser, server, { theme, size });
    }
  } finally {
    await browser.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
