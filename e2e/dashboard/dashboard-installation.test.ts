/** The operator's pages and the account page, in a real browser. */

import { beforeAll, expect } from 'bun:test';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { fillIn, firstOwner, OWNER, signIn, until, type Visit, visit } from './dashboard-visit.ts';

const TEST_MS_MAX = 60_000;

const world = useBrowserWorld('the pages of the installation');
const { inBrowser } = world;

/** The owner, signed in. */
let owner: Visit;

beforeAll(async () => {
  // There is no server either when the browser is missing.
  if (world.browser !== undefined) owner = await firstOwner(world.browser, world.server);
}, TEST_MS_MAX);

inBrowser(
  '[D6][D8] the installation pages create a tenant, give it a plan, suspend it and activate it again',
  async () => {
    const { page } = owner;
    await owner.to('installation');
    await page
      .getByRole('row', { name: /\(this one\)/ })
      .getByText('alive')
      .waitFor();
    await page.getByRole('button', { name: 'New tenant' }).click();
    const dialog = page.getByRole('dialog');
    await fillIn(page, { Name: 'Acme Games', Slug: 'demo' }, 'Create tenant');
    await dialog.getByRole('alert').filter({ hasText: 'There is a tenant of this slug' }).waitFor();
    await fillIn(page, { Slug: '' }, 'Create tenant');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/t/acme-games/test/overview');

    await owner.to('t/acme-games/test/keys');
    await page.getByRole('button', { name: 'Create test key' }).click();
    await fillIn(page, { Name: 'first' }, 'Create key');
    const key = await page.locator('dialog .copyable code').innerText();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const whoami = async () => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(`${world.server.url}/v1/whoami`, { headers });
      return [answer.status, ((await answer.json()) as { plan?: string }).plan ?? null];
    };
    expect(await whoami()).toEqual([200, 'starter']);

    await owner.to('installation');
    const row = page.getByRole('row', { name: /Acme Games/ });
    await row.getByLabel('Plan of Acme Games').selectOption('growth');
    await until(async () => (await whoami())[1] === 'growth');
    await row.getByRole('button', { name: 'Suspend' }).click();
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await row.getByText('suspended').waitFor();
    await until(async () => (await whoami())[0] === 401);
    expect(await brokenRules(page)).toEqual([]);
    await row.getByRole('button', { name: 'Activate' }).click();
    await row.getByText('active', { exact: true }).waitFor();
    await until(async () => (await whoami())[0] === 200);
    for (const act of ['tenant.created', 'tenant.updated']) {
      await owner.to('t/acme-games/test/audit');
      await page.getByRole('row', { name: act }).first().waitFor();
    }
    await owner.to('installation');
    await page.getByRole('button', { name: 'Verify the chain' }).click();
    await page.getByText(/^All \d+ rows are as they were written/).waitFor();
    expect(owner.complaints).toEqual([]);
  },
  2 * TEST_MS_MAX,
);

inBrowser(
  '[D2][D3] the password form shows what is wrong, and a new password signs all other browsers out',
  async () => {
    const { page } = owner;
    const other = await visit(world.browser, world.server.url);
    await other.to('login');
    await signIn(other.page, OWNER.email, OWNER.password);
    await other.page.getByRole('heading', { name: 'Overview' }).waitFor();

    await owner.to('account');
    const next = 'nine purple bottles';
    const change = (current: string, to: string) =>
      fillIn(page, { 'Current password': current, 'New password': to }, 'Change password');
    await change('not the password', next);
    await page.getByRole('alert').filter({ hasText: 'Wrong' }).waitFor();
    await change(OWNER.password, 'short');
    await page.getByRole('alert').filter({ hasText: 'too weak' }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await change(OWNER.password, next);
    await page.getByText('The password is changed.').waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('');
    // The browser that changed the password is still signed in; the other is not, and only the new password works.
    await owner.to('account');
    expect(await owner.heading()).toBe('Your account');
    await other.page.goto(`${world.server.url}/dashboard/account`);
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(other.page, OWNER.email, OWNER.password);
    await other.page.getByRole('alert').filter({ hasText: 'Wrong e-mail' }).waitFor();
    await signIn(other.page, OWNER.email, next);
    await other.page.getByRole('heading', { name: /Overview|Your account/ }).waitFor();
    await other.context.close();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);
