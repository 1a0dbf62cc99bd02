/** The dashboard's pages in a real browser, from the real server: the main actions of each. */

import { beforeAll, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { connect } from '../../sdk/src/client/index.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { fillIn, firstOwner, OWNER, until, type Visit, visit } from './dashboard-visit.ts';

const TEST_MS_MAX = 60_000;

const world = useBrowserWorld('the pages of the dashboard');
const { inBrowser } = world;

/** The owner, signed in. */
let owner: Visit;

beforeAll(async () => {
  // There is no server either when the browser is missing.
  if (world.browser !== undefined) owner = await firstOwner(world.browser, world.server);
}, TEST_MS_MAX);

const TEST_PAGES = [
  ['overview', 'Overview'],
  ['sessions', 'Sessions'],
  ['board', 'Tickets and groups'],
  ['players', 'Players'],
  ['leaderboard', 'Leaderboard'],
  ['bots', 'Bots'],
  ['integrity', 'Device integrity'],
  ['webhooks', 'Webhooks'],
  ['requests', 'Request log'],
  ['usage', 'Usage'],
  ['keys', 'API keys'],
  ['settings', 'Settings'],
  ['explorer', 'API explorer'],
  ['audit', 'Audit log'],
  ['team', 'Team'],
] as const;

/** A request of the demo tenant's backend, in test mode. */
async function call(path: string, body: object): Promise<Record<string, string>> {
  const { url, testKey } = world.server;
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, string>;
}

/** The last entry is the one with which pages are opened. */
const DESKS = [
  ['light', 1920],
  ['dark', 1920],
  ['dark', 1280],
  ['light', 1280],
] as const;

const PLAYERS = [{ id: 'ann' }, { id: 'ben' }];

interface Created {
  readonly sessionId: string;
  readonly tokens: Readonly<Record<string, string>>;
}

inBrowser(
  '[D10] every page passes axe-core, logs no errors and contacts no other server',
  async () => {
    const { page, complaints } = owner;
    const look = async (name: string): Promise<void> => {
      for (const [colorScheme, width] of DESKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        expect([name, width, await brokenRules(page)]).toEqual([name, width, []]);
        expect([name, width, await tooWide(page)]).toEqual([name, width, 0]);
      }
    };
    for (const [name, heading] of TEST_PAGES) {
      await owner.to(`t/demo/test/${name}`);
      expect([name, await owner.heading()]).toEqual([name, heading]);
      await look(name);
    }
    for (const name of ['account', 'installation']) {
      await owner.to(name);
      await look(name);
    }
    expect(complaints).toEqual([]);
  },
  4 * TEST_MS_MAX,
);

inBrowser(
  '[K2] a key is created, shown once, used, rotated and revoked',
  async () => {
    const { page } = owner;
    const { url } = world.server;
    await owner.to('t/demo/test/keys');
    await page.getByRole('button', { name: 'Create test key' }).click();
    expect(await brokenRules(page)).toEqual([]);
    await fillIn(page, { Name: 'shop', Origins: 'https://shop.example' }, 'Create key');
    const text = page.locator('dialog .copyable code');
    await text.waitFor();
    const key = await text.innerText();
    expect(key).toMatch(/^mk_test_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row', { name: /shop/ });
    await row.waitFor();
    expect(await page.content()).not.toContain(key);
    const use = async (which: string) =>
      (await fetch(`${url}/v1/whoami`, { headers: { authorization: `Bearer ${which}` } })).status;
    expect(await use(key)).toBe(200);
    await row.getByRole('button', { name: 'Rotate' }).click();
    await page.getByLabel('The old secret ends').selectOption('0');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await text.waitFor();
    const next = await text.innerText();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await until(async () => (await use(key)) === 401 && (await use(next)) === 200);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await row.getByText('active', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked', { exact: true }).waitFor();
    await until(async () => (await use(next)) === 401);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[K5] a restricted key is created with the selected scopes',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/keys');
    await page.getByRole('button', { name: 'Create test key' }).click();
    await page.getByLabel('Access').selectOption('scopes');
    await page.getByLabel(/^read/).check();
    await page.getByLabel(/^players/).check();
    expect(await brokenRules(page)).toEqual([]);
    await fillIn(page, { Name: 'stats' }, 'Create key');
    const text = page.locator('dialog .copyable code');
    await text.waitFor();
    const key = await text.innerText();
    expect(key).toMatch(/^mrk_test_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row', { name: /stats/ });
    await row.getByText('read, players', { exact: true }).waitFor();
    const ask = (path: string, method: string) =>
      fetch(`${world.server.url}${path}`, { method, headers: { authorization: `Bearer ${key}` } });
    expect((await ask('/v1/sessions', 'GET')).status).toBe(200);
    expect((await ask('/v1/webhooks', 'GET')).status).toBe(200);
    expect(await (await ask('/v1/webhooks/whk_x', 'DELETE')).json()).toEqual({
      error: 'API key lacks the scope admin',
    });
  },
  TEST_MS_MAX,
);

inBrowser(
  '[K9] the rematch setting is changed for the current mode only',
  async () => {
    const { page } = owner;
    const { url, testKey } = world.server;
    const storedSettings = async () =>
      (
        await fetch(`${url}/v1/settings`, { headers: { authorization: `Bearer ${testKey}` } })
      ).json();
    await owner.to('t/demo/test/settings');
    const choice = page.getByLabel('When all players want a rematch');
    expect(await choice.inputValue()).toBe('announce');
    await choice.selectOption('create');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved.').waitFor();
    expect(await storedSettings()).toEqual({ rematch: 'create' });
    await owner.to('t/demo/live/settings');
    expect(await choice.inputValue()).toBe('announce');
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] the list of sessions shows a new one by itself; its page verifies, ends and replays it',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/sessions');
    const { sessionId: id } = await call('/v1/sessions', { game: 'tictactoe', players: PLAYERS });
    await page.getByRole('link', { name: id! }).click();
    await page.getByRole('heading', { name: `Session ${id}` }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await page.getByRole('row', { name: /ann/ }).getByText('away').waitFor();
    await page.getByText('Session created').waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Verified: every record').waitFor();
    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await page.getByText('Match ended: ended without a result').waitFor();
    await page.locator('.facts').getByText('Ended without a result').waitFor();
    for (const { id: player } of PLAYERS) {
      await page.getByRole('row', { name: player }).getByText('session ended').waitFor();
    }
    const frame = page.frameLocator('iframe[title="The replay"]');
    await frame.locator('[data-room="replay"]').waitFor();
    // The replay neither takes the focus nor scrolls the page.
    const focused = await page.evaluate(() => document.activeElement?.tagName);
    expect([focused === 'IFRAME', await page.evaluate(() => scrollY)]).toEqual([false, 0]);
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11][S9] the timeline of an ended session shows its dice rolls',
  async () => {
    const { page } = owner;
    const made = await call('/v1/sessions', { game: 'ludo', players: PLAYERS });
    const { sessionId, tokens } = made as unknown as Created;
    const clients = PLAYERS.map(({ id }) => connect({ url: world.server.url, token: tokens[id]! }));
    const seats = clients.map((client) => client.session(sessionId));
    await until(async () => seats.every(({ view }) => view?.status === 'active'));
    await seats.find(({ view }) => view!.turn === view!.seat)!.act({ roll: true });
    await call(`/v1/sessions/${sessionId}/end`, {});
    for (const client of clients) client.close();
    await owner.to(`t/demo/test/sessions/${sessionId}`);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText(/^[^;]* \(seat 0\) rolled [1-6]$/).waitFor();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] the page of bots starts a match against a bot, which can be watched live next to it',
  async () => {
    const { page, context } = owner;
    await owner.to('t/demo/test/bots');
    const opened = context.waitForEvent('page');
    await page
      .getByRole('row', { name: /tictactoe/ })
      .getByRole('button', { name: 'Try' })
      .click();
    const match = await opened;
    await match.locator('[role="grid"], .board, svg').first().waitFor();
    await page.getByRole('heading', { name: /^Session ses_/ }).waitFor();
    await page.getByRole('row', { name: /Olga/ }).getByText('connected').waitFor();
    const frame = page.frameLocator('iframe[title="The match, live"]');
    await frame.locator('[role="grid"], .board, svg').first().waitFor();
    await match.close();
    owner.complaints.length = 0; // The closed page may have logged that its socket closed.
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] the explorer sends a sample request in test mode, and only reads in live mode',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/explorer');
    await page.getByLabel('Call').selectOption({ label: 'Create a session for two' });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^201 · req_/).waitFor();
    expect(JSON.parse(await page.locator('.answer').innerText())).toMatchObject({ mode: 'test' });
    await owner.to('t/demo/live/explorer');
    const methods = await page.getByLabel('Method').locator('option').allInnerTexts();
    expect(methods).toEqual(['GET']);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^200 · req_/).waitFor();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] every sample of the explorer works unchanged',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/explorer');
    const titles = await page.getByLabel('Call').locator('option').allInnerTexts();
    expect(titles.length).toBeGreaterThan(10);
    for (const title of titles) {
      await page.getByLabel('Call').selectOption({ label: title });
      await page.getByRole('button', { name: 'Send' }).click();
      const path = await page.getByLabel('Path').inputValue();
      await page.locator('.verified.good, .verified.problem').waitFor();
      await until(async () => /^\d/.test(await page.locator('.verified').innerText()));
      expect([title, path, await page.locator('.verified.problem').count()]).toEqual([
        title,
        path,
        0,
      ]);
    }
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D9] the request log shows a rejected request with its id, and finds it by the id',
  async () => {
    const { page } = owner;
    const { url, testKey } = world.server;
    const refused = await fetch(`${url}/v1/sessions/ses_nothing`, {
      headers: { authorization: `Bearer ${testKey}` },
    });
    const id = refused.headers.get('x-request-id')!;
    await owner.to('t/demo/test/requests');
    await page.getByLabel('Errors only').check();
    await page.getByRole('row', { name: id }).getByText('session_not_found').waitFor();
    await page.getByLabel('Request id').fill(id);
    const found = page.getByRole('region', { name: 'Found by id' });
    await found.getByText('session_not_found').waitFor();
    expect(await brokenRules(page)).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] the pages of overview, usage, leaderboard, players, integrity and webhooks work',
  async () => {
    const { page } = owner;
    await call('/v1/sessions', { game: 'tictactoe', players: PLAYERS });
    await call('/matchmaking/hosted/ticket?game=ludo', {});
    await owner.to('t/demo/test/overview');
    // The steps collapse once all are done.
    await page.locator('li.done[data-step="session_created"]').waitFor({ state: 'attached' });
    await page.locator('.table').getByText('session.created').first().waitFor();

    await owner.to('t/demo/test/usage');
    await page.getByRole('img', { name: /^Sessions created: [1-9]/ }).waitFor();

    await owner.to('t/demo/test/board');
    const ticket = page.getByRole('row', { name: /tkt_/ }).first();
    await ticket.getByRole('button', { name: 'Promote' }).click();
    const group = page.getByRole('row', { name: /grp_/ });
    await group.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
    await page.getByText('The pool is empty.').waitFor();

    await owner.to('t/demo/test/integrity');
    await page.getByLabel('Package name').fill('not a package');
    await page.getByLabel('Google Cloud project number').fill('123456789012');
    await page.getByRole('button', { name: 'Register' }).first().click();
    await page.getByRole('alert').filter({ hasText: 'packageName' }).waitFor();
    expect(await page.getByLabel('Package name').inputValue()).toBe('not a package');
    await page.getByLabel('Package name').fill('com.example.game');
    await page.getByRole('button', { name: 'Register' }).first().click();
    await page.getByRole('button', { name: 'Replace' }).waitFor();

    await owner.to('t/demo/test/webhooks');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByLabel('URL').fill(`${world.server.url}/nowhere`);
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    await page.locator('dialog .copyable code', { hasText: 'whsec_' }).waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name: `${world.server.url}/nowhere` }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('status').filter({ hasText: 'Not delivered' }).waitFor();
    await page.getByRole('row', { name: /webhook\.test/ }).waitFor();
    expect(await brokenRules(page)).toEqual([]);

    await owner.to('t/demo/test/players');
    await page.getByLabel('Beginning of the player id').fill('be');
    await page.getByRole('link', { name: 'ben', exact: true }).click();
    await page.getByRole('heading', { name: 'ben' }).waitFor();
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await page.getByText('The player is erased.').waitFor();
    await page.getByLabel('Beginning of the player id').fill('be');
    await page.getByText('No players match.').waitFor();
    expect(owner.complaints).toEqual([]);
  },
  2 * TEST_MS_MAX,
);

inBrowser(
  '[D8] the audit log lists all actions, and its chain is verified',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/audit');
    await page
      .getByRole('row', { name: /key\.rotated/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Verify the chain' }).click();
    await page.getByText(/^All \d+ rows are as they were written/).waitFor();
    // Filters are in the address; other rows disappear.
    await page.getByLabel('What').selectOption('key.rotated');
    await until(async () => (await page.getByRole('row', { name: /key\.created/ }).count()) === 0);
    const rows = page.getByRole('table', { name: 'Audit' }).getByRole('row');
    const texts = (await rows.allInnerTexts()).slice(1);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => !text.includes('key.rotated'))).toEqual([]);
    expect(new URL(page.url()).search).toBe('?act=key.rotated');
    await page.getByLabel('Who').selectOption({ label: `${OWNER.name} (member)` });
    await page
      .getByRole('row', { name: /key\.rotated/ })
      .first()
      .waitFor();
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByText('No rows match these filters.').waitFor();
    await page.goBack();
    await page
      .getByRole('row', { name: /key\.rotated/ })
      .first()
      .waitFor();
    expect(await brokenRules(page)).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D10] at 360 pixels no page is wider than the screen, and the keyboard alone is enough',
  async () => {
    const phone = await visit(world.browser, world.server.url, {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    const { page } = phone;
    await phone.to('login');
    await page.keyboard.type(OWNER.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(OWNER.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const look = async (name: string): Promise<void> => {
      expect([name, await tooWide(page)]).toEqual([name, 0]);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect([name, colorScheme, await brokenRules(page)]).toEqual([name, colorScheme, []]);
      }
    };
    for (const [name] of TEST_PAGES) {
      await phone.to(`t/demo/test/${name}`);
      await look(name);
    }
    for (const name of ['account', 'installation']) {
      await phone.to(name);
      await look(name);
    }
    await phone.to('t/demo/test/overview');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Sessions', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await phone.to('t/demo/test/keys');
    const make = page.getByRole('button', { name: 'Create test key' });
    await make.focus();
    await page.keyboard.press('Enter');
    await until(() => page.evaluate(() => document.activeElement?.tagName === 'INPUT'));
    await page.keyboard.press('Escape');
    await until(() => make.evaluate((element) => element === document.activeElement));
    expect(phone.complaints).toEqual([]);
    await phone.context.close();
  },
  4 * TEST_MS_MAX,
);

async function tooWide(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}
