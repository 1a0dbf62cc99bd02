/** The page of a session in the dashboard: a fight's long log, the end, the proof, and a section that fails. */

import { beforeAll, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { connect } from '../../sdk/src/client/index.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { openFighter } from '../parts/fighter.ts';
import { playToEnd } from '../parts/finished-match.ts';
import { call } from '../parts/matches.ts';
import { firstOwner, OWNER, signIn, until, type Visit, visit } from './dashboard-visit.ts';
import { refuse } from './refused-requests.ts';

const TEST_MS_MAX = 120_000;

const world = useBrowserWorld('the page of a session in the dashboard');
const { inBrowser } = world;

let owner: Visit;

beforeAll(async () => {
  // There is no server either when the browser is missing.
  if (world.browser !== undefined) owner = await firstOwner(world.browser, world.server);
}, TEST_MS_MAX);

interface Created {
  readonly sessionId: string;
  readonly tokens: Readonly<Record<string, string>>;
}

const IDS = ['ann', 'ben'] as const;

const create = async (body: object): Promise<Created> =>
  (await call(world.server, 'POST', '/v1/sessions', {
    players: IDS.map((id) => ({ id })),
    ...body,
  })) as Created;

const timelineOf = (page: Page) => page.getByRole('region', { name: 'Timeline' });

inBrowser(
  `[D11a] the timeline of a running fight requests new records only and does not grow (seed ${TEST_SEED})`,
  async () => {
    const { page } = owner;
    const { url } = world.server;
    const options = { roundSeconds: 60, roundsToWin: 2 };
    const { sessionId, tokens } = await create({ game: 'fight-arena', options });
    const fighters = IDS.map((id) =>
      openFighter({ url, token: tokens[id]!, session: sessionId, name: `${id}-${TEST_SEED}` }),
    );
    const requests: { readonly after: number | null; readonly records: number }[] = [];
    page.on('response', async (response) => {
      const address = new URL(response.url());
      if (!address.pathname.endsWith('/timeline')) return;
      const { data } = (await response.json()) as { data: readonly object[] };
      const after = address.searchParams.get('after');
      requests.push({ after: after === null ? null : Number(after), records: data.length });
    });
    await owner.to(`t/demo/test/sessions/${sessionId}`);
    const timeline = timelineOf(page);
    const lines = timeline.getByRole('listitem');
    const look = async () => ({
      lines: await lines.count(),
      height: await timeline.evaluate((element) => element.getBoundingClientRect().height),
    });
    await lines.filter({ hasText: /^\S+ Ticks 0 to \d+$/ }).waitFor();
    const first = await look();
    const seen = requests.length;
    await until(async () => requests.length >= seen + 4);
    // Consecutive ticks share one line.
    expect(await look()).toEqual(first);
    expect(first.lines).toBeLessThan(20);
    expect(requests.filter(({ after }) => after === null)).toHaveLength(1);
    const afters = requests.slice(1).map(({ after }) => after!);
    expect(afters).toEqual(afters.toSorted((a, b) => a - b));
    expect(afters.at(-1)!).toBeGreaterThan(afters[0]!);
    // Each response has about two seconds of ticks, not the whole log.
    const most = Math.max(...requests.slice(1).map(({ records }) => records));
    expect([most > 0, most < afters.at(-1)!]).toEqual([true, true]);
    page.removeAllListeners('response');
    for (const fighter of fighters) fighter.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11a] a long log shows its newest records, and older ones on request',
  async () => {
    const { page } = owner;
    const { sessionId, replay } = await playToEnd(
      world.server,
      { game: 'connect4' },
      { seed: `long-${TEST_SEED}` },
    );
    expect(replay.result).not.toBeNull();
    // Makes pages of five records.
    await page.route(/\/timeline\?/, (route) =>
      route.continue({ url: route.request().url().replace('limit=1000', 'limit=5') }),
    );
    await owner.to(`t/demo/test/sessions/${sessionId}`);
    const lines = timelineOf(page).getByRole('listitem');
    await lines
      .first()
      .getByText(/Match ended/)
      .waitFor();
    expect(await lines.count()).toBe(5);
    const older = timelineOf(page).getByRole('button', { name: 'Show older' });
    await older.click();
    await until(async () => (await lines.count()) === 10);
    while ((await older.count()) > 0) {
      const before = await lines.count();
      await older.click();
      await until(async () => (await lines.count()) > before);
    }
    await lines.last().getByText('Session created').waitFor();
    await page.unrouteAll();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] an ended session shows no player as connected, even while their sockets are open',
  async () => {
    const { page } = owner;
    const { url } = world.server;
    const { sessionId, tokens } = await create({ game: 'tictactoe' });
    const clients = IDS.map((id) => connect({ url, token: tokens[id]! }));
    const seats = clients.map((client) => client.session(sessionId));
    await until(async () => seats.every(({ view }) => view?.status === 'active'));
    await owner.to('t/demo/test/players/ann');
    await page.getByText('connected in 1 session').waitFor();
    await owner.to(`t/demo/test/sessions/${sessionId}`);
    const rowOf = (id: string) =>
      page.getByRole('table', { name: 'Players' }).getByRole('row', { name: id });
    for (const id of IDS) await rowOf(id).getByText('connected', { exact: true }).waitFor();
    await call(world.server, 'POST', `/v1/sessions/${sessionId}/end`, {});
    for (const id of IDS) {
      await rowOf(id).getByText('session ended').waitFor();
      expect(await rowOf(id).getByText('connected', { exact: true }).count()).toBe(0);
    }
    await owner.to('t/demo/test/players/ann');
    await page.getByText('not connected', { exact: true }).waitFor();
    for (const client of clients) client.close();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11][S9] an ended match shows its fairness proof, and a page names the time zone of its times',
  async () => {
    const { sessionId, replay } = await playToEnd(
      world.server,
      { game: 'ludo' },
      { seed: `proof-${TEST_SEED}` },
    );
    const abroad = await visit(world.browser, world.server.url, { timezoneId: 'Asia/Kolkata' });
    const { page } = abroad;
    await abroad.to('login');
    await signIn(page, OWNER.email, OWNER.password);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText(/^Until .* GMT\+5:30\. /).waitFor();
    await abroad.to(`t/demo/test/sessions/${sessionId}`);
    await timelineOf(page).getByText('Times are GMT+5:30.').waitFor();
    const time = timelineOf(page).locator('time').first();
    expect(await time.getAttribute('title')).toEndWith(' GMT+5:30');
    // A zone with half an hour's offset differs from UTC and from the machine's own.
    const at = new Date((await time.getAttribute('dateTime'))!);
    const minute = (at.getUTCMinutes() + 30) % 60;
    expect(Number((await time.innerText()).split(':')[1])).toBe(minute);
    await page.getByText('Fairness proof').click();
    for (const text of [replay.fairness.commitment, replay.fairness.seed!]) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    await abroad.to('t/demo/test/usage');
    await page.getByText('Days and months are in UTC.').waitFor();
    expect(await brokenRules(page)).toEqual([]);
    expect(abroad.complaints).toEqual([]);
    await abroad.context.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] a section of the page that fails shows the error and can be retried alone',
  async () => {
    const { page } = owner;
    const { sessionId } = await playToEnd(
      world.server,
      { game: 'tictactoe' },
      { seed: `again-${TEST_SEED}` },
    );
    const repairTimeline = await refuse(page, /\/timeline\?/);
    const repairReplay = await refuse(page, /\/replay$/);
    await owner.to(`t/demo/test/sessions/${sessionId}`);
    // The other sections are shown.
    await page.getByRole('table', { name: 'Players' }).getByRole('row', { name: 'ada' }).waitFor();
    const board = page.getByRole('region', { name: 'Board' });
    for (const part of [timelineOf(page), board]) {
      const failure = part.getByRole('alert').filter({ hasText: 'Service unavailable' });
      await failure.getByText('req_away').waitFor();
    }
    expect(await brokenRules(page)).toEqual([]);
    repairTimeline();
    await timelineOf(page).getByRole('button', { name: 'Try again' }).click();
    await timelineOf(page).getByText('Session created').waitFor();
    expect(await timelineOf(page).getByRole('alert').count()).toBe(0);
    expect(await board.getByRole('alert').count()).toBe(1);
    repairReplay();
    await board.getByRole('button', { name: 'Try again' }).click();
    const frame = page.frameLocator('iframe[title="The replay"]');
    await frame.locator('[data-room="replay"]').waitFor();
    expect(await board.getByRole('alert').count()).toBe(0);
  },
  TEST_MS_MAX,
);
