/** The settings of a running service: all there are, where they come from, and what is wrong with them. */

import path from 'node:path';
import { REQUIREMENTS, type Requirement } from './integrity/strictness.ts';
import { parseSealingKeys, SEALING_KEY_FILE } from './runtime/sealing/sealing-key.ts';
import {
  isSafe,
  parseBus,
  parseCollector,
  parseContacts,
  parseFolder,
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

export const RUNTIMES = ['bun', 'node'] as const;
export type Runtime = (typeof RUNTIMES)[number];

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const APP_ATTEST_ENVIRONMENTS = ['production', 'development'] as const;
export type AppAttestEnvironment = (typeof APP_ATTEST_ENVIRONMENTS)[number];

/** What a service does when it finds at its start that acknowledged commits are missing. */
export const LOST_COMMITS = ['refuse', 'serve'] as const;
export type LostCommitsPolicy = (typeof LOST_COMMITS)[number];

/** What `dev` and `serve` run by. Frozen. */
export interface Config {
  /** The address to listen on. */
  readonly host: string;
  /** 0 asks for any free port. */
  readonly port: number;
  /** The folder of the database, as an absolute path. */
  readonly dataDir: string;
  /** The PostgreSQL database that nodes share; null: SQLite in the data folder, one process. */
  readonly store: string | null;
  /** How long a write waits while another process has the SQLite file locked, in milliseconds. */
  readonly storeWaitMs: number;
  /** `refuse`: not ready until an operator has accepted the loss; `serve`: it is accepted now. */
  readonly lostCommits: LostCommitsPolicy;
  /** Serves although that database is set so that it may lose what it has acknowledged. */
  readonly allowUnsafeStore: boolean;
  /** NATS servers between the nodes; none: what they have to say goes through the store, slower. */
  readonly bus: readonly string[];
  /** What every URL in an answer begins with, without a slash at its end. Null: not set. */
  readonly publicUrl: string | null;
  /** `Strict-Transport-Security` of every answer where `publicUrl` is https; null: no such header. */
  readonly hsts: string | null;
  /** URIs that `/.well-known/security.txt` names, the preferred one first; none: there is no such file. */
  readonly securityContacts: readonly string[];
  /** What seals secrets in the database, the first; all of them open. Null: the data folder's file. */
  readonly sealingKeys: readonly Uint8Array[] | null;
  /** `/metrics` is served without a token here; null: not at all. */
  readonly metricsPort: number | null;
  /** Opens `/metrics` on the service's own port; null: nothing does. */
  readonly metricsToken: string | null;
  /** The collector that traces are sent to, without a slash at its end; null: there are no traces. */
  readonly otlpCollector: string | null;
  /** Headers of what is sent there. */
  readonly otlpHeaders: Readonly<Record<string, string>>;
  /** The part of all traces that is kept, 0 to 1. */
  readonly traceRatio: number;
  /** What traces call this service. */
  readonly traceService: string;
  /** Addresses and networks (`10.0.0.0/8`) whose forwarded addresses count (rule H5). */
  readonly trustedProxies: readonly string[];
  readonly logLevel: LogLevel;
  /** The runtime this process is on. */
  readonly runtime: Runtime;
  /** Time for open work to end once the process is told to stop, in milliseconds. */
  readonly drainMs: number;
  /** The folder of Google service accounts, absolute; null: no Android device is judged (I5). */
  readonly googleAccounts: string | null;
  /** Where access tokens are asked for. */
  readonly googleTokenUrl: string;
  /** Where tokens of devices are decoded, without a slash at its end. */
  readonly playIntegrityUrl: string;
  /** A file of trusted App Attest roots, absolute; null: Apple's own. */
  readonly appAttestRoots: string | null;
  /** App Attest environments that count in live sessions. */
  readonly appAttestEnvironments: readonly AppAttestEnvironment[];
  /** What fails a device's check beside the device itself. */
  readonly integrityRequires: readonly Requirement[];
}

export type SettingName = keyof Config;

/** One setting as people meet it. */
export interface Setting {
  readonly env: string;
  /** As on the command line; null where it is no option: secrets do not belong in a process list. */
  readonly flag: string | null;
  /** In words, as help and error messages say it. */
  readonly expects: string;
  readonly otherwise: string;
  readonly meaning: string;
}

/** One row a setting, in the order of Config. */
export const SETTINGS: Readonly<Record<SettingName, Setting>> = {
  host: {
    env: 'MATCHD_HOST',
    flag: '--host',
    expects: 'an address or host name',
    otherwise: '127.0.0.1',
    meaning: 'address to listen on',
  },
  port: {
    env: 'MATCHD_PORT',
    flag: '--port',
    expects: 'a port, 0 to 65535 (0: any free one)',
    otherwise: '4000',
    meaning: 'port to listen on',
  },
  dataDir: {
    env: 'MATCHD_DATA',
    flag: '--data',
    expects: 'a folder',
    otherwise: '.matchd',
    meaning: 'folder of the database',
  },
  store: {
    env: 'MATCHD_STORE',
    flag: '--store',
    expects: 'postgres://user:password@host:port/database',
    otherwise: '',
    meaning: 'PostgreSQL database that several nodes share, instead of SQLite in the data folder',
  },
  storeWaitMs: {
    env: 'MATCHD_STORE_WAIT_MS',
    flag: null,
    expects: 'milliseconds, 100 to 60000',
    otherwise: '2000',
    meaning: 'how long a write waits while another process has the SQLite file locked',
  },
  lostCommits: {
    env: 'MATCHD_LOST_COMMITS',
    flag: null,
    expects: LOST_COMMITS.join(' or '),
    otherwise: 'refuse',
    meaning:
      'what to do when acknowledged commits are missing: /readyz refuses, or serve without them',
  },
  allowUnsafeStore: {
    env: 'MATCHD_STORE_UNSAFE',
    flag: '--allow-unsafe-store',
    expects: '1 or 0',
    otherwise: '0',
    meaning: 'serve although the database is set to lose what it has acknowledged (1)',
  },
  bus: {
    env: 'MATCHD_BUS',
    flag: '--bus',
    expects: 'nats://host:port, several with commas between them',
    otherwise: '',
    meaning: 'NATS servers by which nodes of one database speak with each other',
  },
  publicUrl: {
    env: 'MATCHD_PUBLIC_URL',
    flag: '--public-url',
    expects: 'http:// or https://, a host and maybe a port, nothing after it',
    otherwise: '',
    meaning: 'address by which the world reaches the service',
  },
  hsts: {
    env: 'MATCHD_HSTS',
    flag: null,
    expects:
      'off, or max-age=<seconds>, then maybe "; includeSubDomains", then maybe "; preload" (a year at least)',
    otherwise: 'max-age=31536000',
    meaning: 'Strict-Transport-Security of every answer, where the public URL is https',
  },
  securityContacts: {
    env: 'MATCHD_SECURITY_CONTACT',
    flag: null,
    expects: 'mailto:, https:// or tel:, several with commas between them',
    otherwise: '',
    meaning: 'whom /.well-known/security.txt names for reports of vulnerabilities',
  },
  sealingKeys: {
    env: 'MATCHD_SEALING_KEY',
    flag: null,
    expects: '32 bytes in base64; several with commas between them, the one that seals first',
    otherwise: '',
    meaning: `key that seals secrets in the database (else the file ${SEALING_KEY_FILE} in its folder)`,
  },
  metricsPort: {
    env: 'MATCHD_METRICS_PORT',
    flag: '--metrics-port',
    expects: 'a port, 0 to 65535 (0: any free one)',
    otherwise: '',
    meaning: 'port of its own for /metrics, without a token',
  },
  metricsToken: {
    env: 'MATCHD_METRICS_TOKEN',
    flag: null,
    expects: '16 to 200 printable ASCII characters without spaces',
    otherwise: '',
    meaning: "bearer token that opens /metrics on the service's port",
  },
  otlpCollector: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    flag: null,
    expects: 'http:// or https:// and a host, maybe a port and a path',
    otherwise: '',
    meaning: 'OpenTelemetry collector that traces are sent to, as OTLP over HTTP in JSON',
  },
  otlpHeaders: {
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    flag: null,
    expects: 'name=value, several with commas between them, values percent-encoded',
    otherwise: '',
    meaning: 'headers of what is sent to the collector',
  },
  traceRatio: {
    env: 'OTEL_TRACES_SAMPLER_ARG',
    flag: null,
    expects: 'a number from 0 to 1',
    otherwise: '1',
    meaning: 'part of all traces that is kept',
  },
  traceService: {
    env: 'OTEL_SERVICE_NAME',
    flag: null,
    expects: '1 to 100 printable ASCII characters',
    otherwise: 'matchd',
    meaning: 'name of this service in traces',
  },
  trustedProxies: {
    env: 'MATCHD_TRUSTED_PROXIES',
    flag: '--trusted-proxies',
    expects: 'addresses or networks such as 10.0.0.0/8, with commas between them',
    otherwise: '',
    meaning: 'proxies whose X-Forwarded-For is believed',
  },
  logLevel: {
    env: 'MATCHD_LOG_LEVEL',
    flag: null,
    expects: LOG_LEVELS.join(', '),
    otherwise: 'info',
    meaning: 'least important log line that is written',
  },
  runtime: {
    env: 'MATCHD_RUNTIME',
    flag: '--runtime',
    expects: RUNTIMES.join(' or '),
    otherwise: '',
    meaning: 'what the service runs on',
  },
  drainMs: {
    env: 'MATCHD_DRAIN_MS',
    flag: null,
    expects: 'milliseconds, 0 to 600000',
    otherwise: '10000',
    meaning: 'time for open work to end when told to stop',
  },
  googleAccounts: {
    env: 'MATCHD_GOOGLE_ACCOUNTS',
    flag: null,
    expects: 'a folder',
    otherwise: '',
    meaning: 'folder of Google service accounts, as <project number>.json',
  },
  googleTokenUrl: {
    env: 'MATCHD_GOOGLE_TOKEN_URL',
    flag: null,
    expects: 'an https:// address, or http:// on this machine',
    otherwise: 'https://oauth2.googleapis.com/token',
    meaning: 'where Google gives access tokens',
  },
  playIntegrityUrl: {
    env: 'MATCHD_PLAY_INTEGRITY_URL',
    flag: null,
    expects: 'an https:// address, or http:// on this machine',
    otherwise: 'https://playintegrity.googleapis.com',
    meaning: 'where Google decodes integrity tokens',
  },
  appAttestRoots: {
    env: 'MATCHD_APP_ATTEST_ROOTS',
    flag: null,
    expects: 'a file of certificates in PEM form',
    otherwise: '',
    meaning: "roots that App Attest is trusted by, instead of Apple's",
  },
  appAttestEnvironments: {
    env: 'MATCHD_APP_ATTEST_ENVIRONMENTS',
    flag: null,
    expects: `${APP_ATTEST_ENVIRONMENTS.join(', ')}, with commas between them`,
    otherwise: 'production',
    meaning: 'App Attest environments that count in live sessions',
  },
  integrityRequires: {
    env: 'MATCHD_INTEGRITY_REQUIRES',
    flag: null,
    expects: `${REQUIREMENTS.join(', ')}, with commas between them`,
    otherwise: '',
    meaning: "what fails a device's check beside the device",
  },
};

/** Settings whose values are never shown. */
export const SECRET_SETTINGS: readonly SettingName[] = [
  'store',
  'bus',
  'sealingKeys',
  'metricsToken',
  'otlpHeaders',
];

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
 * absent. Variables that begin with MATCHD_ and are no setting are refused: they are mostly typos.
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
    // A secret is not repeated to whoever reads the message.
    const shown = SECRET_SETTINGS.includes(name) ? source : `${source} ${JSON.stringify(text)}`;
    problems.push(`${shown}: expected ${SETTINGS[name].expects}`);
    return absent;
  };
  const config: Config = {
    host: read('host', parseHost, ''),
    port: read('port', parsePort, 0),
    dataDir: read('dataDir', parseFolder, ''),
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
 * The launcher's and the tests' own variables are none of ours, nor are address and key of a client: the
 * guides put them into the very shell from which the service is started again.
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
    .map(([name]) => `${name}: there is no such setting. Valid: ${[...known].join(', ')}`);
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
    problems.push('nodes that speak over a bus share a database: set MATCHD_STORE, too');
  }
  if (config.store !== null && config.sealingKeys === null) {
    problems.push(
      'nodes that share a database share what seals its secrets: set MATCHD_SEALING_KEY, too',
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
  return ['the public URL is not https: keys and tokens travel in clear, and browsers refuse much'];
}
