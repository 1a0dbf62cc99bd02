/** All settings: their types, names, defaults and descriptions. `config.ts` reads them. */

import { REQUIREMENTS, type Requirement } from './integrity/strictness.ts';
import { SEALING_KEY_FILE } from './runtime/sealing/sealing-key.ts';

export const RUNTIMES = ['bun', 'node'] as const;
export type Runtime = (typeof RUNTIMES)[number];

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const APP_ATTEST_ENVIRONMENTS = ['production', 'development'] as const;
export type AppAttestEnvironment = (typeof APP_ATTEST_ENVIRONMENTS)[number];

/** What a start does if acknowledged commits are missing. */
export const LOST_COMMITS = ['refuse', 'serve'] as const;
export type LostCommitsPolicy = (typeof LOST_COMMITS)[number];

/** The configuration of `dev` and `serve`. Frozen. */
export interface Config {
  /** The address to listen on. */
  readonly host: string;
  /** 0 asks for any free port. */
  readonly port: number;
  /** The folder of the database, as an absolute path. */
  readonly dataDir: string;
  /** The absolute folder of the operator's games; null: only the shipped ones. */
  readonly games: string | null;
  /** The time limit of a call to an operator's rules, in milliseconds. */
  readonly gameCallMs: number;
  /** The PostgreSQL database that nodes share; null: SQLite in the data folder, one process. */
  readonly store: string | null;
  /** How long a write waits while another process has the SQLite file locked, in milliseconds. */
  readonly storeWaitMs: number;
  /** `refuse`: not ready until an operator accepts the loss; `serve`: it is accepted. */
  readonly lostCommits: LostCommitsPolicy;
  /** Serve although the database's settings allow it to lose acknowledged commits. */
  readonly allowUnsafeStore: boolean;
  /**
   * NATS servers between nodes; none: nodes communicate through the store, which is slower.
   */
  readonly bus: readonly string[];
  /** The prefix of every URL in a response, without a trailing slash. Null: not set. */
  readonly publicUrl: string | null;
  /** `Strict-Transport-Security` of every response if `publicUrl` is https; null: no header. */
  readonly hsts: string | null;
  /** URIs in `/.well-known/security.txt`, the preferred one first; none: the file is not served. */
  readonly securityContacts: readonly string[];
  /** The first key seals secrets, every key opens them. Null: the data folder's key file. */
  readonly sealingKeys: readonly Uint8Array[] | null;
  /** The port that serves `/metrics` without a token; null: none. */
  readonly metricsPort: number | null;
  /** The token for `/metrics` on the service's own port; null: it is not served there. */
  readonly metricsToken: string | null;
  /** The collector of traces, without a trailing slash; null: no traces. */
  readonly otlpCollector: string | null;
  /** Headers of requests to the collector. */
  readonly otlpHeaders: Readonly<Record<string, string>>;
  /** The fraction of traces that is sampled, 0 to 1. */
  readonly traceRatio: number;
  /** The name of this service in traces. */
  readonly traceService: string;
  /** Addresses and networks (`10.0.0.0/8`) whose `X-Forwarded-For` is trusted (rule H5). */
  readonly trustedProxies: readonly string[];
  readonly logLevel: LogLevel;
  /** The runtime of this process. */
  readonly runtime: Runtime;
  /** The time for a graceful shutdown, in milliseconds. */
  readonly drainMs: number;
  /** The absolute folder of Google service accounts; null: no Android device is checked (I5). */
  readonly googleAccounts: string | null;
  /** The endpoint for access tokens. */
  readonly googleTokenUrl: string;
  /** The endpoint that decodes device tokens, without a trailing slash. */
  readonly playIntegrityUrl: string;
  /** The absolute path of trusted App Attest roots; null: Apple's. */
  readonly appAttestRoots: string | null;
  /** App Attest environments that are accepted in live sessions. */
  readonly appAttestEnvironments: readonly AppAttestEnvironment[];
  /** Further requirements of a device check. */
  readonly integrityRequires: readonly Requirement[];
}

export type SettingName = keyof Config;

/** The name, value format and description of a setting. */
export interface Setting {
  readonly env: string;
  /** The command line option; null if there is none: secrets do not belong in a process list. */
  readonly flag: string | null;
  /** The expected value, as in help and error messages. */
  readonly expects: string;
  readonly otherwise: string;
  readonly meaning: string;
}

/** One row per setting, in the order of `Config`. */
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
  games: {
    env: 'MATCHD_GAMES',
    flag: '--games',
    expects: 'a folder',
    otherwise: '',
    meaning: 'folder of your own games, one folder each',
  },
  gameCallMs: {
    env: 'MATCHD_GAME_CALL_MS',
    flag: null,
    expects: 'milliseconds, 10 to 60000',
    otherwise: '1000',
    meaning: "time limit of a call to your own games' rules; its match ends beyond it",
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
    meaning: 'if acknowledged commits are missing: refuse (/readyz is 503) or serve without them',
  },
  allowUnsafeStore: {
    env: 'MATCHD_STORE_UNSAFE',
    flag: '--allow-unsafe-store',
    expects: '1 or 0',
    otherwise: '0',
    meaning: 'serve although the database may lose acknowledged commits (1)',
  },
  bus: {
    env: 'MATCHD_BUS',
    flag: '--bus',
    expects: 'nats://host:port, several separated by commas',
    otherwise: '',
    meaning: 'NATS servers that connect the nodes of one database',
  },
  publicUrl: {
    env: 'MATCHD_PUBLIC_URL',
    flag: '--public-url',
    expects: 'http:// or https://, a host and an optional port, without a path',
    otherwise: '',
    meaning: 'public URL of the service',
  },
  hsts: {
    env: 'MATCHD_HSTS',
    flag: null,
    expects:
      'off, or max-age=<seconds>, optionally with "; includeSubDomains" and "; preload" (at least a year)',
    otherwise: 'max-age=31536000',
    meaning: 'Strict-Transport-Security of every response, if the public URL is https',
  },
  securityContacts: {
    env: 'MATCHD_SECURITY_CONTACT',
    flag: null,
    expects: 'mailto:, https:// or tel:, several separated by commas',
    otherwise: '',
    meaning: 'contacts in /.well-known/security.txt for vulnerability reports',
  },
  sealingKeys: {
    env: 'MATCHD_SEALING_KEY',
    flag: null,
    expects: '32 bytes in base64; several separated by commas, the sealing key first',
    otherwise: '',
    meaning: `key that seals secrets in the database (else the file ${SEALING_KEY_FILE} in its folder)`,
  },
  metricsPort: {
    env: 'MATCHD_METRICS_PORT',
    flag: '--metrics-port',
    expects: 'a port, 0 to 65535 (0: any free one)',
    otherwise: '',
    meaning: 'separate port for /metrics, without a token',
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
    expects: 'http:// or https:// and a host, optionally a port and a path',
    otherwise: '',
    meaning: 'OpenTelemetry collector that traces are sent to, as OTLP over HTTP in JSON',
  },
  otlpHeaders: {
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    flag: null,
    expects: 'name=value, several separated by commas, values percent-encoded',
    otherwise: '',
    meaning: 'headers of requests to the collector',
  },
  traceRatio: {
    env: 'OTEL_TRACES_SAMPLER_ARG',
    flag: null,
    expects: 'a number from 0 to 1',
    otherwise: '1',
    meaning: 'fraction of traces that is sampled',
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
    expects: 'addresses or networks such as 10.0.0.0/8, separated by commas',
    otherwise: '',
    meaning: 'proxies whose X-Forwarded-For is trusted',
  },
  logLevel: {
    env: 'MATCHD_LOG_LEVEL',
    flag: null,
    expects: LOG_LEVELS.join(', '),
    otherwise: 'info',
    meaning: 'lowest log level that is written',
  },
  runtime: {
    env: 'MATCHD_RUNTIME',
    flag: '--runtime',
    expects: RUNTIMES.join(' or '),
    otherwise: '',
    meaning: 'runtime: bun or node',
  },
  drainMs: {
    env: 'MATCHD_DRAIN_MS',
    flag: null,
    expects: 'milliseconds, 0 to 600000',
    otherwise: '10000',
    meaning: 'time for open work to finish during a graceful shutdown',
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
    expects: 'an https:// URL, or http:// on this machine',
    otherwise: 'https://oauth2.googleapis.com/token',
    meaning: "Google's endpoint for access tokens",
  },
  playIntegrityUrl: {
    env: 'MATCHD_PLAY_INTEGRITY_URL',
    flag: null,
    expects: 'an https:// URL, or http:// on this machine',
    otherwise: 'https://playintegrity.googleapis.com',
    meaning: "Google's endpoint that decodes integrity tokens",
  },
  appAttestRoots: {
    env: 'MATCHD_APP_ATTEST_ROOTS',
    flag: null,
    expects: 'a file of certificates in PEM form',
    otherwise: '',
    meaning: "trusted App Attest roots, instead of Apple's",
  },
  appAttestEnvironments: {
    env: 'MATCHD_APP_ATTEST_ENVIRONMENTS',
    flag: null,
    expects: `${APP_ATTEST_ENVIRONMENTS.join(', ')}, separated by commas`,
    otherwise: 'production',
    meaning: 'App Attest environments that are accepted in live sessions',
  },
  integrityRequires: {
    env: 'MATCHD_INTEGRITY_REQUIRES',
    flag: null,
    expects: `${REQUIREMENTS.join(', ')}, separated by commas`,
    otherwise: '',
    meaning: 'further requirements of a device check',
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
