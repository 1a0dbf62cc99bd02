/** What a store has in addition when several nodes share it. */

import type { ClusterStore, WebhookClaimStore } from '../cluster.ts';
import type { LimitStore } from '../limits.ts';
import type { SharedSecretStore } from '../secrets.ts';
import type { ServiceStore } from '../store.ts';
import type { SharedPresenceStore } from '../tickets.ts';
import { makeClusterStore } from './cluster.ts';
import { makeLimitStore } from './limits.ts';
import { type After, makePresenceStore } from './presence.ts';
import type { Runner } from './script.ts';
import { makeSecretStore } from './secrets.ts';
import { makeNodeService } from './service.ts';
import { makeWebhookClaimStore } from './webhook-claims.ts';

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
