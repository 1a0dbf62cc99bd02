/** Around a replay in a real browser: autoplay, Back to the result, and replay files. */

import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { parseReplay } from '../../src/match/replay/replay-form.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { playToEnd } from '../parts/finished-match.ts';
import { makeMatch, openSeat, readResult } from '../parts/matches.ts';

const TEST_MS_MAX = 90_000;
/** The minimum height of a target. CSS pixels. */
const TARGET_PX = 44;

const world = useBrowserWorld('around replays');
const { inBrowser } = world;

inBrowser(
  `[W5] a replay plays by itself, remembers its speed, and Back returns to the result (seed ${TEST_SEED})`,
  async () => {
    const match = await playToEnd(world.server, { game: 'connect4' }, { seed: `${TEST_SEED}` });
    const seat = await openSeat(world.browser, match.playUrls[0]!);
    const { page } = seat;
    const { reason } = await readResult(page);
    const watch = page.getByRole('button', { name: 'Watch replay', exact: true });
    await watch.click();
    await page.waitForFunction(
      () => Number(document.querySelector<HTMLInputElement>('.reel-slider')?.value) >= 2,
    );
    await page.getByRole('button', { name: '4×', exact: true }).click();
    await page.goBack();
    await watch.waitFor();
    expect(await readResult(page)).toMatchObject({ reason });
    await watch.click();
    await page.locator('.reel-speed[aria-pressed=true]', { hasText: '4×' }).waitFor();
    await page.getByRole('button', { name: 'Back to the result', exact: true }).click();
    await watch.waitFor();
    // The page's own button went back in the history too, so no entry of the replay remains.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(
      'Watch replay',
    );
    expect(seat.complaints).toEqual([]);
    await seat.context.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  `[W5][S7] the fairness panel begins with a sentence, and the match can be downloaded as a replay (seed ${TEST_SEED})`,
  async () => {
    const match = await playToEnd(
      world.server,
      { game: 'ludo', variant: 'quick' },
      { seed: `${TEST_SEED}` },
    );
    const seat = await openSeat(world.browser, match.playUrls[0]!, { reducedMotion: 'reduce' });
    const { page } = seat;
    await readResult(page);
    await page.getByRole('button', { name: 'Fair play', exact: true }).click();
    await page.locator('.fair-verdict[data-good=true]').waitFor();
    const parts = await page
      .locator('.fair-body > *')
      .evaluateAll((all) => all.map(({ className, tagName }) => className || tagName));
    expect(parts.slice(0, 4)).toEqual([
      'fair-verdict',
      'P',
      'button is-small fair-download',
      'fair-list',
    ]);
    await page.setViewportSize({ width: 360, height: 740 });
    for (const target of await page.locator('.fair-panel .button').all()) {
      expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(TARGET_PX);
    }
    expect(await brokenRules(page)).toEqual([]);
    const coming = page.waitForEvent('download');
    await page.locator('.fair-download').click();
    const download = await coming;
    const { sessionId } = match.replay;
    expect(download.suggestedFilename()).toBe(`${sessionId}.json`);
    const replay = parseReplay(readFileSync(await download.path(), 'utf8'));
    expect(replay).toMatchObject({ sessionId, fairness: { seed: match.replay.fairness.seed } });
    expect(seat.complaints).toEqual([]);
    await seat.context.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W5] the drop zone for a replay file is visible and fits, in both themes and at every size',
  async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [width, height] of [
        [360, 740],
        [740, 360],
        [1_280, 800],
        [1_920, 1_080],
      ] as const) {
        const url = `${world.server.url}/play/#replay`;
        const viewport = { width, height };
        const seat = await openSeat(world.browser, url, { colorScheme, viewport });
        const zone = seat.page.locator('.opener-zone');
        await zone.waitFor();
        expect(await zone.evaluate((each) => getComputedStyle(each).borderStyle)).toBe('dashed');
        const { x, y, width: wide, height: high } = (await zone.boundingBox())!;
        expect([x >= 0, y >= 0, x + wide <= width, y + high <= height]).toEqual(
          Array(4).fill(true),
        );
        const target = (await zone.locator('label').boundingBox())!;
        expect(target.height).toBeGreaterThanOrEqual(TARGET_PX);
        expect(await brokenRules(seat.page)).toEqual([]);
        await seat.context.close();
      }
    }
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W4] the announcement "Connection lost" is removed once the connection is restored',
  async () => {
    const { playUrls } = await makeMatch(world.server, { game: 'tictactoe' });
    const ada = await openSeat(world.browser, world.proxied(playUrls[0]!));
    const bea = await openSeat(world.browser, playUrls[1]!);
    const { page } = ada;
    await page.locator('.status[data-tone=mine]').waitFor();
    const urgent = page.locator('.only-heard [role=alert]');
    world.proxy.cut();
    await page.waitForFunction(() =>
      document.querySelector('.only-heard [role=alert]')?.textContent?.includes('lost'),
    );
    world.proxy.repair();
    await page.locator('.status[data-tone=mine]').waitFor();
    expect(await urgent.textContent()).toBe('');
    await Promise.all([ada.context.close(), bea.context.close()]);
  },
  TEST_MS_MAX,
);
