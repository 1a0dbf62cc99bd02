/** An operator's games on the players' page of the real server: played by the board for any game, to the end. */

import { afterAll, describe, expect } from 'bun:test';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { makeRandom } from '../../game/src/random.ts';
import { samplesOf } from '../../scripts/guides/samples.ts';
import { connect } from '../../sdk/src/client/index.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import type { SeatPage } from '../parts/matches.ts';
import {
  awaitTurn,
  closeAll,
  faultsOf,
  makeMatch,
  makePlayers,
  openSeat,
  openSeats,
  PLAYER_NAMES,
  pressCell,
  readResult,
} from '../parts/matches.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEST_MS_MAX = 120_000;

/** The example games as they are, and under other ids without their boards; and shipped ones as the operator's. */
const games = makeTempFolder();
afterAll(() => removeFolder(games));
cpSync(join(ROOT, 'examples/games'), games, { recursive: true });

function addGame(id: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(games, id));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(games, id, name), text);
}

for (const id of ['pong', 'crazy-eights', 'rps-tournament']) {
  const rules = readFileSync(join(games, id, 'rules.ts'), 'utf8');
  addGame(`plain-${id}`, { 'rules.ts': rules.replace(`id: '${id}'`, `id: 'plain-${id}'`) });
}
for (const [id, file, name] of [
  ['noughts', 'tictactoe/tictactoe.ts', 'tictactoe'],
  ['pub-pool', 'pool/pool.ts', 'pool'],
] as const) {
  // As one file, as rules import nothing from outside the folder of games.
  const source = JSON.stringify(join(ROOT, 'src/games', file));
  const made = `import { ${name} } from ${source};\nexport const game = { ...${name}, id: '${id}' };`;
  addGame(id, { 'entry.ts': made });
  const { outputs } = await Bun.build({
    entrypoints: [join(games, id, 'entry.ts')],
    target: 'browser',
  });
  writeFileSync(join(games, id, 'rules.mjs'), await outputs[0]!.text());
}
const texts = { en: { name: 'Noughts and crosses' } };
writeFileSync(join(games, 'noughts/strings.json'), JSON.stringify(texts));

/** A board that tries what the page's policy refuses, and reports the results. */
const BOLD_BOARD = `
export function makeBoard({ t, style }) {
  const element = document.createElement('div');
  element.className = 'bold';
  const tried = {};
  const tell = (name, came) => { tried[name] = came; element.dataset.tried = JSON.stringify(tried); };
  const attempt = (name, run) => { try { run(); tell(name, 'done'); } catch (error) { tell(name, error.name); } };
  attempt('eval', () => (0, eval)('1'));
  attempt('function', () => new Function('return 1')());
  attempt('style', () => style('.bold { outline: 3px solid rgb(1, 2, 3); }'));
  attempt('inline script', () => {
    const script = document.createElement('script');
    script.textContent = 'document.documentElement.dataset.inline = "ran"';
    document.head.append(script);
  });
  attempt('inline style', () => {
    const sheet = document.createElement('style');
    sheet.textContent = '.bold { position: fixed; }';
    document.head.append(sheet);
    element.setAttribute('style', 'position: absolute');
  });
  fetch('http://127.0.0.1:1/').then(() => tell('elsewhere', 'done'), (error) => tell('elsewhere', error.name));
  const picture = new Image();
  picture.onload = picture.onerror = ({ type }) => tell('picture', type);
  picture.src = 'http://127.0.0.1:1/x.png';
  import('http://127.0.0.1:1/x.js').then(() => tell('module', 'done'), (error) => tell('module', error.name));
  return { element, render({ view }) { element.textContent = t('greeting', { count: view.board.length }); } };
}`;
addGame('bold', {
  'rules.mjs': readFileSync(join(games, 'noughts/rules.mjs'), 'utf8').replace(
    '"noughts"',
    '"bold"',
  ),
  'board.js': BOLD_BOARD,
  'strings.json':
    '{ "en": { "greeting": "{count} cells" }, "de": { "greeting": "{count} Felder" } }',
});

/** The guide's board, unchanged. */
const [guideBoard] = samplesOf(readFileSync(join(ROOT, 'docs/guides/boards.md'), 'utf8'), 'ts');
addGame('guided', {
  'rules.mjs': readFileSync(join(games, 'noughts/rules.mjs'), 'utf8').replace(
    '"noughts"',
    '"guided"',
  ),
  'board.ts': guideBoard!,
  'strings.json': JSON.stringify({
    en: { board: 'Three by three', cell: 'Cell {number}: {mark}', empty: 'empty' },
  }),
});

const world = useBrowserWorld('games of the operator’s on the page', { MATCHD_GAMES: games });
const { inBrowser } = world;

/**
 * The next control to press: the end of a started choice, otherwise a thing that can be tapped,
 * otherwise a button.
 */
const FREE = [
  '.any-buttons:has([data-key=back]) button:not([data-key=back])',
  '.any-cell.is-free, button.any-chip.is-free',
  '.any-buttons button:not([data-key=back])',
];
const isOver = (page: Page): Promise<boolean> =>
  page.locator('.status[data-tone=done]').isVisible();

/** Presses the offered controls, whatever they are, until the match is over. */
async function playOn(seats: readonly SeatPage[], presses: number): Promise<void> {
  const random = makeRandom('own games', () => `${TEST_SEED}`, 0);
  for (let n = 0; n < presses && !(await isOver(seats[0]!.page)); n += 1) {
    for (const { page } of seats) {
      for (const kind of FREE) {
        const free = page.locator(kind);
        const count = await free.count();
        if (count === 0) continue;
        await free.nth(random.integer(count)).evaluate((each: HTMLElement) => each.click());
        break;
      }
    }
    await seats[0]!.page.waitForTimeout(30);
  }
}

describe('a game without a board of its own', () => {
  inBrowser(
    '[W7] is played to the end, watched again and verified, by its rules as the server runs them',
    async () => {
      const seats = await openSeats(world, { game: 'noughts' }, 2, { bypassCSP: true });
      const [ada, bea] = seats as [SeatPage, SeatPage];
      expect(await ada.page.locator('.header h1').innerText()).toBe('Noughts and crosses');
      for (const [ply, cell] of [4, 0, 2, 6, 3, 5, 8, 1].entries()) {
        const { page } = seats[ply % 2]!;
        await awaitTurn(page);
        if (ply === 4) expect(await brokenRules(page)).toEqual([]);
        await pressCell(page, cell);
      }
      // A reload in the middle leads back to the same board.
      await bea.page.reload();
      await awaitTurn(ada.page);
      expect(await ada.page.locator('.any-cell.is-free').count()).toBe(1);
      await pressCell(ada.page, 7);
      expect(await readResult(ada.page)).toEqual({
        headline: 'Draw',
        reason: 'The board is full',
      });
      await ada.page.getByRole('button', { name: 'Fair play' }).click();
      await ada.page.getByText('All is right: this match went by the rules').waitFor();
      await ada.page.getByRole('button', { name: 'Close' }).click();
      await ada.page.getByRole('button', { name: 'Watch replay' }).click();
      await ada.page.locator('.reel-place', { hasText: '0 / 9' }).waitFor();
      for (let n = 0; n < 3; n += 1)
        await ada.page.getByRole('button', { name: 'One step on' }).click();
      expect(await ada.page.locator('.any-text').allInnerTexts()).toEqual(['O', 'X', 'X']);
      expect(await ada.page.locator('.status-text').innerText()).toBe('Ada: row 1, column 3');
      expect(seats.map(faultsOf)).toEqual([[], []]);
      await closeAll(seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6][W7] is played with keys only',
    async () => {
      const seats = await openSeats(world, { game: 'noughts' }, 2);
      for (const [ply, cell] of [0, 3, 1, 4, 2].entries()) {
        const { page } = seats[ply % 2]!;
        await awaitTurn(page);
        while (!(await page.evaluate(() => document.activeElement?.matches('.any-cell')))) {
          await page.keyboard.press('Tab');
        }
        await page.keyboard.press('Shift+Home');
        for (let row = 0; row < Math.floor(cell / 3); row += 1)
          await page.keyboard.press('ArrowDown');
        for (let column = 0; column < cell % 3; column += 1)
          await page.keyboard.press('ArrowRight');
        const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
        expect(label).toEndWith(', can be chosen');
        await page.keyboard.press('Enter');
        await page.locator('.any-cell', { hasText: /[XO]/ }).nth(ply).waitFor();
        // The pressed element keeps the focus.
        expect(await page.evaluate(() => document.activeElement?.matches('.any-cell'))).toBe(true);
      }
      expect((await readResult(seats[0]!.page)).headline).toBe('You won');
      await closeAll(seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    `[W7] shows only the player's own hidden cards, and the scores at the end (seed ${TEST_SEED})`,
    async () => {
      const seats = await openSeats(
        world,
        { game: 'plain-crazy-eights', options: { rounds: 1 } },
        3,
      );
      for (const [seat, { page }] of seats.entries()) {
        const hands = page.locator('.any-section', { hasText: 'Hands' }).first();
        expect(await hands.locator('.any-section .any-label').allInnerTexts()).toEqual([
          PLAYER_NAMES[seat]!,
        ]);
      }
      await playOn(seats, 400);
      for (const { page } of seats) {
        await page.locator('.status[data-tone=done]').waitFor();
        expect(await page.locator('.plate-sub', { hasText: /pts?/ }).count()).toBe(3);
      }
      expect(seats.map(faultsOf)).toEqual([[], [], []]);
      await closeAll(seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    `[P6][W7] sixteen who throw at the same time are named while they are waited for`,
    async () => {
      const match = await makeMatch(world.server, {
        game: 'plain-rps-tournament',
        seats: 16,
        players: makePlayers(16),
      });
      const view = { viewport: { width: 390, height: 844 }, bypassCSP: true };
      const own = await openSeat(world.browser, match.playUrls[0]!, view);
      const { page } = own;
      const others = match.playUrls.slice(1).map((url) => {
        const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token')!;
        return connect({ url: world.server.url, token });
      });
      await awaitTurn(page);
      expect(await brokenRules(page)).toEqual([]);
      // Plates scroll by themselves, and nothing of the page is wider than the screen.
      const wide = () =>
        document.documentElement.scrollWidth - document.documentElement.clientWidth;
      expect(await page.evaluate(wide)).toBe(0);
      expect(await page.locator('.plate').count()).toBe(16);
      await page.getByRole('button', { name: 'Rock' }).click();
      await page
        .locator('.status-text', { hasText: /^Waiting for Bea, Cem, and 13 more$/ })
        .waitFor();
      expect(await page.locator('.any-buttons button').count()).toBe(0);
      for (const each of others) {
        const session = await each.firstSession();
        await session.act({ throw: 'paper' } as never);
      }
      // The next round, or the end of it: all have been announced.
      await page.locator('.any-section', { hasText: 'Last' }).getByText('Paper').first().waitFor();
      for (const each of others) each.close();
      expect(faultsOf(own)).toEqual([]);
      await closeAll([own]);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[P8][W7] that runs by the clock is shown as it goes, and hears what is held down',
    async () => {
      const seats = await openSeats(world, { game: 'plain-pong' }, 2);
      const { page } = seats[0]!;
      const fact = (name: string): Promise<number> =>
        page
          .locator('.any-facts > div', { has: page.locator('dt', { hasText: name }) })
          .locator('dd')
          .first()
          .innerText()
          .then(Number);
      const paddle = (of: Page): Promise<number> =>
        of.locator('.any-table tbody td:last-child').first().innerText().then(Number);
      await page.getByRole('button', { name: 'Button 1' }).waitFor();
      const [tick, before] = [await fact('Tick'), await paddle(page)];
      await page.keyboard.down('1');
      // A page shows its prediction: the other page sees the server's result.
      const isHeard = async (): Promise<boolean> =>
        (await fact('Tick')) > tick + 15 && (await paddle(seats[1]!.page)) !== before;
      for (const until = Date.now() + 30_000; !(await isHeard()) && Date.now() < until; ) {
        await page.waitForTimeout(100);
      }
      await page.keyboard.up('1');
      expect(await fact('Tick')).toBeGreaterThan(tick + 15);
      // Once the paddle rests, both pages show the same place.
      const both = async (): Promise<[number, number]> =>
        Promise.all([paddle(page), paddle(seats[1]!.page)]);
      let [here, there] = await both();
      const isTold = (): boolean => here === there && here !== before;
      for (const until = Date.now() + 30_000; !isTold() && Date.now() < until; ) {
        await page.waitForTimeout(100);
        [here, there] = await both();
      }
      expect(there).toBe(here);
      expect(here).not.toBe(before);
      expect(seats.map(faultsOf)).toEqual([[], []]);
      await closeAll(seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[P7][W7] whose actions cannot be listed takes them as JSON, and says what is wrong with one',
    async () => {
      const seats = await openSeats(world, { game: 'pub-pool' }, 2);
      const { page } = seats[0]!;
      await awaitTurn(page);
      const field = page.getByLabel('Action, as JSON');
      const send = page.getByRole('button', { name: 'Send' });
      await page.locator('#any-fault', { hasText: 'is required' }).waitFor();
      await field.fill('{"shot":');
      await send.click();
      await page.getByText('This is no JSON').waitFor();
      // The rules do not know where the cue ball may lie: the server says that.
      const shot = { aim: 0, speed: 5, side: 0, follow: 0, elevation: 0 };
      await field.fill(JSON.stringify({ shot, place: { x: 0.9, y: 0 } }));
      await send.click();
      await page.locator('.any-act > .any-fault', { hasText: /head string|place/i }).waitFor();
      await field.fill(JSON.stringify({ shot, place: { x: -0.9, y: 0 } }));
      await send.click();
      await page
        .locator('.any-facts', { hasText: 'Shots' })
        .locator('dd', { hasText: /^1$/ })
        .waitFor();
      await closeAll(seats);
    },
    TEST_MS_MAX,
  );
});

describe('a board of the game’s own', () => {
  inBrowser(
    '[W3][W7] runs under the page’s policy: nothing inline, no text as code, no other origin',
    async () => {
      const [seat] = await openSeats(world, { game: 'bold' }, 2, { locale: 'de' });
      const { page } = seat!;
      const board = page.locator('.bold');
      await board.getByText('9 Felder').waitFor();
      const tried = async (): Promise<Record<string, string>> =>
        JSON.parse((await board.getAttribute('data-tried'))!);
      while (Object.keys(await tried()).length < 8) await page.waitForTimeout(20);
      expect(await tried()).toEqual({
        eval: 'EvalError',
        function: 'EvalError',
        style: 'done',
        'inline script': 'done',
        'inline style': 'done',
        elsewhere: 'TypeError',
        picture: 'error',
        module: 'TypeError',
      });
      // The injected content had no effect there.
      expect(await page.evaluate(() => document.documentElement.dataset['inline'])).toBeUndefined();
      expect(await board.evaluate((it) => getComputedStyle(it).position)).toBe('static');
      expect(await board.evaluate((it) => getComputedStyle(it).outlineColor)).toBe('rgb(1, 2, 3)');
      expect(
        seat!.complaints.filter((text) => /Content Security Policy/.test(text)).length,
      ).toBeGreaterThan(4);
      await seat!.context.close();
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6][W7] can be as short as the guide’s: it is played by mouse and keys',
    async () => {
      const seats = await openSeats(world, { game: 'guided' }, 2, { bypassCSP: true });
      const [ada, bea] = seats as [SeatPage, SeatPage];
      await awaitTurn(ada.page);
      expect(await brokenRules(ada.page)).toEqual([]);
      const labels = () =>
        [...document.querySelectorAll('[role=gridcell]')].map((cell) =>
          cell.getAttribute('aria-label'),
        );
      for (const [ply, cell] of [0, 4, 1, 5].entries()) {
        const { page } = seats[ply % 2]!;
        await awaitTurn(page);
        await pressCell(page, cell);
      }
      await awaitTurn(ada.page);
      expect((await ada.page.evaluate(labels)).slice(0, 6)).toEqual([
        'Cell 1: X',
        'Cell 2: X',
        'Cell 3: empty',
        'Cell 4: empty',
        'Cell 5: O',
        'Cell 6: O',
      ]);
      await ada.page.locator('[role=gridcell][tabindex="0"]').focus();
      for (const key of ['Shift+Home', 'ArrowRight', 'ArrowRight', 'Space']) {
        await ada.page.keyboard.press(key);
      }
      expect((await readResult(bea.page)).headline).toBe('You lost');
      expect(seats.map(faultsOf)).toEqual([[], []]);
      await closeAll(seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6][W7] is played, announced and replayed like the page’s own',
    async () => {
      const seats = await openSeats(world, { game: 'reversi' }, 2, {
        bypassCSP: true,
        locale: 'de',
      });
      const [ada, bea] = seats as [SeatPage, SeatPage];
      await ada.page.locator('.rv-cell.is-free').first().waitFor();
      expect(await brokenRules(ada.page)).toEqual([]);
      // Tab comes to the board, and arrow keys lead to d3.
      while (!(await ada.page.evaluate(() => document.activeElement?.matches('.rv-cell')))) {
        await ada.page.keyboard.press('Tab');
      }
      for (const key of ['Shift+Home', 'ArrowDown', 'ArrowDown'])
        await ada.page.keyboard.press(key);
      for (let n = 0; n < 3; n += 1) await ada.page.keyboard.press('ArrowRight');
      const focused = () => document.activeElement?.getAttribute('aria-label');
      expect(await ada.page.evaluate(focused)).toBe('d3, leer, spielbar');
      await ada.page.keyboard.press('Enter');
      await bea.page.getByText('Ada: Schwarz auf d3.').waitFor({ state: 'attached' });
      expect(await bea.page.locator('.plate-sub').allTextContents()).toEqual([
        'Steine: 4',
        'Steine: 1 · Du',
      ]);
      await bea.page.locator('.rv-cell.is-free').first().click();
      await ada.page.locator('.rv-cell.is-last').waitFor();
      await bea.page.getByRole('button', { name: 'Aufgeben' }).first().click();
      await bea.page.getByRole('dialog').getByRole('button', { name: 'Aufgeben' }).click();
      await readResult(ada.page);
      await ada.page.getByRole('button', { name: 'Noch einmal ansehen' }).click();
      await ada.page.locator('.reel-place', { hasText: '0 / 3' }).waitFor();
      await ada.page.keyboard.press('End');
      await ada.page.locator('.rv-disc.is-b').first().waitFor();
      expect(seats.map(faultsOf)).toEqual([[], []]);
      await closeAll(seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[P8][W7] of a game that runs by the clock is predicted by the rules that it brings along',
    async () => {
      const seats = await openSeats(world, { game: 'pong' }, 2);
      const { page } = seats[0]!;
      await page.locator('.pg-field').waitFor();
      expect(await page.locator('.status-text').innerText()).toBe('First to 5');
      /** How high the left paddle is, by its picture. */
      const paddle = (of: Page): Promise<number> =>
        of.locator('.pg-field').evaluate((it) => {
          const { data, width } = (it as HTMLCanvasElement)
            .getContext('2d')!
            .getImageData(30, 0, 1, (it as HTMLCanvasElement).height);
          const top = Array.from({ length: data.length / 4 }, (_, y) => data[y * 4]!).findIndex(
            (red) => red > 150,
          );
          return width === 1 ? top : -1;
        });
      while ((await paddle(page)) < 0) await page.waitForTimeout(20);
      const before = await paddle(page);
      await page.keyboard.down('ArrowUp');
      while ((await paddle(page)) >= before) await page.waitForTimeout(10);
      await page.waitForTimeout(400);
      await page.keyboard.up('ArrowUp');
      await page.waitForTimeout(600);
      // Both pages show it where it was released.
      const after = await paddle(page);
      expect(after).toBeLessThan(before - 40);
      expect(await paddle(seats[1]!.page)).toBe(after);
      expect(seats.map(faultsOf)).toEqual([[], []]);
      await closeAll(seats);
    },
    TEST_MS_MAX,
  );
});
