/** Fixed faults of the dashboard, each with a regression test in a real browser. */

import { beforeAll, expect } from 'bun:test';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { fillIn, firstOwner, type Visit } from './dashboard-visit.ts';

const TEST_MS_MAX = 60_000;

const world = useBrowserWorld('fixed faults of the dashboard');
const { inBrowser } = world;

let owner: Visit;

beforeAll(async () => {
  // There is no server either when the browser is missing.
  if (world.browser !== undefined) owner = await firstOwner(world.browser, world.server);
}, TEST_MS_MAX);

inBrowser(
  '[K2] after a rotation the old secret is shown with its end and last use, and can be ended early',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/keys');
    await page.getByRole('button', { name: 'Create test key' }).click();
    await fillIn(page, { Name: 'turning' }, 'Create key');
    const text = page.locator('dialog .copyable code');
    const old = await text.innerText();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row', { name: /turning/ });
    await row.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('The old secret is accepted until').waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await row.getByText(/^Old secret .* ends .* last used never since the rotation/).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    const headers = { authorization: `Bearer ${old}` };
    const use = async () => (await fetch(`${world.server.url}/v1/whoami`, { headers })).status;
    expect(await use()).toBe(200);
    await row.getByRole('button', { name: 'Uses' }).click();
    const uses = page.getByRole('table', { name: 'Uses' });
    await uses.getByRole('row', { name: /^GET whoami .* 200 1$/ }).waitFor({ timeout: 10_000 });
    expect(await brokenRules(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await row.getByRole('button', { name: 'End overlap now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it now' }).click();
    await row.getByText(/^Old secret/).waitFor({ state: 'detached' });
    for (let tries = 0; (await use()) !== 401; tries++) {
      if (tries > 50) throw new Error('the old secret is still accepted');
      await Bun.sleep(100);
    }
  },
  TEST_MS_MAX,
);

inBrowser(
  '[K2] Escape does not close a dialog that shows a secret once, not even when pressed twice',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/keys');
    await page.getByRole('button', { name: 'Create test key' }).click();
    await fillIn(page, { Name: 'kept' }, 'Create key');
    const text = page.locator('dialog .copyable code');
    await text.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .filter({ hasText: 'only if you have stored it' })
      .waitFor();
    expect(await text.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await text.waitFor({ state: 'detached' });
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D9] a search by an unknown id clears the previous result',
  async () => {
    const { page } = owner;
    const { url, testKey } = world.server;
    const refused = await fetch(`${url}/v1/sessions/ses_nothing`, {
      headers: { authorization: `Bearer ${testKey}` },
    });
    const id = refused.headers.get('x-request-id')!;
    await Bun.sleep(1_500); // The service writes the log each second.
    await owner.to(`t/demo/test/requests?id=${id}`);
    const found = page.getByRole('region', { name: 'Found by id' });
    await found.getByText('session_not_found').waitFor();
    await page.getByLabel('Request id').fill('req_nothing');
    await found.getByRole('alert').waitFor();
    expect(await found.innerText()).not.toContain('session_not_found');
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] filters are in the address, and Back restores them',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/sessions');
    await page.getByLabel('Status').selectOption('ended');
    await page.getByText('No sessions match these filters.').waitFor();
    expect(page.url()).toEndWith('/sessions?status=ended');
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.goBack();
    await page.getByText('No sessions match these filters.').waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('ended');
    await page.goBack();
    await page.getByText('No sessions yet.').waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('');
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] a notice appears while the connection is lost, and disappears when it is restored',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/sessions');
    const lost = page.getByRole('status').filter({ hasText: 'Connection lost' });
    await page.context().setOffline(true);
    await lost.waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await page.context().setOffline(false);
    await lost.waitFor({ state: 'detached', timeout: 15_000 });
    owner.complaints.length = 0; // The browser logs every request that failed.
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D10] after following a link the heading is below the bar, and the bar fits a phone',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/keys');
    await page.getByRole('link', { name: 'Request log' }).click();
    await page.getByRole('heading', { name: 'Request log' }).waitFor();
    const bottom = (name: string) =>
      page.locator(name).evaluate((element) => element.getBoundingClientRect().bottom);
    const top = await page.locator('h1').evaluate((h1) => h1.getBoundingClientRect().top);
    expect(top).toBeGreaterThanOrEqual(await bottom('.bar'));
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 740 });
      const right = await page
        .locator('.world.live')
        .evaluate((live) => live.getBoundingClientRect().right);
      expect([width, right <= width, right > 0]).toEqual([width, true, true]);
      const buttons = page.locator('.bar button:visible').last();
      const end = await buttons.evaluate((each) => each.getBoundingClientRect().right);
      expect([width, end <= width]).toEqual([width, true]);
    }
    await page.setViewportSize({ width: 820, height: 740 });
    const row = page.getByRole('table', { name: 'Requests' }).locator('tbody tr').first();
    expect(await row.evaluate((each) => getComputedStyle(each).display)).toBe('table-row');
    await page.setViewportSize({ width: 1280, height: 800 });
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] one search box finds a page, a session and a player with the keyboard only',
  async () => {
    const { page } = owner;
    const { url, testKey } = world.server;
    const made = await fetch(`${url}/v1/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ game: 'tictactoe', players: [{ id: 'found-fay' }] }),
    });
    const { sessionId } = (await made.json()) as { sessionId: string };
    await owner.to('t/demo/test/overview');
    const find = async (words: string, option: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Find/ }).fill(words);
      await page.getByRole('option', { name: option }).waitFor();
    };
    await find('webho', 'Webhooks');
    expect(await brokenRules(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await find('found-f', 'found-fay');
    await page.keyboard.press('Escape');
    await find(sessionId, sessionId);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Session ${sessionId}` }).waitFor();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D7] the account page and the name in the bar lead back to the previous tenant and mode',
  async () => {
    const { page } = owner;
    await owner.to('installation');
    await page.getByRole('button', { name: 'New tenant' }).click();
    await fillIn(page, { Name: 'Second' }, 'Create tenant');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await owner.to('t/second/live/keys');
    await page.getByRole('link', { name: 'Your account' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(await page.getByLabel('Tenant').inputValue()).toBe('second');
    await page.getByRole('link', { name: 'matchd', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).toEndWith('/t/second/live/overview');
  },
  TEST_MS_MAX,
);
