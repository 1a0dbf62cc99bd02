/**
 * Compares docs/guides/running.md and deploy/ with the code: commands, settings, samples, units.
 */

import { expect, setDefaultTimeout, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { SETTINGS } from '../config.ts';
import { makeTempFolder, removeFolder } from '../testing/temp-folder.ts';
import { makeMatchd } from './matchd.test-kit.ts';
import { makeProgram } from './program.ts';

/** Each test may start processes, and the machine may be busy. */
setDefaultTimeout(60_000);

const ROOT = path.join(import.meta.dirname, '../..');
const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');
const guide = read('docs/guides/running.md');
const blocks = [...guide.matchAll(/^```\n([\s\S]*?)^```$/gm)].map((found) => found[1]!);

function leaves(command: Command, name: string): string[] {
  if (command.commands.length === 0) return [name];
  return command.commands.flatMap((each) => leaves(each, `${name} ${each.name()}`));
}

const program = makeProgram({}, () => Promise.resolve(), false);
const known = leaves(program, 'matchd');

test('[CLI] the guide has a row for each command, and for no other', () => {
  const rows = [...guide.matchAll(/^\| `(matchd [a-z -]+)` \| (.+) \| (.+) \|$/gm)];
  expect(rows.map((row) => row[1]!).sort()).toEqual([...known].sort());
});

test('[CONFIG] the guide names each setting, and no other', () => {
  const named = new Set(guide.match(/\b(?:MATCHD|OTEL)_[A-Z_]+/g));
  expect([...named].sort()).toEqual(
    Object.values(SETTINGS)
      .map(({ env }) => env)
      .sort(),
  );
});

test('[CLI] every command and option that a sample types exists', () => {
  const lines = blocks.join('\n').match(/(?:^|\bexec matchd |-u matchd )matchd [^\n]*/gm) ?? [];
  expect(lines.length).toBeGreaterThan(9);
  for (const line of lines) {
    const words = line
      .replace(/^.*?(?=matchd (?!matchd))/, '')
      .split(' ')
      .slice(1);
    let command: Command = program;
    while (command.commands.length > 0) {
      const next = words.shift();
      const found = command.commands.find((each) => each.name() === next);
      if (found === undefined) throw new Error(`${line}: there is no ${next}`);
      command = found;
    }
    const flags = new Set(command.options.map((option) => option.long));
    for (const word of words.filter((each) => each.startsWith('--'))) {
      expect([line, word, flags.has(word)]).toEqual([line, word, true]);
    }
  }
});

test('[CLI] the samples for one folder run as written', async () => {
  const matchd = makeMatchd();
  fs.mkdirSync(path.join(matchd.folder, 'backups'));
  await matchd.json('migrate');
  const typed = blocks
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('matchd '));
  const own = typed.filter((line) => /^matchd (?:config|doctor|backup|migrate)/.test(line));
  expect(own.length).toBe(5);
  for (const line of new Set(own)) {
    const { exit, stderr } = await matchd.run(...line.split(' ').slice(1));
    expect([line, exit, stderr]).toEqual([line, 0, expect.any(String)]);
  }
  expect(fs.readdirSync(path.join(matchd.folder, 'backups')).length).toBe(2);
  matchd.close();
});

test('[CLI] the variables that compose.yaml requires are in its file before the first command', () => {
  const demanded = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map((found) => found[1]!);
  expect(demanded.length).toBeGreaterThan(0);
  const [block] = blocks.filter((each) => each.includes('docker compose '));
  // Compose reads the file for each of its commands, in whichever shell.
  const before = block!.slice(0, block!.indexOf('docker compose '));
  for (const name of demanded) {
    expect([name, before]).toEqual([
      name,
      expect.stringMatching(new RegExp(`^echo ${name}=\\S+ >+ \\.env$`, 'm')),
    ]);
  }
});

test('[CLI] files that the guide and the units name are there, and agree', () => {
  for (const [, link] of guide.matchAll(/\]\((\.\.\/\.\.\/[^)#]+)\)/g)) {
    expect([link, fs.existsSync(path.join(ROOT, 'docs/guides', link!))]).toEqual([link, true]);
  }
  const commands = ['deploy/matchd.service', 'deploy/matchd-backup.service']
    .flatMap((file) => [...read(file).matchAll(/^ExecStart=\/usr\/local\/bin\/(matchd \w+)/gm)])
    .map((found) => found[1]!);
  for (const command of commands) expect(known).toContain(command);
  expect(commands.length).toBe(2);
});

test('[CLI] systemd accepts the units, and rates the service as well isolated', () => {
  const tool = Bun.which('systemd-analyze');
  if (tool === null) return; // Another system: the units are not for it.
  for (const name of ['matchd.service', 'matchd-backup.service', 'matchd-backup.timer']) {
    const { stderr } = spawnSync(tool, ['verify', path.join(ROOT, 'deploy', name)], {
      encoding: 'utf8',
    });
    const complaints = stderr
      .split('\n')
      .filter((line) => line !== '' && !line.includes('/usr/local/bin/matchd'));
    expect([name, complaints]).toEqual([name, []]);
  }
  const args = ['security', '--offline=true', path.join(ROOT, 'deploy/matchd.service')];
  const { stdout } = spawnSync(tool, args, { encoding: 'utf8' });
  expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2);
});

test('[DEPLOY] the backup unit deletes old backups with their audit positions, and nothing else', () => {
  const unit = read('deploy/matchd-backup.service');
  const line = /^ExecStartPost=(.*)$/m.exec(unit)![1]!;
  const folder = makeTempFolder();
  const now = Date.now() / 1_000;
  const put = (name: string, days: number): void => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, '');
    fs.utimesSync(file, now - days * 86_400, now - days * 86_400);
  };
  const old = ['matchd-2026-10-01T02-00-00Z.db', 'matchd-2026-10-01T02-00-00Z.db.audit.json'];
  const kept = [
    'matchd-2026-11-27T02-00-00Z.db',
    'matchd-2026-11-27T02-00-00Z.db.audit.json',
    'matchd-withdrawn.jsonl',
    'notes.txt',
  ];
  for (const name of old) put(name, 40);
  for (const [place, name] of kept.entries()) put(name, place < 2 ? 1 : 40);
  // systemd splits at spaces and expands no patterns.
  const [program, ...args] = line.replace('/var/backups/matchd', folder).split(' ');
  const { status, stderr } = spawnSync(program!, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(fs.readdirSync(folder).toSorted()).toEqual(kept.toSorted());
  removeFolder(folder);
});

test('[DEPLOY] a wrong setting ends the service with an exit code that systemd does not restart', () => {
  const env = { PATH: process.env['PATH'], MATCHD_PORT: 'none' };
  const main = path.join(ROOT, 'src/cli/main.ts');
  const { status } = spawnSync(process.execPath, [main, 'serve'], { env });
  const unit = read('deploy/matchd.service');
  expect(/^RestartPreventExitStatus=(.*)$/m.exec(unit)?.[1]).toBe(`${status}`);
});
