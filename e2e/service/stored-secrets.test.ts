/** A service that was used, killed and backed up: no secret is in its files, its log, its backup or a later response. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTotpCode, totpStepAt } from '../../src/accounts/totp.ts';
import { type Matchd, makeMatchd } from '../../src/cli/matchd.test-kit.ts';
import { makeSealedStore } from '../../src/runtime/sealing/sealed-store.ts';
import { makeSealer } from '../../src/runtime/sealing/sealer.ts';
import { readSealingKeys } from '../../src/runtime/sealing/sealing-key.ts';
import { systemRandomness } from '../../src/runtime/system.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { fromBase32 } from '../../src/testing/devices/base32.ts';
import { openReceiver, type Receiver } from '../../src/testing/webhooks/webhook-receiver.ts';
import { type DashboardPost, openDashboard } from '../dashboard/dashboard-post.ts';
import { freePort, type ServerProcess, startServer } from '../parts/server-process.ts';

const TEST_MS_MAX = 90_000;
const METRICS_TOKEN = 'a-metrics-token-of-its-own';
const PASSWORDS = ['seven green bottles', 'eight blue bottles'] as const;

let matchd: Matchd;
let data: string;
let server: ServerProcess;
let receiver: Receiver;
/** Every secret text, by its kind. */
const secrets = new Map<string, Buffer>();
/** The service's responses after each secret had been shown once, and its log. */
const answers: string[] = [];

beforeAll(async () => {
  matchd = makeMatchd();
  data = join(matchd.folder, '.matchd');
  receiver = await openReceiver();
  const env = { MATCHD_METRICS_TOKEN: METRICS_TOKEN, MATCHD_LOG_LEVEL: 'trace' };
  server = await startServer({ port: await freePort(), dataDir: data, env });
}, TEST_MS_MAX);

afterAll(async () => {
  await server?.stop();
  await receiver?.close();
  matchd?.close();
}, TEST_MS_MAX);

async function ask(method: string, path: string, body?: object): Promise<never> {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${server.testKey}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    ...(body === undefined ? null : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as never;
}

function record(name: string, text: string): string {
  if (text.length < 10) throw new Error(`${name} is no secret: ${text}`);
  secrets.set(name, Buffer.from(text));
  return text;
}

async function useTenant(): Promise<void> {
  const hook = { url: receiver.url, mode: 'test' };
  const made: { id: string; secret: string } = await ask('POST', '/v1/webhooks', hook);
  record('webhook secret', made.secret);
  const rotated: { secret: string } = await ask('POST', `/v1/webhooks/${made.id}/rotate`);
  record('rotated webhook secret', rotated.secret);
  const players = [{ id: 'ann' }, { id: 'ben' }];
  const session: { sessionId: string; tokens: Record<string, string>; playUrls: object } =
    await ask('POST', '/v1/sessions', { game: 'tictactoe', players });
  record('session token', session.tokens['ann']!);
  const lobby: { token: string } = await ask('POST', '/v1/players/ann/token');
  record('lobby token', lobby.token);
  const watch: { token: string } = await ask('POST', `/v1/sessions/${session.sessionId}/watch`);
  record('watch token', watch.token);
  record('resume token', await resumeTokenOf(session.tokens['ben']!));
}

function resumeTokenOf(token: string): Promise<string> {
  const url = `${server.url.replace('http', 'ws')}/v1/socket`;
  const socket = new WebSocket(url, ['matchd.v1', `token.${token}`]);
  return new Promise((resolve, reject) => {
    socket.onmessage = ({ data: text }) => {
      const frame = JSON.parse(String(text)) as { t: string; resumeToken: string };
      if (frame.t === 'welcome') resolve(frame.resumeToken);
    };
    socket.onerror = () => reject(new Error('no socket'));
  });
}

async function useDashboard(): Promise<DashboardPost> {
  const owner = openDashboard(server.url);
  const setup = record('setup link', new URL(server.setupUrl!).hash.slice(1));
  const account = { email: 'olga@example.test', name: 'Olga', password: PASSWORDS[0] };
  record('password', account.password);
  await owner.ask('/setup', { token: setup, ...account });
  record('first session', owner.cookieText('matchd-'));
  const world = '/t/demo/test';
  const key = await owner.ask(`${world}/keys`, { name: 'new' });
  record('API key', String(key['key']));
  const rotated = await owner.ask(`${world}/keys/${String(key['id'])}/rotate`, { overlapHours: 1 });
  record('rotated API key', String(rotated['key']));
  const invited = await owner.ask('/t/demo/invitations', { email: 'b@b.test', role: 'support' });
  record('invitation', String(invited['url']).split('#')[1]!);
  record('new password', PASSWORDS[1]);
  await owner.ask('/me/password', { current: PASSWORDS[0], next: PASSWORDS[1] });
  const offer = await owner.ask('/me/totp/offer', { password: PASSWORDS[1] });
  const secret = record('one-time code secret', String(offer['secret']));
  const bytes = Buffer.from(fromBase32(secret));
  record('its bytes in base64url', bytes.toString('base64url'));
  record('its bytes in hex', bytes.toString('hex'));
  const code = makeTotpCode(bytes, totpStepAt(Date.now()));
  const confirmed = await owner.ask('/me/totp/confirm', { sealed: offer['sealed'], code });
  for (const [i, each] of (confirmed['recoveryCodes'] as string[]).entries()) {
    record(`recovery code ${i}`, each);
  }
  record('last session', owner.cookieText('matchd-'));
  return owner;
}

/** Everything that can be read, except responses that show a secret for the first time. */
async function readEverything(owner: DashboardPost): Promise<void> {
  const pages = ['/dashboard', '/dashboard/t/demo/test/keys', '/docs', '/demo', '/openapi.json'];
  const open = ['/healthz', '/readyz', '/version', '/play/demo/', '/llms.txt'];
  for (const path of [...pages, ...open])
    answers.push(await (await fetch(server.url + path)).text());
  const world = '/t/demo/test';
  const own = ['/me', '/me/logins', '/t/demo/team', '/t/demo/audit', '/operator/tenants'];
  const more = ['/operator/nodes', '/operator/audit', `${world}/overview`, `${world}/keys`];
  const lists = ['requests', 'usage', 'players', 'board', 'verdicts', 'v1/sessions', 'v1/webhooks'];
  for (const path of [...own, ...more, ...lists.map((each) => `${world}/${each}`)]) {
    answers.push(JSON.stringify(await owner.ask(path)));
  }
  for (const path of ['whoami', 'sessions', 'events', 'webhooks', 'bots', 'integrity']) {
    answers.push(JSON.stringify(await ask('GET', `/v1/${path}`)));
  }
  const metrics = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  answers.push(await metrics.text());
}

/** Secrets that the service never shows: the key in its file, and what it decrypts. Read from a copy. */
async function recordKeys(): Promise<void> {
  const { keys, file } = readSealingKeys(data)!;
  record('sealing key', readFileSync(file!, 'utf8').trim());
  secrets.set('bytes of the sealing key', Buffer.from(keys[0]!));
  const copy = join(mkdtempSync(join(matchd.folder, 'copy-')), 'copy.db');
  cpSync(join(data, 'matchd.db'), copy);
  cpSync(join(data, 'matchd.db-wal'), `${copy}-wal`);
  const store = await openSqliteStore(copy);
  const sealed = makeSealedStore(store, makeSealer(keys, systemRandomness));
  const other = { kid: 'none', secret: new Uint8Array(32) };
  const { kid, secret } = await sealed.signingSecret(() => other);
  await store.close();
  expect([kid === other.kid, secret.length]).toEqual([false, 32]);
  secrets.set('what signs tokens', Buffer.from(secret));
  for (const form of ['base64', 'base64url', 'hex'] as const) {
    record(`what signs tokens, in ${form}`, Buffer.from(secret).toString(form));
  }
}

/** Names of secrets in a text or file. The demo's own keys are public in development. */
function secretsIn(content: string | Buffer): string[] {
  const bytes = Buffer.from(content);
  return [...secrets].filter(([, secret]) => bytes.includes(secret)).map(([name]) => name);
}

/** Files in and next to the data folder that contain a secret, and which. */
function filesWithSecrets(folder: string): Record<string, string[]> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isFile());
  const found = files.map(
    ({ name }) => [name, secretsIn(readFileSync(join(folder, name)))] as const,
  );
  return Object.fromEntries(found.filter(([, names]) => names.length > 0));
}

test(
  '[D10][D12] no secret is in the database, its log, a backup, the logs, or a later response',
  async () => {
    await useTenant();
    await readEverything(await useDashboard());
    await matchd.json('backup', 'one.db');
    answers.push(server.log());
    record('metrics token', METRICS_TOKEN);
    await server.kill();
    await recordKeys();
    // Control: the search finds what is there.
    expect(secretsIn(`"${secrets.get('session token')}"`)).toEqual(['session token']);
    expect(filesWithSecrets(data)).toEqual({ 'sealing.key': ['sealing key'] });
    expect(filesWithSecrets(matchd.folder)).toEqual({});
    expect(existsSync(join(data, 'matchd.db-wal'))).toBe(true);
    expect(answers.flatMap(secretsIn)).toEqual([]);
    console.log(JSON.stringify({ secrets: secrets.size, answers: answers.length }));
  },
  TEST_MS_MAX,
);
