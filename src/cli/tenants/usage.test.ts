/** `matchd usage` with real requests to a real service. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import path from 'node:path';
import { freePort, type ServerProcess, startServer } from '../../../e2e/parts/server-process.ts';
import { connect } from '../../../sdk/src/client/index.ts';
import { createMatchd } from '../../../sdk/src/server/index.ts';
import { eventually } from '../../testing/webhooks/webhook-world.ts';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';

setDefaultTimeout(60_000);

let matchd: Matchd;
let server: ServerProcess;
beforeAll(async () => {
  matchd = makeMatchd();
  server = await startServer({
    port: await freePort(),
    dataDir: path.join(matchd.folder, '.matchd'),
  });
});
afterAll(async () => {
  await server?.kill();
  matchd.close();
});

interface Report {
  readonly usage: readonly { readonly kind: string; readonly game: string | null; count: number }[];
  readonly peaks: readonly { readonly kind: string; readonly mode: string; peak: number }[];
}

test('[D9][CLI] usage is printed by key and day, with the daily peaks, as a table and as CSV', async () => {
  const api = createMatchd({ url: server.url, key: server.testKey });
  const made = await api.sessions.create({ game: 'ludo', players: [{ id: 'ann' }, { id: 'ben' }] });
  const clients = Object.values(made.tokens).map((token) => connect({ url: server.url, token }));
  await api.sessions.get('ses_none').catch(() => {});
  const read = (): Promise<Report> => matchd.json('usage', '--tenant', 'demo');
  // Sampled every ten seconds.
  await eventually(async () => (await read()).peaks.length === 2, 30_000);
  for (const client of clients) client.close();
  const { usage, peaks } = await read();
  expect(usage.map(({ kind, game, count }) => [kind, game, count])).toEqual([
    ['refused', null, 1],
    ['requests', null, 2],
    ['sessions', 'ludo', 1],
  ]);
  expect(peaks).toEqual([
    expect.objectContaining({ kind: 'openSessions', mode: 'test', peak: 1 }),
    expect.objectContaining({ kind: 'sockets', mode: 'test', peak: 2 }),
  ]);
  const csv = await matchd.run('usage', '--tenant', 'demo', '--csv');
  const lines = csv.stdout.trimEnd().split('\r\n');
  expect([csv.exit, lines[0], lines.length]).toEqual([0, 'day,mode,key,measure,game,count', 6]);
  expect(lines.some((line) => line.endsWith(',sessions,ludo,1'))).toBe(true);
  expect(lines.at(-1)).toMatch(/^\d{4}-\d\d-\d\d,test,key_\w+,sessions,ludo,1$/);
  expect((await matchd.run('usage', '--tenant', 'demo')).stdout).toContain('MOST AT ONCE');
});

test('[D9][CLI] invalid days, or a missing tenant, are reported', async () => {
  for (const [args, exit, error] of [
    [['--tenant', 'demo', '--from', '2026-02-30'], 2, 'expected days'],
    [['--tenant', 'demo', '--from', '2026-11-02', '--to', '2026-11-01'], 2, 'expected days'],
    [['--tenant', 'demo', '--csv', '--json'], 2, 'exclude each other'],
    [['--tenant', 'nobody'], 1, 'There is no tenant'],
  ] as const) {
    const ended = await matchd.run('usage', ...args);
    expect([args, ended.exit]).toEqual([args, exit]);
    expect(ended.stderr).toContain(error);
  }
});
