/** The command `matchd solve`. */

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { makeMatchd } from '../matchd.test-kit.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(60_000);

const matchd = makeMatchd();
afterAll(() => matchd.close());

const solve = async (...args: readonly string[]): Promise<Record<string, unknown>> =>
  matchd.json('solve', ...args);

const COUNTED = { nodes: expect.any(Number), ms: expect.any(Number) };

describe('solve', () => {
  test('[CLI][G-C4] scores a position and each of its columns', async () => {
    // Red has three in a row on the floor with both ends open; one more wins with its fourth stone.
    expect(await solve('connect4', '445566')).toMatchObject({ score: 18, ...COUNTED });
    // Yellow can stop one end only: red wins with its fourth stone, which is a score of 22 - 4.
    expect(await solve('connect4', '44556')).toMatchObject({
      score: -18,
      columns: [-18, -18, -18, -18, -18, -18, -18],
      best: 4,
    });
    // A full column is null.
    const full = await solve('connect4', '2252576253462244111563365343671351441');
    expect(full).toMatchObject({ score: -1 });
    expect((full['columns'] as unknown[])[0]).toBeNull();
  });

  test('[CLI][G-C4] the empty board, given or omitted, has the published scores', async () => {
    const columns = [-2, -1, 0, 1, 0, -1, -2];
    for (const args of [['connect4', ''], ['connect4']]) {
      expect(await solve(...args)).toEqual({ score: 1, best: 4, columns, ...COUNTED });
    }
  });

  test('[CLI][G-C4] says the same in words', async () => {
    const { stdout } = await matchd.run('solve', 'connect4', '44556');
    expect(stdout).toMatch(
      /^score -18 for yellow, best 4\ncolumns( -18){7}\n\d+ positions in \d+ ms\n$/,
    );
  });

  const WRONG: readonly (readonly [readonly string[], string])[] = [
    [['checkers', '4'], 'game "checkers": must be connect4'],
    [['connect4', '48'], 'MOVES "48": move 2, "8": must be a column, 1 to 7'],
    [['connect4', '4 4'], 'move 2, " ": must be a column, 1 to 7'],
    [['connect4', '4444444'], 'move 7, "4": column 4 is full'],
    [['connect4', '4455667'], 'the game is over, there is nothing to solve'],
    [['connect4', '44556671'], 'move 8, "1": the game was over before it'],
  ];
  test('[CLI] wrong usage is named, exit code 2', async () => {
    for (const [args, error] of WRONG) {
      const ended = await matchd.run('solve', ...args);
      expect([args, ended.exit, ended.stdout]).toEqual([args, 2, '']);
      expect(ended.stderr).toContain(error);
    }
  });
});
