/** The behaviour of the command line: help, exit codes, and commands without a database. */

import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sha256Hex } from '../../game/src/random.ts';
import manifest from '../../package.json' with { type: 'json' };
import { makeReplay } from '../match/replay/replay.ts';
import type { Replay } from '../match/replay/replay-form.ts';
import { followAll, makeTestRoster, startTrace } from '../testing/matches/session-trace.ts';
import { type Ended, makeMatchd } from './matchd.test-kit.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(60_000);

const matchd = makeMatchd();
afterAll(() => matchd.close());

const COMMANDS: readonly (readonly string[])[] = [
  [],
  ['dev'],
  ['serve'],
  ['migrate'],
  ['openapi'],
  ['version'],
  ['tenants'],
  ['keys'],
  ['perft'],
  ['shot'],
  ['ladder'],
  ...['config', 'doctor', 'backup', 'restore', 'logs', 'loadtest', 'healthcheck'].map((name) => [
    name,
  ]),
  ...['accounts', 'sessions', 'games', 'webhooks', 'players', 'bots'].map((name) => [name]),
  ...['setup', 'reset'].map((name) => ['accounts', name]),
  ...['list', 'show', 'watch', 'end'].map((name) => ['sessions', name]),
  ...['list', 'show', 'attempts', 'test'].map((name) => ['webhooks', name]),
  ...['show', 'export', 'erase'].map((name) => ['players', name]),
  ['bots', 'list'],
  ...['list', 'new', 'check', 'freeze'].map((name) => ['games', name]),
  ...['create', 'list', 'show', 'update'].map((name) => ['tenants', name]),
  ...['create', 'list', 'rotate', 'revoke', 'update'].map((name) => ['keys', name]),
  ['replay'],
  ['replay', 'verify'],
];

test('[CLI] a reader that stops after the beginning gets no error', async () => {
  const main = path.join(import.meta.dir, 'main.ts');
  for (const args of ['migrate --help', 'config']) {
    const piped = Bun.spawn(['sh', '-c', `"${process.execPath}" "${main}" ${args} | true`], {
      stderr: 'pipe',
    });
    expect([await new Response(piped.stderr).text(), await piped.exited]).toEqual(['', 0]);
  }
});

describe('help', () => {
  test('[CLI] every command has help with its exit codes, which does nothing else', async () => {
    const ended = await Promise.all(COMMANDS.map((command) => matchd.run(...command, '--help')));
    for (const { stdout, stderr, exit } of ended) {
      expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 });
      expect(stdout).toStartWith('Usage: matchd');
      expect(stdout).toContain('Exit codes: 0 done, 1 failed, 2 wrong usage.');
    }
    expect(readdirSync(matchd.folder)).toEqual([]);
  });

  test('[CLI] every command that does something has --json', async () => {
    const leaves = COMMANDS.filter(
      (command) =>
        ![
          '',
          'tenants',
          'keys',
          'replay',
          'accounts',
          'sessions',
          'games',
          'webhooks',
          'players',
          'bots',
        ].includes(command.join()),
    );
    const ended = await Promise.all(leaves.map((command) => matchd.run(...command, '--help')));
    for (const { stdout } of ended) expect(stdout).toContain('--json');
  });

  test('[CLI] no command, an incomplete one and an unknown one are wrong usage', async () => {
    for (const args of [
      [],
      ['tenants'],
      ['tenant'],
      ['keys', 'destroy'],
      ['--nonsense'],
      ['replay', 'verify'],
    ]) {
      const { stdout, stderr, exit } = await matchd.run(...args);
      expect([args, stdout, exit]).toEqual([args, '', 2]);
      expect(stderr).not.toBe('');
    }
  });
});

describe('build', () => {
  test('[CLI] version shows what runs', async () => {
    const { version } = manifest;
    expect((await matchd.run('--version')).stdout).toBe(`${version}\n`);
    expect((await matchd.run('version')).stdout).toBe(`matchd ${version} on bun ${Bun.version}\n`);
    expect((await matchd.json('version')) as object).toEqual({
      version,
      runtime: 'bun',
      runtimeVersion: Bun.version,
    });
  });

  test('[CLI] openapi prints the API description', async () => {
    expect(((await matchd.json('openapi')) as { openapi: string }).openapi).toStartWith('3.1');
  });
});

describe('migrate', () => {
  test('[CLI] a database is created once and then up to date', async () => {
    const first = (await matchd.json('migrate', '--data', 'd')) as { file: string; ran: string[] };
    expect(first.file).toBe(path.join(matchd.folder, 'd', 'matchd.db'));
    expect(first.ran[0]).toBe('0040-one-schema');
    expect((await matchd.json('migrate', '--data', 'd')) as object).toEqual({ ...first, ran: [] });
  });

  test('[CLI] --dry-run shows what would be done, and does none of it', async () => {
    const dry = ['migrate', '--dry-run', '--data', 'dry'];
    const none = (await matchd.json(...dry)) as { pending: string[] };
    expect(none.pending[0]).toBe('0040-one-schema');
    expect(readdirSync(matchd.folder)).not.toContain('dry');
    await matchd.json('migrate', '--data', 'dry');
    expect(((await matchd.json(...dry)) as { pending: string[] }).pending).toEqual([]);
    const db = new Database(path.join(matchd.folder, 'dry', 'matchd.db'));
    db.run("DELETE FROM migration WHERE name = '0040-one-schema'");
    db.run('DROP INDEX session_game');
    const pending = { pending: ['0040-one-schema'] };
    expect((await matchd.json(...dry)) as object).toMatchObject(pending);
    expect(db.query("SELECT 1 FROM sqlite_schema WHERE name = 'session_game'").get()).toBeNull();
    db.close();
  });
});

describe('serve', () => {
  test('[CLI] it needs a public URL, and consistent settings', async () => {
    const bare = await matchd.run('serve');
    expect([bare.exit, bare.stdout]).toEqual([2, '']);
    expect(bare.stderr).toContain('serve needs --public-url or MATCHD_PUBLIC_URL');
    const wrong = await matchd.run('serve', '--public-url', 'https://a/b', '--port', 'x');
    expect(wrong.exit).toBe(2);
    expect(wrong.stderr).toContain('--port "x"');
    expect(wrong.stderr).toContain('--public-url "https://a/b"');
  });

  test('[CLI] invalid roots are reported by their setting, before anything is opened', async () => {
    const file = path.join(matchd.folder, 'roots.pem');
    writeFileSync(file, 'nonsense');
    const other = makeMatchd({ MATCHD_APP_ATTEST_ROOTS: file });
    const ended = await other.run('serve', '--public-url', 'http://127.0.0.1:1', '--port', '0');
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toContain(`MATCHD_APP_ATTEST_ROOTS "${file}": no certificate in it`);
    expect(readdirSync(other.folder)).toEqual([]);
    other.close();
    rmSync(file);
  });

  test('[CLI] a port in use is reported, and the process ends', async () => {
    const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    for (const ports of [
      ['--port', `${taken.port}`],
      ['--port', '0', '--metrics-port', `${taken.port}`],
    ]) {
      const other = makeMatchd();
      const ended = await other.run('serve', '--public-url', 'http://127.0.0.1:1', ...ports);
      expect(ended.exit).toBe(1);
      expect(ended.stderr).toContain(`port ${taken.port} is in use`);
      other.close();
    }
    await taken.stop(true);
  });

  test('[CLI] an unknown variable is refused', async () => {
    const other = makeMatchd({ MATCHD_PROT: '1' });
    const ended = await other.run('dev');
    other.close();
    expect(ended.exit).toBe(2);
    expect(ended.stderr).toContain('MATCHD_PROT: unknown setting');
  });
});

describe('replay', () => {
  const moves = [0, 3, 1, 4, 2];
  const trace = followAll(
    startTrace(),
    moves.map((position, i) => [
      (i + 1) * 1_000,
      { kind: 'act', seat: i % 2, id: `${i}`, action: { position } },
    ]),
  );
  const replay = makeReplay(trace.session, makeTestRoster(2), trace.entries);

  async function verify(value: unknown): Promise<Ended> {
    mkdirSync(path.join(matchd.folder, 'r'), { recursive: true });
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    await Bun.write(path.join(matchd.folder, 'r', 'match.json'), text);
    return matchd.run('replay', 'verify', 'r/match.json', '--json');
  }

  test('[S7] a replay is verified without a server', async () => {
    const ended = await verify(replay);
    expect(ended).toMatchObject({ exit: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      ok: true,
      records: moves.length,
      hash: replay.hash,
      signature: { state: 'not_checked', keyId: null },
    });
    const { stdout } = await matchd.run('replay', 'verify', 'r/match.json');
    expect(stdout).toStartWith(
      `r/match.json: right, tictactoe version 1 (standard), 5 records, state ${replay.hash}\n`,
    );
    expect(stdout).toEndWith('The signature was not checked: use --keys with the public keys.\n');
  });

  test('[S7] a forged one is reported with the first wrong record, exit code 1', async () => {
    const [first, second, ...rest] = replay.inputs;
    const inputs = [first, { ...second!, action: { position: 0 } }, ...rest];
    const ended = await verify({ ...replay, inputs });
    expect(ended).toMatchObject({ exit: 1, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ ok: false, v: second!.v });
    for (const forged of [
      { ...replay, hash: sha256Hex('another') },
      { ...replay, result: { ...replay.result, winner: 'player-1' } },
      { ...replay, fairness: { ...replay.fairness, seed: 'another' } },
    ]) {
      expect(await verify(forged)).toMatchObject({ exit: 1, stderr: '' });
    }
  });

  const change = (fields: Partial<Record<keyof Replay, unknown>>): unknown => ({
    ...replay,
    ...fields,
  });
  const NONE: readonly (readonly [string, unknown])[] = [
    ['nothing', ''],
    ['no JSON', '{'],
    ['null', null],
    ['a list', []],
    ['another object', {}],
    ['deep nesting', `{"inputs":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a game that is no text', change({ game: 7 })],
    ['inputs that are none', change({ inputs: [1] })],
    ['a seat that is none', change({ inputs: [{ ...replay.inputs[0], seat: -1 }] })],
    ['a control of another kind', change({ controls: [{ ...replay.inputs[0], kind: 'bribe' }] })],
    ['options that are none', change({ options: { a: {} } })],
    ['a hash that is none', change({ hash: 'abc' })],
  ];

  test('[CLI] an invalid replay is refused with the invalid field', async () => {
    for (const [what, value] of NONE) {
      const ended = await verify(value);
      expect([what, ended.exit, ended.stdout]).toEqual([what, 1, '']);
      expect(ended.stderr).toMatch(/^\{"error":"r\/match\.json is not a replay: .+"\}\n$/);
    }
    expect((await verify(change({ game: 7 }))).stderr).toContain('game: ');
  });

  test('[S7] a replay of an unknown game is not verified', async () => {
    const ended = await verify(change({ game: 'go' }));
    expect(ended.exit).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      ok: false,
      error: 'There is no engine for go',
    });
  });

  test('[S7] a replay of other rules is not verified, and not reported as wrong', async () => {
    const ended = await verify(change({ rulesVersion: 99 }));
    expect(ended.exit).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({ ok: false, v: null });
    const { stdout } = await matchd.run('replay', 'verify', 'r/match.json');
    expect(stdout).toStartWith(
      'r/match.json: Not checked: it was played by version 99 of the rules of tictactoe, and this engine has version 1\n',
    );
  });

  test('[CLI] junk in any field of a replay is an error, never a crash', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const text = JSON.stringify(change({ inputs: [{ ...replay.inputs[0], action: 'DEEP' }] }));
    for (const value of [
      change({ variant: '__proto__' }),
      change({ seats: 64 }),
      change({ options: { mystery: 1 } }),
      change({ rulesVersion: -1 }),
      change({ inputs: [{ ...replay.inputs[0], seat: 60 }] }),
      change({ players: [] }),
      text.replace('"DEEP"', deep),
    ]) {
      const ended = await verify(value);
      expect(ended).toMatchObject({ exit: 1, stderr: '' });
      expect(JSON.parse(ended.stdout)).toMatchObject({ ok: false });
    }
  });

  test('[CLI] a missing file or a folder is refused', async () => {
    for (const file of ['missing.json', '.']) {
      const ended = await matchd.run('replay', 'verify', file);
      expect([ended.exit, ended.stdout]).toEqual([1, '']);
      expect(ended.stderr).toContain('cannot be read');
    }
  });
});
