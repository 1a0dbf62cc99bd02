/** The contract of both platforms on the end of sockets, by either side and by the idle sweep. */

import assert from 'node:assert/strict';
import { makeClosePayload, makeFrame, OPCODE, openSocket, type RawClient } from './raw-client.ts';
import { type Case, onStage, type Stage } from './stage.ts';
import { pass, until } from './until.ts';

const IDLE_TIMEOUT_S = 1;
/** Long enough to see a second `closed`, if there were one. */
const SETTLED_MS = 60;

/** Every way in which a socket ends, and the code that its service gets. */
const ENDINGS: readonly {
  readonly name: string;
  readonly code: number;
  end(stage: Stage, client: RawClient): void;
}[] = [
  {
    name: 'the client closes with a code',
    code: 3001,
    end: (_, client) => client.write(makeFrame(OPCODE.close, makeClosePayload(3001, 'bye'))),
  },
  {
    name: 'the client closes without a code',
    code: 1005,
    end: (_, client) => client.write(makeFrame(OPCODE.close, '')),
  },
  { name: 'the client resets', code: 1006, end: (_, client) => client.tcp.resetAndDestroy() },
  { name: 'the client just ends', code: 1006, end: (_, client) => client.tcp.end() },
  {
    name: 'the service terminates',
    code: 1006,
    end: (stage) => stage.sockets[0]!.terminate(),
  },
  {
    name: 'the service closes',
    code: 4001,
    end: (stage) => stage.sockets[0]!.close(4001, 'replaced'),
  },
  {
    name: 'the service closes, and again, and terminates',
    code: 4001,
    end(stage) {
      const socket = stage.sockets[0]!;
      socket.close(4001, 'replaced');
      socket.close(4002, 'again');
      socket.terminate();
    },
  },
  {
    name: 'both close at once',
    code: 4001,
    end(stage, client) {
      client.write(makeFrame(OPCODE.close, makeClosePayload(3001, '')));
      stage.sockets[0]!.close(4001, '');
    },
  },
  { name: 'the server closes', code: 1001, end: (stage) => void stage.server.close() },
];

export const closeCases: readonly Case[] = [
  ...ENDINGS.map(({ name, code, end }) => ({
    name: `[PLAT] closed is called exactly once when ${name}`,
    run: (platform: Parameters<Case['run']>[0]) =>
      onStage(platform, {}, async (stage) => {
        const client = await openSocket(stage.port);
        end(stage, client);
        await until(() => stage.log.length === 2, 'the end');
        await pass(SETTLED_MS);
        assert.deepEqual(stage.log, ['opened /', `closed / ${code}`]);
        await until(() => client.end !== 'open' || client.tcp.destroyed, 'the end of TCP');
      }),
  })),
  {
    name: '[PLAT] the client sees code and reason of close, after all that was sent before',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        const client = await openSocket(stage.port);
        const socket = stage.sockets[0]!;
        socket.send(['last', 'words']);
        socket.close(4001, 'ersetzt: grüße');
        await until(() => client.closeFrame !== null, 'the close frame');
        assert.deepEqual(client.texts, ['last', 'words']);
        assert.equal(client.closeFrame, '4001 ersetzt: grüße');
        await until(() => client.end !== 'open', 'the end of TCP');
      }),
  },
  {
    name: '[PLAT] the client sees the code though it goes on sending',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        const client = await openSocket(stage.port);
        const flood = setInterval(() => client.text('x'.repeat(1_000)), 1);
        await until(() => stage.log.length > 5, 'the flood');
        stage.sockets[0]!.close(4429, 'too fast');
        await until(() => client.closeFrame !== null, 'the close frame');
        clearInterval(flood);
        assert.equal(client.closeFrame, '4429 too fast');
      }),
  },
  {
    name: '[PLAT] closed never runs inside a call of the service on the socket',
    async run(platform) {
      let isInside = false;
      let reentered = 0;
      const script = {
        handlers: {
          message(socket: Stage['sockets'][number], how: string) {
            isInside = true;
            if (how === 'close') socket.close(4000, '');
            else socket.terminate();
            isInside = false;
          },
          closed() {
            reentered += Number(isInside);
          },
        },
      };
      await onStage(platform, script, async (stage) => {
        for (const how of ['close', 'terminate']) (await openSocket(stage.port)).text(how);
        await until(
          () => stage.log.filter((line) => line.startsWith('closed')).length === 2,
          'ends',
        );
        assert.equal(reentered, 0);
      });
    },
  },
  {
    name: '[PLAT] nothing is heard or sent after close, and its callers need not know',
    run: (platform) =>
      onStage(
        platform,
        {
          handlers: {
            message(socket, text) {
              if (text !== 'close') return;
              socket.close(4000, '');
              socket.send(['after']);
              socket.send(['after', 'after']);
            },
          },
        },
        async (stage) => {
          const client = await openSocket(stage.port);
          const frames = [makeFrame(OPCODE.text, 'close'), makeFrame(OPCODE.text, 'unheard')];
          client.write(Buffer.concat(frames));
          await until(() => client.end !== 'open', 'the end');
          await pass(SETTLED_MS);
          const socket = stage.sockets[0]!;
          socket.send(['late']);
          socket.send(['late', 'later']);
          socket.close(4000, '');
          socket.terminate();
          assert.equal(socket.backlogBytes(), 0);
          assert.deepEqual(client.texts, []);
          assert.deepEqual(stage.log, ['opened /', 'message / close', 'closed / 4000']);
        },
      ),
  },
];

export const idleCases: readonly Case[] = [
  {
    name: '[PLAT] a silent client is dropped after idleTimeoutS, though we keep sending to it',
    run: (platform) =>
      onStage(platform, { limits: { idleTimeoutS: IDLE_TIMEOUT_S } }, async (stage) => {
        const started = performance.now();
        const clients = [await openSocket(stage.port), await openSocket(stage.port)];
        for (const client of clients) client.answersPings = false;
        const sending = setInterval(() => stage.sockets[1]!.send(['tick']), 50);
        await until(() => stage.log.length === 4, 'two drops');
        clearInterval(sending);
        const tookS = (performance.now() - started) / 1000;
        assert.ok(tookS >= IDLE_TIMEOUT_S * 0.9, `dropped after ${tookS} s`);
        assert.ok(tookS <= IDLE_TIMEOUT_S * 2, `dropped after ${tookS} s`);
        assert.deepEqual(stage.log.slice(2), ['closed / 1006', 'closed / 1006']);
        for (const { frames } of clients) {
          assert.ok(frames.some((frame) => frame.opcode === OPCODE.ping));
        }
      }),
  },
  {
    name: '[PLAT] a client that answers pings, or sends anything, stays',
    run: (platform) =>
      onStage(platform, { limits: { idleTimeoutS: IDLE_TIMEOUT_S } }, async (stage) => {
        await openSocket(stage.port);
        const talker = await openSocket(stage.port);
        talker.answersPings = false;
        const talking = setInterval(() => talker.text('hi'), IDLE_TIMEOUT_S * 200);
        const pinger = await openSocket(stage.port);
        pinger.answersPings = false;
        const ping = makeFrame(OPCODE.ping, '');
        const pinging = setInterval(() => pinger.write(ping), IDLE_TIMEOUT_S * 200);
        await pass(IDLE_TIMEOUT_S * 2_200);
        clearInterval(talking);
        clearInterval(pinging);
        assert.deepEqual(
          stage.log.filter((line) => line.startsWith('closed')),
          [],
        );
      }),
  },
];
