/** Sends events to webhooks: one lane for each active webhook, all within one concurrency limit. */

import { parseWorldName, worldName } from '../../events/event.ts';
import type { EventStore } from '../../store/events.ts';
import { type InTurn, makeInTurn } from '../../store/shared/in-turn.ts';
import type { TenancyStore } from '../../store/store.ts';
import type { Webhook, WebhookStore } from '../../store/webhooks.ts';
import { limitsOf } from '../../tenancy/tenant.ts';
import type { TenancyMemory } from '../access/tenancy-watch.ts';
import type { Clock, Randomness } from '../ports.ts';
import type { DeliveryListeners } from './delivery-listeners.ts';
import { makeFairShare, SHARE_LIMITS } from './fair-share.ts';
import { type Lane, openLane } from './lane.ts';
import { type DeliveryStats, type LaneDeps, SLOW_MS } from './lane-state.ts';
import type { Courier } from './sending/courier.ts';
import { makeServed, type Served, type WebhookClaims } from './served.ts';

export interface DispatcherDeps extends DeliveryListeners {
  readonly store: Pick<WebhookStore, 'recordProgress' | 'listActiveWebhooks' | 'listOutstanding'> &
    Pick<WebhookStore, 'findWebhook' | 'listAttempts'> &
    Pick<EventStore, 'readEvents' | 'eventHead' | 'onEvents'> &
    Pick<TenancyStore, 'findTenant'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly courier: Courier;
  readonly onError: (webhook: Pick<Webhook, 'id' | 'tenant'>, error: unknown) => void;
  /** The webhooks that this node serves; absent on a single node, which serves all. */
  readonly claims?: WebhookClaims;
}

/** Current figures. */
export interface DispatcherFigures extends Readonly<DeliveryStats> {
  readonly underWay: number;
  /** Active webhooks. */
  readonly lanes: number;
  /** Events that are still to be sent. */
  readonly backlog: number;
  /** How long the oldest of them has waited, in milliseconds; 0 for none. */
  readonly oldestMs: number;
}

export interface Dispatcher extends TenancyMemory {
  figures(): DispatcherFigures;
  /** Continues what a previous process left. */
  start(): Promise<void>;
  /** A webhook was created, changed or removed: its stored row counts from now on. */
  changed(tenant: string, id: string): Promise<void>;
  /** Starts no more requests and waits for those in progress. */
  stop(): Promise<void>;
}

/** Webhooks read per page at startup. */
const PAGE = 500;
/** How long a tenant's cached plan is trusted, unless a change is noticed earlier, in milliseconds. */
const PLAN_MS = 30_000;
/** Delay before a lane that ended is opened again, in milliseconds. */
const REOPEN_MS = 1_000;
const CHANCE_BYTES = 4;

interface Opened {
  readonly lane: Lane;
  readonly webhook: Webhook;
}

interface State {
  readonly deps: DispatcherDeps;
  readonly laneDeps: LaneDeps;
  readonly lanes: Map<string, Opened>;
  readonly byWorld: Map<string, Set<Lane>>;
  /** By webhook: its stored row is applied by one call at a time. */
  readonly changes: InTurn;
  /** Lanes that still store the results of their last requests. */
  readonly closing: Set<Promise<void>>;
  /** Null when this node serves all active webhooks. */
  served: Served | null;
  isStopped: boolean;
}

export function makeDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, clock, courier, onError } = deps;
  const share = makeFairShare(SHARE_LIMITS);
  const stats: DeliveryStats = { delivered: 0, failed: 0, givenUp: 0 };
  const plans = makePlans(store, clock);
  const state: State = {
    deps,
    laneDeps: {
      store,
      clock,
      courier,
      onError,
      share,
      stats,
      onAttempt: deps.onAttempt,
      onStored: deps.onStored,
      // In a shared database a write may succeed although it failed here, and late.
      mayWriteAgain: deps.claims === undefined,
      draw: () => drawFraction(deps.randomness),
      retriesOf: plans.retriesOf,
      onEnd(webhook) {
        forget(state, webhook.id);
        takeAgain(state, webhook.tenant, webhook.id);
      },
    },
    lanes: new Map(),
    byWorld: new Map(),
    changes: makeInTurn(),
    closing: new Set(),
    served: null,
    isStopped: false,
  };
  if (deps.claims !== undefined) {
    state.served = makeServed({
      claims: deps.claims,
      clock,
      take: ({ tenant, id }) => take(state, tenant, id),
      drop: (id) => drop(state, id),
    });
  }
  store.onEvents(
    (world, head) => {
      for (const lane of state.byWorld.get(worldName(world)) ?? []) lane.wake(head);
    },
    () => Array.from(state.byWorld.keys(), parseWorldName),
  );
  return {
    figures: () => ({
      ...stats,
      underWay: share.underWay(),
      lanes: state.lanes.size,
      ...backlogOf(state),
    }),
    start: () => (state.served === null ? takeAll(state) : state.served.start()),
    changed: (tenant, id) => state.served?.look() ?? take(state, tenant, id),
    forget: plans.forget,
    async stop() {
      state.isStopped = true;
      for (const id of [...state.lanes.keys()]) void close(state, id);
      await Promise.all(state.closing);
      await state.served?.stop();
    },
  };
}

function backlogOf({ lanes, deps }: State): Pick<DispatcherFigures, 'backlog' | 'oldestMs'> {
  let backlog = 0;
  const now = deps.clock.now();
  let oldestAt = now;
  for (const { lane } of lanes.values()) {
    const each = lane.backlog();
    backlog += each.events;
    oldestAt = Math.min(oldestAt, each.oldestAt ?? now);
  }
  return { backlog, oldestMs: now - oldestAt };
}

/** Webhooks after `from`, by id; what the store cannot list now is listed later. Never rejects. */
async function takeAll(state: State, from = ''): Promise<void> {
  for (let after = from; !state.isStopped; ) {
    try {
      const page = await state.deps.store.listActiveWebhooks(after, PAGE);
      for (const { tenant, id } of page) await take(state, tenant, id);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.id;
    } catch (error) {
      state.deps.onError({ id: '', tenant: '' }, error);
      const reached = after;
      state.deps.clock.after(REOPEN_MS, () => void takeAll(state, reached));
      return;
    }
  }
}

/** A webhook that another node has taken over since has another epoch. */
function serves({ served }: State, { id, epoch }: Webhook): boolean {
  return served === null || served.epochOf(id) === epoch;
}

/** After a delay, because the store may be away. */
function takeAgain(state: State, tenant: string, id: string): void {
  if (state.served !== null) state.served.ended(id);
  else state.deps.clock.after(REOPEN_MS, () => void take(state, tenant, id));
}

/** Another node serves it, or soon will. Never rejects. */
async function drop(state: State, id: string): Promise<void> {
  await state.changes.settled(id);
  await close(state, id);
}

/** Applies a webhook's stored row to its lane. Never rejects. */
function take(state: State, tenant: string, id: string): Promise<void> {
  return state.changes.run(id, () =>
    takeOnce(state, tenant, id).catch((error: unknown) => {
      if (state.isStopped) return;
      state.deps.onError({ id, tenant }, error);
      takeAgain(state, tenant, id);
    }),
  );
}

async function takeOnce(state: State, tenant: string, id: string): Promise<void> {
  if (state.isStopped) return;
  const { store } = state.deps;
  const webhook = await store.findWebhook(tenant, id);
  const opened = state.lanes.get(id);
  const isActive = webhook !== null && webhook.disabled === null && serves(state, webhook);
  if (opened !== undefined && isActive && opened.webhook.epoch === webhook.epoch) {
    opened.lane.change(webhook);
    // It may be opened again because the head could not be read the first time.
    opened.lane.wake(await store.eventHead(webhook));
    return;
  }
  if (opened !== undefined) {
    // Its requests may take long. The lane no longer counts, so nothing waits for it.
    void close(state, id);
  }
  if (isActive) await open(state, webhook);
}

async function open(state: State, webhook: Webhook): Promise<void> {
  const { store } = state.deps;
  const outstanding = await store.listOutstanding(webhook.id);
  const [last] = await store.listAttempts(webhook.id, null, 1);
  if (state.isStopped) return;
  const isProven = last !== undefined && last.error === null && last.durationMs <= SLOW_MS;
  const lane = openLane(state.laneDeps, webhook, outstanding, isProven);
  state.lanes.set(webhook.id, { lane, webhook });
  const name = worldName(webhook);
  const lanes = state.byWorld.get(name) ?? new Set();
  state.byWorld.set(name, lanes.add(lane));
  // Called when it already knows of later events.
  lane.wake(await store.eventHead(webhook));
}

/** Resolves when no request of its lane is in progress any more. Never rejects. */
async function close(state: State, id: string): Promise<void> {
  const opened = state.lanes.get(id);
  if (opened === undefined) return;
  forget(state, id);
  const { tenant } = opened.webhook;
  const closing = opened.lane
    .close()
    .catch((error: unknown) => state.deps.onError({ id, tenant }, error))
    .finally(() => state.closing.delete(closing));
  state.closing.add(closing);
  await closing;
}

function forget(state: State, id: string): void {
  const opened = state.lanes.get(id);
  if (opened === undefined) return;
  state.lanes.delete(id);
  const name = worldName(opened.webhook);
  const lanes = state.byWorld.get(name);
  lanes?.delete(opened.lane);
  if (lanes?.size === 0) state.byWorld.delete(name);
}

function drawFraction({ bytes }: Randomness): number {
  const drawn = bytes(CHANCE_BYTES);
  return drawn.reduce((sum, byte) => sum / 256 + byte, 0) / 256;
}

/** Retries by plan, cached for a while; null for a suspended tenant. */
function makePlans(
  store: Pick<TenancyStore, 'findTenant'>,
  clock: Clock,
): TenancyMemory & Pick<LaneDeps, 'retriesOf'> {
  /** Replaced when everything is dropped, so that reads under way fill the old map. */
  let known = new Map<string, { readonly retries: number | null; readonly staleAt: number }>();
  return {
    async retriesOf(id) {
      const now = clock.now();
      const memory = known;
      const remembered = memory.get(id);
      if (remembered !== undefined && remembered.staleAt > now) return remembered.retries;
      const tenant = await store.findTenant(id);
      const retries = tenant?.active === true ? limitsOf(tenant).webhookRetries : null;
      memory.set(id, { retries, staleAt: now + PLAN_MS });
      return retries;
    },
    forget() {
      known = new Map();
    },
  };
}
