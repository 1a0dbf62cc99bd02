/**
 * A service with a damaged write-ahead log reports what is missing, and is not ready until an
 * operator has accepted the loss.
 */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import fs from 'node:fs';
import path from 'node:path';
import { call } from '../../../e2e/parts/matches.ts';
import { freePort, type ServerProcess, startServer } from '../../../e2e/parts/server-process.ts';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';

setDefaultTimeout(90_000);

const SESSIONS = 30;
const METRICS_TOKEN = 'a-token-for-the-test-of-metrics';

let matchd: Matchd;
let data: string;
let server: ServerProcess;
beforeEach(async () => {
  matchd = makeMatchd();
  data = path.join(matchd.folder, '.matchd');
  await start();
});
afterEach(async () => {
  await server.kill();
  matchd.close();
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  const variables = { MATCHD_METRICS_TOKEN: METRICS_TOKEN, ...env };
  server = await startServer({ port: await freePort(), dataDir: data, env: variables });
}

async function createSome(): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < SESSIONS; n++) {
    const players = [{ id: `p${n}` }, { id: `q${n}` }];
    const made = await call(server, 'POST', '/v1/sessions', { game: 'connect4', players });
    ids.push((made as { sessionId: string }).sessionId);
  }
  return ids;
}

/** One byte, in the middle of the log. */
function damage(): void {
  const wal = path.join(data, 'matchd.db-wal');
  const bytes = fs.readFileSync(wal);
  bytes[bytes.length >> 1]! ^= 1;
  fs.writeFileSync(wal, bytes);
}

const readyz = async (): Promise<number> => (await fetch(`${server.url}/readyz`)).status;

async function lostMetric(): Promise<number> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
  return Number(/^matchd_lost_commits (\d+)$/m.exec(text)?.[1]);
}

interface Alarm {
  readonly commits: number;
  readonly sessions: readonly { session: string; kept: number | null; written: number }[];
  readonly logs: readonly string[];
  readonly msg: string;
}

const alarms = (): Alarm[] =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes('acknowledged commits are missing'))
    .map((line) => JSON.parse(line) as Alarm);

test('[F3] one flipped byte: the log says what is missing, and /readyz refuses until the loss is accepted', async () => {
  const ids = await createSome();
  await server.kill();
  damage();
  await start();
  const [alarm] = alarms();
  const missing: string[] = [];
  for (const id of ids) {
    const headers = { Authorization: `Bearer ${server.testKey}` };
    const { status } = await fetch(`${server.url}/v1/sessions/${id}`, { headers });
    if (status === 404) missing.push(id);
  }
  expect(missing.length).toBeGreaterThan(0);
  expect(alarm!.sessions.filter(({ kept }) => kept === null).map(({ session }) => session)).toEqual(
    expect.arrayContaining(missing),
  );
  expect(alarm!.commits).toBeGreaterThanOrEqual(missing.length);
  expect(fs.existsSync(alarm!.logs[0]!)).toBe(true);
  expect([await readyz(), await lostMetric()]).toEqual([503, alarm!.commits]);
  const doctor = await matchd.run('doctor', '--json');
  expect(doctor.exit).toBe(1);
  expect(doctor.stdout).toContain(`${alarm!.commits} acknowledged commits were missing`);

  // Meanwhile it serves, and a restart accepts nothing.
  await createSome();
  await server.stop();
  await start();
  expect([await readyz(), await lostMetric(), alarms().length]).toEqual([503, alarm!.commits, 1]);
  await server.kill();
  await start({ MATCHD_LOST_COMMITS: 'serve' });
  expect([await readyz(), await lostMetric(), alarms().length]).toEqual([200, alarm!.commits, 1]);
  await server.kill();
  await start();
  expect([await readyz(), await lostMetric(), alarms().length]).toEqual([200, 0, 0]);
});

test('[F3] a second loss before the first is accepted is added to it', async () => {
  await createSome();
  await server.kill();
  damage();
  await start();
  const [first] = alarms();
  await createSome();
  await server.kill();
  damage();
  await start();
  const [both] = alarms();
  expect(both!.commits).toBeGreaterThan(first!.commits);
  expect(both!.logs).toHaveLength(2);
  expect(await readyz()).toBe(503);
});

test('[F3] restoring a backup ends the alarm, and raises none', async () => {
  await createSome();
  await matchd.json('backup', 'a.db');
  await createSome();
  await server.stop();
  await matchd.json('restore', 'a.db');
  await start();
  expect([await readyz(), alarms().length]).toEqual([200, 0]);
  await createSome();
  await server.kill();
  damage();
  await start();
  expect(await readyz()).toBe(503);
  await server.kill();
  await matchd.json('restore', 'a.db');
  await start();
  expect([await readyz(), alarms().length]).toEqual([200, 0]);
});

test('[F3] there is no alarm after SIGKILL during work, an orderly restart, and commands between', async () => {
  for (const end of ['kill', 'stop', 'kill'] as const) {
    const working = createSome().catch(() => []);
    await Bun.sleep(150);
    await server[end]();
    await working;
    await matchd.json('tenants', 'create', '--name', `T ${end} ${Date.now()}`, '--plan', 'pro');
    await matchd.json('migrate');
    await matchd.json('secrets', 'reseal');
    await start();
    expect([end, await readyz(), alarms().length]).toEqual([end, 200, 0]);
  }
});
