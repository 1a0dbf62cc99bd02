/** A client that its own listener closes stays closed: it opens nothing and waits for nothing. */
import { expect, test } from 'bun:test';
import { at, makeHandPorts, STATE, WELCOME } from '../../../src/testing/sockets/client-world.ts';
import { connectWith } from './connect.ts';
import type { ConnectionEvent } from './link.ts';

const WHEN: Record<string, (event: ConnectionEvent) => boolean> = {
  'it is open': (event) => event.kind === 'status' && event.status.kind === 'open',
  'it has its resume token': (event) => event.kind === 'credential',
  'the session is there': (event) => event.kind === 'session',
  'its watchers are counted': (event) => event.kind === 'watchers',
};
for (const [when, isIt] of Object.entries(WHEN)) {
  test(`[P2] a client that is closed as soon as ${when} stays closed`, async () => {
    const world = makeHandPorts();
    const client = connectWith({ url: 'http://h', token: 't' }, world.ports);
    client.on((event) => {
      if (isIt(event)) client.close();
    });
    await Promise.resolve();
    world.say(WELCOME);
    world.say(STATE);
    world.say({ t: 'pong', n: 1, now: at(0), watchers: 2 });
    expect([client.status.kind, world.timed()]).toEqual(['closed', 0]);
    world.pass(120_000);
    expect([client.status.kind, world.sockets.length]).toEqual(['closed', 1]);
  });
}

test('[P2] a client that is closed as it asks for its first token stays closed', async () => {
  const world = makeHandPorts();
  const client = connectWith({ url: 'http://h', getToken: async () => 'fresh' }, world.ports);
  let isClosed = false;
  client.on((event) => {
    if (isClosed || event.kind !== 'status' || event.status.kind !== 'connecting') return;
    isClosed = true;
    client.close();
  });
  for (let i = 0; i < 10; i++) {
    await Bun.sleep(0);
    world.pass(12_000);
  }
  expect([client.status.kind, world.sockets.length, world.timed()]).toEqual(['closed', 0, 0]);
});

test('[P2] a client that is closed when one of its commands is given up stays closed', async () => {
  const world = makeHandPorts();
  const client = connectWith({ url: 'http://h', token: 't' }, world.ports);
  client.on((event) => {
    if (event.kind === 'rejected') client.close();
  });
  await Promise.resolve();
  for (let i = 0; i < 2; i++) {
    world.say(WELCOME);
    world.say(STATE);
    if (i === 0) void client.session('s1').act({} as never);
    world.sockets.at(-1)!.onclose?.({ code: 4400 });
    if (i === 0) world.pass(1_000);
  }
  expect([client.status.kind, world.timed()]).toEqual(['closed', 0]);
});

test('[P2] every listener gets the events in their order, though one of them closes', async () => {
  const world = makeHandPorts();
  const client = connectWith({ url: 'http://h', token: 't' }, world.ports);
  const heard: [number, string][] = [];
  for (const listener of [0, 1, 2]) {
    client.on((event) => {
      if (event.kind !== 'status') return;
      heard.push([listener, event.status.kind]);
      if (listener === 1 && event.status.kind === 'open') client.close();
    });
  }
  await Promise.resolve();
  world.say(WELCOME);
  const kinds = ['connecting', 'open', 'closed'];
  expect(heard).toEqual(kinds.flatMap((kind) => [0, 1, 2].map((n): [number, string] => [n, kind])));
  await expect(client.session('s1').resign()).rejects.toThrow('Closed');
});
