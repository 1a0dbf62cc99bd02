/**
 * The contract of both platforms on refused bodies: the response is read, and no data is accepted
 * without end.
 */

import assert from 'node:assert/strict';
import { DRAINED_BYTES_MAX } from '../platform.ts';
import { ask, RawClient } from './raw-client.ts';
import { type Case, onStage, type Script } from './stage.ts';
import { until } from './until.ts';

const BODY_BYTES_MAX = 1_000;
const PIECE = 'x'.repeat(65_536);
const CHUNK = `10000\r\n${PIECE}\r\n`;
const NEXT = 'GET /next HTTP/1.1\r\nHost: x\r\n\r\n';
const CLIENTS = 20;
const FEW_CLIENTS = 4;

const SCRIPT: Script = {
  limits: { bodyBytesMax: BODY_BYTES_MAX },
  fetch: ({ url }) =>
    url.endsWith('/next') ? new Response('next') : new Response('no', { status: 415 }),
};

function makeHead(framing: string): string {
  return `POST / HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`;
}

export const refusedBodyCases: readonly Case[] = [
  {
    name: '[PLAT][H1] after a small body that is refused its connection serves the next request',
    run: (platform) =>
      onStage(platform, SCRIPT, async (stage) => {
        const bodies = [
          ['415', 'Content-Length: 4', 'body'],
          ['413', 'Content-Length: 131072', PIECE + PIECE],
          ['413', `Content-Length: ${DRAINED_BYTES_MAX}`, 'x'.repeat(DRAINED_BYTES_MAX)],
        ] as const;
        for (const [status, framing, body] of bodies) {
          const count = body.length > PIECE.length ? FEW_CLIENTS : CLIENTS;
          const clients = Array.from({ length: count }, () => new RawClient(stage.port));
          for (const client of clients) client.write(makeHead(framing) + body + NEXT);
          for (const client of clients) {
            await until(() => client.body.endsWith('next'), `the next answer after ${framing}`);
            assert.match(client.head, new RegExp(`^HTTP/1\\.1 ${status} `));
            assert.doesNotMatch(client.head, /^connection: close/im);
            client.tcp.destroy();
          }
        }
      }),
  },
  {
    name: '[PLAT][H1] a body that is far too large has its answer read, and its connection ends',
    run: (platform) =>
      onStage(platform, SCRIPT, async (stage) => {
        const clients = Array.from({ length: CLIENTS }, () => new RawClient(stage.port));
        for (const client of clients) client.write(makeHead('Content-Length: 99999999999'));
        for (const client of clients) {
          await until(() => client.head !== '', 'the answer');
          assert.match(client.head, /^HTTP\/1\.1 413 /);
          assert.match(client.head, /^connection: close/im);
          const stop = sendOn(client, PIECE);
          await until(() => client.tcp.destroyed, 'the end of the connection');
          stop();
        }
        const other = await ask(stage.port, NEXT);
        assert.match(other.head, /^HTTP\/1\.1 200 /);
      }),
  },
  {
    name: '[PLAT][H1] a body of unannounced length is not read without limit once it is refused',
    run: (platform) =>
      onStage(platform, SCRIPT, async (stage) => {
        const client = new RawClient(stage.port);
        client.write(makeHead('Transfer-Encoding: chunked'));
        const stop = sendOn(client, CHUNK);
        await until(() => client.tcp.destroyed, 'the end of the connection');
        stop();
        assert.match(client.head, /^HTTP\/1\.1 413 /);
      }),
  },
];

/** Sends the same data repeatedly, looking for a response in between, until told to stop. */
function sendOn({ tcp }: RawClient, piece: string): () => void {
  let isOver = false;
  const send = (): void => {
    if (!isOver && !tcp.destroyed) tcp.write(piece, () => setTimeout(send, 1));
  };
  send();
  return () => {
    isOver = true;
  };
}
