/** What a store has in addition when several nodes share it. */

import type { ClusterStore, WebhookClaimStore } from '../cluster.ts';
import type { LimitStore } from '../limits.ts';
import type { SharedSecretStore } from '../secrets.ts';
import type { ServiceStore } from '../store.ts';
import type { SharedPresenceStore } from '../tickets.ts';
import { makeClusterStore } from './cluster/cluster.ts';
import { type After, makePresenceStore } from './cluster/presence.ts';
import { makeSecretStore } from './cluster/secrets.ts';
import { makeNodeService } from './cluster/service.ts';
import type { Runner } from './shared/script.ts';
import { makeLimitStore } from './tenants/limits.ts';
import { makeWebhookClaimStore } from './webhooks/webhook-claims.ts';

export type NodeStore = ClusterStore &
  WebhookClaimStore &
  LimitStore &
  SharedPresenceStore &
  SharedSecretStore;

/** `beats`: the runner for leases. `after`: how calls are retried later. `stopRetrying` is for shutdown. */
export function makeNodeStore(
  runner: Runner,
  beats: Runner = runner,
  after?: After,
): NodeStore & Pick<ServiceStore, 'pruneHeartbeats'> & { readonly stopRetrying: () => void } {
  const { replaceUnserved } = makeSecretStore(runner);
  return {
    ...makeClusterStore(runner, beats),
    ...makeWebhookClaimStore(runner),
    ...makeLimitStore(runner),
    ...makePresenceStore(runner, after),
    ...makeNodeService(runner),
    replaceUnserved,
  };
}
