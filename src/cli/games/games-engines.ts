/** The same random games on other engines of JavaScript: they have to come out alike. */

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { ManyPlayed } from '../../../game/src/testing/index.ts';
import { processRuntime } from '../../config.ts';
import type { LoadDeps } from '../../runtime/games/load-game.ts';
import { moduleText } from '../../runtime/games/package-text.ts';

/** Plays a game on another engine. */
export interface Engine {
  /** `node`, with its version. */
  readonly name: string;
  play(rules: string, check: string | null, seed: number, games: number): Promise<ManyPlayed>;
}

const TESTING = new URL('../../../game/src/testing/index.ts', import.meta.url);
/** Older ones lack what the tests need. */
const NODE_MIN = 20;

/** Null if no other engine is found. `folder` is for files of its own. */
export async function findEngine({ bundle }: LoadDeps, folder: string): Promise<Engine | null> {
  if (processRuntime() !== 'bun') return null;
  const version = await run('node', ['--version']).catch(() => null);
  if (version === null || Number(/^v(\d+)\./.exec(version)?.[1] ?? 0) < NODE_MIN) return null;
  const testing = path.join(folder, 'testing.mjs');
  writeFileSync(testing, await moduleText(bundle, TESTING));
  const main = path.join(folder, 'play.mjs');
  writeFileSync(main, MAIN);
  return {
    name: `node ${version.trim().slice(1)}`,
    async play(rules, check, seed, games) {
      const files = [testing, rules, ...(check === null ? [] : [check])];
      const urls = files.map((file) => pathToFileURL(file).href);
      const said = await run('node', [main, `${seed}`, `${games}`, ...urls]);
      return JSON.parse(said) as ManyPlayed;
    },
  };
}

const MAIN = `
const [seed, games, testing, rules, check] = process.argv.slice(2);
const { playMany } = await import(testing);
const { game } = await import(rules);
const play = check === undefined ? {} : (await import(check)).contract;
console.log(JSON.stringify(playMany(game, { seed: Number(seed), games: Number(games), play })));
`;

/** Standard output of a program. Rejects with its error output if it fails. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await code) === 0) return stdout;
  throw new Error(stderr.trim().split('\n').at(-1) ?? `${program} failed`);
}
