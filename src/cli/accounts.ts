/** `matchd accounts`: links into the dashboard for who cannot come in by himself (rule D1). */

import { LINK_LIFE_MS, parseEmail } from '../accounts/account.ts';
import { offerReset, offerSetup } from '../runtime/accounts/first-steps.ts';
import type { Answer, Report } from './answer.ts';
import { failed, wrongUsage } from './answer.ts';
import type { Workshop } from './workshop.ts';

const MINUTE_MS = 60_000;

export interface AccountLinkOptions {
  /** Where people reach the service. */
  readonly publicUrl?: string;
}

export async function makeSetup(workshop: Workshop, options: AccountLinkOptions): Promise<Answer> {
  const token = await offerSetup(workshop);
  if (token === null) return failed('There is an account already: see matchd accounts reset');
  return report('setup', token, options, LINK_LIFE_MS.setup);
}

export async function makeReset(
  workshop: Workshop,
  text: string,
  options: AccountLinkOptions,
): Promise<Answer> {
  const email = parseEmail(text);
  if (email === null) return wrongUsage(`${JSON.stringify(text)} is no e-mail address`);
  const token = await offerReset(workshop, email);
  if (token === null) return failed(`There is no account of ${email}`);
  return report('reset', token, options, LINK_LIFE_MS.reset);
}

function report(
  page: string,
  token: string,
  { publicUrl = '' }: AccountLinkOptions,
  lifeMs: number,
): Report {
  const url = `${publicUrl.replace(/\/+$/, '')}/dashboard/${page}#${token}`;
  const minutes = lifeMs / MINUTE_MS;
  return {
    json: { url, expiresInMinutes: minutes },
    text: `${url}\n\nWorks once, for ${minutes} minutes. Whoever has it can use it: hand it over safely.`,
  };
}
