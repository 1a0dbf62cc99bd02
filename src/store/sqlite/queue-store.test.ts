/** Waiting and ratings in SQLite, and what of them outlives the process. */

import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { seatOf, sessionId, sessionOf, TENANT } from '../contract/stage.ts';
import { queueCases } from '../contract/tickets/queue-cases.ts';
import { queueManyCases } from '../contract/tickets/queue-many-cases.ts';
import type { Store } from '../whole-store.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

let store: Store;
let file: string;
let files = 0;

beforeEach(async () => {
  files += 1;
  file = join(folder, `${files}.db`);
  store = await openSqliteStore(file);
});
afterEach(() => store.close());

for (const { title, run } of [...queueCases, ...queueManyCases]) test(title, () => run(store));

test('[S2] a waiting player still waits when the file is opened again', async () => {
  const waiting = { pairing: 'x' };
  await store.createSession({ ...sessionOf(1, { seats: [seatOf(0, 'ann')] }), waiting });
  await store.close();
  store = await openSqliteStore(file);
  const world = { tenant: TENANT, mode: 'live', game: 'tictactoe' } as const;
  expect(await store.findWaiting(world, ['ann'])).toEqual([
    { playerId: 'ann', session: sessionId(1) },
  ]);
});
