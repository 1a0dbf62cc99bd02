/** Metrics of a real server process reflect what players do. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { freePort, type ServerProcess, startServer } from '../e2e/parts/server-process.ts';
import { connect } from '../sdk/src/client/index.ts';
import { createMatchd, type Matchd } from '../sdk/src/server/index.ts';
import { makeTempFolder, removeFolder } from './testing/temp-folder.ts';

setDefaultTimeout(60_000);

const TOKEN = 'a-token-for-the-test-of-metrics';
let folder = '';
let server: ServerProcess;
let api: Matchd;

beforeAll(async () => {
  folder = makeTempFolder();
  const env = { MATCHD_METRICS_TOKEN: TOKEN };
  server = await startServer({ port: await freePort(), dataDir: folder, env });
  api = createMatchd({ url: server.url, key: server.testKey });
});

afterAll(async () => {
  await server?.stop();
  removeFolder(folder);
});

/** Every sample by its name and labels. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

test('[METRICS] a match of the queue appears in acks, commits, batches, sessions and time to match', async () => {
  const before = await scrape();
  const ask = { game: 'tictactoe', matchType: 'matchmaking' } as const;
  const first = await api.sessions.create({ ...ask, players: [{ id: 'ann' }] });
  const second = await api.sessions.create({ ...ask, players: [{ id: 'ben' }] });
  expect(second.sessionId).toBe(first.sessionId);
  const id = first.sessionId;
  const ann = connect({ url: server.url, token: first.tokens['ann']! });
  const ben = connect({ url: server.url, token: second.tokens['ben']! });
  while (ann.session(id).view === null || ben.session(id).view === null) await Bun.sleep(20);
  while ((await api.sessions.get(id)).status !== 'active') await Bun.sleep(20);
  // The first player is drawn.
  const players = ann.session(id).view!.seat === 0 ? [ann, ben] : [ben, ann];
  for (const [ply, position] of [0, 3, 1, 4, 2].entries()) {
    await players[ply % 2]!.session(id).act({ position });
  }
  while ((await api.sessions.get(id)).status !== 'ended') await Bun.sleep(20);
  ann.close();
  ben.close();
  // The event loop is sampled ten times a second.
  await Bun.sleep(250);
  const after = await scrape();
  const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  expect(grown('matchd_move_ack_seconds_count')).toBe(5);
  expect(grown('matchd_move_ack_seconds_sum')).toBeGreaterThan(0);
  expect(grown('matchd_commit_seconds_count')).toBeGreaterThanOrEqual(5);
  expect(grown('matchd_commit_batch_size_count')).toBeGreaterThanOrEqual(5);
  expect(grown('matchd_commit_batch_size_sum')).toBeGreaterThanOrEqual(
    grown('matchd_commit_batch_size_count'),
  );
  expect(grown('matchd_store_call_seconds_count{operation="createSession"}')).toBe(1);
  const labels = '{game="tictactoe",mode="test"}';
  expect(grown(`matchd_sessions_started_total${labels}`)).toBe(1);
  expect(grown(`matchd_sessions_ended_total${labels}`)).toBe(1);
  const queue = '{game="tictactoe",mode="test",meeting="queue"}';
  expect(grown(`matchd_time_to_match_seconds_count${queue}`)).toBe(1);
  expect(after.get('matchd_event_loop_delay_seconds_count')!).toBeGreaterThan(0);
});

test('[METRICS] no label names a tenant, a player or a session', async () => {
  const names = [...(await scrape()).keys()].flatMap((sample) =>
    [...sample.matchAll(/[{,](\w+)="/g)].map(([, label]) => label!),
  );
  expect([...new Set(names)].sort()).toEqual([
    'chain',
    'game',
    'kind',
    'le',
    'meeting',
    'mode',
    'operation',
    'outcome',
    'route',
    'status',
  ]);
});
