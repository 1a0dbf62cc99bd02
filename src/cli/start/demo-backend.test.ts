/** The demo's backend against the real service: its responses and its refusals. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServerProcess } from '../../../e2e/parts/server-process.ts';
import { freePort, startServer } from '../../../e2e/parts/server-process.ts';
import { PROJECT_ROOT } from '../../compose.ts';
import { SHIPPED_RULES } from '../../games/registry.ts';
import type { DemoBackend, DemoGame, DemoMatch } from '../../http/site/demo.ts';
import { makeLibrary } from '../../runtime/games/library.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { makeDemoBackend } from './demo-backend.ts';

const START_MS_MAX = 60_000;
const dataDir = makeTempFolder();
const games = makeTempFolder();
let server: ServerProcess;
let backend: DemoBackend;

/** The examples, one of them for many. */
function addGames(): void {
  const examples = path.join(PROJECT_ROOT, 'examples/games');
  cpSync(path.join(examples, 'reversi'), path.join(games, 'reversi'), { recursive: true });
  const rules = readFileSync(path.join(examples, 'rps-tournament/rules.ts'), 'utf8');
  mkdirSync(path.join(games, 'big-party'));
  writeFileSync(
    path.join(games, 'big-party/rules.ts'),
    rules.replace("id: 'rps-tournament'", "id: 'big-party'").replace('default: 4', 'default: 9'),
  );
  const bot = "export const bot = { makeMind: () => ({ choose: () => ({ throw: 'rock' }) }) };";
  writeFileSync(path.join(games, 'big-party/bot.ts'), bot);
}

beforeAll(async () => {
  addGames();
  const port = await freePort();
  server = await startServer({ port, dataDir, env: { MATCHD_GAMES: games } });
  const library = makeLibrary(SHIPPED_RULES, []);
  backend = makeDemoBackend(server.url, server.testKey, library);
}, START_MS_MAX);
afterAll(async () => {
  await server?.stop();
  removeFolder(dataDir);
  removeFolder(games);
}, START_MS_MAX);

const makeMatch = async (wish: object): Promise<DemoMatch> => {
  const { status, body } = (await backend.answer('matches', { ...wish }))!;
  expect([status, body]).toEqual([200, expect.anything()]);
  return body as DemoMatch;
};

test('[H10] lists every game with its rule sets and their numbers of players', async () => {
  const { games } = (await backend.answer('games', {}))!.body as { games: readonly DemoGame[] };
  expect(games.map(({ game }) => game).sort()).toEqual([
    'checkers',
    'connect4',
    'fight-arena',
    'ludo',
    'pool',
    'tictactoe',
  ]);
  const { variants } = games.find(({ game }) => game === 'ludo')!;
  expect(variants.map(({ name, seats }) => `${name} ${seats.min}-${seats.max}`)).toEqual([
    'classic 2-4',
    'quick 2-4',
    'timed 2-4',
    'teams 4-4',
  ]);
});

test('[S4] a match with a level is against bots, one without has a link for each person', async () => {
  const alone = await makeMatch({ game: 'ludo', variant: 'quick', seats: 3, level: 'hard' });
  expect([alone.player.startsWith('guest:'), alone.others]).toEqual([true, []]);
  const { player, playUrl, others } = await makeMatch({ game: 'ludo', seats: 4, level: null });
  expect([player, others.map(({ name }) => name)]).toEqual([
    'demo-1',
    ['Player 2', 'Player 3', 'Player 4'],
  ]);
  const urls = [playUrl, ...others.map((other) => other.playUrl)];
  expect(new Set(urls).size).toBe(4);
  for (const url of urls) expect(url).toStartWith(`${server.url}/play/demo/#token=`);
});

test('[S6] a returning player gets a new token', async () => {
  const { session, player } = await makeMatch({ game: 'tictactoe', level: 'easy' });
  const { status, body } = (await backend.answer('tokens', { session, player }))!;
  expect([status, (body as { token: string }).token.split('.')]).toEqual([
    200,
    [expect.any(String), expect.any(String), expect.any(String)],
  ]);
});

test('[H4] an error has the service’s own message', async () => {
  const refused = async (wish: object, name = 'matches') => {
    const { status, body } = (await backend.answer(name, { ...wish }))!;
    return `${status} ${(body as { error: string }).error}`;
  };
  expect(await refused({ game: 'chess' })).toStartWith('400 Invalid game. Valid: ');
  expect(await refused({ game: 'pool', level: 'godlike' })).toStartWith('400 Invalid options.');
  expect(await refused({ game: 'ludo', seats: 'x' })).toStartWith('400 ');
  expect(await refused({ session: '../keys', player: '..' }, 'tokens')).toMatch(/^(4\d\d|503) /);
  expect(await refused({ session: 'ses_0', player: 'x' }, 'tokens')).toBe('404 Session not found');
  for (const name of ['keys', 'toString', '__proto__', '']) {
    expect([name, await backend.answer(name, {})]).toEqual([name, null]);
  }
});

test.each([
  ['ludo', 'Ludo', 4],
  // The operator's own game, by the name in its texts or made of its id; bots take the other seats.
  ['reversi', 'Reversi', 2],
  ['big-party', 'Big party', 4],
])('[H10] /demo/%s shows a match of %s from %i seats', async (game, title, seats) => {
  const page = await (await fetch(`${server.url}/demo/${game}`)).text();
  expect(page.match(/<iframe src="\/play\/demo\/#token=/g)).toHaveLength(seats);
  expect(page).toContain(`<a href="/demo/${game}" aria-current="page">${title}</a>`);
  const headers = { Authorization: `Bearer ${server.testKey}` };
  const answer = await fetch(`${server.url}/v1/sessions?game=${game}&limit=1`, { headers });
  const { data } = (await answer.json()) as { data: { players: { isBot: boolean }[] }[] };
  const bots = data[0]!.players.filter(({ isBot }) => isBot);
  expect(bots).toHaveLength(game === 'big-party' ? 5 : 0);
});
