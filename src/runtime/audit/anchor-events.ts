/** Events `audit.anchored`: the signed head of a tenant's audit chain, once a day (rules D8 and E1). */

import type { NewEvent } from '../../events/event.ts';
import type { AuditKeyStore } from '../../store/audit-keys.ts';
import type { WebhookStore } from '../../store/webhooks.ts';
import type { MakeId } from '../ids.ts';
import type { Clock } from '../ports.ts';
import type { AuditAnchor } from './audit-anchor.ts';
import type { Audit } from './open-audit.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Webhooks read at once. */
const PAGE = 500;

export interface AnchorEventDeps {
  readonly store: Pick<AuditKeyStore, 'addAnchorEvent'> & Pick<WebhookStore, 'listActiveWebhooks'>;
  readonly audit: Pick<Audit, 'anchorsOf'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly makeId: MakeId;
}

/**
 * Makes the function that writes the missing events of the day (UTC) and returns how many it wrote. Any node may
 * call it any number of times: the store knows which are written.
 */
export function makeAnchorEvents(deps: AnchorEventDeps): () => Promise<number> {
  const { store, audit, clock, makeId } = deps;
  return async () => {
    const tenants = await listTenantsAsking(store);
    if (tenants.size === 0) return 0;
    const now = clock.now();
    const today = now - (now % DAY_MS);
    let written = 0;
    for (const anchor of await audit.anchorsOf(tenants)) {
      const event = makeAnchorEvent(anchor, makeId('evt'), now);
      if (await store.addAnchorEvent(event, today)) written += 1;
    }
    return written;
  };
}

/** Tenants with an active live webhook for the event. */
async function listTenantsAsking(
  store: Pick<WebhookStore, 'listActiveWebhooks'>,
): Promise<ReadonlySet<string>> {
  const tenants = new Set<string>();
  for (let after = ''; ; ) {
    const webhooks = await store.listActiveWebhooks(after, PAGE);
    for (const { tenant, mode, types } of webhooks) {
      if (mode === 'live' && types.includes('audit.anchored')) tenants.add(tenant);
    }
    if (webhooks.length < PAGE) return tenants;
    after = webhooks.at(-1)!.id;
  }
}

function makeAnchorEvent(anchor: AuditAnchor, id: string, at: number): NewEvent {
  const { tenant } = anchor;
  const data = JSON.stringify({ anchor });
  return { id, tenant, mode: 'live', type: 'audit.anchored', session: null, at, data };
}
