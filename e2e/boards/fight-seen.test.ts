/** What players see of fight arena: the ending, lost connections, connection figures, touch targets, combos, training. */

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { startHosted } from '../parts/hosted-start.ts';
import type { Match, SeatPage } from '../parts/matches.ts';
import { faultsOf, makeMatch, openSeat, PLAYERS } from '../parts/matches.ts';
import { awaitFight, BOARD, beat } from './fight-hands.ts';

const TEST_MS_MAX = 170_000;
const END_MS_MAX = 100_000;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const DESK = { width: 1280, height: 800 };
const TARGET_PX = 44;

const world = useBrowserWorld('the display of fight arena');
const { inBrowser } = world;

const makeFight = (options: object = {}): Promise<Match> =>
  makeMatch(world.server, {
    game: 'fight-arena',
    options: { roundSeconds: 99, roundsToWin: 1, ...options },
  });

const makeTraining = (): Promise<Match> =>
  makeMatch(world.server, {
    game: 'fight-arena',
    matchType: 'bot',
    players: [PLAYERS[0]],
    options: { roundSeconds: 99, roundsToWin: 1, botDifficulty: 'easy' },
  });

async function openBoth(
  urls: readonly string[],
  view: Parameters<typeof openSeat>[2] = { viewport: { width: 360, height: 480 } },
): Promise<SeatPage[]> {
  const seats: SeatPage[] = [];
  for (const url of urls) seats.push(await openSeat(world.browser, url, view));
  await awaitFight(seats[0]!.page);
  return seats;
}

const close = (seats: readonly SeatPage[]) =>
  Promise.all(seats.map(({ context }) => context.close()));

/** One frame of the end: the time since, both acts, and whether the result is shown. */
interface Seen {
  readonly ms: number;
  readonly acts: string;
  readonly call: string;
  readonly hasResult: boolean;
  /** CSS pixels. */
  readonly stageHeight: number;
}

/** Runs in the page: records each change from the last hit on. */
function watchEnd(): void {
  const seen: Seen[] = [];
  Object.assign(window, { seenOfEnd: seen });
  const board = document.querySelector<HTMLElement>('.board.fa')!;
  const stage = board.querySelector('.fa-stage')!;
  let overAt = 0;
  const look = (now: number): void => {
    const { acts = '', phase } = board.dataset;
    const call = document.querySelector<HTMLElement>('.fa-call')!;
    const callText = call.hidden ? '' : call.querySelector('.fa-call-text')!.textContent!;
    const hasResult = document.querySelector<HTMLElement>('.status')!.dataset['tone'] === 'done';
    const last = seen.at(-1);
    if (phase === 'over') {
      overAt ||= now;
      if (last?.acts !== acts || last.call !== callText || last.hasResult !== hasResult)
        seen.push({
          ms: Math.round(now - overAt),
          acts,
          call: callText,
          hasResult,
          stageHeight: stage.clientHeight,
        });
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

inBrowser(
  '[WEB] the last fall reaches the ground and a win pose follows before both pages show the result',
  async () => {
    const seats = await openBoth((await makeFight()).playUrls, PHONE);
    for (const { page } of seats) await page.evaluate(watchEnd);
    await beat(seats[0]!.page);
    for (const [seat, { page }] of seats.entries()) {
      await page.locator('.status[data-tone=done]').waitFor({ timeout: END_MS_MAX });
      const seen = (await page.evaluate('seenOfEnd')) as Seen[];
      console.log(`seat ${seat}:`, JSON.stringify(seen));
      const before = seen.filter(({ hasResult }) => !hasResult);
      expect(before[0]!.acts).toMatch(/ fall$/);
      expect(before.at(-1)!.acts).toBe('free down');
      // Nothing moves up during the ending.
      expect(new Set(before.map(({ stageHeight }) => stageHeight)).size).toBe(1);
      const calls = before.map(({ call }) => call);
      expect(calls).toContain('K.O.');
      expect(calls).toContain('Ada wins');
      const atResult = seen.find(({ hasResult }) => hasResult)!;
      expect(atResult.ms).toBeGreaterThan(2_500);
      expect(await page.locator('.result-reason').isVisible()).toBe(true);
      expect(await page.locator('.status-text').innerText()).toBe(
        seat === 0 ? 'You won' : 'You lost',
      );
    }
    // A player who opens the match after its end sees the result at once, without the ending.
    const { page } = seats[1]!;
    await page.reload();
    await page.locator('.status[data-tone=done]').waitFor();
    await page.locator(`${BOARD}[data-acts="free down"]`).waitFor();
    for (const seat of seats) expect(faultsOf(seat)).toEqual([]);
    await close(seats);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] the player sees a lost connection as their own, the opponent sees it as the player’s',
  async () => {
    const { playUrls } = await makeFight();
    const seats = await openBoth([playUrls[0]!, world.proxied(playUrls[1]!)]);
    const [ada, bea] = seats.map(({ page }) => page) as [Page, Page];
    await awaitFight(bea);
    world.proxy.cut();
    await bea.locator('.fa-call', { hasText: 'Your connection is gone' }).waitFor();
    await ada.locator('.fa-call', { hasText: 'Bea’s connection is gone' }).waitFor();
    expect(await ada.getByText('Your connection is gone').count()).toBe(0);
    expect(await bea.getByText('’s connection is gone').count()).toBe(0);
    world.proxy.repair();
    for (const page of [ada, bea]) {
      await page
        .locator('.fa-call', { hasText: 'connection is gone' })
        .waitFor({ state: 'hidden' });
    }
    await close(seats);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[M5][W6] a fight that began without a player says that they have not come yet, and later that they disconnected',
  async () => {
    const playUrls = await startHosted(world.server, 'fight-arena', ['here', 'late']);
    const here = await openSeat(world.browser, playUrls['here']!, { viewport: DESK });
    const { page } = here;
    const call = page.locator('.fa-call');
    await call.filter({ hasText: 'late has not come yet' }).waitFor();
    await page.locator('.status-text', { hasText: 'late has not come yet' }).waitFor();
    expect(await page.getByText('’s connection is gone').count()).toBe(0);
    const late = await openSeat(world.browser, playUrls['late']!, { viewport: DESK });
    await call.filter({ hasText: 'late has not come yet' }).waitFor({ state: 'hidden' });
    await page.locator('.status-text', { hasText: 'late' }).waitFor({ state: 'detached' });
    await late.context.close();
    await call.filter({ hasText: 'late’s connection is gone' }).waitFor();
    expect(await page.getByText('late has not come yet').count()).toBe(0);
    expect([...faultsOf(here), ...faultsOf(late)]).toEqual([]);
    await close([here]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] the connection figures are hidden by default, and the setting is remembered',
  async () => {
    const seats = await openBoth((await makeFight()).playUrls);
    const { page } = seats[0]!;
    await page.waitForTimeout(1_000);
    expect(await page.locator('.fa-line').isVisible()).toBe(false);
    await page.locator('.fa-open').click();
    const toggle = page.getByRole('button', { name: 'Connection figures' });
    expect(await toggle.getAttribute('aria-pressed')).toBe('false');
    await toggle.click();
    await page.locator('.fa-line', { hasText: / ms/ }).waitFor();
    await page.reload();
    await awaitFight(page);
    await page.locator('.fa-line', { hasText: / ms/ }).waitFor();
    await page.locator('.fa-open').click();
    await page.getByRole('button', { name: 'Connection figures' }).click();
    await page.locator('.fa-line').waitFor({ state: 'hidden' });
    await close(seats);
  },
  TEST_MS_MAX,
);

/** Runs in the page: targets below 44 px, and the distance between the edges of Dash and Light. */
function measureTargets(least: number): { small: string[]; apart: number } {
  const small = [...document.querySelectorAll('button')]
    .filter((each) => each.checkVisibility())
    .filter((each) => {
      const { width, height } = each.getBoundingClientRect();
      return width < least || height < least;
    })
    .map((each) => `${each.className} ${each.textContent}`);
  const [dash, light] = ['.is-dash', '.is-light'].map((name) =>
    document.querySelector(`.fa-pad${name}`)!.getBoundingClientRect(),
  ) as [DOMRect, DOMRect];
  const middle = ({ x, y, width, height }: DOMRect) => [x + width / 2, y + height / 2] as const;
  const [[ax, ay], [bx, by]] = [middle(dash), middle(light)];
  const apart = Math.hypot(ax - bx, ay - by) - (dash.width + light.width) / 2;
  return { small, apart };
}

inBrowser(
  '[WEB] on a phone every target has 44 px, Dash is far from Light, and axe finds nothing, with the list open too',
  async () => {
    const { playUrls } = await makeTraining();
    const ada = await openSeat(world.browser, playUrls[0]!, PHONE);
    await awaitFight(ada.page);
    for (const size of [PHONE.viewport, { width: 740, height: 360 }]) {
      await ada.page.setViewportSize(size);
      const { small, apart } = await ada.page.evaluate(measureTargets, TARGET_PX);
      if (size === PHONE.viewport) expect(small).toEqual([]);
      // At least one more button fits between them.
      expect(apart).toBeGreaterThan(70);
    }
    await ada.page.setViewportSize(PHONE.viewport);
    await ada.page.locator('.fa-open').tap();
    await ada.page.locator('.fa-sheet').waitFor();
    expect((await ada.page.evaluate(measureTargets, TARGET_PX)).small).toEqual([]);
    expect(await brokenRules(ada.page)).toEqual([]);
    expect(faultsOf(ada)).toEqual([]);
    await ada.context.close();
  },
  TEST_MS_MAX,
);

/**
 * Runs in the page: the distance of the fighter's highest pixel below the bars, in the middle of the act that these
 * keys
 * start. Null when frames were too slow to show it. The canvas is read once, because reading takes longer than a
 * frame.
 */
function readRoom({ keys, act, after }: Wanted): Promise<number | null> {
  const canvas = document.querySelector<HTMLCanvasElement>('.fa-canvas')!;
  const board = document.querySelector<HTMLElement>('.board.fa')!;
  const send = (kind: string): void => {
    for (const code of keys)
      window.dispatchEvent(new KeyboardEvent(kind, { code, cancelable: true }));
  };
  const isInAct = (): boolean => board.dataset['acts']!.startsWith(act);
  const highest = (): number => {
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
    const at = data.findIndex((value, n) => n % 4 === 3 && value > 200);
    return Math.floor(at / 4 / width) / height;
  };
  return new Promise((resolve) => {
    let seenAt = 0;
    let begun = 0;
    const look = (now: number): void => {
      begun ||= now;
      if (isInAct()) seenAt ||= now;
      if (now - begun > 100) send('keyup');
      const isDue = seenAt > 0 && now - seenAt >= after;
      if (!isDue && now - begun < 2_000) {
        requestAnimationFrame(look);
        return;
      }
      if (!isDue || !isInAct()) {
        resolve(null);
        return;
      }
      const { top, height } = canvas.getBoundingClientRect();
      const bottom = document.querySelector('.fa-side')!.getBoundingClientRect().bottom;
      resolve(Math.round(top + highest() * height - bottom));
    };
    send('keydown');
    requestAnimationFrame(look);
  });
}

interface Wanted {
  readonly keys: readonly string[];
  /** A prefix of `data-acts`, and how many ms after its first frame to measure. */
  readonly act: string;
  readonly after: number;
}

/** A jump at its highest, a rising attack at full reach, and standing. */
const HEIGHTS: readonly Wanted[] = [
  { keys: ['KeyW'], act: 'air', after: 260 },
  { keys: ['KeyS', 'KeyL'], act: 'attack-rise', after: 120 },
  { keys: [], act: 'free', after: 100 },
];

async function readRooms(page: Page): Promise<number[]> {
  const rooms: number[] = [];
  for (const wanted of HEIGHTS) {
    let room: number | null = null;
    for (let tries = 0; room === null && tries < 20; tries += 1) {
      await page.locator(`${BOARD}[data-acts^="free "]`).waitFor();
      room = await page.evaluate(readRoom, wanted);
    }
    rooms.push(room!);
  }
  return rooms;
}

inBrowser(
  '[WEB] no part of a fighter who jumps or attacks upwards is behind the bars, on any screen',
  async () => {
    const seats = await openBoth((await makeFight()).playUrls, {});
    const { page } = seats[0]!;
    for (const [width, height] of [
      [360, 740],
      [740, 360],
      [1280, 800],
      [1280, 500],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(300);
      const [inAir, rising, standing] = (await readRooms(page)) as [number, number, number];
      console.log(`${width} x ${height}: px below the bars`, inAir, rising, standing);
      expect(Math.min(inAir, rising)).toBeGreaterThanOrEqual(0);
      // A jump leaves less room than standing, so it really was one.
      expect(inAir).toBeLessThan(standing);
    }
    await close(seats);
  },
  TEST_MS_MAX,
);

inBrowser(
  "[WEB] a combo is counted with its damage on the attacker's side",
  async () => {
    const seats = await openBoth((await makeFight()).playUrls);
    const { page } = seats[0]!;
    // A jab that hits, then the rising attack at once: pressed within the page, because a test is slower than a hand.
    await page.evaluate(() => {
      const send = (kind: string, code: string): void => {
        window.dispatchEvent(new KeyboardEvent(kind, { code, cancelable: true }));
      };
      const press = (code: string, at: number, ms: number): void => {
        setTimeout(() => send('keydown', code), at);
        setTimeout(() => send('keyup', code), at + ms);
      };
      setInterval(() => {
        press('KeyD', 0, 600);
        press('KeyJ', 700, 50);
        press('KeyS', 790, 200);
        press('KeyL', 830, 60);
      }, 2_600);
    });
    const combo = page.locator('.fa-side.is-left .fa-combo');
    await combo.waitFor({ timeout: 60_000 });
    expect(await combo.innerText()).toMatch(/^2 hits\s+\d+ damage$/);
    expect(await page.locator('.fa-side.is-right .fa-combo').isVisible()).toBe(false);
    await close(seats);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] the list of moves works by keyboard, and offers training options only against bots',
  async () => {
    const seats = await openBoth((await makeFight()).playUrls, {
      viewport: { width: 1280, height: 800 },
    });
    const { page } = seats[0]!;
    await page.locator('.fa-open').focus();
    await page.keyboard.press('Enter');
    await page.locator('.fa-sheet').waitFor();
    expect(await page.locator('.fa-open').getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator('.fa-move').count()).toBe(15);
    expect(await page.locator('.fa-move').first().innerText()).toMatch(
      /^Jab\s+Light\s+Startup 5 · active 3 · recovery 7 · damage 45/,
    );
    expect(await page.getByRole('button', { name: 'Hit boxes' }).isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    await page.locator('.fa-sheet').waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('fa-open');
    await close(seats);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] training shows boxes, frame data and inputs, and the keys still work while the list is open',
  async () => {
    const { playUrls } = await makeTraining();
    const ada = await openSeat(world.browser, playUrls[0]!, {
      viewport: { width: 1280, height: 800 },
    });
    const { page } = ada;
    await awaitFight(page);
    expect(await page.locator('.plate-name').first().innerText()).toBe(PLAYERS[0].displayName);
    const boxes = page.locator('.fa-canvas').last();
    expect(await boxes.isVisible()).toBe(false);
    await page.locator('.fa-open').click();
    for (const name of ['Hit boxes', 'Frame data', 'Inputs']) {
      await page.getByRole('button', { name, exact: true }).click();
    }
    await boxes.waitFor();
    // After a mouse click the keyboard still controls the fight.
    await page.locator('.fa-sheet h2').click();
    // A page with a low frame rate may miss a short press.
    const figures = page.locator('.fa-figures', { hasText: /^Long kick\s*11\s*4\s*18/ });
    for (let presses = 0; presses < 10 && !(await figures.isVisible()); presses += 1) {
      await page.keyboard.press('KeyK', { delay: 80 });
      await page.waitForTimeout(300);
    }
    await figures.waitFor();
    await page.locator('.fa-inputs.is-left .icon').first().waitFor();
    await page.reload();
    await awaitFight(page);
    await page.locator('.fa-canvas').last().waitFor();
    expect(await page.locator('.fa-data').isVisible()).toBe(true);
    expect(await brokenRules(page)).toEqual([]);
    expect(faultsOf(ada)).toEqual([]);
    await ada.context.close();
  },
  TEST_MS_MAX,
);
