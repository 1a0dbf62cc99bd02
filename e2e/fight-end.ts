/** How a fight on two pages has to end: the same for both, for the tenant, and in the log. */

import { expect } from 'bun:test';
import type { Round } from '../src/games/fight-arena/state.ts';
import type { Match, SeatPage, Tenant } from './matches.ts';
import { call, faultsOf, PLAYERS, readResult, readSession } from './matches.ts';

/** Rounds that are left when the waiting for the end begins take so long at most. */
const END_MS_MAX = 100_000;

/** Both pages, the tenant's own view and the log tell of the same match. */
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
  for (const { page } of seats) {
    await page.waitForFunction(
      ([a, b]) => {
        const words = document.querySelector('.fa-stage > .only-heard')?.textContent ?? '';
        return words.includes(`health ${a} percent`) && words.includes(`health ${b} percent`);
      },
      health,
      { timeout: 5_000 },
    );
  }
  expect(await call(server, 'POST', `/v1/sessions/${sessionId}/verify`)).toMatchObject({
    ok: true,
  });
  for (const seat of seats) expect(faultsOf(seat)).toEqual([]);
}
