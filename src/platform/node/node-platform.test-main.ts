/**
 * Node's platform keeps the contract: run by Node itself, `node node-platform.test-main.ts [--slow]`.
 * Prints a line a case and ends with 1 when one failed.
 */

import { loadPlatform } from '../choose.ts';
import { describePlatform, describePlatformSlowly } from '../contract-suite.ts';
import type { Platform } from '../platform.ts';

const TIMEOUT_MS = 30_000;

interface TestCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

const describe = process.argv.includes('--slow') ? describePlatformSlowly : describePlatform;
process.exit((await runAll(collect(await loadPlatform('node')))) === 0 ? 0 : 1);

function collect(platform: Platform): TestCase[] {
  const cases: TestCase[] = [];
  describe(platform, (name, run) => void cases.push({ name, run }));
  return cases;
}

/** Returns how many failed. */
async function runAll(cases: readonly TestCase[]): Promise<number> {
  let failed = 0;
  for (const { name, run } of cases) {
    const error = await outcomeOf(run);
    console.log(`${error === null ? 'ok' : 'not ok'} ${name}`);
    if (error === null) continue;
    failed += 1;
    console.log((error.stack ?? error.message).replaceAll(/^/gm, '# '));
  }
  console.log(`${cases.length - failed} passed, ${failed} failed`);
  return failed;
}

/** What a case failed with, null when it did not. */
async function outcomeOf(run: () => Promise<void>): Promise<Error | null> {
  let timer: NodeJS.Timeout | undefined;
  const overtime = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took over ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    await Promise.race([run(), overtime]);
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(timer);
  }
}
