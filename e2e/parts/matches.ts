/** Matches for browser tests: created over HTTP like a tenant, opened like players. */

import type { Browser, BrowserContext, Page } from 'playwright-core';

/** A server's address and an API key. */
export interface Tenant {
  readonly url: string;
  readonly testKey: string;
}

export interface Match {
  readonly sessionId: string;
  /** The players' pages by seat. */
  readonly playUrls: readonly string[];
}

export interface SessionAnswer {
  readonly status: string;
  readonly roomCode: string;
  readonly players: readonly { readonly id: string | null; readonly seat: number }[];
  readonly result: {
    readonly winner: string | null;
    readonly reason: string;
    readonly moveCount: number;
  } | null;
}

/** The players of every match for two, by seat. */
export const PLAYERS = [
  { id: 'ada', displayName: 'Ada' },
  { id: 'bea', displayName: 'Bea' },
] as const;

/** The same for four. */
export const FOUR_PLAYERS = [
  ...PLAYERS,
  { id: 'cem', displayName: 'Cem' },
  { id: 'dia', displayName: 'Dia' },
] as const;

/** The players of matches for up to 16, by seat. */
export const PLAYER_NAMES: readonly string[] =
  'Ada Bea Cem Dia Eli Fay Gil Hal Ivo Jun Kai Lea Mia Noa Oto Pia'.split(' ');

export const makePlayers = (count: number) =>
  PLAYER_NAMES.slice(0, count).map((name) => ({ id: name.toLowerCase(), displayName: name }));

/** One player on their own page, in their own browser context. */
export interface SeatPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The page's console errors. */
  readonly complaints: string[];
}

export async function makeMatch(
  tenant: Tenant,
  request: {
    readonly players?: readonly { readonly id: string }[];
    readonly [field: string]: unknown;
  },
): Promise<Match> {
  const players = request.players ?? PLAYERS;
  const body = { ...request, players };
  const answer = await call(tenant, 'POST', '/v1/sessions', body);
  const { sessionId, playUrls } = answer as {
    sessionId: string;
    playUrls: Record<string, string>;
  };
  return { sessionId, playUrls: players.flatMap(({ id }) => playUrls[id] ?? []) };
}

export async function readSession(tenant: Tenant, id: string): Promise<SessionAnswer> {
  return (await call(tenant, 'GET', `/v1/sessions/${id}`)) as SessionAnswer;
}

export async function call(
  tenant: Tenant,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(tenant.url + path, {
    method,
    headers: { Authorization: `Bearer ${tenant.testKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? null : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

export async function openSeat(
  browser: Browser,
  url: string,
  view: Parameters<Browser['newContext']>[0] = {},
): Promise<SeatPage> {
  const context = await browser.newContext(view);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(url);
  return { context, page, complaints };
}

/** A match for this many players, each on their own page, once the board is shown. */
export async function openSeats(
  { server, browser }: { readonly server: Tenant; readonly browser: Browser },
  request: { readonly game: string; readonly [field: string]: unknown },
  count: number,
  view: Parameters<typeof openSeat>[2] = {},
): Promise<readonly SeatPage[]> {
  const players = makePlayers(count);
  const match = await makeMatch(server, { ...request, seats: count, players });
  const seats: SeatPage[] = [];
  for (const url of match.playUrls) seats.push(await openSeat(browser, url, view));
  await Promise.all(seats.map(({ page }) => page.locator('.board').waitFor()));
  return seats;
}

export const closeAll = (seats: readonly SeatPage[]): Promise<unknown> =>
  Promise.all(seats.map(({ context }) => context.close()));

/** Console messages about a failed network do not count as errors of the page. */
export function faultsOf(seat: SeatPage): string[] {
  return seat.complaints.filter((text) => !/WebSocket connection to .* failed/.test(text));
}

/** Presses a cell (or a column) of the board with the mouse. */
export async function pressCell(page: Page, index: number): Promise<void> {
  await page.locator('[role=gridcell]').nth(index).click();
}

/** Waits until it is this player's turn on the page. */
export async function awaitTurn(page: Page): Promise<void> {
  await page.locator('.status[data-tone=mine]', { hasText: 'Your turn' }).waitFor();
}

/** Waits for the end; returns the headline and the reason as the page words them. */
export async function readResult(page: Page): Promise<{ headline: string; reason: string }> {
  await page.locator('.status[data-tone=done]').waitFor();
  const headline = await page.locator('.status-text').innerText();
  const reason = await page.locator('.result-reason').innerText();
  return { headline, reason };
}
