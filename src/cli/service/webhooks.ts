/**
 * `matchd webhooks`: endpoints of a running service, with a key: lists, shows and tests them, shows
 * deliveries, and resends events.
 */

import type { Environment } from '../../config.ts';
import { type Answer, EXIT_CODES, type Report } from '../terminal/answer.ts';
import { paint, type Tone } from '../terminal/paint.ts';
import { printFields, printTable } from '../terminal/text-table.ts';
import { askService, parseLimit } from './ask-service.ts';
import type { ClientOptions } from './client.ts';

export interface WebhooksOptions extends ClientOptions {
  readonly limit?: string;
  /** An event's id: its payload and its attempts alone. */
  readonly event?: string;
}

interface State {
  readonly active: boolean;
  readonly disabledReason: string | null;
  readonly failingSince: string | null;
}

function stateText({ active, disabledReason, failingSince }: State): string {
  if (!active) return paint('warning', `disabled (${disabledReason ?? 'paused'})`);
  return failingSince === null ? 'active' : paint('bad', `failing since ${failingSince}`);
}

const eventsText = (events: readonly string[]): string => events.join(' ') || 'default';

export async function listWebhooks(
  env: Environment,
  { limit = '25', ...options }: WebhooksOptions,
): Promise<Answer | null> {
  const count = parseLimit(limit);
  if (typeof count !== 'number') return count;
  return askService(env, options, async (api) => {
    const { data } = await api.webhooks.list({ limit: count }).page();
    const rows = data.map((each) => [
      each.id,
      each.mode,
      stateText(each),
      each.url,
      eventsText(each.events),
    ]);
    return {
      json: { data },
      text: printTable(['WEBHOOK', 'MODE', 'STATUS', 'URL', 'EVENTS'], rows, 'No webhooks.'),
    };
  });
}

export function showWebhook(
  env: Environment,
  id: string,
  options: ClientOptions,
): Promise<Answer | null> {
  return askService(env, options, async (api) => {
    const webhook = await api.webhooks.get(id);
    const { backlog, previousSecretExpiresAt } = webhook;
    const waiting = `${backlog.events}${backlog.isMore ? ' or more' : ''}`;
    const text = printFields([
      ['webhook', webhook.id],
      ['url', webhook.url],
      ['mode', webhook.mode],
      ['status', stateText(webhook)],
      ['events', eventsText(webhook.events)],
      ['description', webhook.description],
      ['waiting', waiting],
      ['oldest', backlog.oldestAt ?? 'none'],
      ['next retry', backlog.nextAttemptAt ?? 'none'],
      ['old secret until', previousSecretExpiresAt ?? 'none'],
      ['created', webhook.createdAt],
    ]);
    return { json: webhook, text };
  });
}

interface Attempt {
  readonly eventId: string;
  readonly type: string;
  readonly attempt: number;
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly outcome: 'delivered' | 'retried' | 'given_up';
  readonly nextAttemptAt: string | null;
}

const TONES: Readonly<Record<Attempt['outcome'], Tone>> = {
  delivered: 'good',
  retried: 'warning',
  given_up: 'bad',
};

function attemptTable(attempts: readonly Attempt[]): string {
  const rows = attempts.map((each) => [
    each.at,
    each.eventId,
    each.type,
    `${each.attempt}`,
    paint(TONES[each.outcome], each.outcome),
    `${each.status ?? 'none'}`,
    each.error ?? '',
    `${each.durationMs}`,
    each.nextAttemptAt ?? '',
  ]);
  const titles = ['TIME', 'EVENT', 'TYPE', 'ATTEMPT', 'OUTCOME', 'STATUS', 'ERROR', 'MS', 'NEXT'];
  return printTable(titles, rows, 'No attempts.');
}

export async function listAttempts(
  env: Environment,
  id: string,
  { limit = '25', event, ...options }: WebhooksOptions,
): Promise<Answer | null> {
  const count = parseLimit(limit);
  if (typeof count !== 'number') return count;
  return askService(env, options, async (api) => {
    if (event === undefined) {
      const { data } = await api.webhooks.deliveries(id, { limit: count }).page();
      return { json: { data }, text: attemptTable(data) };
    }
    const delivery = await api.webhooks.delivery(id, event);
    const { payload, attempts } = delivery;
    const body = payload === null ? 'The payload is not stored.' : JSON.stringify(payload, null, 2);
    return { json: delivery, text: `${attemptTable(attempts)}\n\n${body}` };
  });
}

interface Outcome {
  readonly eventId: string;
  readonly delivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/** Bad news where the endpoint did not take it. */
export function testWebhook(
  env: Environment,
  id: string,
  options: ClientOptions,
): Promise<Answer | null> {
  return askService(env, options, async (api) => reportOf(await api.webhooks.test(id)));
}

/** Resends one event of the log, under its own id; a failure is reported as for a test. */
export function resendEvent(
  env: Environment,
  id: string,
  event: string,
  options: ClientOptions,
): Promise<Answer | null> {
  return askService(env, options, async (api) => reportOf(await api.webhooks.resend(id, event)));
}

function reportOf(outcome: Outcome): Report {
  const { delivered, status, error, durationMs, eventId } = outcome;
  const why = [status === null ? null : `status ${status}`, error].filter(Boolean).join(', ');
  const said = delivered ? paint('good', 'Delivered') : paint('bad', 'Not delivered');
  return {
    json: outcome,
    text: `${said} (${why}) in ${durationMs} ms: ${eventId}`,
    exit: delivered ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}
