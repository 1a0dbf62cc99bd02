/** The examples of views and drawing in docs/games/pool.md match the game. */

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import type { Motion, Path } from './motion.ts';
import { makeMotion, placeOnPath } from './motion.ts';
import { randomStrike, randomTable } from './physics/shots.test-kit.ts';
import { simulate } from './physics/simulate.ts';
import { pool } from './pool.ts';
import { laid, play, shotOf } from './positions.test-kit.ts';

const DOCS = readFileSync(join(import.meta.dirname, '../../../docs/games/pool.md'), 'utf8');

function samplesOf(language: string): readonly string[] {
  return [...DOCS.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code]) => code!,
  );
}

test('[G-POOL-17] the motion in the documents is that of the shot next to it', () => {
  const sample = samplesOf('json').find((text) => text.includes('"motion"'))!;
  const { last } = JSON.parse(sample);
  const before = laid(
    { 0: [0, 0.1], 3: [0, 0.4], 8: [-0.5, 0.2] },
    { groups: ['solids', 'stripes'] },
  );
  const shot = shotOf({ aim: Math.PI / 2, speed: 1.5, follow: -0.008 });
  const after = play(before, { ...shot, call: { ball: 3, pocket: 'side-left' } });
  const viewed = pool.view(after, null) as { readonly last: unknown };
  expect(viewed.last).toEqual(last);
});

test(`[G-POOL-17] the sample code in the documents draws the same as the module (seed ${TEST_SEED})`, () => {
  const [code] = samplesOf('js');
  const drawn = new Function(`${code}; return placeOnPath;`)() as typeof placeOnPath;
  const random = makeRandom(`${TEST_SEED}`, () => 'pool documents', 0);
  for (let n = 0; n < 50; n += 1) {
    const { paths, duration }: Motion = makeMotion(
      simulate(randomTable(random), randomStrike(random)),
    );
    for (const path of paths as readonly Path[]) {
      for (let step = 0; step <= 20; step += 1) {
        const time = (duration / 1e6) * (step / 19);
        const [x, y] = placeOnPath(path, time);
        const [drawnX, drawnY] = drawn(path, time);
        expect(Math.abs(drawnX - x) + Math.abs(drawnY - y)).toBeLessThan(1e-12);
      }
    }
  }
});
