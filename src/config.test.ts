/** Where settings come from, their precedence, and reports of invalid ones. */

import { describe, expect, test } from 'bun:test';
import fs from 'node:fs';
import path from 'node:path';
import type { Config, Environment, Flags } from './config.ts';
import { databaseFile, readConfig, SETTINGS, warningsOf } from './config.ts';

function config(env: Environment = {}, flags: Flags = {}): Config {
  const reading = readConfig(env, flags, 'bun');
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return reading.config;
}

function problems(env: Environment, flags: Flags = {}): readonly string[] {
  const reading = readConfig(env, flags, 'bun');
  return reading.ok ? [] : reading.problems;
}

const KEY = Buffer.alloc(32, 1).toString('base64');
const OLDER_KEY = Buffer.alloc(32, 2).toString('base64');

describe('values', () => {
  test('[CLI] without any setting the defaults apply, frozen', () => {
    const read = config();
    expect(read).toEqual({
      host: '127.0.0.1',
      port: 4000,
      dataDir: path.resolve('.matchd'),
      games: null,
      gameCallMs: 1_000,
      store: null,
      storeWaitMs: 2_000,
      lostCommits: 'refuse',
      allowUnsafeStore: false,
      bus: [],
      publicUrl: null,
      hsts: 'max-age=31536000',
      securityContacts: [],
      sealingKeys: null,
      metricsPort: null,
      metricsToken: null,
      otlpCollector: null,
      otlpHeaders: {},
      traceRatio: 1,
      traceService: 'matchd',
      trustedProxies: [],
      logLevel: 'info',
      runtime: 'bun',
      drainMs: 10_000,
      googleAccounts: null,
      googleTokenUrl: 'https://oauth2.googleapis.com/token',
      playIntegrityUrl: 'https://playintegrity.googleapis.com',
      appAttestRoots: null,
      appAttestEnvironments: ['production'],
      integrityRequires: [],
    });
    expect(Object.isFrozen(read) && Object.isFrozen(read.trustedProxies)).toBe(true);
  });

  test('[CLI] the environment overrides defaults, flags override both, and empty counts as absent', () => {
    const env = { MATCHD_PORT: '5000', MATCHD_HOST: '', HOME: '/root' };
    expect(config(env)).toMatchObject({ port: 5000, host: '127.0.0.1' });
    expect(config(env, { port: '6000' }).port).toBe(6000);
    expect(config({ MATCHD_PORT: 'junk' }, { port: '6000' }).port).toBe(6000);
  });

  test('[CLI] every setting is read from its variable', () => {
    const env = {
      MATCHD_HOST: '::',
      MATCHD_PORT: '0',
      MATCHD_DATA: '/var/lib/matchd',
      MATCHD_GAMES: '/srv/games',
      MATCHD_GAME_CALL_MS: '250',
      MATCHD_STORE: 'postgres://matchd:secret@db.example:5432/matchd',
      MATCHD_STORE_WAIT_MS: '500',
      MATCHD_LOST_COMMITS: 'serve',
      MATCHD_STORE_UNSAFE: '1',
      MATCHD_BUS: 'nats://a.example:4222, nats://b.example:4222',
      MATCHD_PUBLIC_URL: 'HTTPS://Play.Example.com:443/',
      MATCHD_HSTS: 'max-age=63072000; includeSubDomains; preload',
      MATCHD_SECURITY_CONTACT: 'mailto:security@example.com, https://example.com/report?a=b',
      MATCHD_SEALING_KEY: `${KEY},${OLDER_KEY}`,
      MATCHD_METRICS_PORT: '9090',
      MATCHD_METRICS_TOKEN: 'a-token-of-some-length',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%3Db, x-team=play',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
      OTEL_SERVICE_NAME: 'my game',
      MATCHD_TRUSTED_PROXIES: '10.0.0.0/8, ::1,192.0.2.1',
      MATCHD_LOG_LEVEL: 'warn',
      MATCHD_RUNTIME: 'bun',
      MATCHD_DRAIN_MS: '0',
      MATCHD_GOOGLE_ACCOUNTS: '/etc/matchd/google',
      MATCHD_GOOGLE_TOKEN_URL: 'http://127.0.0.1:8080/token',
      MATCHD_PLAY_INTEGRITY_URL: 'https://Play.example.com/',
      MATCHD_APP_ATTEST_ROOTS: '/etc/matchd/roots.pem',
      MATCHD_APP_ATTEST_ENVIRONMENTS: 'development, production',
      MATCHD_INTEGRITY_REQUIRES: 'licensed_app,binding',
    };
    expect(Object.keys(env).sort()).toEqual(
      Object.values(SETTINGS)
        .map(({ env }) => env)
        .sort(),
    );
    expect(config(env)).toEqual({
      host: '::',
      port: 0,
      dataDir: '/var/lib/matchd',
      games: '/srv/games',
      gameCallMs: 250,
      store: 'postgres://matchd:secret@db.example:5432/matchd',
      storeWaitMs: 500,
      lostCommits: 'serve',
      allowUnsafeStore: true,
      bus: ['nats://a.example:4222', 'nats://b.example:4222'],
      publicUrl: 'https://play.example.com',
      hsts: 'max-age=63072000; includeSubDomains; preload',
      securityContacts: ['mailto:security@example.com', 'https://example.com/report?a=b'],
      sealingKeys: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)],
      metricsPort: 9090,
      metricsToken: 'a-token-of-some-length',
      otlpCollector: 'http://collector:4318',
      otlpHeaders: { 'api-key': 'a=b', 'x-team': 'play' },
      traceRatio: 0.05,
      traceService: 'my game',
      trustedProxies: ['10.0.0.0/8', '::1', '192.0.2.1'],
      logLevel: 'warn',
      runtime: 'bun',
      drainMs: 0,
      googleAccounts: '/etc/matchd/google',
      googleTokenUrl: 'http://127.0.0.1:8080/token',
      playIntegrityUrl: 'https://play.example.com',
      appAttestRoots: '/etc/matchd/roots.pem',
      appAttestEnvironments: ['production', 'development'],
      integrityRequires: ['binding', 'licensed_app'],
    });
  });

  test('[CLI] the database is in the data folder', () => {
    expect(databaseFile('/data')).toBe('/data/matchd.db');
  });
});

const WRONG: Readonly<Record<string, readonly string[]>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    'collector:4318',
    'grpc://x',
    'http://',
    'http://a b',
    'http://u:p@x',
    'http://x?y',
  ],
  OTEL_EXPORTER_OTLP_HEADERS: ['a', '=b', 'a=b,', 'a=%0a', 'a=%zz', 'a b=c', 'a=b\nc'],
  OTEL_TRACES_SAMPLER_ARG: ['-0.1', '1.1', '2', 'half', '1e-3', '0.'],
  OTEL_SERVICE_NAME: ['a\nb', 'ä', 'x'.repeat(101)],
  MATCHD_HOST: ['a b', 'http://x', 'host/'],
  MATCHD_PORT: ['-1', '65536', '80.5', '0x50', 'http', ' 80', '1e3'],
  MATCHD_DATA: ['a\0b'],
  MATCHD_GAMES: ['a\0b'],
  MATCHD_GAME_CALL_MS: ['9', '60001', '1s'],
  MATCHD_STORE: ['db', 'mysql://a/b', 'postgres://a', 'postgres:///', 'postgres://a/b c'],
  MATCHD_STORE_UNSAFE: ['yes', 'true', '2'],
  MATCHD_BUS: ['a:4222', 'http://a:4222', 'nats://', 'nats://a,', 'nats://a b'],
  MATCHD_PUBLIC_URL: [
    'example.com',
    'ftp://example.com',
    'https://',
    'https://a/b',
    'https://a?',
    'https://a#b',
    'https://u:p@a',
    'https:a',
    'https://a b',
  ],
  MATCHD_HSTS: [
    '31536000',
    'max-age=-1',
    'max-age=',
    'max-age=1; preload',
    'max-age=31535999; includeSubDomains; preload',
    'max-age=1\r\nx: y',
    'on',
  ],
  MATCHD_SECURITY_CONTACT: [
    'security@example.com',
    'http://example.com',
    'mailto:',
    'https://a b',
    'mailto:a@b,',
    'mailto:a@b\nExpires: never',
    'javascript:alert(1)',
    'https://',
  ],
  MATCHD_SEALING_KEY: ['secret', KEY.slice(1), `${KEY} ${OLDER_KEY}`, KEY.replace('=', ''), ','],
  MATCHD_METRICS_PORT: ['x', '70000', '4000'],
  MATCHD_METRICS_TOKEN: ['short', 'with spaces in the middle', 'ünicode-ünicode-ünicode'],
  MATCHD_TRUSTED_PROXIES: [
    'proxy',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '1.2.3.4,',
    '1.2.3.4/8/8',
  ],
  MATCHD_LOG_LEVEL: ['INFO', 'verbose'],
  MATCHD_RUNTIME: ['deno', 'node'],
  MATCHD_DRAIN_MS: ['10s', '600001', '-1'],
  MATCHD_GOOGLE_ACCOUNTS: ['a\0b'],
  MATCHD_GOOGLE_TOKEN_URL: [
    'oauth2.googleapis.com',
    'http://example.com/token',
    'https://u:p@a/',
    'ftp://127.0.0.1/',
    'http://127.0.0.1.example.com/',
    'https://a/?b',
    'https://a/#b',
    'https://a b/',
  ],
  MATCHD_PLAY_INTEGRITY_URL: ['x', 'http://192.0.2.1/'],
  MATCHD_APP_ATTEST_ROOTS: ['a\0b'],
  MATCHD_APP_ATTEST_ENVIRONMENTS: ['prod', 'production,', 'production,production', 'any'],
  MATCHD_INTEGRITY_REQUIRES: ['bindings', 'binding;licensed_app', ','],
};

describe('problems', () => {
  for (const [variable, texts] of Object.entries(WRONG)) {
    test(`[CLI] an invalid value in ${variable} is refused`, () => {
      for (const text of texts)
        expect([text, problems({ [variable]: text }).length]).toEqual([text, 1]);
    });
  }

  test('[CLI] a problem names its source, its value and the expected one; all are reported at once', () => {
    const env = { MATCHD_PORT: 'x', MATCHD_LOG_LEVEL: 'loud' };
    expect(problems(env, { host: '' })).toEqual([
      '--host "": expected an address or host name',
      'MATCHD_PORT "x": expected a port, 0 to 65535 (0: any free one)',
      'MATCHD_LOG_LEVEL "loud": expected trace, debug, info, warn, error, silent',
    ]);
  });

  test('[CLI] a public URL without TLS is warned of, except for this machine', () => {
    const warned = (publicUrl: string) => warningsOf({ publicUrl }).length;
    const local = ['http://127.0.0.1:4000', 'http://localhost', 'http://[::1]:1'];
    for (const url of ['https://play.example', ...local])
      expect([url, warned(url)]).toEqual([url, 0]);
    for (const url of ['http://play.example', 'http://10.0.0.1:4000', 'http://localhost.evil']) {
      expect([url, warned(url)]).toEqual([url, 1]);
    }
  });

  test('[CLI] several nodes share a database, and the key of its secrets', () => {
    const store = 'postgres://a/matchd';
    expect(problems({ MATCHD_STORE: store, MATCHD_SEALING_KEY: KEY })).toEqual([]);
    expect(problems({ MATCHD_STORE: store }).join()).toContain('MATCHD_SEALING_KEY');
    expect(problems({ MATCHD_BUS: 'nats://a' }).join()).toContain('MATCHD_STORE');
  });

  test('[CLI] a secret is never shown', () => {
    expect(problems({ MATCHD_STORE: 'postgres://u:hunter2@' }).join()).not.toContain('hunter2');
    expect(problems({ MATCHD_METRICS_TOKEN: 'hunter2' }).join()).not.toContain('hunter2');
  });

  test('[CLI] an unknown variable of ours is refused, others are ignored', () => {
    expect(problems({ MATCHD_PROT: '1' })[0]).toStartWith('MATCHD_PROT: unknown setting');
    const foreign = {
      MATCHD_NODE: '/usr/bin/node',
      MATCHD_TEST_SEED: '1',
      MATCHD_SERVICE_HOST: '10.0.0.1',
      MATCHD_SERVICE_PORT_HTTP: '80',
      MATCHD_PORT: 'tcp://10.0.0.1:80',
      MATCHD_PORT_80_TCP_ADDR: '10.0.0.1',
    };
    expect(config(foreign).port).toBe(4000);
  });

  test('[CLI] a shell in which the guides were followed starts the service', () => {
    const guides = new URL('../docs/guides/', import.meta.url);
    const pages = fs.readdirSync(guides).map((name) => new URL(name, guides));
    const texts = [new URL('../README.md', import.meta.url), ...pages].map((url) =>
      fs.readFileSync(url, 'utf8'),
    );
    // Variables for a client's samples; settings among them are tested elsewhere.
    const named = texts.flatMap((text) => text.match(/(?<=\$)MATCHD_\w+/g) ?? []);
    const client = { MATCHD_URL: 'http://127.0.0.1:4000', MATCHD_KEY: 'mk_test_a' };
    expect(named).toContain('MATCHD_KEY');
    expect(
      named.filter((name) =>
        problems({ [name]: 'x' })
          .join()
          .includes('no such'),
      ),
    ).toEqual([]);
    expect(config(client).port).toBe(4000);
  });

  test('[CLI] a runtime setting that does not match this process is refused, with the way to change it', () => {
    expect(problems({}, { runtime: 'node' })).toEqual([
      'this process runs on bun: for node use "matchd … --runtime node"',
    ]);
  });
});
