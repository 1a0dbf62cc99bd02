/** The contract of both platforms on ports, and on the stop and start of servers. */

import assert from 'node:assert/strict';
import { type Platform, PortInUseError } from '../platform.ts';
import { ask, makeHandshake, openSocket, RawClient } from './raw-client.ts';
import { type Case, onStage, setStage, urlOf } from './stage.ts';
import { pass, until } from './until.ts';

/** The most that `close` may take, whatever clients do. */
const CLOSE_MAX_MS = 2_000;
const RESTARTS = 20;

export const serverCases: readonly Case[] = [
  {
    name: '[PLAT] port 0 gives a free port, another one is taken as asked',
    run: (platform) =>
      onStage(platform, {}, async (first) => {
        await onStage(platform, {}, async (second) => {
          assert.ok(first.port > 0 && second.port > 0 && first.port !== second.port);
        });
      }),
  },
  {
    name: '[PLAT] a busy port rejects with PortInUseError and harms nobody',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        await assert.rejects(setStage(platform, { port: stage.port }), (error) => {
          assert.ok(error instanceof PortInUseError);
          assert.equal(error.port, stage.port);
          return true;
        });
        assert.equal((await fetch(urlOf(stage, '/'))).status, 200);
      }),
  },
  {
    name: '[PLAT] after stopListening nobody new comes in, and open sockets go on',
    run: (platform) =>
      onStage(
        platform,
        { handlers: { message: (socket, text) => socket.send([text]) } },
        async (stage) => {
          const client = await openSocket(stage.port);
          await stage.server.stopListening();
          const late = new RawClient(stage.port);
          await until(() => late.end === 'error', 'the refusal');
          client.text('still here');
          await until(() => client.texts.length === 1, 'the echo');
          await onStage(platform, { port: stage.port }, async (successor) => {
            assert.equal((await fetch(urlOf(successor, '/'))).status, 200);
          });
        },
      ),
  },
  {
    name: '[PLAT] after stopListening bodies still come, and who waits for them knows when they are here',
    async run(platform) {
      let calls = 0;
      const fetchText = async (request: Request) => {
        calls += 1;
        return new Response(`got ${await request.text()}`);
      };
      await onStage(platform, { fetch: fetchText }, async (stage) => {
        const clients = [new RawClient(stage.port), new RawClient(stage.port)];
        for (const client of clients) {
          client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nb');
        }
        // Later requests are answered: their heads have been read.
        const last = await ask(stage.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        await until(() => last.body.includes('got '), 'the answer to who came last');
        calls = 0;
        await stage.server.stopListening();
        let ended = false;
        const waiting = stage.server.bodiesEnded().then(() => {
          ended = true;
          return calls;
        });
        clients[0]!.write('ody');
        await until(() => clients[0]!.body.includes('got body'), 'the answer');
        assert.equal(ended, false);
        clients[1]!.write('ody');
        assert.equal(await waiting, 2);
        await until(() => clients[1]!.body.includes('got body'), 'the other answer');
        await stage.server.bodiesEnded();
      });
    },
  },
  {
    name: '[PLAT] close ends everything: sockets, stuck ones, streams, idle and half requests',
    run: (platform) => closeWithEverythingOpen(platform),
  },
  {
    name: '[PLAT] close may come twice, and after stopListening',
    async run(platform) {
      const stage = await setStage(platform, {});
      await openSocket(stage.port);
      await stage.server.stopListening();
      await stage.server.stopListening();
      await Promise.all([stage.server.close(), stage.server.close()]);
      await stage.server.close();
      assert.deepEqual(stage.log, ['opened /', 'closed / 1001']);
    },
  },
  {
    name: '[PLAT] a closing server says 1001',
    async run(platform) {
      const stage = await setStage(platform, {});
      const client = await openSocket(stage.port);
      await stage.server.close();
      await until(() => client.closeFrame !== null, 'the close frame');
      assert.match(client.closeFrame!, /^1001 /);
    },
  },
  {
    name: '[PLAT] a server restarts on its port at once, with clients on it',
    async run(platform) {
      let port = 0;
      for (let i = 0; i < RESTARTS; i++) {
        const stage = await setStage(platform, { port });
        port = stage.port;
        await openSocket(port);
        await ask(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        await stage.server.close();
      }
    },
  },
];

async function closeWithEverythingOpen(platform: Platform): Promise<void> {
  const fetchStream = (request: Request) =>
    new Response(request.url.endsWith('/stream') ? makeEndlessStream() : 'ok');
  const stage = await setStage(platform, { fetch: fetchStream });
  const clients = [
    await openSocket(stage.port),
    await ask(stage.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
    await ask(stage.port, 'GET /stream HTTP/1.1\r\nHost: x\r\n\r\n'),
    await ask(stage.port, makeHandshake({ headers: { 'sec-websocket-key': null } })),
    new RawClient(stage.port),
    new RawClient(stage.port),
  ];
  clients.at(-2)!.write('GET / HTTP/1.1\r\nHost: ');
  clients.at(-1)!.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
  const stuck = await openSocket(stage.port, { path: '/stuck' });
  stuck.tcp.pause();
  for (let i = 0; i < 80; i++) stage.sockets[1]!.send(['x'.repeat(100_000)]);
  await pass(20);
  const started = performance.now();
  await stage.server.close();
  const tookMs = performance.now() - started;
  assert.ok(tookMs < CLOSE_MAX_MS, `closing took ${tookMs} ms`);
  assert.deepEqual(stage.log.slice(-2).sort(), ['closed / 1001', 'closed /stuck 1001']);
  await until(() => clients.every((client) => client.end !== 'open'), 'the end of all');
  stuck.tcp.destroy();
}

function makeEndlessStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
}
