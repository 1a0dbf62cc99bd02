/** The samples of the guides, run unchanged against the real service. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServerProcess } from '../../e2e/parts/server-process.ts';
import { freePort, startServer } from '../../e2e/parts/server-process.ts';
import { connect } from '../../sdk/src/client/index.ts';
import type { Matchd } from '../../sdk/src/server/index.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { loadScripts, runShellSamples, samplesOf } from './samples.ts';

const GUIDES = path.join(import.meta.dirname, '../../docs/guides');
const START_MS_MAX = 60_000;
const TEST_MS_MAX = 30_000;

const folder = makeTempFolder();
let server: ServerProcess;
const guide = (name: string): string => readFileSync(path.join(GUIDES, `${name}.md`), 'utf8');

beforeAll(async () => {
  const dataDir = path.join(folder, 'data');
  mkdirSync(dataDir);
  server = await startServer({ port: await freePort(), dataDir });
}, START_MS_MAX);

afterAll(async () => {
  await server?.stop();
  removeFolder(folder);
}, START_MS_MAX);

/** The number of lines in each guide that call the service. */
const SHELL: Readonly<Record<string, number>> = {
  'quick-start': 1,
  sessions: 11,
  keys: 1,
  bots: 5,
  'integrity-setup': 2,
};

for (const [name, count] of Object.entries(SHELL)) {
  test(
    `[H1] every shell line in ${name} is answered with success`,
    async () => {
      const text = guide(name);
      const before = 'export MATCHD_URL=x\nexport MATCHD_KEY=x';
      const ran = await runShellSamples(`\`\`\`sh\n${before}\n\`\`\`\n${text}`, server);
      expect(ran.filter(({ code }) => code !== 0)).toEqual([]);
      expect(ran).toHaveLength(count);
    },
    TEST_MS_MAX,
  );
}

test(
  '[S4] the quick start creates the same match in JavaScript',
  async () => {
    const [sample] = samplesOf(guide('quick-start'), 'js');
    const file = path.join(folder, 'quick-start.mjs');
    const { url, testKey } = server;
    const filled = sample!.replace('http://127.0.0.1:4000', url).replace('mk_test_…', testKey);
    writeFileSync(file, filled);
    const { stdout, exitCode } = Bun.spawnSync(['node', file]);
    expect(exitCode).toBe(0);
    expect(String(stdout)).toMatch(/playUrls: \{\s*ann: '/);
  },
  TEST_MS_MAX,
);

test(
  '[S4] the quick start ends in a match that starts when the page connects',
  async () => {
    const [made] = await runShellSamples(guide('quick-start'), server);
    const { tokens, playUrls } = JSON.parse(made!.said);
    expect((await fetch(playUrls.ann)).status).toBe(200);
    const client = connect({ url: server.url, token: tokens.ann });
    const session = await client.firstSession();
    while (session.view?.status !== 'active') await Bun.sleep(10);
    client.close();
  },
  TEST_MS_MAX,
);

interface Matchmaking {
  open(url: string, key: string): Matchd;
  findOpponent(matchd: Matchd, player: object): Promise<{ id: string; token: string }>;
  ratingCurve(matchd: Matchd, playerId: string): Promise<readonly { at: string; rating: number }[]>;
  lobbyToken(matchd: Matchd, playerId: string): Promise<string>;
  fillTicket(matchd: Matchd, playerIds: readonly string[]): Promise<string>;
  formingTickets(matchd: Matchd, player?: string): Promise<readonly string[]>;
  promote(matchd: Matchd, ticketId: string): Promise<string>;
  startMatch(matchd: Matchd, groupIds: readonly string[]): Promise<string>;
  everySecond(look: () => Promise<void>, onError: (error: unknown) => void): NodeJS.Timeout;
}

test('[S2][L4] two players with the same request in the queue are matched and have a rating curve afterwards', async () => {
  const samples = await loadScripts<Matchmaking>(guide('matchmaking'), folder);
  const matchd = samples.open(server.url, server.testKey);
  const cleo = await samples.findOpponent(matchd, { id: 'cleo' });
  const dan = await samples.findOpponent(matchd, { id: 'dan' });
  expect(dan.id).toBe(cleo.id);
  expect(dan.token).not.toBe(cleo.token);
  expect(await samples.ratingCurve(matchd, 'cleo')).toEqual([]);
  const clients = [cleo, dan].map(({ token }) => connect({ url: server.url, token }));
  const [seat, other] = clients.map((client) => client.session(cleo.id));
  while (seat!.view?.status !== 'active' || other!.view?.status !== 'active') await Bun.sleep(10);
  await other!.resign();
  for (const client of clients) client.close();
  const [point, ...rest] = await samples.ratingCurve(matchd, 'cleo');
  expect(point!.rating).toBeGreaterThan(1500);
  expect([Date.parse(point!.at) > 0, rest]).toEqual([true, []]);
});

test(
  '[M1][M2][M3][M5] lobby, ticket, group, match, and a repeated step',
  async () => {
    const samples = await loadScripts<Matchmaking>(guide('matchmaking'), folder);
    const matchd = samples.open(server.url, server.testKey);
    await expect(samples.fillTicket(matchd, ['eve'])).rejects.toMatchObject({
      code: 'player_not_connected',
    });
    const clients = ['eve', 'fay'].map(async (id) => {
      const client = connect({ url: server.url, token: await samples.lobbyToken(matchd, id) });
      while (client.status.kind !== 'open') await Bun.sleep(10);
      return client;
    });
    const open = await Promise.all(clients);
    const ticket = await samples.fillTicket(matchd, ['eve', 'fay']);
    expect(await samples.formingTickets(matchd, 'eve')).toEqual([ticket]);
    const group = await samples.promote(matchd, ticket);
    expect(await samples.formingTickets(matchd, 'eve')).toEqual([]);
    const id = await samples.startMatch(matchd, [group]);
    expect(await samples.startMatch(matchd, [group])).toBe(id);
    expect((await open[0]!.firstSession()).view?.status).toBe('active');
    for (const client of open) client.close();
  },
  TEST_MS_MAX,
);

test('[M6] polls of lobbies do not overlap, and a failed one does not end them', async () => {
  const { everySecond } = await loadScripts<Matchmaking>(guide('matchmaking'), folder);
  let running = 0;
  let most = 0;
  const failures: unknown[] = [];
  const timer = everySecond(
    async () => {
      running += 1;
      most = Math.max(most, running);
      await Bun.sleep(1_200);
      running -= 1;
      throw new Error('look');
    },
    (error) => void failures.push(error),
  );
  await Bun.sleep(4_600);
  clearInterval(timer);
  expect(most).toBe(1);
  expect(failures.length).toBeGreaterThan(0);
}, 10_000);

interface Integrity {
  open(url: string, key: string): Matchd;
  makeChallenge(matchd: Matchd, platform: 'android' | 'ios'): Promise<string>;
  startChecked(
    matchd: Matchd,
    platform: 'android' | 'ios',
    token: string,
    players: readonly object[],
  ): Promise<{ status: string; reasons: readonly string[] }>;
}

test('[I2][I4] a challenge is issued and a session is created, whatever the token is', async () => {
  const samples = await loadScripts<Integrity>(guide('integrity-setup'), folder);
  const matchd = samples.open(server.url, server.testKey);
  expect(await samples.makeChallenge(matchd, 'ios')).toMatch(/^[\w-]{43}$/);
  await matchd.integrity.put({
    platform: 'ios',
    credential: { bundleId: 'com.example.game', teamId: 'A1B2C3D4E5' },
  });
  const verdict = await samples.startChecked(matchd, 'ios', 'junk', [{ id: 'gil' }]);
  expect(verdict).toMatchObject({ status: 'error', reasons: ['malformed_token'] });
});
