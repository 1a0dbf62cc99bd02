/** SIGKILL in the middle of many matches: every event reaches its webhook, in order, under one id. */

import { expect, test } from 'bun:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { EVENT_TYPES } from '../../src/events/event.ts';
import { openReceiver, type Receiver } from '../../src/testing/webhooks/webhook-receiver.ts';
import { eventually } from '../../src/testing/webhooks/webhook-world.ts';
import { type TortureTenant, torture } from '../torture/torture.ts';

const ROUNDS = 3;
const MATCHES = 40;
const KILLS = 2;
const TEST_MS_MAX = 300_000;
/** The unreliable endpoint fails one event in this many, once. */
const FAILS_ONE_IN = 60;
/** Two retries of one session, and a margin. */
const CATCH_UP_MS = 90_000;
const PAGE = 100;

interface LoggedEvent {
  readonly id: string;
  readonly type: string;
  readonly sessionId?: string;
}

async function ask(tenant: TortureTenant, path: string, body?: object): Promise<unknown> {
  const response = await fetch(tenant.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? null : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Creates a webhook for all types, `move.made` too; returns its secret. */
async function register(tenant: TortureTenant, url: string): Promise<string> {
  const made = await ask(tenant, '/v1/webhooks', { url, events: EVENT_TYPES });
  return (made as { secret: string }).secret;
}

async function readLog(tenant: TortureTenant): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (let after = ''; ; ) {
    const query = `limit=${PAGE}${after === '' ? '' : `&after=${after}`}`;
    const page = (await ask(tenant, `/v1/events?${query}`)) as { data: LoggedEvent[] };
    events.push(...page.data);
    if (page.data.length < PAGE) return events;
    after = page.data.at(-1)!.id;
  }
}

/** An endpoint that records which ids it has accepted, in order. */
interface Endpoint {
  readonly receiver: Receiver;
  readonly accepted: Set<string>;
  /** Ids that have failed once. */
  readonly failed: Set<string>;
}

async function openEndpoint(isUnsteady: boolean): Promise<Endpoint> {
  const accepted = new Set<string>();
  const failed = new Set<string>();
  let count = 0;
  const receiver = await openReceiver(({ id }) => {
    count += 1;
    if (isUnsteady && count % FAILS_ONE_IN === 0 && !accepted.has(id)) {
      failed.add(id);
      return { status: 500 };
    }
    accepted.add(id);
    return { status: 204 };
  });
  return { receiver, accepted, failed };
}

/** Events that an endpoint missed, received under two ids, or received in the wrong order. */
function faultsOf(name: string, log: readonly LoggedEvent[], { accepted }: Endpoint): string[] {
  const faults: string[] = [];
  const known = new Set(log.map(({ id }) => id));
  const missing = log.filter(({ id }) => !accepted.has(id));
  if (missing.length > 0) faults.push(`${name}: ${missing.length} events never came`);
  const unknown = [...accepted].filter((id) => !known.has(id));
  if (unknown.length > 0) faults.push(`${name}: ${unknown.length} ids stand in no log`);
  const places = new Map([...accepted].map((id, i) => [id, i]));
  const last = new Map<string, number>();
  for (const { id, sessionId = id } of log) {
    const place = places.get(id) ?? -1;
    if (place < (last.get(sessionId) ?? -1)) faults.push(`${name}: ${id} came too late`);
    last.set(sessionId, place);
  }
  return faults;
}

test(
  '[E2] SIGKILL under load: every event is delivered, with one id, in order within its session',
  async () => {
    const seed = Number(process.env['MATCHD_TEST_SEED'] ?? Date.now() % 1_000_000);
    const steady = await openEndpoint(false);
    const unreliable = await openEndpoint(true);
    const unreachable = await openReceiver(() => 'hang');
    const secrets: string[] = [];
    const counts = { events: 0, requests: 0, again: 0, failed: 0 };
    const report = await torture({
      rounds: ROUNDS,
      matches: MATCHES,
      kills: KILLS,
      seed,
      say: () => {},
      async prepare(tenant) {
        for (const { url } of [steady.receiver, unreliable.receiver, unreachable]) {
          secrets.push(await register(tenant, url));
        }
      },
      async inspect(tenant) {
        const log = await readLog(tenant);
        const isDone = ({ accepted }: Endpoint) => log.every(({ id }) => accepted.has(id));
        await eventually(() => isDone(steady) && isDone(unreliable), CATCH_UP_MS).catch(() => {});
        counts.events = log.length;
        return [...faultsOf('steady', log, steady), ...faultsOf('unsteady', log, unreliable)];
      },
    });
    counts.requests = steady.receiver.received.length;
    counts.again = counts.requests - steady.accepted.size;
    counts.failed = unreliable.failed.size;
    console.log(`seed ${seed}, kills ${report.kills}: ${JSON.stringify(counts)}`);
    for (const [i, { receiver }] of [steady, unreliable].entries()) {
      const verifier = new Verifier(secrets[i]!);
      // The library rejects events older than 5 minutes: the end of the run is recent enough.
      for (const { body, headers } of receiver.received.slice(-100)) verifier.verify(body, headers);
    }
    await Promise.all([steady.receiver.close(), unreliable.receiver.close(), unreachable.close()]);
    const { lost, twice, stuck, complaints } = report;
    expect({ seed, lost, twice, stuck, complaints }).toEqual({
      seed,
      lost: 0,
      twice: 0,
      stuck: 0,
      complaints: [],
    });
    expect(counts.events).toBeGreaterThan(ROUNDS * MATCHES * 10);
    expect(counts.failed).toBeGreaterThan(5);
  },
  TEST_MS_MAX,
);
