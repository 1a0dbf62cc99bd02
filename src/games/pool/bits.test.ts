/** The same shots, bit for bit, in another engine and on every machine. */

import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hashOfShots } from './bits.test-kit.ts';

/** Changes only when the game's `rulesVersion` does. */
const HASH = '983e91b2bb78e01713d55972b6efcac897026f55d1f0bb1a86f15066266d0743';

const folder = mkdtempSync(path.join(tmpdir(), 'matchd-pool-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('[G-POOL-8] 300 shots have the bits that they have everywhere', () => {
  expect(hashOfShots()).toBe(HASH);
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
  const code = `import('./bits.mjs').then(({ hashOfShots }) => console.log(hashOfShots()))`;
  const ended = Bun.spawnSync([node!, '--input-type=module', '-e', code], { cwd: folder });
  expect([ended.stdout.toString().trim(), ended.stderr.toString()]).toEqual([HASH, '']);
});
