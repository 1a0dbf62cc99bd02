/** The first-game guide as a reader follows it: its commands and files, up to a match won against the bot. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { samplesOf } from '../../scripts/guides/samples.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { brokenRules } from '../parts/axe.ts';
import { findChromium, launchChromium } from '../parts/browser.ts';
import { freePort, type ServerProcess, startServer } from '../parts/server-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEST_MS_MAX = 240_000;
const GUIDE = readFileSync(join(ROOT, 'docs/guides/first-game.md'), 'utf8');
/** The guide's `../my-games`, next to the checkout. */
const folder = makeTempFolder();
const games = join(folder, 'my-games');
const dataDir = join(folder, 'data');
mkdirSync(dataDir);

const executable = findChromium();
let browser: Browser | null = null;
let server: ServerProcess | null = null;
beforeAll(async () => {
  if (executable !== null) browser = await launchChromium(executable);
}, TEST_MS_MAX);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  removeFolder(folder);
}, TEST_MS_MAX);

const commands = samplesOf(GUIDE, 'sh').flatMap((block) => block.trim().split('\n'));
const commandWith = (words: string): string => commands.find((line) => line.includes(words))!;

/** Runs a command of the guide in the checkout, with its games in the test's folder. */
function runCommand(words: string, env: Readonly<Record<string, string>> = {}): string {
  const line = commandWith(words).replaceAll('../my-games', games);
  const options = { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ...env } } as const;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], options);
  if (status !== 0) throw new Error(`${line}: ${status}\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** Writes the file that the guide names before the sample. */
function writeSample(name: string): void {
  const text = GUIDE.slice(GUIDE.indexOf(`\`my-games/nim/${name}\``));
  const [, code] = /```\w+\n([\s\S]*?)```/.exec(text)!;
  writeFileSync(join(games, 'nim', name), code!);
}

test(
  '[H10] the guide’s commands create a game, and its files pass their tests, their types and all checks',
  () => {
    expect(runCommand('games new')).toContain('nim is a game.');
    // The example that the guide replaces runs, too.
    expect(runCommand('bun --cwd')).toContain(' 0 fail');
    for (const name of ['rules.ts', 'strings.json', 'rules.test.ts']) writeSample(name);
    expect(runCommand('bun --cwd')).toContain(' 0 fail');
    expect(runCommand('games check')).toContain('nim passes.');
    writeSample('board.ts');
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync('node', [compiler, '-p', games], { encoding: 'utf8' });
    expect([stdout, status]).toEqual(['', 0]);
  },
  TEST_MS_MAX,
);

async function startMatch(page: Page): Promise<FrameLocator> {
  await page.goto(`${server!.url}/demo`);
  await page.getByRole('radio', { name: 'Nim', exact: true }).check();
  await page.getByRole('button', { name: 'Start the match' }).click();
  const frame = page.frameLocator('#frame iframe');
  await frame.locator('.board').waitFor();
  return frame;
}

/** The winning move: the remaining heaps cancel out. If there is none, one stick. */
function chooseTake(heaps: readonly number[]): { readonly heap: number; readonly take: number } {
  const sum = heaps.reduce((xor, sticks) => xor ^ sticks, 0);
  const heap = heaps.findIndex((sticks) => (sticks ^ sum) < sticks);
  if (heap >= 0) return { heap, take: heaps[heap]! - (heaps[heap]! ^ sum) };
  return { heap: heaps.findIndex((sticks) => sticks > 0), take: 1 };
}

const inBrowser = executable === null ? (test.skip as typeof test) : test;

inBrowser(
  '[H10][W7] the game is played against the bot on the general board, then on the guide’s board to the end, and verified',
  async () => {
    expect(commandWith('matchd dev')).toBe('npx matchd dev --games ../my-games');
    const board = readFileSync(join(games, 'nim/board.ts'), 'utf8');
    removeFolder(join(games, 'nim/board.ts'));
    const env = { MATCHD_GAMES: games };
    server = await startServer({ port: await freePort(), dataDir, env });
    const context = await browser!.newContext({ bypassCSP: true });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));

    const first = await startMatch(page);
    await first.getByRole('button', { name: '2 of heap 1' }).click();
    // The bot has moved: it is the player's turn again.
    await first.locator('.status[data-tone=mine]', { hasText: 'Your turn' }).waitFor();

    writeFileSync(join(games, 'nim/board.ts'), board);
    let second = await startMatch(page);
    while ((await second.locator('.nim').count()) === 0) {
      await page.waitForTimeout(200);
      second = await startMatch(page);
    }
    const visible = (heap: number): Promise<number> =>
      second.locator('.nim-heap').nth(heap).locator('button:not([hidden])').count();
    const isOver = second.locator('.status[data-tone=done]');
    await second.locator('.nim-stick:enabled').first().waitFor();
    expect(await brokenRules(page)).toEqual([]);
    for (;;) {
      await second
        .locator('.nim-stick:enabled:not([hidden]), .status[data-tone=done]')
        .first()
        .waitFor();
      if (await isOver.isVisible()) break;
      const { heap, take } = chooseTake([await visible(0), await visible(1), await visible(2)]);
      const name = `Take ${take} of heap ${heap + 1}`;
      // By keyboard, like every button of the board.
      const stick = second.getByRole('button', { name, exact: true });
      await stick.focus();
      await page.keyboard.press('Enter');
      await stick.and(second.locator(':enabled')).waitFor({ state: 'detached' });
    }
    expect(await second.locator('.status-text').innerText()).toBe('You won');
    expect(await second.locator('.result-reason').innerText()).toBe('The last stick is taken');
    await second.getByRole('button', { name: 'Fair play' }).click();
    await second.getByText('All is right: this match went by the rules').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  },
  TEST_MS_MAX,
);
