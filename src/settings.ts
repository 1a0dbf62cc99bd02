/** All settings there are: what each is, and how people meet it. `config.ts` reads them. */

import { REQUIREMENTS, type Requirement } from './integrity/strictness.ts';
import { SEALING_KEY_FILE } from './runtime/sealing/sealing-key.ts';

export const RUNTIMES = ['bun', 'node'] as const;
export type Runtime = (typeof RUNTIMES)[number];

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const APP_ATTEST_ENVIRONMENTS = ['production', 'development'] as const;
export type AppAttestEnvironment = (typeof APP_ATTEST_ENVIRONMENTS)[number];

/** The reaction to a start that finds acknowledged commits missing. */
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
  /** The folder of the operator's own games, absolute; null: there are the shipped ones alone. */
  readonly games: string | null;
  /** A call of an operator's rules is stopped after so long, in milliseconds. */
  readonly gameCallMs: number;
  /** The PostgreSQL database that nodes share; null: SQLite in the data folder, one process. */
  readonly store: string | null;
  /** How long a write waits while another process has the SQLite file locked, in milliseconds. */
  readonly storeWaitMs: number;
  /** `refuse`: not ready until an operator has accepted the loss; `serve`: it is accepted now. */
  readonly lostCommits: LostCommitsPolicy;
  /** Serves although the database's settings allow it to lose acknowledged commits. */
  readonly allowUnsafeStore: boolean;
  /**
   * NATS servers between the nodes; none: the nodes communicate through the store, which is slower.
   */
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
  /** The endpoint for access tokens. */
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
  /** The command line option; null if there is none: secrets do not belong in a process list. */
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
    meaning: "a call of your own games' rules is stopped after so long, and its match ended",
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
    meaning: 'serve although the database may lose acknowledged commits (1)',
  },
  bus: {
    env: 'MATCHD_BUS',
    flag: '--bus',
    expects: 'nats://host:port, several with commas between them',
    otherwise: '',
    meaning: 'NATS servers that connect the nodes of one database',
  },
  publicUrl: {
    env: 'MATCHD_PUBLIC_URL',
    flag: '--public-url',
    expects: 'http:// or https://, a host and maybe a port, nothing after it',
    otherwise: '',
    meaning: 'public URL of the service',
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
    meaning: 'proxies whose X-Forwarded-For is trusted',
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
    meaning: 'runtime: bun or node',
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
