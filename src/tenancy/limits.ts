/** The numbers of a plan as people write them, checked. */

import type { TenantLimits } from './tenant.ts';
import { PLANS } from './tenant.ts';

export type LimitName = keyof TenantLimits;

export const LIMIT_NAMES = Object.keys(PLANS.starter) as readonly LimitName[];

/** The largest number that may be given for any limit. */
export const LIMIT_MAX = 1_000_000_000;
/** Zero of these would mean nothing: such a tenant is suspended instead. */
const AT_LEAST_ONE: readonly LimitName[] = ['requestsPerMinute', 'retentionDays'];

export function isLimitName(text: string): text is LimitName {
  return LIMIT_NAMES.some((name) => name === text);
}

/** The least number a limit takes. */
export function limitMin(name: LimitName): number {
  return AT_LEAST_ONE.includes(name) ? 1 : 0;
}

/** A number within its bounds, or `unlimited` (null) where that can be; undefined for the rest. */
export function parseLimit(name: LimitName, text: string): number | null | undefined {
  if (text === 'unlimited') return name === 'sessionsPerMonth' ? null : undefined;
  if (!/^\d{1,10}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= limitMin(name) && value <= LIMIT_MAX ? value : undefined;
}
