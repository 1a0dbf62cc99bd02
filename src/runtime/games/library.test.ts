/**
 * All games of a process: what is offered, what running matches use, and what is stored for them.
 */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BotLevel } from '../../../game/src/bot.ts';
import type { Json } from '../../../game/src/game.ts';
import { refOf } from '../../games/games.ts';
import { GAME_IDS, SHIPPED_RULES } from '../../games/registry.ts';
import { makeLoadDeps } from '../../testing/matches/load-deps.ts';
import { PIG, PIG_BOT, PIG_FILES, writeGames } from '../../testing/matches/own-games.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { makeThinkers, THINKER, type Thinkers } from '../bots/thinkers.ts';
import type { Answer } from '../bots/thought.ts';
import { makeSystemClock } from '../system.ts';
import { makeLibrary } from './library.ts';
import { type LoadDeps, type LoadedGame, loadGames } from './load-game.ts';
import { loadStored, storeRules } from './stored-rules.ts';

const folder = makeTempFolder();
const root = path.join(folder, 'my-games');
const kept = path.join(folder, 'kept');
const thinkers: Thinkers[] = [];
afterAll(async () => {
  for (const each of thinkers) await each.stop();
  removeFolder(folder);
});

let deps: LoadDeps;
beforeAll(async () => {
  deps = await makeLoadDeps(path.join(folder, 'modules'));
});
beforeEach(() => {
  for (const each of [root, kept]) rmSync(each, { recursive: true, force: true });
});

/** Pig to a goal, in a version. */
async function pig(goal: number, version = 1, bot = ''): Promise<readonly LoadedGame[]> {
  writeGames(root, {
    ...PIG_FILES,
    'pig/rules.ts': PIG.replace('rulesVersion: 1', `rulesVersion: ${version}`),
    'pig/goal.ts': `export const GOAL = ${goal};\n`,
    ...(bot === '' ? null : { 'pig/bot.ts': bot }),
  });
  return loadGames(deps, root);
}

test('[G-OWN] the operator’s games come after the shipped ones', async () => {
  const library = makeLibrary(SHIPPED_RULES, await pig(20));
  expect(library.games.ids()).toEqual([...GAME_IDS, 'pig']);
  expect(library.games.find('pig')?.game.id).toBe('pig');
  expect(library.games.find('hog')).toBeNull();
});

test('[G-OWN] after a replacement new matches use the new code, running ones keep theirs', async () => {
  const [first] = await pig(20);
  const library = makeLibrary(SHIPPED_RULES, [first!]);
  const [second] = await pig(30);
  library.exchange([second!]);
  const [third] = await pig(30, 2);
  library.exchange([third!]);
  expect(library.games.find('pig')).toBe(third!.rules);
  for (const { rules, files } of [first!, second!, third!]) {
    expect(library.games.findPlayed(refOf(rules))).toBe(rules);
    expect(library.filesOf(refOf(rules))).toBe(files);
    expect(library.find('pig', rules.hash)?.rules).toBe(rules);
  }
  expect(library.find('pig', null)?.rules).toBe(third!.rules);
  // An unknown hash of a known version.
  const unknown = { game: 'pig', rulesVersion: 1, rulesHash: 'ab'.repeat(32) };
  expect(library.games.findPlayed(unknown)).toBe(second!.rules);
  expect(library.games.findPlayed({ ...unknown, rulesVersion: 9 })).toBeNull();
});

test('[G-OWN] a removed game is not offered, and its matches continue', async () => {
  const [first] = await pig(20);
  const library = makeLibrary(SHIPPED_RULES, [first!]);
  library.exchange([]);
  expect(library.games.ids()).toEqual(GAME_IDS);
  expect([library.games.find('pig'), library.find('pig', null)]).toEqual([null, null]);
  expect(library.games.findPlayed(refOf(first!.rules))).toBe(first!.rules);
});

test('[G-OWN] code that returns is the current one again', async () => {
  const [first] = await pig(20);
  const library = makeLibrary(SHIPPED_RULES, [first!]);
  library.exchange(await pig(30));
  const [again] = await pig(20);
  library.exchange([again!]);
  expect(library.games.find('pig')?.hash).toBe(first!.rules.hash);
  expect(library.loaded()).toHaveLength(2);
});

test('[G-OWN] stored rules are found by their hash; the newest twenty are kept', async () => {
  const [first] = await pig(20);
  storeRules(kept, first!, 1_000);
  const [second] = await pig(30);
  for (const file of await loadStored(deps, kept, [second!])) {
    const library = makeLibrary(SHIPPED_RULES, [second!]);
    library.remember([file]);
    expect(library.games.findPlayed(refOf(first!.rules))?.hash).toBe(first!.rules.hash);
    expect(library.games.find('pig')).toBe(second!.rules);
  }
  for (let n = 0; n < 25; n += 1) {
    const { rules } = first!;
    const hash = `${n}a`.padEnd(64, '0');
    storeRules(kept, { ...first!, rules: { ...rules, hash } }, 2_000_000 + 1_000 * n);
  }
  const names = readdirSync(path.join(kept, 'pig'));
  expect(names).toHaveLength(20);
  expect(names.some((name) => name.startsWith(`1-${first!.rules.hash!.slice(0, 16)}`))).toBe(false);
});

test('[G-OWN] stored rules that cannot be loaded any more are removed', async () => {
  const [first] = await pig(20);
  storeRules(kept, first!, 1_000);
  const broken = path.join(kept, 'pig/1-broken.mjs');
  writeFileSync(broken, 'no rules');
  expect(await loadStored(deps, kept, [first!])).toHaveLength(1);
  expect(existsSync(broken)).toBe(false);
  expect(await loadStored(deps, path.join(folder, 'none'), [first!])).toEqual([]);
});

test('[G-OWN] a thread thinks with the rules and the bot of each match', async () => {
  const [first] = await pig(20, 1, PIG_BOT);
  const odd = PIG_BOT.replace('pickOne(game.legalActions(state), random)', "({ do: 'odd' })");
  const [second] = await pig(30, 2, odd);
  const library = makeLibrary(SHIPPED_RULES, [first!, second!]);
  const made = makeThinkers(makeSystemClock(), THINKER, library.filesOf);
  thinkers.push(made);
  const think = ({ rules }: LoadedGame): Promise<Answer> =>
    new Promise((resolve) => {
      const state = rules.game.initial({ variant: 'standard', seats: 2, options: {} });
      const question = { state, seat: 0, level: 'easy', nodesMax: 10, seed: 'x' } as const;
      made.think({ ...question, rules: refOf(rules) }, 10_000, resolve);
    });
  const answers = await Promise.all([first!, second!, first!, second!].map(think));
  expect(answers).toEqual([
    { ok: true, action: { do: 'roll' } },
    { ok: true, action: { do: 'odd' } },
    { ok: true, action: { do: 'roll' } },
    { ok: true, action: { do: 'odd' } },
  ]);
});

test('[G-OWN] a game of 5 ms per action does not delay bots of shipped games', async () => {
  const busy = 'const end = Date.now() + 5; while (Date.now() < end);';
  const rules = PIG.replace('apply(state, seat, action, random) {', (head) => `${head} ${busy}`);
  writeGames(root, { ...PIG_FILES, 'pig/rules.ts': rules });
  const [slow] = await loadGames(deps, root);
  const library = makeLibrary(SHIPPED_RULES, [slow!]);
  const made = makeThinkers(makeSystemClock(), THINKER, library.filesOf);
  thinkers.push(made);
  const answered: string[] = [];
  const think = (game: string, level: BotLevel, state: Json): Promise<void> =>
    new Promise((resolve) => {
      const question = { state, seat: 0, level, nodesMax: 10_000, seed: 'x' };
      const played = refOf(library.games.find(game)!);
      made.think({ ...question, rules: played }, 15_000, ({ ok }) => {
        answered.push(`${game} ${ok}`);
        resolve();
      });
    });
  const mark = () => think('tictactoe', 'medium', { board: '.........' });
  const pot = { scores: [0, 0], pot: 5, turn: 0 };
  // Both threads run, and have loaded what they need.
  await Promise.all([mark(), think('pig', 'hard', pot)]);
  answered.length = 0;
  const rolls = Array.from({ length: 40 }, () => think('pig', 'hard', pot));
  await mark();
  expect(answered.length).toBeLessThan(20);
  expect(answered.at(-1)).toBe('tictactoe true');
  await Promise.all(rolls);
  expect(answered.filter((each) => each === 'pig true')).toHaveLength(40);
}, 20_000);
