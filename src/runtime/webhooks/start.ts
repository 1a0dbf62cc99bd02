/** Wires all parts of webhooks. */

import type { StoredEvent } from '../../events/event.ts';
import { isOfSession, makeSampleData } from '../../events/samples.ts';
import type { Store } from '../../store/whole-store.ts';
import type { TargetPolicy } from '../../webhooks/target.ts';
import type { TenancyMemory } from '../access/tenancy-watch.ts';
import type { EventPlaces } from '../events/event-places.ts';
import type { MakeId } from '../ids.ts';
import type { Clock, Randomness } from '../ports.ts';
import { type DispatcherDeps, type DispatcherFigures, makeDispatcher } from './dispatcher.ts';
import { type CourierDeps, makeCourier } from './sending/courier.ts';
import { makeSender, type Resolve } from './sending/sender.ts';
import type { WebhookClaims } from './served.ts';
import { makeWebhookService, type WebhookService } from './webhook-service.ts';

export interface WebhookPartsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly makeId: MakeId;
  readonly policy: TargetPolicy;
  readonly resolve: Resolve;
  /** Events as tenants read them. */
  readonly present: (events: readonly StoredEvent[]) => Promise<readonly object[]>;
  /** The position of an event in the log, by id. */
  readonly seqOf: EventPlaces['seqOf'];
  readonly onError: DispatcherDeps['onError'];
  readonly onAttempt?: DispatcherDeps['onAttempt'];
  readonly onStored?: DispatcherDeps['onStored'];
  /** Absent on a single node. */
  readonly claims?: WebhookClaims;
  /** Absent, or null, without traces. */
  readonly traces?: CourierDeps['traces'];
  /** Certificates to trust instead of the usual ones, as PEM; for tests. */
  readonly ca?: string;
}

export interface WebhookParts extends TenancyMemory {
  readonly service: WebhookService;
  figures(): DispatcherFigures;
  /** Continues what a previous process left. */
  start(): Promise<void>;
  /** Starts no more requests; gives those in progress `graceMs` to end, none at all for 0 and less. */
  stop(graceMs: number): Promise<void>;
}

export function makeWebhooks(deps: WebhookPartsDeps): WebhookParts {
  const { clock, policy } = deps;
  const ending = new AbortController();
  const sender = makeSender(deps);
  const courier = makeCourier({ ...deps, sender, signal: ending.signal });
  const dispatcher = makeDispatcher({ ...deps, courier });
  const sampleOf = (type: StoredEvent['type']) => ({
    data: makeSampleData(type),
    isOfSession: isOfSession(type),
  });
  return {
    service: makeWebhookService({ ...deps, sender, courier, dispatcher, policy, sampleOf }),
    figures: dispatcher.figures,
    forget: dispatcher.forget,
    start: () => dispatcher.start(),
    async stop(graceMs) {
      if (graceMs <= 0) ending.abort();
      const cancel = clock.after(Math.max(0, graceMs), () => ending.abort());
      await dispatcher.stop();
      cancel();
    },
  };
}
