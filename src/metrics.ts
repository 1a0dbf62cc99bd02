/** The service's own figures, for Prometheus. */

import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { ClusterFigures } from './cluster/membership/figures.ts';
import type { KeyWatch } from './runtime/access/key-watch.ts';
import type { AuditFigures } from './runtime/audit/audit-figures.ts';
import type { BotFigures } from './runtime/bots/runner.ts';
import type { HostStats } from './runtime/host/host-deps.ts';
import type { CheckCount } from './runtime/integrity/integrity-service.ts';
import type { CensusTaker, Taker } from './runtime/measures/census.ts';
import type { Instruments, Histogram as Measured } from './runtime/measures/instruments.ts';
import type { Series } from './runtime/measures/timings.ts';
import type { DispatcherFigures } from './runtime/webhooks/dispatcher.ts';
import type { Census } from './store/census.ts';

/** What the figures of this moment are read from at each scrape. */
export interface MetricsSources {
  readonly instruments: Pick<Instruments, 'histograms' | 'sessionCounts'>;
  readonly census: CensusTaker;
  readonly audit: Taker<AuditFigures>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly host: { readonly stats: Readonly<HostStats>; size(): number };
  readonly sockets: { size(): number };
  readonly integrity: { tally(): readonly CheckCount[] };
  readonly webhooks: { figures(): DispatcherFigures };
  readonly bots: { figures(): BotFigures };
  readonly keyWatch: Pick<KeyWatch, 'tally'>;
  /** Acknowledged commits that the start found missing. */
  readonly lost: { readonly commits: number };
  /** Null where there is one node alone. */
  readonly cluster: { figures(): ClusterFigures } | null;
}

export interface Metrics {
  /** One HTTP request: the route's name, the status and how long it took. */
  request(route: string, status: number, seconds: number): void;
  /** The exposition of everything, as text. */
  expose(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/** Bounds of the request histogram, in seconds. */
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5];

export function makeMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  addProcessFigures(registry);
  const seconds = new Histogram({
    name: 'matchd_http_request_seconds',
    help: 'Time from a request to its answer, by route and status.',
    labelNames: ['route', 'status'],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  new Gauge({
    name: 'matchd_sessions_in_memory',
    help: 'Sessions this process holds in memory.',
    registers,
    collect() {
      this.set(sources.host.size());
    },
  });
  new Gauge({
    name: 'matchd_sockets_open',
    help: 'WebSockets open on this process.',
    registers,
    collect() {
      this.set(sources.sockets.size());
    },
  });
  new Counter({
    name: 'matchd_device_checks_total',
    help: 'Checks of devices, by platform, status and first reason.',
    labelNames: ['platform', 'status', 'reason'],
    registers,
    collect() {
      this.reset();
      for (const { count, ...labels } of sources.integrity.tally()) this.inc(labels, count);
    },
  });
  const setCensus = addCensusFigures(sources, registers);
  const setAudit = addAuditFigures(registers);
  addSessionCounts(sources, registers);
  addKeyAlerts(sources, registers);
  new Gauge({
    name: 'matchd_lost_commits',
    help: 'Acknowledged commits that were missing from the database when this process started.',
    registers,
  }).set(sources.lost.commits);
  addWebhookFigures(sources, registers);
  addBotFigures(sources, registers);
  if (sources.cluster !== null) addClusterFigures(sources.cluster, registers);
  for (const [stat, help] of Object.entries(HOST_HELP)) {
    new Counter({
      name: `matchd_match_${stat}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(sources.host.stats[stat as keyof HostStats]);
      },
    });
  }
  return {
    request: (route, status, took) => seconds.observe({ route, status: String(status) }, took),
    async expose() {
      setCensus(await sources.census.latest());
      setAudit(await sources.audit.latest());
      const measured = sources.instruments.histograms.map(printHistogram).join('\n');
      return { contentType: registry.contentType, body: `${await registry.metrics()}${measured}` };
    },
  };
}

/** Of all nodes together: every node says the same. Answers what to call with counts, null for none. */
function addCensusFigures(
  { now }: MetricsSources,
  registers: Registry[],
): (census: Census | null) => void {
  const sessions = new Gauge({
    name: 'matchd_sessions',
    help: 'Sessions of all nodes that have not ended, by game, mode and state.',
    labelNames: ['game', 'mode', 'state'],
    registers,
  });
  const waiting = new Gauge({
    name: 'matchd_waiting',
    help: 'Players in the queue and promoted groups in the pool, of all nodes.',
    labelNames: ['game', 'mode', 'kind'],
    registers,
  });
  const oldest = new Gauge({
    name: 'matchd_waiting_oldest_age_seconds',
    help: 'How long the first of those who wait has waited.',
    labelNames: ['game', 'mode', 'kind'],
    registers,
  });
  return (census) => {
    for (const gauge of [sessions, waiting, oldest]) gauge.reset();
    for (const { n, status, ...labels } of census?.sessions ?? []) {
      sessions.set({ ...labels, state: status }, n);
    }
    for (const { n, since, ...labels } of census?.waiting ?? []) {
      waiting.set(labels, n);
      oldest.set(labels, Math.max(0, now() - since) / 1_000);
    }
  };
}

/** Three series, however many tenants there are. Answers what to call with the figures, null for none. */
function addAuditFigures(registers: Registry[]): (figures: AuditFigures | null) => void {
  const rows = new Gauge({
    name: 'matchd_audit_rows',
    help: "Rows of the audit: of the installation's chain, and of all tenants' chains together.",
    labelNames: ['chain'],
    registers,
  });
  const hash = new Gauge({
    name: 'matchd_audit_hash',
    help: "The first 48 bits of the hash of the newest row of the installation's chain.",
    labelNames: ['chain'],
    registers,
  });
  return (figures) => {
    for (const gauge of [rows, hash]) gauge.reset();
    if (figures === null) return;
    const { installationRows, tenantRows, installationHash } = figures;
    rows.set({ chain: 'installation' }, installationRows);
    rows.set({ chain: 'tenants' }, tenantRows);
    if (installationHash !== null) hash.set({ chain: 'installation' }, installationHash);
  };
}

function addKeyAlerts({ keyWatch }: MetricsSources, registers: Registry[]): void {
  new Counter({
    name: 'matchd_key_alerts_total',
    help: 'Alerts on unusual use of an API key that this process has raised, by kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      for (const { kind, count } of keyWatch.tally()) this.inc({ kind }, count);
    },
  });
}

function addSessionCounts({ instruments }: MetricsSources, registers: Registry[]): void {
  for (const [change, name, help] of [
    ['active', 'started', 'Sessions that became active here.'],
    ['ended', 'ended', 'Sessions that ended here.'],
  ] as const) {
    new Counter({
      name: `matchd_sessions_${name}_total`,
      help,
      labelNames: ['game', 'mode'],
      registers,
      collect() {
        this.reset();
        for (const { game, mode, n, ...counted } of instruments.sessionCounts()) {
          if (counted.change === change) this.inc({ game, mode }, n);
        }
      },
    });
  }
}

/** The text of the exposition: buckets are cumulative there. */
function printHistogram({ name, help, timings }: Measured): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
  for (const series of timings.read()) lines.push(...printSeries(name, timings, series));
  return `${lines.join('\n')}\n`;
}

function printSeries(
  name: string,
  { labelNames, bounds }: Measured['timings'],
  { labels, counts, sum }: Series,
): string[] {
  const shared = labelNames.map((label, at) => `${label}="${labels[at]}"`);
  const own = shared.length === 0 ? '' : `{${shared.join()}}`;
  let count = 0;
  const buckets = counts.map((each, at) => {
    count += each;
    const le = at < bounds.length ? bounds[at] : '+Inf';
    return `${name}_bucket{${[...shared, `le="${le}"`].join()}} ${count}`;
  });
  return [...buckets, `${name}_sum${own} ${sum}`, `${name}_count${own} ${count}`];
}

function addWebhookFigures({ webhooks }: MetricsSources, registers: Registry[]): void {
  new Counter({
    name: 'matchd_webhook_requests_total',
    help: 'Requests to endpoints of webhooks, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { delivered, failed, givenUp } = webhooks.figures();
      this.reset();
      this.inc({ outcome: 'delivered' }, delivered);
      this.inc({ outcome: 'failed' }, failed);
      this.inc({ outcome: 'given_up' }, givenUp);
    },
  });
  new Gauge({
    name: 'matchd_webhook_requests_under_way',
    help: 'Requests to endpoints of webhooks that have no answer yet.',
    registers,
    collect() {
      this.set(webhooks.figures().underWay);
    },
  });
  new Gauge({
    name: 'matchd_webhook_backlog_events',
    help: 'Events that the webhooks served by this process are still to be sent.',
    registers,
    collect() {
      this.set(webhooks.figures().backlog);
    },
  });
  new Gauge({
    name: 'matchd_webhook_oldest_age_seconds',
    help: 'Age of the oldest event that a webhook served by this process is still to be sent.',
    registers,
    collect() {
      this.set(webhooks.figures().oldestMs / 1_000);
    },
  });
}

function addBotFigures({ bots }: MetricsSources, registers: Registry[]): void {
  new Counter({
    name: 'matchd_bot_moves_total',
    help: "Moves of the service's own bots that were committed, by game.",
    labelNames: ['game'],
    registers,
    collect() {
      this.reset();
      for (const [game, count] of bots.figures().moves) this.inc({ game }, count);
    },
  });
  new Counter({
    name: 'matchd_bot_faults_total',
    help: 'Turns of bots in which something else than their own choice was played: late, full, failed.',
    registers,
    collect() {
      this.reset();
      this.inc(bots.figures().faults);
    },
  });
  new Gauge({
    name: 'matchd_bot_turns_under_way',
    help: 'Turns in which a bot thinks, or waits before it moves.',
    registers,
    collect() {
      this.set(bots.figures().underWay);
    },
  });
}

function addClusterFigures(
  cluster: NonNullable<MetricsSources['cluster']>,
  registers: Registry[],
): void {
  for (const [name, { help, read }] of Object.entries(CLUSTER_GAUGES)) {
    if (read(cluster.figures()) === null) continue;
    new Gauge({
      name: `matchd_cluster_${name}`,
      help,
      registers,
      collect() {
        this.set(read(cluster.figures())!);
      },
    });
  }
  for (const [name, { help, read }] of Object.entries(CLUSTER_COUNTERS)) {
    new Counter({
      name: `matchd_cluster_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read(cluster.figures())!);
      },
    });
  }
}

/**
 * The process itself, read when asked. The client's own set of such figures samples the event loop
 * all the time, which is far from free under load (decision 0031).
 */
function addProcessFigures(registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start of the process, in seconds since 1970.',
    registers,
  }).set(Date.now() / 1_000 - process.uptime());
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process, user and system.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process that is in RAM.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
}

const HOST_HELP: Readonly<Record<keyof HostStats, string>> = {
  commits: 'Commits to match logs that were acknowledged.',
  records: 'Records in those commits.',
  conflicts: 'Commits refused because another process had written.',
  unknowns: 'Commits whose fate had to be read from the log.',
  rejections: 'Commands of players that were rejected.',
  broken: 'Matches ended because their engine failed.',
  ticks: 'Ticks played in real-time games.',
  filled: 'Ticks of a seat that were filled with its last known mask, counted when play stops.',
  late: 'Masks that came too late, counted when play stops.',
  ahead: 'Clients that came back to a match with a later version than its log has.',
  stalls: 'How often play stood still for want of the store or of the process itself.',
};

interface ClusterFigure {
  readonly help: string;
  /** Null for what this node does not have. */
  readonly read: (figures: ClusterFigures) => number | null;
}

const CLUSTER_GAUGES: Readonly<Record<string, ClusterFigure>> = {
  nodes: { help: 'Nodes whose lease is valid, as this one sees them.', read: ({ nodes }) => nodes },
  lease_held: { help: '1 while this node holds its lease.', read: ({ isHeld }) => Number(isHeld) },
  bus_up: {
    help: '1 while this node is connected to the bus.',
    read: ({ isBusUp }) => (isBusUp === null ? null : Number(isBusUp)),
  },
};

const CLUSTER_COUNTERS: Readonly<Record<string, ClusterFigure>> = {
  links_lost: { help: 'Links to other nodes that broke.', read: ({ linksLost }) => linksLost },
  mail_texts: {
    help: 'Texts that went to other nodes through the store, for want of the bus.',
    read: ({ mailTexts }) => mailTexts,
  },
};
