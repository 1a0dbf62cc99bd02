/** Passkeys in a real browser, with a virtual authenticator of the browser. */

import { expect } from 'bun:test';
import type { CDPSession, Page } from 'playwright-core';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { fillIn, OWNER, signIn, type Visit, visit } from './dashboard-visit.ts';

const TEST_MS_MAX = 120_000;

const world = useBrowserWorld('passkeys');
const { inBrowser } = world;
/** Passkeys need a host name; an IP address is not enough. */
const urlByName = () => world.server.url.replace('127.0.0.1', 'localhost');

let owner: Visit;
let devtools: CDPSession;
let authenticatorId: string;
let recoveryCodes: string[];

async function addAuthenticator(page: Page): Promise<void> {
  devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  ({ authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options }));
}

/** Writes screenshots to the directory SHOTS_FOLDER, for inspection. */
async function look(page: Page, name: string): Promise<void> {
  expect(await brokenRules(page)).toEqual([]);
  const folder = process.env['SHOTS_FOLDER'];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect([name, colorScheme, width, overflow]).toEqual([name, colorScheme, width, 0]);
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` });
    }
    expect(await brokenRules(page)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

inBrowser(
  '[D5a] at an IP address the page says where passkeys work',
  async () => {
    const { setupUrl, url } = world.server;
    const visitor = await visit(world.browser, url);
    await visitor.page.goto(setupUrl!);
    const fields = { 'E-mail address': OWNER.email, 'Your name': OWNER.name };
    await fillIn(visitor.page, { ...fields, Password: OWNER.password }, 'Create account');
    await visitor.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await visitor.to('account');
    await visitor.page.getByRole('link', { name: urlByName() }).waitFor();
    await look(visitor.page, 'account-elsewhere');
    await visitor.context.clearCookies();
    await visitor.to('login');
    await visitor.page.getByRole('link', { name: urlByName() }).waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.context.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D5a] a passkey is added with its recovery codes, and listed',
  async () => {
    owner = await visit(world.browser, urlByName());
    const { page } = owner;
    await addAuthenticator(page);
    await owner.to('login');
    await signIn(page, OWNER.email, OWNER.password);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await owner.to('account');
    await page.getByText('No passkeys yet').waitFor();
    await look(page, 'account-empty');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Laptop');
    await look(page, 'add');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    await look(page, 'codes');
    const text = await page.locator('dialog').innerText();
    recoveryCodes = text.match(/[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}/g) ?? [];
    expect(recoveryCodes).toHaveLength(10);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('table', { name: 'Passkeys' }).getByText('Laptop').waitFor();
    await look(page, 'account-one');
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);
    // The same device cannot register twice.
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Again');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'has a passkey' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D5a] a passkey alone signs in, and the list of sessions names it',
  async () => {
    const { page } = owner;
    await signOut(page);
    await look(page, 'login');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await owner.to('account');
    const signedIn = page.getByRole('table', { name: 'Signed in' });
    await signedIn.getByText('Laptop').waitFor();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D5a] after the password a passkey or a recovery code is the second factor',
  async () => {
    const { page } = owner;
    await signOut(page);
    await signIn(page, OWNER.email, OWNER.password);
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    await look(page, 'second-factor');
    // A user whom the device does not verify cannot sign in.
    const unverified = { authenticatorId, isUserVerified: false };
    await devtools.send('WebAuthn.setUserVerified', unverified);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor();
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await signOut(page);
    await signIn(page, OWNER.email, OWNER.password);
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    await fillIn(page, { Code: recoveryCodes[0]! }, 'Use the code');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D5a] a removed passkey cannot sign in any more, and the password alone can again',
  async () => {
    const { page } = owner;
    await owner.to('account');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: 'Remove Laptop?' }).waitFor();
    await look(page, 'remove');
    await page.locator('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No passkeys yet').waitFor();
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'not accepted' }).waitFor();
    await look(page, 'refused');
    await signIn(page, OWNER.email, OWNER.password);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);
