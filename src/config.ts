/** The settings of a running service: their sources, and their faults. */

import path from 'node:path';
import { REQUIREMENTS } from './integrity/strictness.ts';
import { parseSealingKeys } from './runtime/sealing/sealing-key.ts';
import {
  isSafe,
  parseBus,
  parseCollector,
  parseContacts,
  parseFolder,
  parseGameCall,
  parseHeaders,
  parseHost,
  parseHsts,
  parseListOf,
  parsePort,
  parseProxies,
  parsePublicUrl,
  parseRatio,
  parseServiceName,
  parseServiceUrl,
  parseStoreUrl,
  parseStoreWait,
  parseSwitch,
  parseToken,
  parseWhole,
} from './setting-values.ts';
import {
  APP_ATTEST_ENVIRONMENTS,
  type Config,
  LOG_LEVELS,
  LOST_COMMITS,
  RUNTIMES,
  type Runtime,
  SECRET_SETTINGS,
  SETTINGS,
  type SettingName,
} from './settings.ts';

export type { Config, SettingName } from './settings.ts';
export { SECRET_SETTINGS, SETTINGS } from './settings.ts';

/** Names of files in the data folder. */
const DATABASE_FILE = 'matchd.db';
/** The demo tenant's keys (rule K1): there only where `dev` has been. */
export const DEV_KEYS_FILE = 'dev-keys.json';

export const DRAIN_MS_MAX = 600_000;

export type Environment = Readonly<Record<string, string | undefined>>;
/** Texts from the command line; an absent one was not given. */
export type Flags = Partial<Readonly<Record<SettingName, string>>>;

/** A configuration, or all that is wrong with it, a sentence each. */
export type ConfigReading =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The environment of this process. Nothing else reads it. */
export function processEnvironment(): Environment {
  return process.env;
}

/** What this process runs on. */
export function processRuntime(): Runtime {
  return process.versions['bun'] === undefined ? 'node' : 'bun';
}

export function databaseFile(dataDir: string): string {
  return path.join(dataDir, DATABASE_FILE);
}

/**
 * Settings from flags, else from the environment, else by default; an empty variable counts as
 * absent. Unknown variables that begin with MATCHD_ are refused: they are mostly typos.
 */
export function readConfig(
  env: Environment,
  flags: Flags,
  runtime: Runtime = processRuntime(),
): ConfigReading {
  const problems = unknownVariables(env);
  const read = <T>(name: SettingName, parse: (text: string) => T | undefined, absent: T): T => {
    const { text, source } = rawSetting(env, flags, name);
    if (text === '' && flags[name] === undefined) return absent;
    const value = parse(text);
    if (value !== undefined) return value;
    // A secret is not repeated in the message.
    const shown = SECRET_SETTINGS.includes(name) ? source : `${source} ${JSON.stringify(text)}`;
    problems.push(`${shown}: expected ${SETTINGS[name].expects}`);
    return absent;
  };
  const config: Config = {
    host: read('host', parseHost, ''),
    port: read('port', parsePort, 0),
    dataDir: read('dataDir', parseFolder, ''),
    games: read('games', parseFolder, null),
    gameCallMs: read('gameCallMs', parseGameCall, 0),
    store: read('store', parseStoreUrl, null),
    storeWaitMs: read('storeWaitMs', parseStoreWait, 0),
    lostCommits: read(
      'lostCommits',
      (text) => LOST_COMMITS.find((each) => each === text),
      'refuse',
    ),
    allowUnsafeStore: read('allowUnsafeStore', parseSwitch, false),
    bus: Object.freeze(read('bus', parseBus, [])),
    publicUrl: read('publicUrl', parsePublicUrl, null),
    hsts: read('hsts', parseHsts, null),
    securityContacts: Object.freeze(read('securityContacts', parseContacts, [])),
    sealingKeys: read('sealingKeys', (text) => parseSealingKeys(text) ?? undefined, null),
    metricsPort: read('metricsPort', parsePort, null),
    metricsToken: read('metricsToken', parseToken, null),
    otlpCollector: read('otlpCollector', parseCollector, null),
    otlpHeaders: Object.freeze(read('otlpHeaders', parseHeaders, {})),
    traceRatio: read('traceRatio', parseRatio, 1),
    traceService: read('traceService', parseServiceName, 'matchd'),
    trustedProxies: Object.freeze(read('trustedProxies', parseProxies, [])),
    logLevel: read('logLevel', (text) => LOG_LEVELS.find((level) => level === text), 'info'),
    runtime: read('runtime', (text) => RUNTIMES.find((name) => name === text), runtime),
    drainMs: read('drainMs', (text) => parseWhole(text, DRAIN_MS_MAX), 0),
    googleAccounts: read('googleAccounts', parseFolder, null),
    googleTokenUrl: read('googleTokenUrl', parseServiceUrl, ''),
    playIntegrityUrl: read('playIntegrityUrl', parseServiceUrl, ''),
    appAttestRoots: read('appAttestRoots', parseFolder, null),
    appAttestEnvironments: Object.freeze(
      read('appAttestEnvironments', parseListOf(APP_ATTEST_ENVIRONMENTS), []),
    ),
    integrityRequires: Object.freeze(read('integrityRequires', parseListOf(REQUIREMENTS), [])),
  };
  problems.push(...inconsistencies(config, runtime));
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, config: Object.freeze(config) };
}

/** A setting as it was given; `from` is where, and `source` the option's or variable's name. */
export interface RawSetting {
  readonly text: string;
  readonly from: 'option' | 'variable' | 'default';
  readonly source: string;
}

export function rawSetting(env: Environment, flags: Flags, name: SettingName): RawSetting {
  const { env: variable, flag, otherwise } = SETTINGS[name];
  const given = flags[name];
  if (given !== undefined) return { text: given, from: 'option', source: flag ?? name };
  const found = env[variable] ?? '';
  return found !== '' && !isServiceLink(variable, found)
    ? { text: found, from: 'variable', source: variable }
    : { text: otherwise, from: 'default', source: name };
}

/**
 * The launcher's and the tests' own variables are ignored, as are address and key of a client: the
 * guides set them in the very shell from which the service is started again.
 */
const OTHER_VARIABLES = /^MATCHD_(?:NODE|URL|KEY|TEST_\w+)$/;

/** Kubernetes sets such variables in every pod beside a service that is called matchd. */
function isServiceLink(variable: string, value: string): boolean {
  return (
    /^MATCHD_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP|SCTP))(?:_|$)/.test(variable) ||
    (variable === 'MATCHD_PORT' && /^(?:tcp|udp|sctp):\/\//.test(value))
  );
}

function unknownVariables(env: Environment): string[] {
  const known = new Set(Object.values(SETTINGS).map((setting) => setting.env));
  return Object.entries(env)
    .filter(([name]) => name.startsWith('MATCHD_') && !known.has(name))
    .filter(([name, value]) => !OTHER_VARIABLES.test(name) && !isServiceLink(name, value ?? ''))
    .map(([name]) => `${name}: unknown setting. Valid: ${[...known].join(', ')}`);
}

/** Settings that are right one by one and not together. */
function inconsistencies(config: Config, runtime: Runtime): string[] {
  const problems: string[] = [];
  if (
    config.metricsPort !== null &&
    config.metricsPort !== 0 &&
    config.metricsPort === config.port
  ) {
    problems.push(`metrics port ${config.metricsPort} is the service's own port: choose another`);
  }
  if (config.bus.length > 0 && config.store === null) {
    problems.push('MATCHD_BUS needs a shared database: also set MATCHD_STORE');
  }
  if (config.store !== null && config.sealingKeys === null) {
    problems.push(
      'nodes of a shared database need a shared sealing key: also set MATCHD_SEALING_KEY',
    );
  }
  if (config.runtime !== runtime) {
    const { runtime: name } = config;
    problems.push(`this process runs on ${runtime}: for ${name} use "matchd … --runtime ${name}"`);
  }
  return problems;
}

/** What may be meant, and in production hardly is; one sentence each. */
export function warningsOf({ publicUrl }: Pick<Config, 'publicUrl'>): string[] {
  if (publicUrl === null || isSafe(new URL(publicUrl))) return [];
  return [
    'the public URL is not https: keys and tokens are sent in clear text, and browsers refuse many features',
  ];
}
