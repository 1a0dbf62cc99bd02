/**
 * Screenshots of the dashboard with a month of sample data: `bun e2e/screens/dashboard-screens.ts [folder
 * [page...]]`. With
 * EVERY_SIZE it takes all sizes, themes and whole pages, for review only: they are not committed.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { openDashboard } from '../dashboard/dashboard-post.ts';
import { firstOwner, OWNER, signIn, visit } from '../dashboard/dashboard-visit.ts';
import { findChromium, launchChromium } from '../parts/browser.ts';
import { freePort, type ServerProcess, startServer } from '../parts/server-process.ts';

const FOLDER = process.argv[2] ?? join(import.meta.dirname, '../../docs/screens');
/** Without names all pages are taken. */
const NAMES = process.argv.slice(3);
const IS_EVERY = process.env['EVERY_SIZE'] !== undefined;
const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
/** Time for tables to fill and frames to be drawn. Milliseconds. */
const REST_MS = 700;
const LIVE = 't/sample/live';
const LIVE_API = '/t/sample/live/v1';

/** Committed for each page: light on a desktop and dark on a phone; for the overview a wide screen, too. */
function isTaken(name: string, theme: Theme, width: number): boolean {
  const isRequested = NAMES.length === 0 || NAMES.includes(name);
  const isCommitted =
    (theme === 'light' && width === 1280) ||
    (theme === 'dark' && width === 360) ||
    (theme === 'dark' && name === 'overview');
  return isRequested && (IS_EVERY || isCommitted);
}

/** Pages by the name of their screenshot; those of one item are added when its id is known. */
const PAGES: Readonly<Record<string, string>> = {
  overview: `${LIVE}/overview?window=30d`,
  sessions: `${LIVE}/sessions`,
  board: 't/demo/test/board',
  players: `${LIVE}/players`,
  leaderboard: `${LIVE}/leaderboard?game=connect4`,
  bots: `${LIVE}/bots`,
  integrity: `${LIVE}/integrity`,
  webhooks: `${LIVE}/webhooks`,
  requests: `${LIVE}/requests`,
  usage: `${LIVE}/usage`,
  keys: `${LIVE}/keys`,
  settings: `${LIVE}/settings`,
  explorer: 't/demo/test/explorer',
  audit: 't/demo/test/audit',
  team: `${LIVE}/team`,
  account: 'account',
  installation: 'installation',
};

interface Listed {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

/** Adds what the sample data lack, and the pages of one session, player and webhook. */
async function fill({ url, testKey }: ServerProcess): Promise<Readonly<Record<string, string>>> {
  const member = openDashboard(url);
  await member.ask('/login', { email: OWNER.email, password: OWNER.password });
  const first = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
    ((await member.ask(LIVE_API + path)) as unknown as Listed).data[0]!;
  for (const [name, difficulty] of [
    ['Mira', 'easy'],
    ['Nils', 'hard'],
  ]) {
    await member.ask(`${LIVE_API}/bots`, { game: 'checkers', name, kind: 'builtin', difficulty });
  }
  const credential = { bundleId: 'com.example.game', teamId: 'A1B2C3D4E5' };
  await member.ask(`${LIVE_API}/integrity`, { platform: 'ios', credential }, 'PUT');
  await member.ask('/t/sample/invitations', { email: 'vera@example.test', role: 'viewer' });
  await member.ask('/t/demo/test/keys', { name: 'nightly tests' });
  const made = await fetch(`${url}/matchmaking/hosted/ticket?game=ludo`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (!made.ok) throw new Error(`no ticket: ${made.status}`);
  const { playerId } = await first('/leaderboards?game=connect4&limit=1');
  const { sessionId: ended } = await first('/sessions?status=ended&game=ludo&limit=1');
  const { sessionId: active } = await first('/sessions?status=active&game=checkers&limit=1');
  const hooks = (await member.ask(`${LIVE_API}/webhooks`)) as unknown as Listed;
  const failing = hooks.data.find((hook) => hook['failingSince'] !== null)!;
  return {
    session: `${LIVE}/sessions/${ended}`,
    'session-live': `${LIVE}/sessions/${active}`,
    player: `${LIVE}/players/${playerId}`,
    webhook: `${LIVE}/webhooks/${failing['id']}`,
  };
}

async function shoot(
  browser: Browser,
  { url }: ServerProcess,
  pages: Readonly<Record<string, string>>,
): Promise<void> {
  for (const theme of THEMES) {
    for (const size of SIZES) {
      const names = [...Object.keys(pages), 'login', 'new-key', 'find'];
      if (!names.some((name) => isTaken(name, theme, size.width))) continue;
      const { page, to, context } = await visit(browser, url, {
        viewport: size,
        colorScheme: theme,
      });
      const isWanted = (name: string): boolean => isTaken(name, theme, size.width);
      const take = (name: string) => picture(page, `${name}-${theme}-${size.width}x${size.height}`);
      await to('login');
      if (isWanted('login')) await take('login');
      await signIn(page, OWNER.email, OWNER.password);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      for (const [name, path] of Object.entries(pages)) {
        if (!isWanted(name)) continue;
        await to(path);
        await take(name);
      }
      if (isWanted('new-key')) {
        await to(`${LIVE}/keys`);
        await page.getByRole('button', { name: 'Create live key' }).click();
        await take('new-key');
      }
      if (isWanted('find')) {
        await to(`${LIVE}/overview`);
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: /^Find/ }).fill('key');
        await take('find');
      }
      await context.close();
    }
  }
}

async function picture(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(REST_MS);
  await page.screenshot({ path: join(FOLDER, `dashboard-${name}.png`), fullPage: IS_EVERY });
}

const executable = findChromium();
if (executable === null) throw new Error('There is no chromium here: set CHROMIUM_PATH');
mkdirSync(FOLDER, { recursive: true });
const dataDir = makeTempFolder();
const flags = ['--sample-data'];
const server = await startServer({ port: await freePort(), dataDir, flags });
const browser = await launchChromium(executable);
try {
  const { page, context } = await firstOwner(browser, server);
  const pages = await fill(server);
  await page.waitForTimeout(1_500); // The service writes the request log each second.
  await context.close();
  await shoot(browser, server, { ...PAGES, ...pages });
} finally {
  await browser.close();
  await server.stop();
  removeFolder(dataDir);
}
