/** The command `matchd shot`. */

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { makeMatchd } from '../matchd.test-kit.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(60_000);

const matchd = makeMatchd();
afterAll(() => matchd.close());

const DOCS = readFileSync(path.join(import.meta.dirname, '../../../docs/games/pool.md'), 'utf8');

const straight = {
  balls: [
    { n: 0, x: 0, y: 0.1 },
    { n: 3, x: 0, y: 0.4 },
  ],
  shot: { aim: Math.PI / 2, speed: 1.5, follow: -0.008 },
};

async function write(value: unknown): Promise<string> {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  await Bun.write(path.join(matchd.folder, 'shot.json'), text);
  return 'shot.json';
}

describe('shot', () => {
  test('[CLI][G-POOL-17] prints events, places and motion', async () => {
    const shot: Record<string, unknown> = await matchd.json('shot', await write(straight));
    expect(shot).toMatchObject({ end: 'rest', after: [{ n: 0 }] });
    const events = shot['events'] as { kind: string; ball?: number; at?: string }[];
    const falls = events.filter(({ kind }) => kind === 'pocket');
    expect(falls.map(({ ball, at }) => [ball, at])).toEqual([[3, 'side-left']]);
    expect((shot['courses'] as { ball: number }[]).map(({ ball }) => ball)).toEqual([0, 3]);
    expect((shot['motion'] as { paths: number[][] }).paths.map(([ball]) => ball)).toEqual([0, 3]);
    const { stdout, exit } = await matchd.run('shot', 'shot.json');
    expect(exit).toBe(0);
    expect(stdout).toContain('3 falls, side-left');
    expect(stdout).toMatch(/\n3 +0\.0000 0\.4000 +side-left\n/);
    expect(stdout).toMatch(/\nat rest after \d+\.\d{3} s, \d+ events\n$/);
  });

  test('[CLI][G-POOL-17] prints what the documents show', async () => {
    const [, docs] = DOCS.split('## `matchd shot`');
    const [, given] = /```json\n([\s\S]*?)```/.exec(docs!)!;
    const [, printed] = /```console\n\$ npx matchd shot shot.json\n([\s\S]*?)```/.exec(docs!)!;
    const { stdout, exit } = await matchd.run('shot', await write(given));
    expect([exit, stdout]).toEqual([0, printed!]);
  });

  test('[CLI][G-POOL-7] accepts its own output: shot after shot along a frozen row', async () => {
    let balls: unknown = [
      { n: 0, x: -0.9, y: 0.46 },
      ...Array.from({ length: 15 }, (_, i) => ({
        n: i + 1,
        x: -0.8 + i * 0.057_150_001,
        y: 0.466_725,
      })),
    ];
    for (const aim of [0.05, 0.02, 3.1, 0.01]) {
      const shot = { aim, speed: 4, follow: 0.012 };
      const printed = await matchd.json('shot', await write({ balls, shot }));
      expect(printed).toMatchObject({ end: 'rest' });
      balls = printed['after'];
      if (!(balls as { n: number }[]).some(({ n }) => n === 0)) break;
    }
  });

  test('[CLI] a ball may lie in the mouth of a pocket, but not in a hole or a cushion', async () => {
    const withBall = async (x: number, y: number) =>
      matchd.run('shot', await write({ ...straight, balls: [straight.balls[0], { n: 3, x, y }] }));
    expect((await withBall(0, 0.48)).exit).toBe(0);
    for (const [x, y] of [
      [0, 0.52],
      [0.4, 0.48],
    ] as const) {
      expect((await withBall(x, y)).stderr).toContain('3 is not on the table');
    }
  });

  const WRONG: readonly (readonly [unknown, string])[] = [
    ['{', 'JSON'],
    [{}, 'balls: '],
    [{ ...straight, balls: [{ n: 3, x: 0, y: 0 }] }, 'the cue ball, 0, is missing'],
    [{ ...straight, balls: [...straight.balls, straight.balls[1]] }, '3 is there twice'],
    [{ ...straight, balls: [...straight.balls, { n: 4, x: 0.01, y: 0.4 }] }, '3 and 4 overlap'],
    [{ ...straight, balls: [{ n: 0, x: 1, y: 0 }] }, '0 is not on the table'],
    [{ ...straight, shot: { aim: 0 } }, 'shot.speed: '],
    [{ ...straight, shot: { aim: 0, speed: 99 } }, 'The speed has to be from 0.01 to 12'],
  ];
  test('[CLI] an invalid shot is refused with its fault', async () => {
    for (const [value, error] of WRONG) {
      const ended = await matchd.run('shot', await write(value));
      expect([value, ended.exit, ended.stdout]).toEqual([value, 1, '']);
      expect(ended.stderr).toContain('shot.json is not a shot: ');
      expect(ended.stderr).toContain(error);
    }
    expect((await matchd.run('shot', 'missing.json')).stderr).toContain('cannot be read');
    // Standard input is empty here.
    expect((await matchd.run('shot', '-')).stderr).toContain('- is not a shot: ');
  });
});
