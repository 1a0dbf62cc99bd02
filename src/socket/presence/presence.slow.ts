/**
 * A disconnection that cannot be written, because another process locks the file longer than the
 * writer waits.
 */

import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect } from 'bun:test';
import { join } from 'node:path';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { type HostedWorld, openHostedWorld } from '../../testing/service/hosted-world.ts';
import { test } from '../../testing/sockets/both-protocols.ts';
import { until } from '../../testing/sockets/socket-world.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';

let folder: string;
let world: HostedWorld;
beforeEach(() => {
  folder = makeTempFolder();
});
afterEach(async () => {
  await world.close();
  removeFolder(folder);
});

async function isConnected(player: string): Promise<boolean> {
  const { hosted } = world;
  const ticket = await hosted.ticket();
  const added = await hosted.add(ticket, player);
  await hosted.call('DELETE', `/ticket/${ticket}`);
  return added.status === 200;
}

test('[M2] a player who leaves while the file cannot be written does not stay connected', async () => {
  const file = join(folder, 'matchd.db');
  world = await openHostedWorld({ store: await openSqliteStore(file) });
  const lobby = await world.lobby('ann');
  expect(await isConnected('ann')).toBe(true);
  // A command, a restore, a manual repair.
  const other = new Database(file);
  other.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
  await lobby.close();
  await until(() => !world.sockets.isConnected(world.issuer.tenant.id, 'test', 'ann'));
  const refused = Date.now() + 40_000;
  while (world.errors.length === 0 && Date.now() < refused) await Bun.sleep(100);
  expect(world.errors.splice(0)).toHaveLength(1);
  other.exec('ROLLBACK');
  other.close();
  await world.sockets.maintain();
  expect(await isConnected('ann')).toBe(false);
}, 60_000);
