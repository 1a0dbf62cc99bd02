/** Colours and progress of the real command: on a terminal, and elsewhere only on request. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Matchd, makeMatchd, runAtTerminal } from '../matchd.test-kit.ts';
import { paint, plain } from './paint.ts';
import { type Count, makeProgress } from './progress.ts';

const ESCAPE = '\u001b';
let matchd: Matchd;
beforeAll(async () => {
  matchd = makeMatchd();
  await matchd.run('tenants', 'create', '--name', 'Acme');
});
afterAll(() => matchd.close());

const atTerminal = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  runAtTerminal(matchd.folder, env, ...args);

test('[CLI] a terminal gets colours, unless NO_COLOR is set or it has none', async () => {
  const list = await atTerminal({}, 'tenants', 'list');
  expect(list).toStartWith(`${ESCAPE}[1m`);
  expect(plain(list)).toMatch(/^ID +SLUG/);
  const help = await atTerminal({}, 'tenants', '--help');
  expect(help).toContain(`${ESCAPE}[1mUsage:${ESCAPE}[22m`);
  const wrong = `${ESCAPE}[31merror:${ESCAPE}[39m`;
  expect(await atTerminal({}, 'tenants', 'show', 'nobody')).toStartWith(wrong);
  expect(await atTerminal({}, 'tenants', 'nothing')).toStartWith(wrong);
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }, { FORCE_COLOR: '0' }]) {
    const texts = [
      await atTerminal(env, 'tenants', 'list'),
      await atTerminal(env, 'tenants', '--help'),
      await atTerminal(env, 'tenants', 'show', 'nobody'),
    ];
    expect([env, texts.join('').includes(ESCAPE)]).toEqual([env, false]);
  }
  expect(await atTerminal({}, 'tenants', 'list', '--json')).not.toContain(ESCAPE);
}, 90_000);

test('[CLI] a pipe gets colours only by FORCE_COLOR, and JSON never', async () => {
  const forced = makeMatchd({ FORCE_COLOR: '1' });
  const list = (from: Matchd, ...more: string[]) =>
    from.run('tenants', 'list', '--data', `${matchd.folder}/.matchd`, ...more);
  const usual = await list(matchd);
  const painted = await list(forced);
  const asJson = await list(forced, '--json');
  const refused = await forced.run('tenants', 'show', 'nobody', '--json');
  forced.close();
  expect(usual.stdout).not.toContain(ESCAPE);
  expect(painted.stdout).toStartWith(`${ESCAPE}[1m`);
  // The columns are as wide as without colours.
  expect(plain(painted.stdout)).toBe(usual.stdout);
  expect(asJson.stdout + refused.stderr).not.toContain(ESCAPE);
}, 30_000);

test('[CLI] long work reports its progress at a terminal only', async () => {
  const shown = await atTerminal({}, 'backup', 'terminal.db');
  expect(shown).toContain('checking the copy …\n');
  expect(shown).toContain('terminal.db: ');
  const piped = await matchd.run('backup', 'piped.db');
  expect([piped.exit, piped.stderr]).toEqual([0, '']);
  const verified = await atTerminal({}, 'audit', 'verify');
  expect(verified).toContain(': 1 of 1 rows …\n');
}, 30_000);

/** The output to a terminal of 40 columns. */
function told(say: readonly (readonly [string, Count?])[], stepMs: number, isTTY = true): string[] {
  const written: string[] = [];
  let now = 1_000;
  const terminal = { isTTY, columns: 40, write: (text: string) => written.push(text) };
  const progress = makeProgress(false, terminal, () => now);
  for (const each of say) {
    progress(...each);
    now += stepMs;
  }
  return written;
}

test('[CLI] a count updates its line at most ten times a second, and its end is always shown', () => {
  const rows = (done: number, of: number | null = 30) => ({ done, of, unit: 'rows' });
  const counts = Array.from({ length: 30 }, (_, i) => ['copying', rows(i + 1)] as const);
  const again = `${ESCAPE}[1A${ESCAPE}[2K`;
  expect(told([['copying'], ...counts, ['checking']], 10)).toEqual([
    'copying …\n',
    `${again}copying: 10 of 30 rows …\n`,
    `${again}copying: 20 of 30 rows …\n`,
    `${again}copying: 30 of 30 rows …\n`,
    'checking …\n',
  ]);
  expect(told([['removing', rows(500, null)]], 0)).toEqual(['removing: 500 rows …\n']);
  // Two lines could not be overwritten.
  expect(told([['x'.repeat(99)]], 0)).toEqual([`${'x'.repeat(39)}\n`]);
  expect(told([['copying'], ...counts], 10, false)).toEqual([]);
});

test('[CLI] text without colours is left unchanged', () => {
  expect(plain(`a ${paint('bad', 'wrong')} one`)).toBe('a wrong one');
  expect(plain('{"name":"\u009b31m"}')).toBe('{"name":"\u009b31m"}');
});
