/** Traces of real server processes, as received by a collector on this machine. */

import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { connect } from '../../sdk/src/client/index.ts';
import { createMatchd } from '../../sdk/src/server/index.ts';
import { isPostgresHere, startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { openReceiver, type Receiver } from '../../src/testing/webhooks/webhook-receiver.ts';
import { holdAt } from '../parts/hold-at.ts';
import { findNode, freePort, type ServerProcess, startServer } from '../parts/server-process.ts';

setDefaultTimeout(90_000);

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, string | number | boolean>>;
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** `service.instance.id` of its process. */
  readonly node: string;
}

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function openCollector(): Promise<{ readonly receiver: Receiver; spans(): Span[] }> {
  const receiver = await openReceiver(() => ({ status: 200, body: '{}' }));
  cleanUps.push(() => receiver.close());
  return {
    receiver,
    spans: () =>
      receiver.received.flatMap(({ body }) => {
        const { resourceSpans } = JSON.parse(body);
        return resourceSpans.flatMap(
          ({
            resource,
            scopeSpans,
          }: {
            resource: { attributes: KeyValue[] };
            scopeSpans: { spans: Span[] }[];
          }) => {
            const { attributes } = resource;
            expect(attributes[0]).toEqual({
              key: 'service.name',
              value: { stringValue: 'arcade' },
            });
            const node = attributes.find(({ key }) => key === 'service.instance.id')!;
            return scopeSpans.flatMap(({ spans }) =>
              spans.map((span) => ({ ...span, node: String(node.value['stringValue']) })),
            );
          },
        );
      }),
  };
}

function variables(receiver: Receiver): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: new URL(receiver.url).origin,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=play%20ers',
    OTEL_SERVICE_NAME: 'arcade',
  };
}

function makeFolder(): string {
  const folder = makeTempFolder();
  cleanUps.push(() => removeFolder(folder));
  return folder;
}

async function start(
  env: Record<string, string>,
  runtime: 'bun' | 'node' = 'bun',
  dataDir = makeFolder(),
) {
  const server = await startServer({ port: await freePort(), dataDir, env, runtime });
  cleanUps.push(() => server.stop());
  return server;
}

async function until<T>(read: () => T | undefined): Promise<T> {
  const end = performance.now() + 20_000;
  for (;;) {
    const found = read();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error('it did not come');
    await Bun.sleep(50);
  }
}

const attributeOf = (span: Span, key: string) =>
  Object.values(span.attributes.find((each) => each.key === key)?.value ?? {})[0];

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** A match of two on a server, with one move played. */
async function playMove(server: ServerProcess, at = server) {
  const api = createMatchd({ url: server.url, key: server.testKey });
  const players = [{ id: 'ann' }, { id: 'ben' }];
  const { sessionId: id, tokens } = await api.sessions.create({ game: 'tictactoe', players });
  if (at !== server) await holdAt(server, tokens['ann']!);
  const clients = players.map((player) => connect({ url: at.url, token: tokens[player.id]! }));
  cleanUps.push(() => clients.map((client) => client.close()));
  while ((await api.sessions.get(id)).status !== 'active') await Bun.sleep(50);
  while (clients.some((client) => client.session(id).view === null)) await Bun.sleep(20);
  const mover = clients.find((client) => client.session(id).view!.seat === 0)!;
  await mover.session(id).act({ position: 4 });
  return { api, id, mover, clients };
}

for (const runtime of ['bun', 'node'] as const) {
  test.skipIf(runtime === 'node' && findNode() === null)(
    `METRICS a move, its commit, its webhook and a request are traced end to end (${runtime})`,
    async () => {
      const { receiver, spans } = await openCollector();
      const server = await start(variables(receiver), runtime);
      const endpoint = await openReceiver();
      cleanUps.push(() => endpoint.close());
      const api = createMatchd({ url: server.url, key: server.testKey });
      await api.webhooks.create({ url: endpoint.url, events: ['session.ended'] });
      const { id, mover } = await playMove(server);
      const move = await until(() => spans().find(({ name }) => name === 'move'));
      expect([move.parentSpanId, move.kind]).toEqual([undefined, 2]);
      expect(attributeOf(move, 'matchd.session')).toBe(id);
      expect([attributeOf(move, 'matchd.command'), attributeOf(move, 'matchd.answer')]).toEqual([
        'act',
        'ack',
      ]);
      const commit = spans().find(
        ({ name, traceId }) => name === 'commit' && traceId === move.traceId,
      )!;
      expect(commit.parentSpanId).toBe(move.spanId);
      expect(attributeOf(commit, 'matchd.outcome')).toBe('committed');
      const batch = spans().find(
        ({ name, links }) =>
          name === 'commit batch' && links.some(({ spanId }) => spanId === commit.spanId),
      )!;
      expect(Number(attributeOf(batch, 'matchd.writes'))).toBeGreaterThanOrEqual(1);
      // Spans nest, and all are within a minute of now.
      const times = [move, commit, batch].map((span) => BigInt(span.startTimeUnixNano));
      expect([...times].sort()).toEqual(times);
      expect(BigInt(commit.endTimeUnixNano) <= BigInt(move.endTimeUnixNano)).toBe(true);
      expect(Math.abs(Number(times[0]! / 1_000_000n) - Date.now())).toBeLessThan(60_000);
      expect(receiver.received[0]!.headers['x-team']).toBe('play ers');

      // The webhook about the end is sent in the trace of the move that caused it.
      await mover.session(id).resign();
      const sent = await until(() => endpoint.received[0]);
      const delivery = await until(() => spans().find(({ name }) => name === 'webhook'));
      expect(sent.headers['traceparent']).toBe(`00-${delivery.traceId}-${delivery.spanId}-01`);
      const resignation = await until(() =>
        spans().find((span) => attributeOf(span, 'matchd.command') === 'resign'),
      );
      expect([delivery.traceId, delivery.kind]).toEqual([resignation.traceId, 3]);
      expect(attributeOf(delivery, 'http.response.status_code')).toBe('204');

      // A request continues the trace it belongs to.
      const headers = { Authorization: `Bearer ${server.testKey}`, traceparent: PARENT };
      const answer = await fetch(`${server.url}/v1/sessions/${id}`, { headers });
      const request = await until(() =>
        spans().find((span) => span.traceId === PARENT.split('-')[1]),
      );
      expect(request.parentSpanId).toBe(PARENT.split('-')[2]!);
      expect(attributeOf(request, 'matchd.request')).toBe(answer.headers.get('X-Request-Id')!);
      expect(request.name).toBe('GET getSession');
    },
  );
}

test('METRICS an unreachable collector costs spans and nothing else; with a ratio of 0 no span is recorded', async () => {
  const { receiver, spans } = await openCollector();
  const env = { ...variables(receiver), OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const server = await start(env);
  await playMove(server);
  await until(() => (server.log().includes('spans were lost') ? true : undefined));
  const silent = await start({ ...variables(receiver), OTEL_TRACES_SAMPLER_ARG: '0' });
  await playMove(silent);
  await Bun.sleep(1_500);
  expect(spans()).toEqual([]);
});

describe.skipIf(!isPostgresHere())('traces over two nodes', () => {
  test('METRICS a move that crosses nodes is one trace: move and hop on one, commit on the other', async () => {
    const { receiver, spans } = await openCollector();
    const postgres = await startPostgres();
    cleanUps.push(() => postgres.stop());
    const env = {
      ...variables(receiver),
      MATCHD_STORE: await postgres.createDatabase(),
      MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
    };
    const folder = makeFolder();
    const owner = await start(env, 'bun', folder);
    const edge = await start(env, 'bun', folder);
    await playMove(owner, edge);
    const hop = await until(() => spans().find(({ name }) => name === 'hop'));
    const move = await until(() => spans().find(({ spanId }) => spanId === hop.parentSpanId));
    const commit = await until(() =>
      spans().find(({ parentSpanId }) => parentSpanId === hop.spanId),
    );
    expect([move.name, commit.name]).toEqual(['move', 'commit']);
    expect(new Set([move, hop, commit].map(({ traceId }) => traceId)).size).toBe(1);
    expect(move.node).toBe(hop.node);
    expect(commit.node).not.toBe(move.node);
    expect(attributeOf(hop, 'matchd.owner')).toBe(commit.node);
  });
});
