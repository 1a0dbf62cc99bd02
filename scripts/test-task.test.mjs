/** Which tests run: all, the fast ones, or named ones. */

import { expect, test } from 'bun:test';
import { testArgs } from './test-task.mjs';

const PLACES = ['scripts/', 'src/', 'e2e/kill.test.ts'];

const placesOf = ({ args }) => args.filter((arg) => arg.startsWith('./'));

test('[SETUP] a complete run covers all folders, in several processes, and records its times', () => {
  const run = testArgs(PLACES, []);
  expect(run.isWhole).toBe(true);
  expect(placesOf(run)).toEqual(PLACES.map((place) => `./${place}`));
  expect(run.args.find((arg) => arg.startsWith('--parallel='))).toMatch(/=\d+$/);
  expect(run.args).toContain('--update-timings');
});

test('[SETUP] a named file runs alone, and its times are not recorded', () => {
  const run = testArgs(PLACES, ['scripts/test-task.test.mjs', '-t', 'named', '--parallel=1']);
  expect(run.isWhole).toBe(false);
  expect(placesOf(run)).toEqual([]);
  expect(run.args.filter((arg) => arg.startsWith('--parallel'))).toEqual(['--parallel=1']);
  expect(run.args).toContain('scripts/test-task.test.mjs');
  expect(run.args).not.toContain('--update-timings');
});

test('[SETUP] a named rule is searched in all files, and times are not recorded', () => {
  const run = testArgs(PLACES, ['-t', '\\[H4\\]']);
  expect(placesOf(run)).toEqual(PLACES.map((place) => `./${place}`));
  expect(run.args).not.toContain('--update-timings');
});

test('[SETUP] --fast runs only the fast files, and those without a recorded time', () => {
  const run = testArgs(PLACES, ['--fast']);
  const files = placesOf(run);
  expect(run.isWhole).toBe(false);
  expect(run.args).not.toContain('--fast');
  expect(files).toContain('./src/match/commands.test.ts');
  expect(files).not.toContain('./src/cli/tenants/tenant-delete-cut.test.ts');
  expect(files).not.toContain('./e2e/kill.test.ts');
  expect(files.every((file) => /\.test\.\w+$/.test(file))).toBe(true);
});
