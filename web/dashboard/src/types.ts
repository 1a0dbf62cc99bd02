/** The responses of the dashboard's routes, as far as its pages read them. */

export type World = 'live' | 'test';
export type Role = 'owner' | 'developer' | 'support' | 'viewer';

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly nextCursor?: string | null;
}

export interface Me {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  /** One-time codes of an app or a passkey. */
  readonly hasSecondFactor: boolean;
  /** One-time codes of an app. */
  readonly hasTotp: boolean;
  readonly recoveryCodes: number;
  readonly tenants: readonly Place[];
}

export interface Place {
  readonly slug: string;
  readonly name: string;
  readonly plan: string;
  readonly active: boolean;
  readonly role: Role;
}

export interface Step {
  readonly name: string;
  readonly at: string | null;
}

export interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly sessionId?: string;
  readonly timestamp: string;
}

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly status: 'active' | 'expired' | 'revoked';
  readonly origins: readonly string[];
  /** Only `*`: all scopes. */
  readonly scopes: readonly string[];
  readonly requireOrigin: boolean;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  /** Replaced by a rotation and valid until their overlap ends. */
  readonly oldTexts: readonly {
    readonly hint: string;
    readonly expiresAt: string;
    readonly lastUsedAt: string | null;
  }[];
}

export interface KeyAlert {
  readonly id: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly kind: string;
  readonly at: string;
  readonly details: Readonly<Record<string, string | number>>;
}

export interface Verdict {
  readonly platform: string;
  readonly status: string;
  readonly reasons: readonly string[];
}

export interface Session {
  readonly sessionId: string;
  readonly game: string;
  readonly mode: string;
  readonly matchType: string;
  readonly variant: string;
  readonly status: 'pending' | 'active' | 'ended';
  readonly roomCode: string;
  readonly players: readonly {
    readonly id: string | null;
    readonly displayName: string | null;
    readonly seat: number;
    readonly isBot: boolean;
    readonly connected: boolean;
  }[];
  /** For each player whose device was checked; absent if none was. */
  readonly integrityChecks?: readonly (Verdict & { readonly playerId: string | null })[];
  readonly result: {
    readonly winner: string | null;
    readonly winners?: readonly (string | null)[];
    readonly reason: string;
  } | null;
  /** `seed` is null until the end. */
  readonly fairness: {
    readonly commitment: string;
    readonly seed: string | null;
    readonly entropy: string;
  };
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** What a match did to a player's rating. */
export interface RatedMatch {
  readonly at: string;
  readonly sessionId: string;
  readonly before: number;
  readonly after: number;
  readonly outcome: 'win' | 'loss' | 'draw';
}

export interface TimelineRow {
  readonly v: number;
  readonly at: string;
  readonly kind: string;
  readonly seat: number | null;
  readonly detail: unknown;
}

/** What one record drew from the match's seed: each value and its range. */
export interface Chance {
  readonly v: number;
  readonly draws: readonly (readonly [below: number, value: number])[];
}

export interface RequestRow {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string | null;
  readonly tookMs: number;
  readonly keyId: string;
  readonly sessionId: string | null;
}

export interface Usage {
  readonly plan: string;
  readonly month: string;
  readonly from: string;
  readonly to: string;
  /** By limit: its current use; null if this mode does not count it. */
  readonly use: Readonly<Record<string, number | null>>;
  readonly limits: Readonly<Record<string, number | null>>;
  readonly counts: readonly {
    readonly day: string;
    readonly kind: string;
    readonly count: number;
  }[];
  readonly months: readonly {
    readonly month: string;
    readonly kind: string;
    readonly count: number;
  }[];
}

export interface AuditRow {
  readonly n: number;
  readonly at: string;
  readonly actor: string;
  /** The name of a member or key; null for others. */
  readonly name: string | null;
  readonly act: string;
  readonly object: string;
  readonly hash: string;
}

interface Durations {
  /** Null where there was none. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

interface Figures {
  readonly sessions: { readonly created: number; readonly started: number; readonly ended: number };
  readonly requests: Durations & {
    readonly total: number;
    readonly succeeded: number;
    readonly refused: number;
    readonly limited: number;
    readonly failed: number;
  };
  readonly moves: Durations & { readonly total: number };
  readonly queueWaits: Durations & { readonly total: number };
  readonly webhooks: Durations & { readonly delivered: number; readonly failed: number };
}

/** A limit of the plan; null for none. */
export interface Used {
  readonly used: number;
  readonly limit: number | null;
}

export interface Anomaly {
  readonly kind: string;
  readonly severity: 'critical' | 'warning';
  readonly message: string;
  readonly since: string | null;
  readonly target: {
    readonly type: 'webhook' | 'requests' | 'sessions' | 'usage';
    readonly id: string | null;
  };
}

export interface MetricSummary extends Figures {
  readonly from: string;
  readonly to: string;
  readonly now: { readonly matchesInPlay: number; readonly playersConnected: number };
  readonly usage: { readonly sessionsThisMonth: Used | null; readonly openSessions: Used };
  readonly anomalies: readonly Anomaly[];
}

export interface MetricPoint extends Figures {
  readonly at: string;
  readonly matchesInPlay: number;
  readonly playersConnected: number;
}

export interface MetricSeries {
  readonly step: string;
  readonly data: readonly MetricPoint[];
}
