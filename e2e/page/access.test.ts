/** Accessibility of the players' page: axe rules, keyboard, screen readers, forced colours and reduced motion. */

import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import type { BoardGame } from '../parts/keyboard.ts';
import { BOARD_GAMES, resignByKeys, stepByKeys } from '../parts/keyboard.ts';
import type { SeatPage } from '../parts/matches.ts';
import {
  awaitTurn,
  faultsOf,
  makeMatch,
  openSeat,
  pressCell,
  readResult,
} from '../parts/matches.ts';

const TEST_MS_MAX = 120_000;
/** If no player can act for this long, the match is stuck. Milliseconds. */
const STEP_MS_MAX = 10_000;
/** Longest animation on the page. Milliseconds. */
const REST_MS = 700;

const world = useBrowserWorld('accessibility of the players’ page');
const { inBrowser } = world;

type View = Parameters<typeof openSeat>[2];

const CALM: View = { reducedMotion: 'reduce' };

/** Two pages, the first light and the second dark. */
async function openBoth(game: BoardGame, view: View = CALM): Promise<[SeatPage, SeatPage]> {
  const { playUrls } = await makeMatch(world.server, {
    game,
    ...(game === 'ludo' && { seats: 2 }),
  });
  const open = (seat: number, theme: string): Promise<SeatPage> =>
    openSeat(world.browser, `${playUrls[seat]}&theme=${theme}`, view);
  return [await open(0, 'light'), await open(1, 'dark')];
}

/** Plays this many moves, for either player, with the keyboard only. */
async function playByKeys(
  seats: readonly SeatPage[],
  game: BoardGame,
  moves: number,
): Promise<void> {
  let since = Date.now();
  for (let made = 0; made < moves; ) {
    for (const { page } of seats) {
      if (!(await stepByKeys(page, game))) continue;
      made += 1;
      since = Date.now();
      // The server acknowledges each move before the next one.
      await page.locator('.is-sending').waitFor({ state: 'detached' });
    }
    if (await seats[0]!.page.locator('.status[data-tone=done]').count()) return;
    if (Date.now() - since > STEP_MS_MAX) throw new Error(`Nobody can go on after ${made} moves`);
    await seats[0]!.page.waitForTimeout(30);
  }
}

/** Records all announcements from now on. The returned function waits until one matches. */
async function listen({ page }: SeatPage): Promise<(wanted: RegExp) => Promise<void>> {
  await page.evaluate(() => {
    const announced: string[] = [];
    Object.assign(window, { announced });
    const note = (): void => {
      for (const region of document.querySelectorAll('[aria-live=polite], [aria-live=assertive]')) {
        const text = region.textContent ?? '';
        if (text !== '' && !announced.includes(text)) announced.push(text);
      }
    };
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
  });
  const announced = () =>
    page.evaluate(() => (window as unknown as { announced: string[] }).announced);
  return async (wanted) => {
    const until = Date.now() + STEP_MS_MAX;
    while (!(await announced()).some((text) => wanted.test(text))) {
      if (Date.now() > until) throw new Error(`${wanted} was not heard in: ${await announced()}`);
      await page.waitForTimeout(30);
    }
  };
}

async function expectNoFaults(seats: readonly SeatPage[]): Promise<void> {
  expect(seats.flatMap(faultsOf)).toEqual([]);
  await Promise.all(seats.map(({ context }) => context.close()));
}

/** Moves after which each board is in the middle of a match. */
const MOVES: Readonly<Record<BoardGame, number>> = {
  tictactoe: 3,
  connect4: 5,
  checkers: 8,
  ludo: 14,
  pool: 3,
};

describe.each([...BOARD_GAMES])('%s', (game) => {
  inBrowser(
    '[W6] breaks no rule of axe before, during and after the match, in the light and dark themes',
    async () => {
      const { playUrls } = await makeMatch(world.server, {
        game,
        ...(game === 'ludo' && { seats: 2 }),
      });
      const broken: string[] = [];
      const look = async (when: string, { page }: SeatPage): Promise<void> => {
        await page.waitForTimeout(REST_MS);
        broken.push(...(await brokenRules(page)).map((rule) => `${when}: ${rule}`));
      };
      const ada = await openSeat(world.browser, `${playUrls[0]}&theme=light`, CALM);
      await ada.page.locator('.board').waitFor();
      await look('before, light', ada);
      await ada.page.evaluate(() => {
        document.documentElement.dataset['theme'] = 'dark';
      });
      await look('before, dark', ada);
      await ada.page.evaluate(() => {
        document.documentElement.dataset['theme'] = 'light';
      });
      const bea = await openSeat(world.browser, `${playUrls[1]}&theme=dark`, CALM);
      await playByKeys([ada, bea], game, MOVES[game]);
      await look('during, light', ada);
      await look('during, dark', bea);
      await bea.page.getByRole('button', { name: 'React' }).click();
      await look('emotes, dark', bea);
      await bea.page.keyboard.press('Escape');
      await ada.page.getByRole('button', { name: 'Resign' }).first().click();
      await look('dialog, light', ada);
      await ada.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
      await readResult(bea.page);
      await look('after, light', ada);
      await look('after, dark', bea);
      expect(broken).toEqual([]);
      await expectNoFaults([ada, bea]);
    },
    TEST_MS_MAX,
  );
});

/** What screen readers announce of Ada's moves to the other player; announcements close together are merged. */
const ANNOUNCED: Readonly<Record<BoardGame, RegExp>> = {
  tictactoe: /Ada: X in row \d, column \d\. Your turn\./,
  connect4: /Ada: red in column \d\. Your turn\./,
  checkers: /Ada: \d+ (?:to|takes to) \d+.*\. Your turn\./,
  ludo: /Ada rolled \d/,
  pool: /Ada played, (?:ball|nothing)|Foul, Ada: /,
};

describe('with keyboard and screen reader only', () => {
  for (const game of BOARD_GAMES) {
    inBrowser(
      `[W6] ${game} can be played and resigned, and every move is announced`,
      async () => {
        const seats = await openBoth(game);
        const [ada, bea] = seats;
        const announced = await listen(bea);
        const announcedToAda = await listen(ada);
        await playByKeys(seats, game, MOVES[game]);
        await announced(ANNOUNCED[game]);
        await resignByKeys(ada.page);
        await readResult(bea.page);
        await announced(/^You won\. Ada resigned\.$/);
        await announcedToAda(/^You lost\. You resigned\.$/);
        await expectNoFaults(seats);
      },
      TEST_MS_MAX,
    );
  }

  inBrowser(
    '[W6][P6] both pages announce when a connection is lost and restored',
    async () => {
      const { playUrls } = await makeMatch(world.server, { game: 'connect4' });
      const ada = await openSeat(world.browser, world.proxied(playUrls[0]!), CALM);
      const bea = await openSeat(world.browser, playUrls[1]!, CALM);
      await playByKeys([ada, bea], 'connect4', 1);
      const announcedToAda = await listen(ada);
      const announcedToBea = await listen(bea);
      world.proxy.cut();
      await announcedToAda(/^Connection lost$/);
      await announcedToBea(/Ada lost the connection\./);
      world.proxy.repair();
      await announcedToAda(/Connected again\./);
      await announcedToBea(/Ada is back\./);
      await expectNoFaults([ada, bea]);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6] a page that reconnects announces the move made while it was offline',
    async () => {
      const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
      const ada = await openSeat(world.browser, playUrls[0]!, CALM);
      const bea = await openSeat(world.browser, world.proxied(playUrls[1]!), CALM);
      await awaitTurn(ada.page);
      // The board's code is loaded over the same connection.
      await bea.page.getByRole('gridcell').first().waitFor();
      const announced = await listen(bea);
      world.proxy.cut();
      await announced(/^Connection lost$/);
      await pressCell(ada.page, 4);
      await ada.page.locator('[role=gridcell][aria-label*="X"]').waitFor();
      world.proxy.repair();
      await announced(/Ada: X in row 2, column 2\. Your turn\./);
      await expectNoFaults([ada, bea]);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[WEB] connect4 can be played to its end',
    async () => {
      const seats = await openBoth('connect4');
      const announced = await listen(seats[1]);
      // Column by column from the left, six high: no four in a row before the fourth column.
      await playByKeys(seats, 'connect4', 42);
      await readResult(seats[1].page);
      await announced(/^You (?:won|lost)\. Four in a row\.$/);
      await expectNoFaults(seats);
    },
    TEST_MS_MAX,
  );
});

describe('pages without a match', () => {
  for (const [kind, hash] of [
    ['no token', ''],
    ['an invalid token', '#token=not.a.token'],
  ] as const) {
    inBrowser(
      `[WEB] ${kind}: the message breaks no rule of axe`,
      async () => {
        const seat = await openSeat(world.browser, `${world.server.url}/play/${hash}`, CALM);
        await seat.page.locator('.notice:not([hidden])').waitFor();
        const title = await seat.page.locator('.notice-title').innerText();
        await seat.page.locator('[aria-live=assertive]', { hasText: title }).waitFor();
        expect(await brokenRules(seat.page)).toEqual([]);
        await seat.context.close();
      },
      TEST_MS_MAX,
    );
  }
});

/** Running animations that are long enough to see; reduced motion shortens them to a millisecond. */
const animationsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document.getAnimations().flatMap((animation) => {
      const { duration } = animation.effect!.getTiming();
      const name = 'animationName' in animation ? String(animation.animationName) : 'script';
      return Number(duration) > 1 ? [name] : [];
    }),
  );

describe('device preferences', () => {
  for (const game of BOARD_GAMES) {
    inBrowser(
      `[W6] ${game}: nothing is animated under reduced motion`,
      async () => {
        const seats = await openBoth(game);
        const moved: string[] = [];
        for (let move = 0; move < MOVES[game]; move += 1) {
          await playByKeys(seats, game, 1);
          for (const { page } of seats) moved.push(...(await animationsOf(page)));
        }
        expect(moved).toEqual([]);
        await expectNoFaults(seats);
      },
      TEST_MS_MAX,
    );
  }

  inBrowser(
    '[WEB] moves are animated without a preference for reduced motion',
    async () => {
      const seats = await openBoth('connect4', { reducedMotion: 'no-preference' });
      await playByKeys(seats, 'connect4', 1);
      await seats[1].page.locator('.c4-stone').first().waitFor();
      expect(await animationsOf(seats[1].page)).toContain('script');
      await expectNoFaults(seats);
    },
    TEST_MS_MAX,
  );

  inBrowser(
    '[W6] with forced colours, buttons, plates and the mark of the player to move have borders',
    async () => {
      const seats = await openBoth('checkers', { ...CALM, forcedColors: 'active' });
      const { page } = seats[0];
      await page.locator('.ck-cell.is-origin').first().waitFor();
      const bordersOf = (selector: string): Promise<string[]> =>
        page.evaluate(
          (wanted) =>
            [...document.querySelectorAll(wanted)].map((each) => {
              const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(each);
              return `${borderTopStyle} ${borderTopWidth} ${borderTopColor}`;
            }),
          selector,
        );
      for (const selector of ['.controls .button', '.plate', '.plate-bar:not([hidden])']) {
        const borders = await bordersOf(selector);
        expect(borders.length).toBeGreaterThan(0);
        expect([selector, borders.filter((each) => /^none|\b0px/.test(each))]).toEqual([
          selector,
          [],
        ]);
      }
      expect(await bordersOf('.plate.is-turn')).not.toEqual(
        await bordersOf('.plate:not(.is-turn)'),
      );
      expect(await brokenRules(page)).toEqual([]);
      await expectNoFaults(seats);
    },
    TEST_MS_MAX,
  );

  for (const game of BOARD_GAMES) {
    inBrowser(
      `[W6] ${game}: the pieces of the seats differ by shape, not only by colour`,
      async () => {
        const seats = await openBoth(game);
        await seats[0].page.locator('.plate-piece .piece').nth(1).waitFor();
        const shapes = await seats[0].page.evaluate(() =>
          [...document.querySelectorAll('.plate-piece')].map((piece) =>
            piece.innerHTML.replace(/class="[^"]*"/g, ''),
          ),
        );
        expect(new Set(shapes).size).toBe(shapes.length);
        await expectNoFaults(seats);
      },
      TEST_MS_MAX,
    );
  }
});
