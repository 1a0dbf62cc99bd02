/** Another process locks the database: waiting requests fail in time, and `/readyz` reports it meanwhile. */

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort, type ServerProcess, startServer } from '../../../e2e/parts/server-process.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';

setDefaultTimeout(60_000);

const WAIT_MS = 1_500;
/** The time of a request besides the wait, on a busy machine. Ms. */
const SLACK_MS = 1_200;

let folder: string;
let server: ServerProcess;
beforeEach(() => {
  folder = makeTempFolder();
});
afterEach(() => removeFolder(folder));

async function timed(ask: () => Promise<Response>) {
  const from = performance.now();
  const { status } = await ask();
  return { status, ms: performance.now() - from };
}

let players = 0;
const create = () =>
  timed(() =>
    fetch(`${server.url}/v1/sessions`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${server.testKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': `key-${++players}`,
      },
      body: JSON.stringify({
        game: 'tictactoe',
        matchType: 'private',
        players: [{ id: `p${players}` }, { id: `q${players}` }],
      }),
    }),
  );
const ready = () => timed(() => fetch(`${server.url}/readyz`));

describe('SQLite, locked by another process', () => {
  let db: DatabaseSync;
  beforeEach(async () => {
    const env = { MATCHD_STORE_WAIT_MS: String(WAIT_MS) };
    server = await startServer({ port: await freePort(), dataDir: folder, env });
    db = new DatabaseSync(path.join(folder, 'matchd.db'));
  });
  afterEach(async () => {
    if (db.isTransaction) db.exec('ROLLBACK');
    db.close();
    await server.kill();
  });

  test('[F4] creates wait no longer than the setting says, including concurrent ones', async () => {
    expect((await create()).status).toBe(201);
    db.exec('BEGIN IMMEDIATE');
    const early = create();
    const late: ReturnType<typeof create>[] = [];
    for (let n = 0; n < 8; n++) {
      await Bun.sleep(WAIT_MS / 5);
      late.push(create());
    }
    for (const { status, ms } of await Promise.all([early, ...late])) {
      expect(status).toBe(503);
      expect(ms).toBeLessThan(WAIT_MS + SLACK_MS);
    }
    db.exec('ROLLBACK');
    expect((await create()).status).toBe(201);
  });

  test('[F4] many concurrent readiness checks put no load on a store that does not answer', async () => {
    db.exec('BEGIN IMMEDIATE');
    const answers = await Promise.all(Array.from({ length: 200 }, ready));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(1_000 + 2 * SLACK_MS);
  });
});
