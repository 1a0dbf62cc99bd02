/** Fine aim in pool: by wheel, keys and a second finger, and the shot with that aim. */

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import type { ShotAction } from '../../src/games/pool/action.ts';
import { makeProjection } from '../../web/play/src/games/pool/projection.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { closeAll, faultsOf, makeMatch, openSeat } from '../parts/matches.ts';
import { followSent } from '../parts/sent-frames.ts';
import { awaitChange, pictureOf, READY } from './pool-hands.ts';

const TEST_MS_MAX = 120_000;
/** A press is exact to a pixel, which is this angle as seen from the cue ball. Radians. */
const PIXEL = 0.002;

const world = useBrowserWorld('fine aim in pool');
const { inBrowser } = world;

/** Opens both pages before the break, and records the shot that Ada's page sends. */
async function openTable(view: Parameters<typeof openSeat>[2]) {
  const { playUrls } = await makeMatch(world.server, { game: 'pool' });
  const ada = await openSeat(world.browser, 'about:blank', { ...view, reducedMotion: 'reduce' });
  const sent = followSent(ada.page);
  await ada.page.goto(playUrls[0]!);
  const bea = await openSeat(world.browser, playUrls[1]!);
  await ada.page.locator(READY).waitFor();
  const shoot = async (): Promise<number> => {
    await ada.page.locator('.po-shoot').click();
    while (sent.length === 0) await ada.page.waitForTimeout(50);
    expect([...faultsOf(ada), ...faultsOf(bea)]).toEqual([]);
    await closeAll([ada, bea]);
    const { aim } = (sent[0] as ShotAction).shot;
    return aim > Math.PI ? aim - 2 * Math.PI : aim;
  };
  return { page: ada.page, context: ada.context, shoot };
}

/** Aims along the table, at a point far from the cue ball. */
async function aimStraight(page: Page): Promise<void> {
  const box = (await page.locator('.po-canvas').boundingBox())!;
  const [x, y] = makeProjection(box.width, box.height, true).toPixels(0.8, 0);
  await page.mouse.click(box.x + x, box.y + y);
}

inBrowser(
  '[WEB] pool: the wheel turns the aim finely, is ignored with Ctrl, and the shot has that aim',
  async () => {
    const { page, shoot } = await openTable({ viewport: { width: 1280, height: 800 } });
    await aimStraight(page);
    const straight = await pictureOf(page);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, 100);
    await page.keyboard.up('Control');
    expect(await pictureOf(page)).toBe(straight);
    await page.mouse.wheel(0, 100);
    await page.mouse.wheel(0, 100);
    await awaitChange(page, straight);
    expect(Math.abs((await shoot()) - 0.008)).toBeLessThan(PIXEL);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] pool: arrow keys turn the aim, a tenth as far with Shift, and announce what it points at',
  async () => {
    const { page, shoot } = await openTable({ viewport: { width: 1280, height: 800 } });
    await aimStraight(page);
    await page.locator('.po-canvas').focus();
    await page.keyboard.press('ArrowLeft');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowRight');
    const label = await page.locator('.po-canvas').getAttribute('aria-label');
    // Announcements are gathered for a moment.
    await page
      .locator('.only-heard', { hasText: label!.split('.')[0]! })
      .waitFor({ state: 'attached' });
    expect(Math.abs((await shoot()) - 0.0245)).toBeLessThan(PIXEL);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] pool: while one finger aims, a second turns the aim finely and the first no longer moves it',
  async () => {
    const { page, context, shoot } = await openTable({
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    const session = await context.newCDPSession(page);
    const touch = (type: string, touchPoints: object[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints } as never);
    const box = (await page.locator('.po-canvas').boundingBox())!;
    const { toPixels } = makeProjection(box.width, box.height);
    const placeAt = (x: number, y: number, id: number) => {
      const [px, py] = toPixels(x, y);
      return { x: box.x + px, y: box.y + py, id };
    };
    const aims = placeAt(0.5, 0.2, 1);
    const moved = placeAt(0.8, 0, 1);
    const turns = placeAt(0, -0.4, 2);
    await touch('touchStart', [aims]);
    await touch('touchMove', [moved]);
    const before = await pictureOf(page);
    await touch('touchStart', [moved, turns]);
    await touch('touchMove', [moved, { ...turns, x: turns.x + 30 }]);
    await awaitChange(page, before);
    await touch('touchEnd', []);
    const aim = await shoot();
    // Thirty pixels of the second finger turn the aim less than one pixel of the first on a small table.
    expect(Math.abs(aim + 0.018)).toBeLessThan(0.006);
  },
  TEST_MS_MAX,
);
