/** Sign-in to the dashboard, in a real browser from the real server. */

import { expect } from 'bun:test';
import { makeTotpCode, totpStepAt } from '../../src/accounts/totp.ts';
import { fromBase32 } from '../../src/testing/devices/base32.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { fillIn, OWNER, signIn, type Visit, visit } from './dashboard-visit.ts';

const TEST_MS_MAX = 60_000;

const world = useBrowserWorld('the dashboard');
const { inBrowser } = world;

/** The owner, signed in from the first test on. */
let owner: Visit;

inBrowser(
  '[D1] the link that the service prints creates the owner, once',
  async () => {
    const { setupUrl, url } = world.server;
    owner = await visit(world.browser, url);
    const { page } = owner;
    await page.goto(setupUrl!);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    const fields = { 'E-mail address': OWNER.email, 'Your name': OWNER.name };
    await fillIn(page, { ...fields, Password: 'password' }, 'Create account');
    await page.getByRole('alert').filter({ hasText: 'too weak' }).waitFor();
    await fillIn(page, { Password: OWNER.password }, 'Create account');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).toBe(`${url}/dashboard/t/demo/test/overview`);
    const again = await visit(world.browser, url);
    await again.page.goto(setupUrl!);
    await again.page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await again.context.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D3] scripts cannot read the cookie, and signing out ends the session',
  async () => {
    const { url } = world.server;
    const { page, context } = owner;
    expect(await page.evaluate(() => document.cookie)).toBe('');
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    const { name, value } = cookie!;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await context.addCookies([{ name, value, url }]);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, OWNER.email, 'not the password');
    await page.getByRole('alert').filter({ hasText: 'Wrong e-mail' }).waitFor();
    await signIn(page, OWNER.email, OWNER.password);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D3] a browser rejects a __Host- cookie over http, which is why development has another name',
  async () => {
    const { page, context } = await visit(world.browser, world.server.url);
    await page.route('**/dashboard/cookie-look', (route) =>
      route.fulfill({
        status: 200,
        headers: {
          'set-cookie':
            '__Host-look=1; Path=/; HttpOnly; SameSite=Strict\nplain-look=1; Path=/; HttpOnly',
        },
        body: 'x',
      }),
    );
    await page.goto(`${world.server.url}/dashboard/cookie-look`);
    const names = (await context.cookies()).map(({ name }) => name);
    expect(names).toContain('plain-look');
    expect(names).not.toContain('__Host-look');
    await context.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D10] no inline script runs, and no page can frame the dashboard',
  async () => {
    const { page } = owner;
    const answer = await page.goto(`${world.server.url}/dashboard/t/demo/live/overview`);
    const policy = answer!.headers()['content-security-policy']!;
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const html = await answer!.text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|style=/i);
    await page.locator('h1').waitFor();
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.intruded = true';
      document.body.append(script);
      return 'intruded' in window;
    });
    expect(ran).toBe(false);
    owner.complaints.length = 0; // The browser logged what it blocked.
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D7] test and live mode differ in address, word and colour, and the address leads back to the mode',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/keys');
    const colour = () =>
      page.locator('.bar').evaluate((bar) => getComputedStyle(bar).borderBottomColor);
    const test = await colour();
    expect(await page.title()).toContain('test');
    await page.getByRole('link', { name: 'Live' }).click();
    await page.getByText('Keys of live mode').waitFor();
    expect(page.url()).toEndWith('/t/demo/live/keys');
    expect(await page.title()).toContain('live');
    expect(await colour()).not.toBe(test);
    await page.goBack();
    await page.getByText('Keys of test mode').waitFor();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D6] an invited guest sees what the role may see and no more',
  async () => {
    const { page } = owner;
    const { url } = world.server;
    await owner.to('t/demo/test/team');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Role', { exact: true }).selectOption('support');
    await fillIn(page, { 'E-mail address': 'sue@example.test' }, 'Create link');
    const text = page.locator('dialog .copyable code');
    await text.waitFor();
    const invitation = await text.innerText();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const guest = await visit(world.browser, url);
    await guest.page.goto(invitation);
    await guest.page.getByText('sue@example.test is invited to Demo as support.').waitFor();
    const fields = { 'Your name': 'Sue', Password: 'another fine long one' };
    await fillIn(guest.page, fields, 'Create my account');
    await guest.page.getByRole('heading', { name: 'Overview' }).waitFor();
    const pages = await guest.page.getByRole('navigation').getByRole('link').allInnerTexts();
    expect(pages).toContain('Sessions');
    for (const closed of ['API keys', 'Audit log', 'Team', 'Installation']) {
      expect(pages).not.toContain(closed);
    }
    await guest.to('t/demo/test/keys');
    expect(await guest.heading()).toBe('Not for your role');
    await page.reload();
    await page
      .getByRole('row', { name: /sue@example/ })
      .getByRole('button', { name: 'Remove' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('row', { name: /sue@example/ }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Olga/ }).getByText('owner of the installation').waitFor();
    await guest.page.reload();
    await guest.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await guest.context.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D5] a second factor is set up on the page and required from then on',
  async () => {
    const { page } = owner;
    await owner.to('account');
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    await fillIn(page, { 'Your password': OWNER.password }, 'Continue');
    const shown = page.locator('dialog .copyable code');
    await shown.waitFor();
    await page.getByRole('img', { name: 'The secret as a QR code' }).waitFor();
    const secret = fromBase32((await shown.innerText()).replaceAll(' ', ''));
    const code = () => makeTotpCode(secret, totpStepAt(Date.now()));
    const first = code();
    await fillIn(page, { Code: first }, 'Turn on');
    // The previous dialog may still be there for a moment.
    const codes = page.locator('dialog', {
      has: page.getByRole('heading', { name: 'Recovery codes' }),
    });
    const recovery = (await codes.locator('.copyable code').innerText()).split('\n');
    expect(recovery).toHaveLength(10);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('10 recovery codes are left').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await signIn(page, OWNER.email, OWNER.password);
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    await fillIn(page, { Code: first }, 'Sign in');
    await page.getByRole('alert').filter({ hasText: 'Wrong code' }).waitFor();
    await fillIn(page, { Code: recovery[0]! }, 'Sign in');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  },
  TEST_MS_MAX,
);
