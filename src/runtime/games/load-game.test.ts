/** Loading an operator's games from folders: versions, hashes, and errors. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makeRandom } from '../../../game/src/random.ts';
import { bunBundle } from '../../platform/bun/bun-bundler.ts';
import { nodeBundle } from '../../platform/node/node-bundler.ts';
import { makeLoadDeps } from '../../testing/matches/load-deps.ts';
import { PIG, PIG_BOT, PIG_FILES, PIG_GOAL, writeGames } from '../../testing/matches/own-games.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { stopwatchMs } from '../system.ts';
import { makeFrozen } from './frozen.ts';
import { GamesError } from './game-error.ts';
import { GUARD_LIMITS, makeGuard } from './guard.ts';
import { type LoadDeps, type LoadedGame, loadGames } from './load-game.ts';
import { makeModuleFiles } from './module-files.ts';
import { PACKAGE_NAME } from './package-text.ts';

const folder = makeTempFolder();
const root = path.join(folder, 'my-games');
afterAll(() => removeFolder(folder));

let deps: LoadDeps;
beforeAll(async () => {
  deps = await makeLoadDeps(path.join(folder, 'modules'));
});
beforeEach(() => rmSync(root, { recursive: true, force: true }));

const load = (files: Readonly<Record<string, string>>): Promise<readonly LoadedGame[]> => {
  writeGames(root, files);
  return loadGames(deps, root);
};

async function faultsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const error = await load(files).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof GamesError) return error.faults;
  throw new Error(`no fault: ${String(error)}`);
}

/** Rules as `matchd games freeze` writes them, for a version that differs from the current one. */
async function frozenFrom(files: Readonly<Record<string, string>>): Promise<string> {
  const [{ rules, browserRules }] = (await load(files)) as [LoadedGame];
  const { id, rulesVersion: version } = rules.game;
  return makeFrozen({ id, version, hash: rules.hash!, text: browserRules });
}

const version = (n: number): string => PIG.replace('rulesVersion: 1', `rulesVersion: ${n}`);

describe('a game', () => {
  test('[G-OWN] is loaded with its bot, board and texts, and can be played', async () => {
    const [pig, ...others] = await load({
      ...PIG_FILES,
      'pig/bot.ts': PIG_BOT,
      'pig/board.ts': "import { GOAL } from './goal.ts'; export const mount = () => GOAL;",
      'pig/strings.json': '{ "en": { "name": "Pig" }, "de": { "name": "Schwein" } }',
      'pig/rules.test.ts': 'throw new Error("no part of the game");',
      'shared/notes.txt': 'no game',
      'node_modules/pig/rules.ts': 'no game either',
    });
    expect(others).toEqual([]);
    const { rules, isCurrent, browserRules, browserBoard, strings } = pig!;
    expect([rules.game.id, rules.game.rulesVersion, isCurrent]).toEqual(['pig', 1, true]);
    const state = rules.game.initial({ variant: 'standard', seats: 2, options: {} });
    const rolled = rules.game.apply(state, 0, { do: 'roll' }, { integer: () => 4 });
    expect(rolled).toEqual({ state: { scores: [0, 0], pot: 5, turn: 0 }, events: [] });
    const mind = rules.bot!.makeMind();
    const question = { state, seat: 0, level: 'easy', nodesMax: 1 } as const;
    expect(mind.choose(question, { integer: () => 0 })).toEqual({ do: 'roll' });
    expect(strings?.['de']).toEqual({ name: 'Schwein' });
    for (const text of [browserRules, browserBoard!]) {
      expect(text).toContain('GOAL');
      expect(text).not.toMatch(/^\s*import\b/m);
    }
  });

  test('[G-OWN] without a bot gets a search bot, and no board or texts', async () => {
    const [pig] = await load(PIG_FILES);
    expect([pig!.browserBoard, pig!.strings, pig!.files.bot]).toEqual([null, null, null]);
    // A search by the rules plays it.
    const state = pig!.rules.game.initial({ variant: 'standard', seats: 2, options: {} });
    const question = { state, seat: 0, level: 'hard', nodesMax: 50 } as const;
    const random = makeRandom('bot', () => '', 0);
    expect(pig!.rules.bot!.makeMind().choose(question, random)).toEqual({ do: 'roll' });
  });

  test('[G-OWN] may be written in JavaScript', async () => {
    const rules = new Bun.Transpiler({ loader: 'ts' }).transformSync(PIG).replace('.ts"', '.mjs"');
    const [pig] = await load({ 'pig/rules.mjs': rules, 'pig/goal.mjs': PIG_GOAL });
    expect(pig!.rules.game.id).toBe('pig');
  });
});

describe('the hash', () => {
  test('[G-OWN] equals what sha256sum computes of the sources', async () => {
    const [pig] = await load(PIG_FILES);
    const listed = execFileSync('sha256sum', ['goal.ts', 'rules.ts'], {
      cwd: path.join(root, 'pig'),
    });
    expect(pig!.rules.hash).toBe(createHash('sha256').update(listed).digest('hex'));
  });

  test('[G-OWN] changes with any source of the rules and with nothing else', async () => {
    const hashOf = async (files: Readonly<Record<string, string>>): Promise<string> => {
      rmSync(root, { recursive: true, force: true });
      return (await load(files))[0]!.rules.hash!;
    };
    const hash = await hashOf(PIG_FILES);
    expect(await hashOf({ ...PIG_FILES, 'pig/goal.ts': 'export const GOAL = 21;\n' })).not.toBe(
      hash,
    );
    expect(await hashOf({ ...PIG_FILES, 'pig/rules.ts': `${PIG}\n` })).not.toBe(hash);
    expect(await hashOf({ ...PIG_FILES, 'pig/bot.ts': PIG_BOT, 'pig/other.ts': '' })).toBe(hash);
    const crlf = Object.entries(PIG_FILES).map(([name, text]) => [
      name,
      text.replaceAll('\n', '\r\n'),
    ]);
    expect(await hashOf(Object.fromEntries(crlf))).toBe(hash);
  });

  test('[G-OWN] and the bundle are the same on Node, which runs Bun to bundle', async () => {
    writeGames(root, PIG_FILES);
    const request = {
      entry: path.join(root, 'pig/rules.ts'),
      root,
      provided: { [PACKAGE_NAME]: deps.packageText },
    };
    const [here, there] = [await bunBundle(request), await nodeBundle(request)];
    expect(there).toEqual(here);
    const none = await nodeBundle({ ...request, entry: path.join(root, 'pig/none.ts') });
    expect(none.ok).toBe(false);
  });
});

describe('versions', () => {
  test('[G-OWN] frozen ones are loaded beside the current one, which comes last', async () => {
    const first = await frozenFrom(PIG_FILES);
    const second = await frozenFrom({ ...PIG_FILES, 'pig/rules.ts': version(2) });
    const loaded = await load({
      'pig/rules.ts': version(3),
      'pig/versions/1.mjs': first,
      'pig/versions/2.mjs': second,
      'pig/versions/notes.md': 'no version',
      'pig/bot.ts': PIG_BOT,
    });
    expect(loaded.map(({ rules, isCurrent }) => [rules.game.rulesVersion, isCurrent])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ]);
    expect(new Set(loaded.map(({ rules }) => rules.hash)).size).toBe(3);
    // The bot was written for the current rules; other versions get a search bot.
    expect(loaded.map(({ files }) => files.bot !== null)).toEqual([false, false, true]);
    expect(loaded.map(({ rules }) => rules.bot !== null)).toEqual([true, true, true]);
  });

  test('[G-OWN] the current one may be frozen too, unchanged', async () => {
    const loaded = await load({ 'pig/versions/1.mjs': await frozenFrom(PIG_FILES) });
    expect(loaded.map(({ isCurrent }) => isCurrent)).toEqual([true]);
  });

  test('[G-OWN] a frozen version cannot have other code now', async () => {
    const frozen = await frozenFrom(PIG_FILES);
    const other = { 'pig/goal.ts': 'export const GOAL = 21;\n', 'pig/versions/1.mjs': frozen };
    expect(await faultsOf(other)).toEqual([
      'pig/rules.ts: version 1 was frozen with other code: raise rulesVersion, or undo the change',
    ]);
  });

  test('[G-OWN] a frozen file has to match its description, or is refused by its name', async () => {
    const frozen = await frozenFrom(PIG_FILES);
    const wrong = async (text: string, name = '1'): Promise<string> => {
      rmSync(root, { recursive: true, force: true });
      const files = {
        ...PIG_FILES,
        'pig/rules.ts': version(9),
        [`pig/versions/${name}.mjs`]: text,
      };
      return (await faultsOf(files)).join();
    };
    expect(await wrong(frozen, '2')).toBe('pig/versions/2.mjs: it holds version 1 of pig');
    expect(await wrong(frozen.replace('GOAL = 20', 'GOAL = 2'))).toBe(
      'pig/versions/1.mjs: it was changed since it was frozen',
    );
    expect(await wrong('export const game = {};')).toBe(
      'pig/versions/1.mjs: it was not made by "matchd games freeze"',
    );
    expect(await wrong('// matchd:rules {"id":1}\n')).toBe(
      'pig/versions/1.mjs: its first line cannot be read',
    );
    const [head, ...rest] = frozen.split('\n');
    const text = rest.join('\n').replaceAll('rulesVersion: 1', 'rulesVersion: 4');
    const forged = makeFrozen({ id: 'pig', version: 1, hash: 'ab'.repeat(32), text });
    expect(head).toContain('"version":1');
    expect(await wrong(forged)).toBe('pig/versions/1.mjs: the rules call themselves version 4');
  });
});

const game = (fields: string): string => `${PIG.split('export const game')[0]}
export const game = { ${fields} };`;

/** Files besides `pig/goal.ts`, and the errors about them. */
const FAULTS: readonly (readonly [
  what: string,
  files: Readonly<Record<string, string>>,
  fault: string | RegExp,
])[] = [
  [
    'does not parse',
    { 'pig/rules.ts': 'export const game = {\n  a: 1,,\n};' },
    /^pig\/rules\.ts:2: /,
  ],
  [
    'throws',
    { 'pig/rules.ts': 'throw new Error("boo");' },
    'pig/rules.ts: does not load: Error: boo',
  ],
  ['exports nothing', { 'pig/rules.ts': '' }, 'pig/rules.ts: there is no "export const game"'],
  [
    'exports a default',
    { 'pig/rules.ts': 'export default { id: 7 };' },
    'pig/rules.ts: there is no "export const game", only a default export',
  ],
  [
    'is no object',
    { 'pig/rules.ts': 'export const game = 7;' },
    'pig/rules.ts: game has to be a plain object',
  ],
  [
    'is an instance',
    { 'pig/rules.ts': 'export const game = new Map();' },
    /has to be a plain object$/,
  ],
  [
    'has no functions',
    { 'pig/rules.ts': game("id: 'pig'") },
    /^pig\/rules\.ts: wrong declaration: .*apply is missing/,
  ],
  [
    'has wrong types',
    { 'pig/rules.ts': game("id: 'pig', apply: 5, seats: 2") },
    /apply is not what it has to be/,
  ],
  [
    'is declared wrongly',
    { 'pig/rules.ts': PIG.replace('seats: 2,', 'seats: 99,') },
    /^pig\/rules\.ts: does not load: TypeError: Game pig: seats/,
  ],
  [
    'has another id',
    { 'hog/rules.ts': PIG, 'hog/goal.ts': PIG_GOAL },
    'hog/rules.ts: the game calls itself "pig", its folder hog',
  ],
  [
    'has a shipped id',
    { 'ludo/rules.ts': PIG },
    'ludo: a shipped game has this id; rename the folder and the game',
  ],
  [
    'imports the machine',
    { 'pig/rules.ts': `import fs from 'node:fs';\nexport const game = fs;` },
    /^pig\/rules\.ts: node:fs is a module of the machine/,
  ],
  [
    'imports from outside',
    { 'pig/rules.ts': `import { x } from '../../x.ts';\nexport const game = x;` },
    /^pig\/rules\.ts: \.\.\/\.\.\/x\.ts lies outside /,
  ],
  [
    'imports what is missing',
    { 'pig/rules.ts': `import { x } from './x.ts';\nexport const game = x;` },
    'pig/rules.ts:1: Could not resolve: "./x.ts"',
  ],
  [
    'has a fault in another file',
    { 'pig/rules.ts': PIG, 'pig/goal.ts': 'export const GOAL = ;' },
    /^pig\/goal\.ts:1: /,
  ],
  [
    'has two rules',
    { 'pig/rules.ts': PIG, 'pig/rules.js': '' },
    'pig: there are rules.ts and rules.js: which one counts?',
  ],
  ['has no rules', { 'pig/versions/1.mjs': '' }, 'pig: there is no rules.ts, rules.js, rules.mjs'],
  [
    'has a bot without a mind',
    { 'pig/rules.ts': PIG, 'pig/bot.ts': 'export const bot = {};' },
    'pig/bot.ts: bot has to be an object with a function makeMind',
  ],
  [
    'has no bot in its bot',
    { 'pig/rules.ts': PIG, 'pig/bot.ts': '' },
    'pig/bot.ts: there is no "export const bot"',
  ],
  [
    'has a wrong board',
    { 'pig/rules.ts': PIG, 'pig/board.ts': 'import "./none.css"' },
    /^pig\/board\.ts:1: Could not resolve/,
  ],
  [
    'has wrong texts',
    { 'pig/rules.ts': PIG, 'pig/strings.json': '{ "en": "Pig" }' },
    /^pig\/strings\.json: it has to be texts by language/,
  ],
  [
    'has texts that are no JSON',
    { 'pig/rules.ts': PIG, 'pig/strings.json': '{' },
    /^pig\/strings\.json: no JSON/,
  ],
];

describe('faults', () => {
  for (const [what, files, fault] of FAULTS) {
    test(`[G-OWN] a game that ${what} is refused with a message that names its file`, async () => {
      const [first] = await faultsOf({ 'pig/goal.ts': PIG_GOAL, ...files });
      if (typeof fault === 'string') expect(first).toBe(fault);
      else expect(first).toMatch(fault);
      expect(first).not.toContain('\n');
    });
  }

  test('[G-OWN] all games are checked, and every fault is reported', async () => {
    const faults = await faultsOf({ 'a1/rules.ts': '', 'b1/rules.ts': 'export const game = 7;' });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(['a1/rules.ts', 'b1/rules.ts']);
  });

  test('[G-OWN] a folder that does not exist, or is itself a game, is named', async () => {
    await expect(loadGames(deps, path.join(root, 'none'))).rejects.toThrow(
      'there is no such folder',
    );
    writeGames(root, PIG_FILES);
    await expect(loadGames(deps, path.join(root, 'pig'))).rejects.toThrow(
      `it is one game; name the folder that holds it, ${root}`,
    );
  });
});

test('[G-OWN] a module is written once, whatever its name', async () => {
  const modules = makeModuleFiles(path.join(folder, 'again'), Date.now());
  const file = modules.write('pig.rules', 'export const a = 1;');
  expect(modules.write('pig.rules', 'export const a = 1;')).toBe(file);
  expect(modules.write('pig.rules', 'export const a = 2;')).not.toBe(file);
  expect(readFileSync(file, 'utf8')).toBe('export const a = 1;');
});

test('[G-OWN] a game that hangs in its first position is refused by its name', async () => {
  const limits = { ...GUARD_LIMITS, callMs: 200 };
  const { protect } = makeGuard({ limits, elapsedMs: stopwatchMs });
  const hangs = PIG.replace('initial: () => (', 'initial: () => { for (;;); }, other: () => (');
  writeGames(root, { ...PIG_FILES, 'pig/rules.ts': hangs.replace('other:', 'isOut:') });
  await expect(loadGames({ ...deps, protect }, root)).rejects.toThrow(
    /^pig\/rules\.ts: its first position: RulesStoppedError: .* took longer than 200 ms/,
  );
});
