/** Measures the creation of sessions, and records one answer for the bare handler. */

import { keyHeaders, sessionRequest } from '../adapters/matchd.ts';
import type { CreationFigures, CreationJob, RecordedAnswer, RecordJob } from '../jobs.ts';
import type { HttpClient } from './http-client.ts';
import { makeHttpClient } from './http-client.ts';
import { coresOf, costOf, perSecond, quantile, runMany } from './measure.ts';

const CREATED = 201;
const PATH = '/v1/sessions';
/** Every runtime adds these itself. */
const OWN_HEADERS = ['date', 'content-length', 'connection', 'keep-alive', 'transfer-encoding'];

export async function measureCreation(job: CreationJob): Promise<CreationFigures> {
  const http = makeHttpClient(job.server.address, job.connections, keyHeaders(job.server.key));
  const latencies: number[] = [];
  await createMany(http, job.connections, 0, job.warmUpRequests, []);
  const cost = await costOf(job.server.pid, () =>
    createMany(http, job.connections, job.warmUpRequests, job.requests, latencies),
  );
  http.close();
  return {
    cpuUsPerRequest: cost.cpuUs / job.requests,
    requestsPerSecond: perSecond(job.requests, cost),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    ...coresOf(cost),
  };
}

/** Creates `count` sessions and adds how long each took, in ms, to `latencies`. */
export async function createMany(
  http: HttpClient,
  atOnce: number,
  firstIndex: number,
  count: number,
  latencies: number[],
): Promise<void> {
  await runMany(count, atOnce, async (i) => {
    const startedAt = performance.now();
    const { status, body } = await http.post(PATH, sessionRequest(firstIndex + i, {}));
    if (status !== CREATED) throw new Error(`create: ${status} ${body}`);
    latencies.push(performance.now() - startedAt);
  });
}

export async function recordAnswer(job: RecordJob): Promise<RecordedAnswer> {
  const http = makeHttpClient(job.server.address, 1, keyHeaders(job.server.key));
  const { status, head, body } = await http.post(PATH, sessionRequest(0, {}));
  http.close();
  if (status !== CREATED) throw new Error(`create: ${status} ${body}`);
  const lines = head.split('\r\n').slice(1);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const kept = headers.filter(([name]) => !OWN_HEADERS.includes(name.toLowerCase()));
  return { status, headers: Object.fromEntries(kept), body };
}
