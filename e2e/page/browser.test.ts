/** Two players in a real browser against a real server: matches, reloads, lost networks, restarts and takeovers. */

import { describe, expect } from 'bun:test';
import type { FrameLocator, Page } from 'playwright-core';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { resignByKeys } from '../parts/keyboard.ts';
import type { SeatPage } from '../parts/matches.ts';
import {
  awaitTurn,
  call,
  faultsOf,
  makeMatch,
  openSeat,
  pressCell,
  readResult,
  readSession,
} from '../parts/matches.ts';

const TEST_MS_MAX = 90_000;

const world = useBrowserWorld('the players’ page');
const { inBrowser, proxied } = world;

async function openBoth(urls: readonly string[]): Promise<[SeatPage, SeatPage]> {
  return [await openSeat(world.browser, urls[0]!), await openSeat(world.browser, urls[1]!)];
}

/** Plays cells in turn, seat 0 first. `before` runs before each ply and may disturb the connection. */
async function playCells(
  seats: readonly SeatPage[],
  cells: readonly number[],
  press: (page: Page, cell: number) => Promise<void> = pressCell,
  before: (ply: number) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for (const [ply, cell] of cells.entries()) {
    await before(ply);
    const { page } = seats[ply % 2]!;
    await awaitTurn(page);
    await press(page, cell);
  }
}

/** Checks that both pages and the API show the same result, and that no console has errors. */
async function expectResult(
  seats: readonly SeatPage[],
  sessionId: string,
  wanted: {
    winner: string | null;
    reason: string;
    moveCount: number;
    headlines: readonly string[];
    words: string;
  },
): Promise<void> {
  const shown = await Promise.all(seats.map(({ page }) => readResult(page)));
  expect(shown.map(({ headline }) => headline)).toEqual([...wanted.headlines]);
  expect(shown.map(({ reason }) => reason)).toEqual(seats.map(() => wanted.words));
  const { status, result } = await readSession(world.server, sessionId);
  const { winner, reason, moveCount } = wanted;
  expect(status).toBe('ended');
  expect(result).toMatchObject({ winner, reason, moveCount });
  const verified = await call(world.server, 'POST', `/v1/sessions/${sessionId}/verify`);
  expect(verified).toMatchObject({ ok: true });
  expect(seats.map(faultsOf)).toEqual(seats.map(() => []));
}

const closeAll = async (...seats: readonly SeatPage[]): Promise<void> => {
  await Promise.all(seats.map(({ context }) => context.close()));
};

const connectionOf = (page: Page): Promise<string | null> =>
  page.locator('#app').getAttribute('data-connection');

const awaitConnection = (page: Page, kind: string): Promise<void> =>
  page.locator(`#app[data-connection=${kind}]`).waitFor();

/** Kills and restarts the server; both pages notice and reconnect by themselves. */
async function restartUnder(seats: readonly SeatPage[]): Promise<void> {
  const all = (kind: string) => Promise.all(seats.map(({ page }) => awaitConnection(page, kind)));
  await world.restart(() => all('waiting').then(() => {}));
  await all('open');
}

describe('a match on two pages', () => {
  inBrowser(
    '[WEB][P2][P4] tictactoe is played to the end despite a reload, a lost network and a restart',
    async () => {
      const { sessionId, playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const seats = await openBoth([playUrls[0]!, proxied(playUrls[1]!)]);
      const [ada, bea] = seats;
      await awaitTurn(ada.page);
      expect(await ada.page.evaluate(() => location.href)).toBe(playUrls[0]!.replace(/#.*/, ''));
      await playCells(seats, [4, 0, 2, 6, 3, 5, 1, 7, 8], pressCell, async (ply) => {
        if (ply === 2) await ada.page.reload();
        if (ply === 6) await restartUnder(seats);
        if (ply !== 4) return;
        world.proxy.cut();
        await awaitConnection(bea.page, 'waiting');
        await ada.page.locator('.status', { hasText: 'Bea lost the connection' }).waitFor();
        world.proxy.repair();
        await awaitConnection(bea.page, 'open');
      });
      await expectResult(seats, sessionId, {
        winner: null,
        reason: 'board_full',
        moveCount: 9,
        headlines: ['Draw', 'Draw'],
        words: 'The board is full',
      });
      await closeAll(...seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB][P2][P4] connect4 applies a move once when its ack is lost, also after a reload and a restart',
    async () => {
      const { sessionId, playUrls } = await makeMatch(world.server, { game: 'connect4' });
      const seats = await openBoth([proxied(playUrls[0]!), playUrls[1]!]);
      const [ada, bea] = seats;
      await playCells(seats, [3, 3, 2, 2], pressCell, async (ply) => {
        if (ply === 3) await bea.page.reload();
      });
      // The server receives the move but its ack is lost, so the page sends the move again after it reconnects.
      await awaitTurn(ada.page);
      world.proxy.block();
      await pressCell(ada.page, 4);
      await ada.page.locator('.c4-column.is-sending').waitFor();
      await awaitTurn(bea.page);
      expect(await connectionOf(ada.page)).toBe('open');
      world.proxy.repair();
      await ada.page.locator('.status', { hasText: 'Bea to move' }).waitFor();
      expect(await ada.page.locator('.c4-stones > *').count()).toBe(5);
      await restartUnder(seats);
      await awaitTurn(bea.page);
      await pressCell(bea.page, 4);
      await playCells([ada, bea], [5]);
      await expectResult(seats, sessionId, {
        winner: 'ada',
        reason: 'four_in_a_row',
        moveCount: 7,
        headlines: ['You won', 'You lost'],
        words: 'Four in a row',
      });
      expect(await ada.page.locator('.c4-winning').count()).toBe(4);
      await closeAll(...seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB][P4] connect4 can be played by touch, with draw offers that are declined and accepted',
    async () => {
      const { sessionId, playUrls } = await makeMatch(world.server, { game: 'connect4' });
      const view = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } };
      const ada = await openSeat(world.browser, playUrls[0]!, view);
      const bea = await openSeat(world.browser, playUrls[1]!, view);
      const tap = (page: Page, cell: number): Promise<void> =>
        page.locator('[role=gridcell]').nth(cell).tap();
      await playCells([ada, bea], [0, 1], tap);
      await ada.page.getByRole('button', { name: 'Offer draw' }).tap();
      await bea.page.getByRole('button', { name: 'Decline' }).tap();
      await bea.page.getByRole('button', { name: 'Offer draw' }).tap();
      await ada.page.getByRole('button', { name: 'Accept' }).tap();
      await expectResult([ada, bea], sessionId, {
        winner: null,
        reason: 'draw_agreed',
        moveCount: 2,
        headlines: ['Draw', 'Draw'],
        words: 'By agreement',
      });
      await closeAll(ada, bea);
    },
    TEST_MS_MAX,
  );
});

/** Moves to a cell of a three-by-three grid with the arrow keys, from any cell. */
async function pressByKeys(page: Page, cell: number): Promise<void> {
  await page.keyboard.press('Shift+Home');
  for (let step = 0; step < Math.floor(cell / 3); step += 1) await page.keyboard.press('ArrowDown');
  for (let step = 0; step < cell % 3; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
}

/** The text of the focused element after the next frame; null if nothing has the focus. */
const keyboardAt = (page: Page): Promise<string | null> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const { activeElement: at, body } = document;
    return at === body ? null : (at as HTMLElement).innerText.trim();
  });

describe('with keyboard and screen reader', () => {
  inBrowser(
    '[WEB] a match can be played with the keyboard alone, and every move is announced',
    async () => {
      const { sessionId, playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const seats = await openBoth(playUrls);
      const [ada, bea] = seats;
      for (const { page } of seats) {
        await page.locator('.board').waitFor();
        await page.keyboard.press('Tab');
        expect(await page.locator('[role=gridcell]:focus').count()).toBe(1);
      }
      const announcer = bea.page.locator('[aria-live=polite]');
      await playCells(seats, [0, 4, 1], async (page, cell) => {
        await pressByKeys(page, cell);
      });
      await announcer.filter({ hasText: 'Ada: X in row 1, column 2. Your turn.' }).waitFor();
      await playCells([bea, ada], [5, 2], pressByKeys);
      const alert = bea.page.locator('[aria-live=assertive]');
      await alert.filter({ hasText: 'You lost. Three in a row.' }).waitFor();
      const label = await bea.page.locator('[role=gridcell]').first().getAttribute('aria-label');
      expect(label).toBe('Row 1, column 1, X, part of the winning line');
      await expectResult(seats, sessionId, {
        winner: 'ada',
        reason: 'three_in_a_row',
        moveCount: 5,
        headlines: ['You won', 'You lost'],
        words: 'Three in a row',
      });
      await closeAll(...seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] resigning needs confirmation, Escape cancels it, and the result is still shown after a reload',
    async () => {
      const { sessionId, playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const [ada, bea] = await openBoth(playUrls);
      await awaitTurn(ada.page);
      const resign = ada.page.getByRole('button', { name: 'Resign' });
      await resign.first().click();
      await ada.page.getByRole('dialog').waitFor();
      await ada.page.keyboard.press('Escape');
      await ada.page.getByRole('dialog').waitFor({ state: 'hidden' });
      expect((await readSession(world.server, sessionId)).status).toBe('active');
      await resign.first().click();
      await ada.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
      expect(await readResult(ada.page)).toEqual({ headline: 'You lost', reason: 'You resigned' });
      expect(await readResult(bea.page)).toEqual({ headline: 'You won', reason: 'Ada resigned' });
      await bea.page.reload();
      expect(await readResult(bea.page)).toEqual({ headline: 'You won', reason: 'Ada resigned' });
      await closeAll(ada, bea);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] the focus moves to a sensible element when a button is disabled or removed',
    async () => {
      const { playUrls } = await makeMatch(world.server, { game: 'checkers' });
      const [ada, bea] = await openBoth(playUrls);
      await awaitTurn(ada.page);
      await ada.page.getByRole('button', { name: 'React' }).focus();
      await ada.page.keyboard.press('Enter');
      await ada.page.keyboard.press('Enter');
      await bea.page.locator('.bubble:not([hidden])').waitFor();
      expect(await keyboardAt(ada.page)).toBe('React');
      await ada.page.getByRole('button', { name: 'Offer draw' }).focus();
      await ada.page.keyboard.press('Enter');
      await bea.page.getByRole('button', { name: 'Decline' }).focus();
      expect(await keyboardAt(ada.page)).toBe('Offer draw');
      await bea.page.keyboard.press('Enter');
      await bea.page.locator('.status-text', { hasText: 'Ada to move' }).waitFor();
      expect(await keyboardAt(bea.page)).toBe('Ada to move');
      await resignByKeys(ada.page);
      await readResult(ada.page);
      expect(await keyboardAt(ada.page)).toContain('You resigned');
      await closeAll(ada, bea);
    },
    TEST_MS_MAX,
  );
});

describe('opening the page', () => {
  inBrowser(
    '[WEB][P2] a newer window takes over; the older one says so and can take over again',
    async () => {
      const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const older = await openSeat(world.browser, playUrls[0]!);
      await older.page.locator('.board').waitFor();
      const newer = await openSeat(world.browser, playUrls[0]!);
      await older.page.getByRole('heading', { name: 'Open in another window' }).waitFor();
      expect(await connectionOf(newer.page)).toBe('open');
      await older.page.getByRole('button', { name: 'Play here' }).click();
      await newer.page.getByRole('heading', { name: 'Open in another window' }).waitFor();
      await awaitConnection(older.page, 'open');
      await closeAll(older, newer);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB][P2] a missing or malformed token shows a clear message',
    async () => {
      const seat = await openSeat(world.browser, `${world.server.url}/play/`);
      await seat.page.getByRole('heading', { name: 'Nothing to play here yet' }).waitFor();
      const wrong = await openSeat(world.browser, `${world.server.url}/play/#token=not.a.token`);
      await wrong.page.getByRole('heading', { name: 'This link has expired' }).waitFor();
      const odd = await openSeat(
        world.browser,
        `${world.server.url}/play/#token=${encodeURIComponent('ä b')}`,
      );
      await odd.page.getByRole('heading', { name: 'This link has expired' }).waitFor();
      await closeAll(seat, wrong, odd);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[P2] a confirmation dialog closes when another window takes over, and has no later effect',
    async () => {
      const match = await makeMatch(world.server, { game: 'connect4' });
      const [first, bea] = await openBoth(match.playUrls);
      await awaitTurn(first.page);
      await first.page.getByRole('button', { name: 'Resign' }).click();
      await first.page.getByRole('dialog').waitFor();
      const second = await openSeat(world.browser, match.playUrls[0]!);
      await first.page.locator('#app[data-connection=replaced]').waitFor();
      expect(await first.page.getByRole('dialog').count()).toBe(0);
      await playCells([second, bea], [0, 1]);
      await awaitTurn(second.page);
      await first.page.locator('.notice .button:visible').click();
      await awaitTurn(first.page);
      expect((await readSession(world.server, match.sessionId)).status).toBe('active');
      await closeAll(first, second, bea);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB][H10] the demo shows both seats of a new match, which play against each other',
    async () => {
      const demo = await openSeat(world.browser, `${world.server.url}/demo/tictactoe`);
      const seats = [0, 1].map((seat) => demo.page.frameLocator('iframe').nth(seat));
      const turn = (frame: FrameLocator) => frame.locator('.status', { hasText: 'Your turn' });
      await turn(seats[0]!).waitFor();
      await seats[0]!.locator('[role=gridcell]').nth(4).click();
      await turn(seats[1]!).waitFor();
      expect(await seats[1]!.locator('.ttt-mark').count()).toBeGreaterThan(0);
      expect(faultsOf(demo)).toEqual([]);
      await closeAll(demo);
    },
    TEST_MS_MAX,
  );
});
