/** The periodic work of a process: heartbeat, waking, unloading, sweeping. */

import type { Log } from './log.ts';
import type { KeyRing } from './runtime/access/key-ring.ts';
import { KEY_WATCH_MS, type KeyWatch } from './runtime/access/key-watch.ts';
import type { TenancyMemory } from './runtime/access/tenancy-watch.ts';
import { makeTenancyWatch } from './runtime/access/tenancy-watch.ts';
import { endRemovedSessions } from './runtime/access/tenant-removal.ts';
import type { AccountService } from './runtime/accounts/account-service.ts';
import { makeAnchorEvents } from './runtime/audit/anchor-events.ts';
import type { Audit } from './runtime/audit/open-audit.ts';
import type { Changes, WorldChanges } from './runtime/events/changes.ts';
import type { MatchHost } from './runtime/host/match-host.ts';
import type { MakeId } from './runtime/ids.ts';
import { sweepIntegrity } from './runtime/integrity/sweep.ts';
import { settleAll } from './runtime/limits/calls.ts';
import type { Limits } from './runtime/limits/limits.ts';
import type { LogLimiter } from './runtime/limits/log-limiter.ts';
import type { StreamCensus } from './runtime/limits/stream-census.ts';
import { makePeaks, PEAK_MS } from './runtime/measures/peaks.ts';
import type { RequestLog } from './runtime/measures/request-log.ts';
import type { PlayerCounts, TenantMetrics } from './runtime/measures/tenant-metrics.ts';
import type { Cancel, Clock } from './runtime/ports.ts';
import type { SessionService } from './runtime/sessions/session-service.ts';
import {
  makeGuestSweep,
  sweepAll,
  sweepAnswers,
  sweepEvents,
  sweepMetadata,
  sweepResponses,
  sweepSessions,
  sweepTickets,
} from './runtime/sweeper.ts';
import type { PeakSample } from './store/journal.ts';
import type { Store } from './store/whole-store.ts';

/** How often the service looks after itself, in milliseconds. */
const MAINTENANCE_MS = 1_000;
/** How often expired data is removed, in milliseconds. */
const SWEEP_MS = 60_000;
/** How often it is looked whether a day's anchor of the audit is missing, in milliseconds. */
const ANCHOR_MS = 600_000;

export interface ChoreDeps {
  readonly store: Store;
  readonly host: MatchHost;
  readonly keys: KeyRing;
  /** What else remembers tenants. */
  readonly access: TenancyMemory;
  readonly webhooks: TenancyMemory;
  readonly streams: StreamCensus;
  readonly limits: Pick<Limits, 'maintain' | 'sweep'>;
  readonly requests: RequestLog;
  readonly changes: Pick<Changes, 'markAll' | 'take'>;
  readonly tenantMetrics: Pick<TenantMetrics, 'flush' | 'sweep'>;
  readonly keyWatch: Pick<KeyWatch, 'look' | 'sweep'>;
  readonly logLimiter: Pick<LogLimiter, 'sweep'>;
  readonly accounts: Pick<AccountService, 'sweep'>;
  readonly audit: Pick<Audit, 'maintain' | 'anchorsOf'>;
  /** Ends those of a tenant that is removed. */
  readonly sessions: Pick<SessionService, 'end'>;
  /** Closes sockets that may not stay open. */
  readonly sockets: {
    maintain(): Promise<void>;
    counts(): PeakSample['sockets'];
    players: PlayerCounts;
  };
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly log: Log;
  readonly node: string;
  /** The additional work of a node in a cluster; its leases are its heartbeat. */
  readonly clusterParts?: {
    maintain(): Promise<void>;
    notifyChanged(changes: WorldChanges): void;
  } | null;
}

export interface Chores {
  /** Starts no more of them and waits for those under way. */
  stop(): Promise<void>;
}

export function startChores(deps: ChoreDeps): Chores {
  const { store, host, keys, access, webhooks, streams, sockets, clock, log, node, clusterParts } =
    deps;
  const stopping = new AbortController();
  const sweeps = makeSweeps(deps, stopping.signal);
  const peaks = makePeaks(store, sockets, clock, node);
  const writeAnchorEvents = makeAnchorEvents(deps);
  const tenancy = makeTenancyWatch(store, [keys, access, webhooks]);
  // What is open is looked at with what is known by then.
  const open = makeFollower(log, 'sockets', () =>
    settleAll([streams.maintain(), sockets.maintain()]),
  );
  const takeOver = makeTakeOver(host, log);
  // A process that dies is taken for one that served until its last heartbeat, all that was left to it.
  const beat = async (): Promise<void> => {
    if (takeOver.isDone() && !host.isLostTimeDue()) await store.heartbeat(node, clock.now());
  };
  const running = [
    repeat(clock, log, MAINTENANCE_MS, 'heartbeat', () => clusterParts?.maintain() ?? beat()),
    repeat(clock, log, MAINTENANCE_MS, 'take-over', takeOver.act, 0),
    repeat(clock, log, MAINTENANCE_MS, 'maintain', () => host.maintain()),
    repeat(clock, log, MAINTENANCE_MS, 'requests', () => deps.requests.flush()),
    repeat(clock, log, MAINTENANCE_MS, 'changes', async () => {
      clusterParts?.notifyChanged(deps.changes.take());
    }),
    repeat(clock, log, MAINTENANCE_MS, 'tenant metrics', async () => {
      const isOver = await deps.tenantMetrics.flush(sockets.players);
      if (isOver) deps.changes.markAll('metrics');
    }),
    repeat(clock, log, MAINTENANCE_MS, 'suppressed log lines', async () => deps.logLimiter.sweep()),
    repeat(clock, log, MAINTENANCE_MS, 'limits', async () => deps.limits.maintain()),
    // Waits for nothing else: within two seconds of a change nothing old is known of tenants and keys (K2).
    repeat(clock, log, MAINTENANCE_MS, 'tenancy', async () => {
      await tenancy.look().finally(() => open.follow());
    }),
    // Also while that look hangs: keys expire of themselves.
    repeat(clock, log, MAINTENANCE_MS, 'sockets', async () => open.begin()),
    repeat(clock, log, MAINTENANCE_MS, 'keys', () => keys.recordUses()),
    repeat(clock, log, MAINTENANCE_MS, 'removals', () => endRemovedSessions(store, deps.sessions)),
    repeat(clock, log, PEAK_MS, 'peaks', () => peaks.sample()),
    repeat(clock, log, SWEEP_MS, 'audit', () => deps.audit.maintain()),
    repeat(clock, log, KEY_WATCH_MS, 'key watch', () => deps.keyWatch.look()),
    repeat(
      clock,
      log,
      ANCHOR_MS,
      'anchors',
      async () => {
        const events = await writeAnchorEvents();
        if (events > 0) log.info({ events }, 'anchors of the audit were written as events');
      },
      SWEEP_MS,
    ),
    repeat(clock, log, SWEEP_MS, 'sweep', async () => {
      const onError = (err: unknown, what: string): void => log.error({ err, what }, 'not swept');
      const swept = await sweepAll(sweeps, onError, stopping.signal);
      if (Object.values(swept).some((count) => count > 0)) log.info(swept, 'swept');
    }),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running.map((chore) => chore.stop()));
      await open.stop();
    },
  };
}

function makeSweeps(
  { store, clock, requests, tenantMetrics, keyWatch, accounts, limits }: ChoreDeps,
  signal: AbortSignal,
) {
  return {
    sessions: () => sweepSessions(store, clock, signal),
    answers: () => sweepAnswers(store, clock, signal),
    guests: makeGuestSweep(store, clock, signal),
    events: () => sweepEvents(store, clock, signal),
    checks: () => sweepIntegrity(store, clock, signal),
    tickets: () => sweepTickets(store, clock, signal),
    responses: () => sweepResponses(store, clock, signal),
    metadata: () => sweepMetadata(store, clock, signal),
    requests: () => requests.sweep(signal),
    tenantMetrics: () => tenantMetrics.sweep(signal),
    keyWatch: () => keyWatch.sweep(),
    logins: () => accounts.sweep(),
    windows: () => limits.sweep(),
  };
}

/** Takes over what processes before this one left: until that has gone well once. */
function makeTakeOver(host: MatchHost, log: Log) {
  let isDone = false;
  return {
    isDone: () => isDone,
    async act(): Promise<void> {
      if (isDone) return;
      const sessions = await host.recover();
      isDone = true;
      if (sessions > 0) log.info({ sessions }, 'took over sessions');
    },
  };
}

/** Is begun by other chores, never twice at once. A failure is logged and not the end. */
function makeFollower(log: Log, name: string, act: () => Promise<void>) {
  let underWay: Promise<void> | null = null;
  let isAsked = false;
  let isStopped = false;
  const begin = (): void => {
    if (isStopped) return;
    underWay ??= act()
      .catch((err: unknown) => log.error({ err, chore: name }, 'chore failed'))
      .finally(() => {
        underWay = null;
        if (!isAsked) return;
        isAsked = false;
        begin();
      });
  };
  return {
    begin,
    /** Once more after what is under way: that may have looked before what is known now. */
    follow(): void {
      isAsked = underWay !== null;
      begin();
    },
    async stop(): Promise<void> {
      isStopped = true;
      await underWay;
    },
  };
}

/** Does something again and again, never twice at once. A failure is logged and not the end. */
function repeat(
  clock: Clock,
  log: Log,
  everyMs: number,
  name: string,
  act: () => Promise<void>,
  firstMs = everyMs,
): Chores {
  let isStopped = false;
  let underWay: Promise<void> = Promise.resolve();
  let cancel: Cancel = () => {};
  const once = async (): Promise<void> => {
    try {
      await act();
    } catch (err) {
      log.error({ err, chore: name }, 'chore failed');
    }
    if (!isStopped) again();
  };
  const again = (ms = everyMs): void => {
    cancel = clock.after(ms, () => {
      underWay = once();
    });
  };
  again(firstMs);
  return {
    async stop() {
      isStopped = true;
      cancel();
      await underWay;
    },
  };
}
