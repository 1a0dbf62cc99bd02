/** A match before it starts: the room's code, how to share it, and which players are present. */

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { startHosted } from '../parts/hosted-start.ts';
import { call, closeAll, faultsOf, makeMatch, openSeat, PLAYERS } from '../parts/matches.ts';

const TEST_MS_MAX = 150_000;
/** The page polls the number of watchers every eight seconds; twice that on a slow machine. */
const PING_MS = 20_000;
const world = useBrowserWorld('the lobby of a match');
const { inBrowser } = world;

const [ADA, BEA] = PLAYERS;
const INVITE = 'https://game.example/join?code={code}';
const SIZES = [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
  { width: 1_280, height: 800 },
];

/** Creates a room for this many players, with Ada in it. */
async function makeRoom(seats = 2, game = seats > 2 ? 'ludo' : 'tictactoe') {
  const body = { game, seats, matchType: 'private', players: [ADA] };
  const { sessionId, playUrls } = await makeMatch(world.server, body);
  const { roomCode } = (await call(world.server, 'GET', `/v1/sessions/${sessionId}`)) as {
    readonly roomCode: string;
  };
  return { sessionId, game, roomCode, url: playUrls[0]! };
}

type Room = Awaited<ReturnType<typeof makeRoom>>;

/** Joins by the code, as a tenant's backend does; returns the play URL of that player. */
async function join({ roomCode, game }: Room, player: object): Promise<string> {
  const body = { roomCode, game, player };
  const answer = (await call(world.server, 'POST', '/v1/sessions/join', body)) as {
    readonly playUrls: Readonly<Record<string, string>>;
  };
  return Object.values(answer.playUrls)[0]!;
}

const rowsOf = (page: Page): Promise<string[]> =>
  page
    .locator('.lobby-seats li')
    .evaluateAll((rows) =>
      rows.map((row) => `${row.getAttribute('data-state')}: ${(row as HTMLElement).innerText}`),
    );

const awaitRow = (page: Page, seat: number, state: string): Promise<void> =>
  page.locator(`.lobby-seats li:nth-child(${seat + 1})[data-state=${state}]`).waitFor();

/** Records screen reader announcements from now on. */
const recordAnnouncements = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const announcements: string[] = [];
    Object.assign(window, { announcements });
    const calm = document.querySelector('.only-heard > [role=status]')!;
    new MutationObserver(() => announcements.push(calm.textContent)).observe(calm, {
      childList: true,
    });
  });

const awaitAnnouncement = (page: Page, text: string): Promise<unknown> =>
  page.waitForFunction(
    (wanted) =>
      (window as unknown as { announcements: string[] }).announcements.join(' ').includes(wanted),
    text,
  );

const pressed = (page: Page, name: string): Promise<void> =>
  page.locator('.lobby').getByRole('button', { name, exact: true }).click();

inBrowser(
  '[W9][S3] the room’s code is shown and can be copied; joining and leaving players are shown and announced',
  async () => {
    const room = await makeRoom();
    const permissions = ['clipboard-read', 'clipboard-write'];
    const ada = await openSeat(world.browser, room.url, { permissions });
    const { page } = ada;
    await page.locator('.lobby-code', { hasText: room.roomCode }).waitFor();
    await recordAnnouncements(page);
    expect(await rowsOf(page)).toEqual(['here: Ada (You)\nonline', 'open: Open seat']);
    await pressed(page, 'Copy code');
    await page.locator('.lobby').getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(room.roomCode);
    // No invite link is configured and this browser has no share dialog.
    expect(await page.getByRole('button', { name: 'Copy link' }).isVisible()).toBe(false);
    await join(room, BEA);
    await awaitRow(page, 1, 'absent');
    expect(await rowsOf(page)).toEqual(['here: Ada (You)\nonline', 'absent: Bea\nnot in yet']);
    // The room is full: its code admits nobody else.
    expect(await page.locator('.lobby-room').isVisible()).toBe(false);
    await awaitAnnouncement(page, 'Bea joined');
    await call(world.server, 'DELETE', `/v1/sessions/${room.sessionId}/players/bea`);
    await page.locator('.lobby-code', { hasText: room.roomCode }).waitFor();
    await awaitAnnouncement(page, 'Bea left the room');
    expect(await rowsOf(page)).toEqual(['here: Ada (You)\nonline', 'open: Open seat']);
    const again = await join(room, BEA);
    await page.getByRole('button', { name: 'Leave' }).focus();
    const second = await openSeat(world.browser, again);
    await page.locator('.status[data-tone=mine]').waitFor();
    expect(await page.locator('.lobby-place').isVisible()).toBe(false);
    expect([faultsOf(ada), faultsOf(second)]).toEqual([[], []]);
    await closeAll([ada, second]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W9] a room for several players shows each seat as present, not in yet or open',
  async () => {
    const room = await makeRoom(4);
    const ada = await openSeat(world.browser, room.url);
    await ada.page.locator('.lobby').waitFor();
    await recordAnnouncements(ada.page);
    const bea = await openSeat(world.browser, await join(room, BEA));
    await join(room, { id: 'cem', displayName: 'Cem' });
    const wanted = ['here: Ada (You)\nonline', 'here: Bea\nonline', 'absent: Cem\nnot in yet'];
    await awaitRow(ada.page, 2, 'absent');
    await awaitRow(ada.page, 1, 'here');
    expect(await rowsOf(ada.page)).toEqual([...wanted, 'open: Open seat']);
    expect(await ada.page.locator('.lobby-title').innerText()).toBe('Players here: 2 of 4');
    await awaitAnnouncement(ada.page, 'Bea is there');
    await bea.context.close();
    await awaitRow(ada.page, 1, 'absent');
    await closeAll([ada]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W9] the tenant’s invite link can be shared and shown as a QR code; only web addresses are accepted',
  async () => {
    const room = await makeRoom();
    const address = `${room.url}&invite=${encodeURIComponent(INVITE)}`;
    const context = await world.browser.newContext();
    await context.addInitScript(() => {
      const shared: unknown[] = [];
      Object.assign(window, { shared });
      Object.assign(navigator, { share: async (data: unknown) => void shared.push(data) });
    });
    const page = await context.newPage();
    await page.goto(address);
    const link = INVITE.replace('{code}', room.roomCode);
    await pressed(page, 'Share');
    expect(await page.evaluate(() => (window as unknown as { shared: unknown[] }).shared)).toEqual([
      { text: `Join my match of Tic-tac-toe with the code ${room.roomCode}.`, url: link },
    ]);
    await pressed(page, 'QR code');
    const code = page.getByRole('img', { name: link });
    await code.waitFor();
    const { data } = encode(link, { ecc: 'M', border: 4 });
    const dark = data.flat().filter(Boolean).length;
    expect((await code.locator('path').getAttribute('d'))!.match(/M/g)).toHaveLength(dark);
    await page.keyboard.press('Escape');
    await code.waitFor({ state: 'detached' });
    // The link survives a reload.
    await page.reload();
    await pressed(page, 'QR code');
    await page.getByRole('img', { name: link }).waitFor();
    await context.close();
    const odd = await openSeat(
      world.browser,
      `${(await makeRoom()).url}&invite=javascript:alert(1)`,
    );
    await odd.page.locator('.lobby-code').waitFor();
    expect(await odd.page.getByRole('button', { name: 'Copy link' }).isVisible()).toBe(false);
    await closeAll([odd]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W9] the invite link is copied if the device has no share dialog',
  async () => {
    const room = await makeRoom();
    const permissions = ['clipboard-read', 'clipboard-write'];
    const address = `${room.url}&invite=${encodeURIComponent(INVITE)}`;
    const ada = await openSeat(world.browser, address, { permissions });
    await pressed(ada.page, 'Copy link');
    await ada.page.locator('.lobby').getByRole('button', { name: 'Copied' }).waitFor();
    expect(await ada.page.evaluate(() => navigator.clipboard.readText())).toBe(
      INVITE.replace('{code}', room.roomCode),
    );
    await closeAll([ada]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W9] watchers see who is present but no code; a match from the queue has no code',
  async () => {
    const room = await makeRoom(4);
    const path = `/v1/sessions/${room.sessionId}/watch`;
    const { playUrl } = (await call(world.server, 'POST', path)) as { readonly playUrl: string };
    const watcher = await openSeat(world.browser, playUrl);
    await awaitRow(watcher.page, 0, 'absent');
    expect(await watcher.page.locator('.lobby-room').isVisible()).toBe(false);
    expect(await watcher.page.content()).not.toContain(room.roomCode);
    const queued = await makeMatch(world.server, {
      game: 'tictactoe',
      players: [{ id: 'queued' }],
    });
    const alone = await openSeat(world.browser, queued.playUrls[0]!);
    // The queue draws seats at random, so the player may have either.
    await alone.page.locator('.lobby-seats [data-state=open]').waitFor();
    expect(await alone.page.locator('.lobby-room').isVisible()).toBe(false);
    await closeAll([watcher, alone]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W5] players see how many watch them, and the number follows changes',
  async () => {
    const { sessionId, playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
    const watch = async () => {
      const path = `/v1/sessions/${sessionId}/watch`;
      const { playUrl } = (await call(world.server, 'POST', path)) as { readonly playUrl: string };
      return openSeat(world.browser, playUrl);
    };
    const ada = await openSeat(world.browser, playUrls[0]!, { bypassCSP: true });
    const bea = await openSeat(world.browser, playUrls[1]!);
    await ada.page.locator('.status[data-tone=mine]').waitFor();
    const onlookers = ada.page.locator('.plates ~ .onlookers');
    expect(await onlookers.isVisible()).toBe(false);
    const first = await watch();
    await onlookers.filter({ hasText: '1 viewer' }).waitFor({ timeout: PING_MS });
    const second = await watch();
    await onlookers.filter({ hasText: '2 viewers' }).waitFor({ timeout: PING_MS });
    expect(await brokenRules(ada.page)).toEqual([]);
    await closeAll([first, second]);
    await onlookers.waitFor({ state: 'hidden', timeout: PING_MS });
    await closeAll([ada, bea]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W9][W6] the lobby fits and breaks no rule of axe, at every size, in both themes, for any game',
  async () => {
    const folder = process.env['LOBBY_PICTURES'];
    for (const [game, seats] of [
      ['tictactoe', 2],
      ['ludo', 4],
      ['pool', 2],
      ['fight-arena', 2],
    ] as const) {
      // The boards of these two differ only on small screens.
      const sizes = game === 'pool' || game === 'fight-arena' ? SIZES.slice(0, 2) : SIZES;
      for (const [index, viewport] of sizes.entries()) {
        // Themes alternate over games and sizes, so that each size gets both.
        const colorScheme = (index + game.length) % 2 === 0 ? 'light' : 'dark';
        const room = await makeRoom(seats, game);
        const address = `${room.url}&invite=${encodeURIComponent(INVITE)}`;
        const view = { viewport, colorScheme, bypassCSP: true, reducedMotion: 'reduce' } as const;
        const ada = await openSeat(world.browser, address, view);
        const { page } = ada;
        await page.locator('.lobby-code', { hasText: room.roomCode }).waitFor();
        await page.locator('.plate-piece > *').first().waitFor({ state: 'attached' });
        if (folder !== undefined) {
          await page.screenshot({
            path: `${folder}/lobby-${game}-${viewport.width}-${colorScheme}.png`,
          });
        }
        expect([game, viewport, await brokenRules(page)]).toEqual([game, viewport, []]);
        expect([game, viewport, await cutIn(page)]).toEqual([game, viewport, []]);
        await closeAll([ada]);
      }
    }
  },
  TEST_MS_MAX,
);

/** Faults of the lobby's layout: overflow, cut-off text, and buttons smaller than 44 px. */
const cutIn = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() => {
    const lobby = document.querySelector('.lobby')!;
    const place = lobby.parentElement!.getBoundingClientRect();
    const { top, bottom } = lobby.getBoundingClientRect();
    const isOut = top < place.top - 1 || bottom > place.bottom + 1;
    const isCut = [lobby, lobby.querySelector('.lobby-seats')!].some(
      ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1,
    );
    const small = [...lobby.querySelectorAll('button')]
      .filter(({ offsetParent }) => offsetParent !== null)
      .filter(({ offsetHeight, offsetWidth }) => Math.min(offsetHeight, offsetWidth) < 44)
      .map(({ textContent }) => textContent);
    return [...(isOut ? ['sticks out'] : []), ...(isCut ? ['is cut off'] : []), ...small];
  });

inBrowser(
  '[M5][W6] a hosted match that runs without a player says that they have not come yet, not that they disconnected',
  async () => {
    const playUrls = await startHosted(world.server, 'tictactoe', ['here', 'late']);
    const first = await openSeat(world.browser, playUrls['here']!);
    const { page } = first;
    const other = page.locator('.plate:not(.is-own) .plate-sub');
    await page.locator('.status-text', { hasText: 'late has not come yet' }).waitFor();
    await page.locator('.trail-text', { hasText: 'late has not come yet' }).waitFor();
    expect(await other.innerText()).toContain('not in yet');
    // The page still knows it after a reload.
    await page.reload();
    await page.locator('.status-text', { hasText: 'late has not come yet' }).waitFor();
    const second = await openSeat(world.browser, playUrls['late']!);
    await page.locator('.trail-text', { hasText: 'late is there' }).waitFor();
    expect(await other.innerText()).toContain('online');
    await second.context.close();
    await page.locator('.status-text', { hasText: 'late lost the connection' }).waitFor();
    expect(await other.innerText()).toContain('away');
    expect([faultsOf(first), faultsOf(second)]).toEqual([[], []]);
    await closeAll([first]);
  },
  TEST_MS_MAX,
);
