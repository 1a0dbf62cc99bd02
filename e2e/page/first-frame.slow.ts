/**
 * How long a page takes from its address to the first frame of a board that accepts a move. The processor is slowed
 * four times and the browser's cache is empty.
 * Median of five for each game that has a budget: `bun test ./e2e/page/first-frame.slow.ts`.
 */

// @alone: it measures times, which parallel tests would stretch.

import type { Page } from 'playwright-core';
import { holdBar, measuredFor } from '../../src/testing/time-bar.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { makeMatch, openSeat, PLAYERS } from '../parts/matches.ts';

const TEST_MS_MAX = 300_000;
const SLOWDOWN = 4;
const TRIES = measuredFor(5, 1);
const WANTED_MS = 1_000;

const world = useBrowserWorld('the first frame of a board');

/** What can be pressed once it is this player's turn. */
const PLAYABLE = {
  tictactoe: '.ttt-cell.is-free',
  connect4: '.c4-column.is-free',
  checkers: '.ck-cell.is-origin',
  ludo: '.lu-die.is-free',
  pool: '.po-shot:not([hidden]) .po-shoot[aria-disabled=false]',
  'fight-arena': '.board.fa[data-phase]',
} as const;

/** Runs in the page from its start: takes the time of the first frame after such an element exists. */
function watchFor(selector: string): void {
  const look = (): void => {
    if (document.querySelector(selector) === null) requestAnimationFrame(look);
    else requestAnimationFrame(() => Object.assign(window, { playableAt: performance.now() }));
  };
  requestAnimationFrame(look);
}

/** Milliseconds since the navigation started. */
async function firstPicture(page: Page, url: string, selector: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript(watchFor, selector);
  await page.goto(url);
  const found = await page.waitForFunction(() => (window as { playableAt?: number }).playableAt);
  return (await found.jsonValue())!;
}

/** Against bots, so that no other page uses the processor. Seat 0 moves first. */
async function measureOnce(game: keyof typeof PLAYABLE): Promise<number> {
  const request = { game, matchType: 'bot', players: [PLAYERS[0]] };
  const { playUrls } = await makeMatch(world.server, request);
  // A page of the same origin shares the process that shows the match, which is the one to slow down.
  const { page, context } = await openSeat(world.browser, `${world.server.url}/healthz`);
  const ms = await firstPicture(page, playUrls[0]!, PLAYABLE[game]);
  await context.close();
  return ms;
}

world.inBrowser.each(Object.keys(PLAYABLE) as (keyof typeof PLAYABLE)[])(
  '[WEB] %s: the first frame that accepts a move, processor slowed four times',
  async (game) => {
    const times: number[] = [];
    for (let n = 0; n < TRIES; n += 1) times.push(Math.round(await measureOnce(game)));
    const median = times.toSorted((a, b) => a - b)[Math.floor(TRIES / 2)]!;
    holdBar(`${game}: median of ${times.join(' ')}, ms`, median, WANTED_MS);
  },
  TEST_MS_MAX,
);
