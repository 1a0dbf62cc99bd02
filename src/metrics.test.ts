/** The metrics as they are scraped. */

import { expect, test } from 'bun:test';
import type { MetricsSources } from './metrics.ts';
import { makeMetrics } from './metrics.ts';
import { makeInstruments } from './runtime/measures/instruments.ts';
import type { Census } from './store/census.ts';

const NO_STATS = {
  commits: 0,
  records: 0,
  conflicts: 0,
  unknowns: 0,
  rejections: 0,
  broken: 0,
  ticks: 0,
  filled: 0,
  late: 0,
  ahead: 0,
  stalls: 0,
};

const sources: MetricsSources = {
  host: { stats: NO_STATS, size: () => 3 },
  sockets: { size: () => 4 },
  integrity: { tally: () => [] },
  keyWatch: { tally: () => [] },
  instruments: makeInstruments(),
  census: { latest: async () => null },
  audit: { latest: async () => null },
  now: () => 100_000,
  webhooks: {
    figures: () => ({
      delivered: 1,
      failed: 2,
      givenUp: 3,
      underWay: 4,
      lanes: 5,
      backlog: 6,
      oldestMs: 7_500,
    }),
  },
  bots: {
    figures: () => ({
      moves: new Map([
        ['ludo', 7],
        ['pool', 2],
      ]),
      faults: 1,
      underWay: 5,
    }),
  },
  lost: { commits: 0 },
  cluster: null,
};

test('[METRICS] the work of bots is reported, and a second scrape adds nothing', async () => {
  const metrics = makeMetrics(sources);
  await metrics.expose();
  const { body } = await metrics.expose();
  const lines = body
    .split('\n')
    .filter((line) => /^matchd_(bot_[^t]|bot_turns|webhook|sessions|sockets)/.test(line));
  expect(lines.sort()).toEqual([
    'matchd_bot_faults_total 1',
    'matchd_bot_moves_total{game="ludo"} 7',
    'matchd_bot_moves_total{game="pool"} 2',
    'matchd_bot_turns_under_way 5',
    'matchd_sessions_in_memory 3',
    'matchd_sockets_open 4',
    'matchd_webhook_backlog_events 6',
    'matchd_webhook_oldest_age_seconds 7.5',
    'matchd_webhook_requests_total{outcome="delivered"} 1',
    'matchd_webhook_requests_total{outcome="failed"} 2',
    'matchd_webhook_requests_total{outcome="given_up"} 3',
    'matchd_webhook_requests_under_way 4',
  ]);
});

test('[METRICS] a node in a cluster reports the other nodes and its traffic on the bus', async () => {
  const figures = { nodes: 3, isHeld: true, isBusUp: false, linksLost: 2, mailTexts: 9 };
  const metrics = makeMetrics({ ...sources, cluster: { figures: () => figures } });
  await metrics.expose();
  const { body } = await metrics.expose();
  expect(body.split('\n').filter((line) => line.startsWith('matchd_cluster'))).toEqual([
    'matchd_cluster_nodes 3',
    'matchd_cluster_lease_held 1',
    'matchd_cluster_bus_up 0',
    'matchd_cluster_links_lost_total 2',
    'matchd_cluster_mail_texts_total 9',
  ]);
  const busless = { ...figures, isBusUp: null };
  const without = makeMetrics({ ...sources, cluster: { figures: () => busless } });
  expect((await without.expose()).body).not.toContain('bus_up');
});

test('[D8][METRICS] the audit is three series, however many tenants there are', async () => {
  const audit = { installationRows: 7, tenantRows: 12, installationHash: 2 ** 48 - 1 };
  const { body } = await makeMetrics({
    ...sources,
    audit: { latest: async () => audit },
  }).expose();
  expect(body.split('\n').filter((line) => line.startsWith('matchd_audit'))).toEqual([
    'matchd_audit_rows{chain="installation"} 7',
    'matchd_audit_rows{chain="tenants"} 12',
    'matchd_audit_hash{chain="installation"} 281474976710655',
  ]);
});

test('[METRICS] histograms are cumulative, with base units and closed sets of labels', async () => {
  const instruments = makeInstruments();
  for (const seconds of [0.0004, 0.0005, 0.003, 60]) instruments.moveAck.observe(seconds);
  instruments.storeCall('loadSession').observe(0.002);
  instruments.timeToMatch('ludo', 'live', 'queue').observe(4);
  instruments.countSession('ludo', 'live', 'active');
  instruments.countSession('ludo', 'live', 'active');
  const { body } = await makeMetrics({ ...sources, instruments }).expose();
  const lines = body.split('\n');
  const of = (name: string) => lines.filter((line) => line.startsWith(name));
  expect(of('matchd_move_ack_seconds')).toEqual([
    'matchd_move_ack_seconds_bucket{le="0.0005"} 2',
    'matchd_move_ack_seconds_bucket{le="0.001"} 2',
    'matchd_move_ack_seconds_bucket{le="0.0025"} 2',
    ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5].map(
      (le) => `matchd_move_ack_seconds_bucket{le="${le}"} 3`,
    ),
    'matchd_move_ack_seconds_bucket{le="+Inf"} 4',
    'matchd_move_ack_seconds_sum 60.0039',
    'matchd_move_ack_seconds_count 4',
  ]);
  expect(lines).toContain('matchd_store_call_seconds_count{operation="loadSession"} 1');
  expect(lines).toContain(
    'matchd_time_to_match_seconds_bucket{game="ludo",mode="live",meeting="queue",le="5"} 1',
  );
  expect(lines).toContain('matchd_sessions_started_total{game="ludo",mode="live"} 2');
  // Prometheus can read every line, and each family is declared once.
  for (const line of lines)
    expect(line).toMatch(/^(?:|# (?:HELP|TYPE) .+|\w+(?:\{.*\})? [\d.e+-]+)$/);
  const declared = of('# TYPE');
  expect(new Set(declared).size).toBe(declared.length);
  expect(body.endsWith('\n')).toBe(true);
});

test('[METRICS] open sessions and waiting players are reported by game and mode, and removed ones are not', async () => {
  let census: Census | null = {
    sessions: [{ game: 'pool', mode: 'test', status: 'active', n: 3 }],
    waiting: [{ game: 'pool', mode: 'test', kind: 'group', n: 2, since: 88_000 }],
  };
  const metrics = makeMetrics({ ...sources, census: { latest: async () => census } });
  const read = async () =>
    (await metrics.expose()).body
      .split('\n')
      .filter((line) => /^matchd_(?:sessions\{|waiting)/.test(line));
  expect(await read()).toEqual([
    'matchd_sessions{game="pool",mode="test",state="active"} 3',
    'matchd_waiting{game="pool",mode="test",kind="group"} 2',
    'matchd_waiting_oldest_age_seconds{game="pool",mode="test",kind="group"} 12',
  ]);
  census = { sessions: [], waiting: [] };
  expect(await read()).toEqual([]);
});
