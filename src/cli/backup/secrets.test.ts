/**
 * `matchd secrets` after the loss of a key: a new key, a restore without the old one, and what is
 * given up (D12).
 */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import fs from 'node:fs';
import path from 'node:path';
import { Webhook as Verifier } from 'standardwebhooks';
import { openDashboard } from '../../../e2e/dashboard/dashboard-post.ts';
import { freePort, type ServerProcess, startServer } from '../../../e2e/parts/server-process.ts';
import { makeTotpCode, totpStepAt } from '../../accounts/totp.ts';
import { openReceiver, type Receiver } from '../../testing/webhooks/webhook-receiver.ts';
import { eventually } from '../../testing/webhooks/webhook-world.ts';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(90_000);

let matchd: Matchd;
let data: string;
let receiver: Receiver;
let server: ServerProcess | null = null;
beforeEach(async () => {
  matchd = makeMatchd();
  data = path.join(matchd.folder, '.matchd');
  receiver = await openReceiver();
});
afterEach(async () => {
  await server?.stop();
  server = null;
  await receiver.close();
  matchd.close();
});

const start = async (env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> => {
  server = await startServer({ port: await freePort(), dataDir: data, env });
  return server;
};
const stop = async (): Promise<void> => {
  await server!.stop();
  server = null;
};
const keyFile = (): string => path.join(data, 'sealing.key');

interface Hook {
  readonly id: string;
  readonly secret: string;
}

interface Shown {
  readonly from: string | null;
  readonly keys: number;
  readonly secrets: Record<'webhook' | 'token' | 'totp', Record<string, number>>;
}

async function ask<T>(method: string, call: string, body?: object): Promise<T> {
  const response = await fetch(`${server!.url}/v1/${call}`, {
    method,
    headers: { authorization: `Bearer ${server!.testKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? null : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${call}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

const addHook = () => ask<Hook>('POST', 'webhooks', { url: receiver.url, mode: 'test' });

async function addSession(): Promise<string> {
  const body = { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] };
  const made = await ask<{ tokens: Record<string, string> }>('POST', 'sessions', body);
  return made.tokens['ann']!;
}

/** Whether the webhook's test arrives, signed with the secret. */
async function comes({ id, secret }: Hook): Promise<boolean> {
  receiver.received.length = 0;
  await ask('POST', `webhooks/${id}/test`);
  await eventually(() => receiver.received.length > 0);
  const { body, headers } = receiver.received[0]!;
  new Verifier(secret).verify(body, headers);
  return true;
}

/** Whether a player's token opens a socket. */
function opens(token: string): Promise<boolean> {
  const url = `${server!.url.replace('http', 'ws')}/v1/socket`;
  const socket = new WebSocket(url, ['matchd.v1', `token.${token}`]);
  return new Promise((resolve) => {
    socket.onmessage = () => {
      resolve(true);
      socket.close();
    };
    socket.onclose = () => resolve(false);
  });
}

test('[D12] rotating creates a new key and reseals everything, without effect on webhooks and tokens', async () => {
  await start();
  const hook = await addHook();
  const token = await addSession();
  const refused = await matchd.run('secrets', 'rotate');
  expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining('stop the service')]);
  await stop();
  const before = fs.readFileSync(keyFile(), 'utf8');
  const rotated: Shown & { sealedNow: number } = await matchd.json('secrets', 'rotate');
  expect([rotated.sealedNow, rotated.keys]).toEqual([2, 2]);
  const after = fs.readFileSync(keyFile(), 'utf8');
  expect([after.endsWith(before), after.length]).toEqual([true, 2 * before.length]);
  expect(fs.statSync(keyFile()).mode & 0o777).toBe(0o600);
  await start();
  expect([await comes(hook), await opens(token)]).toEqual([true, true]);
  await stop();
  // Only older backups need the older key.
  fs.writeFileSync(keyFile(), after.slice(0, before.length));
  await start();
  expect([await comes(hook), await opens(token)]).toEqual([true, true]);
});

test('[D12] rotating needs a database of its own folder, and creates none', async () => {
  const none = await matchd.run('secrets', 'rotate');
  expect([none.exit, none.stderr]).toEqual([1, expect.stringContaining('There is no database')]);
  const shared = ['--store', 'postgres://nobody@127.0.0.1:9/none'];
  const refused = await matchd.run('secrets', 'rotate', ...shared);
  expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining('every node')]);
  expect(fs.existsSync(data)).toBe(false);
});

test('[D12] the key may come from the environment, and is not shown', async () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  await start({ MATCHD_SEALING_KEY: key });
  expect(fs.existsSync(keyFile())).toBe(false);
  await addHook();
  const { log } = server!;
  await stop();
  expect(log()).toContain('"from":"MATCHD_SEALING_KEY"');
  expect(log()).not.toContain(key);
  const env = { MATCHD_SEALING_KEY: key };
  const withKey = makeMatchd(env);
  const shown: Shown = await withKey.json('secrets', 'show', '--data', data);
  expect(shown).toMatchObject({ from: 'MATCHD_SEALING_KEY', keys: 1 });
  expect([shown.secrets.webhook['current'], shown.secrets.token['current']]).toEqual([1, 1]);
  const { stdout } = await withKey.run('config');
  expect(stdout).toContain('MATCHD_SEALING_KEY');
  expect(stdout).not.toContain(key);
  const refused = await withKey.run('secrets', 'rotate', '--data', data);
  expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining('every node')]);
  withKey.close();
  // As in a cluster: both keys for a while, the new one first; then only the new one.
  const newer = Buffer.alloc(32, 8).toString('base64');
  const both = makeMatchd({ MATCHD_SEALING_KEY: `${newer},${key}` });
  const resealed: Shown & { sealedNow: number } = await both.json(
    ...['secrets', 'reseal', '--data', data],
  );
  expect([resealed.sealedNow, resealed.secrets.webhook['current']]).toEqual([2, 1]);
  both.close();
  await start({ MATCHD_SEALING_KEY: newer });
  await stop();
  const error = await start({ MATCHD_SEALING_KEY: key }).catch((problem: Error) => problem.message);
  expect(error).toContain('sealed with another key than that of MATCHD_SEALING_KEY');
});

test('[D12][D5] a backup without its key: reported, refused, given up, and working again', async () => {
  const { url, setupUrl } = await start();
  const [hook, token] = [await addHook(), await addSession()];
  const owner = openDashboard(url);
  const account = { email: 'olga@example.test', name: 'Olga', password: 'seven green bottles' };
  await owner.ask('/setup', { token: new URL(setupUrl!).hash.slice(1), ...account });
  const codes = await addSecondFactor(owner, account.password);
  await matchd.json('backup', 'one.db');
  await stop();
  const key = fs.readFileSync(keyFile(), 'utf8');
  // The disk is lost except the keys that development stores beside it.
  for (const name of fs.readdirSync(data)) {
    if (name !== 'dev-keys.json') fs.rmSync(path.join(data, name));
  }

  const restored = await matchd.run('restore', 'one.db');
  expect(restored.exit).toBe(0);
  expect(restored.stdout).toContain(
    "No key opens the secrets of 1 webhooks, all tokens, 1 accounts' one-time codes.",
  );
  expect(restored.stdout).toContain('matchd secrets forget');
  // It does not start, and creates no other key that would hide the missing one.
  const error = await start().catch((problem: Error) => problem.message);
  expect(error).toContain(`there is no ${keyFile()}`);
  expect(error).toContain('matchd secrets forget');
  expect(fs.existsSync(keyFile())).toBe(false);
  const shown = await matchd.run('secrets', 'show');
  expect([shown.exit, shown.stdout]).toEqual([1, expect.stringContaining('Copy sealing.key back')]);
  const doctor = await matchd.run('doctor');
  expect(doctor.stdout).toContain('No key opens the secrets of 1 webhooks');

  // The consequences are shown, and nothing is done before the operator confirms.
  const asked = await matchd.run('secrets', 'forget');
  expect([asked.exit, asked.stdout]).toEqual([1, expect.stringContaining('use --yes')]);
  expect(asked.stdout).toContain("of 1 webhooks, all tokens, 1 accounts' one-time codes");
  expect(fs.existsSync(keyFile())).toBe(false);
  expect((await matchd.run('secrets', 'show')).stdout).toBe(shown.stdout);
  const forgotten: { webhooks: string[]; tokens: number; accounts: string[] } = await matchd.json(
    ...['secrets', 'forget', '--yes'],
  );
  expect([forgotten.webhooks, forgotten.tokens, forgotten.accounts.length]).toEqual([
    [hook.id],
    1,
    1,
  ]);
  await start();
  // Old tokens are refused, new ones work; the webhook fails until it is rotated.
  expect(await opens(token)).toBe(false);
  expect(await opens(await addSession())).toBe(true);
  const outcome = await ask<{ error: string }>('POST', `webhooks/${hook.id}/test`);
  expect(outcome.error).toBe('secret_lost');
  const rotated = await ask<Hook>('POST', `webhooks/${hook.id}/rotate`);
  expect(await comes(rotated)).toBe(true);
  // A right code is useless without the key; a recovery code works.
  const login = { email: account.email, password: account.password };
  const code = makeTotpCode(codes.secret, totpStepAt(Date.now()) + 1);
  const wrong = openDashboard(server!.url).ask('/login', { ...login, code });
  expect(await wrong.catch((problem: Error) => problem.message)).toContain('401');
  const back = openDashboard(server!.url);
  await back.ask('/login', { ...login, code: codes.recovery[0] });
  expect((await back.ask('/me'))['email']).toBe(account.email);
  await stop();

  // The key is found: beside the new one it opens the codes again.
  fs.appendFileSync(keyFile(), key);
  await start();
  const again = openDashboard(server!.url);
  await again.ask('/login', { ...login, code });
  expect((await again.ask('/me'))['email']).toBe(account.email);
});

test('[D12] no secret is given up, nor a key created, while the service runs on the data folder', async () => {
  // As under systemd: the key is in the service's own environment, not in the operator's.
  const env = { MATCHD_SEALING_KEY: Buffer.alloc(32, 7).toString('base64') };
  await start(env);
  const [hook, token] = [await addHook(), await addSession()];
  for (const args of [[], ['--yes']]) {
    const forgotten = await matchd.run('secrets', 'forget', ...args, '--data', data);
    expect([forgotten.exit, forgotten.stderr]).toEqual([
      1,
      expect.stringContaining('stop the service first'),
    ]);
  }
  expect(fs.existsSync(keyFile())).toBe(false);
  await stop();
  await start(env);
  expect([await comes(hook), await opens(token)]).toEqual([true, true]);
});

async function addSecondFactor(owner: ReturnType<typeof openDashboard>, password: string) {
  const offer = await owner.ask('/me/totp/offer', { password });
  const secret = new URL(String(offer['uri'])).searchParams.get('secret')!;
  const bits = [...secret].map((char) => {
    const digit = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char);
    return digit.toString(2).padStart(5, '0');
  });
  const bytes = Uint8Array.from(bits.join('').match(/.{8}/g)!, (byte) => Number.parseInt(byte, 2));
  const code = makeTotpCode(bytes, totpStepAt(Date.now()));
  const confirmed = await owner.ask('/me/totp/confirm', { sealed: offer['sealed'], code });
  return { secret: bytes, recovery: confirmed['recoveryCodes'] as readonly string[] };
}
