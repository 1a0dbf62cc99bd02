/** Creates, updates, tests and retrieves webhooks (rules E2 and E3). */

import { Buffer } from 'node:buffer';
import {
  isProblem,
  makeChoiceProblem,
  makeProblem,
  type Problem,
  retryAfter,
} from '../../../contract/errors.ts';
import { readFields } from '../../../contract/fields.ts';
import {
  deliveryQuery,
  triggerRequest,
  webhookChange,
  webhookQuery,
  webhookRequest,
  webhookRotation,
} from '../../../contract/requests/webhook-requests.ts';
import type { NewEvent } from '../../../events/event.ts';
import { makeTime } from '../../../match/frames/frames.ts';
import { isId } from '../../../runtime/ids.ts';
import { RESPONSE_LIFE_MS } from '../../../runtime/sweeper.ts';
import type { WaitingEvents } from '../../../runtime/webhooks/waiting-events.ts';
import type { Asker } from '../../../runtime/webhooks/webhook-service.ts';
import type { StoredAttempt, Webhook, WebhookFilter } from '../../../store/webhooks.ts';
import { actorOf } from '../../request/actor.ts';
import type { HttpDeps } from '../../request/deps.ts';
import type { Caller, Endpoint, Endpoints, Keep, Reply } from '../../request/exchange.ts';
import { makeReply } from '../../request/exchange.ts';
import { readQuery } from '../../request/query.ts';
import { requestedWorld } from '../../request/requested-world.ts';
import { timeOrNull } from '../../request/session-answer.ts';

const PAGE_DEFAULT = 25;
const SECOND_MS = 1_000;
const OVERLAP_S_DEFAULT = 86_400;
/** Nothing frees room by itself: with this delay a waiting client gives up at once. */
const CAP_RETRY_MS = 3_600_000;
const RETRY_MS = 1_000;

type WebhookEndpoints = Pick<
  Endpoints,
  | 'createWebhook'
  | 'listWebhooks'
  | 'getWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'rotateWebhook'
  | 'testWebhook'
  | 'listDeliveries'
  | 'getDelivery'
  | 'resendDelivery'
  | 'triggerEvent'
>;

export function makeWebhookEndpoints(deps: HttpDeps): WebhookEndpoints {
  return {
    createWebhook: createEndpoint(deps),
    listWebhooks: listEndpoint(deps),
    updateWebhook: updateEndpoint(deps),
    rotateWebhook: rotateEndpoint(deps),
    listDeliveries: deliveriesEndpoint(deps),
    triggerEvent: triggerEndpoint(deps),
    getDelivery: deliveryEndpoint(deps),
    resendDelivery: resendEndpoint(deps),
    getWebhook: onWebhook(deps, async (webhook) => {
      const backlog = presentBacklog(await deps.webhooks.countWaiting(webhook));
      const previousSecretExpiresAt = overlapEnd(webhook, deps.clock.now());
      return makeReply(200, { ...presentWebhook(webhook), backlog, previousSecretExpiresAt });
    }),
    testWebhook: onWebhook(deps, (webhook) => test(deps, webhook)),
    deleteWebhook: onWebhook(deps, async (webhook, caller, keep) => {
      const reply = makeReply(200, { deleted: true });
      const kept = keep === null ? null : () => keep(reply);
      const isRemoved = await deps.webhooks.remove(askerOf(caller), webhook.id, kept);
      return isRemoved ? { ...reply, isStored: keep !== null } : makeProblem('webhook_not_found');
    }),
  };
}

function createEndpoint({ webhooks }: HttpDeps): Endpoint {
  return ({ fields }, caller) => {
    const asked = readFields(webhookRequest, fields);
    if (isProblem(asked)) return asked;
    const url = webhooks.parseUrl(asked.url);
    if (url === null) return urlProblem(webhooks.validUrls);
    const world = requestedWorld(caller, asked.mode, 'test_key_live_webhook');
    if (isProblem(world)) return world;
    const { mode, refusal } = world;
    const { events, description } = asked;
    const setting = { mode, url, types: events ?? [], description: description ?? '' };
    return {
      refusal,
      async perform(keep) {
        if (!(await webhooks.mayRegister(url))) return urlProblem(webhooks.validUrls);
        const { webhooks: max } = caller.limits;
        const kept = keepBlank(keep, 201, {});
        const made = await webhooks.create(askerOf(caller), setting, max, kept);
        if (made === null) return makeProblem('webhooks_exceeded', null, retryAfter(CAP_RETRY_MS));
        return withSecret(201, made, {}, keep);
      },
    };
  };
}

function updateEndpoint(deps: HttpDeps): Endpoint {
  const { webhooks } = deps;
  return (input, caller) => {
    const asked = readFields(webhookChange, input.fields);
    if (isProblem(asked)) return asked;
    const url = asked.url == null ? undefined : webhooks.parseUrl(asked.url);
    if (url === null) return urlProblem(webhooks.validUrls);
    const fields = {
      ...(url === undefined ? null : { url }),
      ...(asked.events == null ? null : { types: asked.events }),
      ...(asked.description == null ? null : { description: asked.description }),
      ...(asked.active == null ? null : { active: asked.active }),
    };
    const perform = onWebhook(deps, async (webhook, _, keep) => {
      if (url !== undefined && !(await webhooks.mayRegister(url))) {
        return urlProblem(webhooks.validUrls);
      }
      const makeAnswer = (after: Webhook): Reply => makeReply(200, presentWebhook(after));
      const kept = keep === null ? null : (after: Webhook) => keep(makeAnswer(after));
      const after = await webhooks.update(askerOf(caller), webhook, fields, kept);
      if (after === null) return makeProblem('webhook_not_found');
      return { ...makeAnswer(after), isStored: keep !== null };
    });
    return perform(input, caller);
  };
}

function rotateEndpoint(deps: HttpDeps): Endpoint {
  const { webhooks, clock } = deps;
  return (input, caller) => {
    const asked = readFields(webhookRotation, input.fields);
    if (isProblem(asked)) return asked;
    const overlapMs = (asked.overlapSeconds ?? OVERLAP_S_DEFAULT) * SECOND_MS;
    const perform = onWebhook(deps, async (webhook, _, keep) => {
      const more = { previousSecretExpiresAt: makeTime(clock.now() + overlapMs) };
      const kept = keepBlank(keep, 200, more);
      const after = await webhooks.rotate(askerOf(caller), webhook, overlapMs, kept);
      if (after === null) return makeProblem('webhook_not_found');
      if (after === 'busy') return makeProblem('unavailable', null, retryAfter(RETRY_MS));
      return withSecret(200, after, more, keep);
    });
    return perform(input, caller);
  };
}

/** An endpoint on one webhook that the key may see; others do not exist for it (rule K3). */
function onWebhook(
  { webhooks }: HttpDeps,
  act: (webhook: Webhook, caller: Caller, keep: Keep) => Promise<Reply | Problem> | Reply | Problem,
): Endpoint {
  return ({ params }, caller) => ({
    refusal: null,
    async perform(keep) {
      const id = params['webhookId']!;
      const found = isId('whk', id) ? await webhooks.find(caller.tenant.id, id) : null;
      if (found === null || !caller.modes.includes(found.mode)) {
        return makeProblem('webhook_not_found');
      }
      return act(found, caller, keep);
    },
  });
}

function listEndpoint({ webhooks }: HttpDeps): Endpoint {
  return ({ query }, caller) => {
    const asked = readQuery(webhookQuery, query);
    if (isProblem(asked)) return asked;
    const before = decodeCursor(asked.cursor, (text) => (isId('whk', text) ? text : null));
    if (isProblem(before)) return before;
    const { id: tenant } = caller.tenant;
    const limit = asked.limit ?? PAGE_DEFAULT;
    const filter: WebhookFilter = { tenant, mode: asked.mode ?? caller.key.mode, before, limit };
    return {
      refusal: null,
      async perform() {
        // Rule K3: a world that the key may not see is empty.
        const isVisible = caller.modes.includes(filter.mode);
        const found = isVisible ? await webhooks.list({ ...filter, limit: limit + 1 }) : [];
        return makePage(found, limit, presentWebhook, ({ id }) => id);
      },
    };
  };
}

function deliveriesEndpoint(deps: HttpDeps): Endpoint {
  return (input, caller) => {
    const asked = readQuery(deliveryQuery, input.query);
    if (isProblem(asked)) return asked;
    const before = decodeCursor(asked.cursor, (text) =>
      /^\d{1,15}$/.test(text) ? Number(text) : null,
    );
    if (isProblem(before)) return before;
    const limit = asked.limit ?? PAGE_DEFAULT;
    const perform = onWebhook(deps, async ({ id }) => {
      const found = await deps.webhooks.listAttempts(id, before, limit + 1);
      const now = deps.clock.now();
      const present = (attempt: StoredAttempt) => presentAttempt(attempt, now);
      return makePage(found, limit, present, ({ n }) => String(n));
    });
    return perform(input, caller);
  };
}

function deliveryEndpoint(deps: HttpDeps): Endpoint {
  return (input, caller) => {
    const eventId = input.params['eventId']!;
    const perform = onWebhook(deps, async (webhook) => {
      if (!isId('evt', eventId)) return makeProblem('delivery_not_found');
      const found = await deps.webhooks.findDelivery(webhook, eventId);
      if (found === 'busy') return makeProblem('unavailable', null, retryAfter(RETRY_MS));
      const { event, attempts } = found;
      if (attempts.length === 0) return makeProblem('delivery_not_found');
      const [payload = null] = event === null ? [] : await deps.events.present([event]);
      const now = deps.clock.now();
      return makeReply(200, {
        eventId,
        payload,
        attempts: attempts.map((each) => presentAttempt(each, now)),
      });
    });
    return perform(input, caller);
  };
}

/** An event resent under its own id, by which an earlier recipient recognizes it. */
function resendEndpoint(deps: HttpDeps): Endpoint {
  return (input, caller) => {
    const eventId = input.params['eventId']!;
    const perform = onWebhook(deps, async (webhook) => {
      if (!isId('evt', eventId)) return makeProblem('event_not_found');
      const outcome = await deps.webhooks.resend(webhook, eventId);
      if (outcome === 'gone') return makeProblem('event_not_found');
      if (outcome !== null) return makeReply(200, outcome);
      return makeProblem('unavailable', null, retryAfter(RETRY_MS));
    });
    return perform(input, caller);
  };
}

function triggerEndpoint({ webhooks }: HttpDeps): Endpoint {
  return ({ fields }, caller) => {
    const asked = readFields(triggerRequest, fields);
    if (isProblem(asked)) return asked;
    const makeAnswer = ({ id, type }: NewEvent): Reply => makeReply(201, { eventId: id, type });
    return {
      refusal: caller.key.mode === 'test' ? null : makeProblem('test_key_required'),
      async perform(keep) {
        const kept = keep === null ? null : (event: NewEvent) => keep(makeAnswer(event));
        const event = await webhooks.trigger(askerOf(caller), asked.type, kept);
        return { ...makeAnswer(event), isStored: keep !== null };
      },
    };
  };
}

async function test({ webhooks }: HttpDeps, webhook: Webhook): Promise<Reply | Problem> {
  const outcome = await webhooks.test(webhook);
  if (outcome !== null) return makeReply(200, outcome);
  return makeProblem('unavailable', null, retryAfter(RETRY_MS));
}

function askerOf(caller: Caller): Asker {
  return { tenant: caller.tenant.id, actor: actorOf(caller) };
}

function urlProblem(valid: string): Problem {
  return makeChoiceProblem('url', [valid]);
}

/** The response as it is stored: a secret is shown once (rule H8). */
function keepBlank(keep: Keep, status: number, more: object) {
  if (keep === null) return null;
  return (after: Webhook) =>
    keep(makeReply(status, { ...presentWebhook(after), secret: '', ...more }));
}

function withSecret(status: number, webhook: Webhook, more: object, keep: Keep): Reply {
  const secret = webhook.secrets[0]!.text;
  const body = { ...presentWebhook(webhook), secret, ...more };
  return { ...makeReply(status, body), isStored: keep !== null };
}

function presentWebhook(webhook: Webhook): object {
  const { id, mode, url, types, description, disabled, failingSince, createdAt } = webhook;
  return {
    id,
    mode,
    url,
    events: types,
    description,
    active: disabled === null,
    disabledReason: disabled,
    failingSince: timeOrNull(failingSince),
    createdAt: makeTime(createdAt),
  };
}

/** Until when an older secret signs too; null for none. */
function overlapEnd({ secrets }: Webhook, now: number): string | null {
  const ends = secrets.flatMap(({ expiresAt }) =>
    expiresAt !== null && expiresAt > now ? [expiresAt] : [],
  );
  return ends.length === 0 ? null : makeTime(Math.max(...ends));
}

function presentBacklog({ events, isMore, oldestAt, nextAttemptAt }: WaitingEvents): object {
  return {
    events,
    isMore,
    oldestAt: timeOrNull(oldestAt),
    nextAttemptAt: timeOrNull(nextAttemptAt),
  };
}

function presentAttempt(attempt: StoredAttempt, now: number): object {
  const { at, error, nextAt, response = null } = attempt;
  return {
    eventId: attempt.event,
    type: attempt.type,
    sessionId: attempt.session,
    attempt: attempt.attempt,
    at: makeTime(at),
    durationMs: attempt.durationMs,
    status: attempt.status,
    error,
    nextAttemptAt: timeOrNull(nextAt !== null && nextAt > now ? nextAt : null),
    outcome: error === null ? 'delivered' : nextAt === null ? 'given_up' : 'retried',
    response: at < now - RESPONSE_LIFE_MS ? null : response,
  };
}

/** One more than requested reveals whether there is another page. */
function makePage<T>(
  found: readonly T[],
  limit: number,
  show: (each: T) => object,
  placeOf: (each: T) => string,
): Reply {
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const nextCursor = last === undefined ? null : Buffer.from(placeOf(last)).toString('base64url');
  return makeReply(200, { data: page.map(show), nextCursor });
}

function decodeCursor<T>(
  text: string | undefined,
  parse: (text: string) => T | null,
): T | null | Problem {
  if (text === undefined) return null;
  const place = parse(Buffer.from(text, 'base64url').toString());
  return place ?? makeProblem('invalid_field', { field: 'cursor' });
}
