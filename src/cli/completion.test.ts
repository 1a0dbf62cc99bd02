/** Completion and help come from one tree of commands: tested with the installed shells. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { type Matchd, makeMatchd } from './matchd.test-kit.ts';
import { makeProgram } from './program.ts';

setDefaultTimeout(60_000);

const program = makeProgram({}, async () => {}, false);
let matchd: Matchd;
beforeAll(() => {
  matchd = makeMatchd();
});
afterAll(() => matchd.close());

/** All commands with the words that lead to them. */
function leavesOf(command: Command, names: readonly string[]): (readonly [string[], Command])[] {
  if (command.commands.length === 0) return [[[...names], command]];
  return command.commands.flatMap((each) => leavesOf(each, [...names, each.name()]));
}
const leaves = leavesOf(program, []);

/**
 * Writes the script to a file, lets a shell source it and run some lines, and returns their output.
 */
async function inShell(shell: string, lines: string): Promise<readonly string[]> {
  const script = path.join(matchd.folder, `matchd.${shell}`);
  const printed = await matchd.run('completion', shell);
  expect([printed.exit, printed.stderr]).toEqual([0, '']);
  writeFileSync(script, printed.stdout);
  const file = path.join(matchd.folder, `test.${shell}`);
  writeFileSync(file, lines.replaceAll('SCRIPT', script));
  const flags = shell === 'bash' ? ['--norc', '--noprofile'] : shell === 'zsh' ? ['-f'] : ['-N'];
  const child = Bun.spawn([shell, ...flags, file], {
    cwd: matchd.folder,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env['PATH'] ?? '', HOME: matchd.folder },
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([shell, err, await child.exited]).toEqual([shell, '', 0]);
  return out.split('\n').filter((line) => line !== '');
}

/** Asks Bash as the Tab key does, through the function that `complete` has for the command. */
const inBash = (...typed: readonly string[]): string => `
source SCRIPT
[[ $(complete -p matchd) == 'complete -o default -F _matchd matchd' ]] || exit 9
COMP_WORDS=(matchd ${typed.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${typed.length}
_matchd matchd; printf '%s\\n' "\${COMPREPLY[@]}"`;

describe('completion', () => {
  test('[CLI] Bash completes commands, subcommands and options', async () => {
    const names = program.commands.map((each) => each.name());
    expect(await inShell('bash', inBash(''))).toEqual(names);
    expect(await inShell('bash', inBash('ten'))).toEqual(['tenants']);
    expect(await inShell('bash', inBash('tenants', ''))).toEqual(
      program.commands.find((each) => each.name() === 'tenants')!.commands.map((c) => c.name()),
    );
    expect(await inShell('bash', inBash('keys', 'create', '--req'))).toEqual(['--require-origin']);
    // An option's value is not a command, and words after it are still completed.
    const after = inBash('sessions', '--data', 'keys', 'list', '--pl');
    expect(await inShell('bash', after)).toEqual(['--player']);
    // The shell completes a value as a file name: nothing of ours.
    expect(await inShell('bash', inBash('serve', '--data', ''))).toEqual([]);
  });

  test('[CLI] Bash completes every option of every command', async () => {
    const lines = leaves.map(([names]) => inBash(...names, '--')).join('\necho =\n');
    const offered = (await inShell('bash', lines)).join(' ').split(' = ');
    const expected = leaves.map(([, command]) =>
      [...command.options.map(({ long }) => long), '--help'].join(' '),
    );
    expect(offered).toEqual(expected);
  });

  test.skipIf(Bun.which('fish') === null)('[CLI] Fish completes them too', async () => {
    const lines = `source SCRIPT
complete -C 'matchd tenants '
complete -C 'matchd --help keys create --requ'`;
    const offered = await inShell('fish', lines);
    const means = (name: string, below: string): string =>
      program.commands
        .find((each) => each.name() === name)!
        .commands.find((each) => each.name() === below)!
        .description();
    expect(offered).toContain(`show\t${means('tenants', 'show')}`);
    expect(offered.at(-1)).toStartWith('--require-origin\t');
  });

  test.skipIf(Bun.which('zsh') === null)('[CLI] Zsh completes them too', async () => {
    // What the completion system would show is printed instead.
    const lines = `
compdef() { :; }
_describe() { local list=$2; print -l -- "\${(@P)list}"; }
_files() { print files; }
source SCRIPT
words=(matchd keys ''); CURRENT=3; PREFIX=''; _matchd
words=(matchd sessions --data keys list --pl); CURRENT=6; PREFIX=--pl; _matchd
words=(matchd shot ''); CURRENT=3; PREFIX=''; _matchd`;
    const offered = await inShell('zsh', lines);
    expect(offered[0]).toBe('create:create a key and print it once');
    expect(offered.some((line) => line.startsWith('--player:'))).toBe(true);
    expect(offered.at(-1)).toBe('files');
  });

  test('[CLI] an unknown shell is wrong usage', async () => {
    const { exit, stderr } = await matchd.run('completion', 'tcsh');
    expect([exit, stderr]).toEqual([
      2,
      'error: There is no shell "tcsh". Valid: bash, zsh, fish\n',
    ]);
  });
});

describe('help', () => {
  /** Commands that write nothing, or all or nothing. */
  const CLEAN = ['config', 'doctor', 'healthcheck', 'openapi', 'version', 'completion', 'perft'];

  test('[CLI] "nothing has changed" is only said by commands for which it is true', () => {
    const says = (command: Command): string => {
      let text = '';
      const writeOut = (more: string): void => {
        text += more;
      };
      command.configureOutput({ writeOut }).outputHelp();
      return text;
    };
    const clean = leaves
      .filter(([, command]) =>
        says(command).includes('After exit code 1 or 2, nothing has changed.'),
      )
      .map(([names]) => names.join(' '));
    expect(clean.sort()).toEqual(
      [
        ...CLEAN,
        'tenants list',
        'tenants show',
        'keys list',
        'secrets show',
        'logs',
        'usage',
        'audit verify',
        'audit anchor',
        'sessions list',
        'sessions show',
        'sessions watch',
        'withdrawn note',
        'replay verify',
        'shot',
        'solve',
        'games list',
        'games check',
        'webhooks list',
        'webhooks show',
        'webhooks attempts',
        'bots list',
        'players show',
        'players export',
        'players rating-history',
      ].sort(),
    );
    for (const [names, command] of leaves) {
      expect([names, says(command)]).toEqual([names, expect.stringMatching(/After exit code 1/)]);
    }
    expect(says(program.commands.find((each) => each.name() === 'keys')!)).not.toContain('After');
  });
});
