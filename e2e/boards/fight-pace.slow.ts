/**
 * Whether fight arena holds 60 frames a second on a slow device with two canvas pixels per CSS pixel. The CPU time of
 * a
 * frame on the main thread must fit four times into a sixtieth of a second; if nothing else runs, frames are counted
 * with
 * the CPU slowed four times. `bun test ./e2e/boards/fight-pace.slow.ts`.
 */

// @alone: it measures times, which parallel tests would stretch.

import type { CDPSession, Page } from 'playwright-core';
import { holdBar, measuredFor } from '../../src/testing/time-bar.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { makeMatch, openSeat, PLAYERS } from '../parts/matches.ts';
import { awaitFight, mash } from './fight-hands.ts';

const TEST_MS_MAX = 120_000;
const SLOWDOWN = 4;
const SECONDS = measuredFor(8, 3);
const PICTURE_MS = 1_000 / 60;
/** Frames a second on average. */
const PICTURES_MIN = 58;

const world = useBrowserWorld('the frame rate of fight arena');

/** Times between frames, ms. */
function watchFrames(seconds: number): Promise<number[]> {
  return new Promise((resolve) => {
    const times: number[] = [];
    const look = (now: number): void => {
      times.push(now);
      if (now - times[0]! < seconds * 1_000) requestAnimationFrame(look);
      else resolve(times.slice(1).map((time, n) => time - times[n]!));
    };
    requestAnimationFrame(look);
  });
}

interface Pace {
  readonly perSecond: number;
  readonly onTime: number;
  readonly longestMs: number;
  /** Canvas pixels per CSS pixel at the end. */
  readonly sharpness: number;
}

/** The main thread's own CPU time for a frame, ms; the load of other processes is not in it. */
async function measureCost(page: Page, session: CDPSession): Promise<number> {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taken = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000;
  };
  const before = await taken();
  const times = await page.evaluate(watchFrames, SECONDS);
  return ((await taken()) - before) / times.length;
}

async function measure(page: Page): Promise<Pace> {
  const times = await page.evaluate(watchFrames, SECONDS);
  const total = times.reduce((sum, each) => sum + each, 0);
  const sharpness = await page
    .locator('.fa-canvas')
    .first()
    .evaluate((canvas) => {
      const { width, clientWidth } = canvas as HTMLCanvasElement;
      return width / clientWidth;
    });
  return {
    perSecond: Math.round((times.length / total) * 10_000) / 10,
    onTime: Math.round((times.filter((each) => each < 25).length / times.length) * 1_000) / 1_000,
    longestMs: Math.round(Math.max(...times)),
    sharpness: Math.round(sharpness * 100) / 100,
  };
}

world.inBrowser.each([
  [360, 740],
  [1280, 800],
])(
  '[WEB] at %i x %i, with two pixels to one and a four times slower CPU, a fight against a bot keeps 60 frames',
  async (width, height) => {
    const match = await makeMatch(world.server, {
      game: 'fight-arena',
      matchType: 'bot',
      players: [PLAYERS[0]],
      options: { roundSeconds: 99, roundsToWin: 1, botDifficulty: 'medium' },
    });
    const { page, context } = await openSeat(world.browser, match.playUrls[0]!, {
      viewport: { width, height },
      deviceScaleFactor: 2,
      isMobile: width < 600,
      hasTouch: width < 600,
    });
    await awaitFight(page);
    const session = await context.newCDPSession(page);
    await mash(page, 0);
    await page.waitForTimeout(2_000);
    const costMs = await measureCost(page, session);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await page.waitForTimeout(2_000);
    const pace = await measure(page);
    const size = `${width} x ${height}`;
    console.log(size, JSON.stringify(pace));
    holdBar(`${size}: main thread a picture, slowed, ms`, costMs * SLOWDOWN, PICTURE_MS);
    holdBar(`${size}: time between pictures, ms`, 1_000 / pace.perSecond, 1_000 / PICTURES_MIN);
    await context.close();
  },
  TEST_MS_MAX,
);
