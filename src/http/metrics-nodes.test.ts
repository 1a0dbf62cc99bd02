/**
 * A tenant's metrics are one picture over all nodes of a database, and outlive the nodes that
 * counted them.
 */

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { SEALING_KEY_BYTES } from '../runtime/sealing/sealer.ts';
import { systemRandomness } from '../runtime/system.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { migratedDatabase } from '../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../testing/servers/postgres.ts';
import { makeAsking } from '../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../testing/service/http-service.ts';

setDefaultTimeout(60_000);

const SEALING_KEY = systemRandomness.bytes(SEALING_KEY_BYTES);
const MINUTE_MS = 60_000;

let url: string;
let tenant: Tenant;
let key: string;
/** All nodes, and their clocks. */
let nodes: HttpService[];
let now: number;

async function startNode(name: string): Promise<HttpService> {
  const store = await openPostgresStore({ url, node: name });
  const node = await openHttpService({}, {}, {}, store, SEALING_KEY, name);
  node.clock.skip(Math.max(0, now - node.clock.now()));
  nodes.push(node);
  return node;
}

/** As the service does each second; `players` are those with a socket to that node. */
const flush = (node: HttpService, players = 0, isLast = false) =>
  node.tenantMetrics.flush(() => [{ tenant: tenant.id, mode: 'live', n: players }], isLast);

/** A stop writes the current minute; a crash loses it. */
async function endNode(node: HttpService, how: 'stop' | 'crash', players = 0): Promise<void> {
  if (how === 'stop') await flush(node, players, true);
  nodes.splice(nodes.indexOf(node), 1);
  await node.close();
}

function pass(ms: number): void {
  now += ms;
  for (const node of nodes) node.clock.advance(ms);
}

async function ask(node: HttpService, times: number, path = '/v1/whoami'): Promise<void> {
  for (let n = 0; n < times; n++) await makeAsking(node.app, key)(path);
}

/** The same from every node, otherwise it throws. */
async function summary(
  window = '1h',
  asked: readonly HttpService[] = nodes,
): Promise<Record<string, Record<string, number>>> {
  const path = `/v1/metrics/summary?window=${window}`;
  const answers: Record<string, Record<string, number>>[] = [];
  for (const node of asked) answers.push((await makeAsking(node.app, key)(path)).json);
  for (const answer of answers) expect(answer).toEqual(answers[0]!);
  return answers[0]!;
}

interface Point {
  readonly at: string;
  readonly requests: { readonly total: number };
  readonly playersConnected: number;
}

async function series(): Promise<readonly Point[]> {
  const answers: { data: Point[] }[] = [];
  for (const node of nodes) {
    answers.push((await makeAsking(node.app, key)('/v1/metrics/series')).json);
  }
  for (const answer of answers) expect(answer).toEqual(answers[0]!);
  return answers[0]!.data;
}

describe.skipIf(!isPostgresHere())('two nodes on PostgreSQL', () => {
  beforeEach(async () => {
    [url, nodes, now] = [await migratedDatabase(), [], 0];
    const first = await startNode('nod_1');
    now = first.clock.now();
    tenant = await first.makeTenant();
    key = await first.makeKey(tenant, 'live');
    await startNode('nod_2');
    pass(MINUTE_MS - (now % MINUTE_MS));
    for (const node of nodes) await flush(node);
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
  });

  test('[D14][N1] what each node counted in a minute is one sum, requested from either', async () => {
    const [first, second] = nodes as [HttpService, HttpService];
    await ask(first, 3);
    await ask(second, 4);
    await ask(second, 2, '/v1/sessions/none');
    for (const ms of [10, 10, 10]) first.tenantMetrics.observe(tenant.id, 'live', 'moves', ms);
    second.tenantMetrics.observe(tenant.id, 'live', 'moves', 900);
    pass(MINUTE_MS);
    await flush(first, 5);
    // Until the other has written its minute, its part is missing.
    expect(await summary('1h', [first])).toMatchObject({ requests: { total: 3, refused: 0 } });
    await flush(second, 2);
    const whole = await summary();
    expect(whole).toMatchObject({
      now: { playersConnected: 7 },
      requests: { total: 9, succeeded: 7, refused: 2 },
      moves: { total: 4 },
    });
    // The quantiles are of all moves: a mean of the nodes' own would be far from them.
    expect(whole['moves']!['p50Ms']).toBeLessThan(12);
    expect(whole['moves']!['p99Ms']).toBeGreaterThan(800);
    const last = (await series()).at(-1)!;
    expect(last).toMatchObject({ requests: { total: 9 }, playersConnected: 7 });
  });

  test('[D14][N1] a restarted node adds to what was counted before, in the same minute too', async () => {
    const [first, second] = nodes as [HttpService, HttpService];
    await ask(first, 1);
    await ask(second, 5);
    await endNode(second, 'stop', 3);
    // It is another process in the same minute: its row is stored beside the earlier one.
    const again = await startNode('nod_3');
    await ask(again, 2);
    pass(MINUTE_MS);
    await flush(first, 1);
    await flush(again, 3);
    expect((await summary())['requests']).toMatchObject({ total: 8 });
    // All nodes stop; a new one knows everything, with the two requests for the summary.
    for (const node of [...nodes]) await endNode(node, 'stop');
    await startNode('nod_4');
    pass(MINUTE_MS);
    expect(await summary()).toMatchObject({ requests: { total: 10 } });
  });

  test('[D14][N1] a crash loses the current minute of that node only', async () => {
    const [first, second] = nodes as [HttpService, HttpService];
    await ask(second, 5);
    pass(MINUTE_MS);
    for (const node of nodes) await flush(node, 1);
    await ask(first, 2);
    await ask(second, 40);
    await endNode(second, 'crash');
    pass(MINUTE_MS);
    await flush(first, 1);
    expect(await summary()).toMatchObject({ requests: { total: 7 }, now: { playersConnected: 1 } });
    const points = await series();
    expect(points.slice(-2).map(({ requests }) => requests.total)).toEqual([5, 2]);
  });

  test('[D14][N1] both aggregate at once: each minute is counted once', async () => {
    const [first, second] = nodes as [HttpService, HttpService];
    for (let minute = 0; minute < 12; minute++) {
      await ask(first, 1);
      await ask(second, 2);
      pass(MINUTE_MS);
      for (const node of nodes) await flush(node, 1);
    }
    expect(await summary('24h')).toMatchObject({ requests: { total: 36 } });
    pass(4 * 60 * MINUTE_MS);
    await Promise.all([first.tenantMetrics.sweep(), second.tenantMetrics.sweep()]);
    await endNode(first, 'crash');
    expect(await summary('24h')).toMatchObject({ requests: { total: 36 } });
  });
});
