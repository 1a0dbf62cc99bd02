/** Interruptions in the middle of an action: a rotated screen, a lost connection, a newer tab. Nothing is lost. */

import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { makeProjection } from '../../web/play/src/games/pool/projection.ts';
import { awaitFight, BOARD } from '../boards/fight-hands.ts';
import { awaitChange, followTable, pictureOf, READY } from '../boards/pool-hands.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import {
  awaitTurn,
  closeAll,
  faultsOf,
  makeMatch,
  openSeat,
  type SeatPage,
} from '../parts/matches.ts';
import { followSent } from '../parts/sent-frames.ts';

const TEST_MS_MAX = 150_000;
const UPRIGHT = { width: 360, height: 740 };
const ASIDE = { width: 740, height: 360 };
const PHONE = { viewport: UPRIGHT, hasTouch: true, isMobile: true } as const;

const world = useBrowserWorld('interruptions during play');
const { inBrowser } = world;

/** Opens both pages of a match, the first over a connection that the test can cut. */
async function openBoth(
  request: { readonly game: string; readonly [field: string]: unknown },
  view: Parameters<typeof openSeat>[2] = {},
): Promise<{ ada: SeatPage; bea: SeatPage; url: string }> {
  const { playUrls } = await makeMatch(world.server, request);
  const ada = await openSeat(world.browser, world.proxied(playUrls[0]!), view);
  const bea = await openSeat(world.browser, playUrls[1]!, view);
  await Promise.all([ada, bea].map(({ page }) => page.locator('.board').waitFor()));
  return { ada, bea, url: playUrls[0]! };
}

async function close(...seats: readonly SeatPage[]): Promise<void> {
  expect(seats.flatMap(faultsOf)).toEqual([]);
  await closeAll(seats);
}

/** Where the pieces of a board are drawn. */
const placesOf = (page: Page, pieces: string): Promise<string[]> =>
  page
    .locator(pieces)
    .evaluateAll((all) => all.map((each) => (each as SVGElement).style.transform));

const middleOf = async (page: Page, selector: string): Promise<[number, number]> => {
  const { x, y, width, height } = (await page.locator(selector).first().boundingBox())!;
  return [x + width / 2, y + height / 2];
};

/** Grabs the cue at the break and pulls it back without releasing the mouse button. */
async function pullCue(page: Page): Promise<void> {
  const box = (await page.locator('.po-canvas').boundingBox())!;
  const { width, height } = page.viewportSize()!;
  const { toPixels } = makeProjection(box.width, box.height, width > height);
  const [cue, back] = [toPixels(-1.05, 0), toPixels(-1.2, 0)];
  await page.mouse.move(box.x + cue[0], box.y + cue[1]);
  await page.mouse.down();
  await page.mouse.move(box.x + back[0], box.y + back[1], { steps: 4 });
}

describe('a rotated screen', () => {
  inBrowser(
    '[WEB] pool finishes the shot when the screen rotates while balls roll, and the match continues',
    async () => {
      const { ada, bea } = await openBoth({ game: 'pool' }, { viewport: UPRIGHT });
      const { page } = ada;
      await page.locator(READY).waitFor();
      await page.locator('.po-shoot').click();
      await page.locator(READY).waitFor({ state: 'detached' });
      const rolling = await pictureOf(page);
      await awaitChange(page, rolling);
      await page.setViewportSize(ASIDE);
      await page.waitForTimeout(200);
      const turned = await pictureOf(page);
      await awaitChange(page, turned);
      await page.setViewportSize(UPRIGHT);
      // Exactly one of the two players can continue, and both pages show the same trays.
      const due = `${READY}, .po-choices:not([hidden]) button[aria-disabled=false]`;
      await page.waitForFunction(
        () => document.querySelector('.status[data-tone=mine], .status[data-tone=calm]') !== null,
      );
      for (let wait = 0; wait < 300; wait += 1) {
        if ((await page.locator(due).count()) + (await bea.page.locator(due).count()) > 0) break;
        await page.waitForTimeout(100);
      }
      expect((await page.locator(due).count()) > 0).not.toBe(
        (await bea.page.locator(due).count()) > 0,
      );
      const trays = ({ page: of }: SeatPage) =>
        of.locator('.po-rack').evaluateAll((all) => all.map((each) => each.ariaLabel));
      expect(await trays(ada)).toEqual(await trays(bea));
      await close(ada, bea);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] ludo shows a token where the server has it when the screen rotates during its move',
    async () => {
      const { ada, bea } = await openBoth({ game: 'ludo', seats: 2 }, PHONE);
      const { page } = ada;
      const both = [page, bea.page];
      while (!(await page.locator('.lu-token.is-free').count())) {
        for (const each of both) {
          const free = each.locator('.lu-die.is-free, .lu-token.is-free').last();
          if (each === page && (await page.locator('.lu-token.is-free').count())) break;
          if (await free.count()) await free.dispatchEvent('click');
        }
        await page.waitForTimeout(50);
      }
      const before = await placesOf(page, '.lu-token');
      await page.locator('.lu-token.is-free').first().dispatchEvent('click');
      await page.waitForFunction(
        (was) =>
          [...document.querySelectorAll<SVGElement>('.lu-token')].some(
            (each, n) => each.style.transform !== was[n],
          ),
        before,
      );
      await page.setViewportSize(ASIDE);
      await page.locator('.lu-token.is-hopping').waitFor({ state: 'detached' });
      await page.waitForTimeout(1_000);
      const after = await placesOf(page, '.lu-token');
      expect(after).not.toEqual(before);
      await page.reload();
      await page.locator('.lu-token').first().waitFor({ state: 'attached' });
      await page.waitForTimeout(500);
      expect(await placesOf(page, '.lu-token')).toEqual(after);
      await close(ada, bea);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] the fighter stands once the finger is lifted when the screen rotates under a held stick',
    async () => {
      const { playUrls } = await makeMatch(world.server, { game: 'fight-arena' });
      const ada = await openSeat(world.browser, 'about:blank', PHONE);
      const sent = followSent(ada.page);
      const lastMask = () => sent.filter(Array.isArray).flat().at(-1) ?? 0;
      await ada.page.goto(playUrls[0]!);
      const bea = await openSeat(world.browser, playUrls[1]!);
      await awaitFight(ada.page);
      const session = await ada.context.newCDPSession(ada.page);
      const touch = (type: string, touchPoints: object[]) =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints } as never);
      const box = (await ada.page.locator('.fa-stick').boundingBox())!;
      const right = { x: box.x + box.width * 0.9, y: box.y + box.height / 2, id: 1 };
      await touch('touchStart', [right]);
      while (lastMask() === 0) await ada.page.waitForTimeout(50);
      await ada.page.setViewportSize(ASIDE);
      await ada.page.waitForTimeout(300);
      await touch('touchEnd', []);
      while (lastMask() !== 0) await ada.page.waitForTimeout(50);
      await ada.page.locator(`${BOARD}[data-acts^="free"]`).waitFor();
      expect(await ada.page.locator('.fa-knob').getAttribute('style')).toBe('');
      // The stick moved with the screen and still works.
      const now = (await ada.page.locator('.fa-stick').boundingBox())!;
      expect(now.x + now.width).toBeLessThanOrEqual(ASIDE.width);
      await touch('touchStart', [{ x: now.x + now.width * 0.1, y: now.y + now.height / 2, id: 1 }]);
      while (lastMask() === 0) await ada.page.waitForTimeout(50);
      await touch('touchEnd', []);
      await close(ada, bea);
    },
    TEST_MS_MAX,
  );
});

inBrowser(
  '[WEB][P4] checkers shows a lost connection while a piece is dragged, plays nothing and leaves the piece selected',
  async () => {
    const { ada, bea } = await openBoth({ game: 'checkers' }, { reducedMotion: 'reduce' });
    const { page } = ada;
    await awaitTurn(page);
    const before = await placesOf(page, '.ck-pieces > g');
    const origin = await middleOf(page, '.ck-cell.is-origin');
    await page.mouse.move(...origin);
    await page.mouse.down();
    await page.mouse.move(origin[0] + 12, origin[1] - 12, { steps: 3 });
    const target = await middleOf(page, '.ck-cell.is-target');
    await page.mouse.move(...target, { steps: 3 });
    world.proxy.cut();
    await page.locator('.status-text', { hasText: 'Connection lost' }).waitFor();
    await page.mouse.up();
    world.proxy.repair();
    await page
      .locator('.status-text', { hasText: 'Connection lost' })
      .waitFor({ state: 'detached' });
    // Nothing was played. The piece is back and still selected, so one press is enough.
    await awaitTurn(page);
    expect(await placesOf(page, '.ck-pieces > g')).toEqual(before);
    expect(await page.locator('.ck-cell[aria-selected=true]').count()).toBe(1);
    await page.locator('.ck-cell.is-target').first().click();
    await awaitTurn(bea.page);
    expect(await bea.page.locator('.move:not(.is-start)').count()).toBe(1);
    await close(ada, bea);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB][P2] pool plays no shot from the older tab when a newer one takes over; the newer one can shoot',
  async () => {
    const { playUrls } = await makeMatch(world.server, { game: 'pool' });
    const older = await openSeat(world.browser, 'about:blank');
    const view = followTable(older.page);
    await older.page.goto(playUrls[0]!);
    const bea = await openSeat(world.browser, playUrls[1]!);
    await older.page.locator(READY).waitFor();
    await pullCue(older.page);
    expect(await older.page.getByRole('slider', { name: 'Power' }).inputValue()).not.toBe('86');
    const newer = await openSeat(world.browser, playUrls[0]!);
    await older.page.getByRole('heading', { name: 'Open in another window' }).waitFor();
    await older.page.mouse.up();
    await newer.page.locator(READY).waitFor();
    expect(view().shots).toBe(0);
    await newer.page.locator('.po-shoot').click();
    await bea.page.locator('.trail-text', { hasText: 'Ada' }).waitFor();
    await older.page.getByRole('button', { name: 'Play here' }).click();
    await older.page.locator('.po-canvas').waitFor();
    while (view().shots === 0) await older.page.waitForTimeout(50);
    expect(view().shots).toBe(1);
    await close(older, newer, bea);
  },
  TEST_MS_MAX,
);
