/** Makes the signed request for an event and passes it to the sender. */

import type { StoredEvent } from '../../../events/event.ts';
import type { Webhook } from '../../../store/webhooks.ts';
import { signWebhook } from '../../../webhooks/signature.ts';
import type { TargetPolicy } from '../../../webhooks/target.ts';
import { parseTarget } from '../../../webhooks/target.ts';
import type { TracedEvents } from '../../measures/traced-events.ts';
import type { OpenSpan, SpanEnd, Tracing } from '../../measures/tracing.ts';
import type { Clock } from '../../ports.ts';
import type { Sender, SendResult } from './sender.ts';

export interface CourierDeps {
  readonly clock: Clock;
  readonly sender: Sender;
  readonly policy: TargetPolicy;
  /** Events as tenants read them. */
  readonly present: (events: readonly StoredEvent[]) => Promise<readonly object[]>;
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
  /** Null where there are no traces; `traceOf` is what an event belongs to. */
  readonly traces?:
    | {
        readonly tracing: Tracing;
        readonly events: Pick<TracedEvents, 'traceOf'>;
      }
    | null
    | undefined;
}

/** A webhook's URL and signing secrets. */
export type Addressee = Pick<Webhook, 'url' | 'secrets'>;

export interface Courier {
  /** Null when it was cancelled by the shutdown. Rejects when the event cannot be read. */
  deliver(webhook: Addressee, event: StoredEvent): Promise<SendResult | null>;
  /** The same for a given body. */
  deliverBody(webhook: Addressee, id: string, body: string): Promise<SendResult | null>;
}

const USER_AGENT = 'matchd-webhooks/1';

export function makeCourier(deps: CourierDeps): Courier {
  const { clock, sender, policy, present, signal } = deps;
  const deliverBody: Courier['deliverBody'] = async ({ url, secrets }, id, body) => {
    // Checked each time: the rules for valid URLs can have changed since.
    const target = parseTarget(url, policy);
    if (target === null) return { error: 'address_not_allowed' };
    if (secrets.length === 0) return { error: 'secret_lost' };
    const span = beginDelivery(deps, id, target.hostname);
    const headers = {
      ...(span === null ? null : { traceparent: span.trace }),
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signWebhook(id, body, secrets, clock.now()),
    };
    const result = await sender.send(target, headers, body, signal);
    span?.end(endOf(result));
    return signal.aborted && 'error' in result ? null : result;
  };
  return {
    deliverBody,
    async deliver(webhook, event) {
      const [shown] = await present([event]);
      return deliverBody(webhook, event.id, JSON.stringify(shown));
    },
  };
}

/** Null when it is not traced. */
function beginDelivery({ traces }: CourierDeps, event: string, host: string): OpenSpan | null {
  if (traces === undefined || traces === null) return null;
  return traces.tracing.begin({
    name: 'webhook',
    role: 'client',
    parent: traces.events.traceOf(event),
    attributes: { 'matchd.event': event, 'server.address': host, 'http.request.method': 'POST' },
  });
}

function endOf(result: SendResult): SpanEnd {
  if ('error' in result) return { attributes: { 'error.type': result.error }, isError: true };
  const { status } = result;
  return { attributes: { 'http.response.status_code': status }, isError: status >= 400 };
}
