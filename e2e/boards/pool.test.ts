/**
 * The same 10,000 shots of pool in every engine that plays or draws them: Bun, Node, and a browser. All bits of all
 * positions, motions and events are compared.
 */

import { afterAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashesOfShots } from '../../src/games/pool/physics/bits.test-kit.ts';
import { findChromium, launchChromium } from '../parts/browser.ts';

const BATCHES = 100;
const TEST_MS_MAX = 120_000;
const ROOT = join(import.meta.dirname, '../..');
const KIT = join(ROOT, 'src/games/pool/physics/bits.test-kit.ts');

const folder = mkdtempSync(join(tmpdir(), 'matchd-pool-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Computed once, by the engine that runs this test. */
let hashes: readonly string[] | null = null;
function ownHashes(): readonly string[] {
  hashes ??= hashesOfShots(BATCHES);
  return hashes;
}

async function bundle(naming: string, target: 'node' | 'browser', entry: string): Promise<string> {
  const { success } = await Bun.build({ entrypoints: [entry], outdir: folder, naming, target });
  expect(success).toBe(true);
  return join(folder, naming);
}

/** Node 24 as installed by `.ci/run` or the benchmarks, and the machine's own Node. */
function findNodes(): readonly string[] {
  const file = `node_modules/node-linux-${process.arch}/bin/node`;
  const fetched = [`.cache/node24/${file}`, `bench/.cache/node/${file}`].map((each) =>
    join(ROOT, each),
  );
  const node24 = [process.env['MATCHD_NODE'] ?? '', ...fetched].find((each) => existsSync(each));
  return [Bun.which('node'), node24].flatMap((each) => each ?? []);
}

const nodes = findNodes();
if (nodes.length < 2) {
  console.warn('\n*** Pool was compared with fewer than two versions of Node. ***\n');
}

test.each([...nodes])(
  '[G-POOL-8] 10,000 shots have the same bits in Bun and in %s',
  async (node) => {
    const file = await bundle('node.mjs', 'node', KIT);
    const code = `const { hashesOfShots } = await import(${JSON.stringify(file)});
      console.log(JSON.stringify({ v8: process.versions.v8, hashes: hashesOfShots(${BATCHES}) }));`;
    const ended = spawnSync(node, ['--input-type=module', '-e', code], { encoding: 'utf8' });
    expect(ended.stderr).toBe('');
    const { v8, hashes: theirs } = JSON.parse(ended.stdout);
    expect(v8).toMatch(/^\d+\./);
    expect(theirs).toEqual(ownHashes());
  },
  TEST_MS_MAX,
);

const executable = findChromium();
if (executable === null) {
  console.warn('\n*** SKIPPED: no chromium on this machine: pool was not compared in it. ***\n');
}

test.skipIf(executable === null)(
  '[G-POOL-8] 10,000 shots have the same bits in Bun and in a browser',
  async () => {
    const entry = join(folder, 'page.ts');
    await Bun.write(
      entry,
      `import { hashesOfShots } from ${JSON.stringify(KIT)};
      Object.assign(globalThis, { hashesOfShots });`,
    );
    const file = await bundle('page.js', 'browser', entry);
    const browser = await launchChromium(executable!);
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ path: file, type: 'module' });
      // A module runs after its tag has been added.
      await page.waitForFunction(() => 'hashesOfShots' in globalThis);
      const theirs = await page.evaluate(
        (batches) =>
          (globalThis as unknown as { hashesOfShots: typeof hashesOfShots }).hashesOfShots(batches),
        BATCHES,
      );
      expect(theirs).toEqual(ownHashes());
    } finally {
      await browser.close();
    }
  },
  TEST_MS_MAX,
);
