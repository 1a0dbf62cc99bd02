/** What the commands that speak with a running service have in common: where it is, and with which key. */

import { existsSync, readFileSync } from 'node:fs';
import type { Environment } from '../config.ts';
import { readConfig } from '../config.ts';
import type { Refusal } from './answer.ts';
import { failed, wrongUsage } from './answer.ts';
import type { DevKeys } from './dev-tenant.ts';
import { devKeysFile } from './dev-tenant.ts';
import { readDataDir } from './workshop.ts';

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

/** By default the service of `matchd dev` on this machine, with the demo tenant's test key. */
export function readClient(env: Environment, options: ClientOptions): Client | Refusal {
  const base = readBase(env, options.url);
  if (typeof base !== 'string') return base;
  if (options.key !== undefined) return { base, key: options.key };
  const dataDir = readDataDir(env, options.data);
  if (typeof dataDir !== 'string') return dataDir;
  const file = devKeysFile(dataDir);
  if (!existsSync(file)) {
    return failed(`There are no development keys at ${file}: give a key with --key`);
  }
  const { testKey } = JSON.parse(readFileSync(file, 'utf8')) as DevKeys;
  return { base, key: testKey };
}

/** As it was asked for, else the public address, else where the settings have the service listen. */
export function readBase(env: Environment, asked: string | undefined): string | Refusal {
  const text = asked ?? env['MATCHD_PUBLIC_URL'] ?? '';
  if (text !== '') return parseBase(text) ?? wrongUsage(`${JSON.stringify(text)} is no URL`);
  const { MATCHD_PORT, MATCHD_HOST } = env;
  const reading = readConfig({ MATCHD_PORT, MATCHD_HOST }, {});
  if (!reading.ok) return wrongUsage(reading.problems.join('\n'));
  const { host, port } = reading.config;
  // To listen everywhere is to be found here, too.
  const where = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${where.includes(':') ? `[${where}]` : where}:${port}`;
}

/** An http or https URL without a slash at its end; null for anything else. */
function parseBase(text: string): string | null {
  return isHttpUrl(text) ? new URL(text).href.replace(/\/$/, '') : null;
}

export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}
