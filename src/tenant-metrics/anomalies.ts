/** What in a tenant's figures needs a look, in words. */

import { type Figures, mergeTimes } from './figures.ts';
import { countOf, quantileOf } from './histogram.ts';

const ANOMALY_KINDS = [
  'webhook_disabled',
  'webhook_failing',
  'server_errors',
  'refused_requests',
  'limited_requests',
  'slow_moves',
  'month_sessions',
  'open_sessions',
] as const;
export type AnomalyKind = (typeof ANOMALY_KINDS)[number];
const ANOMALY_SEVERITIES = ['critical', 'warning'] as const;
const ANOMALY_TARGETS = ['webhook', 'requests', 'sessions', 'usage'] as const;

export interface Anomaly {
  readonly kind: AnomalyKind;
  readonly severity: (typeof ANOMALY_SEVERITIES)[number];
  readonly message: string;
  /** Ms since 1970; null where it is not known. */
  readonly since: number | null;
  readonly value: number | null;
  readonly target: {
    readonly type: (typeof ANOMALY_TARGETS)[number];
    readonly id: string | null;
  };
}

export interface WatchedWebhook {
  readonly id: string;
  readonly url: string;
  readonly disabled: 'paused' | 'gone' | 'failing' | null;
  readonly failingSince: number | null;
}

/** A limit of the plan; null for none. */
export interface Use {
  readonly used: number;
  readonly limit: number | null;
}

/** One whole minute. */
export interface WatchedMinute {
  readonly at: number;
  readonly figures: Figures;
}

export interface Watched {
  /** Ms since 1970. */
  readonly now: number;
  /** Those of the last hour, the oldest first, without a gap. */
  readonly minutes: readonly WatchedMinute[];
  readonly webhooks: readonly WatchedWebhook[];
  /** Null in test mode. */
  readonly monthSessions: Use | null;
  readonly openSessions: Use;
}

/** The present: the last minutes that are examined. */
const RECENT_MINUTES = 15;
/** Of fewer a share says nothing. */
const REQUESTS_MIN = 20;
const MOVES_MIN = 50;
/** Shares of requests, in percent. */
const FAILED_PERCENT = 1;
const FAILED_CRITICAL_PERCENT = 10;
const REFUSED_PERCENT = 20;
/** A player who waits longer notices it. */
const SLOW_MOVE_MS = 500;
/** Shares of a limit, in percent. */
const NEAR_LIMIT_PERCENT = 80;

/** The most severe first. */
export function findAnomalies(watched: Watched): readonly Anomaly[] {
  const found = [
    ...watched.webhooks.flatMap((webhook) => webhookAnomaly(webhook, watched.now)),
    ...requestAnomalies(watched),
    ...moveAnomalies(watched),
    ...useAnomalies(watched),
  ];
  const rankOf = ({ severity }: Anomaly) => ANOMALY_SEVERITIES.indexOf(severity);
  return found.sort((a, b) => rankOf(a) - rankOf(b));
}

function webhookAnomaly(
  { id, url, disabled, failingSince }: WatchedWebhook,
  now: number,
): readonly Anomaly[] {
  // The path after the host may contain a secret.
  const name = `Webhook ${new URL(url).host}`;
  const target = { type: 'webhook', id } as const;
  if (disabled === 'gone' || disabled === 'failing') {
    const why = disabled === 'gone' ? 'it answered 410' : 'it only failed for days';
    const message = `${name} is disabled: ${why}.`;
    const of = { since: failingSince, value: null, target };
    return [{ kind: 'webhook_disabled', severity: 'critical', message, ...of }];
  }
  if (failingSince === null || disabled !== null) return [];
  const message = `${name} has failed since ${clockTime(failingSince, now)}.`;
  return [
    {
      kind: 'webhook_failing',
      severity: 'critical',
      message,
      since: failingSince,
      value: null,
      target,
    },
  ];
}

function requestAnomalies({ minutes, now }: Watched): readonly Anomaly[] {
  const { counts } = mergeTimes(minutes.slice(-RECENT_MINUTES).map(({ figures }) => figures));
  const all = counts.succeeded + counts.refused + counts.limited + counts.failed;
  const found: Anomaly[] = [];
  const target = { type: 'requests', id: null } as const;
  const failed = percentOf(counts.failed, all);
  if (all >= REQUESTS_MIN && failed >= FAILED_PERCENT) {
    const since = beginOf(minutes, ({ figures }) => figures.counts.failed > 0);
    found.push({
      kind: 'server_errors',
      severity: failed >= FAILED_CRITICAL_PERCENT ? 'critical' : 'warning',
      message: `Error rate ${shown(failed)} % since ${clockTime(since, now)}: requests are answered with 5xx.`,
      since,
      value: shown(failed),
      target,
    });
  }
  const refused = percentOf(counts.refused, all);
  if (all >= REQUESTS_MIN && refused >= REFUSED_PERCENT) {
    const since = beginOf(minutes, ({ figures }) => figures.counts.refused > 0);
    found.push({
      kind: 'refused_requests',
      severity: 'warning',
      message: `${shown(refused)} % of requests are refused with 4xx since ${clockTime(since, now)}.`,
      since,
      value: shown(refused),
      target,
    });
  }
  if (counts.limited > 0) {
    const since = beginOf(minutes, ({ figures }) => figures.counts.limited > 0);
    found.push({
      kind: 'limited_requests',
      severity: 'warning',
      message: `A limit of the plan has refused ${counts.limited} requests since ${clockTime(since, now)}.`,
      since,
      value: counts.limited,
      target: { type: 'usage', id: null },
    });
  }
  return found;
}

function moveAnomalies({ minutes, now }: Watched): readonly Anomaly[] {
  const { moves } = mergeTimes(
    minutes.slice(-RECENT_MINUTES).map(({ figures }) => figures),
  ).timings;
  if (moves === null || countOf(moves) < MOVES_MIN) return [];
  const p99 = quantileOf(moves, 0.99)!;
  if (p99 < SLOW_MOVE_MS) return [];
  const isSlow = ({ figures }: WatchedMinute) =>
    figures.timings.moves !== null && quantileOf(figures.timings.moves, 0.99)! >= SLOW_MOVE_MS;
  const since = beginOf(minutes, isSlow);
  return [
    {
      kind: 'slow_moves',
      severity: 'warning',
      message: `Moves are slow since ${clockTime(since, now)}: one in 100 waits ${Math.round(p99)} ms or more.`,
      since,
      value: p99,
      target: { type: 'sessions', id: null },
    },
  ];
}

function useAnomalies({ monthSessions, openSessions }: Watched): readonly Anomaly[] {
  return [
    ...useAnomaly('month_sessions', 'sessions of this month', monthSessions),
    ...useAnomaly('open_sessions', 'open sessions', openSessions),
  ];
}

function useAnomaly(
  kind: 'month_sessions' | 'open_sessions',
  what: string,
  use: Use | null,
): readonly Anomaly[] {
  if (use === null || use.limit === null) return [];
  const { used, limit } = use;
  const percent = limit === 0 ? 100 : Math.floor((used * 100) / limit);
  if (percent < NEAR_LIMIT_PERCENT) return [];
  return [
    {
      kind,
      severity: used >= limit ? 'critical' : 'warning',
      message: `Usage is at ${percent} % of the plan's ${what}: ${used} of ${limit}.`,
      since: null,
      value: percent,
      target: { type: 'usage', id: null },
    },
  ];
}

// ── times and shares ───────────────────────────────────────────────────────────────────────────

/**
 * The first minute of the current trouble: a pause shorter than the recent span does not end it.
 */
function beginOf(
  minutes: readonly WatchedMinute[],
  isBad: (minute: WatchedMinute) => boolean,
): number {
  let begin = minutes.length - 1;
  let quiet = 0;
  for (let at = minutes.length - 1; at >= 0 && quiet < RECENT_MINUTES; at--) {
    if (!isBad(minutes[at]!)) quiet += 1;
    else {
      begin = at;
      quiet = 0;
    }
  }
  return minutes[begin]!.at;
}

/** Not rounded: limits are compared with this value. */
function percentOf(part: number, all: number): number {
  return all === 0 ? 0 : (part * 100) / all;
}

/** In tenths below 10 %, else whole. Never rounded up, so that it shows no limit as reached that is not. */
function shown(percent: number): number {
  return percent < 10 ? Math.floor(percent * 10) / 10 : Math.floor(percent);
}

const DAY_MS = 86_400_000;

/** `14:02 UTC`; of more than a day ago with its day. */
function clockTime(at: number, now: number): string {
  const text = new Date(at).toISOString();
  const time = `${text.slice(11, 16)} UTC`;
  return now - at < DAY_MS ? time : `${text.slice(0, 10)} ${time}`;
}
