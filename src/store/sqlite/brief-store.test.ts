/** The store of a command: it writes without a thread, beside a service that has the file open. */

import { afterAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { auditOf, created, failureOf, sessionId, tenantOf } from '../contract/stage.ts';
import { StoreUnavailable } from '../shared/store-unavailable.ts';
import { openDatabase } from './file/open.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

const fileOf = (name: string): string => join(folder, name);

test('[STORE-SQ12] a command and a service read what the other has written', async () => {
  const file = fileOf('both.db');
  const command = await openSqliteStore(file, { isBrief: true });
  const service = await openSqliteStore(file, { isServing: true });
  await command.createTenant(tenantOf(), auditOf('tenant.create'));
  expect(await service.findTenant('ten_a')).toEqual(tenantOf());
  await created(service, 1);
  expect((await command.loadSession(sessionId(1)))?.entries.length).toBe(1);
  await service.close();
  await command.close();
});

test('[STORE-SQ1] what a command was writing when it ended is in the file', async () => {
  const file = fileOf('end.db');
  const command = await openSqliteStore(file, { isBrief: true });
  const written = Array.from({ length: 30 }, (_, n) =>
    command.createTenant(tenantOf(`ten_${n}`), auditOf('tenant.create')),
  );
  await command.close();
  await Promise.all(written);
  expect(await failureOf(command.createTenant(tenantOf('ten_x'), auditOf('tenant.create')))).toBe(
    'StoreUnavailable: The store is closed',
  );
  const after = await openSqliteStore(file, { isBrief: true });
  expect((await after.listTenants()).length).toBe(30);
  await after.close();
  expect(readdirSync(folder).filter((name) => name.startsWith('end.db'))).toEqual(['end.db']);
});

test("[STORE-SQ12] a command waits for another's lock, then its write is refused and changes nothing", async () => {
  const file = fileOf('locked.db');
  const command = await openSqliteStore(file, { isBrief: true, waitMs: 50 });
  const other = openDatabase(file, 'write');
  other.exec('BEGIN IMMEDIATE');
  await expect(command.createTenant(tenantOf(), auditOf('tenant.create'))).rejects.toThrow(
    StoreUnavailable,
  );
  other.exec('ROLLBACK');
  other.close();
  expect(await command.listTenants()).toEqual([]);
  await command.createTenant(tenantOf(), auditOf('tenant.create'));
  expect(await command.listTenants()).toEqual([tenantOf()]);
  await command.close();
});
