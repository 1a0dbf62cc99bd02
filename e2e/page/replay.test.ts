/** Replays in a real browser: played, verified and watched live, and how pages without a connection get them. */

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Replay } from '../../src/match/replay/replay-form.ts';
import { openSocket } from '../../src/testing/sockets/socket-client.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import type { FinishedMatch } from '../parts/finished-match.ts';
import { playToEnd } from '../parts/finished-match.ts';
import type { SeatPage } from '../parts/matches.ts';
import { call, openSeat, PLAYERS, readResult } from '../parts/matches.ts';

const TEST_MS_MAX = 170_000;

const world = useBrowserWorld('replays, fairness and watching in the page');
const { inBrowser } = world;

const open = (url: string): Promise<SeatPage> =>
  openSeat(world.browser, url, { reducedMotion: 'reduce' });

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** The label of every cell of the board, which is the whole position. */
const cellsOf = (page: Page): Promise<(string | null)[]> =>
  page
    .locator('[role=gridcell]')
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')));

const positionOf = async (page: Page): Promise<number> =>
  Number(await page.getByRole('slider').inputValue());

const awaitPosition = (page: Page, place: number): Promise<unknown> =>
  page.waitForFunction(
    (wanted) => document.querySelector<HTMLInputElement>('.reel-slider')?.value === wanted,
    String(place),
  );

/** Opens the panel, and returns the result of each check. */
async function readFairness(page: Page): Promise<{ good: string | null; failed: string[] }> {
  await press(page, 'Fair play');
  const verdict = page.locator('.fair-verdict[data-good]');
  await verdict.waitFor();
  const good = await verdict.getAttribute('data-good');
  const failed = await page
    .locator('.fair-list [data-state=failed] > span:first-of-type')
    .allInnerTexts();
  return { good, failed };
}

/** Opens the page at `#replay` and chooses a file with this text. */
async function openFile(content: string): Promise<SeatPage> {
  const seat = await open(`${world.server.url}/play/#replay`);
  await chooseFile(seat.page, content);
  return seat;
}

async function chooseFile(page: Page, content: string): Promise<void> {
  const file = { name: 'replay.json', mimeType: 'application/json', buffer: Buffer.from(content) };
  await page.locator('input[type=file]').setInputFiles(file);
}

const MATCHES: readonly (readonly [string, { variant?: string }])[] = [
  ['connect4', {}],
  ['checkers', {}],
  ['ludo', { variant: 'quick' }],
  ['pool', { variant: 'nineball' }],
];

for (const [game, more] of MATCHES) {
  inBrowser(
    `[W5][P11][S7][S9] ${game} can be replayed with buttons and keyboard, and verified (seed ${TEST_SEED})`,
    async () => {
      const match = await playToEnd(
        world.server,
        { game, ...more },
        { seed: `${TEST_SEED} ${game}` },
      );
      const last = match.replay.inputs.length + match.replay.controls.length;
      const seat = await open(match.playUrls[0]!);
      const { page } = seat;
      const { reason } = await readResult(page);
      await page.locator('.board').waitFor();
      const atTheEnd = await cellsOf(page);
      await press(page, 'Watch replay');
      await awaitPosition(page, 0);
      await replayByButtons(page, last);
      const expected = reason.replace('You have', 'Ada has').replace('You', 'Ada');
      expect(await page.locator('.status-detail').innerText()).toBe(expected);
      expect((await cellsOf(page)).length).toBe(atTheEnd.length);
      if (game !== 'ludo') expect(await cellsOf(page)).toEqual(atTheEnd);
      await replayByKeyboard(page, last);
      expect(await readFairness(page)).toEqual({ good: 'true', failed: [] });
      await page.keyboard.press('Escape');
      await press(page, 'Back to the result');
      expect(await readResult(page)).toMatchObject({ reason });
      expect(await cellsOf(page)).toEqual(atTheEnd);
      expect(seat.complaints).toEqual([]);
      await seat.context.close();
    },
    TEST_MS_MAX,
  );
}

async function replayByButtons(page: Page, last: number): Promise<void> {
  await press(page, 'One step on');
  await press(page, 'One step on');
  await press(page, 'One step back');
  await awaitPosition(page, 1);
  await press(page, '4×');
  await press(page, 'Play');
  await awaitPosition(page, 3);
  await press(page, 'Pause');
  const held = await positionOf(page);
  await page.waitForTimeout(600);
  expect(await positionOf(page)).toBe(held);
  await press(page, 'To the end');
  await awaitPosition(page, last);
  expect(await page.locator('.status').getAttribute('data-tone')).toBe('done');
}

async function replayByKeyboard(page: Page, last: number): Promise<void> {
  await page.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await awaitPosition(page, 0);
  await page.keyboard.press('ArrowRight');
  await awaitPosition(page, 1);
  await page.locator('body').evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await awaitPosition(page, 2);
  const announcement = await page.locator('.only-heard [aria-live=polite]').textContent();
  expect(announcement).toMatch(/\S/);
  await page.keyboard.press(' ');
  await awaitPosition(page, 3);
  await page.keyboard.press('k');
  await page.keyboard.press('End');
  await awaitPosition(page, last);
}

inBrowser(
  '[W5] pool’s balls roll in a replay and stop when it is paused',
  async () => {
    const request = { game: 'pool', variant: 'nineball' };
    const match = await playToEnd(world.server, request, { seed: `${TEST_SEED} pool` });
    const { page, context } = await openSeat(world.browser, match.playUrls[0]!);
    await readResult(page);
    await press(page, 'Watch replay');
    await press(page, 'Pause');
    await page.keyboard.press('Home');
    await awaitPosition(page, 0);
    const picture = (): Promise<string> =>
      page.locator('canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
    const moves = async (): Promise<boolean> => {
      const before = await picture();
      await page.waitForTimeout(200);
      return (await picture()) !== before;
    };
    expect(await moves()).toBe(false);
    await press(page, '0.5×');
    await press(page, 'Play');
    await awaitPosition(page, 1);
    expect(await moves()).toBe(true);
    await press(page, 'Pause');
    expect(await moves()).toBe(false);
    await press(page, 'Play');
    expect(await moves()).toBe(true);
    expect(await positionOf(page)).toBe(1);
    await context.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W5][P11][P10] a fight can be replayed tick by tick, and verified',
  async () => {
    const made = (await call(world.server, 'POST', '/v1/sessions', {
      game: 'fight-arena',
      players: PLAYERS,
    })) as { sessionId: string; tokens: Record<string, string>; playUrls: Record<string, string> };
    const port = Number(new URL(world.server.url).port);
    const [ada, bea] = await Promise.all(
      PLAYERS.map(({ id }) => openSocket(port, { token: made.tokens[id]! })),
    );
    const { sessionId: s } = made;
    // The match starts once both are connected; missing input is filled in.
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    bea!.send({ t: 'resign', s, id: 'r' });
    await ada!.next('over');
    for (const client of [ada!, bea!]) await client.close();
    const seat = await open(made.playUrls['ada']!);
    const { page } = seat;
    await readResult(page);
    await press(page, 'Watch replay');
    await awaitPosition(page, 0);
    const ticks = Number(await page.getByRole('slider').getAttribute('max'));
    expect(ticks).toBeGreaterThan(60);
    await press(page, 'Play');
    await page.waitForFunction(
      () => Number(document.querySelector<HTMLInputElement>('.reel-slider')?.value) > 20,
    );
    await press(page, 'Pause');
    await press(page, 'To the end');
    await awaitPosition(page, ticks);
    expect(await page.locator('.status-text').innerText()).toBe('Ada wins');
    expect(await readFairness(page)).toEqual({ good: 'true', failed: [] });
    expect(seat.complaints).toEqual([]);
    await seat.context.close();
  },
  TEST_MS_MAX,
);

/** One finished match whose file all these tests use. */
let finished: Promise<FinishedMatch> | null = null;
const finishedLudo = (): Promise<FinishedMatch> => {
  finished ??= playToEnd(
    world.server,
    { game: 'ludo', variant: 'quick' },
    { seed: `${TEST_SEED}` },
  );
  return finished;
};

inBrowser(
  '[W5][S7] a file opened at #replay is shown and verified, and breaks no rule of axe',
  async () => {
    const { replay } = await finishedLudo();
    const seat = await openFile(JSON.stringify(replay));
    const { page } = seat;
    await awaitPosition(page, 0);
    expect(new URL(page.url()).hash).toBe('');
    expect(await brokenRules(page)).toEqual([]);
    expect(await readFairness(page)).toEqual({ good: 'true', failed: [] });
    expect(await page.locator('.fair-value code').allInnerTexts()).toEqual([
      replay.fairness.commitment,
      replay.fairness.seed!,
    ]);
    expect(await brokenRules(page)).toEqual([]);
    await press(page, 'Close');
    await press(page, 'Another replay');
    await page.locator('.opener').waitFor();
    expect(await brokenRules(page)).toEqual([]);
    const dropped = await page.evaluateHandle((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'replay.json', { type: 'application/json' }));
      return data;
    }, JSON.stringify(replay));
    await page.locator('.opener').dispatchEvent('drop', { dataTransfer: dropped });
    await awaitPosition(page, 0);
    // A reload stays at the same position.
    await page.reload();
    await page.locator('.opener').waitFor();
    expect(seat.complaints).toEqual([]);
    await seat.context.close();
  },
  TEST_MS_MAX,
);

const TAMPERED: readonly (readonly [string, (replay: Replay) => unknown, RegExp])[] = [
  [
    'a seed with one changed digit',
    ({ fairness: { seed, ...rest }, ...replay }) => ({
      ...replay,
      fairness: { ...rest, seed: `${seed!.startsWith('0') ? '1' : '0'}${seed!.slice(1)}` },
    }),
    /^The secret has that fingerprint/,
  ],
  [
    'a move assigned to another seat',
    (replay) => ({
      ...replay,
      inputs: replay.inputs.map((each, n) => (n === 5 ? { ...each, seat: 1 - each.seat } : each)),
    }),
    /^Every step follows the rules \(5 checked\)/,
  ],
  [
    'a result with another winner',
    (replay) => ({ ...replay, result: { ...replay.result, winner: 'mallory' } }),
    /^The result is what the match came to/,
  ],
];

for (const [what, change, wrong] of TAMPERED) {
  inBrowser(
    `[W5][S7][S9] verification finds ${what} and names the failed check`,
    async () => {
      const { replay } = await finishedLudo();
      const { page, context } = await openFile(JSON.stringify(change(replay)));
      await awaitPosition(page, 0);
      const { good, failed } = await readFairness(page);
      expect([good, failed.length]).toEqual(['false', 1]);
      expect(failed[0]).toMatch(wrong);
      expect(await page.locator('.fair-error').innerText()).toMatch(/^[A-Z]/);
      await context.close();
    },
    TEST_MS_MAX,
  );
}

inBrowser(
  '[W5][S7] a replay with an illegal move is shown up to it; a file of another kind is rejected',
  async () => {
    const { replay } = await finishedLudo();
    const inputs = replay.inputs.map((each, n) =>
      n === 2 ? { ...each, action: { token: 9 } } : each,
    );
    const { page, context } = await openFile(JSON.stringify({ ...replay, inputs }));
    await awaitPosition(page, 0);
    for (let n = 0; n < 3; n += 1) await press(page, 'One step on');
    expect(await page.locator('.status-text').innerText()).toBe(
      'The replay is invalid from here on',
    );
    expect(await page.locator('.status-detail').innerText()).toBe(
      `Wrong from record ${inputs[2]!.v} on`,
    );
    await context.close();
    const later = await openFile(JSON.stringify({ ...replay, rulesVersion: 99 }));
    await later.page.locator('.opener-wrong', { hasText: 'cannot be shown' }).waitFor();
    await later.context.close();
    const other = await openFile('{"game":"chess"}');
    const awaitError = (hasText: string) =>
      other.page.locator('.opener-wrong', { hasText }).waitFor();
    await awaitError('This file is no replay: something is wrong at rulesVersion');
    // The error message of invalid JSON is the browser's own, so the page leaves it out.
    await chooseFile(other.page, '{');
    await other.page
      .getByRole('alert')
      .getByText(/^This file is no replay$/)
      .waitFor();
    await other.context.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W5][S10] a watcher sees a match to its end, is counted, and cannot act in it',
  async () => {
    const { sessionId, tokens, playUrls } = (await call(world.server, 'POST', '/v1/sessions', {
      game: 'tictactoe',
      players: PLAYERS,
    })) as { sessionId: string; tokens: Record<string, string>; playUrls: Record<string, string> };
    const { playUrl } = (await call(world.server, 'POST', `/v1/sessions/${sessionId}/watch`)) as {
      playUrl: string;
    };
    const port = Number(new URL(world.server.url).port);
    const watcher = await open(playUrl);
    const { page } = watcher;
    const badge = page.locator('.watching');
    await badge.filter({ hasText: 'Watching · 1 viewer' }).waitFor();
    const bea = await openSocket(port, { token: tokens['bea']! });
    const ada = await open(playUrls['ada']!);
    await ada.page.locator('.onlookers', { hasText: '1 viewer' }).waitFor();
    expect(await ada.page.locator('.watching').isVisible()).toBe(false);
    const s = sessionId;
    for (const [ply, position] of [0, 3, 1, 4, 2].entries()) {
      if (ply % 2 === 1) {
        bea.send({ t: 'act', s, id: `b${ply}`, action: { position } });
        await bea.next('ack');
      } else {
        await ada.page.locator('.status[data-tone=mine]').waitFor();
        await ada.page.locator('[role=gridcell]').nth(position).click();
      }
      if (ply === 2) {
        await page
          .locator('[role=gridcell][aria-label*="ow 1, column 2"][aria-label*="X"]')
          .waitFor();
        for (const name of ['React', 'Resign', 'Offer draw']) {
          expect(await page.getByRole('button', { name }).count()).toBe(0);
        }
        expect(await page.locator('.is-free').count()).toBe(0);
        expect(await brokenRules(page)).toEqual([]);
        await press(page, 'Fair play');
        const commitment = await page.locator('.fair-value code').first().innerText();
        expect(commitment).toMatch(/^[0-9a-f]{64}$/);
        await press(page, 'Close');
      }
    }
    expect(await readResult(page)).toEqual({ headline: 'Ada wins', reason: 'Three in a row' });
    await badge.waitFor({ state: 'hidden' });
    await press(page, 'Watch replay');
    await awaitPosition(page, 0);
    expect(await readFairness(page)).toEqual({ good: 'true', failed: [] });
    const [first] = await page.locator('.fair-list li').allInnerTexts();
    expect(first).toMatch(/^The fingerprint is the one shown during the match/);
    expect([...watcher.complaints, ...ada.complaints]).toEqual([]);
    await bea.close();
    await Promise.all([watcher, ada].map(({ context }) => context.close()));
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W5][P11] a page that has closed its connection opens another to fetch the replay',
  async () => {
    // While a rematch is still possible, a page reconnects.
    await call(world.server, 'PATCH', '/v1/settings', { rematch: 'off' });
    const match = await playToEnd(world.server, { game: 'tictactoe' }, { seed: `${TEST_SEED}` });
    const context = await world.browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    let sockets = 0;
    await page.routeWebSocket(/\/v1\/socket/, (socket) => {
      socket.connectToServer();
      sockets += 1;
      if (sockets === 1) setTimeout(() => void socket.close({ code: 1012 }), 1_000);
    });
    await page.goto(match.playUrls[0]!);
    await readResult(page);
    await page.locator('#app[data-connection=closed]').waitFor();
    await press(page, 'Watch replay');
    await awaitPosition(page, 0);
    expect(sockets).toBe(2);
    await context.close();
    await call(world.server, 'PATCH', '/v1/settings', { rematch: 'announce' });
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W5][P11] a page that was replaced by a newer window can still show the replay',
  async () => {
    const match = await playToEnd(world.server, { game: 'tictactoe' }, { seed: `${TEST_SEED}` });
    const { page, context } = await open(match.playUrls[0]!);
    await readResult(page);
    const newer = await open(match.playUrls[0]!);
    await page.locator('#app[data-connection=replaced]').waitFor();
    await press(page, 'Watch replay');
    await awaitPosition(page, 0);
    // The newer window still shows the result and opens the replay the same way.
    await readResult(newer.page);
    await press(newer.page, 'Watch replay');
    await awaitPosition(newer.page, 0);
    await Promise.all([context, newer.context].map((each) => each.close()));
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W5] a replay or panel that cannot be fetched offline offers a reload, after which it is there',
  async () => {
    const match = await playToEnd(world.server, { game: 'tictactoe' }, { seed: `${TEST_SEED}` });
    const { page, context } = await open(world.proxied(match.playUrls[0]!));
    await readResult(page);
    world.proxy.cut();
    await press(page, 'Watch replay');
    await page.locator('.after-wrong', { hasText: 'Check the connection' }).waitFor();
    await page.getByRole('button', { name: 'Fair play' }).click();
    await page.getByRole('button', { name: 'Reload' }).nth(1).waitFor();
    world.proxy.repair();
    await page.getByRole('button', { name: 'Reload' }).first().click();
    await readResult(page);
    await press(page, 'Watch replay');
    await awaitPosition(page, 0);
    await context.close();
  },
  TEST_MS_MAX,
);
