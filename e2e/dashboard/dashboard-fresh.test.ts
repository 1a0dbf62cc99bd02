/** Dashboard pages update while data change, or say why they do not. */

import { beforeAll, expect } from 'bun:test';
import { connect } from '../../sdk/src/client/index.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { firstOwner, OWNER, signIn, type Visit, visit } from './dashboard-visit.ts';

const TEST_MS_MAX = 60_000;

const world = useBrowserWorld('live updates of the dashboard');
const { inBrowser } = world;

let owner: Visit;

beforeAll(async () => {
  // There is no server either when the browser is missing.
  if (world.browser !== undefined) owner = await firstOwner(world.browser, world.server);
}, TEST_MS_MAX);

interface Made {
  readonly sessionId: string;
  readonly tokens: Readonly<Record<string, string>>;
}

/** A session created by the demo tenant's backend. */
async function makeSession(body: object, key = world.server.testKey): Promise<Made> {
  const response = await fetch(`${world.server.url}/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Made;
}

inBrowser(
  '[D11] the timeline of a session shows a move as soon as it is made, and the end',
  async () => {
    const { page } = owner;
    const players = [{ id: 'ann' }, { id: 'ben' }];
    const { sessionId, tokens } = await makeSession({ game: 'tictactoe', players });
    const clients = players.map(({ id }) => connect({ url: world.server.url, token: tokens[id]! }));
    const seats = clients.map((client) => client.session(sessionId));
    while (seats.some(({ view }) => view?.status !== 'active')) await Bun.sleep(50);
    await owner.to(`t/demo/test/sessions/${sessionId}`);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('Match started').waitFor();
    for (const { id } of players) {
      await page.getByRole('row', { name: id }).getByText('connected').waitFor();
    }
    // The move changes only the log: connections and status are the same.
    await seats.find(({ view }) => view!.turn === view!.seat)!.act({ position: 4 });
    await timeline.getByText('played position 4').waitFor({ timeout: 10_000 });
    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await timeline.getByText('Match ended').waitFor();
    for (const client of clients) client.close();
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] a list of sessions with an older page open has no gap when new ones are created',
  async () => {
    const { page } = owner;
    const made: string[] = [];
    const make = async (count: number): Promise<void> => {
      for (let left = count; left > 0; left--) {
        const body = { game: 'connect4', matchType: 'private', players: [{ id: 'cy' }] };
        made.push((await makeSession(body)).sessionId);
      }
      // Ids from the same millisecond are in random order.
      made.sort();
    };
    await make(60);
    await owner.to('t/demo/test/sessions');
    await page.getByLabel('Game').selectOption('connect4');
    const rows = page.getByRole('table', { name: 'Sessions' }).locator('tbody a');
    const older = page.getByRole('button', { name: 'Older sessions' });
    await page.getByText(made[59]!).waitFor();
    await older.click();
    await page.getByText(made[10]!).waitFor();
    await make(10);
    await page.getByText(made[69]!).waitFor();
    expect(await rows.allInnerTexts()).toEqual(made.slice(10).toReversed());
    await older.click();
    await page.getByText(made[0]!).waitFor();
    expect(await rows.allInnerTexts()).toEqual(made.toReversed());
    expect(owner.complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] a rejected action shows its error on the page, or in the open dialog',
  async () => {
    const { page } = owner;
    await makeSession({ game: 'checkers', players: [{ id: 'soon-gone' }] });
    await owner.to('t/demo/test/players');
    await page.getByRole('link', { name: 'soon-gone' }).click();
    const exporting = page.getByRole('button', { name: 'Export', exact: true });
    await exporting.waitFor();
    // The backend erases the player while the page is open.
    const { url, testKey } = world.server;
    const headers = { authorization: `Bearer ${testKey}` };
    const erased = await fetch(`${url}/v1/players/soon-gone`, { method: 'DELETE', headers });
    expect(erased.ok).toBe(true);
    await exporting.click();
    await page.getByRole('alert').filter({ hasText: 'Player not found' }).waitFor();
    expect(await brokenRules(page)).toEqual([]);

    await owner.to('installation');
    await page.route('**/operator/tenants/*', (route) => route.abort());
    const plan = page.getByLabel('Plan of Demo');
    const before = await plan.inputValue();
    await plan.selectOption('growth');
    await page.getByRole('alert').filter({ hasText: 'The service cannot be reached' }).waitFor();
    expect(await plan.inputValue()).toBe(before);
    expect(owner.complaints).toEqual([]);

    await owner.to('t/demo/test/keys');
    await page.getByRole('button', { name: 'Create test key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('not copied');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('Copying is not allowed'));
    });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Copying is not allowed' }).waitFor();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    owner.complaints.length = 0; // Errors that are not the service's rejections are also in the console.
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D3] a member whose login has expired sees that they are signed out, after a refresh and after a click',
  async () => {
    const { sessionId } = await makeSession({ game: 'ludo', players: [{ id: 'dan' }] });
    const other = await visit(world.browser, world.server.url);
    const { page } = other;
    await other.to('login');
    await signIn(page, OWNER.email, OWNER.password);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    // One page that updates itself, with a dialog open, and one that does not.
    await other.to(`t/demo/test/sessions/${sessionId}`);
    await page.getByRole('button', { name: 'End session' }).click();
    const still = await other.context.newPage();
    await still.goto(`${world.server.url}/dashboard/t/demo/test/players`);
    await still.getByRole('link', { name: 'dan' }).click();
    await still.getByRole('heading', { name: 'dan' }).waitFor();

    await owner.to('account');
    await owner.page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await owner.page.getByText('All others are signed out.').waitFor();
    await still.getByRole('button', { name: 'Export', exact: true }).click();
    for (const each of [still, page]) {
      await each.bringToFront();
      await each.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: 10_000 });
      await each.getByRole('alert').filter({ hasText: 'You have been signed out' }).waitFor();
      expect(await each.locator('body').innerText()).not.toContain(sessionId);
      expect(await each.getByRole('dialog').count()).toBe(0);
      expect(await brokenRules(each)).toEqual([]);
    }
    await signIn(page, OWNER.email, OWNER.password);
    await page.getByRole('heading', { name: `Session ${sessionId}` }).waitFor();
    expect(other.complaints).toEqual([]);
    await other.context.close();
  },
  TEST_MS_MAX,
);
