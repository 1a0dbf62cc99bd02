/** The contract of both platforms on frames on an open socket. */

import assert from 'node:assert/strict';
import { BACKLOG_BYTES_MAX, type PlatformSocket } from '../platform.ts';
import { makeFrame, OPCODE, openSocket, type RawClient } from './raw-client.ts';
import { type Case, onStage, type Stage } from './stage.ts';
import { pass, until } from './until.ts';

const CHUNK = 'x'.repeat(100_000);
const BACKLOG_BYTES = 1_000_000;
/** More than the system accepts at once when it accepts data again. */
const LARGE_BACKLOG_BYTES = 8_000_000;
const FRAME_BYTES_MAX = 100;

export const frameCases: readonly Case[] = [
  {
    name: '[PLAT] texts arrive whole and in order, both ways and of every length',
    run: (platform) =>
      onStage(
        platform,
        { handlers: { message: (socket, text) => socket.send([text]) } },
        async (stage) => {
          const client = await openSocket(stage.port);
          const lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000];
          const texts = [...lengths.map((length) => 'a'.repeat(length)), 'grüße 🎲', '\u0000'];
          for (const text of texts) client.text(text);
          await until(() => client.texts.length === texts.length, 'all echoes');
          assert.deepEqual(client.texts, texts);
        },
      ),
  },
  {
    // No client can see that they leave in one write; the unit tests of the sockets do.
    name: '[PLAT] several texts are sent in order, also from within a handler of another socket',
    async run(platform) {
      const all: PlatformSocket<string>[] = [];
      const texts = ['one', 'zwei', '三', 'x'.repeat(70_000), ''];
      const sendToAll = () => {
        for (const socket of all) socket.send(texts);
        for (const socket of all) socket.send([]);
      };
      const handlers = {
        opened: (socket: PlatformSocket<string>) => void all.push(socket),
        message: sendToAll,
      };
      await onStage(platform, { handlers }, async (stage) => {
        const clients: RawClient[] = [];
        for (let i = 0; i < 3; i++) clients.push(await openSocket(stage.port));
        sendToAll();
        clients[0]!.text('again');
        const expected = [...texts, ...texts];
        const isAll = (client: RawClient) => client.texts.length === expected.length;
        await until(() => clients.every(isAll), 'the texts');
        for (const client of clients) assert.deepEqual(client.texts, expected);
      });
    },
  },
  {
    name: '[PLAT] a ping calls ponged if somebody is there to answer, and nothing after the end',
    async run(platform) {
      await onStage(platform, {}, async (stage) => {
        const client = await openSocket(stage.port);
        await until(() => stage.sockets.length === 1, 'the socket');
        const [socket] = stage.sockets;
        socket!.ping();
        await until(() => stage.log.includes('ponged /'), 'the pong');
        client.answersPings = false;
        socket!.ping();
        client.text('after');
        await until(() => stage.log.includes('message / after'), 'the message');
        assert.equal(stage.log.filter((line) => line.startsWith('ponged')).length, 1);
        socket!.terminate();
        socket!.ping();
        await until(() => stage.log.at(-1)?.startsWith('closed') === true, 'the end');
      });
    },
  },
  {
    name: '[PLAT] a binary frame calls binary, a ping is answered, fragments are joined',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        const client = await openSocket(stage.port);
        client.write(makeFrame(OPCODE.binary, 'bytes'));
        client.write(makeFrame(OPCODE.text, 'frag', false));
        client.write(makeFrame(OPCODE.ping, 'are you there'));
        client.write(makeFrame(OPCODE.continuation, 'ments'));
        await until(() => stage.log.length === 4, 'four events');
        assert.deepEqual(stage.log, ['opened /', 'binary /', 'pinged /', 'message / fragments']);
        await until(() => client.frames.length === 1, 'the pong');
        assert.equal(client.frames[0]!.opcode, OPCODE.pong);
        assert.equal(client.frames[0]!.payload.toString(), 'are you there');
      }),
  },
  {
    name: '[PLAT] a message over frameBytesMax closes with 1009, one of exactly that is heard',
    run: (platform) =>
      onStage(platform, { limits: { frameBytesMax: FRAME_BYTES_MAX } }, async (stage) => {
        const fitting = 'a'.repeat(FRAME_BYTES_MAX);
        const half = 'a'.repeat(FRAME_BYTES_MAX / 2 + 1);
        const parts = [makeFrame(OPCODE.text, half, false), makeFrame(OPCODE.continuation, half)];
        for (const large of [makeFrame(OPCODE.text, `${fitting}a`), Buffer.concat(parts)]) {
          stage.log.length = 0;
          const client = await openSocket(stage.port);
          client.text(fitting);
          client.write(large);
          await until(() => client.closeFrame !== null, 'the close frame');
          assert.match(client.closeFrame!, /^1009 /);
          await until(() => stage.log.length === 3, 'three events');
          assert.deepEqual(stage.log, ['opened /', `message / ${fitting}`, 'closed / 1006']);
        }
      }),
  },
  {
    name: '[PLAT] what is no WebSocket frame closes with its code: 1002, bad text 1007',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        const unmasked = Buffer.from([0x81, 1, 0x61]);
        const badText = makeFrame(OPCODE.text, Buffer.from([0xff, 0xfe]));
        const unknown = makeFrame(3, 'a');
        const cases: [Buffer, RegExp][] = [
          [unmasked, /^1002 /],
          [badText, /^1007 /],
          [unknown, /^1002 /],
        ];
        for (const [bytes, close] of cases) {
          stage.log.length = 0;
          const client = await openSocket(stage.port);
          client.write(bytes);
          await until(() => client.closeFrame !== null, 'the close frame');
          assert.match(client.closeFrame!, close);
          await until(() => stage.log.length === 2, 'two events');
          assert.deepEqual(stage.log, ['opened /', 'closed / 1006']);
        }
      }),
  },
  {
    name: '[PLAT] the backlog grows while the client does not read, and drained tells its end',
    async run(platform) {
      const left: number[] = [];
      const handlers = {
        drained: (socket: PlatformSocket<string>) => void left.push(socket.backlogBytes()),
      };
      await onStage(platform, { handlers }, async (stage) => {
        const client = await openSocket(stage.port);
        const socket = stage.sockets[0]!;
        socket.send(['small']);
        assert.equal(socket.backlogBytes(), 0);
        client.tcp.pause();
        const sent = 1 + fill(socket, LARGE_BACKLOG_BYTES);
        await pass(50);
        assert.ok(socket.backlogBytes() > 0);
        assert.deepEqual(left, []);
        readSlowly(client);
        await until(() => left.length > 0, 'the drain');
        await until(() => client.texts.length === sent, 'all texts');
        assert.deepEqual(left, [0]);
      });
    },
  },
  {
    name: '[PLAT] drained comes after every backlog, small ones too',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        const client = await openSocket(stage.port);
        for (let round = 1; round <= 3; round++) {
          client.tcp.pause();
          fill(stage.sockets[0]!, 1);
          client.tcp.resume();
          await until(() => stage.log.length === 1 + round, 'the drain');
        }
        assert.deepEqual(new Set(stage.log.slice(1)), new Set(['drained /']));
      }),
  },
  {
    name: '[PLAT] a socket whose backlog passes BACKLOG_BYTES_MAX is dropped',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        const client = await openSocket(stage.port);
        client.tcp.pause();
        fill(stage.sockets[0]!, BACKLOG_BYTES_MAX * 2);
        await until(() => stage.log.includes('closed / 1006'), 'the drop');
        client.tcp.destroy();
      }),
  },
  {
    name: '[PLAT] handlers that throw are reported and lose their socket, with 1011, alone',
    run: (platform) => throwInEveryHandler(platform),
  },
];

/**
 * Sends until more than `bytes` are not accepted, or the socket is gone; returns how many texts.
 */
function fill(socket: PlatformSocket<string>, bytes: number): number {
  for (let texts = 1; texts < 1_000; texts++) {
    socket.send([CHUNK]);
    if (socket.backlogBytes() >= bytes) return texts;
  }
  return 1_000;
}

/** In small steps, so that the backlog is sent bit by bit. */
function readSlowly(client: RawClient): void {
  client.tcp.on('data', () => {
    client.tcp.pause();
    setTimeout(() => client.tcp.resume(), 1);
  });
  client.tcp.resume();
}

async function throwInEveryHandler(platform: Parameters<Case['run']>[0]): Promise<void> {
  const throwAt = (at: string) => (socket: PlatformSocket<string>) => {
    if (socket.data === at) throw new Error(at);
  };
  const handlers = {
    opened: throwAt('/opened'),
    message: throwAt('/message'),
    binary: throwAt('/binary'),
    pinged: throwAt('/pinged'),
    drained: throwAt('/drained'),
    closed: throwAt('/closed'),
  };
  await onStage(platform, { handlers }, async (stage) => {
    const bystander = await openSocket(stage.port, { path: '/bystander' });
    for (const at of ['/opened', '/message', '/binary', '/pinged', '/drained']) {
      const client = await openSocket(stage.port, { path: at });
      if (at === '/message') client.text('go');
      if (at === '/binary') client.write(makeFrame(OPCODE.binary, 'go'));
      if (at === '/pinged') client.write(makeFrame(OPCODE.ping, ''));
      if (at === '/drained') await provokeDrain(stage, client);
      await until(() => client.closeFrame !== null, `the close frame for ${at}`);
      assert.equal(client.closeFrame, '1011 ');
      await until(() => stage.log.includes(`closed ${at} 1011`), `the end of ${at}`);
    }
    const closing = await openSocket(stage.port, { path: '/closed' });
    closing.tcp.destroy();
    await until(() => stage.failures.length === 6, 'six reports');
    bystander.text('still here');
    await until(() => stage.log.includes('message /bystander still here'), 'the bystander');
  });
}

async function provokeDrain(stage: Stage, client: RawClient): Promise<void> {
  client.tcp.pause();
  fill(stage.sockets.at(-1)!, BACKLOG_BYTES);
  client.tcp.resume();
}
