/** `matchd healthcheck`: is the service on this machine ready? For containers, which have no other program to ask it. */

import type { Environment } from '../config.ts';
import { type Answer, failed } from './answer.ts';
import { readBase } from './client.ts';

const ANSWER_MS_MAX = 4_000;

export async function checkHealth(env: Environment, url: string | undefined): Promise<Answer> {
  // The public address may lead elsewhere, or nowhere from here.
  const { MATCHD_PORT, MATCHD_HOST } = env;
  const base = readBase({ MATCHD_PORT, MATCHD_HOST }, url);
  if (typeof base !== 'string') return base;
  const response = await fetch(`${base}/readyz`, {
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  }).catch((error: Error) => error);
  if (response instanceof Error) return failed(`${base}: ${response.message}`);
  if (!response.ok) return failed(`${base} is not ready: ${response.status}`);
  return { json: { url: base, ready: true }, text: `${base} is ready` };
}
