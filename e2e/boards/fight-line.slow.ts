/**
 * Fights of two pages over a bad connection: 120 ms round trip, ± 30 ms, and stalls of 200 ms every few seconds.
 * Prints the
 * corrections; the pages never diverge, and all agree on the end. `bun test ./e2e/boards/fight-line.slow.ts`.
 */

// @alone: it measures times, which parallel tests would stretch.

import { expect } from 'bun:test';
import { loadavg } from 'node:os';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { measuredFor } from '../../src/testing/time-bar.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import type { SeatPage } from '../parts/matches.ts';
import { makeMatch, openSeat } from '../parts/matches.ts';
import { BAD_LINE, breakSockets } from './bad-socket.ts';
import { expectOneEnd } from './fight-end.ts';
import { awaitFight, mash, readLine, showLine } from './fight-hands.ts';

const TEST_MS_MAX = 600_000;
const MATCHES = measuredFor(10, 4);
/** The depth of a correction. Ticks. */
const DEEPEST_MAX = 15;

const world = useBrowserWorld('fight arena over a bad connection');

interface Line {
  readonly pingMs: number;
  readonly corrections: number;
  readonly deepest: number;
  readonly desyncs: number;
  /** How often the page requested a whole state. */
  readonly resyncs: number;
}

async function readFigures({ page }: SeatPage): Promise<Line> {
  const [, ms = 'NaN', corrections = '0', deepest = '0'] =
    /^(\d+) ms(?: · (\d+) corrections?, (\d+))?/.exec(await readLine(page)) ?? [];
  const { desyncs, resyncs } = await page
    .locator('.fa-line')
    .evaluate((line) => ({ ...(line as HTMLElement).dataset }));
  return {
    pingMs: Number(ms),
    corrections: Number(corrections),
    deepest: Number(deepest),
    desyncs: Number(desyncs),
    resyncs: Number(resyncs),
  };
}

/** Plays one fight to its end; returns what each page counted. */
async function fightOnce(number: number): Promise<readonly Line[]> {
  const options = { roundSeconds: 10, roundsToWin: 1 };
  const match = await makeMatch(world.server, { game: 'fight-arena', options });
  const seats: SeatPage[] = [];
  for (const [seat, url] of match.playUrls.entries()) {
    const seed = TEST_SEED + 2 * number + seat;
    const view = { viewport: { width: 360, height: 480 } };
    const opened = await openSeat(world.browser, 'about:blank', view);
    await showLine(opened.context);
    await breakSockets(opened.context, BAD_LINE, seed);
    await opened.page.goto(url);
    await mash(opened.page, seat === 0 ? 0 : 1, seed);
    seats.push(opened);
  }
  await awaitFight(seats[0]!.page);
  await expectOneEnd(world.server, seats, match);
  const lines = await Promise.all(seats.map(readFigures));
  await Promise.all(seats.map(({ context }) => context.close()));
  return lines;
}

world.inBrowser(
  `[WEB][P9] ${MATCHES} fights over a bad connection end the same on both pages and in the log (seed ${TEST_SEED})`,
  async () => {
    for (let number = 0; number < MATCHES; number += 1) {
      const lines = await fightOnce(number);
      console.log(`fight ${number + 1}, load ${loadavg()[0]!.toFixed(1)}`, JSON.stringify(lines));
      for (const { corrections, deepest, desyncs } of lines) {
        expect(desyncs).toBe(0);
        expect(corrections).toBeGreaterThan(0);
        expect(deepest).toBeLessThanOrEqual(DEEPEST_MAX);
      }
    }
  },
  TEST_MS_MAX,
);
