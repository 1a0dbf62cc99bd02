/** Where a request really goes: to checked addresses only, over TLS to the right name, in time. */

import { afterEach, expect, test } from 'bun:test';
import { createServer as createPlain } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net';
import { makeManualClock } from '../../../testing/manual-clock.ts';
import { makeTestCertificate } from '../../../testing/test-certificate.ts';
import { openReceiver } from '../../../testing/webhooks/webhook-receiver.ts';
import { parseTarget, type Target } from '../../../webhooks/target.ts';
import { makeSystemClock } from '../../system.ts';
import { makeSender, SEND_MS_MAX, type SenderDeps } from './sender.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const LOCAL = { allowLocal: true };
const PUBLIC = { allowLocal: false };

function senderOf(change: Partial<SenderDeps> = {}) {
  const resolve = async () => ['127.0.0.1'];
  return makeSender({ clock: makeSystemClock(), policy: LOCAL, resolve, ...change });
}

const signal = new AbortController().signal;
const targetOf = (url: string, policy = LOCAL): Target => parseTarget(url, policy)!;

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function receive() {
  const receiver = await openReceiver();
  closing.push(receiver.close);
  return receiver;
}

test('[E3] each delivery looks the name up and checks every address: rebinding is refused', async () => {
  const receiver = await receive();
  const asked: string[] = [];
  const answers = [['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['169.254.169.254'], ['::1']];
  const sender = makeSender({
    clock: makeSystemClock(),
    policy: PUBLIC,
    resolve: async (name) => {
      asked.push(name);
      return answers[asked.length - 1]!;
    },
  });
  const target = targetOf('https://hooks.example.com/x', PUBLIC);
  for (const _ of answers) {
    expect(await sender.send(target, {}, '{}', signal)).toEqual({ error: 'address_not_allowed' });
  }
  expect(asked).toEqual(answers.map(() => 'hooks.example.com'));
  expect(receiver.received).toEqual([]);
});

test('[E3] at registration an internal name is refused, and one without addresses is accepted', async () => {
  const target = targetOf('https://hooks.example.com/x', PUBLIC);
  const may = (resolve: SenderDeps['resolve']) =>
    senderOf({ policy: PUBLIC, resolve }).mayRegister(target);
  expect(await may(async () => ['10.1.2.3'])).toBe(false);
  expect(await may(async () => ['1.1.1.1', '::ffff:1.1.1.1'])).toBe(false);
  expect(await may(async () => ['1.1.1.1'])).toBe(true);
  expect(await may(() => Promise.reject(new Error('ENOTFOUND')))).toBe(true);
});

test('[E3] a look-up that does not end delays a registration by 5 s, then counts as one without addresses', async () => {
  const clock = makeManualClock();
  const never = new Promise<never>(() => {});
  const sender = makeSender({ clock, policy: PUBLIC, resolve: () => never });
  let answer: boolean | null = null;
  const target = targetOf('https://hooks.example.com/x', PUBLIC);
  const asking = sender.mayRegister(target).then((may) => {
    answer = may;
  });
  clock.advance(4_999);
  await new Promise(setImmediate);
  expect(answer).toBeNull();
  clock.advance(1);
  await asking;
  expect(answer).toBe(true as never);
});

test('[E3] the connection goes to the address that was checked, not to a second look-up', async () => {
  const receiver = await receive();
  let lookUps = 0;
  const sender = senderOf({
    resolve: async () => {
      lookUps += 1;
      return ['127.0.0.1'];
    },
  });
  // The system does not know the name: only the given address leads there.
  const url = `http://a.name.that.is.nowhere.localhost:${receiver.port}/hook?a=b`;
  const result = await sender.send(targetOf(url), { 'x-a': 'b' }, '{"ü":1}', signal);
  expect(result).toEqual({ status: 204, retryAfter: null });
  expect(lookUps).toBe(1);
  const { headers, body } = receiver.received[0]!;
  expect(body).toBe('{"ü":1}');
  expect(headers['host']).toBe(`a.name.that.is.nowhere.localhost:${receiver.port}`);
  expect(headers['content-length']).toBe('8');
  expect(headers['x-a']).toBe('b');
});

test('[E3] a proxy of the environment is not used', async () => {
  const [proxy, receiver] = [await receive(), await receive()];
  const before = { ...process.env };
  Object.assign(process.env, { HTTP_PROXY: proxy.url, http_proxy: proxy.url });
  try {
    await senderOf().send(targetOf(receiver.url), {}, '{}', signal);
  } finally {
    for (const name of ['HTTP_PROXY', 'http_proxy']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
  expect([proxy.received.length, receiver.received.length]).toEqual([0, 1]);
});

test('[E3] over TLS the certificate has to be that of the name', async () => {
  const { ca, cert, key } = makeTestCertificate('hooks.localhost');
  const server = createSecure({ cert, key }, (request, response) => {
    response.end(String(request.headers.host));
  });
  const port = await listen(server);
  const send = (name: string, trusted: string | null) =>
    senderOf(trusted === null ? {} : { ca: trusted }).send(
      targetOf(`https://${name}:${port}/`),
      {},
      '{}',
      signal,
    );
  expect(await send('hooks.localhost', ca)).toEqual({ status: 200, retryAfter: null });
  expect(await send('other.localhost', ca)).toEqual({ error: 'certificate_invalid' });
  expect(await send('hooks.localhost', null)).toEqual({ error: 'certificate_invalid' });
});

test('[E3] an IPv6 address is connected to as written', async () => {
  const server = createPlain((request, response) => {
    response.writeHead(request.headers.host?.startsWith('[::1]:') ? 204 : 400).end();
  });
  const port = await listen(server, '::1');
  const result = await senderOf().send(targetOf(`http://[::1]:${port}/`), {}, '{}', signal);
  expect(result).toEqual({ status: 204, retryAfter: null });
});

test('[E3] of a long response no more than 64 KiB and a few packets are read', async () => {
  let sent = 0;
  const server = createPlain((_, response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(16 * 1_024);
    const timer = setInterval(() => {
      sent += chunk.length;
      response.write(chunk);
    }, 1);
    response.on('close', () => clearInterval(timer));
  });
  const port = await listen(server);
  const result = await senderOf().send(targetOf(`http://127.0.0.1:${port}/`), {}, '{}', signal);
  expect(result).toEqual({ status: 200, retryAfter: null });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const after = sent;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(sent).toBe(after);
  expect(sent).toBeLessThan(1_024 * 1_024);
});

test('[E2a] of a failed response the beginning is stored, without secrets', async () => {
  const answer = async (status: number, body: string | Uint8Array) => {
    const port = await listen(
      createPlain((_, response) => {
        response.writeHead(status);
        response.end(body);
      }),
    );
    return senderOf().send(targetOf(`http://127.0.0.1:${port}/`), {}, '{}', signal);
  };
  const said = 'no route for whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  expect(await answer(500, said)).toEqual({
    status: 500,
    retryAfter: null,
    response: 'no route for [removed]',
  });
  const long = await answer(404, 'x'.repeat(50_000));
  expect(long).toMatchObject({ status: 404, response: `${'x'.repeat(1_024)}…` });
  expect(await answer(200, said)).toEqual({ status: 200, retryAfter: null });
  expect(await answer(302, '')).toEqual({ status: 302, retryAfter: null });
});

test('[E3] an endpoint that does not answer, or not completely, has 15 s', async () => {
  const silent = await listen(createTcp(() => {}));
  const trickle = await listen(
    createPlain((_, response) => {
      response.writeHead(200);
      response.write('x');
    }),
  );
  for (const [port, result] of [
    [silent, { error: 'timeout' }],
    [trickle, { status: 200, retryAfter: null }],
  ] as const) {
    const clock = makeManualClock();
    const sending = senderOf({ clock }).send(
      targetOf(`http://127.0.0.1:${port}/`),
      {},
      '{}',
      signal,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(clock.nextAt()).toBe(clock.now() + SEND_MS_MAX);
    clock.advance(SEND_MS_MAX);
    expect(await sending).toEqual(result as never);
    expect(clock.nextAt()).toBeNull();
  }
});

test('[E3] a look-up that hangs has 15 s too, and nothing is connected to afterwards', async () => {
  const receiver = await receive();
  const clock = makeManualClock();
  let found: (addresses: readonly string[]) => void = () => {};
  const resolve = () =>
    new Promise<readonly string[]>((done) => {
      found = done;
    });
  const target = targetOf(`http://x.localhost:${receiver.port}/`);
  const sending = senderOf({ clock, resolve }).send(target, {}, '{}', signal);
  clock.advance(SEND_MS_MAX);
  expect(await sending).toEqual({ error: 'timeout' });
  found(['127.0.0.1']);
  await new Promise((done) => setTimeout(done, 50));
  expect(receiver.received).toEqual([]);
});

test('[E2] each failure has one word', async () => {
  const send = (url: string, change: Partial<SenderDeps> = {}) =>
    senderOf(change).send(targetOf(url), {}, '{}', signal);
  const receiver = await receive();
  await receiver.close();
  expect(await send(receiver.url)).toEqual({ error: 'connection_failed' });
  const resolve = () => Promise.reject(new Error('ENOTFOUND'));
  expect(await send('http://x.localhost/', { resolve })).toEqual({ error: 'name_not_found' });
  const garbage = await listen(createTcp((socket) => socket.end('SSH-2.0-x\r\n')));
  expect(await send(`http://127.0.0.1:${garbage}/`)).toEqual({ error: 'connection_failed' });
  const ending = new AbortController();
  const silent = await listen(createTcp(() => {}));
  const sending = senderOf().send(targetOf(`http://127.0.0.1:${silent}/`), {}, '{}', ending.signal);
  ending.abort();
  expect(await sending).toEqual({ error: 'timeout' });
});
