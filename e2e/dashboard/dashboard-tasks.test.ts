/** Ten tasks of a tenant at two in the morning, each from the overview: their cost in actions and seconds. */

import { afterAll, beforeAll, expect } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { connect } from '../../sdk/src/client/index.ts';
import { openReceiver, type Receiver } from '../../src/testing/webhooks/webhook-receiver.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { playToEnd } from '../parts/finished-match.ts';
import { fillIn, firstOwner, type Visit, visit } from './dashboard-visit.ts';

const TEST_MS_MAX = 90_000;

const world = useBrowserWorld('ten tasks in the dashboard');
const { inBrowser } = world;

let owner: Visit;
let receiver: Receiver;
/** The status with which the endpoint currently answers. */
let status = 500;

interface Made {
  readonly sessionId: string;
  readonly tokens: Readonly<Record<string, string>>;
}

async function call(path: string, body: object): Promise<Made> {
  const { url, testKey } = world.server;
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Made;
}

/** A running match; its clients must be closed. */
async function startMatch(ids: readonly [string, string]) {
  const players = ids.map((id) => ({ id }));
  const { sessionId, tokens } = await call('/v1/sessions', { game: 'tictactoe', players });
  const clients = ids.map((id) => connect({ url: world.server.url, token: tokens[id]! }));
  const seats = clients.map((client) => client.session(sessionId));
  while (seats.some(({ view }) => view?.status !== 'active')) await Bun.sleep(50);
  return { sessionId, seats, close: () => clients.forEach((client) => void client.close()) };
}

beforeAll(async () => {
  // There is no server either when the browser is missing.
  if (world.browser === undefined) return;
  owner = await firstOwner(world.browser, world.server);
  receiver = await openReceiver(() => ({ status }));
}, TEST_MS_MAX);
afterAll(() => receiver?.close());

/** A person's actions, which are counted; typed text is not. */
interface Hand {
  readonly page: Page;
  click(target: Locator): Promise<void>;
  choose(target: Locator, value: string): Promise<void>;
  /** Opens a page from the navigation. */
  open(name: string): Promise<void>;
  /** Searches with Ctrl K and opens the first result that contains the words. */
  find(words: string): Promise<void>;
}

/** Performs a task from the overview, prints the number of actions, and limits it. */
function task(name: string, actsMax: number, run: (hand: Hand) => Promise<void>): void {
  inBrowser(
    `[D11] at two in the morning: ${name}`,
    async () => {
      const { page } = owner;
      await owner.to('t/demo/test/overview');
      let acts = 0;
      const hand: Hand = {
        page,
        async click(target) {
          acts += 1;
          await target.click();
        },
        async choose(target, value) {
          acts += 1;
          await target.selectOption(value);
        },
        open: (label) =>
          hand.click(page.getByRole('navigation').getByRole('link', { name: label, exact: true })),
        async find(words) {
          acts += 2;
          await page.keyboard.press('Control+k');
          await page.getByRole('dialog').getByRole('combobox').fill(words);
          await page.getByRole('option', { name: words }).first().waitFor();
          await page.keyboard.press('Enter');
        },
      };
      const from = performance.now();
      await run(hand);
      const seconds = ((performance.now() - from) / 1_000).toFixed(1);
      console.info(`${name}: ${acts} acts, ${seconds} s`);
      expect(acts).toBeLessThanOrEqual(actsMax);
      expect(owner.complaints).toEqual([]);
    },
    TEST_MS_MAX,
  );
}

inBrowser(
  '[D11] the night before: a match was lost, an endpoint fails',
  async () => {
    await call('/v1/webhooks', { url: receiver.url, events: ['session.ended'] });
    const match = await startMatch(['eli', 'fay']);
    await match.seats[0]!.resign();
    match.close();
    while (receiver.received.length === 0) await Bun.sleep(50);
  },
  TEST_MS_MAX,
);

task('why did player X lose', 2, async (hand) => {
  await hand.find('eli');
  await hand.page.getByText('eli lost: resigned; fay won').waitFor();
});

task('a failing request by its id', 2, async (hand) => {
  const refused = await fetch(`${world.server.url}/v1/sessions/ses_nothing`, {
    headers: { authorization: `Bearer ${world.server.testKey}` },
  });
  await Bun.sleep(1_500); // The service writes the log each second.
  await hand.find(refused.headers.get('x-request-id')!);
  const found = hand.page.getByRole('region', { name: 'Found by id' });
  await found.getByText('session_not_found').waitFor();
});

task('rotate a leaked key', 8, async (hand) => {
  const { page } = hand;
  await hand.open('API keys');
  await hand.click(page.getByRole('button', { name: 'Create test key' }));
  await page.getByLabel('Name', { exact: true }).fill('leaked');
  await hand.click(page.getByRole('button', { name: 'Create key' }));
  const key = await page.locator('dialog .copyable code').innerText();
  await hand.click(page.getByRole('button', { name: 'I have stored it' }));
  await hand.click(
    page.getByRole('row', { name: /leaked/ }).getByRole('button', { name: 'Rotate' }),
  );
  await hand.choose(page.getByLabel('The old secret ends'), '0');
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Rotate' }));
  await hand.click(page.getByRole('button', { name: 'I have stored it' }));
  const headers = { authorization: `Bearer ${key}` };
  const use = async () => (await fetch(`${world.server.url}/v1/whoami`, { headers })).status;
  for (let tries = 0; (await use()) !== 401; tries++) {
    if (tries > 50) throw new Error('the leaked secret is still accepted');
    await Bun.sleep(100);
  }
});

task('why does a webhook fail, and resend', 5, async (hand) => {
  const { page } = hand;
  await hand.open('Webhooks');
  await hand.click(page.getByRole('link', { name: receiver.url }));
  await page.getByText('not a 2xx status').first().waitFor();
  status = 204;
  await hand.click(page.getByRole('button', { name: /^Resend all undelivered \([1-9]/ }));
  const dialog = page.getByRole('dialog');
  await hand.click(dialog.getByRole('button', { name: /^Resend \d/ }));
  await dialog.getByText(/^(\d) of \1 sent, \1 delivered\.$/).waitFor();
  await hand.click(dialog.getByRole('button', { name: 'Close' }));
});

task('usage against the plan', 1, async (hand) => {
  await hand.open('Usage');
  await hand.page
    .getByText(/open (?:test )?sessions/i)
    .first()
    .waitFor();
});

task('watch and end a live match', 4, async (hand) => {
  const { page } = hand;
  const match = await startMatch(['gus', 'hal']);
  await hand.open('Sessions');
  await hand.click(page.getByRole('link', { name: match.sessionId }));
  const frame = page.frameLocator('iframe[title="The match, live"]');
  await frame.locator('[role="grid"], .board, svg').first().waitFor();
  await hand.click(page.getByRole('button', { name: 'End session' }));
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'End session' }));
  await page.getByText('Match ended: ended without a result').waitFor();
  match.close();
  owner.complaints.length = 0; // The watcher's socket closes with the match.
});

task('export and erase a player', 5, async (hand) => {
  const { page } = hand;
  await hand.find('eli');
  const saved = page.waitForEvent('download');
  await hand.click(page.getByRole('button', { name: 'Export', exact: true }));
  expect((await saved).suggestedFilename()).toBe('player-eli.json');
  await hand.click(page.getByRole('button', { name: 'Erase' }));
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Erase' }));
  await page.getByText('The player is erased.').waitFor();
});

task('who changed what', 1, async (hand) => {
  await hand.open('Audit log');
  const row = hand.page.getByRole('row', { name: /player\.erased/ }).first();
  await row.getByText('Olga').waitFor();
});

task('invite a viewer', 4, async (hand) => {
  const { page } = hand;
  await hand.open('Team');
  await hand.click(page.getByRole('button', { name: 'Invite' }));
  await page.getByLabel('E-mail address').fill('vera@example.test');
  await hand.click(page.getByRole('button', { name: 'Create link' }));
  const invitation = await page.locator('dialog .copyable code').innerText();
  await hand.click(page.getByRole('button', { name: 'I have stored it' }));
  await viewerSeesAndChangesNothing(invitation);
});

/** A guest only reads: actions that change something are not offered. */
async function viewerSeesAndChangesNothing(invitation: string): Promise<void> {
  const { sessionId } = await call('/v1/sessions', { game: 'ludo', players: [{ id: 'ida' }] });
  const guest = await visit(world.browser, world.server.url);
  const { page } = guest;
  await page.goto(invitation);
  await page.getByText('vera@example.test is invited to Demo as viewer.').waitFor();
  await fillIn(
    page,
    { 'Your name': 'Vera', Password: 'another fine long one' },
    'Create my account',
  );
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await guest.to(`t/demo/test/sessions/${sessionId}`);
  for (const name of ['Verify', 'End session']) {
    expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
  }
  await guest.to('t/demo/test/webhooks');
  await page.getByText('Owners and developers can add and change endpoints.').waitFor();
  expect(await page.getByRole('button', { name: 'Add endpoint' }).count()).toBe(0);
  await guest.to('t/demo/test/keys');
  expect(await guest.heading()).toBe('Not for your role');
  expect(guest.complaints).toEqual([]);
  await guest.context.close();
}

task('verify a disputed ludo match', 3, async (hand) => {
  const { sessionId } = await playToEnd(world.server, { game: 'ludo' }, { seed: 'night' });
  await hand.find(sessionId);
  await hand.page.getByRole('heading', { name: `Session ${sessionId}` }).waitFor();
  await hand.click(hand.page.getByRole('button', { name: 'Verify' }));
  await hand.page.getByText('Verified: every record').waitFor();
});
