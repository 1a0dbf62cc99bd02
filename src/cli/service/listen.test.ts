/** `matchd listen` and `matchd trigger` as processes, with a real server. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook as Verifier } from 'standardwebhooks';
import { freePort, type ServerProcess, startServer } from '../../../e2e/parts/server-process.ts';
import { openReceiver, type Receiver } from '../../testing/webhooks/webhook-receiver.ts';
import { eventually } from '../../testing/webhooks/webhook-world.ts';
import { type Matchd, makeMatchd, matchdCommand } from '../matchd.test-kit.ts';

const SECRET = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`;

let dataDir: string;
let port: number;
let server: ServerProcess;
let matchd: Matchd;
let receiver: Receiver;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'matchd-listen-'));
  port = await freePort();
  server = await startServer({ port, dataDir });
  matchd = makeMatchd();
  receiver = await openReceiver(() => ({ status: 202 }));
});

afterAll(async () => {
  await receiver.close();
  await server.kill();
  matchd.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const trigger = (type: string) =>
  matchd.json('trigger', type, '--url', server.url, '--data', dataDir) as Promise<{
    readonly eventId: string;
  }>;

test('[CLI][E2] listen forwards events as signed webhooks, and continues after the server was gone', async () => {
  const args = ['listen', '--json', '--url', server.url, '--data', dataDir, '--secret', SECRET];
  const child = Bun.spawn([...matchdCommand(), ...args, '--forward-to', receiver.url], {
    stdout: 'pipe',
    stderr: 'pipe',
    stdin: 'ignore',
  });
  const lines: Record<string, unknown>[] = [];
  const reading = (async () => {
    let rest = '';
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) lines.push(JSON.parse(part));
    }
  })();
  const isOpen = () => lines.filter((line) => line['isOpen'] === true).length;
  await eventually(() => isOpen() === 1);
  expect(lines[0]).toEqual({ secret: SECRET, from: server.url, to: receiver.url });
  const first = await trigger('session.ended');
  await eventually(() => receiver.received.length === 1);
  const { body, headers, id } = receiver.received[0]!;
  expect(id).toBe(first.eventId);
  expect(new Verifier(SECRET).verify(body, headers)).toMatchObject({
    id,
    type: 'session.ended',
    mode: 'test',
    data: { triggered: true, result: { winner: 'sample-1' } },
  });
  await eventually(() => lines.some((line) => line['id'] === id && line['status'] === 202));
  await server.kill();
  await eventually(() => lines.some((line) => line['isOpen'] === false));
  server = await startServer({ port, dataDir });
  // Events from a time without a listener are delivered later.
  const second = await trigger('ticket.created');
  await eventually(() => receiver.received.some((each) => each.id === second.eventId), 30_000);
  expect(receiver.received.map((each) => each.id)).toEqual([first.eventId, second.eventId]);
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
  await reading;
}, 60_000);

test('[CLI] listen forwards to the URL as given, with its trailing slash', async () => {
  const paths: string[] = [];
  const program = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      paths.push(pathname + search);
      return new Response();
    },
  });
  const given = [`http://127.0.0.1:${program.port}/hooks/`, `${program.url}hooks?to=a/`];
  for (const [i, to] of given.entries()) {
    const child = Bun.spawn(
      [
        ...matchdCommand(),
        'listen',
        '--json',
        '--url',
        server.url,
        '--data',
        dataDir,
        '--forward-to',
        to,
      ],
      { stdout: 'pipe', stderr: 'ignore', stdin: 'ignore' },
    );
    let text = '';
    void (async () => {
      for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) text += chunk;
    })();
    await eventually(() => text.includes('"isOpen":true'));
    await trigger('session.ended');
    await eventually(() => paths.length > i);
    child.kill('SIGTERM');
    expect(await child.exited).toBe(0);
  }
  await program.stop(true);
  expect(paths).toEqual(['/hooks/', '/hooks?to=a/']);
}, 60_000);

test('[E3] in production webhooks cannot reach this machine, in development they can', async () => {
  const production = makeMatchd();
  await production.json('tenants', 'create', '--name', 'Acme', '--data', production.folder);
  const at = ['--tenant', 'acme', '--data', production.folder];
  const { key } = (await production.json('keys', 'create', '--mode', 'test', ...at)) as {
    readonly key: string;
  };
  const free = await freePort();
  const url = `http://127.0.0.1:${free}`;
  const args = ['serve', '--json', '--public-url', url, '--port', `${free}`];
  const child = Bun.spawn([...matchdCommand(), ...args, '--data', production.folder], {
    stdout: 'pipe',
    stderr: 'ignore',
    stdin: 'ignore',
  });
  const register = async (base: string, bearer: string, to: string): Promise<number> => {
    const response = await fetch(`${base}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: to }),
    });
    await response.body?.cancel();
    return response.status;
  };
  await child.stdout.getReader().read(); // The line that says it is ready.
  const local = [receiver.url, 'https://127.0.0.1/', 'https://localhost:8443/', 'https://[::1]/'];
  for (const to of local) {
    expect([to, await register(url, key, to)]).toEqual([to, 400]);
    expect([to, await register(server.url, server.testKey, to)]).toEqual([to, 201]);
  }
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
  production.close();
}, 30_000);

test('[CLI] errors of trigger and listen are one sentence', async () => {
  const at = ['--url', server.url];
  const unknown = await matchd.run('trigger', 'x', ...at, '--key', 'k');
  expect([unknown.exit, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('Valid: session.created'),
  ]);
  const noKey = await matchd.run('trigger', 'session.ended', ...at, '--data', matchd.folder);
  expect([noKey.exit, noKey.stderr]).toEqual([1, expect.stringContaining('use --key')]);
  const wrongKey = await matchd.run('trigger', 'session.ended', ...at, '--key', 'k');
  expect(wrongKey.stderr).toBe(`error: ${server.url} answers 401: Invalid or inactive API key\n`);
  const live = await matchd.run('trigger', 'session.ended', ...at, '--key', server.liveKey);
  expect(live.stderr).toContain('answers 403: Triggering events needs a test API key');
  const forward = ['listen', '--forward-to'];
  const noUrl = await matchd.run(...forward, 'x', ...at, '--key', 'k');
  expect([noUrl.exit, noUrl.stderr]).toEqual([2, 'error: "x" is not a URL\n']);
  const secret = await matchd.run(...forward, receiver.url, ...at, '--key', 'k', '--secret', 'x');
  expect([secret.exit, secret.stderr]).toEqual([2, expect.stringContaining('whsec_')]);
  const refused = await matchd.run(...forward, receiver.url, ...at, '--key', 'k');
  expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining('answers 401')]);
}, 30_000);
