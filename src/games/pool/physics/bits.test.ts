/** The same shots, bit for bit, in another engine and on every machine. In browsers: e2e. */

import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isRefusal } from '../../../../game/src/game.ts';
import { hashJson } from '../../../../game/src/json.ts';
import { makeRandom } from '../../../../game/src/random.ts';
import { poolBot } from '../bot.ts';
import { pool } from '../pool.ts';
import { shotOf } from '../positions.test-kit.ts';
import { hashesOfShots, hashOfShots } from './bits.test-kit.ts';
import { simulate } from './simulate.ts';

/** Of the first 1,000 shots. Changes only with the game's `rulesVersion`. */
const HASH = 'fcdfb22b70d6a4b58f7a90177b7b26609891f818bc9e5b732d3e7ae66f995866';
const BATCHES = 10;

const folder = mkdtempSync(path.join(tmpdir(), 'matchd-pool-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('[G-POOL-8] 1,000 shots have the same bits as everywhere', () => {
  expect(hashJson(hashesOfShots(BATCHES))).toBe(HASH);
});

test('[G-POOL-8] one different bit changes the hash', () => {
  const shot = simulate([{ n: 0, x: 0, y: 0 }], shotOf({ speed: 2 }).shot);
  const [ball] = shot.after;
  const moved = { ...shot, after: [{ ...ball!, x: ball!.x * (1 + Number.EPSILON) }] };
  expect(moved.after[0]!.x).not.toBe(ball!.x);
  expect(hashOfShots([moved])).not.toBe(hashOfShots([shot]));
  expect(hashOfShots([shot])).toBe(hashOfShots([{ ...shot }]));
});

const node = Bun.which('node');

/** Node runs V8, another engine than Bun's. */
test.skipIf(node === null)('[G-POOL-8] Node gives the same bits', async () => {
  const built = await Bun.build({
    entrypoints: [path.join(import.meta.dirname, 'bits.test-kit.ts')],
    outdir: folder,
    naming: 'bits.mjs',
    target: 'node',
  });
  expect(built.success).toBe(true);
  const code = `import('./bits.mjs').then((bits) => console.log(JSON.stringify(bits.hashesOfShots(${BATCHES}))))`;
  const ended = Bun.spawnSync([node!, '--input-type=module', '-e', code], { cwd: folder });
  expect(ended.stderr.toString()).toBe('');
  expect(JSON.parse(ended.stdout.toString())).toEqual(hashesOfShots(BATCHES));
});

/** Functions whose results the language leaves to each engine; `random` is forbidden as well. */
const INEXACT = [
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'atan2',
  'sinh',
  'cosh',
  'tanh',
  'asinh',
  'acosh',
  'atanh',
  'exp',
  'expm1',
  'log',
  'log2',
  'log10',
  'log1p',
  'pow',
  'hypot',
  'cbrt',
  'random',
] as const;

/** Plays with those functions removed. */
function withoutInexact(run: () => void): void {
  const kept = INEXACT.map((name) => [name, Math[name]] as const);
  try {
    for (const name of INEXACT) {
      Math[name] = () => {
        throw new Error(`Math.${name} was asked`);
      };
    }
    run();
  } finally {
    Object.assign(Math, Object.fromEntries(kept));
  }
}

test('[G-POOL-8] rules, simulator, view and bot call no function whose result may differ between engines', () => {
  expect(() => withoutInexact(() => Math.sin(1))).toThrow('Math.sin was asked');
  withoutInexact(() => {
    hashesOfShots(1);
    for (const variant of pool.variants) playByBots(variant);
  });
});

function playByBots(variant: string): void {
  const random = makeRandom(variant, () => '', 0);
  let state = pool.initial({ variant, seats: 2, options: { callPocket: 'all' } });
  for (let n = 0; n < 20 && state.result === null; n += 1) {
    const question = { state, seat: state.seat, level: 'hard' as const, nodesMax: 2_000 };
    const action = poolBot.makeMind().choose(question, random);
    const applied = pool.apply(state, state.seat, action, random);
    if (isRefusal(applied)) throw new Error(applied.error);
    state = applied.state;
    pool.view(state, null);
  }
  expect(state.shots).toBeGreaterThan(3);
}
