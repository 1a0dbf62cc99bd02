/**
 * `matchd games check`: checks games against everything that the service relies on, and reports the
 * result.
 */

import path from 'node:path';
import type { Contract } from '../../../game/src/testing/index.ts';
import type { Environment } from '../../config.ts';
import { GamesError, messageOf } from '../../runtime/games/game-error.ts';
import type { GameFiles } from '../../runtime/games/game-folder.ts';
import { GUARD_LIMITS, makeGuard } from '../../runtime/games/guard.ts';
import {
  bundleIn,
  type LoadDeps,
  type LoadedGame,
  loadGame,
} from '../../runtime/games/load-game.ts';
import { importModule } from '../../runtime/games/module-files.ts';
import {
  type Answer,
  EXIT_CODES,
  isRefusal,
  type Refusal,
  wrongUsage,
} from '../terminal/answer.ts';
import type { Progress } from '../terminal/progress.ts';
import { type GameReport, printReport } from './games-check-report.ts';
import { type CheckTerms, runSteps, type Subject } from './games-check-steps.ts';
import { type Engine, findEngine } from './games-engines.ts';
import { findTargets, type GamesOptions, gamesFolder, withLoading } from './games-folder.ts';

export interface CheckOptions extends GamesOptions {
  readonly plays: string;
  readonly hostile: string;
  readonly seed?: string;
}

const COUNT_MAX = 10_000_000;
const SEED_MAX = 2 ** 31 - 1;
/** No part of a check takes longer, or the game counts as one that hangs. Ms. */
const PART_MS = 120_000;

export async function checkGames(
  env: Environment,
  name: string | undefined,
  options: CheckOptions,
  say: Progress,
  partMs = PART_MS,
): Promise<Answer> {
  const terms = readTerms(options);
  if (isRefusal(terms)) return terms;
  const targets = findTargets(gamesFolder(env, options), name);
  if (isRefusal(targets)) return targets;
  const reports = await withLoading(
    (rules) => rules,
    async (loading, folder) => {
      const engine = await findEngine(loading, folder);
      const made: GameReport[] = [];
      for (const files of targets) {
        say(`${files.id}: ${terms.plays} random games, ${terms.hostile} hostile inputs`);
        made.push(await checkGame({ loading, engine, partMs }, files, terms));
      }
      return made;
    },
  );
  const isSound = reports.every(({ ok }) => ok);
  return {
    json: { ok: isSound, seed: terms.seed, games: reports },
    text: reports.length === 0 ? 'There is no game here.' : reports.map(printReport).join('\n\n'),
    exit: isSound ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

function readTerms({ plays, hostile, seed }: CheckOptions): CheckTerms | Refusal {
  const counts = [
    ['--plays', plays, COUNT_MAX],
    ['--hostile', hostile, COUNT_MAX],
    ['--seed', seed ?? '0', SEED_MAX],
  ] as const;
  for (const [option, text, max] of counts) {
    if (/^\d{1,10}$/.test(text) && Number(text) <= max) continue;
    return wrongUsage(`${option} "${text}": must be a whole number from 0 to ${max}`);
  }
  return {
    plays: Number(plays),
    hostile: Number(hostile),
    seed: seed === undefined ? Date.now() % SEED_MAX : Number(seed),
    limits: GUARD_LIMITS,
  };
}

/** What all games are checked with. */
interface Checking {
  readonly loading: LoadDeps;
  readonly engine: Engine | null;
  readonly partMs: number;
}

async function checkGame(
  checking: Checking,
  files: GameFiles,
  terms: CheckTerms,
): Promise<GameReport> {
  const base = { game: files.id, rulesVersion: null, rulesHash: null, seed: terms.seed };
  try {
    const loaded = (await loadGame(checking.loading, files)).at(-1)!;
    const subject = await makeSubject(checking, files, loaded);
    const { rulesVersion } = loaded.rules.game;
    const found = await runSteps(subject, terms);
    return { ...base, rulesVersion, rulesHash: loaded.rules.hash, ...found };
  } catch (error) {
    if (!(error instanceof GamesError)) throw error;
    const steps = error.faults.map((fault) => ({
      what: 'it loads',
      ok: false,
      note: fault,
      ms: 0,
    }));
    return { ...base, ok: false, steps, played: null, measured: null };
  }
}

async function makeSubject(
  { loading, engine, partMs }: Checking,
  files: GameFiles,
  loaded: LoadedGame,
): Promise<Subject> {
  const limits = { ...GUARD_LIMITS, callMs: partMs, strictCallMs: partMs };
  const guard = makeGuard({ limits, elapsedMs });
  const check = files.check === null ? null : await loadCheck(loading, files, files.check);
  const hasBot = files.bot !== null;
  return {
    loaded,
    engine,
    hasBot,
    contract: check?.contract ?? {},
    checkFile: check?.file ?? null,
    // Parts of checks store their findings: none is done twice.
    run: (what, act) => withMachine(() => guard.run(loaded.rules, what, act, true)),
  };
}

/** The stopwatch itself, however hidden it is. */
const elapsedMs = performance.now.bind(performance);

/** What checks hide from a game while it runs; a check that is stopped shows nothing again. */
const HIDDEN: readonly (readonly [owner: object, name: string])[] = [
  [globalThis, 'Date'],
  [Math, 'random'],
  [performance, 'now'],
  [crypto, 'getRandomValues'],
  [crypto, 'randomUUID'],
];

function withMachine<T>(act: () => T): T {
  const before = HIDDEN.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name));
  try {
    return act();
  } finally {
    for (const [index, [owner, name]] of HIDDEN.entries()) {
      const own = before[index];
      if (own === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, own);
    }
  }
}

/** `check.ts`: information that a game's rules do not contain. */
async function loadCheck(
  loading: LoadDeps,
  files: GameFiles,
  source: string,
): Promise<{ readonly contract: Contract; readonly file: string }> {
  const name = path.relative(path.dirname(files.folder), source);
  const { text } = await bundleIn(loading, files, source);
  const file = loading.modules.write(`${files.id}.check`, text);
  const module = await importModule(file).catch((error: unknown) => {
    throw new GamesError([`${name}: does not load: ${messageOf(error)}`]);
  });
  const { contract } = module;
  if (typeof contract === 'object' && contract !== null) return { contract, file };
  throw new GamesError([`${name}: there is no "export const contract"`]);
}
