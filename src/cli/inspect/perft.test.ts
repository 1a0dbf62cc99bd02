/** The command `matchd perft`. */

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { makeMatchd } from '../matchd.test-kit.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(60_000);

const matchd = makeMatchd();
afterAll(() => matchd.close());

const DOCS = readFileSync(
  path.join(import.meta.dirname, '../../../docs/games/checkers.md'),
  'utf8',
);

const perft = async (...args: readonly string[]): Promise<Record<string, unknown>> =>
  matchd.json('perft', ...args);

describe('perft', () => {
  test('[CLI][G-CHK] counts checkers positions from the start and from any position', async () => {
    expect(await perft('checkers', '--depth', '7')).toEqual({
      game: 'checkers',
      variant: 'american',
      fen: 'B:W21-32:B1-12',
      depth: 7,
      count: 179_740,
      ms: expect.any(Number),
    });
    const fen = 'B:W6,7,14,15:BK2';
    expect(await perft('checkers', '--fen', fen, '--depth', '1')).toMatchObject({ fen, count: 2 });
  });

  const VARIANTS = [
    [
      'russian',
      37_986,
      'W:Wa1,a3,b2,c1,c3,d2,e1,e3,f2,g1,g3,h2:Ba7,b6,b8,c7,d6,d8,e7,f6,f8,g7,h6,h8',
    ],
    ['brazilian', 37_628, 'W:W21-32:B1-12'],
    ['international', 167_140, 'W:W31-50:B1-20'],
  ] as const;
  test.each(VARIANTS)('[CLI][G-CHK] counts %s', async (variant, count, fen) => {
    const counted = await perft('checkers', '--variant', variant, '--depth', '6', '--divide');
    expect(counted).toMatchObject({ variant, fen, count });
    const divide = counted['divide'] as { move: string; count: number }[];
    expect(divide).toHaveLength(variant === 'international' ? 9 : 7);
  });

  test('[CLI][G-CHK] a move with several routes counts once for each of them', async () => {
    const fen = 'W:Wc3:Bb4,b6,d4,d6,h8';
    const args = ['--variant', 'russian', '--fen', fen, '--depth', '1'];
    expect(await perft('checkers', ...args)).toMatchObject({ count: 2 });
    expect(await perft('checkers', ...args, '--divide')).toMatchObject({
      count: 2,
      divide: [{ move: 'c3:c3', count: 2 }],
    });
  });

  test('[CLI][G-CHK] --merge counts captures that differ only in their route once', async () => {
    const fen = 'W:Wc3:Bb4,b6,d4,d6,h8';
    const args = ['--variant', 'russian', '--fen', fen, '--depth', '1', '--merge'];
    expect(await perft('checkers', ...args)).toMatchObject({ count: 1 });
    expect(await perft('checkers', ...args, '--divide')).toMatchObject({
      count: 1,
      divide: [{ move: 'c3:c3', count: 1 }],
    });
  });

  test('[CLI][G-CHK] the counts in the documents are right', async () => {
    const lines = [...DOCS.matchAll(/^matchd perft (.+?) +# (\d+)$/gm)];
    expect(lines.length).toBeGreaterThan(3);
    for (const [line, args, count] of lines) {
      const counted = await perft(...args!.split(' '));
      expect([line, counted['count']]).toEqual([line, Number(count)]);
    }
  });

  test('[CLI][G-CHK] --divide splits the count by first moves', async () => {
    const counted = await perft('checkers', '--depth', '5', '--divide');
    const divide = counted['divide'] as { move: string; count: number }[];
    expect(divide.map(({ move }) => move).sort()).toEqual([
      '10-14',
      '10-15',
      '11-15',
      '11-16',
      '12-16',
      '9-13',
      '9-14',
    ]);
    expect(divide.reduce((sum, { count }) => sum + count, 0)).toBe(7361);
    const { stdout } = await matchd.run('perft', 'checkers', '--depth', '1', '--divide');
    expect(stdout).toMatch(/^(\d+-\d+ 1\n){7}checkers \(american\), depth 1: 7 in \d+ ms\n$/);
  });

  test('[CLI][G-C4][G-TTT] counts connect4 and tictactoe', async () => {
    expect(await perft('connect4', '--depth', '6')).toMatchObject({ count: 117_649, fen: null });
    expect(await perft('tictactoe', '--depth', '5', '--divide')).toMatchObject({ count: 15_120 });
  });

  const WRONG: readonly (readonly [readonly string[], string])[] = [
    [['checkers'], "required option '--depth <plies>' not specified"],
    [['checkers', '--depth', '0'], '--depth "0": must be 1 to 30'],
    [['checkers', '--depth', '31'], '--depth "31": must be 1 to 30'],
    [['checkers', '--depth', '1e1'], '--depth "1e1": must be 1 to 30'],
    [['ludo', '--depth', '1'], 'game "ludo": must be checkers, tictactoe, connect4'],
    [['__proto__', '--depth', '1'], 'game "__proto__": must be checkers, tictactoe, connect4'],
    [
      ['checkers', '--variant', 'x', '--depth', '1'],
      '--variant "x": must be american, russian, brazilian, international',
    ],
    [['checkers', '--variant', 'russian', '--fen', 'B:W3:B1', '--depth', '1'], 'on its king row'],
    [['checkers', '--fen', 'x', '--depth', '1'], '--fen "x": It is not of the form'],
    [['connect4', '--fen', 'x', '--depth', '1'], '--fen: only checkers has such a notation'],
    [
      ['connect4', '--merge', '--depth', '1'],
      '--merge: only checkers has captures by several ways',
    ],
  ];
  test('[CLI] wrong usage is named, exit code 2', async () => {
    for (const [args, error] of WRONG) {
      const ended = await matchd.run('perft', ...args);
      expect([args, ended.exit, ended.stdout]).toEqual([args, 2, '']);
      expect(ended.stderr).toContain(error);
    }
  });
});
