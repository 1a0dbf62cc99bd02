/** Fine aim on the table of pool: by the wheel, by keys and by a second finger, and the shot that follows it. */

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import type { ShotAction } from '../../src/games/pool/action.ts';
import { makeProjection } from '../../web/play/src/games/pool/projection.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { closeAll, faultsOf, makeMatch, openSeat } from '../parts/matches.ts';
import { followSent } from '../parts/sent-frames.ts';
import { awaitChange, pictureOf, READY } from './pool-hands.ts';

const TEST_MS_MAX = 120_000;
/** A press counts to a pixel, which is so much on the way from the cue ball. Radians. */
const PIXEL = 0.002;

const world = useBrowserWorld('fine aim in pool');
const { inBrowser } = world;

/** Both pages before the break; what Ada's page sends as its shot. */
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

/** Aims along the table, at a place far from the cue ball. */
async function aimStraight(page: Page): Promise<void> {
  const box = (await page.locator('.po-canvas').boundingBox())!;
  const [x, y] = makeProjection(box.width, box.height, true).toPixels(0.8, 0);
  await page.mouse.click(box.x + x, box.y + y);
}

inBrowser(
  '[WEB] pool: the wheel turns the aim finely, with Ctrl it leaves it alone, and the shot goes there',
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
  '[WEB] pool: arrow keys turn the aim, with Shift a tenth as far, and say what it lies on',
  async () => {
    const { page, shoot } = await openTable({ viewport: { width: 1280, height: 800 } });
    await aimStraight(page);
    await page.locator('.po-canvas').focus();
    await page.keyboard.press('ArrowLeft');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowRight');
    const lies = await page.locator('.po-canvas').getAttribute('aria-label');
    // Sentences are gathered for a moment before they are said.
    await page
      .locator('.only-heard', { hasText: lies!.split('.')[0]! })
      .waitFor({ state: 'attached' });
    expect(Math.abs((await shoot()) - 0.0245)).toBeLessThan(PIXEL);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] pool: while one finger aims a second one turns finely, and the first no longer drags the aim along',
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
    // Thirty pixels of the second finger to the right; of the first a pixel is more on a small table.
    expect(Math.abs(aim + 0.018)).toBeLessThan(0.006);
  },
  TEST_MS_MAX,
);
