/**
 * The contract of both platforms on heads: which are refused, and what the head of every response
 * has.
 */

import assert from 'node:assert/strict';
import { ask, makeHandshake } from './raw-client.ts';
import { type Case, onStage, type Script } from './stage.ts';
import { until } from './until.ts';

/** The headers that turn a GET into a handshake. */
const SOCKET_HEADERS =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

export const headCases: readonly Case[] = [
  {
    name: '[PLAT] a request whose length is told in no way that can be understood is refused at once',
    async run(platform) {
      let calls = 0;
      const fetch = async () => {
        calls += 1;
        return new Response('done');
      };
      await onStage(platform, { fetch }, async (stage) => {
        const heads = [
          'Content-Length: 4\r\ncontent-length: 4',
          'Content-Length: 4\r\nContent-Length: 300000000',
          'Content-Length: 4, 4',
          'Content-Length: +4',
          'Content-Length: -4',
          'Content-Length: 0x4',
        ];
        for (const head of heads) {
          const client = await ask(stage.port, `POST / HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\nb`);
          await until(() => client.head.startsWith('HTTP/1.1 400 '), `a refusal of ${head}`);
        }
        assert.equal(calls, 0);
      });
    },
  },
  {
    name: '[PLAT] a request whose Host makes no URL is answered 400',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        const client = await ask(stage.port, 'GET / HTTP/1.1\r\nHost: [\r\n\r\n');
        assert.match(client.head, /^HTTP\/1\.1 400 /);
      }),
  },
  {
    name: '[PLAT][H2] who serves says itself that nothing can be made of a head',
    async run(platform) {
      const script: Script = {
        refuse: ({ method, url }, { address }, why) =>
          new Response(`${method} ${url} ${address} ${why}`, { status: 400 }),
      };
      await onStage(platform, script, async (stage) => {
        for (const more of ['', 'Upgrade: websocket\r\nConnection: Upgrade\r\n']) {
          const client = await ask(stage.port, `GET / HTTP/1.1\r\nHost: [\r\n${more}\r\n`);
          const answer = 'GET http://unknown.invalid/ 127.0.0.1 bad request';
          await until(() => client.body === answer, 'the answer');
        }
      });
    },
  },
  {
    name: '[PLAT][H1] a request that names two hosts, or a list of them, is refused and the last one',
    async run(platform) {
      let calls = 0;
      const script: Script = {
        fetch() {
          calls += 1;
          return new Response('done');
        },
        upgrade() {
          calls += 1;
          return { accept: true, protocol: null, data: '' };
        },
      };
      await onStage(platform, script, async (stage) => {
        const hosts = [
          'a\r\nHost: b',
          'a\r\nhost: a',
          'a\r\nX-Y: 1\r\nHOST: b',
          'a, b',
          '\r\nHost: b',
        ];
        const ends = ['\r\n', `${SOCKET_HEADERS}\r\n`, 'Content-Length: 4\r\n\r\nbody'];
        for (const end of ends) {
          for (const host of hosts) {
            const method = end.includes('body') ? 'POST' : 'GET';
            const client = await ask(stage.port, `${method} / HTTP/1.1\r\nHost: ${host}\r\n${end}`);
            assert.match(client.head, /^HTTP\/1\.1 400 /, `${host} ${end}`);
            await until(() => client.end !== 'open', 'the end of the connection');
          }
        }
        assert.equal(calls, 0);
        const one = await ask(stage.port, 'GET / HTTP/1.1\r\nHost: a\r\nX-Host: b\r\n\r\n');
        assert.match(one.head, /^HTTP\/1\.1 200 /);
      });
    },
  },
  {
    name: '[PLAT][H12] the headers of every answer are on each: of the service, of faults, of the platform itself',
    async run(platform) {
      const script: Script = {
        headers: { 'x-always': 'yes' },
        fetch(request) {
          const { pathname } = new URL(request.url);
          if (pathname === '/throw') throw new Error('thrown');
          if (pathname === '/redirect') return Response.redirect('http://x/', 302);
          if (pathname === '/stream') return new Response(makeStream());
          return new Response('ok');
        },
        upgrade: () => ({ accept: false, response: new Response('no', { status: 403 }) }),
      };
      await onStage(platform, script, async (stage) => {
        const requests = [
          ['200', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
          ['200', 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n'],
          ['200', 'GET /stream HTTP/1.1\r\nHost: x\r\n\r\n'],
          ['302', 'GET /redirect HTTP/1.1\r\nHost: x\r\n\r\n'],
          ['500', 'GET /throw HTTP/1.1\r\nHost: x\r\n\r\n'],
          ['400', 'GET / HTTP/1.1\r\nHost: [\r\n\r\n'],
          ['400', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
          ['413', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n'],
          ['403', `GET / HTTP/1.1\r\nHost: x\r\n${SOCKET_HEADERS}\r\n`],
          ['426', makeHandshake({ headers: { 'sec-websocket-version': '12' } })],
        ] as const;
        for (const [status, request] of requests) {
          const { head } = await ask(stage.port, request);
          assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `), request);
          assert.match(head, /^x-always: yes$/im, request);
        }
      });
    },
  },
];

function makeStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('abc'));
      controller.close();
    },
  });
}
