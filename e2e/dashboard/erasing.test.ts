/** Players erased by the dashboard's button and by the API: removed from every page, response, file and restored backup. */

import { expect } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRandom } from '../../game/src/random.ts';
import { makeMatchd } from '../../src/cli/matchd.test-kit.ts';
import type { Replay } from '../../src/match/replay/replay-form.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { openReceiver } from '../../src/testing/webhooks/webhook-receiver.ts';
import { brokenRules } from '../parts/axe.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { openRandomPlayer } from '../parts/random-player.ts';
import { firstOwner, type Visit } from './dashboard-visit.ts';

const TEST_MS_MAX = 120_000;

const world = useBrowserWorld('erasing players');
const { inBrowser } = world;

/** One is erased by the button, one by the API, and one stays. All have display names. */
const ERASED = ['anna-erased-by-button', 'bert-erased-by-call'] as const;
const NAMES = ['Annabel Button', 'Bertram Call'] as const;
const STAYS = 'cleo-who-stays';

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const { url, liveKey } = world.server;
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${liveKey}`,
      'content-type': 'application/json',
      ...(method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : null),
    },
    ...(body === undefined ? null : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

/** The ids and names of erased players that occur in a text. */
const namedIn = (text: string): string[] =>
  [...ERASED, ...NAMES].filter((each) => text.includes(each) || text.includes(encodeURI(each)));

const namedInFile = (file: string): string[] =>
  ['', '-wal']
    .filter((ending) => existsSync(file + ending))
    .flatMap((ending) => namedIn(readFileSync(file + ending, 'latin1')));

interface Created {
  readonly sessionId: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly players: readonly { readonly id: string; readonly seat: number }[];
}

const named = (i: 0 | 1) => ({ id: ERASED[i], displayName: NAMES[i] });

/** Plays a match of the two to its end; returns its replay from before the erasure. */
async function play(): Promise<Replay> {
  const body = { game: 'connect4', players: [named(0), named(1)] };
  const { sessionId, tokens, players } = await ask<Created>('POST', '/v1/sessions', body);
  const port = Number(new URL(world.server.url).port);
  const random = makeRandom(`${TEST_SEED} erasing`, () => '', 0);
  const clients = await Promise.all(
    players.map(({ id, seat }) =>
      openRandomPlayer({ port, token: tokens[id]!, session: sessionId, seat, random }),
    ),
  );
  for (const { over } of clients) await over;
  for (const client of clients) client.close();
  return ask('GET', `/v1/sessions/${sessionId}/replay`);
}

/** All responses about the two and about their actions. */
async function askAll(session: string): Promise<readonly string[]> {
  const path = `/v1/sessions/${session}`;
  const reads = [path, `${path}/replay`, '/v1/sessions', '/v1/rooms', '/v1/events?limit=100'];
  const more = ['/v1/leaderboards?game=connect4', `/v1/players/${STAYS}/export`];
  const answers = await Promise.all([...reads, ...more].map((each) => ask('GET', each)));
  answers.push(await ask('POST', `${path}/verify`));
  return answers.map((each) => JSON.stringify(each));
}

async function eraseByButton(owner: Visit): Promise<void> {
  const { page } = owner;
  await owner.to('t/demo/live/players');
  await page.getByLabel('Beginning of the player id').fill('anna');
  await page.getByRole('link', { name: ERASED[0], exact: true }).click();
  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase', exact: true }).click();
  await page.getByText('The player is erased.').waitFor();
}

/** The dashboard's pages after the erasure. */
async function visitPages(owner: Visit, session: string): Promise<string> {
  const texts: string[] = [];
  const world = 't/demo/live';
  for (const name of [
    `sessions/${session}`,
    'sessions',
    'players',
    'requests',
    'audit',
    'overview',
  ]) {
    await owner.to(`${world}/${name}`);
    texts.push(await owner.page.locator('main').innerText());
  }
  expect(texts.join()).not.toContain('There is no such page');
  expect(texts[0]).toContain('erased');
  return texts.join('\n');
}

inBrowser(
  `[R2][S7][D8] an erased player appears nowhere any more, and no backup restores them (seed ${TEST_SEED})`,
  async () => {
    const receiver = await openReceiver();
    const matchd = makeMatchd();
    const { dataDir } = world.server;
    const owner = await firstOwner(world.browser, world.server);
    const inFolder = (name: string): string => join(matchd.folder, name);
    await ask('POST', '/v1/webhooks', { url: receiver.url });
    const before = await play();
    const open = { game: 'ludo', seats: 3, matchType: 'private' };
    await ask('POST', '/v1/sessions', { ...open, players: [named(0), { id: STAYS }] });
    expect(namedIn(JSON.stringify(before)).length).toBe(4);
    await matchd.json('backup', 'older.db', '--data', dataDir);
    expect(namedInFile(inFolder('older.db')).length).toBe(4);

    await eraseByButton(owner);
    expect(await ask<object>('DELETE', `/v1/players/${ERASED[1]}`)).toEqual({ erased: true });
    await matchd.json('backup', 'newer.db', '--data', dataDir);
    expect(namedInFile(inFolder('newer.db'))).toEqual([]);
    expect(namedInFile(inFolder('matchd-withdrawn.jsonl'))).toEqual([]);

    // No text names them, and the rest of the data is unchanged.
    const { sessionId } = before;
    const answers = await askAll(sessionId);
    expect(answers.flatMap(namedIn)).toEqual([]);
    expect(JSON.parse(answers.at(-1)!)).toMatchObject({ ok: true });
    const after = await ask<Replay>('GET', `/v1/sessions/${sessionId}/replay`);
    expect(after.inputs).toEqual(before.inputs);
    expect([after.hash, after.result?.reason]).toEqual([before.hash, before.result?.reason]);
    expect(after.players.map(({ id, displayName }) => [id, displayName])).toEqual([
      [null, null],
      [null, null],
    ]);
    for (const id of ERASED) {
      const gone = await ask('GET', `/v1/players/${id}`).catch((error: Error) => error.message);
      expect(gone).toContain('404');
    }
    const shown = await visitPages(owner, sessionId);
    expect(namedIn(shown)).toEqual([]);
    expect(shown).toContain('player.erased');
    await showReplay(after);
    expect(namedIn(world.server.log())).toEqual([]);

    // A backup from before the erasure does not restore them.
    await world.server.stop();
    const restored: { playersErased: number } = await matchd.json(
      ...['restore', 'older.db', '--data', dataDir],
    );
    expect(restored.playersErased).toBe(2);
    expect(namedInFile(join(dataDir, 'matchd.db'))).toEqual([]);
    await world.restart();
    const again = await askAll(sessionId);
    expect(again.flatMap(namedIn)).toEqual([]);
    expect(JSON.parse(again.at(-1)!)).toMatchObject({ ok: true });
    await owner.context.close();
    await receiver.close();
    matchd.close();
  },
  TEST_MS_MAX,
);

/** The players' page plays the replay, and says of each player that they were erased. */
async function showReplay(replay: Replay): Promise<void> {
  const context = await world.browser.newContext({ locale: 'en' });
  const page = await context.newPage();
  await page.goto(`${world.server.url}/play/#replay`);
  const buffer = Buffer.from(JSON.stringify(replay));
  const file = { name: 'replay.json', mimeType: 'application/json', buffer };
  await page.locator('input[type=file]').setInputFiles(file);
  for (const seat of [1, 2]) {
    await page.getByText(`Player ${seat} (erased)`).first().waitFor();
  }
  expect(await brokenRules(page)).toEqual([]);
  await context.close();
}
