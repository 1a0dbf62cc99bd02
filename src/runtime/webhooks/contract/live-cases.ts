/**
 * Where a delivery goes while names change their addresses, with a live name server; for both
 * runtimes.
 */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DnsServer, openDnsServer } from '../../../testing/webhooks/dns-server.ts';
import { openReceiver } from '../../../testing/webhooks/webhook-receiver.ts';
import { parseTarget } from '../../../webhooks/target.ts';
import { makeSystemClock } from '../../system.ts';
import { makeSender } from '../sending/sender.ts';

export interface LiveCase {
  readonly name: string;
  run(): Promise<void>;
}

const PUBLIC = { allowLocal: false };
const LOCAL = { allowLocal: true };
/** A public address that nothing is sent to. */
const OUTSIDE = '93.184.216.34';
const signal = new AbortController().signal;

export const liveCases: readonly LiveCase[] = [
  {
    name: '[E3] a name that was public at its registration and is inside at the delivery is not connected to',
    async run() {
      for (const inner of ['127.0.0.1', '169.254.169.254', '10.0.0.7', '100.100.100.200']) {
        await withDns(
          (_, count) => (count === 0 ? [OUTSIDE] : [inner]),
          async ({ resolve, asked }) => {
            const target = parseTarget('https://rebind.example.com:8443/hook', PUBLIC)!;
            const sender = makeSender({ clock: makeSystemClock(), policy: PUBLIC, resolve });
            assert.equal(await sender.mayRegister(target), true);
            const result = await sender.send(target, {}, '{}', signal);
            assert.deepEqual(result, { error: 'address_not_allowed' });
            assert.equal(asked.length, 2);
          },
        );
      }
    },
  },
  {
    name: '[E3] one inner address among public ones is not connected to either, wherever it stands',
    async run() {
      for (const addresses of [
        [OUTSIDE, '127.0.0.1'],
        ['127.0.0.1', OUTSIDE],
      ]) {
        await withDns(
          () => addresses,
          async ({ resolve }) => {
            const target = parseTarget('https://both.example.com/', PUBLIC)!;
            const sender = makeSender({ clock: makeSystemClock(), policy: PUBLIC, resolve });
            assert.equal(await sender.mayRegister(target), false);
            const result = await sender.send(target, {}, '{}', signal);
            assert.deepEqual(result, { error: 'address_not_allowed' });
          },
        );
      }
    },
  },
  {
    name: '[E3] a delivery asks once and connects to that answer, though the next one would be another',
    async run() {
      const receiver = await openReceiver();
      try {
        await withDns(
          (_, count) => (count % 2 === 0 ? ['127.0.0.1'] : ['127.0.0.2']),
          async ({ resolve, asked }) => {
            const target = parseTarget(`http://flip.localhost:${receiver.port}/`, LOCAL)!;
            const sender = makeSender({ clock: makeSystemClock(), policy: LOCAL, resolve });
            const first = await sender.send(target, {}, '1', signal);
            assert.deepEqual(first, { status: 204, retryAfter: null });
            assert.deepEqual(asked, ['flip.localhost']);
            // No server listens at the second address: the connection goes to the checked address.
            const second = await sender.send(target, {}, '2', signal);
            assert.deepEqual(second, { error: 'connection_failed' });
            assert.equal(asked.length, 2);
            const bodies = receiver.received.map(({ body }) => body);
            assert.deepEqual(bodies, ['1']);
          },
        );
      } finally {
        await receiver.close();
      }
    },
  },
  {
    name: '[E3] no redirect is followed, whatever it says and wherever it leads',
    async run() {
      const inside = await openReceiver();
      let status = 301;
      const server = createServer((_, response) => {
        response.writeHead(status, { location: inside.url, refresh: `0; url=${inside.url}` }).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      try {
        await withDns(
          () => ['127.0.0.1'],
          async ({ resolve, asked }) => {
            const target = parseTarget(`http://moved.localhost:${port}/`, LOCAL)!;
            const sender = makeSender({ clock: makeSystemClock(), policy: LOCAL, resolve });
            for (status of [301, 302, 303, 307, 308]) {
              const result = await sender.send(target, {}, '{}', signal);
              assert.deepEqual(result, { status, retryAfter: null });
            }
            assert.equal(asked.length, 5);
            assert.equal(inside.received.length, 0);
          },
        );
      } finally {
        server.close();
        await inside.close();
      }
    },
  },
];

async function withDns(
  answer: Parameters<typeof openDnsServer>[0],
  play: (dns: DnsServer) => Promise<void>,
): Promise<void> {
  const dns = await openDnsServer(answer);
  try {
    await play(dns);
  } finally {
    await dns.close();
  }
}
