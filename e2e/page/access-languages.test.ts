/** The languages of the players' page: it loads the right one, shows no other, and falls back when loading fails. */

import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { LANGUAGE_TAGS, languageOf } from '../../web/play/src/i18n/languages.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import type { BoardGame } from '../parts/keyboard.ts';
import { BOARD_GAMES, resignByKeys, stepByKeys } from '../parts/keyboard.ts';
import type { SeatPage } from '../parts/matches.ts';
import { faultsOf, makeMatch, openSeat } from '../parts/matches.ts';

const TEST_MS_MAX = 90_000;

const world = useBrowserWorld('the languages of the players’ page');
const { inBrowser } = world;

type View = Parameters<typeof openSeat>[2];

async function openMatch(game: string, words: string, view: View = {}): Promise<SeatPage[]> {
  const seats = game === 'ludo' ? { seats: 2 } : {};
  const { playUrls } = await makeMatch(world.server, { game, ...seats });
  const calm: View = { reducedMotion: 'reduce', ...view };
  return Promise.all(playUrls.map((url) => openSeat(world.browser, `${url}${words}`, calm)));
}

const closeAll = (seats: readonly SeatPage[]) =>
  Promise.all(seats.map(({ context }) => context.close()));

/** All visible text on the page, and all text for screen readers. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (walker.currentNode.parentElement?.closest('script, noscript') === null) {
        texts.push(walker.currentNode.textContent ?? '');
      }
    }
    for (const element of document.querySelectorAll('*')) {
      for (const name of ['aria-label', 'aria-description', 'title', 'alt', 'placeholder']) {
        texts.push(element.getAttribute(name) ?? '');
      }
    }
    return texts;
  });
}

/** Names of players and of the service, and hashes: the same in every language. */
const NAMES = /\b(?:Ada|Bea|matchd|[0-9a-f]{8,})\b/g;

/** Texts with words in Latin letters. Hindi has none. */
async function foreignIn({ page }: SeatPage): Promise<string[]> {
  const texts = await textsOf(page);
  return texts.filter((text) => /[A-Za-z]{2,}/.test(text.replace(NAMES, '')));
}

describe('in Hindi', () => {
  for (const game of BOARD_GAMES) {
    inBrowser(
      `[W6] ${game} shows no text in another language before, during and after the match`,
      async () => {
        const { playUrls } = await makeMatch(world.server, {
          game,
          ...(game === 'ludo' && { seats: 2 }),
        });
        const open = (seat: number) =>
          openSeat(world.browser, `${playUrls[seat]}&lang=hi`, { reducedMotion: 'reduce' });
        const ada = await open(0);
        await ada.page.locator('.board').waitFor();
        const foreign = await foreignIn(ada);
        const bea = await open(1);
        await playSome([ada, bea], game);
        foreign.push(...(await foreignIn(ada)), ...(await foreignIn(bea)));
        await resignByKeys(ada.page);
        await bea.page.locator('.status[data-tone=done]').waitFor();
        await bea.page.locator('[aria-live=assertive]:not(:empty)').waitFor({ state: 'attached' });
        foreign.push(...(await foreignIn(ada)), ...(await foreignIn(bea)));
        expect(foreign).toEqual([]);
        expect([ada, bea].flatMap(faultsOf)).toEqual([]);
        await closeAll([ada, bea]);
      },
      TEST_MS_MAX,
    );
  }

  inBrowser(
    '[W6] a page without a match shows no text in another language',
    async () => {
      const seat = await openSeat(world.browser, `${world.server.url}/play/#lang=hi`);
      await seat.page.locator('.notice:not([hidden])').waitFor();
      expect(await foreignIn(seat)).toEqual([]);
      await seat.context.close();
    },
    TEST_MS_MAX,
  );
});

async function playSome(seats: readonly SeatPage[], game: BoardGame): Promise<void> {
  for (let made = 0, tries = 0; made < 4 && tries < 300; tries += 1) {
    for (const { page } of seats) {
      if (await stepByKeys(page, game)) made += 1;
      await page.locator('.is-sending').waitFor({ state: 'detached' });
    }
  }
}

describe('the language', () => {
  const languageOn = (page: Page) =>
    page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);

  for (const tag of LANGUAGE_TAGS) {
    inBrowser(
      `[W6] the page loads ${tag} when the address requests it, and no other language`,
      async () => {
        const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
        const context = await world.browser.newContext({ locale: 'en-US' });
        const page = await context.newPage();
        const scripts: Promise<string>[] = [];
        page.on('response', (response) => {
          if (response.url().endsWith('.js')) scripts.push(response.text());
        });
        await page.goto(`${playUrls[0]}&lang=${tag}`);
        await page.locator('.board').waitFor();
        expect(await languageOn(page)).toEqual([tag, languageOf(tag).dir]);
        const wanted = (await languageOf(tag).load())['status.waitingFor'] as string;
        const shown = page.locator('.status-text', { hasText: wanted.replace('{name}', 'Bea') });
        await shown.waitFor();
        const code = (await Promise.all(scripts)).join('\n');
        const loaded: string[] = [];
        for (const other of LANGUAGE_TAGS) {
          const texts = await languageOf(other).load();
          if (code.includes(texts['notice.gone'] as string)) loaded.push(other);
        }
        expect(loaded).toEqual([tag]);
        await context.close();
      },
      TEST_MS_MAX,
    );
  }

  inBrowser(
    '[W6] the page uses the browser’s language unless the address requests another, and English as fallback',
    async () => {
      for (const [locale, tag] of [
        ['es-MX', 'es'],
        ['pt-PT', 'pt'],
        ['fr-FR', 'en'],
      ]) {
        const [ada] = await openMatch('tictactoe', '', { locale: locale! });
        await ada!.page.locator('.board').waitFor();
        expect(await languageOn(ada!.page)).toEqual([tag!, 'ltr']);
        await ada!.context.close();
      }
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6] a language that fails to load falls back to English; if all fail, a reload restores the match',
    async () => {
      for (const [blocked, count, shown] of [
        ['de', 1, 'Waiting for Bea'],
        ['{de,en,es,hi,pt}', 5, 'Warten auf Bea'],
      ] as const) {
        const { playUrls } = await makeMatch(world.server, { game: 'connect4' });
        const context = await world.browser.newContext();
        const page = await context.newPage();
        let requests = 0;
        await page.route(`**/assets/${blocked}-*.js`, async (route) => {
          requests += 1;
          if (requests <= count) await route.abort();
          else await route.continue();
        });
        await page.goto(`${playUrls[0]}&lang=de`);
        await page.locator('.status-text', { hasText: shown }).waitFor();
        await page.locator('.board').waitFor();
        expect(await page.evaluate(() => location.hash)).toBe('');
        await context.close();
      }
    },
    TEST_MS_MAX,
  );
});
