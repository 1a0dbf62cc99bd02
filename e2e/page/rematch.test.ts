/** A rematch of two players in a real browser (W8): accepted, declined, one leaves, two tabs, a lost connection. */

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { playToEnd } from '../parts/finished-match.ts';
import {
  call,
  closeAll,
  FOUR_PLAYERS,
  makeMatch,
  openSeat,
  PLAYERS,
  readSession,
  type SeatPage,
} from '../parts/matches.ts';

const TEST_MS_MAX = 120_000;

const world = useBrowserWorld('rematches in the page');
const { inBrowser } = world;

type RematchSetting = 'announce' | 'create';

/** A finished match, with both pages at the result. */
async function over(setting: RematchSetting, seed: string, url = (own: string) => own) {
  await call(world.server, 'PATCH', '/v1/settings', { rematch: setting });
  const match = await playToEnd(
    world.server,
    { game: 'tictactoe', matchType: 'private' },
    { seed: `${TEST_SEED} ${seed}` },
  );
  const [ada, bea] = await Promise.all(
    match.playUrls.map((own, seat) =>
      openSeat(world.browser, seat === 0 ? url(own) : own, { reducedMotion: 'reduce' }),
    ),
  );
  await Promise.all([ada!, bea!].map(({ page }) => buttonOf(page, 'Rematch').waitFor()));
  return { ...match, ada: ada!, bea: bea! };
}

const buttonOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const press = (page: Page, name: string) => buttonOf(page, name).click();
const reads = (page: Page, text: string) =>
  page.locator('.rematch-said', { hasText: text }).waitFor();
/** Records all messages about the rematch from the page's start. */
function recordMessages(): void {
  const messages: string[] = [];
  Object.assign(window, { messages });
  new MutationObserver(() => {
    const text = document.querySelector('.rematch-said')?.textContent ?? '';
    if (text !== '' && messages.at(-1) !== text) messages.push(text);
  }).observe(document, { childList: true, subtree: true, characterData: true });
}
const messagesIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { messages: string[] }).messages);

const isPlaying = (page: Page) =>
  page.locator('.app[data-shows=match] .status:not([data-tone=done]) .status-text').waitFor();

const close = (...seats: readonly SeatPage[]) =>
  Promise.all(seats.map(({ context }) => context.close()));

inBrowser(
  '[W8][P13][K9] when both agree the service creates the rematch, both pages open it, and plates show the series’ score',
  async () => {
    const { ada, bea, sessionId } = await over('create', 'agree');
    expect(await brokenRules(ada.page)).toEqual([]);
    await ada.page.locator('.rematch-facts', { hasText: 'Rating 1,500 →' }).waitFor();
    await press(ada.page, 'Rematch');
    await reads(ada.page, 'Waiting for Bea to accept…');
    await reads(bea.page, 'Ada wants a rematch.');
    expect(await brokenRules(bea.page)).toEqual([]);
    await press(bea.page, 'Accept rematch');
    await Promise.all([isPlaying(ada.page), isPlaying(bea.page)]);
    for (const { page } of [ada, bea]) {
      await page
        .locator('.plate-sub', { hasText: /\d wins?/ })
        .first()
        .waitFor();
    }
    const made = await call(world.server, 'POST', `/v1/sessions/${sessionId}/rematch`);
    const next = await readSession(world.server, (made as { sessionId: string }).sessionId);
    expect(next.players.map(({ id }) => id)).toEqual(['bea', 'ada']);
    expect([...ada.complaints, ...bea.complaints]).toEqual([]);
    await close(ada, bea);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W8][P13] an offer can be withdrawn, made again and declined, and each page says by whom',
  async () => {
    const { ada, bea } = await over('announce', 'decline');
    await press(ada.page, 'Rematch');
    await reads(bea.page, 'Ada wants a rematch.');
    await press(ada.page, 'Withdraw offer');
    await reads(bea.page, 'Ada withdrew the offer.');
    await press(bea.page, 'Rematch');
    await reads(ada.page, 'Bea wants a rematch.');
    await press(ada.page, 'Decline');
    await reads(ada.page, 'You declined a rematch.');
    await reads(bea.page, 'Ada declined a rematch.');
    for (const { page } of [ada, bea]) {
      expect(await page.locator('.rematch-buttons button').count()).toBe(0);
    }
    await close(ada, bea);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W8][P13] an offer stays open when the other player leaves, and is shown when they return',
  async () => {
    const { ada, bea } = await over('announce', 'left');
    await press(ada.page, 'Rematch');
    await reads(bea.page, 'Ada wants a rematch.');
    await bea.page.goto('about:blank');
    await reads(ada.page, 'Bea has left. Your offer stands while they are away.');
    await bea.page.goBack();
    await reads(bea.page, 'Ada wants a rematch.');
    await reads(ada.page, 'Waiting for Bea to accept…');
    await close(ada, bea);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W8][P13] no page says that a player has left when the results open one after the other',
  async () => {
    const match = await playToEnd(
      world.server,
      { game: 'tictactoe', matchType: 'private' },
      { seed: `${TEST_SEED} coming` },
    );
    const open = async (url: string) => {
      const seat = await openSeat(world.browser, 'about:blank', { reducedMotion: 'reduce' });
      await seat.page.addInitScript(recordMessages);
      await seat.page.goto(url);
      await buttonOf(seat.page, 'Rematch').waitFor();
      return seat;
    };
    const ada = await open(match.playUrls[0]!);
    await reads(ada.page, 'Bea is not here.');
    const bea = await open(match.playUrls[1]!);
    await ada.page.locator('.rematch-said:empty').waitFor({ state: 'attached' });
    expect(await messagesIn(ada.page)).toEqual(['Bea is not here.']);
    expect(await messagesIn(bea.page)).toEqual([]);
    // Each page sees the other disconnected for a moment.
    await Promise.all([ada.page.reload(), bea.page.reload()]);
    await Promise.all([ada, bea].map(({ page }) => buttonOf(page, 'Rematch').waitFor()));
    await press(ada.page, 'Rematch');
    await reads(bea.page, 'Ada wants a rematch.');
    expect(await messagesIn(ada.page)).toEqual(['Waiting for Bea to accept…']);
    expect(await messagesIn(bea.page)).toEqual(['Ada wants a rematch.']);
    await close(ada, bea);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W8][P13][P1] the newer of a player’s two tabs shows the offer made in the older one',
  async () => {
    const { ada, bea, playUrls } = await over('announce', 'tabs');
    await press(ada.page, 'Rematch');
    await reads(ada.page, 'Waiting for Bea to accept…');
    const tab = await ada.context.newPage();
    await tab.goto(playUrls[0]!);
    await reads(tab, 'Waiting for Bea to accept…');
    await press(tab, 'Withdraw offer');
    await reads(bea.page, 'Ada withdrew the offer.');
    await reads(ada.page, 'Connection lost. Offers still stand.');
    expect(await buttonOf(ada.page, 'Withdraw offer').getAttribute('aria-disabled')).toBe('true');
    await close(ada, bea);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W8][P13] a broken connection is shown, and missed messages are shown afterwards',
  async () => {
    const { ada, bea } = await over('create', 'line', world.proxied);
    await press(ada.page, 'Rematch');
    await reads(bea.page, 'Ada wants a rematch.');
    world.proxy.cut();
    await reads(ada.page, 'Connection lost. Offers still stand.');
    await press(bea.page, 'Accept rematch');
    await isPlaying(bea.page);
    world.proxy.repair();
    await isPlaying(ada.page);
    await close(ada, bea);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W8][P13] an offer survives when the server is killed',
  async () => {
    const { ada, bea } = await over('create', 'kill');
    await press(ada.page, 'Rematch');
    await reads(bea.page, 'Ada wants a rematch.');
    await world.restart();
    await reads(bea.page, 'Ada wants a rematch.');
    await press(bea.page, 'Accept rematch');
    await Promise.all([isPlaying(ada.page), isPlaying(bea.page)]);
    await close(ada, bea);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W8][P13] an offer survives a reload, works by keyboard and is announced',
  async () => {
    const { ada, bea } = await over('create', 'keys');
    const heard = (page: Page, text: string) =>
      page.locator('[aria-live=polite]', { hasText: text }).waitFor({ state: 'attached' });
    await buttonOf(ada.page, 'Rematch').focus();
    await ada.page.keyboard.press('Enter');
    await heard(bea.page, 'Ada wants a rematch.');
    await heard(ada.page, 'Waiting for Bea to accept…');
    // The pressed button is removed: the focus stays in the rematch sheet.
    expect(await ada.page.locator('.rematch:focus, .rematch :focus').count()).toBe(1);
    await Promise.all([ada.page.reload(), bea.page.reload()]);
    await reads(ada.page, 'Waiting for Bea to accept…');
    await reads(bea.page, 'Ada wants a rematch.');
    await buttonOf(bea.page, 'Accept rematch').focus();
    await bea.page.keyboard.press('Space');
    await Promise.all([isPlaying(ada.page), isPlaying(bea.page)]);
    // After a reload the page still shows the new match.
    await ada.page.reload();
    await isPlaying(ada.page);
    await close(ada, bea);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W8][P13] a bot always accepts: the rematch starts at the first press',
  async () => {
    await call(world.server, 'PATCH', '/v1/settings', { rematch: 'create' });
    const match = await makeMatch(world.server, {
      game: 'tictactoe',
      matchType: 'bot',
      players: [PLAYERS[0]],
    });
    const ada = await openSeat(world.browser, match.playUrls[0]!);
    await ada.page.locator('.board').waitFor();
    await call(world.server, 'POST', `/v1/sessions/${match.sessionId}/end`);
    await press(ada.page, 'Rematch');
    await isPlaying(ada.page);
    await close(ada);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W8][P13] with three players the page names those who have not accepted, until all have',
  async () => {
    await call(world.server, 'PATCH', '/v1/settings', { rematch: 'create' });
    const players = FOUR_PLAYERS.slice(0, 3);
    const { sessionId, playUrls } = await makeMatch(world.server, {
      game: 'ludo',
      seats: 3,
      players,
    });
    const seats = await Promise.all(playUrls.map((url) => openSeat(world.browser, url)));
    const [ada, bea, cem] = seats.map(({ page }) => page) as [Page, Page, Page];
    await Promise.all(seats.map(({ page }) => isPlaying(page)));
    await call(world.server, 'POST', `/v1/sessions/${sessionId}/end`);
    await press(ada, 'Rematch');
    await reads(ada, 'Waiting for Bea and Cem to accept…');
    await press(bea, 'Accept rematch');
    await reads(cem, 'Ada and Bea want a rematch.');
    await reads(ada, 'Waiting for Cem to accept…');
    await press(cem, 'Accept rematch');
    await Promise.all([isPlaying(ada), isPlaying(bea), isPlaying(cem)]);
    await closeAll(seats);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W8][K9] no rematch is shown when the tenant has it switched off, even after an offer',
  async () => {
    const { ada, bea } = await over('announce', 'off');
    await press(ada.page, 'Rematch');
    await reads(bea.page, 'Ada wants a rematch.');
    await call(world.server, 'PATCH', '/v1/settings', { rematch: 'off' });
    await press(bea.page, 'Accept rematch');
    await buttonOf(bea.page, 'Accept rematch').waitFor({ state: 'detached' });
    await ada.page.reload();
    await ada.page.locator('.footer.has-result').waitFor();
    await ada.page.locator('.rematch-facts', { hasText: 'Rating' }).waitFor();
    for (const { page } of [ada, bea]) {
      expect(await page.locator('.rematch-buttons button').count()).toBe(0);
    }
    await close(ada, bea);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W6][W8] a result of two or three players fits a phone in landscape without covered parts',
  async () => {
    await call(world.server, 'PATCH', '/v1/settings', { rematch: 'announce' });
    for (const count of [2, 3]) {
      const { sessionId, playUrls } = await makeMatch(world.server, {
        game: count === 2 ? 'tictactoe' : 'ludo',
        seats: count,
        players: FOUR_PLAYERS.slice(0, count),
      });
      const view = { viewport: { width: 740, height: 360 }, reducedMotion: 'reduce' } as const;
      const seats = await Promise.all(playUrls.map((url) => openSeat(world.browser, url, view)));
      await Promise.all(seats.map(({ page }) => isPlaying(page)));
      await call(world.server, 'POST', `/v1/sessions/${sessionId}/end`);
      await press(seats[1]!.page, 'Rematch');
      const { page } = seats[0]!;
      await buttonOf(page, 'Decline').waitFor();
      const boxOf = async (part: string) => (await page.locator(part).first().boundingBox())!;
      const [headline, card, last] = await Promise.all(
        ['.status-text', '.card', '.after'].map(boxOf),
      );
      expect(card!.y).toBeGreaterThanOrEqual(headline!.y + headline!.height - 2);
      expect(last!.y + last!.height).toBeLessThanOrEqual(360);
      await closeAll(seats);
    }
  },
  TEST_MS_MAX,
);

/** Runs in the page: parts of a result that are cut off, or overlap each other or the stage. */
function faultsOfResult(): string[] {
  const { clientWidth: wide, clientHeight: high } = document.documentElement;
  const isOver = matchMedia('(min-aspect-ratio: 11 / 10) and (max-height: 500px)').matches;
  const parts = ['.status-text', '.card', '.rematch', '.controls', '.after > .button'].flatMap(
    (part) => [...document.querySelectorAll(part)].filter((each) => each.checkVisibility()),
  );
  // In landscape the whole result overlays the stage.
  if (!isOver) parts.push(document.querySelector('.table')!);
  const boxes = parts.map((each) => ({
    name: each.classList[0]!,
    box: each.getBoundingClientRect(),
  }));
  const out = boxes.filter(
    ({ box }) => box.left < 0 || box.top < 0 || box.right > wide || box.bottom > high,
  );
  const over = boxes.flatMap(({ name, box }, n) =>
    boxes
      .slice(n + 1)
      .filter(
        (other) =>
          Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left) > 1 &&
          Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top) > 1,
      )
      .map((other) => `${name} over ${other.name}`),
  );
  return [...out.map(({ name }) => `${name} is cut off`), ...over];
}

inBrowser(
  '[W6][W8] a fight’s result is neither cut off nor covered, and the stage fills at least two fifths of the screen',
  async () => {
    await call(world.server, 'PATCH', '/v1/settings', { rematch: 'announce' });
    const faults: string[] = [];
    for (const lang of ['en', 'de']) {
      const { playUrls } = await makeMatch(world.server, { game: 'fight-arena' });
      const seats = await Promise.all(
        playUrls.map((url) =>
          openSeat(world.browser, `${url}&lang=${lang}`, { reducedMotion: 'reduce' }),
        ),
      );
      const [ada, bea] = seats.map(({ page }) => page) as [Page, Page];
      await Promise.all([isPlaying(ada), isPlaying(bea)]);
      await bea.locator('.controls .button').last().click();
      await bea.getByRole('dialog').getByRole('button').last().click();
      await bea.locator('.rematch .is-primary').click();
      await ada.locator('.rematch-buttons button').nth(1).waitFor();
      for (const [width, height] of [
        [360, 740],
        [740, 360],
        [800, 700],
        [1280, 800],
        [1920, 1080],
      ] as const) {
        await ada.setViewportSize({ width, height });
        await ada.waitForTimeout(200);
        const found = await ada.evaluate(faultsOfResult);
        const stage = (await ada.locator('.table').boundingBox())!;
        if (stage.height < height * 0.4) found.push(`the stage has ${stage.height} px`);
        faults.push(...found.map((each) => `${lang} ${width}×${height}: ${each}`));
      }
      await closeAll(seats);
    }
    expect(faults).toEqual([]);
  },
  TEST_MS_MAX,
);
