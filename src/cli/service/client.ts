/** What the commands that speak with a running service have in common: where it is, and with which key. */

import { existsSync, readFileSync } from 'node:fs';
import type { Environment } from '../../config.ts';
import { readConfig, SETTINGS } from '../../config.ts';
import { localUrl } from '../start/local-url.ts';
import { findService } from '../start/service-file.ts';
import type { DevKeys } from '../store/dev-tenant.ts';
import { devKeysFile } from '../store/dev-tenant.ts';
import { readDataDir } from '../store/workshop.ts';
import type { Refusal } from '../terminal/answer.ts';
import { failed, wrongUsage } from '../terminal/answer.ts';

/** As they were typed. */
export interface ClientOptions {
  readonly url?: string;
  readonly key?: string;
  readonly data?: string;
}

export interface Client {
  /** Without a slash at its end. */
  readonly base: string;
  readonly key: string;
}

/**
 * As it was typed; else the service that runs on the data folder, with the demo tenant's test key. That
 * key goes to no other service.
 */
export async function readClient(
  env: Environment,
  options: ClientOptions,
): Promise<Client | Refusal> {
  const dataDir = readDataDir(env, options.data);
  if (typeof dataDir !== 'string') return dataDir;
  const base = await findBase(env, options, dataDir);
  if (typeof base !== 'string') return base;
  if (options.key !== undefined) return { base, key: options.key };
  const file = devKeysFile(dataDir);
  if (!existsSync(file)) {
    return failed(`No development keys at ${file}: use --key`);
  }
  const { testKey } = JSON.parse(readFileSync(file, 'utf8')) as DevKeys;
  return { base, key: testKey };
}

async function findBase(
  env: Environment,
  { url, key, data }: ClientOptions,
  dataDir: string,
): Promise<string | Refusal> {
  if (url !== undefined) return parseBase(url);
  const service = await findService(dataDir);
  if (service !== null) return service.url;
  const publicUrl = env[SETTINGS.publicUrl.env] ?? '';
  if (data === undefined && publicUrl !== '') return parseBase(publicUrl);
  if (data === undefined && key !== undefined) return usualBase(env);
  return failed(`No service runs on ${dataDir}: start it, or use --url`);
}

/** Where the settings have a service listen. */
export function usualBase(env: Environment): string | Refusal {
  const { MATCHD_PORT, MATCHD_HOST } = env;
  const reading = readConfig({ MATCHD_PORT, MATCHD_HOST }, {});
  if (!reading.ok) return wrongUsage(reading.problems.join('\n'));
  return localUrl(reading.config.host, reading.config.port);
}

/** An http or https URL without a slash at its end. */
export function parseBase(text: string): string | Refusal {
  return isHttpUrl(text)
    ? new URL(text).href.replace(/\/$/, '')
    : wrongUsage(`${JSON.stringify(text)} is not a URL`);
}

export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}
