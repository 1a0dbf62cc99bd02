/**
 * Webhooks under faults: an endpoint that always answers, one that sometimes fails, and their
 * deliveries.
 */

import { EVENT_TYPES } from '../../src/events/event.ts';
import { checkDeliveries, checkOrder, type Delivery } from '../../src/testing/matches/histories.ts';
import { openReceiver, type Receiver } from '../../src/testing/webhooks/webhook-receiver.ts';
import type { Asked } from './tickets.ts';

export interface Endpoints {
  /**
   * Waits until all events arrived, then reports faults. Returns the numbers of events and
   * requests.
   */
  finish(): Promise<DeliveryFigures>;
  close(): Promise<void>;
}

export interface DeliveryFigures {
  readonly events: number;
  readonly requests: number;
  readonly refused: number;
}

interface LoggedEvent {
  readonly id: string;
  readonly session: string | null;
}

interface Endpoint {
  readonly name: string;
  readonly receiver: Receiver;
  readonly deliveries: Delivery[];
  readonly accepted: Set<string>;
}

/** The unsteady endpoint fails one request in this many. */
const FAILS_ONE_IN = 60;
/** Retries wait 5 s, 5 min, …: the first of them, with a takeover in the middle. */
const CATCH_UP_MS = 120_000;
const LOOK_AGAIN_MS = 250;
const PAGE = 100;

export async function openEndpoints(asked: Asked): Promise<Endpoints> {
  const endpoints = [await openEndpoint('steady', false), await openEndpoint('unsteady', true)];
  for (const { name, receiver } of endpoints) {
    const { status, json } = await asked.backend.insist({
      method: 'POST',
      path: '/v1/webhooks',
      body: { url: receiver.url, events: EVENT_TYPES },
      once: `webhook-${name}`,
    });
    if (status !== 201) throw new Error(`no webhook: ${status} ${json['error']}`);
  }
  return {
    async finish() {
      const log: LoggedEvent[] = [];
      // Due deliveries may still add to it.
      while (await readOn(asked, log)) await untilCaughtUp(endpoints, log);
      const ids = log.map(({ id }) => id);
      for (const { name, deliveries, accepted } of endpoints) {
        for (const finding of checkDeliveries(name, ids, deliveries)) asked.found(finding);
        for (const finding of checkOrder(name, log, accepted)) asked.found(finding);
      }
      const all = endpoints.flatMap(({ deliveries }) => deliveries);
      const refused = all.filter(({ isAccepted }) => !isAccepted).length;
      return { events: log.length, requests: all.length, refused };
    },
    async close() {
      await Promise.all(endpoints.map(({ receiver }) => receiver.close()));
    },
  };
}

async function openEndpoint(name: string, isUnsteady: boolean): Promise<Endpoint> {
  const deliveries: Delivery[] = [];
  const accepted = new Set<string>();
  const refused = new Set<string>();
  let count = 0;
  const receiver = await openReceiver(({ id, body }) => {
    count += 1;
    // Each event fails once at most, so that the first retry is the last.
    const isAccepted = !(isUnsteady && count % FAILS_ONE_IN === 0 && !refused.has(id));
    if (isAccepted) accepted.add(id);
    else refused.add(id);
    // A digest shows as well whether two bodies are equal.
    deliveries.push({ id, body: Bun.hash(body).toString(36), isAccepted });
    receiver.received.length = 0;
    return { status: isAccepted ? 204 : 500 };
  });
  return { name, receiver, deliveries, accepted };
}

/** Adds the events that have arrived since, in their order. Were there any? */
async function readOn({ backend }: Asked, log: LoggedEvent[]): Promise<boolean> {
  const before = log.length;
  for (;;) {
    const after = log.length === 0 ? '' : `&after=${log.at(-1)!.id}`;
    const path = `/v1/events?limit=${PAGE}${after}`;
    const { status, json } = await backend.insist({ method: 'GET', path });
    if (status !== 200) throw new Error(`no events: ${status} ${json['error']}`);
    const page = json['data'] as { readonly id: string; readonly sessionId?: string }[];
    log.push(...page.map(({ id, sessionId = null }) => ({ id, session: sessionId })));
    if (page.length < PAGE) return log.length > before;
  }
}

async function untilCaughtUp(
  endpoints: readonly Endpoint[],
  log: readonly LoggedEvent[],
): Promise<void> {
  const until = performance.now() + CATCH_UP_MS;
  while (endpoints.some(({ accepted }) => log.some(({ id }) => !accepted.has(id)))) {
    if (performance.now() > until) return;
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}
