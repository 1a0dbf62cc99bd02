/** The command `matchd ladder`. */

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeMatchd } from '../matchd.test-kit.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(60_000);

const matchd = makeMatchd();
afterAll(() => matchd.close());

interface LadderJson {
  readonly complete: boolean;
  readonly pairs: readonly {
    readonly levels: readonly string[];
    readonly games: number;
    readonly distinctRounds: number;
    readonly score: { readonly value: number; readonly low: number; readonly high: number };
  }[];
  readonly levels: readonly {
    readonly level: string;
    readonly decisions: number;
    readonly budgetMs: number;
    readonly wallMs: { readonly p50: number; readonly p99: number; readonly max: number };
  }[];
}

const ladder = async (...args: readonly string[]): Promise<LadderJson> =>
  matchd.json('ladder', ...args);

const short = ['tictactoe', '--levels', 'medium,easy', '--games', '40'] as const;

describe('ladder', () => {
  test('[CLI][G-BOT] prints the scores, their confidence, and the time', async () => {
    const played = await ladder(...short);
    expect(played).toMatchObject({
      game: 'tictactoe',
      variant: 'standard',
      seats: 2,
      seed: '1',
      complete: true,
      pairs: [{ levels: ['medium', 'easy'], games: 40 }],
      levels: [
        { level: 'easy', budgetMs: 5 },
        { level: 'medium', budgetMs: 20 },
      ],
    });
    const [{ score, distinctRounds }] = played.pairs as [LadderJson['pairs'][0]];
    expect(score.low).toBeLessThan(score.value);
    expect(score.value).toBeLessThan(score.high);
    expect(distinctRounds).toBeGreaterThan(10);
    for (const { decisions, wallMs } of played.levels) {
      // Both together put two to nine marks into each of 40 games.
      expect(decisions).toBeGreaterThan(40);
      expect(decisions).toBeLessThan(5 * 40 + 1);
      expect(wallMs.p50).toBeGreaterThan(0);
      expect(wallMs.p99).toBeGreaterThanOrEqual(wallMs.p50);
      expect(wallMs.max).toBeGreaterThanOrEqual(wallMs.p99);
    }
    const { stdout } = await matchd.run('ladder', ...short);
    expect(stdout).toMatch(/^tictactoe \(standard\), 2 seats, seed 1\n\nPAIR +GAMES +DISTINCT /);
    expect(stdout).toMatch(/\nmedium - easy +40 +\d+ +0\.\d{3} +0\.\d{3} to \d\.\d{3} +[+-]?\d+ /);
    expect(stdout).toMatch(/\nmedium +\d+( +[\d.]+){5} +20\n$/);
  });

  test('[CLI][G-BOT] a seed plays the same games with any number of workers', async () => {
    const [one, two, other] = await Promise.all([
      ladder(...short, '--workers', '1'),
      ladder(...short, '--workers', '3'),
      ladder(...short, '--workers', '1', '--seed', 'another'),
    ]);
    expect(two.pairs).toEqual(one.pairs);
    expect(other.pairs).not.toEqual(one.pairs);
  });

  test('[CLI][G-BOT] a level against itself is even: seats and dice are exchanged', async () => {
    // With the same dice two deterministic players share the two games.
    const { pairs } = await ladder(
      ...['ludo', '--variant', 'quick', '--seats', '2'],
      ...['--levels', 'perfect,hard', '--games', '8'],
    );
    expect(pairs).toMatchObject([{ games: 8, distinctRounds: 4, score: { value: 0.5 } }]);
  });

  test("[CLI][G-SEARCH] the search plays beside the game's own bot, each level with its own times", async () => {
    const levels = ['--levels', 'easy,search-hard,search-easy', '--games', '40', '--opening', '2'];
    const played = await ladder('tictactoe', ...levels);
    expect(played.pairs).toMatchObject([
      { levels: ['search-easy', 'easy'], games: 40 },
      { levels: ['search-hard', 'easy'], games: 40 },
      { levels: ['search-hard', 'search-easy'], games: 40 },
    ]);
    for (const { score } of played.pairs.slice(1)) expect(score.low).toBeGreaterThan(0.5);
    expect(played.levels).toMatchObject([
      { level: 'easy', budgetMs: 5 },
      { level: 'search-easy', budgetMs: 5 },
      { level: 'search-hard', budgetMs: 100 },
    ]);
  });

  test('[CLI] a pair ends when its score is certain enough', async () => {
    const args = ['tictactoe', '--levels', 'medium,easy', '--within', '10'];
    const [{ games, score }] = (await ladder(...args)).pairs as [LadderJson['pairs'][0]];
    expect((score.high - score.low) / 2).toBeLessThanOrEqual(0.1);
    expect(games).toBeLessThan(200);
  });

  test('[CLI] deterministic bots play one game; drawn openings vary it', async () => {
    const levels = ['--levels', 'easy,hard', '--opening', '4', '--games', '40', '--within', '0'];
    const drawn = await ladder('tictactoe', ...levels);
    expect(drawn.pairs[0]!.games).toBe(40);
    expect(drawn.pairs[0]!.distinctRounds).toBeGreaterThan(10);
  });

  test('[CLI] a later run continues with the results in a file, without a broken last line', async () => {
    const file = path.join(matchd.folder, 'rounds.jsonl');
    const first = await ladder(...short, '--out', 'rounds.jsonl');
    const kept = readFileSync(file, 'utf8');
    expect(kept.trimEnd().split('\n')).toHaveLength(1 + 20);
    appendFileSync(file, '{"pair":["medium","ea');
    const more = ['tictactoe', '--levels', 'medium,easy', '--games', '60'];
    const second = await ladder(...more, '--out', 'rounds.jsonl');
    expect(readFileSync(file, 'utf8')).toStartWith(kept);
    expect(first.pairs[0]!.games).toBe(40);
    expect(second.pairs).toEqual((await ladder(...more)).pairs);
    // All levels: the results of one pair in the file count there.
    const all = await ladder('tictactoe', '--games', '4', '--out', 'rounds.jsonl');
    expect(all.pairs.map(({ games }) => games)).toEqual([60, 4, 4, 4, 4, 4]);
  });

  test('[CLI] a file of another ladder, or of anything else, is left unchanged', async () => {
    const file = path.join(matchd.folder, 'other.jsonl');
    await ladder(...short, '--out', 'other.jsonl');
    const kept = readFileSync(file, 'utf8');
    for (const [text, error] of [
      [kept.replace('"seed":"1"', '"seed":"2"'), 'it is of another ladder'],
      ['# Notes\n', 'it is of another ladder'],
      [kept.replace('"points":[', '"points":[7,'), 'points'],
      [kept.replace('"number":3', '"number":4'), 'round 4 of medium - easy is out of order'],
    ] as const) {
      writeFileSync(file, text);
      const ended = await matchd.run('ladder', ...short, '--out', 'other.jsonl');
      expect([ended.exit, ended.stdout]).toEqual([1, '']);
      expect(ended.stderr).toContain('other.jsonl cannot be continued: ');
      expect(ended.stderr).toContain(error);
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
    const missing = await matchd.run('ladder', ...short, '--out', 'no/such/folder');
    expect([missing.exit, missing.stdout]).toEqual([1, '']);
  });

  test('[CLI] SIGINT, once or twice, ends it with what has been played', async () => {
    const args = ['checkers', '--levels', 'medium,easy', '--out', 'stopped.jsonl', '--json'];
    const main = path.join(import.meta.dirname, '../main.ts');
    const endless = ['--games', '1000000', '--within', '0'];
    const child = Bun.spawn([process.execPath, main, 'ladder', ...args, ...endless], {
      cwd: matchd.folder,
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const file = path.join(matchd.folder, 'stopped.jsonl');
    const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);
    while (lines() < 2) await Bun.sleep(50);
    child.kill('SIGINT');
    child.kill('SIGINT');
    await Bun.sleep(1);
    child.kill('SIGINT');
    expect(await child.exited).toBe(0);
    const played = JSON.parse(await new Response(child.stdout).text()) as LadderJson;
    expect(played.complete).toBe(false);
    expect(played.pairs[0]!.games).toBe(2 * (lines() - 1));
  });

  const WRONG: readonly (readonly [readonly string[], string])[] = [
    [['chess'], 'game "chess": must be checkers, tictactoe, connect4'],
    [['__proto__'], 'game "__proto__": must be checkers'],
    [['ludo', '--variant', 'x'], '--variant "x": must be classic, quick, timed, teams'],
    [['ludo', '--seats', '5'], '--seats "5": must be a whole number from 2 to 4'],
    [['ludo', '--variant', 'teams', '--seats', '2'], 'must be a whole number from 4 to 4'],
    [['ludo', '--levels', 'easy'], '--levels "easy": must be two or more of easy, medium'],
    [['ludo', '--levels', 'easy,easy'], '--levels "easy,easy": must be two or more'],
    [['ludo', '--levels', 'easy,best'], '--levels "easy,best": must be two or more'],
    [['pool', '--levels', 'easy,search-easy'], 'pool is not a game for search-easy'],
    [['ludo', '--games', '1'], '--games "1": must be a whole number from 2 to 1000000'],
    [['ludo', '--within', '-1'], '--within "-1": must be a whole number from 0 to 50'],
    [['ludo', '--workers', '0'], '--workers "0": must be a whole number from 1 to 64'],
    [['ludo', '--seed', ''], '--seed: must have 1 to 64 characters'],
    [['connect4', '--opening', '9'], '--opening "9": must be a whole number from 0 to 8'],
    [['pool', '--opening', '2'], '--opening: pool has no list of moves'],
  ];
  test('[CLI] wrong usage is named, exit code 2', async () => {
    for (const [args, error] of WRONG) {
      const ended = await matchd.run('ladder', ...args);
      expect([args, ended.exit, ended.stdout]).toEqual([args, 2, '']);
      expect(ended.stderr).toContain(error);
    }
  });
});
