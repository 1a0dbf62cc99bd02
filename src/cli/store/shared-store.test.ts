/** Commands on the database that nodes share, by the real command `matchd`. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../e2e/parts/server-process.ts';
import { openSeal } from '../../runtime/sealing/open-seal.ts';
import { makeSealedStore } from '../../runtime/sealing/sealed-store.ts';
import { systemRandomness } from '../../runtime/system.ts';
import {
  auditOf,
  created,
  keyOf,
  seatOf,
  T0,
  TENANT,
  tenantOf,
} from '../../store/contract/stage.ts';
import { openPostgresStore } from '../../store/postgres/postgres-store.ts';
import { WORLDS } from '../../store/world.ts';
import { openCutLine } from '../../testing/servers/cut-line.ts';
import { isPostgresHere, sharedPostgres } from '../../testing/servers/postgres.ts';
import { type Matchd, makeMatchd, matchdCommand } from '../matchd.test-kit.ts';

describe.skipIf(!isPostgresHere())('commands on PostgreSQL', () => {
  let matchd: Matchd;
  beforeAll(async () => {
    const url = await (await sharedPostgres()).createDatabase();
    matchd = makeMatchd({
      MATCHD_STORE: url,
      MATCHD_SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
  }, 60_000);
  afterAll(() => matchd.close());

  test("[CLI] tenants and keys are created, listed and revoked in the nodes' database", async () => {
    const none = await matchd.run('tenants', 'list');
    expect([none.exit, none.stderr]).toEqual([
      1,
      expect.stringContaining('is empty: check MATCHD_STORE'),
    ]);
    await matchd.json('tenants', 'create', '--name', 'Acme');
    const tenants = (await matchd.json('tenants', 'list')) as { readonly slug: string }[];
    expect(JSON.stringify(tenants)).toContain('"slug":"acme"');
    const made = await matchd.run('keys', 'create', '--tenant', 'acme', '--mode', 'test', '--json');
    const { id } = JSON.parse(made.stdout) as { readonly id: string };
    expect((await matchd.run('keys', 'revoke', id)).exit).toBe(0);
    expect((await matchd.run('secrets', 'show')).exit).toBe(0);
    // An explicit folder is used, and has no database.
    const folder = await matchd.run('tenants', 'list', '--data', matchd.folder);
    expect([folder.exit, folder.stderr]).toEqual([1, expect.stringContaining('check --data')]);
    const wrong = await matchd.run('tenants', 'list', '--store', 'mysql://root:hunter2@x/y');
    expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('--store: expected')]);
    expect(wrong.stderr).not.toContain('hunter2');
  }, 60_000);

  test('[D12][CLI] while nodes serve, secrets cannot be given up with a wrong key, and the message does not suggest it', async () => {
    const url = await (await sharedPostgres()).createDatabase();
    const store = await openPostgresStore({ url, node: 'nod_a' });
    const deps = { store, dataDir: matchd.folder, randomness: systemRandomness };
    const right = { ...deps, settingKeys: [new Uint8Array(32).fill(8)] };
    const wrong = { ...deps, settingKeys: [new Uint8Array(32).fill(7)] };
    const { sealer } = await openSeal(right);
    const secret = { kid: 'kid_a', secret: new Uint8Array(32).fill(1) };
    await makeSealedStore(store, sealer).signingSecret(() => secret);
    await store.renewLease('nod_a', 600_000, true);
    const kept = await store.listSecrets();

    const refused = await openSeal(wrong).catch((error: Error) => error.message);
    expect(refused).toContain('a node serves with the right one');
    const where = ['--public-url', 'http://127.0.0.1:1', '--bus', 'nats://127.0.0.1:1'];
    const served = await matchd.run('serve', '--store', url, ...where);
    expect([served.exit, served.stderr + served.stdout]).toEqual([
      1,
      expect.stringContaining('a node serves with the right one'),
    ]);
    const noKey = await openSeal({ ...deps, settingKeys: null }).catch((e: Error) => e.message);
    expect(noKey).toContain('a node serves with the right one');
    const show = await matchd.run('secrets', 'show', '--store', url);
    expect([show.exit, show.stdout]).toEqual([1, expect.stringContaining('of the nodes')]);
    const doctor = await matchd.run('doctor', '--store', url);
    expect(doctor.stdout).toContain('Use the MATCHD_SEALING_KEY of the nodes');
    for (const text of [refused, noKey, show.stdout, doctor.stdout]) {
      expect(text).not.toContain('secrets forget');
    }
    for (const args of [[], ['--yes']]) {
      const forget = await matchd.run('secrets', 'forget', '--store', url, ...args);
      expect([forget.exit, forget.stderr]).toEqual([1, expect.stringContaining('a node serves')]);
    }
    expect(await store.listSecrets()).toEqual(kept);

    await store.removeNode('nod_a');
    expect(await openSeal(wrong).catch((error: Error) => error.message)).toContain(
      'secrets forget',
    );
    const asked = await matchd.run('secrets', 'forget', '--store', url);
    expect([asked.exit, asked.stdout]).toEqual([1, expect.stringContaining('all tokens')]);
    expect(await store.listSecrets()).toEqual(kept);
    expect((await openSeal(right)).counts.token.current).toBe(1);
    const given = await matchd.json('secrets', 'forget', '--yes', '--store', url);
    expect(given).toMatchObject({ tokens: 1, isGivenUp: true });
    expect((await openSeal(wrong)).counts.token.current).toBe(1);
    await store.close();
  }, 60_000);

  test('[D12][CLI] a node without its lease does not serve with secrets that were given up', async () => {
    const url = await (await sharedPostgres()).createDatabase();
    const right = new Uint8Array(32).fill(8);
    const store = await openPostgresStore({ url, node: 'nod_a' });
    const deps = { store, dataDir: matchd.folder, randomness: systemRandomness };
    const { sealer } = await openSeal({ ...deps, settingKeys: [right] });
    const secret = { kid: 'kid_a', secret: new Uint8Array(32).fill(1) };
    await makeSealedStore(store, sealer).signingSecret(() => secret);
    // The database is slow between the reads of a start and its first lease.
    const databasePort = Number(new URL(url).port);
    const line = await openCutLine(databasePort);
    const isWaiting = line.trap('DELETE FROM node', 'late');
    const slowUrl = url.replace(`:${databasePort}/`, `:${line.port}/`);
    const where = ['--store', slowUrl, '--bus', 'nats://127.0.0.1:1', '--allow-unsafe-store'];
    const listens = ['--public-url', 'http://127.0.0.1:1', '--port', `${await freePort()}`];
    const node = Bun.spawn([...matchdCommand(), 'serve', ...where, ...listens], {
      cwd: matchd.folder,
      env: { ...process.env, MATCHD_SEALING_KEY: Buffer.from(right).toString('base64') },
      stdout: 'ignore',
      stderr: 'pipe',
      timeout: 40_000,
    });
    await isWaiting;
    const given = await matchd.json('secrets', 'forget', '--yes', '--store', url);
    expect(given).toMatchObject({ tokens: 1, isGivenUp: true });
    line.release();
    const stderr = await new Response(node.stderr).text();
    expect([await node.exited, stderr]).toEqual([
      1,
      expect.stringContaining('the secret that signs tokens'),
    ]);
    expect((await store.listLeases()).filter(({ isValid }) => isValid)).toEqual([]);
    line.close();
    await store.close();
  }, 60_000);

  test('[R2][CLI] erasures and revocations are recorded, and applied again after a restore', async () => {
    const server = await sharedPostgres();
    const [now, older] = [await server.createDatabase(), await server.createDatabase()];
    const list = join(matchd.folder, 'withdrawn.jsonl');
    // Two copies of one database: the restored one is in the earlier state.
    for (const url of [now, older]) {
      const store = await openPostgresStore({ url, node: 'nod_a' });
      await store.createTenant(tenantOf(), auditOf('tenant.created'));
      await store.createKey(keyOf('key_1'), { id: 'secret01', hash: 'ab' }, auditOf('k'));
      await store.createKey(keyOf('key_2'), { id: 'secret02', hash: 'cd' }, auditOf('k'));
      const seats = ['ann', 'ben'].map((id, seat) => ({
        ...seatOf(seat, id),
        newRef: `ply_${seat}`,
      }));
      await created(store, 1, { seats });
      await store.close();
    }
    const store = await openPostgresStore({ url: now, node: 'nod_a' });
    await store.erasePlayer(TENANT, WORLDS, 'ann', T0 + 5);
    await store.updateKey('key_1', { revokedAt: T0 + 6 }, auditOf('key.revoked'));
    const secret = { id: 'secret03', hash: 'ef' };
    await store.rotateKey('key_2', secret, 'hint', T0 + 7, auditOf('key.rotated'));
    await store.close();
    expect(await matchd.json('withdrawn', 'note', list, '--store', now)).toMatchObject({
      added: 3,
    });
    expect(await matchd.json('withdrawn', 'note', list, '--store', now)).toMatchObject({
      added: 0,
    });
    expect(readFileSync(list, 'utf8')).not.toContain('ann');
    expect(await matchd.json('withdrawn', 'redo', list, '--store', older)).toEqual({
      playersErased: 1,
      keysRevoked: 1,
      keyTextsEnded: 1,
    } as never);
    const restored = await openPostgresStore({ url: older, node: 'nod_b' });
    expect(await restored.findPlayer(TENANT, 'live', 'ann')).toBeNull();
    expect(await restored.findPlayer(TENANT, 'live', 'ben')).not.toBeNull();
    expect((await restored.findKey('key_1'))?.revokedAt).toBe(T0 + 6);
    expect((await restored.findKeyBySecret('secret02'))?.secret.expiresAt).toBe(T0 + 7);
    await restored.close();
    const missing = await matchd.run('withdrawn', 'redo', 'none.jsonl', '--store', older);
    expect([missing.exit, missing.stderr]).toEqual([1, expect.stringContaining('List not found')]);
  }, 60_000);

  test("[CLI] backup and restore are left to the database's tools, which are named", async () => {
    for (const command of ['backup', 'restore']) {
      const left = await matchd.run(command, 'x.db');
      expect([left.exit, left.stderr]).toEqual([1, expect.stringContaining('pg_dump')]);
    }
    expect((await matchd.run('backup', 'x.db', '--data', matchd.folder)).stderr).toContain(
      'There is no database at',
    );
  }, 60_000);
});
