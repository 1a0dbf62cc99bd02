/**
 * Commands about an operator's own games: a new game runs and can be tested at once, and faults are
 * found.
 */

import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PIG, PIG_BOT, PIG_FILES, writeGames } from '../../testing/matches/own-games.ts';
import { makeMatchd } from '../matchd.test-kit.ts';
import { checkGames } from './games-check.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(180_000);

const ROOT = path.join(import.meta.dirname, '../../..');
const matchd = makeMatchd();
const root = path.join(matchd.folder, 'my-games');
afterAll(() => matchd.close());
beforeEach(() => rmSync(root, { recursive: true, force: true }));

describe('a new game', () => {
  test('[CLI] passes its own tests, types and the checks of a game', async () => {
    const made = await matchd.run('games', 'new', 'push-luck');
    expect([made.exit, made.stderr]).toEqual([0, '']);
    expect(made.stdout).toContain('my-games/push-luck is a game.');
    const tested = Bun.spawn([process.execPath, 'test'], { cwd: root, stderr: 'pipe' });
    const said = await new Response(tested.stderr).text();
    expect([said, await tested.exited]).toEqual([expect.stringContaining(' 0 fail'), 0]);
    const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const typed = Bun.spawn(['node', compiler, '-p', root], { stdout: 'pipe' });
    expect([await new Response(typed.stdout).text(), await typed.exited]).toEqual(['', 0]);
    const few = ['--plays', '50', '--hostile', '500', '--seed', '7'];
    const checked = await matchd.run('games', 'check', 'push-luck', ...few);
    expect(checked.stdout).toEndWith('push-luck passes.\n');
    expect(checked.exit).toBe(0);
    const listed = (await matchd.json('games', 'list')) as { games: readonly { game: string }[] };
    expect(listed.games.map(({ game }) => game)).toEqual([
      'checkers',
      'tictactoe',
      'connect4',
      'fight-arena',
      'pool',
      'ludo',
      'push-luck',
    ]);
  });

  test('[CLI] is created beside others, and overwrites nothing', async () => {
    await matchd.json('games', 'new', 'one', '--games', 'elsewhere');
    const manifest = path.join(matchd.folder, 'elsewhere/package.json');
    writeFileSync(manifest, '{ "type": "module" }');
    const second = await matchd.json('games', 'new', 'two', '--games', 'elsewhere');
    expect(second as object).toMatchObject({ game: 'two' });
    expect(readFileSync(manifest, 'utf8')).toBe('{ "type": "module" }');
    const again = await matchd.run('games', 'new', 'two', '--games', 'elsewhere');
    expect([again.exit, again.stderr]).toEqual([1, expect.stringContaining('two already exists')]);
    for (const [name, words] of [
      ['Two', 'must be 2 to 32 lower-case letters'],
      ['ludo', 'a shipped game has this name'],
    ] as const) {
      const { exit, stderr } = await matchd.run('games', 'new', name);
      expect([exit, stderr]).toEqual([2, expect.stringContaining(words)]);
    }
  });
});

describe('freeze', () => {
  const frozen = path.join(root, 'pig/versions/1.mjs');
  const change = (text: string): void => writeGames(root, { 'pig/goal.ts': text });

  test('[CLI] stores a version, once; a frozen version cannot change', async () => {
    writeGames(root, PIG_FILES);
    const first = await matchd.json('games', 'freeze', 'pig');
    expect(first as object).toMatchObject({
      game: 'pig',
      rulesVersion: 1,
      isNew: true,
      file: frozen,
    });
    const text = readFileSync(frozen, 'utf8');
    const again = await matchd.json('games', 'freeze', 'pig');
    expect(again as object).toMatchObject({ isNew: false });
    expect(readFileSync(frozen, 'utf8')).toBe(text);
    change('export const GOAL = 30;\n');
    const refused = await matchd.run('games', 'freeze', 'pig');
    expect([refused.exit, refused.stderr]).toEqual([
      1,
      'error: pig/rules.ts: version 1 was frozen with other code: raise rulesVersion, or undo the change\n',
    ]);
    writeGames(root, { 'pig/rules.ts': PIG.replace('rulesVersion: 1', 'rulesVersion: 2') });
    const listed = (await matchd.json('games', 'list')) as {
      games: readonly { game: string; rulesVersion: number; isCurrent: boolean }[];
    };
    const versions = listed.games.filter(({ game }) => game === 'pig');
    expect(versions.map(({ rulesVersion, isCurrent }) => [rulesVersion, isCurrent])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  test('[CLI] an unknown game is named', async () => {
    writeGames(root, PIG_FILES);
    const { exit, stderr } = await matchd.run('games', 'freeze', 'hog');
    expect([exit, stderr]).toEqual([1, expect.stringContaining('hog: there is no such game in')]);
    expect(existsSync(frozen)).toBe(false);
  });
});

describe('check', () => {
  const few = { plays: '25', hostile: '300', seed: '7', games: root };

  interface Checked {
    readonly games: readonly {
      readonly ok: boolean;
      readonly steps: readonly {
        readonly what: string;
        readonly ok: boolean;
        readonly note: string;
      }[];
    }[];
  }

  /** The failed steps, with reasons. */
  async function failures(partMs = 30_000): Promise<readonly string[]> {
    const answer = await checkGames({}, undefined, few, () => {}, partMs);
    if (!('json' in answer)) throw new Error(answer.error);
    const { games } = answer.json as Checked;
    const failed = games.flatMap(({ steps }) => steps.filter(({ ok }) => !ok));
    expect(answer.exit).toBe(failed.length === 0 ? 0 : 1);
    expect(answer.text).toContain(failed.length === 0 ? 'passes.' : 'FAILS');
    return failed.map(({ what, note }) => `${what}: ${note}`);
  }

  const PIG_WITH = (before: string, after: string): Readonly<Record<string, string>> => {
    if (!PIG.includes(before)) throw new Error(`pig does not say ${before}`);
    return { ...PIG_FILES, 'pig/rules.ts': PIG.replace(before, after) };
  };

  test('[CLI] a sound game passes, with its bot', async () => {
    writeGames(root, { ...PIG_FILES, 'pig/bot.ts': PIG_BOT });
    expect(await failures()).toEqual([]);
  });

  test('[CLI] each fault is found by its own step', async () => {
    const found = async (files: Readonly<Record<string, string>>, partMs?: number) => {
      rmSync(root, { recursive: true, force: true });
      writeGames(root, files);
      const all = await failures(partMs);
      expect(all.length).toBeGreaterThan(0);
      return all.join('\n');
    };
    const chance = PIG_WITH('random.integer(6)', 'Math.floor(Math.random() * 6)');
    expect(await found(chance)).toContain('The game uses Math.random');
    const changes = PIG_WITH(
      "if (action.do === 'roll') {",
      "(state as any).pot = 0; if (action.do === 'roll') {",
    );
    expect(await found(changes)).toMatch(/TypeError/);
    const engine = PIG_WITH(
      '1 + random.integer(6)',
      "(typeof Bun === 'undefined' ? 2 : 1) + random.integer(5)",
    );
    expect(await found(engine)).toMatch(
      /another engine plays the same games: .*come out otherwise/,
    );
    const endless = PIG_WITH(
      "if (action.do === 'roll') {",
      "if (state.pot > 9) for (;;); if (action.do === 'roll') {",
    );
    expect(await found(endless, 500)).toContain('took longer than 500 ms');
    const large = PIG_WITH(
      'scores: [0, 0], pot: 0',
      "text: 'x'.repeat(300_000), scores: [0, 0], pot: 0",
    );
    expect(await found(large)).toContain(
      'sizes and times are within the bounds of the service: Error: a state has 3000',
    );
    const bot = PIG_BOT.replace('pickOne(game.legalActions(state), random)', "({ do: 'hold' })");
    expect(await found({ ...PIG_FILES, 'pig/bot.ts': bot })).toContain(
      'its bot plays legal actions: Error: it chose {"do":"hold"}: There is nothing to hold',
    );
    expect(await found({ 'pig/rules.ts': PIG })).toBe(
      'it loads: pig/rules.ts:3: Could not resolve: "./goal.ts"',
    );
  });

  test('[CLI] a game without listed actions says in check.ts how to play at random', async () => {
    const listed = "return state.pot === 0 ? [{ do: 'roll' }] : [{ do: 'roll' }, { do: 'hold' }];";
    const unlisted = PIG_WITH(listed, 'return null;');
    writeGames(root, unlisted);
    expect((await failures()).join()).toContain('needs a randomAction');
    const check = `export const contract = {
      randomAction: ({ pot }, random) => ({ do: pot > 0 && random.integer(2) === 0 ? 'hold' : 'roll' }),
    };`;
    writeGames(root, { 'pig/check.ts': check });
    expect(await failures()).toEqual([]);
    writeGames(root, { 'pig/check.ts': 'export const other = 1;' });
    expect(await failures()).toEqual([
      'it loads: pig/check.ts: there is no "export const contract"',
    ]);
  });

  test('[CLI] a path names a game, or a folder of games; anything else is wrong usage', async () => {
    writeGames(root, PIG_FILES);
    const counts = ['--plays', '20', '--hostile', '0', '--seed', '7'];
    for (const name of ['./my-games/pig', 'my-games', root]) {
      const { stdout } = await matchd.run('games', 'check', name, ...counts);
      expect(stdout).toEndWith('pig passes.\n');
    }
    const none = await matchd.run('games', 'check', 'hog', ...counts);
    expect([none.exit, none.stderr]).toEqual([1, expect.stringContaining('no such game')]);
    const wrong = await matchd.run('games', 'check', '--plays', 'many');
    expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('--plays "many"')]);
    const empty = await matchd.run('games', 'check', '--games', 'nowhere');
    expect([empty.exit, empty.stderr]).toEqual([
      1,
      expect.stringContaining('there is no such folder'),
    ]);
  });
});
