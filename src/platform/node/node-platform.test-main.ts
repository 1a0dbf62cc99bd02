/**
 * Node's platform keeps the contract: run by Node itself, `node node-platform.test-main.ts [--slow]`.
 * Prints a line a case and ends with 1 when one failed.
 */

import { describePlatform, describePlatformSlowly } from '../contract-suite.ts';
import { nodePlatform } from './node-platform.ts';

const TIMEOUT_MS = 20_000;

const cases: { readonly name: string; readonly run: () => Promise<void> }[] = [];
const describe = process.argv.includes('--slow') ? describePlatformSlowly : describePlatform;
describe(nodePlatform, (name, run) => void cases.push({ name, run }));

let failed = 0;
for (const { name, run } of cases) {
  const error = await outcomeOf(run);
  if (error === null) {
    console.log(`ok ${name}`);
  } else {
    failed += 1;
    console.log(`not ok ${name}`);
    console.log(String(error instanceof Error ? error.stack : error).replaceAll(/^/gm, '# '));
  }
}
console.log(`${cases.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** What a case failed with, null when it did not. */
async function outcomeOf(run: () => Promise<void>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const overtime = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took over ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    await Promise.race([run(), overtime]);
    return null;
  } catch (error) {
    return error ?? new Error('failed with nothing');
  } finally {
    clearTimeout(timer);
  }
}
