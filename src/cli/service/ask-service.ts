/** What the commands that ask a running service by the SDK have in common. */

import { createMatchd, type Matchd, MatchdError } from '../../../sdk/src/server/index.ts';
import type { Environment } from '../../config.ts';
import { type Answer, failed, isRefusal, type Refusal, wrongUsage } from '../terminal/answer.ts';
import { type ClientOptions, readClient } from './client.ts';

const LIMIT_MAX = 100;

/** What the service refuses becomes the command's own refusal. */
export async function askService(
  env: Environment,
  options: ClientOptions,
  work: (api: Matchd, base: string) => Promise<Answer | null>,
): Promise<Answer | null> {
  const client = await readClient(env, options);
  if (isRefusal(client)) return client;
  try {
    return await work(createMatchd({ url: client.base, key: client.key }), client.base);
  } catch (error) {
    if (error instanceof MatchdError) return failed(`${client.base}: ${error.message}`);
    throw error;
  }
}

/** The number of rows requested from a list. */
export function parseLimit(text: string): number | Refusal {
  const count = Number(text);
  const isCount = Number.isInteger(count) && count >= 1 && count <= LIMIT_MAX;
  return isCount ? count : wrongUsage(`--limit: expected 1 to ${LIMIT_MAX}`);
}
