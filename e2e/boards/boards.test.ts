/** The boards of the page in a real browser, played to the end despite a reload, a lost network and a restart. */

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Random } from '../../game/src/random.ts';
import { makeRandom } from '../../game/src/random.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { makeProjection } from '../../web/play/src/games/pool/projection.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import type { SeatPage } from '../parts/matches.ts';
import {
  call,
  FOUR_PLAYERS,
  faultsOf,
  makeMatch,
  openSeat,
  readResult,
  readSession,
} from '../parts/matches.ts';
import { followTable, playPool, READY } from './pool-hands.ts';

const TEST_MS_MAX = 170_000;
/** More presses than any match here takes. */
const PRESSES_MAX = 1_500;
/** If no player can act for this long, the match is stuck; long enough for a restart. Milliseconds. */
const STEP_MS_MAX = 20_000;

/** The width of a phone: drawing four larger pages is most of a match's cost here. */
const SMALL = { viewport: { width: 400, height: 760 } };

/** A page without a match. */
const BLANK = 'about:blank';

const world = useBrowserWorld('the boards');
const { inBrowser } = world;

/** Opens pages of all seats, the last one over the connection that tests can cut. */
async function openAll(
  urls: readonly string[],
  view: Parameters<typeof openSeat>[2] = {},
): Promise<SeatPage[]> {
  const seats: SeatPage[] = [];
  for (const [seat, url] of urls.entries()) {
    const isProxied = seat === urls.length - 1 && url !== BLANK;
    const address = isProxied ? world.proxied(url) : url;
    seats.push(await openSeat(world.browser, address, { reducedMotion: 'reduce', ...view }));
  }
  return seats;
}

/** After which press each fault happens. */
interface Faults {
  readonly reload: number;
  readonly cut: number;
  readonly restart: number;
}
const LONG_MATCH: Faults = { reload: 6, cut: 12, restart: 18 };
const SHORT_MATCH: Faults = { reload: 1, cut: 2, restart: 3 };
const EIGHTBALL: Faults = { reload: 2, cut: 4, restart: 6 };

async function disturb(
  press: number,
  seats: readonly SeatPage[],
  { reload, cut, restart }: Faults,
): Promise<void> {
  const proxied = seats.at(-1)!.page;
  if (press === reload) await seats[0]!.page.reload();
  if (press === cut) {
    world.proxy.cut();
    await proxied.locator('#app[data-connection=waiting]').waitFor();
    world.proxy.repair();
  }
  if (press === restart) await world.restart();
}

/** Presses something on a seat's page; false if it is not that seat's turn. */
type Step = (page: Page, seat: number) => Promise<boolean>;

/** Plays with `step` until the match is over, and checks that all faults have happened before. */
async function playOut(seats: readonly SeatPage[], step: Step, faults = LONG_MATCH): Promise<void> {
  expect(await countPresses(seats, step, faults)).toBeGreaterThan(faults.restart);
}

/** The same; returns after how many presses the match was over. */
async function countPresses(
  seats: readonly SeatPage[],
  step: Step,
  faults: typeof LONG_MATCH,
): Promise<number> {
  let idleSince = Date.now();
  for (let press = 0; press < PRESSES_MAX; ) {
    let pressed = false;
    for (const [seat, { page }] of seats.entries()) {
      if (await page.locator('.status[data-tone=done]').count()) return press;
      if (!(await step(page, seat))) continue;
      pressed = true;
      press += 1;
      await disturb(press, seats, faults);
    }
    if (pressed) idleSince = Date.now();
    else if (Date.now() - idleSince > STEP_MS_MAX) throw new Error('Nobody can go on');
    else await seats[0]!.page.waitForTimeout(15);
  }
  throw new Error('The match does not end');
}

/** Checks that all pages and the API show the same result, and that no console has errors. */
async function expectOneResult(seats: readonly SeatPage[], sessionId: string): Promise<void> {
  const shown = await Promise.all(seats.map(({ page }) => readResult(page)));
  const { status, result } = await readSession(world.server, sessionId);
  expect(status).toBe('ended');
  const expected = seats.map((_, seat) => {
    if (result!.winner === null) return 'Draw';
    return FOUR_PLAYERS[seat]!.id === result!.winner ? 'You won' : 'You lost';
  });
  expect(shown.map(({ headline }) => headline)).toEqual(expected);
  expect(await call(world.server, 'POST', `/v1/sessions/${sessionId}/verify`)).toMatchObject({
    ok: true,
  });
  expect(seats.flatMap(faultsOf)).toEqual([]);
}

const randomOf = (game: string): Random => makeRandom(`${TEST_SEED} ${game}`, () => '', 0);

/** Presses a random control of the first kind that the page has. The choice changes only after a press. */
function pressAny(random: Random, kinds: readonly string[]): Step {
  const draw = (): number => random.integer(2 ** 20);
  let drawn = draw();
  return async (page) => {
    const isPressed = await page.evaluate(pressOneOf, [kinds, drawn] as const);
    if (isPressed) drawn = draw();
    return isPressed;
  };
}

/** Runs in the page. */
function pressOneOf([kinds, drawn]: readonly [readonly string[], number]): boolean {
  for (const kind of kinds) {
    const found = document.querySelectorAll(kind);
    if (found.length === 0) continue;
    found[drawn % found.length]!.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    return true;
  }
  return false;
}

inBrowser(
  `[WEB][P2][P4] checkers is played to the end despite a reload, a lost network and a restart (seed ${TEST_SEED})`,
  async () => {
    const { sessionId, playUrls } = await makeMatch(world.server, { game: 'checkers' });
    const seats = await openAll(playUrls);
    // A capture with several paths is pressed square by square.
    const kinds = ['.ck-cell.is-target', '.ck-cell.is-origin'];
    await playOut(seats, pressAny(randomOf('checkers'), kinds));
    await expectOneResult(seats, sessionId);
    await Promise.all(seats.map(({ context }) => context.close()));
  },
  TEST_MS_MAX,
);

inBrowser(
  `[WEB][P2][P4] four players finish ludo despite a reload, a lost network and a restart (seed ${TEST_SEED})`,
  async () => {
    const request = { game: 'ludo', variant: 'quick', players: FOUR_PLAYERS };
    const { sessionId, playUrls } = await makeMatch(world.server, request);
    const seats = await openAll(playUrls, SMALL);
    const kinds = ['.lu-token.is-free', '.lu-die.is-free'];
    await playOut(seats, pressAny(randomOf('ludo'), kinds));
    await expectOneResult(seats, sessionId);
    await Promise.all(seats.map(({ context }) => context.close()));
  },
  TEST_MS_MAX,
);

/** Shoots at the next own ball by keyboard, or takes the first choice the rules give. */
async function stepPool(page: Page): Promise<boolean> {
  const choice = page.locator('.po-choices:not([hidden]) button[aria-disabled=false]').first();
  if (await choice.count()) {
    await choice.click();
    return true;
  }
  if (!(await page.locator(READY).count())) {
    return false;
  }
  await page.locator('.po-canvas').focus();
  // Too weak to reach any ball: a foul. Three in a row lose.
  for (let step = 0; step < 20; step += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page
    .locator('.po-shoot[aria-disabled=false]')
    .waitFor({ state: 'hidden', timeout: 1_000 })
    .catch(() => {});
  return true;
}

inBrowser(
  '[WEB][P2][P4] nineball is played by keyboard to its third foul despite a reload, a lost network and a restart',
  async () => {
    const { sessionId, playUrls } = await makeMatch(world.server, {
      game: 'pool',
      variant: 'nineball',
    });
    const seats = await openAll(playUrls);
    await playOut(seats, stepPool, SHORT_MATCH);
    await expectOneResult(seats, sessionId);
    const { result } = await readSession(world.server, sessionId);
    expect(result!.reason).toBe('three_fouls');
    await Promise.all(seats.map(({ context }) => context.close()));
  },
  TEST_MS_MAX,
);

inBrowser(
  `[WEB][P2][P4] eightball is played with mouse and sliders despite a reload, a lost network and a restart (seed ${TEST_SEED})`,
  async () => {
    const random = randomOf('pool');
    // The rack is random, and pocketing the eight ends a match early: repeat until a match is long enough.
    for (let tries = 1, presses = 0; presses <= EIGHTBALL.restart; tries += 1) {
      expect(tries).toBeLessThan(5);
      const { sessionId, playUrls } = await makeMatch(world.server, { game: 'pool' });
      const seats = await openAll(playUrls.map(() => BLANK));
      const views = seats.map(({ page }) => followTable(page));
      await seats[0]!.page.goto(playUrls[0]!);
      await seats[1]!.page.goto(world.proxied(playUrls[1]!));
      const step: Step = (page, seat) => playPool(page, seat, views[seat]!, random);
      presses = await countPresses(seats, step, EIGHTBALL);
      await expectOneResult(seats, sessionId);
      const { result } = await readSession(world.server, sessionId);
      console.log('eightball:', result!.reason, 'after', result!.moveCount, 'moves');
      expect(result!.reason).toMatch(/^eight_/);
      await Promise.all(seats.map(({ context }) => context.close()));
    }
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] checkers: the keyboard alone picks up a piece and places it, and the move is announced',
  async () => {
    const { playUrls } = await makeMatch(world.server, { game: 'checkers' });
    const [ada, bea] = await openAll(playUrls);
    await ada!.page.locator('.ck-cell.is-origin').first().waitFor();
    // A page announces moves that are made while its board is loaded.
    await bea!.page.locator('.ck-cell').first().waitFor();
    // Square 11 is the second of the sixth row, as seat 0 sees it.
    await ada!.page.locator('.ck-cell').first().focus();
    for (let row = 0; row < 5; row += 1) await ada!.page.keyboard.press('ArrowDown');
    await ada!.page.keyboard.press('ArrowRight');
    const label = (): Promise<string | null> =>
      ada!.page.locator('[role=gridcell]:focus').getAttribute('aria-label');
    expect(await label()).toBe('Square 11, red man, can move');
    await ada!.page.keyboard.press('Enter');
    await ada!.page.keyboard.press('ArrowUp');
    expect(await label()).toBe('Square 15, empty, move here');
    await ada!.page.keyboard.press('Enter');
    const heard = bea!.page.locator('[aria-live=polite]');
    await heard.filter({ hasText: 'Ada: 11 to 15. Your turn.' }).waitFor();
    await Promise.all([ada, bea].map((seat) => seat!.context.close()));
  },
  TEST_MS_MAX,
);

/** Resigns on a seat's page and confirms it. */
async function resign(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.locator('dialog[open] .is-danger').click();
}

/** From now on the page sends no moves, as if the network dropped them; it still receives. */
const dropMoves = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (data) {
      // In `matchd.v2` a frame that is a list is an `act`.
      if (!String(data).startsWith('[')) send.call(this, data);
    };
  });

/** The positions of the checkers pieces. */
const placesOf = (page: Page): Promise<string[]> =>
  page
    .locator('.ck-pieces > g')
    .evaluateAll((all) => all.map((each) => (each as SVGElement).style.transform));

inBrowser(
  '[WEB][P4] checkers: a move without an ack is taken back when the match ends',
  async () => {
    const { playUrls } = await makeMatch(world.server, { game: 'checkers' });
    const [ada, bea] = await openAll(playUrls);
    const { page } = ada!;
    await page.locator('.is-origin').first().waitFor();
    const before = await placesOf(page);
    await dropMoves(page);
    await page.locator('.is-origin').first().click();
    await page.locator('.is-target').first().click();
    expect(await placesOf(page)).not.toEqual(before);
    expect(await page.locator('.is-sending').count()).toBe(1);
    await resign(bea!.page);
    await readResult(page);
    expect(await placesOf(page)).toEqual(before);
    expect(await page.locator('.is-sending, [aria-selected=true]').count()).toBe(0);
    await Promise.all([ada, bea].map((seat) => seat!.context.close()));
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] checkers: a selected piece is deselected when the match ends',
  async () => {
    const { playUrls } = await makeMatch(world.server, { game: 'checkers' });
    const [ada, bea] = await openAll(playUrls);
    await ada!.page.locator('.is-origin').first().click();
    const chosen = ada!.page.locator('[aria-selected=true]');
    expect(await chosen.count()).toBe(1);
    await resign(bea!.page);
    await readResult(ada!.page);
    expect(await chosen.count()).toBe(0);
    await Promise.all([ada, bea].map((seat) => seat!.context.close()));
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] checkers: a rejected move is taken back and can be made again',
  async () => {
    const { playUrls } = await makeMatch(world.server, { game: 'checkers' });
    const [ada, bea] = await openAll(playUrls);
    const { page } = ada!;
    await page.locator('.is-origin').first().waitFor();
    const before = await placesOf(page);
    await page.evaluate(() => {
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function (data) {
        // Only the first move: its target becomes an illegal square.
        const isMove = String(data).startsWith('[');
        if (isMove) WebSocket.prototype.send = send;
        send.call(this, isMove ? String(data).replace(/"to":\d+/, '"to":0') : data);
      };
    });
    const press = async () => {
      await page.locator('.is-origin').first().click();
      await page.locator('.is-target').first().click();
    };
    await press();
    await page.locator('.status', { hasText: 'That move is not possible' }).waitFor();
    expect(await placesOf(page)).toEqual(before);
    await press();
    await bea!.page.locator('.status', { hasText: 'Your turn' }).waitFor();
    await Promise.all([ada, bea].map((seat) => seat!.context.close()));
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] pool: a cue ball placed for a shot without an ack returns when the match ends',
  async () => {
    const { playUrls } = await makeMatch(world.server, { game: 'pool' });
    const [ada, bea] = await openAll(playUrls);
    await ada!.page.locator('.po-shoot[aria-disabled=false]').waitFor();
    await ada!.page.locator('.po-canvas').focus();
    for (let step = 0; step < 5; step += 1) await ada!.page.keyboard.press('a');
    await ada!.page.locator('.po-shoot').focus();
    await resign(bea!.page);
    await Promise.all([ada, bea].map((seat) => readResult(seat!.page)));
    const picture = (seat: SeatPage) =>
      seat.page.locator('.po-canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
    expect(await picture(ada!)).toBe(await picture(bea!));
    // The button is gone; keyboard input still works.
    expect(await ada!.page.locator('.po-canvas:focus').count()).toBe(1);
    await Promise.all([ada, bea].map((seat) => seat!.context.close()));
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] pool: pulling the cue back and releasing shoots; an interrupted pull plays nothing',
  async () => {
    const { playUrls } = await makeMatch(world.server, { game: 'pool' });
    const [ada, bea] = await openAll(playUrls);
    const { page } = ada!;
    const view = followTable(page);
    await page.reload();
    await page.locator('.po-shoot[aria-disabled=false]').waitFor();
    const power = () => page.getByRole('slider', { name: 'Power' }).inputValue();
    const before = await power();
    const pull = async (px: number) => {
      const box = (await page.locator('.po-canvas').boundingBox())!;
      const at = makeProjection(box.width, box.height);
      const cue = view().balls.find(({ n }) => n === 0);
      const [x, y] = cue === undefined ? [-0.6, 0] : [cue.x, cue.y];
      const [bx, by] = at.toPixels(x, y);
      // The break is aimed at the foot spot, so the cue is on the head side, away from the ball in hand.
      const [tx, ty] = at.toPixels(x - 0.45, y);
      const far = Math.hypot(tx - bx, ty - by);
      const [ux, uy] = [(tx - bx) / far, (ty - by) / far];
      await page.mouse.move(box.x + tx, box.y + ty);
      await page.mouse.down();
      await page.mouse.move(box.x + tx + ux * px, box.y + ty + uy * px, { steps: 4 });
    };
    await pull(70);
    expect(await power()).toBe('50');
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await power()).toBe(before);
    await pull(70);
    await page.setViewportSize({ width: 740, height: 360 });
    await page.waitForFunction(
      (value) => document.querySelector<HTMLInputElement>('.po-shot input')?.value === value,
      before,
    );
    await page.mouse.up();
    expect(view().shots).toBe(0);
    // The spin box closes when anything else is pressed.
    await page.locator('.po-spin summary').click();
    expect(await page.locator('.po-spin[open]').count()).toBe(1);
    await page.locator('.po-canvas').focus();
    await pull(140);
    expect(await page.locator('.po-spin[open]').count()).toBe(0);
    await page.mouse.up();
    for (let turn = 0; turn < 50 && view().shots === 0; turn += 1) await page.waitForTimeout(100);
    expect(view().shots).toBe(1);
    expect(faultsOf(ada!)).toEqual([]);
    await Promise.all([ada, bea].map((seat) => seat!.context.close()));
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] ludo: a player who resigns while others play on is notified, and cannot resign again',
  async () => {
    const players = FOUR_PLAYERS.slice(0, 3);
    const { playUrls } = await makeMatch(world.server, { game: 'ludo', players });
    const seats = await openAll(playUrls);
    const [ada, , cem] = seats;
    await ada!.page.locator('.status', { hasText: 'Your turn' }).waitFor();
    await cem!.page.getByRole('button', { name: 'Resign' }).click();
    expect(await cem!.page.locator('#confirm-detail').innerText()).toBe(
      'You are out then; the others play on.',
    );
    await cem!.page.locator('dialog[open] .is-danger').click();
    await cem!.page.locator('.status', { hasText: 'You are out; the others play on' }).waitFor();
    expect(await cem!.page.getByRole('button', { name: 'Resign' }).count()).toBe(0);
    const plate = cem!.page.locator('.plate.is-own');
    expect(await plate.getAttribute('aria-label')).toBe('Cem, blue, out · You');
    // The match waits for no player who is out, connected or not.
    await cem!.context.close();
    await ada!.page
      .locator('.plate', { hasText: 'Cem' })
      .and(ada!.page.locator('.is-away'))
      .waitFor();
    expect(await ada!.page.locator('.status-text').innerText()).toBe('Your turn');
    expect(seats.flatMap(faultsOf)).toEqual([]);
    await Promise.all(seats.map(({ context }) => context.close()));
  },
  TEST_MS_MAX,
);

inBrowser(
  '[WEB] ludo: the dialog says that resigning lets the other team win, and it does',
  async () => {
    const request = { game: 'ludo', variant: 'teams', players: FOUR_PLAYERS };
    const { playUrls } = await makeMatch(world.server, request);
    const seats = await openAll(playUrls);
    const [ada, , cem] = seats;
    await ada!.page.locator('.status', { hasText: 'Your turn' }).waitFor();
    await cem!.page.getByRole('button', { name: 'Resign' }).click();
    expect(await cem!.page.locator('#confirm-detail').innerText()).toBe(
      'Bea will win. Dia will win.',
    );
    await cem!.page.locator('dialog[open] .is-danger').click();
    const shown = await Promise.all(seats.map(({ page }) => readResult(page)));
    const headlines = shown.map(({ headline }) => headline);
    expect(headlines).toEqual(['You lost', 'You won', 'You lost', 'You won']);
    for (const { page } of [ada!, cem!]) {
      await page.getByText('Your team lost a player').first().waitFor();
    }
    expect(seats.flatMap(faultsOf)).toEqual([]);
    await Promise.all(seats.map(({ context }) => context.close()));
  },
  TEST_MS_MAX,
);
