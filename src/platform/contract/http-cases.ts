/** The contract of both platforms on ordinary HTTP requests. */

import assert from 'node:assert/strict';
import { ask, RawClient } from './raw-client.ts';
import { type Case, onStage, type Script, urlOf } from './stage.ts';
import { pass, until } from './until.ts';

const encoder = new TextEncoder();
const BODY_BYTES_MAX = 1_000;
/** Without it Node sends no stream; the types do not include it. */
const SENT_AS_IT_COMES = { duplex: 'half' };

/** What the response to HEAD says about the body that it leaves out. */
const TOLD = { 'content-length': '17' };
const UNTOLD = { 'transfer-encoding': 'chunked' };

/** A body whose length is not announced. */
function makeStream(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const byte of encoder.encode(text)) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
}

export const httpCases: readonly Case[] = [
  {
    name: '[PLAT] a request reaches fetch whole and its response comes back whole',
    run: (platform) =>
      onStage(
        platform,
        {
          async fetch(request) {
            const { pathname, search } = new URL(request.url);
            const headers = new Headers({ 'x-answer': 'yes' });
            headers.append('set-cookie', 'a=1, b');
            headers.append('set-cookie', 'c=2');
            const seen = [request.method, pathname, search, request.headers.get('x-ask')];
            return Response.json([...seen, await request.text()], { status: 201, headers });
          },
        },
        async (stage) => {
          const response = await fetch(urlOf(stage, '/a/b?c=%20d'), {
            method: 'POST',
            headers: { 'x-ask': 'why' },
            body: 'grüße',
          });
          assert.equal(response.status, 201);
          assert.equal(response.headers.get('x-answer'), 'yes');
          assert.deepEqual(response.headers.getSetCookie(), ['a=1, b', 'c=2']);
          assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
          assert.deepEqual(await response.json(), ['POST', '/a/b', '?c=%20d', 'why', 'grüße']);
        },
      ),
  },
  {
    name: '[PLAT] answers without a body have none: HEAD, 204, 304',
    run: (platform) =>
      onStage(
        platform,
        {
          fetch(request) {
            const { pathname } = new URL(request.url);
            if (pathname === '/told') return new Response(null, { headers: TOLD });
            if (pathname === '/untold') return new Response(null, { headers: UNTOLD });
            const status = Number(pathname.slice(1));
            return status === 200 ? new Response('body') : new Response(null, { status });
          },
        },
        async (stage) => {
          const head = await fetch(urlOf(stage, '/200'), { method: 'HEAD' });
          assert.equal(head.headers.get('content-length'), '4');
          assert.equal(await head.text(), '');
          const told = await ask(stage.port, 'HEAD /told HTTP/1.1\r\nHost: x\r\n\r\n');
          assert.match(told.head, /^content-length: 17$/im);
          const untold = await ask(stage.port, 'HEAD /untold HTTP/1.1\r\nHost: x\r\n\r\n');
          assert.doesNotMatch(untold.head, /^content-length/im);
          assert.equal(told.body + untold.body, '');
          for (const status of [204, 304]) {
            const response = await fetch(urlOf(stage, `/${status}`));
            assert.equal(response.status, status);
            assert.equal(await response.text(), '');
          }
        },
      ),
  },
  {
    name: '[PLAT] the peer is the address of the connection, IPv4 dotted also over IPv6 sockets',
    async run(platform) {
      for (const hostname of ['127.0.0.1', '::ffff:127.0.0.1']) {
        const script = {
          hostname,
          fetch: (_: Request, peer: { address: string }) => new Response(peer.address),
        };
        await onStage(platform, script, async (stage) => {
          assert.equal(await (await fetch(urlOf(stage, '/'))).text(), '127.0.0.1');
        });
      }
    },
  },
  {
    name: '[PLAT] a body over bodyBytesMax is answered 413, one of exactly bodyBytesMax is read',
    async run(platform) {
      let calls = 0;
      const script = {
        limits: { bodyBytesMax: BODY_BYTES_MAX },
        async fetch(request: Request) {
          calls += 1;
          return new Response(String((await request.text()).length));
        },
      };
      await onStage(platform, script, async (stage) => {
        const post = (body: Uint8Array<ArrayBuffer>) =>
          fetch(urlOf(stage, '/'), { method: 'POST', body });
        assert.equal(await (await post(new Uint8Array(BODY_BYTES_MAX))).text(), '1000');
        for (const bytes of [BODY_BYTES_MAX + 1, 4_000_000]) {
          const response = await post(new Uint8Array(bytes));
          assert.equal(response.status, 413);
          assert.equal(await response.text(), '{"error":"Request body too large"}');
        }
        assert.equal(calls, 1);
      });
    },
  },
  {
    name: '[PLAT] who serves says itself that a body is too large, announced or not',
    async run(platform) {
      const script: Script = {
        limits: { bodyBytesMax: BODY_BYTES_MAX },
        refuse: (request, { address }, why) =>
          new Response(`${new URL(request.url).pathname} ${address} ${why}`, { status: 413 }),
      };
      await onStage(platform, script, async (stage) => {
        const text = 'x'.repeat(BODY_BYTES_MAX + 1);
        for (const body of [text, makeStream(text)]) {
          const response = await fetch(urlOf(stage, '/a'), {
            ...SENT_AS_IT_COMES,
            method: 'POST',
            body,
          });
          assert.equal(response.status, 413);
          assert.equal(await response.text(), '/a 127.0.0.1 too large');
        }
      });
    },
  },
  {
    name: '[PLAT] a body of unannounced length is held to bodyBytesMax too',
    async run(platform) {
      const script = {
        limits: { bodyBytesMax: BODY_BYTES_MAX },
        fetch: async (request: Request) => new Response(`got ${(await request.text()).length}`),
      };
      await onStage(platform, script, async (stage) => {
        const chunk = `fa\r\n${'x'.repeat(250)}\r\n`;
        const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
        const fitting = await ask(stage.port, `${head}${chunk.repeat(4)}0\r\n\r\n`);
        await until(() => fitting.body.includes('got 1000'), 'the whole body');
        const large = await ask(stage.port, `${head}${chunk.repeat(5)}0\r\n\r\n`);
        assert.match(large.head, /^HTTP\/1\.1 413 /);
        await until(() => large.body.includes('{"error":"Request body too large"}'), 'the reason');
      });
    },
  },
  {
    name: '[PLAT] a request reaches fetch once the whole of its body is here',
    async run(platform) {
      let calls = 0;
      const fetchText = async (request: Request) => {
        calls += 1;
        return new Response(`got ${await request.text()}`);
      };
      await onStage(platform, { fetch: fetchText }, async (stage) => {
        const bodies: readonly [string, string, string][] = [
          ['Content-Length: 4', 'b', 'ody'],
          ['Transfer-Encoding: chunked', '1\r\nb\r\n', '3\r\nody\r\n0\r\n\r\n'],
          ['Expect: 100-continue\r\nContent-Length: 4', 'b', 'ody'],
        ];
        for (const [i, [head, begin, rest]] of bodies.entries()) {
          const request = `POST / HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${begin}`;
          const client = await connectAndSend(stage.port, request);
          await pass(50);
          assert.equal(calls, i);
          client.write(rest);
          await until(() => client.body.includes('got body'), 'the answer');
        }
        const empty = await ask(
          stage.port,
          'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n',
        );
        await until(() => empty.body.includes('got '), 'the answer to an empty body');
      });
    },
  },
  {
    name: '[PLAT] a body in pieces of a byte is the whole body',
    run: (platform) =>
      onStage(platform, { fetch: async (r) => new Response(await r.text()) }, async (stage) => {
        const text = Array.from({ length: 3_000 }, (_, n) => String.fromCharCode(97 + (n % 26)));
        const pieces = text.map((letter) => `1\r\n${letter}\r\n`).join('');
        const client = await connectAndSend(
          stage.port,
          `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`,
        );
        await until(() => client.body.includes(text.join('')), 'all of it');
      }),
  },
  {
    name: '[PLAT] a body can be had as bytes, text or JSON',
    async run(platform) {
      const read = async (request: Request): Promise<unknown> => {
        if (request.url.endsWith('/json')) return request.json();
        if (request.url.endsWith('/text')) return request.text();
        return [...new Uint8Array(await request.arrayBuffer())];
      };
      const script = { fetch: async (request: Request) => Response.json(await read(request)) };
      await onStage(platform, script, async (stage) => {
        const post = async (path: string, body: string | ReadableStream) =>
          (await fetch(urlOf(stage, path), { ...SENT_AS_IT_COMES, method: 'POST', body })).json();
        for (const make of [(text: string) => text, makeStream]) {
          assert.deepEqual(await post('/json', make('{"a":1}')), { a: 1 });
          assert.equal(await post('/text', make('grüße')), 'grüße');
          assert.deepEqual(await post('/bytes', make('abc')), [97, 98, 99]);
        }
      });
    },
  },
  {
    name: '[PLAT] a client that leaves in the middle of its body disturbs nobody',
    run: (platform) =>
      onStage(platform, { fetch: async (r) => new Response(await r.text()) }, async (stage) => {
        const heads = ['Content-Length: 100', 'Transfer-Encoding: chunked'];
        for (const head of heads) {
          const client = await connectAndSend(
            stage.port,
            `POST / HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`,
          );
          client.tcp.resetAndDestroy();
        }
        await pass(20);
        assert.equal((await fetch(urlOf(stage, '/'))).status, 200);
      }),
  },
  {
    name: '[PLAT] a fetch that throws or rejects is answered 500, reported, and survived',
    run: (platform) =>
      onStage(
        platform,
        {
          fetch(request) {
            if (request.url.endsWith('/throw')) throw new Error('thrown');
            if (request.url.endsWith('/reject')) return Promise.reject(new Error('rejected'));
            return new Response('fine');
          },
        },
        async (stage) => {
          for (const path of ['/throw', '/reject']) {
            const response = await fetch(urlOf(stage, path));
            assert.equal(response.status, 500);
            assert.equal(await response.text(), '{"error":"Internal server error"}');
          }
          assert.deepEqual(stage.failures.map(String), ['Error: thrown', 'Error: rejected']);
          assert.equal(await (await fetch(urlOf(stage, '/'))).text(), 'fine');
        },
      ),
  },
  {
    name: '[PLAT] another Upgrade than websocket is an ordinary request',
    run: (platform) =>
      onStage(platform, { fetch: () => new Response('plain') }, async (stage) => {
        const upgrade =
          'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk';
        const client = await ask(stage.port, `GET / HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`);
        assert.match(client.head, /^HTTP\/1\.1 200 /);
        await until(() => client.body.includes('plain'), 'the body');
      }),
  },
];

export const streamCases: readonly Case[] = [
  {
    name: '[PLAT] a stream is sent as it comes, the first chunk at once',
    async run(platform) {
      const feeds: ReadableStreamDefaultController<Uint8Array>[] = [];
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          feeds.push(controller);
          controller.enqueue(encoder.encode('data: 0\n\n'));
        },
      });
      const headers = { 'content-type': 'text/event-stream' };
      await onStage(platform, { fetch: () => new Response(body, { headers }) }, async (stage) => {
        const response = await fetch(urlOf(stage, '/'));
        assert.equal(response.headers.get('content-type'), 'text/event-stream');
        const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
        assert.equal((await reader.read()).value, 'data: 0\n\n');
        for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
          feeds[0]!.enqueue(encoder.encode(text));
          assert.equal((await reader.read()).value, text);
        }
        feeds[0]!.close();
        assert.equal((await reader.read()).done, true);
      });
    },
  },
  {
    name: '[PLAT] a long stream arrives whole at a client that reads slowly',
    async run(platform) {
      const chunks = 64;
      const chunk = new Uint8Array(65_536).fill(7);
      let sent = 0;
      const fetchStream = () =>
        new Response(
          new ReadableStream<Uint8Array>({
            async pull(controller) {
              if (sent % 8 === 0) await pass(1);
              if (sent === chunks) controller.close();
              else controller.enqueue(chunk);
              sent += 1;
            },
          }),
        );
      await onStage(platform, { fetch: fetchStream }, async (stage) => {
        const response = await fetch(urlOf(stage, '/'));
        await pass(20);
        assert.equal((await response.arrayBuffer()).byteLength, chunks * chunk.length);
      });
    },
  },
  {
    name: '[PLAT] a stream is cancelled when its client leaves',
    async run(platform) {
      let cancelled = 0;
      const fetchStream = () =>
        new Response(
          new ReadableStream<Uint8Array>({
            start: (controller) => controller.enqueue(encoder.encode('first')),
            cancel() {
              cancelled += 1;
            },
          }),
        );
      await onStage(platform, { fetch: fetchStream }, async (stage) => {
        const client = await ask(stage.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        await until(() => client.body.includes('first'), 'the first chunk');
        client.tcp.destroy();
        await until(() => cancelled === 1, 'the cancellation');
      });
    },
  },
  {
    name: '[PLAT] a stream whose client left before it began is cancelled too',
    async run(platform) {
      let cancelled = 0;
      let asked = false;
      const fetchLate = async () => {
        asked = true;
        await pass(50);
        return new Response(
          new ReadableStream<Uint8Array>({
            start: (controller) => controller.enqueue(encoder.encode('first')),
            cancel() {
              cancelled += 1;
            },
          }),
        );
      };
      await onStage(platform, { fetch: fetchLate }, async (stage) => {
        const client = await connectAndSend(stage.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        await until(() => asked, 'the request');
        client.tcp.destroy();
        await until(() => cancelled === 1, 'the cancellation');
      });
    },
  },
  {
    name: '[PLAT] a stream that fails midway cuts its connection, and nothing else',
    async run(platform) {
      const fetchBroken = (request: Request) => {
        if (request.url.endsWith('/fine')) return new Response('fine');
        let pulls = 0;
        return new Response(
          new ReadableStream<Uint8Array>({
            async pull(controller) {
              pulls += 1;
              await pass(5);
              if (pulls === 1) controller.enqueue(encoder.encode('first'));
              else controller.error(new Error('broken'));
            },
          }),
        );
      };
      await onStage(platform, { fetch: fetchBroken }, async (stage) => {
        const client = await ask(stage.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        await until(() => client.end !== 'open', 'the cut');
        assert.ok(!client.body.endsWith('0\r\n\r\n'), 'a cut body must not look whole');
        assert.equal(await (await fetch(urlOf(stage, '/fine'))).text(), 'fine');
      });
    },
  },
];

/** Sends a request without waiting for a response. */
async function connectAndSend(port: number, text: string): Promise<RawClient> {
  const client = new RawClient(port);
  client.write(text);
  await pass(20);
  return client;
}
