/**
 * The bus over real NATS servers: one that starts late, one of three that is killed, all of them.
 */

import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNatsHere, type NatsServers, startNats } from '../../testing/servers/nats.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { makeTestCertificate } from '../../testing/test-certificate.ts';
import { holdBar } from '../../testing/time-bar.ts';
import type { Bus } from '../bus.ts';
import { busContractSuite } from '../contract-suite.ts';
import { openNatsBus } from './nats-bus.ts';

const isHere = isNatsHere();
/** The limit of one of the servers, below that of the bus. Bytes. */
const PAYLOAD_MAX = 65_536;
const open: Bus[] = [];
const running: NatsServers[] = [];
afterAll(async () => {
  await Promise.all(open.map((bus) => bus.close()));
  await Promise.all(running.map((servers) => servers.stop()));
});

async function start(count: number, flags: readonly string[] = []): Promise<NatsServers> {
  const servers = await startNats(count, flags);
  running.push(servers);
  return servers;
}

interface Node {
  readonly bus: Bus;
  readonly texts: string[];
  readonly nobody: string[];
  /** Reports about the connection. */
  readonly changes: boolean[];
}

function connect(node: string, servers: string): Node {
  const seen = { texts: [] as string[], nobody: [] as string[], changes: [] as boolean[] };
  const bus = openNatsBus({
    node,
    servers,
    onChange: (isUp) => void seen.changes.push(isUp),
  });
  bus.onMessage((text) => void seen.texts.push(text));
  bus.onNobody((each) => void seen.nobody.push(each));
  open.push(bus);
  return { bus, ...seen };
}

/** How long it took, in ms. */
async function until(isSo: () => boolean, maxMs = 8_000): Promise<number> {
  const began = performance.now();
  while (!isSo()) {
    if (performance.now() - began > maxMs) throw new Error(`not so after ${maxMs} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return performance.now() - began;
}

let shared: Promise<NatsServers> | null = null;
if (isHere) {
  busContractSuite('nats', async () => {
    shared ??= start(1);
    const { urls } = await shared;
    const nodes: Bus[] = [];
    return {
      async open(node) {
        const { bus } = connect(node, urls.join());
        nodes.push(bus);
        await until(() => bus.isUp());
        return bus;
      },
      async close() {
        await Promise.all(nodes.map((bus) => bus.close()));
      },
    };
  });
}

describe.skipIf(!isHere)('NATS', () => {
  test('[BUS] nats: a node starts without a server, and connects as soon as there is one', async () => {
    const servers = await start(1);
    await servers.kill(0);
    const a = connect('a', servers.urls[0]!);
    a.bus.send('b', 'lost');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(a.bus.isUp()).toBe(false);
    await servers.start(0);
    await until(() => a.bus.isUp());
    expect(a.changes).toEqual([false, true]);
  }, 20_000);

  test('[BUS] nats: one of three servers is killed: its nodes connect to another within a second', async () => {
    const servers = await start(3);
    // The servers tell clients of each other, so each client finds the others wherever it began.
    const nodes = servers.urls.map((url, at) => connect(`n${at}`, url));
    await until(() => nodes.every(({ bus }) => bus.isUp()));
    const [first, second] = [nodes[0]!, nodes[1]!];
    await until(() => {
      first.bus.send('n1', 'before');
      return second.texts.length > 0;
    });
    await servers.kill(0);
    await until(() => !first.bus.isUp());
    const ms = await until(() => first.bus.isUp());
    const routeMs = await until(() => {
      second.bus.send('n0', 'after');
      return first.texts.includes('after');
    });
    console.log(`up again after ${ms.toFixed(0)} ms, reached ${routeMs.toFixed(0)} ms later`);
    holdBar('up again at another server, ms', ms, 1_000);
    expect(first.changes).toEqual([true, false, true]);
  }, 30_000);

  test('[BUS] nats: without any server no node is connected; one server that returns is enough for all', async () => {
    const servers = await start(3);
    const nodes = ['a', 'b', 'c', 'd'].map((name) => connect(name, servers.urls.join()));
    const [first, last] = [nodes[0]!, nodes[3]!];
    await until(() => nodes.every(({ bus }) => bus.isUp()));
    for (const at of [0, 1, 2]) await servers.kill(at);
    await until(() => nodes.every(({ bus }) => !bus.isUp()));
    first.bus.send('d', 'lost');
    await servers.start(1);
    const ms = await until(() => nodes.every(({ bus }) => bus.isUp()));
    console.log(`up again after ${ms.toFixed(0)} ms`);
    await until(() => {
      first.bus.send('d', 'again');
      return last.texts.includes('again');
    });
    expect(last.texts).not.toContain('lost');
  }, 30_000);

  test('[BUS] nats: a text longer than the server accepts is dropped, and the bus continues', async () => {
    const folder = makeTempFolder();
    const file = join(folder, 'nats.conf');
    writeFileSync(file, `max_payload: ${PAYLOAD_MAX}\n`);
    // The server runs as another user, where it can.
    chmodSync(folder, 0o755);
    chmodSync(file, 0o644);
    const servers = await start(1, ['-c', file]);
    const [a, b] = [connect('a', servers.urls[0]!), connect('b', servers.urls[0]!)];
    await until(() => a.bus.isUp() && b.bus.isUp());
    const texts = ['é'.repeat(PAYLOAD_MAX / 2), 'after'];
    a.bus.send('b', 'x'.repeat(PAYLOAD_MAX + 1));
    a.bus.send('b', 'é'.repeat(PAYLOAD_MAX / 2 + 1));
    for (const text of texts) a.bus.send('b', text);
    await until(() => b.texts.length === texts.length);
    expect([b.texts, a.bus.isUp(), a.changes]).toEqual([texts, true, [true]]);
    expect(a.bus.carries(texts[0]!)).toBe(true);
    expect(a.bus.carries(`${texts[0]}x`)).toBe(false);
    removeFolder(folder);
  }, 20_000);

  test('[BUS] nats: with the password it connects, with a wrong one it does not', async () => {
    const servers = await start(1, ['--user', 'us er', '--pass', 'p@ss']);
    const address = servers.urls[0]!.replace('nats://', '');
    const right = connect('right', `nats://us%20er:p%40ss@${address}`);
    await until(() => right.bus.isUp());
    const wrong = connect('wrong', `nats://user:guess@${address}`);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect([wrong.bus.isUp(), wrong.changes]).toEqual([false, [false]]);
  }, 20_000);

  test('[BUS] nats: tls:// is TLS with a trusted certificate, or no connection', async () => {
    const folder = makeTempFolder();
    const { cert, key } = makeTestCertificate('localhost');
    const files = [join(folder, 'cert.pem'), join(folder, 'key.pem')] as const;
    writeFileSync(files[0], cert);
    writeFileSync(files[1], key);
    // The server runs as another user, where it can.
    chmodSync(folder, 0o755);
    const strange = await start(1, ['--tls', '--tlscert', files[0], '--tlskey', files[1]]);
    const plain = await start(1);
    const port = (servers: NatsServers) => new URL(servers.urls[0]!).port;
    const untrusted = connect('untrusted', `tls://localhost:${port(strange)}`);
    const untold = connect('untold', `nats://localhost:${port(strange)}`);
    const open = connect('open', `tls://localhost:${port(plain)}`);
    const nodes = [untrusted, untold, open];
    await until(() => nodes.every(({ changes }) => changes.length > 0));
    expect(nodes.map(({ changes }) => changes)).toEqual([[false], [false], [false]]);
    removeFolder(folder);
  }, 20_000);

  test('[BUS] nats: an invalid address or name is refused, without showing a password', () => {
    for (const servers of ['', 'localhost', 'http://a', 'nats://a,nats://', 'nats://u:secret@']) {
      const refused = () => openNatsBus({ node: 'a', servers, onChange: () => undefined });
      expect(refused).toThrow(/^Address \d of the bus/);
      expect(refused).not.toThrow('secret');
    }
    const named = () =>
      openNatsBus({ node: 'a.b', servers: 'nats://a', onChange: () => undefined });
    expect(named).toThrow('No name');
  });
});
