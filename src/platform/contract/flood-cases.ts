/** The contract of both platforms on clients that send endlessly without completing a message. */

import assert from 'node:assert/strict';
import type { PlatformSocket } from '../platform.ts';
import { makeFrame, OPCODE, openSocket } from './raw-client.ts';
import { type Case, onStage } from './stage.ts';
import { until } from './until.ts';

const FIRST = makeFrame(OPCODE.text, '', false);
const EMPTY = makeFrame(OPCODE.continuation, '', false);
const LAST = makeFrame(OPCODE.continuation, 'end');
const MANY = 20_000;
/** As many fragments as a client may reasonably make of one message. */
const FRAGMENTS = 200;
/** The most that a client may send at once, with messages of the maximum size. */
const BURST_BYTES = 640 * 1_024;
const MESSAGE_BYTES = 16 * 1_024;
/** Far less than a closing handshake waits for its other half. */
const DROPPED_MS = 2_000;

export const floodCases: readonly Case[] = [
  {
    name: '[PLAT] empty fragments without end are flooded, and terminate ends their connection',
    async run(platform) {
      let calls = 0;
      const handlers = {
        flooded(socket: PlatformSocket<string>) {
          calls += 1;
          socket.terminate();
        },
      };
      await onStage(platform, { handlers }, async (stage) => {
        const bystander = await openSocket(stage.port);
        const client = await openSocket(stage.port);
        client.write(FIRST);
        const stop = client.sendOn(Buffer.concat(Array<Buffer>(MANY).fill(EMPTY)));
        await until(() => stage.log.includes('closed / 1006'), 'the end');
        await until(() => client.tcp.destroyed, 'the end of TCP');
        stop();
        assert.equal(calls, 1);
        bystander.text('still here');
        await until(() => stage.log.includes('message / still here'), 'the message');
        assert.deepEqual(stage.failures, []);
      });
    },
  },
  {
    name: '[PLAT] a message in many fragments is heard, and so are many large ones at once',
    run: (platform) =>
      onStage(platform, {}, async (stage) => {
        const client = await openSocket(stage.port);
        client.write(Buffer.concat([FIRST, ...Array<Buffer>(FRAGMENTS - 2).fill(EMPTY), LAST]));
        await until(() => stage.log.includes('message / end'), 'the message');
        const large = makeFrame(OPCODE.text, 'x'.repeat(MESSAGE_BYTES));
        const count = BURST_BYTES / MESSAGE_BYTES;
        client.write(Buffer.concat(Array<Buffer>(count).fill(large)));
        await until(() => stage.log.length === 2 + count, 'all messages');
        assert.ok(!stage.log.some((line) => line.startsWith('flooded')));
      }),
  },
  {
    name: '[PLAT] a client that is closed for its flood and sends on is dropped at once',
    async run(platform) {
      const handlers = { binary: (socket: PlatformSocket<string>) => socket.close(4400, 'no') };
      await onStage(platform, { handlers }, async (stage) => {
        for (const bytes of [0, MESSAGE_BYTES]) {
          stage.log.length = 0;
          const client = await openSocket(stage.port, { halfOpen: true });
          const binary = makeFrame(OPCODE.binary, 'x'.repeat(bytes));
          const from = performance.now();
          const stop = client.sendOn(
            Buffer.concat(Array<Buffer>(Math.ceil(BURST_BYTES / binary.length)).fill(binary)),
          );
          await until(() => client.tcp.destroyed, 'the end of TCP');
          stop();
          assert.ok(performance.now() - from < DROPPED_MS);
          await until(() => stage.log.length === 3, 'three events');
          assert.deepEqual(stage.log.slice(0, 2), ['opened /', 'binary /']);
          assert.match(stage.log[2]!, /^closed/);
        }
      });
    },
  },
];
