/** Rule S3a in a real browser: a player leaves a match that has not started. */

import { expect } from 'bun:test';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { call, faultsOf, makeMatch, openSeat, readSession } from '../parts/matches.ts';

const TEST_MS_MAX = 120_000;
const world = useBrowserWorld('leaving a match on the players’ page');

world.inBrowser(
  '[S3a][W6] a waiting match offers to leave, confirms it, and another player takes the seat',
  async () => {
    const match = await makeMatch(world.server, { game: 'ludo', seats: 3, matchType: 'private' });
    const [first, second] = match.playUrls;
    const ada = await openSeat(world.browser, first!);
    const bea = await openSeat(world.browser, second!, { viewport: { width: 360, height: 740 } });
    const leave = bea.page.getByRole('button', { name: 'Leave' });
    await leave.focus();
    await bea.page.keyboard.press('Enter');
    await bea.page.getByRole('heading', { name: 'You left this match' }).waitFor();
    // A reload does not bring the player back.
    await bea.page.reload();
    await bea.page.locator('.notice-title').waitFor();
    const { roomCode, players } = await readSession(world.server, match.sessionId);
    expect(players.map(({ seat }) => seat)).toEqual([0]);
    const body = { roomCode, game: 'ludo', player: { id: 'cid', displayName: 'Cid' } };
    await call(world.server, 'POST', '/v1/sessions/join', body);
    await ada.page.getByText('Cid').first().waitFor();
    expect(faultsOf(ada)).toEqual([]);
    await Promise.all([ada.context.close(), bea.context.close()]);
  },
  TEST_MS_MAX,
);
