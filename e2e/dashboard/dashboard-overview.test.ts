/** The overview, usage and live updates of the dashboard, in a real browser from the real server. */

import { beforeAll, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { firstOwner, OWNER, signIn, type Visit, visit } from './dashboard-visit.ts';
import { refuse } from './refused-requests.ts';

const TEST_MS_MAX = 60_000;
/** Longer than a failed request and its retry. */
const SETTLED_MS = 3_000;

const world = useBrowserWorld('the overview of the dashboard');
const { inBrowser } = world;

let owner: Visit;

beforeAll(async () => {
  // There is no server either when the browser is missing.
  if (world.browser !== undefined) owner = await firstOwner(world.browser, world.server);
}, TEST_MS_MAX);

/** A request of the demo tenant's backend, in test mode. */
async function call(path: string, body?: object): Promise<Record<string, string>> {
  const { url, testKey } = world.server;
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? null : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, string>;
}

const createSession = () =>
  call('/v1/sessions', { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] });

const tile = (page: Page, name: string) =>
  page.locator('.tiles > div').filter({ hasText: name }).locator('strong');

/** A full minute of metrics, as the service would have recorded it. */
async function withFigures(page: Page): Promise<void> {
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  await page.route('**/v1/metrics/series**', async (route) => {
    const answer = await route.fetch();
    const series = (await answer.json()) as { data: Record<string, object>[] };
    Object.assign(series.data.at(-1)!['requests']!, { total: 41, failed: 3, p50Ms: 4, p99Ms: 81 });
    await route.fulfill({ response: answer, json: series });
  });
  await page.route('**/v1/metrics/summary**', async (route) => {
    const answer = await route.fetch();
    const summary = (await answer.json()) as Record<string, object>;
    Object.assign(summary['requests']!, { total: 41, failed: 3, p50Ms: 4, p99Ms: 1_200 });
    const anomaly = {
      kind: 'server_errors',
      severity: 'critical',
      message: 'Error rate 7 % since 14:02 UTC: requests are answered with 5xx.',
      since: new Date(now).toISOString(),
      value: 7,
      target: { type: 'requests', id: null },
    };
    await route.fulfill({ response: answer, json: { ...summary, anomalies: [anomaly] } });
  });
}

inBrowser(
  '[D14] an overview without metrics says so, and what to do',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/live/overview');
    await page.getByText('No problems found.').waitFor();
    await page.getByRole('heading', { name: 'Getting started' }).waitFor();
    await page.getByText('No requests.').first().waitFor();
    await page.getByText('No events yet.').waitFor();
    expect(await page.locator('.plot').count()).toBe(0);
    expect(await brokenRules(page)).toEqual([]);
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D14] the overview shows metrics, problems with links, and charts with text and a table; the window is in the address',
  async () => {
    const { page } = owner;
    await withFigures(page);
    await owner.to('t/demo/test/overview');
    expect(await tile(page, 'Server errors').innerText()).toBe('7.3 %');
    expect(await tile(page, 'Request time').innerText()).toBe('4 ms · 1.2 s');
    const chart = page.locator('.chart').filter({ hasText: 'Requests that did not succeed' });
    const plot = chart.getByRole('img', {
      name: /3 failed, 0 refused, 0 over a limit in the last hour/,
    });
    await plot.locator('canvas').waitFor();
    await chart.getByText('As a table').click();
    await chart.getByRole('columnheader', { name: 'failed (5xx)' }).waitFor();
    expect(await chart.locator('tbody tr').count()).toBe(1);
    expect(await chart.locator('tbody td').first().innerText()).toBe('3');
    expect(await brokenRules(page)).toEqual([]);
    await page.getByRole('link', { name: '7 d', exact: true }).click();
    await page
      .getByRole('img', { name: /in the last 7 days$/ })
      .first()
      .waitFor();
    expect(page.url()).toEndWith('/overview?window=7d');
    await page.goBack();
    await page
      .getByRole('img', { name: /in the last hour$/ })
      .first()
      .waitFor();
    await page.getByText('Error rate 7 % since 14:02 UTC').waitFor();
    await page.getByRole('link', { name: 'Open the failed requests' }).click();
    await page.getByRole('heading', { name: 'Request log' }).waitFor();
    expect(await page.getByLabel('Errors only').isChecked()).toBe(true);
    await page.unroute('**/v1/metrics/**');
    await page.unrouteAll();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D14] metrics that fail to load show the error with its request id, and can be retried',
  async () => {
    const { page } = owner;
    const mend = await refuse(page, '**/v1/metrics/**');
    await owner.to('t/demo/test/overview');
    const failure = page.getByRole('alert').filter({ hasText: 'Service unavailable' });
    await failure.getByText('req_away').first().waitFor();
    expect(await brokenRules(page)).toEqual([]);
    // The page reads again by itself when its stream opens: the button is for what failed after that.
    await page.waitForTimeout(SETTLED_MS);
    mend();
    await failure.getByRole('button', { name: 'Try again' }).first().click();
    await failure
      .last()
      .getByRole('button', { name: 'Try again' })
      .or(page.locator('.charts'))
      .first()
      .click();
    await tile(page, 'Matches in play').waitFor();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D14][D11] a webhook that begins to fail is named on the open page, with a link to it',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/overview');
    await page.getByText('No problems found.').waitFor();
    const url = `${world.server.url}/nowhere`;
    await call('/v1/webhooks', { url, events: ['session.created'] });
    await createSession();
    await page.getByText(/Webhook .* has failed since/).waitFor({ timeout: 15_000 });
    await page.getByRole('link', { name: 'Open the webhook' }).click();
    await page.getByRole('heading', { name: url }).waitFor();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] lists follow the event stream: changes appear at once, without polling',
  async () => {
    const { page } = owner;
    const requested: string[] = [];
    await owner.to('t/demo/test/sessions');
    // One more read when the stream opens.
    await page.waitForTimeout(SETTLED_MS);
    page.on('request', (request) => void requested.push(new URL(request.url()).pathname));
    await page.waitForTimeout(6_000);
    expect(requested.filter((path) => path.endsWith('/v1/sessions'))).toEqual([]);
    const { sessionId } = await createSession();
    await page.getByRole('link', { name: sessionId! }).waitFor({ timeout: 4_000 });
    page.removeAllListeners('request');
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] changes from before a slow stream opens are shown once it does',
  async () => {
    const { page } = owner;
    const opening = Promise.withResolvers<void>();
    await page.route('**/changes', async (route) => {
      await opening.promise;
      await route.continue();
    });
    await owner.to('t/demo/test/sessions');
    const { sessionId } = await createSession();
    // Longer than the log's batches, so that the stream itself does not report the session.
    await Bun.sleep(1_500);
    opening.resolve();
    await page.getByRole('link', { name: sessionId! }).waitFor({ timeout: 4_000 });
    await page.unrouteAll();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] an interrupted stream shows a notice, reconnects by itself, and missed changes appear',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/sessions');
    const broken = page.getByRole('status').filter({ hasText: 'Live updates are interrupted' });
    await page.context().setOffline(true);
    await broken.waitFor({ timeout: 40_000 });
    expect(await brokenRules(page)).toEqual([]);
    const missed = await createSession();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: missed['sessionId']! }).waitFor({ timeout: 15_000 });
    await broken.waitFor({ state: 'detached', timeout: 15_000 });
    const { sessionId } = await createSession();
    await page.getByRole('link', { name: sessionId! }).waitFor({ timeout: 4_000 });
    owner.complaints.length = 0; // The browser logs every request that failed.
  },
  2 * TEST_MS_MAX,
);

inBrowser(
  '[D11] a rejected stream shows the error; the page polls meanwhile and retries the stream',
  async () => {
    const other = await visit(world.browser, world.server.url);
    const { page } = other;
    await other.to('login');
    await signIn(page, OWNER.email, OWNER.password);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const mend = await refuse(page, '**/changes', {
      status: 429,
      headers: { 'x-error-code': 'too_many_streams' },
      json: { error: 'Too many pages are open: close some' },
    });
    await other.to('t/demo/test/sessions');
    const notice = page
      .getByRole('status')
      .filter({ hasText: 'Too many pages are open: close some' });
    await notice.waitFor();
    const { sessionId } = await createSession();
    await page.getByRole('link', { name: sessionId! }).waitFor({ timeout: 8_000 });
    mend();
    await notice.waitFor({ state: 'detached', timeout: 15_000 });
    await other.context.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D9][H6] the usage page shows all nine limits with their current use, by hour, day and month',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/usage');
    const limits = page.locator('.limits .meter');
    expect(await limits.count()).toBe(9);
    await limits.filter({ hasText: 'Webhooks' }).getByText('1 of 20').waitFor();
    await limits.filter({ hasText: 'Live sessions a month' }).getByText('Not counted').waitFor();
    await limits.filter({ hasText: 'Days that live sessions are kept' }).getByText('400').waitFor();
    await page.getByRole('img', { name: /^Sessions created: [1-9].* one day$/ }).waitFor();
    await page.getByRole('link', { name: 'Months' }).click();
    await page.getByRole('img', { name: /^Sessions created: [1-9].* one month$/ }).waitFor();
    expect(page.url()).toEndWith('/usage?by=month');
    expect(await brokenRules(page)).toEqual([]);
    await page.getByRole('link', { name: 'Hours' }).click();
    await page.locator('.chart').first().waitFor();
    await page.goBack();
    await page
      .getByRole('img', { name: /one month$/ })
      .first()
      .waitFor();
    await owner.to('t/demo/live/usage');
    await limits
      .filter({ hasText: 'Live sessions a month' })
      .getByText(/ of 100,000$/)
      .waitFor();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D9] the page of a session lists its requests, and new ones appear by themselves',
  async () => {
    const { page } = owner;
    const { sessionId } = await createSession();
    await owner.to(`t/demo/test/sessions/${sessionId}`);
    const requests = page.getByRole('table', { name: 'Requests' });
    await requests.getByText('POST createSession').waitFor({ timeout: 8_000 });
    await call(`/v1/sessions/${sessionId}`);
    await requests.getByText('GET getSession').waitFor({ timeout: 8_000 });
    expect(await brokenRules(page)).toEqual([]);
  },
  TEST_MS_MAX,
);
