/** Webhooks in a tenant's words: the calls behind the HTTP routes. */

import type { NewEvent, StoredEvent } from '../../events/event.ts';
import type { EventStore } from '../../store/events.ts';
import { makeInTurn } from '../../store/shared/in-turn.ts';
import type { IdempotencyRow } from '../../store/store.ts';
import type {
  Attempt,
  StoredAttempt,
  Webhook,
  WebhookChange,
  WebhookFilter,
  WebhookStore,
  WebhookWrite,
} from '../../store/webhooks.ts';
import { makeSecret, rotateSecrets, SECRET_BYTES } from '../../webhooks/signature.ts';
import type { TargetPolicy } from '../../webhooks/target.ts';
import { describeTargets, parseTarget } from '../../webhooks/target.ts';
import type { EventPlaces } from '../events/event-places.ts';
import type { MakeId } from '../ids.ts';
import type { Clock, Randomness } from '../ports.ts';
import type { Dispatcher } from './dispatcher.ts';
import { judge } from './sending/answer.ts';
import type { Courier } from './sending/courier.ts';
import type { Sender, SendResult } from './sending/sender.ts';
import { countWaiting, type WaitingEvents } from './waiting-events.ts';

/** The caller, for the audit. */
export interface Asker {
  readonly tenant: string;
  /** `key:<id>`, `member:<id>`. */
  readonly actor: string;
}

export type WebhookSetting = Pick<Webhook, 'mode' | 'url' | 'types' | 'description'>;
export type WebhookFields = Pick<WebhookChange, 'url' | 'types' | 'description' | 'active'>;

/** Makes the row that stores the response for repeats (rule H8); null when none is to be stored. */
type KeepAnswer<T> = ((after: T) => IdempotencyRow) | null;

/** How a test went. */
export interface TestOutcome {
  readonly eventId: string;
  readonly delivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

export interface WebhookService {
  /** How a message says which URLs are valid. */
  readonly validUrls: string;
  /** The URL in its normal form; null when nothing may be sent there, judging by the text. */
  parseUrl(text: string): string | null;
  /** Does the name's current address allow its registration? */
  mayRegister(url: string): Promise<boolean>;
  /** Null when the plan's cap is reached. */
  create(
    asker: Asker,
    setting: WebhookSetting,
    webhooksMax: number,
    keep: KeepAnswer<Webhook>,
  ): Promise<Webhook | null>;
  find(tenant: string, id: string): Promise<Webhook | null>;
  list(filter: WebhookFilter): Promise<readonly Webhook[]>;
  /** Null when it was deleted meanwhile. */
  update(
    asker: Asker,
    webhook: Webhook,
    fields: WebhookFields,
    keep: KeepAnswer<Webhook>,
  ): Promise<Webhook | null>;
  /** Null when it was deleted meanwhile; `busy` when it was rotated elsewhere all the time. */
  rotate(
    asker: Asker,
    webhook: Webhook,
    overlapMs: number,
    keep: KeepAnswer<Webhook>,
  ): Promise<Webhook | 'busy' | null>;
  /** False when it is deleted already. */
  remove(asker: Asker, id: string, keep: (() => IdempotencyRow) | null): Promise<boolean>;
  /**
   * Sends a `webhook.test`, once, whether the webhook is on or off. Null when too many of the
   * tenant's are under way, or when the process ends.
   */
  test(webhook: Webhook): Promise<TestOutcome | null>;
  /**
   * Sends an event of the log once more, under its own id, now and once, whatever its earlier
   * result. `gone` when it is no longer stored, or of another world; null as for a test, or when
   * too many events are being searched for.
   */
  resend(webhook: Webhook, eventId: string): Promise<TestOutcome | 'gone' | null>;
  listAttempts(id: string, before: number | null, limit: number): Promise<readonly StoredAttempt[]>;
  /** What it still has to be sent. */
  countWaiting(webhook: Webhook): Promise<WaitingEvents>;
  /**
   * The event in the log, and its attempts, newest first; without attempts it was not sent lately.
   * The event is null when it is not in the log, or not any more. `busy` as for a resend.
   */
  findDelivery(
    webhook: Webhook,
    eventId: string,
  ): Promise<
    { readonly event: StoredEvent | null; readonly attempts: readonly StoredAttempt[] } | 'busy'
  >;
  /** Writes an event of test mode that nothing is behind. */
  trigger(asker: Asker, type: StoredEvent['type'], keep: KeepAnswer<NewEvent>): Promise<NewEvent>;
}

export interface WebhookDeps {
  readonly store: WebhookStore & Pick<EventStore, 'readEvents'>;
  /** The place of an event in the log, by its id. */
  readonly seqOf: EventPlaces['seqOf'];
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly makeId: MakeId;
  readonly sender: Pick<Sender, 'mayRegister'>;
  readonly courier: Courier;
  readonly dispatcher: Pick<Dispatcher, 'changed'>;
  readonly policy: TargetPolicy;
  /** The `data` of an event of that type, and whether it is about a session. */
  readonly sampleOf: (type: StoredEvent['type']) => { data: string; isOfSession: boolean };
}

/** The `type` of a `test` event, which is in no log. */
const TEST_TYPE = 'webhook.test';
/** Rotations by other nodes that may come between. */
const ROTATE_TRIES = 8;
/**
 * Tests and resends of one tenant in progress at once: each may hold a connection for as long as a
 * delivery.
 */
const TESTS_MAX = 4;

export function makeWebhookService(deps: WebhookDeps): WebhookService {
  const { store, policy, sender } = deps;
  const testsUnderWay = new Map<string, number>();
  const rotations = makeInTurn();
  return {
    validUrls: describeTargets(policy),
    parseUrl: (text) => parseTarget(text, policy)?.url ?? null,
    async mayRegister(url) {
      const target = parseTarget(url, policy);
      return target !== null && (await sender.mayRegister(target));
    },
    find: (tenant, id) => store.findWebhook(tenant, id),
    list: (filter) => store.listWebhooks(filter),
    listAttempts: (id, before, limit) => store.listAttempts(id, before, limit),
    countWaiting: (webhook) => countWaiting(store, webhook, deps.clock.now()),
    findDelivery: (webhook, eventId) => findDelivery(deps, webhook, eventId),
    create: (...args) => create(deps, ...args),
    update: (asker, webhook, fields, keep) =>
      change(deps, asker, webhook, { act: 'webhook.updated', fields, keep }),
    // One at a time: only other nodes come between.
    rotate: (asker, { id }, overlapMs, keep) =>
      rotations.run(id, () => rotate(deps, asker, id, overlapMs, keep)),
    async remove(asker, id, keep) {
      const write = makeWrite(deps, asker, 'webhook.deleted', id, keep?.() ?? null);
      const isRemoved = await store.removeWebhook(asker.tenant, id, write);
      if (isRemoved) await deps.dispatcher.changed(asker.tenant, id);
      return isRemoved;
    },
    test: (webhook) => atMost(testsUnderWay, webhook.tenant, () => test(deps, webhook)),
    resend: (webhook, eventId) =>
      atMost(testsUnderWay, webhook.tenant, () => resend(deps, webhook, eventId)),
    trigger: (asker, type, keep) => trigger(deps, asker, type, keep),
  };
}

/** Null when too many of the tenant's are under way. */
async function atMost<T>(
  underWay: Map<string, number>,
  tenant: string,
  work: () => Promise<T>,
): Promise<T | null> {
  const count = underWay.get(tenant) ?? 0;
  if (count >= TESTS_MAX) return null;
  underWay.set(tenant, count + 1);
  try {
    return await work();
  } finally {
    const left = underWay.get(tenant)! - 1;
    if (left === 0) underWay.delete(tenant);
    else underWay.set(tenant, left);
  }
}

function newSecret({ randomness }: WebhookDeps): string {
  return makeSecret(randomness.bytes(SECRET_BYTES));
}

function makeWrite(
  { clock }: WebhookDeps,
  { tenant, actor }: Asker,
  act: string,
  object: string,
  idempotency: IdempotencyRow | null,
): WebhookWrite {
  return { audit: { tenant, actor, act, object, at: clock.now() }, idempotency };
}

async function create(
  deps: WebhookDeps,
  asker: Asker,
  setting: WebhookSetting,
  webhooksMax: number,
  keep: KeepAnswer<Webhook>,
): Promise<Webhook | null> {
  const { store, makeId, clock, dispatcher } = deps;
  const { tenant } = asker;
  const id = makeId('whk');
  const secrets = [{ text: newSecret(deps), expiresAt: null }];
  const made = { id, tenant, ...setting, secrets, createdAt: clock.now() };
  const webhook: Webhook = { ...made, disabled: null, failingSince: null, cursor: 0, epoch: 0 };
  const write = makeWrite(deps, asker, 'webhook.created', id, keep?.(webhook) ?? null);
  const outcome = await store.createWebhook({ webhook: made, webhooksMax, ...write });
  if (outcome === 'full') return null;
  await dispatcher.changed(tenant, id);
  return webhook;
}

interface Changing {
  readonly act: string;
  readonly fields: Omit<WebhookChange, 'id' | 'tenant' | keyof WebhookWrite>;
  readonly keep: KeepAnswer<Webhook>;
}

async function change(
  deps: WebhookDeps,
  asker: Asker,
  webhook: Webhook,
  { act, fields, keep }: Changing,
): Promise<Webhook | null> {
  const { id, tenant } = webhook;
  const after = changed(webhook, fields);
  const write = makeWrite(deps, asker, act, id, keep?.(after) ?? null);
  if (!(await deps.store.updateWebhook({ id, tenant, ...fields, ...write }))) return null;
  await deps.dispatcher.changed(tenant, id);
  return after;
}

/** Of two rotations that start from the same secrets one would be shown and never sign. */
async function rotate(
  deps: WebhookDeps,
  asker: Asker,
  id: string,
  overlapMs: number,
  keep: KeepAnswer<Webhook>,
): Promise<Webhook | 'busy' | null> {
  for (let tries = 0; tries < ROTATE_TRIES; tries++) {
    const webhook = await deps.store.findWebhook(asker.tenant, id);
    if (webhook === null) return null;
    const { secrets: replaces } = webhook;
    const until = deps.clock.now() + overlapMs;
    const secrets = rotateSecrets(replaces, newSecret(deps), until);
    const fields = { secrets, replaces };
    const after = await change(deps, asker, webhook, { act: 'webhook.rotated', fields, keep });
    if (after !== null) return after;
  }
  return 'busy';
}

function changed(webhook: Webhook, asked: Changing['fields']): Webhook {
  const { active, replaces: _, ...fields } = asked;
  const isOther = fields.url !== undefined && fields.url !== webhook.url;
  const after = { ...webhook, ...fields, ...(isOther ? { failingSince: null } : null) };
  if (active === true && after.disabled !== null) {
    return { ...after, disabled: null, failingSince: null };
  }
  return active === false ? { ...after, disabled: after.disabled ?? 'paused' } : after;
}

async function test(deps: WebhookDeps, webhook: Webhook): Promise<TestOutcome | null> {
  const { clock, makeId, courier } = deps;
  const eventId = makeId('evt');
  const at = clock.now();
  const timestamp = new Date(at).toISOString();
  const { id, mode } = webhook;
  const event = { id: eventId, type: TEST_TYPE, mode, timestamp, data: { webhookId: id } };
  const result = await courier.deliverBody(webhook, eventId, JSON.stringify(event));
  if (result === null) return null;
  const attempt = { event: eventId, type: TEST_TYPE, session: null, attempt: 1, nextAt: null };
  return noteOutcome(deps, id, attempt, at, result);
}

/** Attempts searched for how often an event was sent before. */
const ATTEMPTS_SEEN = 100;

async function resend(
  deps: WebhookDeps,
  webhook: Webhook,
  eventId: string,
): Promise<TestOutcome | 'gone' | null> {
  const { clock, courier, store, seqOf } = deps;
  const { id, tenant, mode } = webhook;
  const seq = await seqOf({ tenant, mode }, eventId);
  if (seq === 'busy') return null;
  const [event] = seq === null ? [] : await store.readEvents({ tenant, mode }, seq - 1, 1);
  // Its record may have been removed with its session: then the next stored one is at that
  // position.
  if (event?.id !== eventId) return 'gone';
  const before = await store.listAttempts(id, null, ATTEMPTS_SEEN);
  const last = before.find((each) => each.event === eventId)?.attempt ?? 0;
  const at = clock.now();
  const result = await courier.deliver(webhook, event);
  if (result === null) return null;
  const { type, session } = event;
  const attempt = { event: eventId, type, session, attempt: last + 1, nextAt: null };
  return noteOutcome(deps, id, attempt, at, result);
}

async function findDelivery(
  { store, seqOf }: WebhookDeps,
  { id, tenant, mode }: Webhook,
  eventId: string,
): ReturnType<WebhookService['findDelivery']> {
  const attempts = await store.listAttemptsOf(id, eventId);
  // Only sent events are searched for in the log: anybody can make up an id. A test is in no log.
  if (attempts.length === 0 || attempts[0]!.type === TEST_TYPE) return { event: null, attempts };
  const seq = await seqOf({ tenant, mode }, eventId);
  if (seq === 'busy') return 'busy';
  const [event] = seq === null ? [] : await store.readEvents({ tenant, mode }, seq - 1, 1);
  return { event: event?.id === eventId ? event : null, attempts };
}

/** The result of one request, stored where the tenant looks it up. */
async function noteOutcome(
  { clock, store }: WebhookDeps,
  webhook: string,
  attempt: Pick<Attempt, 'event' | 'type' | 'session' | 'attempt' | 'nextAt'>,
  at: number,
  result: SendResult,
): Promise<TestOutcome> {
  const verdict = judge(result, clock.now());
  const status = 'status' in result ? result.status : null;
  const error = verdict.kind === 'failed' ? verdict.error : null;
  const durationMs = clock.now() - at;
  const response = 'status' in result ? (result.response ?? null) : null;
  await store.recordAttempt(webhook, { ...attempt, at, durationMs, status, error, response });
  const delivered = verdict.kind === 'delivered';
  return { eventId: attempt.event, delivered, status, error, durationMs };
}

async function trigger(
  deps: WebhookDeps,
  asker: Asker,
  type: StoredEvent['type'],
  keep: KeepAnswer<NewEvent>,
): Promise<NewEvent> {
  const { makeId, clock, store, sampleOf } = deps;
  const { data, isOfSession } = sampleOf(type);
  const event: NewEvent = {
    id: makeId('evt'),
    tenant: asker.tenant,
    mode: 'test',
    type,
    // An id like any other, of no session that there is.
    session: isOfSession ? makeId('ses') : null,
    at: clock.now(),
    data,
  };
  const row = keep?.(event) ?? null;
  await store.triggerEvent(event, makeWrite(deps, asker, 'event.triggered', event.id, row));
  return event;
}
