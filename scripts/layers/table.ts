/**
 * The floors of ARCHITECTURE.md as data: the permitted imports of each folder, of ours and of
 * others.
 */

export interface Floor {
  /** A folder or a file; the longest that fits a file is its floor. */
  readonly path: string;
  /** Floors it may import, besides itself. `everything` is for wiring and tooling. */
  readonly imports: readonly string[] | 'everything';
  /** Floors of which it may import types only. */
  readonly typesOf?: readonly string[];
  /** Packages; `node:*` is all of Node's modules. `anything` is for tooling. */
  readonly packages: readonly string[] | 'anything';
  /** Shown when an import is refused: where the thing belongs instead. */
  readonly instead: string;
}

/** Folders of pure functions: no clock, no chance, no input or output, nothing asynchronous. */
export const PURE_FOLDERS: readonly string[] = [
  'game/src',
  'src/games',
  'src/games/ticks',
  'src/games/fight-arena',
  'src/match',
  'src/events',
  'src/matchmaking',
  'src/tenancy',
  'src/accounts',
  'src/integrity',
  'src/webhooks',
  'src/tenant-metrics',
];

/** The interfaces to the world outside; their implementations are floors of their own. */
const PORTS: readonly string[] = ['src/store', 'src/bus', 'src/platform'];

const PURE_INSTEAD = 'hand it in as an argument, or return an effect that src/runtime carries out';
const PORT_INSTEAD = 'use the port (src/store, src/bus or src/platform) and wire in src/compose.ts';

/** A pure folder that knows only the types of games and matches. */
const besideMatch = (path: string): Floor => ({
  path,
  imports: [],
  typesOf: ['src/match', 'game/src'],
  packages: ['@noble/hashes'],
  instead: PURE_INSTEAD,
});

/** One of the implementations of a port; it may use the machine as it needs to. */
const behindPort = (
  path: string,
  ports: readonly string[],
  packages: readonly string[],
): Floor => ({
  path,
  imports: [...ports, ...PURE_FOLDERS],
  packages: ['node:*', ...packages],
  instead: 'a port knows the pure folders only; hand in what else it needs',
});

/** Code that may import everything: it wires, or is not part of the service. */
const free = (path: string): Floor => ({
  path,
  imports: 'everything',
  packages: 'anything',
  instead: '',
});

export const FLOORS: readonly Floor[] = [
  {
    path: 'game/src',
    imports: [],
    packages: ['@noble/hashes'],
    instead: PURE_INSTEAD,
  },
  {
    path: 'game/src/testing',
    imports: ['game/src'],
    packages: ['fast-check'],
    instead: 'it is published and bundles fast-check only',
  },
  {
    path: 'src/games',
    imports: ['game/src', 'src/games/fight-arena'],
    packages: [],
    instead: PURE_INSTEAD,
  },
  // Floors of their own, as the SDK's player client runs them, and no other game.
  { path: 'src/games/ticks', imports: ['game/src'], packages: [], instead: PURE_INSTEAD },
  { path: 'src/games/fight-arena', imports: ['game/src'], packages: [], instead: PURE_INSTEAD },
  {
    path: 'src/match',
    imports: ['game/src', 'src/games', 'src/games/ticks'],
    packages: ['@noble/hashes'],
    instead: PURE_INSTEAD,
  },
  {
    path: 'src/events',
    imports: ['src/match', 'game/src', 'src/integrity'],
    packages: [],
    instead: PURE_INSTEAD,
  },
  { ...besideMatch('src/matchmaking'), typesOf: ['src/match', 'game/src', 'src/integrity'] },
  besideMatch('src/tenancy'),
  besideMatch('src/accounts'),
  besideMatch('src/integrity'),
  besideMatch('src/tenant-metrics'),
  { ...besideMatch('src/webhooks'), imports: ['src/tenancy'] },
  {
    path: 'src/contract',
    imports: [],
    typesOf: PURE_FOLDERS,
    packages: ['zod'],
    instead: 'the contract is data: take types of the pure folders, or move the value here',
  },
  { path: 'src/store', imports: PURE_FOLDERS, packages: [], instead: 'a port is types only' },
  {
    path: 'src/store/scripts',
    imports: [...PURE_FOLDERS, 'src/store'],
    packages: [],
    instead: 'a script knows no database: what differs is in the dialects',
  },
  behindPort('src/store/sqlite', ['src/store', 'src/store/scripts'], []),
  behindPort('src/store/postgres', ['src/store', 'src/store/scripts'], ['pg']),
  { path: 'src/bus', imports: PURE_FOLDERS, packages: [], instead: 'a port is types only' },
  behindPort('src/bus/local', ['src/bus'], []),
  behindPort('src/bus/nats', ['src/bus'], ['@nats-io/transport-node']),
  {
    path: 'src/platform',
    imports: [],
    packages: [],
    instead: 'the platform knows nothing of ours',
  },
  {
    path: 'src/platform/choose.ts',
    imports: [
      'src/platform',
      'src/platform/bun',
      'src/platform/node',
      'src/platform/node/node-bundler.ts',
    ],
    packages: [],
    instead: 'the platform knows nothing of ours',
  },
  {
    path: 'src/platform/bun',
    imports: ['src/platform'],
    packages: ['bun', 'bun:*', 'node:*'],
    instead: 'the platform knows nothing of ours',
  },
  {
    path: 'src/platform/node',
    imports: ['src/platform'],
    packages: ['ws', 'node:*'],
    instead: 'the platform knows nothing of ours',
  },
  {
    // Node has no bundler: it starts Bun for that.
    path: 'src/platform/node/node-bundler.ts',
    imports: ['src/platform', 'src/platform/bun'],
    packages: ['node:*'],
    instead: 'the platform knows nothing of ours',
  },
  {
    path: 'src/log.ts',
    imports: [],
    packages: ['pino'],
    instead: 'the log knows nothing of what is logged',
  },
  {
    path: 'src/metrics.ts',
    imports: [],
    typesOf: ['src/runtime', 'src/runtime/integrity', 'src/socket', 'src/cluster', 'src/store'],
    packages: ['@prometheus-io/client'],
    instead: 'figures are read through types; src/compose.ts hands in what has them',
  },
  {
    path: 'src/telemetry',
    imports: [],
    typesOf: ['src/runtime'],
    packages: ['@opentelemetry/api', 'node:*'],
    instead:
      'what is traced goes through src/runtime/measures/tracing.ts; wire in src/infrastructure.ts',
  },
  {
    path: 'src/runtime/accounts/password-list.ts',
    imports: [],
    packages: ['@zxcvbn-ts/language-common'],
    instead: 'it only unpacks the list',
  },
  {
    path: 'src/runtime',
    imports: [...PURE_FOLDERS, ...PORTS, 'src/runtime/accounts/password-list.ts'],
    typesOf: ['src/log.ts'],
    packages: ['node:*', '@simplewebauthn/server', 'reflect-metadata'],
    instead: PORT_INSTEAD,
  },
  {
    path: 'src/runtime/integrity',
    imports: [...PURE_FOLDERS, ...PORTS, 'src/runtime'],
    typesOf: ['src/log.ts'],
    packages: ['node:*', 'cborg'],
    instead: PORT_INSTEAD,
  },
  {
    path: 'src/chores.ts',
    imports: [...PURE_FOLDERS, ...PORTS, 'src/runtime', 'src/runtime/integrity'],
    typesOf: ['src/log.ts'],
    packages: [],
    instead: PORT_INSTEAD,
  },
  {
    path: 'src/cluster/links',
    imports: [...PORTS],
    typesOf: ['src/runtime'],
    packages: [],
    instead: PORT_INSTEAD,
  },
  {
    path: 'src/cluster',
    imports: [...PURE_FOLDERS, ...PORTS, 'src/runtime', 'src/cluster/links'],
    typesOf: ['src/log.ts'],
    packages: ['node:*'],
    instead: PORT_INSTEAD,
  },
  {
    path: 'src/http',
    imports: ['src/contract', 'src/runtime', ...PORTS, ...PURE_FOLDERS],
    typesOf: ['src/log.ts', 'src/metrics.ts', 'src/runtime/integrity'],
    packages: ['hono', '@hono/zod-openapi', 'zod', 'node:*', '@noble/hashes'],
    instead: PORT_INSTEAD,
  },
  {
    path: 'src/socket',
    imports: ['src/contract', 'src/runtime', ...PORTS, ...PURE_FOLDERS],
    typesOf: ['src/log.ts', 'src/metrics.ts'],
    packages: ['node:*', 'jose', '@noble/hashes'],
    instead: PORT_INSTEAD,
  },
  free('src/build.ts'),
  free('src/config.ts'),
  free('src/setting-values.ts'),
  free('src/settings.ts'),
  free('src/compose.ts'),
  free('src/listen.ts'),
  free('src/infrastructure.ts'),
  free('src/match-engine.ts'),
  free('src/seating-parts.ts'),
  free('src/open-games.ts'),
  free('src/integrity-settings.ts'),
  free('src/cli'),
  free('src/testing'),
  free('sim'),
  free('bench'),
  free('e2e'),
  free('scripts'),
  {
    path: 'examples',
    imports: [],
    packages: [],
    instead: 'an example uses public interfaces only',
  },
  {
    path: 'examples/games',
    imports: [],
    packages: ['@matchd/game', '@matchd/game/board'],
    instead: 'an example imports @matchd/game and its board types only',
  },
  // The same game on other servers, each with the packages of its own folder (docs/guides/compare.md).
  {
    path: 'examples/compare',
    imports: [],
    packages: 'anything',
    instead: 'each sample stands alone',
  },
  {
    path: 'examples/compare/matchd',
    imports: ['examples/compare'],
    packages: ['@matchd/game', '@matchd/sdk', '@matchd/sdk/client', 'node:*'],
    instead: 'an example shows what a stranger has',
  },
  free('bin'),
  {
    path: 'sdk',
    imports: ['game/src', 'src/games/fight-arena', 'src/games/ticks'],
    typesOf: ['src/contract'],
    packages: [],
    instead: 'the SDK has no dependencies; its types are made by scripts/generate.ts',
  },
  {
    path: 'web/qr',
    imports: [],
    packages: ['uqr'],
    instead: 'it draws codes for the pages and knows none of them',
  },
  {
    path: 'web/play',
    imports: ['web/qr', 'sdk', 'game/src', 'src/games', 'src/games/fight-arena', 'src/match'],
    typesOf: ['src/contract'],
    packages: [],
    instead: "the players' page runs in a browser: only games, match and sdk do",
  },
  {
    path: 'web/demo',
    imports: ['sdk'],
    typesOf: ['src/http'],
    packages: [],
    instead: 'the demo shows what a tenant needs: the SDK and nothing else',
  },
  {
    path: 'web/docs',
    imports: [],
    packages: ['minisearch'],
    instead: 'the page reads the published documents and knows nothing else of the service',
  },
  {
    path: 'web/dashboard',
    imports: ['web/qr', 'sdk', 'game/src', 'src/games', 'src/match'],
    typesOf: ['src/contract'],
    packages: 'anything',
    instead: 'the dashboard runs in a browser: only games, match and sdk do',
  },
];

/** The floor of a path: the longest that contains it; null for none. */
export function floorOf(path: string): Floor | null {
  const holds = (floor: Floor): boolean => path === floor.path || path.startsWith(`${floor.path}/`);
  return FLOORS.filter(holds).sort((a, b) => b.path.length - a.path.length)[0] ?? null;
}

/** Tests and what only tests use; they may import everything, and nothing else may import them. */
export function isTest(path: string): boolean {
  return (
    /\.(?:test|slow)(?:-[a-z]+)?\.(?:tsx?|mjs)$/.test(path) ||
    /(?:^|\/|-)(?:contract-)?suite\.ts$/.test(path) ||
    /^src\/.+\/contract\//.test(path) ||
    path.startsWith('src/testing/')
  );
}

/** The only file that reads the machine's time and randomness. */
const SYSTEM = 'src/runtime/system.ts';

/**
 * The shell: not pure, but its time and randomness come through ports, so that it can be simulated.
 */
export function isShell(path: string): boolean {
  const inShell = /^src\/(?:store|bus|runtime|cluster|http|socket)\//.test(path);
  return inShell && path !== SYSTEM && !isTest(path);
}

/** The rules of the example games, as pure as those of our games. */
const EXAMPLE_RULES = /^examples\/games\/[^/]+\/rules\.ts$/;

export function isPure(path: string): boolean {
  if (EXAMPLE_RULES.test(path)) return true;
  // The contract checks read the time for a seed and block ambient inputs.
  if (path.startsWith('game/src/testing/')) return false;
  return PURE_FOLDERS.some((folder) => path.startsWith(`${folder}/`)) && !isTest(path);
}
