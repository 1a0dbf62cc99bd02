/** Visits to the dashboard: pages that record console messages, errors and requests to other servers. */

import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { ServerProcess } from '../parts/server-process.ts';

export const OWNER = {
  email: 'olga@example.test',
  name: 'Olga',
  password: 'seven green bottles',
} as const;

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console output, failed requests, and requests to other servers. */
  readonly complaints: string[];
  /** Opens a page of the dashboard by its path and waits for its heading. */
  to(path: string): Promise<void>;
  /** The heading of the page. */
  heading(): Promise<string>;
}

export async function visit(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // The browser logs every rejected request; the tests themselves say which are expected.
    if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('request', (request) => {
    const requested = request.url();
    const isOwn = requested.startsWith(`${url}/`) || /^(?:data|blob):/.test(requested);
    if (!isOwn) complaints.push(`asked ${requested}`);
  });
  const heading = () => page.locator('h1').innerText();
  return {
    context,
    page,
    complaints,
    heading,
    async to(path) {
      await page.goto(`${url}/dashboard/${path}`);
      await page.locator('h1').waitFor();
      // The heading appears before the content below it.
      await page.waitForFunction(() => document.querySelector('.loading') === null);
    },
  };
}

/** Fills a form's fields by their labels and submits it. */
export async function fillIn(
  page: Page,
  fields: Readonly<Record<string, string>>,
  action: string,
): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  await page.getByRole('button', { name: action, exact: true }).click();
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').waitFor();
  await fillIn(page, { 'E-mail address': email, Password: password }, 'Sign in');
}

/** Creates the first account with the link that the service prints; its browser is signed in. */
export async function firstOwner(
  browser: Browser,
  { url, setupUrl }: Pick<ServerProcess, 'url' | 'setupUrl'>,
): Promise<Visit> {
  const made = await visit(browser, url);
  await made.page.goto(setupUrl!);
  const fields = { 'E-mail address': OWNER.email, 'Your name': OWNER.name };
  await fillIn(made.page, { ...fields, Password: OWNER.password }, 'Create account');
  await made.page.getByRole('heading', { name: 'Overview' }).waitFor();
  return made;
}

/** Polls until it holds. Changes made in the dashboard apply everywhere within two seconds (rule K2). */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return;
    await Bun.sleep(100);
  }
  throw new Error('it did not come to hold');
}
