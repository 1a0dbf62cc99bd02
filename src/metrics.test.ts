/** The figures as they are scraped. */

import { expect, test } from 'bun:test';
import type { MetricsSources } from './metrics.ts';
import { makeMetrics } from './metrics.ts';

const NO_STATS = {
  ...{ commits: 0, records: 0, conflicts: 0, unknowns: 0, rejections: 0, broken: 0 },
  ...{ ticks: 0, filled: 0, late: 0, stalls: 0 },
};

const sources: MetricsSources = {
  host: { stats: NO_STATS, size: () => 3 },
  sockets: { size: () => 4 },
  integrity: { tally: () => [] },
  webhooks: { figures: () => ({ delivered: 1, failed: 2, givenUp: 3, underWay: 4, lanes: 5 }) },
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
  cluster: null,
};

test('[METRICS] what bots did is told, and a second scrape adds nothing', async () => {
  const metrics = makeMetrics(sources);
  await metrics.expose();
  const { body } = await metrics.expose();
  const lines = body
    .split('\n')
    .filter((line) => /^matchd_(bot|webhook|sessions|sockets)/.test(line));
  expect(lines.sort()).toEqual([
    'matchd_bot_faults_total 1',
    'matchd_bot_moves_total{game="ludo"} 7',
    'matchd_bot_moves_total{game="pool"} 2',
    'matchd_bot_turns_under_way 5',
    'matchd_sessions_in_memory 3',
    'matchd_sockets_open 4',
    'matchd_webhook_requests_total{outcome="delivered"} 1',
    'matchd_webhook_requests_total{outcome="failed"} 2',
    'matchd_webhook_requests_total{outcome="given_up"} 3',
    'matchd_webhook_requests_under_way 4',
  ]);
});

test('[METRICS] of a node among others is told who is there and what goes round the bus', async () => {
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
