/**
 * Screenshots of the pages for docs/screens: `bun e2e/screens/screens.ts [folder [name...]]`, by names of games,
 * `docs` or
 * `demo`; without names, all of them.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { findChromium, launchChromium } from '../parts/browser.ts';
import type { SeatPage, Tenant } from '../parts/matches.ts';
import {
  awaitTurn,
  FOUR_PLAYERS,
  makeMatch,
  openSeat,
  PLAYERS,
  pressCell,
  readResult,
} from '../parts/matches.ts';
import { freePort, startServer } from '../parts/server-process.ts';
import { isPhone, isTaken, SIZES, type Size } from './screen-sizes.ts';

const FOLDER = process.argv[2] ?? join(import.meta.dirname, '../../docs/screens');
const ONLY: readonly string[] = process.argv.slice(3);
const THEMES = ['light', 'dark'] as const;
/** Longest animation on the page, so that screenshots show it at rest. Milliseconds. */
const REST_MS = 900;

/** A match to the end: the cells to press, seat 0 first, and after how many presses to take a screenshot. */
interface Script {
  readonly game: string;
  readonly moves: readonly number[];
  readonly halfway: number;
}

const SCRIPTS: readonly Script[] = [
  { game: 'tictactoe', moves: [4, 0, 2, 1, 6], halfway: 3 },
  {
    game: 'connect4',
    moves: [5, 4, 6, 3, 2, 0, 0, 3, 1, 1, 3, 4, 2, 1, 5, 6, 2, 2, 4, 1, 3],
    halfway: 12,
  },
];

/** The games whose boards are played by pressing what they offer. */
const FREE_GAMES = ['checkers', 'ludo', 'pool'] as const;

interface Look {
  readonly theme: (typeof THEMES)[number];
  readonly size: Size;
}

/** Takes a screenshot of a state if one of this size is committed. */
function makeTaker(game: string, { theme, size }: Look) {
  return async (seat: SeatPage, state: string): Promise<void> => {
    if (!isTaken(state, size)) return;
    await takePicture(seat, `${game}-${state}-${theme}-${size.width}x${size.height}`);
  };
}

/** Plays some plies, chosen from what the board offers, and takes screenshots of either seat. */
async function playFreely(
  browser: Browser,
  tenant: Tenant,
  game: (typeof FREE_GAMES)[number],
  look: Look,
): Promise<void> {
  const { theme, size } = look;
  const players = game === 'ludo' ? FOUR_PLAYERS : PLAYERS;
  const variant = game === 'ludo' ? { variant: 'timed' } : {};
  const match = await makeMatch(tenant, { game, players, ...variant });
  const view = { viewport: size, hasTouch: isPhone(size) };
  const take = makeTaker(game, look);
  const seats: SeatPage[] = [];
  for (const url of match.playUrls) {
    const seat = await openSeat(browser, `${url}&theme=${theme}`, view);
    await seat.page.locator('.board').waitFor();
    if (seats.length === 0) await take(seat, 'pending');
    seats.push(seat);
  }
  for (let press = 0; press < FREE_PRESSES[game]; ) {
    for (const { page } of seats) if (await page.evaluate(pressSomething)) press += 1;
    await seats[0]!.page.waitForTimeout(FREE_PAUSE_MS);
  }
  await take(seats[0]!, 'active');
  for (const { page } of seats.slice(1)) {
    await page.getByRole('button', { name: 'Resign' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
    await page.waitForTimeout(REST_MS);
  }
  await readResult(seats[0]!.page);
  await take(seats[0]!, 'ended');
  await Promise.all(seats.map(({ context }) => context.close()));
}

/** Even, so that it is seat 0's turn at the end in games that alternate. */
const FREE_PRESSES = { checkers: 28, ludo: 30, pool: 3 } as const;
const FREE_PAUSE_MS = 250;

/** Presses the first available control; false when it is not this player's turn. */
function pressSomething(): boolean {
  const free = [
    '.ck-cell.is-target',
    '.ck-cell.is-origin',
    '.lu-token.is-free',
    '.lu-die.is-free',
    '.po-choices:not([hidden]) button[aria-disabled=false]',
    '.po-shot:not([hidden]) .po-shoot[aria-disabled=false]',
  ].flatMap((each) => [...document.querySelectorAll(each)].slice(0, 3));
  const chosen = free[0]?.matches('.ck-cell.is-origin')
    ? free[Math.floor(Math.random() * free.length)]
    : free[0];
  chosen?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  return chosen !== undefined;
}

async function takePicture({ page }: SeatPage, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(REST_MS);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}

async function playScript(
  browser: Browser,
  tenant: Tenant,
  { game, moves, halfway }: Script,
  look: Look,
): Promise<void> {
  const { theme, size } = look;
  const take = makeTaker(game, look);
  const match = await makeMatch(tenant, { game, players: PLAYERS });
  const view = { viewport: size, hasTouch: isPhone(size) };
  const [first, second] = match.playUrls.map((url) => `${url}&theme=${theme}`);
  const ada = await openSeat(browser, first!, view);
  await ada.page.locator('.board').waitFor();
  await take(ada, 'pending');
  const bea = await openSeat(browser, second!, view);
  for (const [ply, cell] of moves.entries()) {
    const seat = ply % 2 === 0 ? ada : bea;
    await awaitTurn(seat.page);
    if (ply === halfway) await take(ada, 'active');
    await pressCell(seat.page, cell);
  }
  await readResult(ada.page);
  await take(ada, 'ended');
  await Promise.all([ada.context.close(), bea.context.close()]);
}

/** The API reference: its beginning, an operation, a message. */
const DOCS_PLACES = { start: '', call: '#joinSession', frame: '#server.update' } as const;

async function showDocs(
  browser: Browser,
  { url }: Tenant,
  theme: (typeof THEMES)[number],
  size: Size,
): Promise<void> {
  for (const [place, hash] of Object.entries(DOCS_PLACES)) {
    const page = await browser.newPage({ viewport: size, colorScheme: theme });
    await page.goto(`${url}/docs/${hash}`);
    await page.locator('main').waitFor();
    await page.waitForTimeout(REST_MS);
    const name = `docs-${place}-${theme}-${size.width}x${size.height}.png`;
    await page.screenshot({ path: join(FOLDER, name) });
    await page.close();
  }
}

/** The demo's app: before a match, during one, and with its own colours. */
async function showDemo(
  browser: Browser,
  { url }: Tenant,
  theme: (typeof THEMES)[number],
  size: Size,
): Promise<void> {
  const page = await browser.newPage({ viewport: size, colorScheme: theme });
  const take = async (state: string): Promise<void> => {
    await page.waitForTimeout(REST_MS);
    const name = `demo-${state}-${theme}-${size.width}x${size.height}.png`;
    await page.screenshot({ path: join(FOLDER, name) });
  };
  await page.goto(`${url}/demo/`);
  await page.locator('#backend-code', { hasText: 'sessions.create' }).waitFor();
  await take('start');
  await page.getByLabel('Connect four').check();
  await page.getByRole('button', { name: 'Start the match' }).click();
  const match = page.frameLocator('#frame iframe');
  await match.locator('.status[data-tone=mine]').waitFor();
  await match.locator('[role=gridcell]').nth(3).click();
  await match.locator('.status[data-tone=mine]').waitFor();
  await take('match');
  await page.getByLabel('Own', { exact: true }).check();
  await page.locator('.toolbar').evaluate((bar) => bar.scrollIntoView());
  await take('own');
  await page.close();
}

const isWanted = (name: string): boolean => ONLY.length === 0 || ONLY.includes(name);

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
        if (isTaken('page', size)) {
          if (isWanted('docs')) await showDocs(browser, server, theme, size);
          if (isWanted('demo')) await showDemo(browser, server, theme, size);
        }
        for (const game of FREE_GAMES.filter(isWanted)) {
          await playFreely(browser, server, game, { theme, size });
        }
        for (const script of SCRIPTS.filter(({ game }) => isWanted(game))) {
          await playScript(browser, server, script, { theme, size });
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
