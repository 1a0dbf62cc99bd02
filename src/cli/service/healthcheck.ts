/** `matchd healthcheck`: is the service on this machine ready? For containers, which have no other program to ask it. */

import type { Environment } from '../../config.ts';
import { findService } from '../start/service-file.ts';
import { readDataDir } from '../store/workshop.ts';
import { type Answer, failed, type Refusal } from '../terminal/answer.ts';
import { parseBase, usualBase } from './client.ts';

const ANSWER_MS_MAX = 4_000;

export interface HealthcheckOptions {
  readonly url?: string;
  readonly data?: string;
}

export async function checkHealth(env: Environment, options: HealthcheckOptions): Promise<Answer> {
  const base = await findBase(env, options);
  if (typeof base !== 'string') return base;
  const response = await fetch(`${base}/readyz`, {
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  }).catch((error: Error) => error);
  if (response instanceof Error) return failed(`${base}: ${response.message}`);
  if (!response.ok) return failed(`${base} is not ready: ${response.status}`);
  return { json: { url: base, ready: true }, text: `${base} is ready` };
}

/** The public address may lead elsewhere, or nowhere from here. */
async function findBase(
  env: Environment,
  { url, data }: HealthcheckOptions,
): Promise<string | Refusal> {
  if (url !== undefined) return parseBase(url);
  const dataDir = readDataDir(env, data);
  if (typeof dataDir !== 'string') return dataDir;
  const service = await findService(dataDir);
  if (service !== null) return service.url;
  return data === undefined ? usualBase(env) : failed(`No service runs on ${dataDir}`);
}
