/** `matchd trigger`: has the service write an event of test mode that nothing is behind. */

import type { Environment } from '../../config.ts';
import { EVENT_TYPES } from '../../events/event.ts';
import type { Answer } from '../terminal/answer.ts';
import { failed, isRefusal, wrongUsage } from '../terminal/answer.ts';
import type { ClientOptions } from './client.ts';
import { readClient } from './client.ts';

export async function trigger(
  env: Environment,
  type: string,
  options: ClientOptions,
): Promise<Answer> {
  if (!EVENT_TYPES.some((each) => each === type)) {
    return wrongUsage(
      `There is no event ${JSON.stringify(type)}. Valid: ${EVENT_TYPES.join(', ')}`,
    );
  }
  const client = await readClient(env, options);
  if (isRefusal(client)) return client;
  const response = await fetch(`${client.base}/v1/events/trigger`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type }),
  }).catch((error: Error) => error);
  if (response instanceof Error) return failed(`${client.base}: ${response.message}`);
  const body = (await response.json().catch(() => ({}))) as {
    readonly eventId?: string;
    readonly error?: string;
  };
  if (!response.ok) return failed(`${client.base} answers ${response.status}: ${body.error ?? ''}`);
  return { json: { eventId: body.eventId, type }, text: `${type} ${body.eventId}` };
}
