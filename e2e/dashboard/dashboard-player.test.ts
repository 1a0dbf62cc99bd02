/** Players in the dashboard, with a month of sample data: the rating over time, the leaderboard, lists and their columns. */

import { beforeAll, expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { connect } from '../../sdk/src/client/index.ts';
import { createMatchd } from '../../sdk/src/server/index.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { lookAt } from './dashboard-look.ts';
import { firstOwner, until, type Visit } from './dashboard-visit.ts';
import { refuse } from './refused-requests.ts';

const TEST_MS_MAX = 90_000;
const SAMPLE = 't/sample/live/players';
const SAMPLE_API = '/dashboard/api/t/sample/live/v1';

const world = useBrowserWorld("a player's page in the dashboard", {}, ['--sample-data']);
const { inBrowser } = world;

let owner: Visit;

beforeAll(async () => {
  // There is no server either when the browser is missing.
  if (world.browser !== undefined) owner = await firstOwner(world.browser, world.server);
}, TEST_MS_MAX);

interface Rated {
  readonly at: string;
  readonly sessionId: string;
  readonly before: number;
  readonly after: number;
}

/** The response of the dashboard's own API to a request with the page's login. */
const read = <Answer>(path: string): Promise<Answer> =>
  owner.page.evaluate(async (address) => (await fetch(address)).json(), `${SAMPLE_API}${path}`);

const historyOf = async (id: string, game: string) => {
  const path = `/players/${id}/rating-history?game=${game}&limit=100`;
  return (await read<{ readonly data: readonly Rated[] }>(path)).data;
};

/** The text alternative of the history's chart. */
function wordsOf(game: string, matches: readonly Rated[]): string {
  const [from, to] = [Math.round(matches.at(-1)!.before), Math.round(matches[0]!.after)];
  return `Rating in ${game}: from ${from} to ${to} in ${matches.length} match`;
}

/** A match of two players of the demo tenant that the second resigns. */
async function playMatch(ids: readonly [string, string]): Promise<void> {
  const { url, testKey } = world.server;
  const api = createMatchd({ url, key: testKey });
  const players = ids.map((id) => ({ id }));
  const { sessionId, tokens } = await api.sessions.create({ game: 'tictactoe', players });
  const clients = ids.map((id) => connect({ url, token: tokens[id]! }));
  const seats = clients.map((client) => client.session(sessionId));
  while (seats.some(({ view }) => view?.status !== 'active')) await Bun.sleep(50);
  await seats[1]!.resign();
  for (const client of clients) client.close();
}

inBrowser(
  '[L4][D15] the sample data include ratings over time, shown as text, chart and table for each game',
  async () => {
    const { page } = owner;
    await owner.to('t/sample/live/overview');
    const board = await read<{ data: readonly { playerId: string }[] }>(
      '/leaderboards?game=connect4&limit=1',
    );
    const id = board.data[0]!.playerId;
    const { ratings } = await read<{ ratings: Record<string, { games: number }> }>(
      `/players/${id}`,
    );
    const games = Object.entries(ratings).toSorted(([, a], [, b]) => b.games - a.games);
    const [most, least] = [games[0]![0], games.at(-1)![0]];
    const matches = await historyOf(id, most);
    expect(matches.length).toBe(ratings[most]!.games);
    await owner.to(`${SAMPLE}/${id}`);
    const chart = page.locator('.chart');
    const plot = chart.getByRole('img', { name: wordsOf(most, matches) });
    await plot.locator('canvas').waitFor();
    await page.getByText('As a table').click();
    const table = page.getByRole('table', { name: 'Rated matches' });
    const rows = table.locator('tbody tr');
    expect(await rows.count()).toBe(matches.length);
    const { before, after } = matches[0]!;
    const change = `${after < before ? '−' : '+'}${Math.abs(after - before).toFixed(1)}`;
    expect(await rows.first().innerText()).toMatch(
      new RegExp(`${Math.round(after)}[^]*\\${change}`),
    );
    await lookAt(page, 'player-ratings');
    // The game is in the address, and Back restores the previous one.
    await page.getByLabel('Game', { exact: true }).selectOption(least);
    const other = wordsOf(least, await historyOf(id, least));
    await chart.getByRole('img', { name: other }).waitFor();
    expect(page.url()).toEndWith(`/players/${id}?game=${least}`);
    await page.goBack();
    await plot.waitFor();
    await page.getByText('As a table').click();
    await rows.first().getByRole('link').click();
    await page.getByRole('heading', { name: matches[0]!.sessionId }).waitFor();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[L3][D11] the leaderboard ranks the players of a game, links to them, and loads its next pages',
  async () => {
    const { page } = owner;
    type Leader = { readonly playerId: string; readonly rating: number; readonly games: number };
    const leadersOf = async (game: string) =>
      (await read<{ data: readonly Leader[] }>(`/leaderboards?game=${game}&limit=100`)).data;
    const leaders = await leadersOf('connect4');
    expect(leaders.length).toBeGreaterThan(5);
    await owner.to('t/sample/live/leaderboard?game=connect4');
    const rows = page.getByRole('table', { name: 'Leaderboard' }).locator('tbody tr');
    const more = page.getByRole('button', { name: 'More players' });
    await rows.first().waitFor();
    while ((await more.count()) > 0) {
      const before = await rows.count();
      await more.click();
      await until(async () => (await rows.count()) > before);
    }
    const cells = await rows.evaluateAll((all) =>
      all.map((row) => [0, 1, 3, 4].map((n) => row.querySelectorAll('td')[n]!.innerText)),
    );
    const shown = cells.map(([rank, id, rating, games]) => [
      rank,
      id!.split('\n')[0],
      rating!.split(' ')[0],
      games,
    ]);
    const wanted = leaders.map(({ playerId, rating, games }, n) => [
      `${n + 1}`,
      playerId,
      `${Math.round(rating)}`,
      `${games}`,
    ]);
    expect(shown).toEqual(wanted);
    await lookAt(page, 'leaderboard');
    await page.getByLabel('Game', { exact: true }).selectOption('ludo');
    expect(page.url()).toEndWith('/leaderboard?game=ludo');
    const [best] = await leadersOf('ludo');
    await rows.first().getByText(best!.playerId, { exact: true }).first().waitFor();
    await rows.first().getByRole('link').first().click();
    await page.getByRole('heading', { name: best!.playerId }).waitFor();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] the columns of a list can be chosen, the choice is remembered, and an export has all columns',
  async () => {
    const { page } = owner;
    await owner.to('t/sample/live/sessions');
    const table = page.getByRole('table', { name: 'Sessions' });
    const titles = async () =>
      (await table.getByRole('columnheader').allInnerTexts()).map((each) => each.trim());
    const all = ['Session', 'Game', 'Status', 'Players', 'Result', 'Created'];
    await table.waitFor();
    expect(await titles()).toEqual(all);
    const summary = page.locator('summary').filter({ hasText: 'Columns of Sessions' });
    await summary.click();
    const choice = page.getByRole('group', { name: 'Columns of Sessions' });
    await choice.getByLabel('Status').uncheck();
    await choice.getByLabel('Created').uncheck();
    await summary.filter({ hasText: '(4 of 6)' }).waitFor();
    const left = ['Session', 'Game', 'Players', 'Result'];
    expect(await titles()).toEqual(left);
    await lookAt(page, 'columns');
    await page.reload();
    await table.waitFor();
    expect(await titles()).toEqual(left);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    expect(text.split(/\r?\n/)[0]).toBe(all.join(','));
    // The last column cannot be hidden.
    await summary.filter({ hasText: '(4 of 6)' }).click();
    for (const title of left.slice(1)) await choice.getByLabel(title).uncheck();
    expect(await choice.getByLabel('Session').isDisabled()).toBe(true);
    for (const title of all.slice(1)) await choice.getByLabel(title).check();
    expect(await titles()).toEqual(all);
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] a slow list says that it is loading; one that fails shows the error and can be retried',
  async () => {
    const { page } = owner;
    const waiting = Promise.withResolvers<void>();
    const list = /\/v1\/sessions\?/;
    await page.route(list, async (route) => {
      await waiting.promise;
      await route.continue();
    });
    await page.goto(`${world.server.url}/dashboard/t/sample/live/sessions`);
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Loading…' }).waitFor();
    expect(await page.getByText('No sessions yet.').count()).toBe(0);
    waiting.resolve();
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
    expect(await page.locator('.loading').count()).toBe(0);
    const mend = await refuse(page, list);
    await page.getByLabel('Game').selectOption('ludo');
    const failure = page.getByRole('alert').filter({ hasText: 'Service unavailable' });
    await failure.getByText('req_away').waitFor();
    mend();
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page
      .getByRole('table', { name: 'Sessions' })
      .getByRole('cell', { name: 'ludo' })
      .first()
      .waitFor();
    await failure.waitFor({ state: 'detached' });
    await page.unrouteAll();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[L4][D11] a match that ends while the page is open updates the chart, and one match is enough for a chart',
  async () => {
    const { page } = owner;
    await playMatch(['una', 'vic']);
    await owner.to('t/demo/test/players/una');
    const one = /^Rating in tictactoe: from 1500 to (\d+) in 1 match, between 1500 and \1$/;
    await page.getByRole('img', { name: one }).locator('canvas').waitFor();
    expect(await page.getByLabel('Game', { exact: true }).count()).toBe(0);
    await playMatch(['una', 'vic']);
    await page.getByRole('img', { name: /in 2 matches/ }).waitFor();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[L4] a history that fails to load shows the error with its request id, and can be retried',
  async () => {
    const { page } = owner;
    await playMatch(['wes', 'xia']);
    const mend = await refuse(page, /\/rating-history\?/);
    await owner.to('t/demo/test/players/wes');
    const failure = page.getByRole('alert').filter({ hasText: 'Service unavailable' });
    await failure.getByText('req_away').waitFor();
    mend();
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('img', { name: /^Rating in tictactoe/ }).waitFor();
    await owner.to('t/demo/test/players/nobody-here');
    await page.getByText('No rated matches.').waitFor();
    expect(await page.locator('.chart').count()).toBe(0);
  },
  TEST_MS_MAX,
);
