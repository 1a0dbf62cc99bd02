/** The contract of both platforms on clients that do not read what the platform sends by itself. */

import assert from 'node:assert/strict';
import { BACKLOG_BYTES_MAX, type PlatformSocket } from '../platform.ts';
import { makeFrame, OPCODE, openSocket } from './raw-client.ts';
import { type Case, onStage, type Stage } from './stage.ts';
import { pass, until } from './until.ts';

const PING_BYTES = 125;
const PING = makeFrame(OPCODE.ping, 'x'.repeat(PING_BYTES));
/** Fewer than `ws` accepts before it drops a client that reads none of the answers. */
const PINGS = 50;
const SETTLED_MS = 50;
const BACKLOG_BYTES = 4_000_000;
const CHUNK = 'x'.repeat(100_000);

export const unreadCases: readonly Case[] = [
  {
    name: '[PLAT] answers to pings that nobody reads are in the backlog, and drained tells their end',
    async run(platform) {
      const seen: number[] = [];
      const left: number[] = [];
      const handlers = {
        pinged: (socket: PlatformSocket<string>) => void seen.push(socket.backlogBytes()),
        drained: (socket: PlatformSocket<string>) => void left.push(socket.backlogBytes()),
      };
      await onStage(platform, { handlers }, async (stage) => {
        const { client } = await openUnread(stage);
        client.write(Buffer.concat(Array<Buffer>(PINGS).fill(PING)));
        await until(() => seen.length === PINGS, 'the pings');
        assert.ok(seen.at(-1)! - seen[0]! >= (PINGS - 1) * PING_BYTES);
        assert.deepEqual(left, []);
        client.tcp.resume();
        await until(() => left.length > 0, 'the drain');
        assert.deepEqual(left, [0]);
      });
    },
  },
  {
    name: '[PLAT] a service may close within pinged: what nobody reads is gone then, and TCP ends',
    async run(platform) {
      const handlers = {
        pinged: (socket: PlatformSocket<string>) => socket.close(1013, 'reading too slowly'),
      };
      await onStage(platform, { handlers }, async (stage) => {
        const { client, socket } = await openUnread(stage);
        client.write(Buffer.concat([PING, PING]));
        await until(() => stage.log.includes('closed / 1013'), 'the end');
        assert.equal(socket.backlogBytes(), 0);
        client.tcp.resume();
        await until(() => client.end !== 'open', 'the end of TCP');
        assert.deepEqual(stage.log, ['opened /', 'pinged /', 'closed / 1013']);
      });
    },
  },
  {
    name: '[PLAT] who pings on and reads nothing is dropped, at BACKLOG_BYTES_MAX at the latest',
    async run(platform) {
      let backlog = 0;
      const handlers = {
        pinged(socket: PlatformSocket<string>) {
          backlog = Math.max(backlog, socket.backlogBytes());
        },
      };
      await onStage(platform, { handlers }, async (stage) => {
        const client = await openSocket(stage.port);
        client.tcp.pause();
        const stop = client.sendOn(Buffer.concat(Array<Buffer>(PINGS).fill(PING)));
        await until(() => stage.log.includes('closed / 1006'), 'the drop');
        stop();
        assert.ok(backlog <= BACKLOG_BYTES_MAX);
      });
    },
  },
];

/** A client that reads nothing, and to which the system accepts no more data. */
async function openUnread({ port, sockets }: Stage) {
  const client = await openSocket(port);
  await until(() => sockets.length === 1, 'the socket');
  const socket = sockets[0]!;
  client.tcp.pause();
  // The system accepts some more a moment later.
  while (socket.backlogBytes() < BACKLOG_BYTES) socket.send([CHUNK]);
  await pass(SETTLED_MS);
  return { client, socket };
}
