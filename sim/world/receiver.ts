/** The endpoint of a tenant's webhooks, with the faults of the seed. */

import type { Sender, SendResult } from '../../src/runtime/webhooks/sending/sender.ts';
import type { Delivery } from '../../src/testing/matches/histories.ts';
import type { Chance } from '../kernel/chance.ts';
import type { Life } from '../kernel/life.ts';
import type { Timeline } from '../kernel/timeline.ts';

export interface Receiver {
  /** By URL, all requests in the order in which they came. */
  readonly got: ReadonlyMap<string, readonly Delivery[]>;
  /** While it is bad, part of the requests fail in one of several ways. */
  setBad(isBad: boolean): void;
  /** The sender of one process. */
  senderOf(life: Life): Sender;
}

const WAY_MS_MAX = 60;
const TIMEOUT_MS = 15_000;

export function makeReceiver(timeline: Timeline, chance: Chance): Receiver {
  const got = new Map<string, Delivery[]>();
  let isBad = false;
  /** The outcome of a request; null: it is accepted, and its response is lost. */
  const receive = (): SendResult | null => {
    if (!isBad || chance.hit(0.4)) return { status: 204, retryAfter: null };
    if (chance.hit(0.2)) return null;
    if (chance.hit(0.3)) return { error: 'connection_failed' };
    return { status: chance.pick([500, 503, 429, 302]), retryAfter: null };
  };
  return {
    got,
    setBad(next) {
      isBad = next;
    },
    senderOf: (life) => ({
      mayRegister: async () => true,
      send: ({ url }, headers, body) =>
        new Promise((resolve) => {
          timeline.after(chance.fraction() * WAY_MS_MAX, () => {
            const result = receive();
            const isAccepted = result === null || ('status' in result && result.status === 204);
            const all = got.get(url) ?? [];
            got.set(url, all);
            all.push({ id: headers['webhook-id']!, body, isAccepted });
            const back = chance.fraction() * WAY_MS_MAX;
            const wait = result === null ? TIMEOUT_MS : back;
            timeline.after(wait, () => life.enter(() => resolve(result ?? { error: 'timeout' })));
          });
        }),
    }),
  };
}
