/** Webhooks in the dashboard: an endpoint's figures, its attempts, resending, editing and rotation. */

import { afterAll, beforeAll, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { Webhook as Verifier } from 'standardwebhooks';
import { openReceiver, type Receiver } from '../../src/testing/webhooks/webhook-receiver.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { lookAt } from './dashboard-look.ts';
import { firstOwner, type Visit } from './dashboard-visit.ts';

const TEST_MS_MAX = 90_000;

const world = useBrowserWorld('webhooks in the dashboard');
const { inBrowser } = world;

let owner: Visit;
let receiver: Receiver;
/** The status with which the endpoint currently answers. */
let status = 500;

beforeAll(async () => {
  // There is no server either when the browser is missing.
  if (world.browser === undefined) return;
  owner = await firstOwner(world.browser, world.server);
  receiver = await openReceiver(() => ({ status, body: 'no table "games"' }));
}, TEST_MS_MAX);
afterAll(() => receiver?.close());

async function trigger(type: string): Promise<string> {
  const response = await fetch(`${world.server.url}/v1/events/trigger`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.server.testKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ type }),
  });
  return ((await response.json()) as { eventId: string }).eventId;
}

const statusOf = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Endpoint' }).getByText(name, { exact: true });

inBrowser(
  '[D11] an endpoint is added with the selected events, and its page says why it fails',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/webhooks');
    await page.getByText('No webhooks yet. Add an endpoint').waitFor();
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    expect(await brokenRules(page)).toEqual([]);
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Events', { exact: true }).selectOption('some');
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('Note').fill('billing');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Tick at least one' }).waitFor();
    await page.getByLabel(/^session\.ended/).check();
    await page.getByLabel(/^session\.started/).check();
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await page.locator('dialog .copyable code', { hasText: 'whsec_' }).waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row', { name: /billing/ });
    await row.getByText('session.started, session.ended').waitFor();
    for (const type of ['session.ended', 'session.started', 'session.ended']) await trigger(type);
    await row.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    await statusOf(page, 'failing').waitFor({ timeout: 20_000 });
    await page.getByText('0 % of 3 latest requests').waitFor({ timeout: 20_000 });
    await page.getByText(/^3 waiting, oldest/).waitFor();
    const attempts = page.getByRole('table', { name: 'Attempts' });
    const first = attempts.getByRole('row').nth(1);
    await first.getByText('500', { exact: true }).waitFor();
    await first.getByText('not a 2xx status').waitFor();
    await lookAt(page, 'webhook');
    await owner.to('t/demo/test/webhooks');
    await page
      .getByRole('row', { name: /billing/ })
      .getByText('0 % of')
      .waitFor();
    await lookAt(page, 'webhooks');
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] the next retry is never in the past, and a first attempt is no retry',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/webhooks');
    const [id] = (await page.getByRole('link', { name: receiver.url }).getAttribute('href'))!
      .split('/')
      .slice(-1);
    const { json } = await page.evaluate(async (path) => {
      const response = await fetch(path);
      return { json: (await response.json()) as Record<string, unknown> };
    }, `/dashboard/api/t/demo/test/v1/webhooks/${id}`);
    const show = async (nextAttemptAt: string | null, events: number, words: RegExp) => {
      const backlog = { events, isMore: false, oldestAt: null, nextAttemptAt };
      await page.route(`**/v1/webhooks/${id}`, (route) =>
        route.fulfill({ json: { ...json, backlog } }),
      );
      await owner.to(`t/demo/test/webhooks/${id}`);
      const fact = page.locator('.facts > *', { hasText: 'Next retry' });
      await fact.getByText(words).waitFor();
      await page.unroute(`**/v1/webhooks/${id}`);
    };
    await show(new Date(Date.now() + 300_500).toISOString(), 6, /^in 5 min/);
    // The service's clock may be behind the browser's.
    await show(new Date(Date.now() - 300_000).toISOString(), 6, /^now$/);
    await show(null, 6, /^first attempts are next$/);
    await show(null, 0, /^none planned$/);
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] an attempt shows the request and the response, and filters are in the address',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    const attempts = page.getByRole('table', { name: 'Attempts' });
    await attempts.waitFor();
    await page.getByLabel('Event type').selectOption('session.started');
    const ids = attempts.getByRole('link', { name: /^evt_/ });
    expect(new Set(await ids.allInnerTexts()).size).toBe(1);
    expect(page.url()).toEndWith('?type=session.started');
    const id = await ids.first().innerText();
    await ids.first().click();
    const delivery = page.getByRole('region', { name: 'Delivery' });
    const payload = JSON.parse(await delivery.locator('.answer').innerText());
    expect(payload).toMatchObject({ id, type: 'session.started', data: { triggered: true } });
    await delivery.getByText('no table "games"').first().waitFor();
    await delivery
      .getByText(/Not delivered: 500, not a 2xx status/)
      .first()
      .waitFor();
    await lookAt(page, 'webhook-delivery');
    await page.goBack();
    await delivery.waitFor({ state: 'detached' });
    expect(page.url()).toEndWith('?type=session.started');
    await page.getByLabel('Event type').selectOption('');
    await page.getByLabel('Outcome').selectOption('delivered');
    await page.getByText('No attempts match these filters.').waitFor();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] events are resent: the selected ones, then all that are undelivered',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    const attempts = page.getByRole('table', { name: 'Attempts' });
    await attempts.waitFor();
    const dialog = page.getByRole('dialog');
    await attempts.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Resend selected (1)' }).click();
    await dialog.getByRole('button', { name: 'Resend 1 event' }).click();
    await dialog.getByText('1 of 1 sent, 0 delivered.').waitFor();
    await dialog.getByText(/Not delivered: 500/).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();

    status = 204;
    const before = receiver.received.length;
    await page.getByRole('button', { name: /^Resend all undelivered \([123]\)/ }).click();
    await dialog.getByRole('button', { name: /^Resend \d event/ }).click();
    await dialog.getByText(/^(\d) of \1 sent, \1 delivered\.$/).waitFor({ timeout: 20_000 });
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(receiver.received.length).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'Resend all undelivered (0)' }).waitFor();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] URL, note and events can be edited, and an invalid URL changes nothing',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel(/^session\.ended/).isChecked()).toBe(true);
    await page.getByLabel('URL').fill('ftp://nowhere');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Invalid url' }).waitFor();
    await page.getByLabel('URL').fill(`${receiver.url}/next`);
    await page.getByLabel('Note').fill('billing, new');
    await page.getByLabel('Events', { exact: true }).selectOption('all');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: `${receiver.url}/next` }).waitFor();
    await page.getByText('billing, new').waitFor();
    await page.getByText('all but move.made').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await statusOf(page, 'paused').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await statusOf(page, 'active').waitFor();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[E2] a secret is rotated in three steps, and the page shows when the old one expires',
  async () => {
    const { page } = owner;
    await owner.to('t/demo/test/webhooks');
    await page.getByRole('link', { name: `${receiver.url}/next` }).click();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByLabel('The old secret ends').selectOption('3600');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const text = page.locator('dialog .copyable code', { hasText: 'whsec_' });
    const secret = await text.innerText();
    await dialog.getByText(/^Both secrets sign until/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('alert').filter({ hasText: 'cannot be shown again' }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.getByRole('button', { name: 'Send test event' }).click();
    await dialog.getByText('Delivered: 204').waitFor();
    const { headers, body } = receiver.received.at(-1)!;
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
    expect(() => new Verifier(secret).verify(body, { ...headers })).not.toThrow();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText(/signs, too; ends in \d+ min/).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks yet.').waitFor();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);
