/** Tenants, their plans and their keys. Pure data and what follows from it (rules H6, K1, K2). */

import type { KeyScopes } from './key-scopes.ts';

/** The two worlds of an API key. */
export type KeyMode = 'live' | 'test';

export const PLAN_NAMES = ['starter', 'growth', 'pro', 'enterprise'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

/** The limits of a tenant. Null is no limit. */
export interface TenantLimits {
  /** Requests in a window of 60 s, by mode, all keys together. */
  readonly requestsPerMinute: number;
  /** Live sessions in a calendar month, UTC. */
  readonly sessionsPerMonth: number | null;
  /** Sessions pending or active at once, by mode. */
  readonly openSessions: number;
  /** Sockets open at once, by mode. */
  readonly sockets: number;
  /** Hosted tickets forming or promoted at once, by mode. */
  readonly openTickets: number;
  readonly webhooks: number;
  /** How often a webhook's delivery that failed is retried, within about a day. */
  readonly webhookRetries: number;
  /** Event streams open at once, by mode. */
  readonly eventStreams: number;
  /** How long live sessions' logs and replays are stored, in days. */
  readonly retentionDays: number;
}

export const PLANS: Readonly<Record<PlanName, TenantLimits>> = {
  starter: {
    requestsPerMinute: 60,
    sessionsPerMonth: 1_000,
    openSessions: 500,
    sockets: 1_000,
    openTickets: 200,
    webhooks: 3,
    webhookRetries: 5,
    eventStreams: 2,
    retentionDays: 30,
  },
  growth: {
    requestsPerMinute: 300,
    sessionsPerMonth: 10_000,
    openSessions: 5_000,
    sockets: 10_000,
    openTickets: 2_000,
    webhooks: 10,
    webhookRetries: 8,
    eventStreams: 5,
    retentionDays: 180,
  },
  pro: {
    requestsPerMinute: 600,
    sessionsPerMonth: 100_000,
    openSessions: 50_000,
    sockets: 100_000,
    openTickets: 20_000,
    webhooks: 20,
    webhookRetries: 12,
    eventStreams: 10,
    retentionDays: 400,
  },
  /** Where nothing else is configured for the tenant. */
  enterprise: {
    requestsPerMinute: 1_000_000,
    sessionsPerMonth: null,
    openSessions: 1_000_000,
    sockets: 1_000_000,
    openTickets: 1_000_000,
    webhooks: 100,
    webhookRetries: 12,
    eventStreams: 100,
    retentionDays: 400,
  },
};

export interface Tenant {
  readonly id: string;
  /** The part of the play page's path that names the tenant. */
  readonly slug: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly active: boolean;
  /** What differs from the plan's numbers; only enterprise has any. */
  readonly limits: Partial<TenantLimits>;
  readonly createdAt: number;
}

/** Who creates the session of a rematch that all players agree on (rule K9). */
export type RematchMaker = 'announce' | 'create' | 'off';

/** A tenant's settings for one of its worlds. */
export interface WorldSettings {
  /**
   * `announce`: the tenant's backend, on an event. `create`: the service. `off`: players are
   * offered none.
   */
  readonly rematch: RematchMaker;
}

/** Of a tenant that has changed none. */
export const DEFAULT_SETTINGS: WorldSettings = { rematch: 'announce' };

export function limitsOf(tenant: Tenant): TenantLimits {
  return { ...PLANS[tenant.plan], ...tenant.limits };
}

export interface ApiKey {
  readonly id: string;
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly name: string;
  readonly scopes: KeyScopes;
  /** Serialised origins, one `*.` label allowed; empty restricts nothing. */
  readonly origins: readonly string[];
  /** Are requests without an Origin header refused? */
  readonly requireOrigin: boolean;
  /** The start of the newest secret, e.g. `mk_live_1a2B3c4D`, to recognise the key by. */
  readonly hint: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Written at most once a minute. */
  readonly lastUsedAt: number | null;
}
