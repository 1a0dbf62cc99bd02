/** All checks of the project, one after another. */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Most bytes of output kept of one check. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Each check: its name, its command, and a file without which there is nothing to check. */
function checksOf(bun) {
  const script = (file, ...args) => [bun, '--no-env-file', '--no-install', file, ...args];
  const tool = (file, ...args) => [process.execPath, `node_modules/${file}`, ...args];
  const linter = tool('@redocly/cli/bin/cli.js', 'lint', 'openapi.json', 'asyncapi.json');
  return [
    {
      name: 'format and lint',
      command: tool('@biomejs/biome/bin/biome', 'ci', '--colors=off', '.'),
    },
    { name: 'types', command: tool('typescript/bin/tsc', '--noEmit') },
    { name: 'layers', command: script('scripts/checks/check-layers.ts') },
    { name: 'regular expressions', command: script('scripts/checks/check-regexps.ts') },
    { name: 'spec', command: script('scripts/checks/check-spec.ts') },
    { name: 'unused exports', command: tool('knip/bin/knip.js', '--no-progress') },
    { name: 'documents', command: script('scripts/docs/check-docs.ts') },
    { name: 'words', command: script('scripts/docs/check-words.ts') },
    {
      name: 'generated files',
      command: script('scripts/generate.ts', '--check'),
      needs: 'scripts/generate.ts',
    },
    { name: 'openapi and asyncapi', command: linter, needs: 'openapi.json' },
  ];
}

/** The documents' linter would otherwise contact its makers for news. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Runs one check; prints a line with its time, and its output if there is any worth reading. */
function runCheck({ name, command: [program, ...args] }, root) {
  const began = performance.now();
  const ended = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...QUIET },
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const passed = ended.status === 0;
  process.stdout.write(`${passed ? 'pass' : 'FAIL'}  ${name}  ${seconds} s\n`);
  if (!passed) {
    const said = `${ended.stdout ?? ''}${ended.stderr ?? ''}${ended.error?.message ?? ''}`;
    process.stdout.write(`${said.trimEnd()}\n\n`);
  }
  return passed;
}

/** Runs every check whose subject exists, whatever the result of earlier ones. */
export function runChecks(bun, root) {
  const checks = checksOf(bun).filter(
    ({ needs }) => needs === undefined || fs.existsSync(path.join(root, needs)),
  );
  const passed = checks.map((check) => runCheck(check, root)).filter(Boolean).length;
  process.stdout.write(`${passed} passed, ${checks.length - passed} failed\n`);
  return { code: passed === checks.length ? 0 : 1, signal: null };
}
