/** A database over TLS, as in clouds: `sslmode=verify-full` checks the server's name. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ordinaryUser } from '../../../testing/servers/child-server.ts';
import {
  isPostgresHere,
  type PostgresServer,
  startPostgres,
} from '../../../testing/servers/postgres.ts';
import { openEmptying } from '../../../testing/servers/postgres-place.ts';
import { makeTempFolder, removeFolder } from '../../../testing/temp-folder.ts';
import { makeTestCertificate } from '../../../testing/test-certificate.ts';
import { append, created, entryOf } from '../../contract/stage.ts';
import { openPostgresStore } from '../postgres-store.ts';

setDefaultTimeout(60_000);

describe.skipIf(!isPostgresHere())('a PostgreSQL over TLS', () => {
  const folder = makeTempFolder();
  let server: PostgresServer;
  let url: URL;
  beforeAll(async () => {
    const { ca, cert, key } = makeTestCertificate('localhost');
    writeFileSync(join(folder, 'ca.pem'), ca);
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
    chmodSync(folder, 0o755);
    const user = ordinaryUser();
    if (user !== null) chownSync(join(folder, 'key.pem'), user.uid, user.gid);
    server = await startPostgres([
      'ssl=on',
      `ssl_cert_file=${join(folder, 'cert.pem')}`,
      `ssl_key_file=${join(folder, 'key.pem')}`,
    ]);
    url = new URL(await server.createDatabase());
    url.hostname = 'localhost';
    url.searchParams.set('sslmode', 'verify-full');
  });
  afterAll(async () => {
    await server.stop();
    removeFolder(folder);
  });

  test('[STORE-PG13] every connection is encrypted, and moves use it', async () => {
    url.searchParams.set('sslrootcert', join(folder, 'ca.pem'));
    const store = await openPostgresStore({ url: url.href, node: 'nod_a' });
    const id = await created(store, 1);
    for (let v = 1; v <= 20; v++) {
      const change = v % 5 === 0 ? { awake: true as const } : null;
      expect(await append(store, id, [entryOf(v)], change)).toBe('committed');
    }
    expect((await store.loadSession(id))!.entries.length).toBe(21);
    const plain = new URL(url);
    plain.search = '';
    const database = await openEmptying(plain.href);
    const connections = await database.rows<{ ssl: boolean; application_name: string }>(
      'SELECT ssl, application_name FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)',
    );
    const ours = connections.filter((each) => each.application_name.startsWith('matchd'));
    expect(new Set(ours.map(({ ssl }) => ssl))).toEqual(new Set([true]));
    await database.close();
    await store.close();
  });

  test('[STORE-PG13] a server with an untrusted certificate is refused', async () => {
    url.searchParams.delete('sslrootcert');
    const refused = await openPostgresStore({ url: url.href, node: 'nod_a' }).catch(String);
    expect(String(refused)).toMatch(/certificate/i);
  });

  test('[STORE-PG13] a certificate for another name is refused', async () => {
    const other = new URL(url);
    other.hostname = '127.0.0.1';
    other.searchParams.set('sslrootcert', join(folder, 'ca.pem'));
    const refused = await openPostgresStore({ url: other.href, node: 'nod_a' }).catch(String);
    expect(String(refused)).toMatch(/certificate|altnames|host/i);
  });
});
