/** Every list of the dashboard in its four states: loading, empty, failed, and without the right to read it. */

import { beforeAll, expect } from 'bun:test';
import type { Page, Route } from 'playwright-core';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { firstOwner, type Visit } from './dashboard-visit.ts';

const TEST_MS_MAX = 60_000;

const world = useBrowserWorld('the lists of the dashboard');
const { inBrowser } = world;

let owner: Visit;

beforeAll(async () => {
  // Without a browser there is no world.
  if (world.browser !== undefined) owner = await firstOwner(world.browser, world.server);
}, TEST_MS_MAX);

interface Listed {
  /** Its address, and what the list is called. */
  readonly page: string;
  readonly name: string;
  /** The path and query of its request. */
  readonly reads: RegExp;
  /** The response without rows, and the words that the page then has. */
  readonly none: object;
  readonly empty: string;
}

const NONE = { data: [], nextCursor: null };
const TEST = 't/demo/test';

/** Fills in the ids of a session, a player and a webhook, which the server has. */
function listsOf(session: string, webhook: string): readonly Listed[] {
  const list = (
    page: string,
    name: string,
    reads: RegExp,
    empty: string,
    none: object = NONE,
  ): Listed => ({ page, name, reads, none, empty });
  return [
    list(
      `${TEST}/overview`,
      'recent events',
      /\/overview$/,
      'No events yet. Create a session to see its events here.',
      { steps: [], events: [] },
    ),
    list(`${TEST}/sessions`, 'sessions', /\/v1\/sessions\?/, 'No sessions yet.'),
    list(
      `${TEST}/sessions/${session}`,
      'requests of a session',
      /\/requests\?/,
      'No requests about this session in the last 7 days.',
    ),
    list(`${TEST}/board`, 'tickets', /\/board$/, 'No tickets are forming.'),
    list(`${TEST}/board`, 'groups', /\/board$/, 'The pool is empty.'),
    list(`${TEST}/players`, 'players', /\/players\?/, 'No players yet.'),
    list(
      `${TEST}/players/ann`,
      'sessions of a player',
      /\/v1\/sessions\?/,
      'No sessions in test mode.',
    ),
    list(`${TEST}/leaderboard`, 'leaderboard', /\/v1\/leaderboards\?/, 'No players of'),
    list(`${TEST}/bots`, 'bots', /\/v1\/bots\?mode=test/, 'No bots yet.'),
    list(`${TEST}/bots`, 'live bots', /\/v1\/bots\?mode=live/, 'No live bots.'),
    list(
      `${TEST}/integrity`,
      'pass rates',
      /\/verdict-rates$/,
      'No device was checked in the last 30 days.',
      { isPartial: false, days: [], reasons: [] },
    ),
    list(`${TEST}/integrity`, 'verdicts', /\/verdicts$/, 'No device was checked in the last day.'),
    list(`${TEST}/webhooks`, 'webhooks', /\/v1\/webhooks\?/, 'No webhooks yet.'),
    list(
      `${TEST}/webhooks/${webhook}`,
      'attempts',
      /\/deliveries(?:\?|$)/,
      'No requests yet. Send a test event',
    ),
    list(`${TEST}/requests`, 'requests', /\/requests\?/, 'No requests in the last 7 days.'),
    list(`${TEST}/keys`, 'keys', /\/keys$/, 'No test keys yet.'),
    list(`${TEST}/audit`, 'audit log', /\/audit\?/, 'Nothing was changed yet.'),
    list(`${TEST}/team`, 'members', /\/team$/, 'No members yet. Invite one.', {
      members: [],
      operators: [],
      invitations: [],
    }),
    list(`${TEST}/team`, 'invitations', /\/team$/, 'No pending invitations.', {
      members: [],
      operators: [],
      invitations: [],
    }),
    list('account', 'signed-in browsers', /\/me\/logins$/, 'No browsers are signed in.'),
    list('account', 'passkeys', /\/me\/passkeys$/, 'No passkeys yet.'),
    list('installation', 'nodes', /\/operator\/nodes$/, 'No nodes.'),
    list('installation', 'tenants', /\/operator\/tenants$/, 'No tenants yet.'),
  ];
}

async function call(path: string, body: object): Promise<Record<string, string>> {
  const { url, testKey } = world.server;
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, string>;
}

/** A response as the service would give it. */
async function refuse(route: Route, status: number, error: string): Promise<void> {
  await route.fulfill({
    status,
    headers: { 'x-request-id': 'req_of_this_list', 'x-error-code': 'a_code' },
    json: { error },
  });
}

/** Opens its page while its request is answered by `answer`; the others are not touched. */
async function openWith(
  page: Page,
  { page: path, reads }: Listed,
  answer: (route: Route) => Promise<void>,
): Promise<void> {
  const isMeant = ({ pathname, search }: URL): boolean =>
    pathname.startsWith('/dashboard/api/') && reads.test(pathname + search);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route(isMeant, answer);
  await page.goto(`${world.server.url}/dashboard/${path}`);
  await page.locator('h1').waitFor();
}

async function checkStates(page: Page, listed: Listed): Promise<void> {
  const { none, empty } = listed;
  const words = page.getByText(empty).first();
  const failure = page.getByRole('alert').filter({ hasText: 'req_of_this_list' }).first();
  const loading = page.getByRole('status').filter({ hasText: 'Loading…' }).first();
  // Loading, then empty.
  const held = Promise.withResolvers<void>();
  await openWith(page, listed, async (route) => {
    await held.promise;
    await route.fulfill({ json: none });
  });
  await loading.waitFor();
  expect(await words.isVisible()).toBe(false);
  held.resolve();
  await words.waitFor();
  // Failed: the reason, what to do, the request id, and another try that succeeds.
  let isFailing = true;
  await openWith(page, listed, (route) =>
    isFailing ? refuse(route, 503, 'The service is overloaded') : route.fulfill({ json: none }),
  );
  await failure.getByText('The service is overloaded').waitFor();
  await failure.getByText('Try again. If it keeps failing, report the request id.').waitFor();
  expect(await words.isVisible()).toBe(false);
  const retry = await failure.getByRole('button', { name: 'Try again' }).elementHandle();
  isFailing = false;
  // At once: a list that follows changes may recover by itself, and takes the button away.
  await retry!.evaluate((button) => (button as HTMLElement).click());
  await words.waitFor();
  expect(await page.getByRole('alert').filter({ hasText: 'overloaded' }).count()).toBe(0);
  // No right to read it.
  await openWith(page, listed, (route) => refuse(route, 403, 'Your role may not do this'));
  await failure.getByText('Your role may not do this').waitFor();
  await failure.getByText('Ask an owner of the tenant for a role that may do this.').waitFor();
  expect(await words.isVisible()).toBe(false);
}

inBrowser(
  '[D10] every list shows that it loads, that it is empty, why it failed, and who may not read it',
  async () => {
    const { page } = owner;
    const players = [{ id: 'ann' }, { id: 'ben' }];
    const { sessionId } = await call('/v1/sessions', { game: 'tictactoe', players });
    const { id } = await call('/v1/webhooks', { url: `${world.server.url}/nowhere` });
    const faults: string[] = [];
    for (const listed of listsOf(sessionId!, id!)) {
      try {
        await checkStates(page, listed);
      } catch (error) {
        faults.push(`${listed.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(faults).toEqual([]);
    expect(owner.complaints).toEqual([]);
  },
  10 * TEST_MS_MAX,
);
