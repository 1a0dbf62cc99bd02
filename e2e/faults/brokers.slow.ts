/** The brokers find each other, also after one was killed. */

import { describe, expect, test } from 'bun:test';
import { isNatsHere, type NatsServers, startNats } from '../../src/testing/servers/nats.ts';
import { BROKER_FLAGS, BROKERS } from './fleet.ts';

/** A server's first line on a connection. */
function greeting(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    void Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data(socket, data) {
          resolve(String(data));
          socket.end();
        },
        connectError: (_, error) => reject(error),
      },
    });
  });
}

/** Whether a message gets from one to another, using a few lines of their protocol. */
async function passes(brokers: NatsServers, from: number, to: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const listener = await Bun.connect({
    hostname: '127.0.0.1',
    port: brokers.ports[to]!,
    socket: { data: (_, data) => void (String(data).includes('hello') && resolve(true)) },
  });
  listener.write('CONNECT {"verbose":false}\r\nSUB s 1\r\n');
  await Bun.sleep(200);
  const speaker = await Bun.connect({
    hostname: '127.0.0.1',
    port: brokers.ports[from]!,
    socket: { data() {} },
  });
  speaker.write('CONNECT {"verbose":false}\r\nPUB s 5\r\nhello\r\n');
  setTimeout(resolve, 2_000, false);
  const isThere = await promise;
  listener.end();
  speaker.end();
  return isThere;
}

describe.skipIf(!isNatsHere())('three NATS servers', () => {
  test('FAULTS relay messages, do not advertise each other, and return after a kill', async () => {
    const brokers = await startNats(BROKERS, BROKER_FLAGS);
    try {
      await Bun.sleep(500);
      expect(await passes(brokers, 0, 2)).toBe(true);
      expect(await greeting(brokers.ports[0]!)).not.toContain('connect_urls');
      await brokers.kill(1);
      expect(await passes(brokers, 2, 0)).toBe(true);
      await brokers.start(1);
      await Bun.sleep(2_500);
      expect(await passes(brokers, 1, 0)).toBe(true);
    } finally {
      await brokers.stop();
    }
  }, 30_000);
});
