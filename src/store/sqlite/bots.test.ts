/** Registered bots on SQLite: caps, names, what goes into the same commit. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import type { BotRow, BotWrite } from '../bots.ts';
import type { Store } from '../whole-store.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
const file = join(folder, 'matchd.db');
let store: Store;
beforeAll(async () => {
  store = await openSqliteStore(file);
});
afterAll(async () => {
  await store.close();
  removeFolder(folder);
});

let made = 0;
function makeBot(tenant: string, fields: Partial<BotRow> = {}): BotRow {
  made += 1;
  const id = `bot_${String(made).padStart(4, '0')}`;
  return {
    id,
    tenant,
    game: 'connect4',
    name: 'Rosa',
    displayName: 'Rosa',
    playerId: `bot:${id}`,
    kind: 'builtin',
    difficulty: 'hard',
    weight: 3,
    active: true,
    createdAt: 1_000,
    deletedAt: null,
    ...fields,
  };
}

function write(tenant: string, act: string, object: string): BotWrite {
  return { audit: { tenant, actor: 'key:k', act, object, at: 5 }, idempotency: null };
}

function auditOf(tenant: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('SELECT act, actor FROM audit WHERE tenant = ? ORDER BY id').all(tenant);
  db.close();
  return rows.map((row) => `${row['act']} ${row['actor']}`);
}

async function add(bot: BotRow, max = 100): Promise<string> {
  return store.createBot(bot, max, write(bot.tenant, 'bot.created', bot.id));
}

test('[B1] a bot comes back as it was written', async () => {
  const bot = makeBot('t1', { kind: 'external', difficulty: null, active: false });
  expect(await add(bot)).toBe('created');
  expect(await store.findBot('t1', bot.id)).toEqual(bot);
  expect(await store.findBot('t2', bot.id)).toBeNull();
});

test('[B1] the cap holds however many come at once, and deleted bots leave room', async () => {
  const bots = Array.from({ length: 10 }, () => makeBot('t3'));
  const outcomes = await Promise.all(bots.map((bot) => add(bot, 4)));
  expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(4);
  expect(outcomes.filter((outcome) => outcome === 'too_many')).toHaveLength(6);
  const first = bots[outcomes.indexOf('created')]!;
  await store.removeBot('t3', first.id, 9, write('t3', 'bot.deleted', first.id));
  expect(await add(makeBot('t3'), 4)).toBe('created');
});

test('[B1] a player id is held by one bot of a tenant', async () => {
  expect(await add(makeBot('t4', { playerId: 'x' }))).toBe('created');
  expect(await add(makeBot('t4', { playerId: 'x' }))).toBe('player_taken');
  expect(await add(makeBot('t5', { playerId: 'x' }))).toBe('created');
});

test('[B1][K3] every write is audited with its key, and what changes nothing is not', async () => {
  const bot = makeBot('t6');
  await add(bot);
  const update = (id: string) =>
    store.updateBot('t6', id, { weight: 9, active: false }, write('t6', 'bot.updated', id));
  expect(await update(bot.id)).toBe(true);
  expect(await update('bot_unknown')).toBe(false);
  expect(await store.findBot('t6', bot.id)).toEqual({ ...bot, weight: 9, active: false });
  const remove = () => store.removeBot('t6', bot.id, 9, write('t6', 'bot.deleted', bot.id));
  expect([await remove(), await remove(), await update(bot.id)]).toEqual([true, false, false]);
  expect(auditOf('t6')).toEqual(['bot.created key:k', 'bot.updated key:k', 'bot.deleted key:k']);
});

test('[B1] a deleted bot is listed nowhere, and is still found by its id', async () => {
  const [gone, kept] = [makeBot('t7'), makeBot('t7', { game: 'tictactoe' })];
  await add(gone);
  await add(kept);
  await store.removeBot('t7', gone.id, 9, write('t7', 'bot.deleted', gone.id));
  const filter = { tenant: 't7', game: null, active: null, before: null, limit: 10 };
  expect(await store.listBots(filter)).toEqual([kept]);
  expect((await store.findBot('t7', gone.id))?.deletedAt).toBe(9);
  expect(await store.listBots({ ...filter, game: 'connect4' })).toEqual([]);
});
