/** The contract of both platforms on WebSocket handshakes. */

import assert from 'node:assert/strict';
import {
  ask,
  type HandshakeParts,
  makeFrame,
  makeHandshake,
  OPCODE,
  openSocket,
  RawClient,
} from './raw-client.ts';
import { type Case, onStage, type Script, urlOf } from './stage.ts';
import { pass, until } from './until.ts';

const OFFER = 'token.abc, matchd.v1, other';

/** Invalid handshakes, and the responses to them. */
const MALFORMED: readonly (HandshakeParts & { readonly status: number })[] = [
  { status: 400, headers: { 'sec-websocket-key': null } },
  { status: 400, headers: { 'sec-websocket-key': 'too-short' } },
  { status: 400, headers: { connection: 'keep-alive' } },
  { status: 426, headers: { 'sec-websocket-version': '12' } },
  { status: 426, headers: { 'sec-websocket-version': null } },
];

export const upgradeCases: readonly Case[] = [
  {
    name: '[PLAT] upgrade decides every path, at once, and its data is on the socket',
    run: (platform) =>
      onStage(
        platform,
        {
          upgrade: (request, peer) => ({
            accept: true,
            protocol: null,
            data: `${new URL(request.url).pathname} of ${peer.address}`,
          }),
        },
        async (stage) => {
          await openSocket(stage.port, { path: '/a?b=c' });
          await openSocket(stage.port, { path: '/d' });
          assert.deepEqual(stage.log, ['opened /a of 127.0.0.1', 'opened /d of 127.0.0.1']);
        },
      ),
  },
  {
    name: '[PLAT] the subprotocol is exactly the one that upgrade chose, or none',
    async run(platform) {
      for (const protocol of ['matchd.v1', null]) {
        const script = { upgrade: () => ({ accept: true, protocol, data: '' }) as const };
        await onStage(platform, script, async (stage) => {
          const headers = { 'sec-websocket-protocol': OFFER };
          const { head } = await openSocket(stage.port, { headers });
          const selected = [...head.matchAll(/^sec-websocket-protocol: *(.*)$/gim)];
          assert.deepEqual(
            selected.map((match) => match[1]),
            protocol === null ? [] : [protocol],
          );
        });
      }
    },
  },
  {
    name: '[PLAT] compression is not taken up, though offered',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        const headers = { 'sec-websocket-extensions': 'permessage-deflate' };
        const { head } = await openSocket(stage.port, { headers });
        assert.doesNotMatch(head, /sec-websocket-extensions/i);
      }),
  },
  {
    name: '[PLAT] a refused handshake is answered with the response given',
    run: (platform) =>
      onStage(
        platform,
        {
          upgrade: () => ({
            accept: false,
            response: Response.json(
              { error: 'no' },
              { status: 403, headers: { 'x-why': 'origin' } },
            ),
          }),
        },
        async (stage) => {
          const client = await ask(stage.port, makeHandshake());
          assert.match(client.head, /^HTTP\/1\.1 403 /);
          assert.match(client.head, /^x-why: origin$/im);
          await until(() => client.body.includes('{"error":"no"}'), 'the body');
          assert.deepEqual(stage.log, []);
        },
      ),
  },
  {
    name: '[PLAT] an upgrade that throws is answered 500, reported, and survived',
    run: (platform) =>
      onStage(
        platform,
        {
          upgrade() {
            throw new Error('upgrade');
          },
        },
        async (stage) => {
          const client = await ask(stage.port, makeHandshake());
          assert.match(client.head, /^HTTP\/1\.1 500 /);
          assert.deepEqual(stage.failures.map(String), ['Error: upgrade']);
          assert.equal((await fetch(urlOf(stage, '/'))).status, 200);
        },
      ),
  },
  {
    name: '[PLAT] a malformed handshake is refused without asking upgrade',
    async run(platform) {
      let asked = 0;
      const script = {
        upgrade() {
          asked += 1;
          return { accept: true, protocol: null, data: '' } as const;
        },
      };
      await onStage(platform, script, async (stage) => {
        for (const { status, ...parts } of MALFORMED) {
          const client = await ask(stage.port, makeHandshake(parts));
          assert.match(client.head, new RegExp(`^HTTP/1\\.1 ${status} `), JSON.stringify(parts));
          if (status === 426) {
            assert.match(client.head, /^sec-websocket-version: 13$/im);
            assert.match(client.head, /^upgrade: websocket$/im);
          }
          await until(() => client.body.includes('{"error":'), 'a reason');
        }
        assert.equal(asked, 0);
        assert.deepEqual(stage.log, []);
      });
    },
  },
  {
    name: '[PLAT][H2] who serves says itself why a handshake is refused',
    async run(platform) {
      const script: Script = {
        refuse: (request, { address }, why) =>
          new Response(`${new URL(request.url).pathname} ${address} ${why}`, { status: 400 }),
      };
      await onStage(platform, script, async (stage) => {
        for (const { status, ...parts } of MALFORMED) {
          const client = await ask(stage.port, makeHandshake({ ...parts, path: '/a' }));
          const why = status === 426 ? 'unsupported version' : 'malformed handshake';
          await until(() => client.body === `/a 127.0.0.1 ${why}`, why);
          assert.equal(/^upgrade: websocket$/im.test(client.head), status === 426);
        }
      });
    },
  },
  {
    name: '[PLAT] a socket is opened by GET on the path of sockets; elsewhere nobody asks for one',
    async run(platform) {
      const script: Script = {
        handlers: { path: '/sockets' },
        fetch: async (request) =>
          new Response(`${request.method} ${request.url} ${await request.text()}.`),
      };
      await onStage(platform, script, async (stage) => {
        await openSocket(stage.port, { path: '/sockets?a=b' });
        assert.deepEqual(stage.log, ['opened /sockets']);
        const elsewhere: readonly (readonly [HandshakeParts, string, string])[] = [
          [{ path: '/' }, '', 'GET http://127.0.0.1/ .'],
          [{ path: '/sockets/' }, '', 'GET http://127.0.0.1/sockets/ .'],
          [
            { path: '/a', headers: { 'sec-websocket-version': '8' } },
            '',
            'GET http://127.0.0.1/a .',
          ],
          [
            { path: '/sockets', method: 'POST', headers: { 'content-length': '4' } },
            'body',
            'POST http://127.0.0.1/sockets body.',
          ],
        ];
        for (const [parts, body, answer] of elsewhere) {
          const client = await ask(stage.port, `${makeHandshake(parts)}${body}`);
          assert.match(client.head, /^HTTP\/1\.1 200 /);
          await until(() => client.body.includes(answer), answer);
        }
        assert.equal(stage.log.length, 1);
      });
    },
  },
  {
    name: '[PLAT] the connection of a refused handshake ends with its answer',
    async run(platform) {
      const script: Script = {
        upgrade({ url }) {
          if (url.endsWith('/throw')) throw new Error('upgrade');
          return { accept: false, response: new Response('no', { status: 403 }) };
        },
      };
      await onStage(platform, script, async (stage) => {
        for (const parts of [...MALFORMED, { path: '/no' }, { path: '/throw' }]) {
          const client = await ask(stage.port, makeHandshake(parts));
          assert.match(client.head, /^connection: close$/im, JSON.stringify(parts));
          await until(() => client.end !== 'open', 'the end');
        }
      });
    },
  },
  {
    name: '[PLAT] bytes after a request whose Upgrade is ignored are answered, or the client is told to send them again',
    async run(platform) {
      const script: Script = {
        handlers: { path: '/sockets' },
        fetch: async (request) => new Response(`${request.url} ${await request.text()}.`),
      };
      const passedOver = [
        makeHandshake({ path: '/a' }),
        makeHandshake({ path: '/a', headers: { upgrade: 'h2c' } }),
        `${makeHandshake({ path: '/a', method: 'POST', headers: { 'content-length': '4' } })}body`,
      ];
      await onStage(platform, script, async (stage) => {
        for (const first of passedOver) {
          const client = await ask(stage.port, `${first}GET /b HTTP/1.1\r\nHost: x\r\n\r\n`);
          assert.match(client.head, /^HTTP\/1\.1 200 /);
          const isLast = /^connection: close$/im.test(client.head);
          const isOver = () => (isLast ? client.end === 'fin' : client.body.includes('http://x/b'));
          await until(isOver, 'the second answer');
        }
      });
    },
  },
  {
    name: '[PLAT] clients that reset during the handshake leave nothing behind',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        for (let i = 0; i < 100; i++) {
          const client = new RawClient(stage.port);
          client.tcp.once('connect', () => {
            client.write(i % 2 === 0 ? makeHandshake() : makeHandshake().slice(0, -10));
            if (i % 4 < 2) setTimeout(() => client.tcp.resetAndDestroy(), i % 3);
            else client.tcp.resetAndDestroy();
          });
        }
        const count = (what: string) => stage.log.filter((line) => line.startsWith(what)).length;
        await pass(100);
        await until(() => count('opened') === count('closed'), 'an end for every beginning');
        await openSocket(stage.port);
      }),
  },
  {
    name: '[PLAT] clients that reset before a refusal has reached them disturb nobody',
    async run(platform) {
      let asked = 0;
      const makeSlowBody = () =>
        new ReadableStream<Uint8Array>({
          async pull(controller) {
            await pass(20);
            controller.enqueue(new Uint8Array(100_000));
            if (asked > 5) controller.close();
          },
        });
      const script = {
        upgrade() {
          asked += 1;
          return {
            accept: false,
            response: new Response(makeSlowBody(), { status: 403 }),
          } as const;
        },
      };
      await onStage(platform, script, async (stage) => {
        for (let i = 1; i <= 6; i++) {
          const client = new RawClient(stage.port);
          client.write(makeHandshake());
          await until(() => asked === i, 'the handshake');
          client.tcp.resetAndDestroy();
        }
        await pass(100);
        assert.equal((await fetch(urlOf(stage, '/'))).status, 200);
        assert.deepEqual(stage.failures, []);
      });
    },
  },
  {
    name: '[PLAT] frames that come along with the handshake are heard',
    run: (platform) =>
      onStage(
        platform,
        { handlers: { opened: (socket) => socket.send(['welcome']) } },
        async (stage) => {
          const handshake = Buffer.from(makeHandshake());
          const client = new RawClient(stage.port);
          client.write(Buffer.concat([handshake, makeFrame(OPCODE.text, 'hello')]));
          await until(() => stage.log.includes('message / hello'), 'the frame');
          await until(() => client.texts.includes('welcome'), 'the welcome');
        },
      ),
  },
];
