/**
 * The deployment files: they parse, name existing settings, metrics and paths, and the chart
 * renders. Helm itself is no npm package: a small renderer covers the part of it that the chart
 * uses.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type ServerProcess, startServer } from '../../e2e/parts/server-process.ts';
import { DRAIN_MS_MAX, SETTINGS } from '../../src/config.ts';
import { makeMetrics } from '../../src/metrics.ts';
import type { HostStats } from '../../src/runtime/host/host-deps.ts';
import { makeInstruments } from '../../src/runtime/measures/instruments.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { type Data, RequiredError, renderChart } from './go-template.ts';

const ROOT = join(import.meta.dirname, '../..');
const CHART = join(ROOT, 'deploy/helm/matchd');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Data };
  // Manifests of Kubernetes: their shape is checked below, field by field.
  // biome-ignore lint/suspicious/noExplicitAny: as deep as it is wide
  readonly spec: any;
  readonly data?: Data;
}

const WISHES: Readonly<Record<string, Data>> = {
  least: { publicUrl: 'https://play.example.com' },
  most: {
    publicUrl: 'https://play.example.com',
    drainMs: 25_000,
    extraEnv: { MATCHD_INTEGRITY_REQUIRES: 'x', MATCHD_GOOGLE_TOKEN_URL: 'https://g.example' },
    imagePullSecrets: [{ name: 'pull' }],
    storeCaSecret: 'store-ca',
    autoscaling: { enabled: true },
    ingress: {
      enabled: true,
      className: 'nginx',
      host: 'play.example.com',
      tlsSecret: 'tls',
      annotations: { 'nginx.ingress.kubernetes.io/proxy-read-timeout': '120' },
    },
    metrics: { serviceMonitor: true, prometheusRule: true, dashboard: true },
  },
  'brokers elsewhere': {
    publicUrl: 'https://play.example.com',
    bus: 'nats://a:4222,nats://b:4222',
    nats: { enabled: false },
  },
};

function merged(base: Data, over: Data): Data {
  const entries = Object.entries(over).map(([key, value]) => {
    const before = base[key];
    const isDeep = [before, value].every((each) => each?.constructor === Object);
    return [key, isDeep ? merged(before as Data, value as Data) : value];
  });
  return { ...base, ...Object.fromEntries(entries) };
}

function render(values: Data): Map<string, string> {
  const folder = join(CHART, 'templates');
  const files = new Map(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
  const chart = Bun.YAML.parse(read('deploy/helm/matchd/Chart.yaml')) as Data;
  const base = Bun.YAML.parse(read('deploy/helm/matchd/values.yaml')) as Data;
  const kept = readdirSync(join(CHART, 'files')).map((name) => `files/${name}`);
  return renderChart(files, {
    Values: merged(base, values),
    Release: { Name: 'game', Service: 'Helm', Namespace: 'play' },
    Chart: { Name: chart['name'], Version: chart['version'], AppVersion: chart['appVersion'] },
    Files: Object.fromEntries(kept.map((name) => [name, readFileSync(join(CHART, name), 'utf8')])),
  });
}

function manifests(values: Data): Manifest[] {
  return [...render(values)]
    .filter(([name]) => name.endsWith('.yaml'))
    .flatMap(([, text]) => text.split(/^---$/m))
    .filter((text) => text.replaceAll(/^\s*#.*$/gm, '').trim() !== '')
    .map((text) => Bun.YAML.parse(text) as Manifest);
}

function one(all: readonly Manifest[], kind: string, name = 'game'): Manifest {
  const found = all.filter((each) => each.kind === kind && each.metadata.name === name);
  expect(found).toHaveLength(1);
  return found[0]!;
}

const settingVariables = new Set(Object.values(SETTINGS).map(({ env }) => env));

describe('the Helm chart', () => {
  for (const [name, values] of Object.entries(WISHES)) {
    test(`DEPLOY ${name}: every manifest is complete, and selectors find their targets`, () => {
      const all = manifests(values);
      for (const each of all) {
        expect([each.apiVersion, each.kind]).toEqual([expect.any(String), expect.any(String)]);
        expect(each.metadata.name).toMatch(/^game(?:-[a-z-]+)?$/);
        expect(each.metadata.labels['app.kubernetes.io/instance']).toBe('game');
      }
      const names = all.map((each) => `${each.kind}/${each.metadata.name}`);
      expect(new Set(names).size).toBe(names.length);
      const { spec } = one(all, 'Deployment');
      const labels = spec.template.metadata.labels;
      for (const selector of [
        spec.selector.matchLabels,
        one(all, 'Service').spec.selector,
        one(all, 'PodDisruptionBudget').spec.selector.matchLabels,
        spec.template.spec.topologySpreadConstraints[0].labelSelector.matchLabels,
      ]) {
        expect(labels).toMatchObject(selector);
      }
    });

    test(`DEPLOY ${name}: pods get existing settings, time to drain, probes, and no privileges`, () => {
      const all = manifests(values);
      const pod = one(all, 'Deployment').spec.template.spec;
      const [container] = pod.containers;
      const env = new Map<string, Data>(container.env.map((each: Data) => [each['name'], each]));
      const ours = [...env.keys()].filter((variable) => variable.startsWith('MATCHD_'));
      expect(ours.filter((variable) => !settingVariables.has(variable))).toEqual([]);
      for (const secret of ['MATCHD_STORE', 'MATCHD_SEALING_KEY']) {
        expect(env.get(secret)).toHaveProperty('valueFrom.secretKeyRef.name', 'matchd');
      }
      const drainMs = Number(env.get('MATCHD_DRAIN_MS')!['value']);
      expect(drainMs).toBeLessThanOrEqual(DRAIN_MS_MAX);
      expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThanOrEqual(drainMs + 15_000);
      expect(container.readinessProbe.httpGet.path).toBe('/readyz');
      expect(container.livenessProbe.httpGet.path).toBe('/healthz');
      expect(container.startupProbe.httpGet.path).toBe('/healthz');
      expect(pod.securityContext.runAsNonRoot).toBe(true);
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const mounted = container.volumeMounts.map((each: Data) => each['name']).sort();
      expect(pod.volumes.map((each: Data) => each['name']).sort()).toEqual(mounted);
    });
  }

  test('DEPLOY brokers come with the chart, or their addresses from outside', () => {
    const bus = (all: readonly Manifest[]) =>
      one(all, 'Deployment').spec.template.spec.containers[0].env.find(
        (each: Data) => each['name'] === 'MATCHD_BUS',
      ).value;
    const own = manifests(WISHES['least']!);
    expect(bus(own)).toBe('nats://game-nats:4222');
    const brokers = one(own, 'StatefulSet', 'game-nats').spec;
    expect(brokers.replicas).toBe(3);
    expect(one(own, 'Service', 'game-nats').spec.selector).toEqual(brokers.selector.matchLabels);
    expect(String(one(own, 'ConfigMap', 'game-nats').data?.['nats.conf'])).not.toContain(
      'jetstream',
    );
    const others = manifests(WISHES['brokers elsewhere']!);
    expect(bus(others)).toBe('nats://a:4222,nats://b:4222');
    expect(others.filter(({ metadata }) => metadata.name.includes('nats'))).toEqual([]);
  });

  test('DEPLOY an autoscaler sets the number of pods, otherwise the chart does', () => {
    expect(one(manifests(WISHES['least']!), 'Deployment').spec.replicas).toBe(3);
    const most = manifests(WISHES['most']!);
    expect(one(most, 'Deployment').spec).not.toHaveProperty('replicas');
    expect(one(most, 'HorizontalPodAutoscaler').spec.minReplicas).toBe(3);
  });

  test('DEPLOY rules and dashboard are included unchanged', () => {
    const most = manifests(WISHES['most']!);
    const rules = Bun.YAML.parse(read('deploy/helm/matchd/files/alerts.yaml'));
    expect(one(most, 'PrometheusRule').spec).toEqual(rules);
    const board = one(most, 'ConfigMap', 'game-dashboard').data?.['matchd.json'];
    expect(JSON.parse(String(board))).toEqual(
      JSON.parse(read('deploy/helm/matchd/files/dashboard.json')),
    );
    expect(one(most, 'ServiceMonitor').spec.endpoints[0].port).toBe('metrics');
  });

  test('DEPLOY a missing public address is reported', () => {
    expect(() => render({})).toThrow(RequiredError);
  });
});

describe('compose for a cluster', () => {
  const text = read('deploy/cluster/compose.cluster.yaml');
  // biome-ignore lint/suspicious/noExplicitAny: a file of another program
  const compose = Bun.YAML.parse(text) as any;

  test('DEPLOY names existing settings, and time to drain', () => {
    const nodes = Object.entries<Data>(compose.services).filter(([name]) =>
      name.startsWith('matchd'),
    );
    expect(nodes).toHaveLength(3);
    for (const [, node] of nodes) {
      const unknown = Object.keys(node['environment'] as Data).filter(
        (each) => !settingVariables.has(each),
      );
      expect(unknown).toEqual([]);
      expect(Number.parseInt(String(node['stop_grace_period']), 10) * 1_000).toBeGreaterThan(
        Number(SETTINGS.drainMs.otherwise) + 15_000,
      );
    }
  });

  test('DEPLOY commits wait for one of the two standbys', () => {
    const [, names] = /synchronous_standby_names = 'ANY 1 \((.+)\)'/.exec(text) ?? [];
    const standbys = Object.values<Data>(compose.services)
      .map(({ environment }) => (environment as Data | undefined)?.['STANDBY'])
      .filter((name) => name !== undefined);
    expect(standbys).toEqual(names!.split(', '));
    expect(standbys).toHaveLength(2);
    expect(compose.configs['standby.sh'].content).toContain('application_name=$$STANDBY');
  });

  test('DEPLOY every named service, volume, config and network exists', () => {
    for (const service of Object.values<Data>(compose.services)) {
      const after = service['depends_on'] ?? [];
      for (const name of Array.isArray(after) ? after : Object.keys(after)) {
        expect(Object.keys(compose.services)).toContain(name);
      }
      for (const config of (service['configs'] as (string | { source: string })[]) ?? []) {
        const name = typeof config === 'string' ? config : config.source;
        expect(Object.keys(compose.configs)).toContain(name);
      }
      for (const volume of (service['volumes'] as string[]) ?? []) {
        const [name, target] = volume.split(':');
        if (target !== undefined) expect(Object.keys(compose.volumes)).toContain(name!);
      }
      for (const network of (service['networks'] as string[]) ?? []) {
        expect(Object.keys(compose.networks)).toContain(network);
      }
    }
    const [, folder] = /build: (\S+)/.exec(text) ?? [];
    expect(existsSync(join(ROOT, 'deploy/cluster', folder!, 'Dockerfile'))).toBe(true);
  });
});

/** `/metrics` of a node in a cluster. */
async function exposeNode(): Promise<string> {
  const figures = { nodes: 3, isHeld: true, isBusUp: true, linksLost: 0, mailTexts: 0 };
  const nothing = { moves: new Map(), faults: 0, underWay: 0 };
  const metrics = makeMetrics({
    host: { stats: {} as HostStats, size: () => 0 },
    sockets: { size: () => 0 },
    integrity: { tally: () => [] },
    keyWatch: { tally: () => [] },
    instruments: makeInstruments(),
    census: { latest: async () => null },
    audit: { latest: async () => null },
    now: () => 0,
    webhooks: {
      figures: () => ({
        delivered: 0,
        failed: 0,
        givenUp: 0,
        underWay: 0,
        lanes: 0,
        backlog: 0,
        oldestMs: 0,
      }),
    },
    bots: { figures: () => nothing },
    lost: { commits: 0 },
    cluster: { figures: () => figures },
  });
  return (await metrics.expose()).body;
}

describe('rules and dashboard', () => {
  const TOKEN = 'a-token-for-the-test-of-metrics';
  let folder = '';
  let server: ServerProcess;
  let known: ReadonlySet<string>;

  beforeAll(async () => {
    folder = makeTempFolder();
    const env = { MATCHD_METRICS_TOKEN: TOKEN };
    server = await startServer({ port: await freePort(), dataDir: folder, env });
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const alone = await (await fetch(`${server.url}/metrics`, { headers })).text();
    // Metrics of a node in a cluster only, from the same code.
    const text = `${alone}\n${await exposeNode()}`;
    const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name!],
    );
    // Metrics that Prometheus itself adds for each target.
    known = new Set([...names, 'up']);
  });

  afterAll(async () => {
    await server?.kill();
    removeFolder(folder);
  });

  /** Metric names: those before a selector, a range, or a comparison. */
  function namesIn(expr: string): string[] {
    const bare = expr
      .replaceAll(/"[^"]*"/g, '')
      .replaceAll(/\{[^}]*\}/g, '{}')
      .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, '');
    const words = bare.match(/(?<![\w.])[a-zA-Z_:][\w:]*(?!\w*\s*\()/g) ?? [];
    return words.filter((word) => !/^(?:and|or|unless|offset|[smhd])$/.test(word));
  }

  test('DEPLOY every metric of a rule is in /metrics, and every rule has its page in the runbook', () => {
    const { groups } = Bun.YAML.parse(read('deploy/helm/matchd/files/alerts.yaml')) as {
      groups: { rules: { alert: string; expr: string; labels: Data; annotations: Data }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(10);
    const runbook = read('docs/guides/runbook.md');
    for (const { alert, expr, labels, annotations } of rules) {
      expect(namesIn(expr).length).toBeGreaterThan(0);
      expect(namesIn(expr).filter((name) => !known.has(name))).toEqual([]);
      expect(['page', 'warn']).toContain(String(labels['severity']));
      expect(annotations['summary']).toBeString();
      expect(runbook).toContain(`\`${alert}\``);
    }
  });

  test('DEPLOY selectors by job use the job name that the chart sets', () => {
    const monitor = read('deploy/helm/matchd/templates/monitoring.yaml');
    // Without it the operator uses the name of the Service, which is the release's.
    expect(monitor).toContain('jobLabel: app.kubernetes.io/name');
    const text = read('deploy/helm/matchd/files/alerts.yaml');
    const patterns = [...text.matchAll(/job=~"([^"]+)"/g)].map((found) => found[1]!);
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns) expect('matchd').toMatch(new RegExp(`^(?:${pattern})$`));
  });

  test('DEPLOY every metric of the dashboard is in /metrics, and all of ours are on it', () => {
    const board = JSON.parse(read('deploy/helm/matchd/files/dashboard.json')) as {
      panels: { title: string; targets?: { expr: string }[]; gridPos: { x: number; w: number } }[];
    };
    const used = new Set(
      board.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesIn(expr))),
    );
    expect([...used].filter((name) => !known.has(name))).toEqual([]);
    const forgotten = [...known].filter((name) => !used.has(name) && !/_sum$|^up$/.test(name));
    expect(forgotten).toEqual([]);
    for (const { gridPos } of board.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });

  test('DEPLOY a name that does not exist would be found', () => {
    expect(namesIn('sum by (le) (rate(matchd_x_total{a="b"}[5m])) > 3 and up == 0')).toEqual([
      'matchd_x_total',
      'up',
    ]);
  });
});
