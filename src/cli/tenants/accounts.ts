/**
 * `matchd accounts`: links into the dashboard for users who cannot sign in by themselves (rule D1).
 */

import { existsSync } from 'node:fs';
import { LINK_LIFE_MS, parseEmail } from '../../accounts/account.ts';
import type { Environment } from '../../config.ts';
import { readConfig, SETTINGS } from '../../config.ts';
import { offerReset, offerSetup } from '../../runtime/accounts/first-steps.ts';
import { usualBase } from '../service/client.ts';
import { findService } from '../start/service-file.ts';
import { devKeysFile } from '../store/dev-tenant.ts';
import { readPlace, type Workshop } from '../store/workshop.ts';
import type { Answer, Refusal, Report } from '../terminal/answer.ts';
import { failed, isRefusal, wrongUsage } from '../terminal/answer.ts';

const MINUTE_MS = 60_000;

export interface AccountLinkOptions {
  /** Where people reach the service; by default as the environment says, or the service itself. */
  readonly publicUrl?: string;
  readonly data?: string;
  readonly store?: string;
}

export async function makeSetup(
  workshop: Workshop,
  env: Environment,
  options: AccountLinkOptions,
): Promise<Answer> {
  const address = await findAddress(env, options);
  if (isRefusal(address)) return address;
  const token = await offerSetup(workshop);
  if (token === null) return failed('An account already exists: see matchd accounts reset');
  return report('setup', token, address, LINK_LIFE_MS.setup);
}

export async function makeReset(
  workshop: Workshop,
  env: Environment,
  text: string,
  options: AccountLinkOptions,
): Promise<Answer> {
  const email = parseEmail(text);
  if (email === null) return wrongUsage(`${JSON.stringify(text)} is not an e-mail address`);
  const address = await findAddress(env, options);
  if (isRefusal(address)) return address;
  const token = await offerReset(workshop, email);
  if (token === null) return failed(`There is no account of ${email}`);
  return report('reset', token, address, LINK_LIFE_MS.reset);
}

interface Address {
  readonly publicUrl: string;
}

/** Found before a link is made: a new one voids the one before it. */
async function findAddress(
  env: Environment,
  options: AccountLinkOptions,
): Promise<Address | Refusal> {
  const { env: variable, flag, expects } = SETTINGS.publicUrl;
  const { publicUrl } = options;
  // The other settings are not for these links, and may be wrong or half set without stopping them.
  const reading = readConfig(
    { [variable]: env[variable] },
    publicUrl === undefined ? {} : { publicUrl },
  );
  if (!reading.ok) return wrongUsage(reading.problems.join('\n'));
  const found = reading.config.publicUrl ?? (await addressOnFolder(env, options));
  if (found === null) return wrongUsage(`A link needs ${flag} or ${variable}: ${expects}`);
  return typeof found === 'string' ? { publicUrl: found } : found;
}

/** That of the service on the data folder; where none runs on one for development, where it would. */
async function addressOnFolder(
  env: Environment,
  options: AccountLinkOptions,
): Promise<string | Refusal | null> {
  const place = readPlace(env, options);
  if (isRefusal(place)) return place;
  // Which nodes serve from a shared database is not known from a folder.
  if (place.store !== null) return null;
  const service = await findService(place.dataDir);
  if (service !== null) return service.publicUrl;
  return existsSync(devKeysFile(place.dataDir)) ? usualBase(env) : null;
}

function report(page: string, token: string, { publicUrl }: Address, lifeMs: number): Report {
  const url = `${publicUrl}/dashboard/${page}#${token}`;
  const minutes = lifeMs / MINUTE_MS;
  return {
    json: { url, expiresInMinutes: minutes },
    text: `${url}\n\nWorks once, for ${minutes} minutes. Anybody with the link can use it: send it safely.`,
  };
}
