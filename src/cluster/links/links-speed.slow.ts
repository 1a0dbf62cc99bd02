/**
 * The cost of links: two ends in this process, over two real NATS servers, and through the store.
 */

// @alone: it measures times, which parallel tests would stretch.

import { afterAll, beforeAll, describe, test } from 'bun:test';
import type { Bus } from '../../bus/bus.ts';
import { openNatsBus } from '../../bus/nats/nats-bus.ts';
import { makeSystemClock } from '../../runtime/system.ts';
import { openPostgresStore, type PostgresStore } from '../../store/postgres/postgres-store.ts';
import { isNatsHere, type NatsServers, startNats } from '../../testing/servers/nats.ts';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { holdBar, measuredFor } from '../../testing/time-bar.ts';
import { GATHER_MS, makeGathering } from './gathering.ts';
import { type Links, makeLinks } from './links.ts';

const isHere = [isNatsHere(), isPostgresHere()].every((each) => each);
/** About as long as an `update` of a board game. */
const MESSAGE = { t: 'update', text: 'x'.repeat(230) };
const WARM_UP = 2_000;
/** The trips with pauses alone take 36 s. */
const TEST_MS_MAX = 180_000;

interface End {
  readonly links: Links;
  readonly bus: Bus | null;
  readonly store: PostgresStore;
}

describe.skipIf(!isHere)('the cost of links', () => {
  let brokers: NatsServers;
  let url = '';
  const ends: End[] = [];

  beforeAll(async () => {
    brokers = await startNats(2);
    url = await freshDatabase();
  });
  afterAll(async () => {
    for (const { links, bus, store } of ends) {
      links.close();
      await bus?.close();
      await store.close();
    }
    await brokers.stop();
  });

  /** `at`: the server that carries its texts; null for mail only. */
  async function open(node: string, at: number | null): Promise<End> {
    const store = await openPostgresStore({ url, node });
    await store.renewLease(node, 600_000, false);
    const servers = brokers.urls[at ?? 0]!;
    const bus = at === null ? null : openNatsBus({ node, servers, onChange: () => undefined });
    while (bus?.isUp() === false) await new Promise((resolve) => setTimeout(resolve, 5));
    const links = makeLinks({
      node,
      bus,
      mail: store,
      clock: makeSystemClock(),
      soon: makeGathering(makeSystemClock(), setImmediate),
      onNobody: () => undefined,
      onMailError: () => undefined,
    });
    const end = { links, bus, store };
    ends.push(end);
    return end;
  }

  /** Round-trip times of messages sent one after the other, in ms, sorted. */
  async function measureTrips(
    a: End,
    b: End,
    to: string,
    count: number,
    pauseMs = 0,
  ): Promise<number[]> {
    const times: number[] = [];
    b.links.onMessage((from, message) => b.links.send(from, message));
    for (let trip = 0; trip < count; trip += 1) {
      const began = performance.now();
      await new Promise<void>((done) => {
        a.links.onMessage(() => done());
        a.links.send(to, MESSAGE);
      });
      times.push(performance.now() - began);
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return times.sort((x, y) => x - y);
  }

  test(
    '[LINK] a round trip over two servers takes well under 5 ms',
    async () => {
      const [a, b] = [await open('a', 0), await open('b', 1)];
      await measureTrips(a, b, 'b', WARM_UP);
      // With a pause no message is held back for a batch.
      for (const [what, pauseMs, count] of [
        ['quiet', 2 * GATHER_MS, measuredFor(2_000, 300)],
        ['busy', 0, 4_000],
      ] as const) {
        const times = await measureTrips(a, b, 'b', count, pauseMs);
        console.log(`there and back, ${what}: p50 ${times[count / 2]!.toFixed(2)} ms`);
        const name = `there and back over two servers, ${what}, p99 in ms`;
        holdBar(name, times[Math.floor(count * 0.99)]!, 5);
      }
    },
    TEST_MS_MAX,
  );

  test(
    '[LINK] a stream of messages costs both ends together a few microseconds each',
    async () => {
      const [a, b] = [await open('c', 0), await open('d', 1)];
      const stream = async (turns: number, each: number): Promise<number> => {
        const began = process.cpuUsage();
        let came = 0;
        await new Promise<void>((done) => {
          b.links.onMessage(() => {
            came += 1;
            if (came === turns * each) done();
          });
          const turn = (left: number): void => {
            for (let n = 0; n < each; n += 1) a.links.send('d', MESSAGE);
            if (left > 1) setImmediate(turn, left - 1);
          };
          turn(turns);
        });
        const { user, system } = process.cpuUsage(began);
        return (user + system) / (turns * each);
      };
      await stream(500, 10);
      for (const [each, most] of [
        [1, 60],
        [10, 12],
        [100, 6],
      ] as const) {
        const us = await stream(40_000 / each, each);
        holdBar(`CPU of both ends, ${each} messages a frame, in µs a message`, us, most);
      }
    },
    TEST_MS_MAX,
  );

  test(
    '[LINK] a round trip through the store takes about a tenth of a second',
    async () => {
      const [a, b] = [await open('e', null), await open('f', null)];
      const times = await measureTrips(a, b, 'f', 40);
      console.log(`through the store: p50 ${times[20]!.toFixed(0)} ms`);
      holdBar('there and back through the store, longest in ms', times[39]!, 2_000);
    },
    TEST_MS_MAX,
  );
});
