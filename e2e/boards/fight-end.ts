/** Checks the end of a fight on two pages: both pages, the API and the log agree. */

import { expect } from 'bun:test';
import type { Round } from '../../src/games/fight-arena/state.ts';
import type { Match, SeatPage, Tenant } from '../parts/matches.ts';
import { call, faultsOf, PLAYERS, readResult, readSession } from '../parts/matches.ts';

/** The longest time of the rounds that remain when the wait for the end begins. */
const END_MS_MAX = 100_000;
/** Over a bad connection the last tick may arrive some time after the result. */
const WORDS_WITHIN_MS = 15_000;

/** Checks that both pages, the API and the log agree on the match. */
export async function expectOneEnd(
  server: Tenant,
  seats: readonly SeatPage[],
  { sessionId }: Match,
): Promise<void> {
  const done = seats.map(({ page }) =>
    page.locator('.status[data-tone=done]').waitFor({ timeout: END_MS_MAX }),
  );
  await Promise.all(done);
  const shown = await Promise.all(seats.map(({ page }) => readResult(page)));
  const { status, result } = await readSession(server, sessionId);
  expect(status).toBe('ended');
  expect(result?.reason).toMatch(/^rounds_/);
  const headlines = PLAYERS.map(({ id }) => {
    if (result!.winner === null) return 'Draw';
    return result!.winner === id ? 'You won' : 'You lost';
  });
  expect(shown.map(({ headline }) => headline)).toEqual(headlines);
  const { rounds } = result as unknown as { readonly rounds: readonly Round[] };
  const health = rounds.at(-1)!.health.map((each) => Math.ceil(each / 10));
  const expected = health.map((each) => expect.stringContaining(`health ${each} percent`));
  for (const { page } of seats) {
    const words = page.locator('.fa-stage > .only-heard');
    const isDescribed = (text: string): boolean =>
      health.every((each) => text.includes(`health ${each} percent`));
    for (const until = Date.now() + WORDS_WITHIN_MS; Date.now() < until; ) {
      if (isDescribed((await words.textContent()) ?? '')) break;
      await page.waitForTimeout(100);
    }
    for (const each of expected) expect(await words.textContent()).toEqual(each);
  }
  expect(await call(server, 'POST', `/v1/sessions/${sessionId}/verify`)).toMatchObject({
    ok: true,
  });
  for (const seat of seats) expect(faultsOf(seat)).toEqual([]);
}
