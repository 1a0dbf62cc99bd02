/**
 * A rematch that the embedding page creates (W8): it is notified of the agreement, called once, and opened in the
 * same frame.
 */

import { expect } from 'bun:test';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { playToEnd } from '../parts/finished-match.ts';
import { call, openSeat } from '../parts/matches.ts';
import type { Recorded } from '../parts/shop.ts';
import { awaitEvent, eventsOf, matchFrame, useShop } from '../parts/shop.ts';

const TEST_MS_MAX = 120_000;
const world = useBrowserWorld('rematches in a customer’s page');
const { inBrowser } = world;
const shop = useShop();

inBrowser(
  '[W8][W4] once all players agree, the embedding page is called once and its match opens in the same frame',
  async () => {
    await call(world.server, 'PATCH', '/v1/settings', { rematch: 'announce' });
    const { sessionId, playUrls } = await playToEnd(
      world.server,
      { game: 'tictactoe', matchType: 'private' },
      { seed: `${TEST_SEED} embedded` },
    );
    const page = await (await world.browser.newContext()).newPage();
    const requests: string[] = [];
    const made: string[] = [];
    await page.exposeFunction('askBackend', async (session: string) => {
      requests.push(session);
      const answer = await call(world.server, 'POST', `/v1/sessions/${session}/rematch`);
      const next = answer as { sessionId: string; playUrls: Record<string, string> };
      made.push(next.sessionId);
      return next.playUrls['ada'];
    });
    await page.goto(shop.url());
    await page.evaluate(async (url) => {
      const file = '/embed.js';
      const { mount } = await import(file);
      const recorded: Pick<Recorded, 'events'> = { events: [] };
      Object.assign(window, { recorded });
      const { askBackend } = window as unknown as { askBackend(session: string): Promise<string> };
      mount(document.getElementById('here'), {
        url,
        onRematch: askBackend,
        onEvent: (event: Recorded['events'][number]) => recorded.events.push(event),
      });
    }, playUrls[0]!);
    const bea = await openSeat(world.browser, playUrls[1]!);
    const press = (where: Pick<typeof page, 'getByRole'>, name: string) =>
      where.getByRole('button', { name, exact: true }).click();
    await awaitEvent(page, 'ended');
    await press(matchFrame(page), 'Rematch');
    await press(bea.page, 'Accept rematch');
    expect(await awaitEvent(page, 'rematchAgreed')).toEqual({
      type: 'rematchAgreed',
      session: sessionId,
    });
    const isPlaying = '.app[data-shows=match] .status:not([data-tone=done]) .status-text';
    await matchFrame(page).locator(isPlaying).waitFor();
    await bea.page.locator(isPlaying).waitFor();
    expect([requests, made.length]).toEqual([[sessionId], 1]);
    await page.waitForFunction(
      (next) =>
        (window as unknown as { recorded: Recorded }).recorded.events.some(
          ({ type, session }) => type === 'state' && session === next,
        ),
      made[0]!,
    );
    // No message to the page contains a token that opens a socket.
    expect(JSON.stringify(await eventsOf(page))).not.toMatch(/eyJ/);
    await matchFrame(page).evaluate(() => location.reload());
    await matchFrame(page).locator(isPlaying).waitFor();
    await page.context().close();
    await bea.context.close();
  },
  TEST_MS_MAX,
);
