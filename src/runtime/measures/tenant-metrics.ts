/** A node's metrics of tenants' worlds: collected in memory, written to the store once a minute (rule D14). */

import type { SessionRow, SessionStore } from '../../store/store.ts';
import type { NodeMinute, TenantMetricStore, WorldCount } from '../../store/tenant-metrics.ts';
import type { Webhook } from '../../store/webhooks.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import {
  type CountName,
  type Figures,
  isEmpty,
  makeFigures,
  printFigures,
  type TimingName,
  timingOf,
} from '../../tenant-metrics/figures.ts';
import { bucketOf } from '../../tenant-metrics/histogram.ts';
import { dueBefore, floorTo, LEVELS } from '../../tenant-metrics/spans.ts';
import type { Clock } from '../ports.ts';
import { removeInSteps } from '../sweep-steps.ts';

const MINUTE_MS = 60_000;
/** Minutes held while the store fails; above this the oldest are dropped. */
const HELD_MINUTES_MAX = 30;
/** Rows folded in one transaction. */
const STEP = 500;

/** Connected players of this node, by world. */
export type PlayerCounts = () => readonly WorldCount[];

type SessionCount = Extract<CountName, `session${string}`>;

export interface TenantMetrics {
  /** A duration in milliseconds. */
  observe(tenant: string, world: KeyMode, name: TimingName, ms: number): void;
  /** A response to a request with a key. */
  request(tenant: string, world: KeyMode, status: number, ms: number): void;
  /** A request to a webhook's endpoint was answered, or failed. */
  attempt(webhook: Pick<Webhook, 'tenant' | 'mode'>, isDelivered: boolean, ms: number): void;
  /** A session of a world: training is not counted. */
  session(row: Pick<SessionRow, 'tenant' | 'mode'>, name: SessionCount): void;
  /** Players waited this long for their match, in milliseconds. */
  waited(row: Pick<SessionRow, 'tenant' | 'mode'>, ms: number): void;
  /**
   * Writes the finished minutes, all worlds in one statement; with `isLast` the current one, too. To be called
   * every second. Returns whether a minute was finished; a failed write is retried.
   */
  flush(players: PlayerCounts, isLast?: boolean): Promise<boolean>;
  /** Aggregates and removes old rows. Returns how many were removed. */
  sweep(signal?: AbortSignal): Promise<number>;
  /** Dropped minutes since the start. */
  dropped(): number;
}

interface Deps {
  readonly store: TenantMetricStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly node: string;
}

type Worlds = Map<string, Map<KeyMode, Figures>>;

interface Minute {
  readonly at: number;
  readonly rows: readonly NodeMinute[];
}

export function makeTenantMetrics(deps: Deps): TenantMetrics {
  const { store, clock } = deps;
  let at = floorTo(clock.now(), MINUTE_MS);
  let worlds: Worlds = new Map();
  let held: Minute[] = [];
  let droppedCount = 0;
  const close = async (players: PlayerCounts): Promise<void> => {
    const closed = { at, worlds };
    at = floorTo(clock.now(), MINUTE_MS);
    worlds = new Map();
    setGauge(closed.worlds, 'playersConnected', players());
    // Without the lost counts the rest of the minute is still valid.
    setGauge(closed.worlds, 'matchesInPlay', await store.countActive().catch(() => []));
    const rows = rowsOf(closed.worlds, closed.at, deps.node);
    if (rows.length > 0) held.push({ at: closed.at, rows });
    droppedCount += Math.max(0, held.length - HELD_MINUTES_MAX);
    held = held.slice(-HELD_MINUTES_MAX);
  };
  return {
    observe(tenant, world, name, ms) {
      timingOf(figuresOf(worlds, tenant, world), name)[bucketOf(ms)]! += 1;
    },
    request(tenant, world, status, ms) {
      const figures = figuresOf(worlds, tenant, world);
      figures.counts[outcomeOf(status)] += 1;
      timingOf(figures, 'requests')[bucketOf(ms)]! += 1;
    },
    attempt({ tenant, mode }, isDelivered, ms) {
      const figures = figuresOf(worlds, tenant, mode);
      figures.counts[isDelivered ? 'delivered' : 'undelivered'] += 1;
      timingOf(figures, 'deliveries')[bucketOf(ms)]! += 1;
    },
    session({ tenant, mode }, name) {
      if (mode !== 'training') figuresOf(worlds, tenant, mode).counts[name] += 1;
    },
    waited({ tenant, mode }, ms) {
      if (mode === 'training') return;
      timingOf(figuresOf(worlds, tenant, mode), 'queueWaits')[bucketOf(ms)]! += 1;
    },
    async flush(players, isLast = false) {
      const isOver = isLast || floorTo(clock.now(), MINUTE_MS) > at;
      if (isOver) await close(players);
      if (held.length > 0) {
        const taken = held;
        await store.addMinutes(taken.flatMap(({ rows }) => rows));
        held = held.filter((minute) => !taken.includes(minute));
      }
      return isOver;
    },
    async sweep(signal) {
      const now = clock.now();
      return removeInSteps(
        clock,
        LEVELS,
        (level) => {
          const { stepMs, intoMs } = level;
          return store.foldMetrics({ stepMs, intoMs, before: dueBefore(level, now), limit: STEP });
        },
        signal,
      );
    },
    dropped: () => droppedCount,
  };
}

function outcomeOf(status: number): CountName {
  if (status >= 500) return 'failed';
  if (status === 429) return 'limited';
  return status >= 400 ? 'refused' : 'succeeded';
}

function figuresOf(worlds: Worlds, tenant: string, world: KeyMode): Figures {
  const known = worlds.get(tenant)?.get(world);
  if (known !== undefined) return known;
  const both = worlds.get(tenant) ?? new Map<KeyMode, Figures>();
  const figures = makeFigures();
  worlds.set(tenant, both.set(world, figures));
  return figures;
}

function setGauge(
  worlds: Worlds,
  name: keyof Figures['gauges'],
  counts: readonly WorldCount[],
): void {
  for (const { tenant, mode, n } of counts) figuresOf(worlds, tenant, mode).gauges[name] = n;
}

function rowsOf(worlds: Worlds, at: number, node: string): NodeMinute[] {
  const rows: NodeMinute[] = [];
  for (const [tenant, both] of worlds) {
    for (const [mode, figures] of both) {
      if (!isEmpty(figures)) rows.push({ tenant, mode, node, at, figures: printFigures(figures) });
    }
  }
  return rows;
}

/** The same store, which counts the sessions created in it. */
export function countCreated<S extends Pick<SessionStore, 'createSession'>>(
  store: S,
  metrics: Pick<TenantMetrics, 'session'>,
): S {
  const createSession: SessionStore['createSession'] = async (made) => {
    const outcome = await store.createSession(made);
    if (typeof outcome === 'object') metrics.session(made.row, 'sessionsCreated');
    return outcome;
  };
  return { ...store, createSession };
}
