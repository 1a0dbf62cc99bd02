/** Pictures of the dashboard for docs/screens: `bun e2e/screens/dashboard-screens.ts [folder [page...]]`. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { firstOwner, OWNER, signIn, visit } from '../dashboard/dashboard-visit.ts';
import { findChromium, launchChromium } from '../parts/browser.ts';
import { freePort, type ServerProcess, startServer } from '../parts/server-process.ts';

const FOLDER = process.argv[2] ?? join(import.meta.dirname, '../../docs/screens');
/** Without names all pages are taken. */
const NAMES = process.argv.slice(3);
const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];
const THEMES = ['light', 'dark'] as const;
/** For tables to be filled and frames to be drawn. Milliseconds. */
const REST_MS = 700;

/** Pages by the name of their picture. */
const PAGES: Readonly<Record<string, string>> = {
  overview: 't/demo/test/overview',
  sessions: 't/demo/test/sessions',
  keys: 't/demo/live/keys',
  bots: 't/demo/test/bots',
  'live-bots': 't/demo/live/bots',
  integrity: 't/demo/test/integrity',
  requests: 't/demo/test/requests',
  usage: 't/demo/test/usage',
  settings: 't/demo/test/settings',
  audit: 't/demo/test/audit',
  explorer: 't/demo/test/explorer',
  team: 't/demo/test/team',
  account: 'account',
  installation: 'installation',
};

async function call(
  server: ServerProcess,
  path: string,
  body: object,
  { method = 'POST', key = server.testKey } = {},
): Promise<never> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as never;
}

/** Something to inspect. Returns an ended session. */
async function fill(server: ServerProcess): Promise<string> {
  let last = '';
  for (const game of ['tictactoe', 'connect4', 'checkers', 'ludo', 'pool', 'tictactoe']) {
    const players = [{ id: 'ann', displayName: 'Ann' }, { id: 'ben' }];
    const made: { sessionId: string } = await call(server, '/v1/sessions', { game, players });
    last = made.sessionId;
  }
  const bot = { game: 'checkers', name: 'nightly', displayName: 'Mira', kind: 'builtin' };
  await call(server, '/v1/bots', { ...bot, difficulty: 'hard' });
  for (const [key, platform, credential] of [
    [server.liveKey, 'ios', { bundleId: 'com.example.game', teamId: 'A1B2C3D4E5' }],
    [
      server.testKey,
      'android',
      { packageName: 'com.example.beta', googleCloudProjectNumber: '123456789012' },
    ],
  ] as const) {
    await call(server, '/v1/integrity', { platform, credential }, { method: 'PUT', key });
  }
  await call(server, '/v1/sessions', { game: 'chess' });
  await call(server, '/v1/sessions/ses_nothing/end', {});
  await call(server, `/v1/sessions/${last}/end`, {});
  return last;
}

async function shoot(
  browser: Browser,
  server: ServerProcess,
  pages: Readonly<Record<string, string>>,
): Promise<void> {
  for (const theme of THEMES) {
    for (const size of SIZES) {
      const look = { viewport: size, colorScheme: theme };
      const { page, to, context } = await visit(browser, server.url, look);
      const take = (name: string) => picture(page, `${name}-${theme}-${size.width}x${size.height}`);
      await to('login');
      if (isAsked('login')) await take('login');
      await signIn(page, OWNER.email, OWNER.password);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      for (const [name, path] of Object.entries(pages)) {
        if (!isAsked(name)) continue;
        await to(path);
        await take(name);
      }
      if (isAsked('new-key')) {
        await to('t/demo/live/keys');
        await page.getByRole('button', { name: 'Create live key' }).click();
        await take('new-key');
      }
      await context.close();
    }
  }
}

function isAsked(name: string): boolean {
  return NAMES.length === 0 || NAMES.includes(name);
}

async function picture(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(REST_MS);
  await page.screenshot({ path: join(FOLDER, `dashboard-${name}.png`) });
}

const executable = findChromium();
if (executable === null) throw new Error('There is no chromium here: set CHROMIUM_PATH');
mkdirSync(FOLDER, { recursive: true });
const dataDir = makeTempFolder();
const server = await startServer({ port: await freePort(), dataDir });
const browser = await launchChromium(executable);
try {
  const first = await firstOwner(browser, server);
  const session = await fill(server);
  await first.page.waitForTimeout(1_500); // The request log is written each second.
  await shoot(browser, server, { ...PAGES, session: `t/demo/test/sessions/${session}` });
} finally {
  await browser.close();
  await server.stop();
  removeFolder(dataDir);
}
