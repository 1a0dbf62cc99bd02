/** The table of pool in a real browser: trays, calls by tap, fouls in words, and interruptions. */

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { RADIUS } from '../../src/games/pool/physics/parameters.ts';
import { makeProjection } from '../../web/play/src/games/pool/projection.ts';
import type { PoolView } from '../../web/play/src/games/pool/view.ts';
import { ownBalls } from '../../web/play/src/games/pool/view.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { call, faultsOf, makeMatch, openSeat } from '../parts/matches.ts';
import { followTable, pictureOf, READY } from './pool-hands.ts';

const TEST_MS_MAX = 170_000;
const SHOTS_MAX = 20;
const CHOICE = '.po-choices:not([hidden]) button[aria-disabled=false]';

const world = useBrowserWorld('the table of pool');
const { inBrowser } = world;

async function openTable({ isProxied = false, variant = 'eightball' } = {}) {
  const { sessionId, playUrls } = await makeMatch(world.server, { game: 'pool', variant });
  const seats = [];
  for (const [seat, url] of playUrls.entries()) {
    const opened = await openSeat(world.browser, 'about:blank', { reducedMotion: 'reduce' });
    const view = followTable(opened.page);
    await opened.page.goto(isProxied && seat === 0 ? world.proxied(url) : url);
    seats.push({ ...opened, view });
  }
  const [ada, bea] = seats;
  await ada!.page.locator(READY).waitFor();
  return { sessionId, ada: ada!, bea: bea!, seats };
}

/** Shoots or chooses on both pages until the given player has to call a shot. */
async function untilCall(seats: readonly { page: Page; view(): PoolView }[]): Promise<Page> {
  for (let shots = 0; shots < SHOTS_MAX; ) {
    for (const { page } of seats) {
      if (await page.locator('.po-call:not([hidden])').count()) {
        if (await page.locator(READY).count()) return page;
      }
      const due = page.locator(`${CHOICE}, ${READY}`).first();
      if (!(await due.count())) continue;
      await due.click();
      shots += 1;
    }
    await seats[0]!.page.waitForTimeout(100);
  }
  throw new Error('Nobody came to call a ball');
}

/** The position of a point of the table on the page. */
async function pointOn(page: Page, x: number, y: number): Promise<[number, number]> {
  const box = (await page.locator('.po-canvas').boundingBox())!;
  const { width, height } = page.viewportSize()!;
  const [px, py] = makeProjection(box.width, box.height, width > height).toPixels(x, y);
  return [box.x + px, box.y + py];
}

const selected = (page: Page, name: string) =>
  page.getByRole('combobox', { name }).evaluate((each: HTMLSelectElement) => each.value);

inBrowser(
  '[WEB] pool: a ball and a pocket are called by tapping them, the trays show the remaining balls, and axe finds nothing',
  async () => {
    const { ada, seats } = await openTable();
    const trays = ada.page.locator('.po-rack');
    expect(await trays.count()).toBe(2);
    expect(await trays.first().getAttribute('aria-label')).toBe('Ada: not decided yet');
    const page = await untilCall(seats);
    const { view } = seats.find((each) => each.page === page)!;
    const seat = page === ada.page ? 0 : 1;
    const before = Number(await selected(page, 'Ball'));
    const other = ownBalls(view(), seat).filter(({ n }) => n !== before);
    // A ball that stands alone, so that a tap is unambiguous.
    const far = ({ n, x, y }: { n: number; x: number; y: number }): number =>
      Math.min(
        ...view()
          .balls.filter((each) => each.n !== n)
          .map((each) => Math.hypot(each.x - x, each.y - y)),
        (0.9 - Math.abs(x)) * 2,
        (0.42 - Math.abs(y)) * 2,
      );
    const ball = [...other].sort((a, b) => far(b) - far(a))[0]!;
    await page.mouse.click(...(await pointOn(page, ball.x, ball.y)));
    expect(await selected(page, 'Ball')).toBe(String(ball.n));
    await page.mouse.click(...(await pointOn(page, 1.0, -0.5)));
    expect(await selected(page, 'Pocket')).toBe('foot-right');
    const words = await page
      .getByRole('combobox', { name: 'Pocket' })
      .evaluate((each: HTMLSelectElement) => each.selectedOptions[0]!.textContent);
    expect(words).toBe('bottom right');
    // Changing the power leaves the call unchanged.
    await page.getByRole('slider', { name: 'Power' }).fill('30');
    expect([await selected(page, 'Ball'), await selected(page, 'Pocket')]).toEqual([
      String(ball.n),
      'foot-right',
    ]);
    expect(await brokenRules(page)).toEqual([]);
    for (const each of seats) {
      expect(faultsOf(each)).toEqual([]);
      await each.context.close();
    }
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] pool: both players and watchers read a foul in one sentence, over the table and below it',
  async () => {
    const { sessionId, ada, bea, seats } = await openTable({ variant: 'nineball' });
    const { playUrl } = (await call(world.server, 'POST', `/v1/sessions/${sessionId}/watch`)) as {
      playUrl: string;
    };
    const watcher = await openSeat(world.browser, playUrl, { reducedMotion: 'reduce' });
    await watcher.page.locator('.po-canvas').waitFor();
    await ada.page.locator('.po-canvas').focus();
    // Too weak to reach the rack: no ball is hit.
    for (let step = 0; step < 20; step += 1) await ada.page.keyboard.press('ArrowDown');
    await ada.page.keyboard.press('Enter');
    const messageFor = (own: string, other: string) =>
      `Foul, ${own}: no ball was hit; ${other}: cue ball in hand, anywhere`;
    for (const [seat, text] of [
      [ada, messageFor('You', 'Bea')],
      [bea, messageFor('Ada', 'You')],
      [watcher, messageFor('Ada', 'Bea')],
    ] as const) {
      await seat.page.locator('.po-banner:not([hidden])', { hasText: text }).waitFor();
      await seat.page.locator('.trail-text', { hasText: text }).waitFor();
    }
    for (const each of [...seats, watcher]) await each.context.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] pool: a lost connection or a resize during a gesture plays nothing and loses no setting',
  async () => {
    const { ada, seats } = await openTable({ isProxied: true });
    const { page, view } = ada;
    await page.locator('.po-canvas').focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowLeft');
    await page.getByRole('slider', { name: 'Power' }).fill('61');
    const power = () => page.getByRole('slider', { name: 'Power' }).inputValue();
    const aimed = await pictureOf(page);
    // The cue is behind the ball, aimed four steps to the left.
    const turned = 4 * 0.035;
    const cue = [-0.6 - 0.4 * Math.cos(turned), -0.4 * Math.sin(turned)] as const;
    const back = [-0.6 - 0.52 * Math.cos(turned), -0.52 * Math.sin(turned)] as const;
    await page.mouse.move(...(await pointOn(page, ...cue)));
    await page.mouse.down();
    await page.mouse.move(...(await pointOn(page, ...back)), { steps: 4 });
    expect(await power()).not.toBe('61');
    world.proxy.cut();
    await page.locator('.po-banner:not([hidden])', { hasText: 'Stroke cancelled' }).waitFor();
    await page.mouse.up();
    world.proxy.repair();
    await page.locator(READY).waitFor();
    expect([await power(), view().shots]).toEqual(['61', 0]);
    expect(await pictureOf(page)).toBe(aimed);
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 740, height: 360 });
    await page.waitForTimeout(300);
    await page.setViewportSize(size);
    await page.waitForTimeout(300);
    expect([await power(), await pictureOf(page)]).toEqual(['61', aimed]);
    for (const each of seats) await each.context.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] pool: the table is horizontal on wide screens, and fills a phone in landscape, with its tools in one line',
  async () => {
    const { ada, seats } = await openTable();
    const { page } = ada;
    // During a match the ball, the pocket and safety are shown there too.
    const calling = await untilCall(seats);
    await calling.setViewportSize({ width: 740, height: 360 });
    const tops = await calling.locator('.po-shot > :not([hidden])').evaluateAll((all) =>
      all.map((each) => {
        const { top, height: high } = each.getBoundingClientRect();
        return Math.round(top + high / 2);
      }),
    );
    expect(tops.length).toBe(5);
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(2);
    for (const [width, height, least] of [
      [740, 360, 440],
      [800, 760, 440],
      [1280, 800, 840],
      [1920, 1080, 1300],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(200);
      const box = (await page.locator('.po-canvas').boundingBox())!;
      const { scale, upright } = makeProjection(box.width, box.height, true);
      expect([width, upright]).toEqual([width, false]);
      expect([width, scale * 2.27 >= least]).toEqual([width, true]);
    }
    for (const each of seats) await each.context.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] pool: on a phone in portrait the table is upright with its tools beside it, also for choices of the rules',
  async () => {
    const { ada, bea, seats } = await openTable();
    const power = ada.page.getByRole('slider', { name: 'Power' });
    /** The diameter of a ball; fails if the table is horizontal. */
    const ballOn = async (page: Page): Promise<number> => {
      const { width, height } = (await page.locator('.po-canvas').boundingBox())!;
      const { scale, upright } = makeProjection(width, height, false);
      expect({ ...page.viewportSize(), upright }).toEqual({
        ...page.viewportSize(),
        upright: true,
      });
      return 2 * RADIUS * scale;
    };
    /** The tools that overlap the table vertically or extend beyond the screen. */
    const asideOf = async (page: Page, tools: string): Promise<object[]> => {
      await page.locator(tools).first().waitFor();
      const table = (await page.locator('.po-canvas').boundingBox())!;
      const boxes = await page.locator(tools).evaluateAll((all) =>
        all
          .filter((each) => each.checkVisibility())
          .map((each) => each.getBoundingClientRect())
          .map(({ left, top, right, bottom }) => ({ left, top, right, bottom })),
      );
      return boxes.filter(
        ({ left, top, right, bottom }) =>
          left < table.x + table.width ||
          right > page.viewportSize()!.width ||
          top < table.y - 1 ||
          bottom > table.y + table.height + 1,
      );
    };
    for (const [width, height, least] of [
      [360, 740, 8.7],
      [390, 844, 9.5],
      [768, 1024, 14],
    ] as const) {
      for (const { page } of seats) await page.setViewportSize({ width, height });
      await ada.page.waitForTimeout(200);
      expect(await ballOn(ada.page)).toBeGreaterThanOrEqual(least);
      expect(await asideOf(ada.page, '.po-shot > *')).toEqual([]);
    }
    for (const { page } of seats) await page.setViewportSize({ width: 360, height: 740 });
    // The strongest shot is at the top.
    const slider = (await power.boundingBox())!;
    await ada.page.mouse.click(slider.x + slider.width / 2, slider.y + 12);
    expect(Number(await power.inputValue())).toBeGreaterThan(90);
    await ada.page.mouse.click(slider.x + slider.width / 2, slider.y + slider.height - 4);
    expect(Number(await power.inputValue())).toBe(0);
    await ada.page.locator(READY).click();
    await bea.page.locator(CHOICE).first().waitFor();
    await bea.page.waitForTimeout(200);
    expect(await ballOn(bea.page)).toBeGreaterThanOrEqual(7.5);
    expect(await asideOf(bea.page, '.po-choices > *')).toEqual([]);
    const calling = await untilCall(seats);
    expect(await ballOn(calling)).toBeGreaterThanOrEqual(8.5);
    expect(await asideOf(calling, '.po-shot > *')).toEqual([]);
    expect(await brokenRules(calling)).toEqual([]);
    // It stays upright below the result and in the replay.
    await ada.page.getByRole('button', { name: 'Resign' }).first().click();
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
    await bea.page.getByRole('button', { name: 'Rematch', exact: true }).waitFor();
    expect(await ballOn(bea.page)).toBeGreaterThanOrEqual(5.5);
    await bea.page.getByRole('button', { name: 'Watch replay' }).click();
    await bea.page.getByRole('button', { name: 'Back to the result' }).waitFor();
    await bea.page.waitForTimeout(200);
    expect(await ballOn(bea.page)).toBeGreaterThanOrEqual(5.5);
    for (const each of seats) {
      expect(faultsOf(each)).toEqual([]);
      await each.context.close();
    }
  },
  TEST_MS_MAX,
);

/** Runs in the page from its start: counts the paths drawn after a contact, which have their own dash pattern. */
function countWays(): void {
  Object.assign(window, { ways: 0 });
  const { stroke } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.stroke = function (...path: [] | [Path2D]) {
    if (this.getLineDash().join() === '2,5') (window as unknown as { ways: number }).ways += 1;
    Reflect.apply(stroke, this, path);
  };
}

inBrowser(
  "[W1][WEB] pool: a beginners' table draws the paths of both balls after contact, until the player turns it off",
  async () => {
    const { playUrls } = await makeMatch(world.server, { game: 'pool' });
    const ada = await openSeat(world.browser, 'about:blank', { reducedMotion: 'reduce' });
    const { page } = ada;
    await page.addInitScript(countWays);
    const ways = () => page.evaluate(() => (window as unknown as { ways: number }).ways);
    const paths = page.getByRole('checkbox', { name: 'Show ball paths' });
    const open = async (url: string): Promise<void> => {
      await page.goto('about:blank');
      await page.goto(url);
      await page.locator(READY).waitFor();
    };
    await page.goto(playUrls[0]!);
    const bea = await openSeat(world.browser, playUrls[1]!);
    await page.locator(READY).waitFor();
    expect(await ways()).toBe(0);
    await open(`${playUrls[0]}&paths=on`);
    expect(await ways()).toBeGreaterThanOrEqual(2);
    // After a reload the player's choice still has priority.
    await page.reload();
    await page.locator(READY).waitFor();
    expect(await ways()).toBeGreaterThanOrEqual(2);
    await page.locator('.po-spin summary').click();
    expect(await paths.isChecked()).toBe(true);
    await paths.uncheck();
    const before = await ways();
    await page.locator('.po-canvas').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await ways()).toBe(before);
    await open(`${playUrls[0]}&paths=on`);
    expect(await ways()).toBe(0);
    expect([...faultsOf(ada), ...faultsOf(bea)]).toEqual([]);
    await ada.context.close();
    await bea.context.close();
  },
  TEST_MS_MAX,
);

/** Runs in the page from its start: records the last line of the cue that was drawn, by the colour of its butt. */
function recordCue(): void {
  const recorded: { cue: [number, number][] } = { cue: [] };
  Object.assign(window, { recorded });
  let path: [number, number][] = [];
  const pen = CanvasRenderingContext2D.prototype;
  const { beginPath, moveTo, lineTo, stroke } = pen;
  pen.beginPath = function () {
    path = [];
    beginPath.call(this);
  };
  pen.moveTo = function (x, y) {
    path.push([x, y]);
    moveTo.call(this, x, y);
  };
  pen.lineTo = function (x, y) {
    path.push([x, y]);
    lineTo.call(this, x, y);
  };
  pen.stroke = function (...given: [] | [Path2D]) {
    if (this.strokeStyle === '#3d2212') recorded.cue = path;
    Reflect.apply(stroke, this, given);
  };
}

inBrowser(
  '[WEB] pool: the whole cue is drawn, near the rail and at full power, on every screen',
  async () => {
    const { playUrls } = await makeMatch(world.server, { game: 'pool' });
    const ada = await openSeat(world.browser, 'about:blank', { reducedMotion: 'reduce' });
    const { page } = ada;
    await page.addInitScript(recordCue);
    await page.goto(playUrls[0]!);
    const bea = await openSeat(world.browser, playUrls[1]!);
    await page.locator(READY).waitFor();
    // The cue ball is placed near the head rail, so that little room is left behind it.
    await page.locator('.po-canvas').focus();
    for (let step = 0; step < 30; step += 1) await page.keyboard.press('s');
    for (const [width, height] of [
      [360, 740],
      [740, 360],
      [1280, 800],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(200);
      const long: number[] = [];
      for (const power of ['0', '100']) {
        await page.getByRole('slider', { name: 'Power' }).fill(power);
        const { cue, out } = await page.evaluate(() => {
          const { clientWidth: w, clientHeight: h } = document.querySelector('.po-canvas')!;
          const { cue: line } = (window as unknown as { recorded: { cue: [number, number][] } })
            .recorded;
          return { cue: line, out: line.filter(([x, y]) => x < 0 || y < 0 || x > w || y > h) };
        });
        expect({ width, power, out }).toEqual({ width, power, out: [] });
        const [[ax, ay], [bx, by]] = cue as [[number, number], [number, number]];
        long.push(Math.hypot(bx - ax, by - ay));
      }
      // It is visible, and is pulled back without being cut off.
      expect(Math.min(...long)).toBeGreaterThan(4);
    }
    expect([...faultsOf(ada), ...faultsOf(bea)]).toEqual([]);
    await ada.context.close();
    await bea.context.close();
  },
  TEST_MS_MAX,
);
