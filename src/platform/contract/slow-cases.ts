/** The contract of both platforms on slow HTTP clients; takes as long as the limits are. */

import assert from 'node:assert/strict';
import { BODY_TIMEOUT_S } from '../bodies-under-way.ts';
import { HEAD_TIMEOUT_S } from '../platform.ts';
import { ask, openSocket, RawClient } from './raw-client.ts';
import { type Case, onStage, type Script, urlOf } from './stage.ts';
import { pass, until } from './until.ts';

/** Both runtimes check their timeouts every few seconds. */
const GRANULARITY_S = 5;

const LONGER_THAN_A_HEAD_MS = (HEAD_TIMEOUT_S + GRANULARITY_S) * 1000;
const LONGER_THAN_A_BODY_MS = (BODY_TIMEOUT_S + GRANULARITY_S) * 1000;
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

export const slowCases: readonly Case[] = [
  {
    name: '[PLAT] a head that drips in is cut off',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        const dripping = new RawClient(stage.port);
        dripping.write('GET / HTTP/1.1\r\nHost: x\r\nX-Long: ');
        const drip = setInterval(() => dripping.write('a'), 500);
        await pass(LONGER_THAN_A_HEAD_MS);
        clearInterval(drip);
        assert.notEqual(dripping.end, 'open');
      }),
  },
  {
    name: '[PLAT] a connection on which nothing comes, or half a line, is cut off',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        const clients = Array.from({ length: 50 }, () => new RawClient(stage.port));
        for (const client of clients.slice(25)) client.write('GET / HT');
        await pass(LONGER_THAN_A_HEAD_MS);
        for (const client of clients) assert.notEqual(client.end, 'open');
      }),
  },
  {
    name: '[PLAT] a body that drips in is refused and cut off, and its request reaches nobody',
    async run(platform) {
      let calls = 0;
      const script: Script = {
        fetch() {
          calls += 1;
          return new Response();
        },
        refuse: (request, _, why) =>
          new Response(`${request.url} ${why}`, { status: 408, headers: { 'x-refused': 'yes' } }),
      };
      await onStage(platform, script, async (stage) => {
        const drips = [
          ['Content-Length: 1000', 'a'],
          ['Transfer-Encoding: chunked', '1\r\na\r\n'],
        ] as const;
        const clients = drips.map(([head, drip]) => {
          const client = new RawClient(stage.port);
          client.write(`POST / HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`);
          return { client, timer: setInterval(() => client.write(drip), 500) };
        });
        await pass(LONGER_THAN_A_BODY_MS);
        for (const { client, timer } of clients) {
          clearInterval(timer);
          assert.match(client.head, /^HTTP\/1\.1 408 .*\r\nx-refused: yes/is);
          assert.equal(client.body, 'http://x/ too slow');
          assert.notEqual(client.end, 'open');
        }
        assert.equal(calls, 0);
      });
    },
  },
  {
    name: '[PLAT] an answer may take longer than a head, and a quiet stream too',
    run: (platform) =>
      onStage(
        platform,
        {
          async fetch(request) {
            if (request.url.endsWith('/stream')) return new Response(makeQuietStream());
            await pass(LONGER_THAN_A_HEAD_MS);
            return new Response('late');
          },
        },
        async (stage) => {
          const stream = fetch(urlOf(stage, '/stream'));
          assert.equal(await (await fetch(urlOf(stage, '/'))).text(), 'late');
          assert.equal(await (await stream).text(), 'first, last');
        },
      ),
  },
  {
    name: '[PLAT] a kept connection may rest longer than a head takes',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        const client = await ask(stage.port, REQUEST);
        await until(() => client.body === 'ok', 'the first answer');
        await pass(LONGER_THAN_A_HEAD_MS);
        client.write(REQUEST);
        await until(() => /^okHTTP.*ok$/s.test(client.body), 'the second answer');
      }),
  },
  {
    name: '[PLAT] a client that does not answer our close frame is let go',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        const client = await openSocket(stage.port);
        client.answersClose = false;
        stage.sockets[0]!.close(4000, '');
        await until(() => client.end !== 'open', 'the end');
      }),
  },
];

function makeQuietStream(): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode('first, ')),
    async pull(controller) {
      await pass(LONGER_THAN_A_HEAD_MS);
      controller.enqueue(encoder.encode('last'));
      controller.close();
    },
  });
}
