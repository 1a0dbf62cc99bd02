/** `matchd serve` as exposed to the internet: everything that development shows and production must not. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  isPostgresHere,
  type PostgresServer,
  startPostgres,
} from '../../src/testing/servers/postgres.ts';
import { openSocket } from '../../src/testing/sockets/socket-client.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { findNode, freePort } from '../parts/server-process.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');
const START_MS_MAX = 90_000;
const TEST_MS_MAX = 60_000;
const PUBLIC_URL = 'https://play.example.com';

interface Place {
  readonly name: string;
  readonly isAvailable: boolean;
  readonly runtime: string;
  readonly nodes: number;
}

const PLACES: readonly Place[] = [
  { name: 'SQLite on Bun', isAvailable: true, runtime: process.execPath, nodes: 1 },
  { name: 'SQLite on Node', isAvailable: findNode() !== null, runtime: findNode() ?? '', nodes: 1 },
  {
    name: 'two nodes on PostgreSQL',
    isAvailable: isPostgresHere(),
    runtime: process.execPath,
    nodes: 2,
  },
];

type Json = Readonly<Record<string, never>>;

describe.each(PLACES.filter(({ isAvailable }) => isAvailable))(
  'production, $name',
  ({ runtime, nodes }) => {
    let folder: string;
    let postgres: PostgresServer | null = null;
    let env: Record<string, string>;
    const servers: { readonly port: number; readonly end: () => Promise<number | null> }[] = [];
    /** Two tenants with a live and a test key each. */
    const keys: Record<string, string> = {};

    const spawn = (args: readonly string[]) =>
      Bun.spawn([runtime, '--disable-warning=ExperimentalWarning', MAIN, ...args], {
        cwd: folder,
        env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      });

    async function run(...args: readonly string[]): Promise<Json> {
      const child = spawn([...args, '--json']);
      const [text, stderr] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      if ((await child.exited) !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
      return JSON.parse(text) as Json;
    }

    async function serve(): Promise<void> {
      const port = await freePort();
      const child = spawn(['serve', '--json', '--public-url', PUBLIC_URL, '--port', `${port}`]);
      await child.stdout.getReader().read(); // The line that says it is ready.
      servers.push({
        port,
        end() {
          child.kill('SIGTERM');
          return child.exited;
        },
      });
    }

    const at = (n = 0) => servers[n % servers.length]!.port;

    function ask(
      method: string,
      path: string,
      key: string | null = null,
      body?: object,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Response> {
      return fetch(`http://127.0.0.1:${at()}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(key === null ? null : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? null : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? null : { body: JSON.stringify(body) }),
      });
    }

    beforeAll(async () => {
      folder = makeTempFolder();
      const sealingKey = Buffer.alloc(32, 7).toString('base64');
      env = { MATCHD_SEALING_KEY: sealingKey, MATCHD_DATA: folder };
      if (nodes > 1) {
        postgres = await startPostgres();
        env['MATCHD_STORE'] = await postgres.createDatabase();
      }
      for (const tenant of ['acme', 'other']) {
        await run('tenants', 'create', '--name', tenant);
        for (const mode of ['live', 'test']) {
          const made = await run('keys', 'create', '--tenant', tenant, '--mode', mode);
          keys[`${tenant} ${mode}`] = String(made['key']);
        }
      }
      for (let n = 0; n < nodes; n++) await serve();
    }, START_MS_MAX);

    afterAll(async () => {
      for (const server of servers.splice(0)) expect(await server.end()).toBe(0);
      await postgres?.stop();
      removeFolder(folder);
    }, START_MS_MAX);

    test(
      '[H10][H12] no development feature exists, and every response makes browsers use https',
      async () => {
        const paths = ['/', '/demo/', '/demo', '/dashboard', '/docs', '/play/acme/', '/healthz'];
        const got: Record<string, number> = {};
        for (const path of paths) {
          const response = await ask('GET', path, null, undefined, { accept: 'text/html' });
          got[path] = response.status;
          const hsts = response.headers.get('strict-transport-security');
          expect([path, hsts]).toEqual([path, expect.stringContaining('max-age=31536000')]);
        }
        expect([got['/demo/'], got['/demo']]).not.toContain(200);
        expect([got['/'], got['/healthz']]).toEqual([200, 200]);
        expect((await ask('GET', '/metrics')).status).not.toBe(200);
      },
      TEST_MS_MAX,
    );

    test(
      '[D1][D3] the dashboard is set up by its link only, and its cookie is bound to host and https',
      async () => {
        const status = await ask('GET', '/dashboard/api/status', null, undefined, {
          'sec-fetch-site': 'same-origin',
        });
        expect(await status.text()).not.toContain('#');
        const account = { email: 'o@example.test', name: 'O', password: 'seven green bottles' };
        const guess = { token: 'a'.repeat(43), ...account };
        const own = { 'sec-fetch-site': 'same-origin', 'x-matchd-dashboard': '1' };
        const refused = await ask('POST', '/dashboard/api/setup', null, guess, own);
        expect(refused.status).toBeWithin(400, 500);
        expect(refused.headers.getSetCookie()).toEqual([]);
        const foreign = { ...own, 'sec-fetch-site': 'cross-site' };
        expect((await ask('POST', '/dashboard/api/login', null, account, foreign)).status).toBe(
          403,
        );
      },
      TEST_MS_MAX,
    );

    test(
      '[K3][T4][H3] requests of another tenant or mode, and errors, reveal nothing',
      async () => {
        const players = [{ id: 'ann', displayName: 'Ann' }, { id: 'ben' }];
        const live = keys['acme live']!;
        const made = await ask('POST', '/v1/sessions', live, { game: 'tictactoe', players });
        expect(made.status).toBe(201);
        const { sessionId, playUrls } = (await made.json()) as {
          sessionId: string;
          playUrls: Record<string, string>;
        };
        expect(playUrls['ann']).toStartWith(`${PUBLIC_URL}/play/acme/#`);
        const strangers = ['acme test', 'other live', 'other test'].map((name) => keys[name]!);
        for (const key of strangers) {
          for (const [method, path] of [
            ['GET', `/v1/sessions/${sessionId}`],
            ['GET', `/v1/sessions/${sessionId}/replay`],
            ['POST', `/v1/sessions/${sessionId}/verify`],
            ['POST', `/v1/sessions/${sessionId}/end`],
            ['POST', `/v1/sessions/${sessionId}/watch`],
            ['GET', '/v1/players/ann'],
            ['GET', '/v1/players/ann/export'],
            ['DELETE', '/v1/players/ann'],
          ] as const) {
            const response = await ask(method, path, key, method === 'POST' ? {} : undefined);
            const missing = await ask(method, path.replace(sessionId, 'ses_none'), key);
            expect([method, path, response.status]).toEqual([method, path, 404]);
            expect(missing.status).toBe(404);
          }
        }
        expect((await ask('GET', `/v1/sessions/${sessionId}`, live)).status).toBe(200);
        const odd = await ask('GET', '/v1/%00%ff/..%2f', live);
        expect(await odd.text()).not.toMatch(/node_modules|\.ts:|at [A-Za-z]+ \(/);
      },
      TEST_MS_MAX,
    );

    test(
      '[E3] no webhook reaches an internal address, whatever its host name',
      async () => {
        const inside = [
          'http://example.com/',
          'https://127.0.0.1/',
          'https://localhost/',
          'https://[::1]/',
          'https://[::ffff:10.0.0.1]/',
          'https://169.254.169.254/latest/meta-data/',
          'https://kubernetes.default.svc/',
          'https://db/',
          'https://example.com:5432/',
          'https://user:word@example.com/',
        ];
        for (const url of inside) {
          const response = await ask('POST', '/v1/webhooks', keys['acme live']!, { url });
          expect([url, response.status]).toEqual([url, 400]);
        }
      },
      TEST_MS_MAX,
    );

    test(
      '[P1][P4] a match is played over sockets of any node, and a forged token is rejected',
      async () => {
        const players = [{ id: 'xia' }, { id: 'oda' }];
        const made = await ask('POST', '/v1/sessions', keys['acme live']!, {
          game: 'tictactoe',
          players,
        });
        const { sessionId: s, tokens } = (await made.json()) as {
          sessionId: string;
          tokens: Record<string, string>;
        };
        const x = await openSocket(at(0), { token: tokens['xia']! });
        const o = await openSocket(at(1), { token: tokens['oda']! });
        const { turn, seat } = await playable(x, o);
        const mover = turn === seat ? x : o;
        mover.send({ t: 'act', s, id: 'one', action: { position: 4 } });
        expect(await mover.next('ack')).toMatchObject({ id: 'one' });
        const [head, claims, mark] = tokens['xia']!.split('.');
        for (const forged of [
          `${head}.${claims}.${mark!.slice(0, -2)}AA`,
          `${head}.${claims}.`,
          `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`,
        ]) {
          const refused = await openSocket(at(1), { token: forged });
          expect((await refused.closed).code).toBe(4401);
        }
        await x.close();
        await o.close();
      },
      TEST_MS_MAX,
    );

    /** Waits until both are connected; returns whose turn it is, and the seat of the first. */
    async function playable(x: Socket, o: Socket) {
      for (;;) {
        const frame = await x.next('state', 'update', 'presence');
        const isOver = frame.t === 'state' && frame.status === 'active';
        if (isOver) {
          await o.next('state');
          return { turn: frame.turn, seat: frame.seat };
        }
      }
    }
  },
);

type Socket = Awaited<ReturnType<typeof openSocket>>;
