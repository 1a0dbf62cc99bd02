/**
 * The SDK is built and packed whatever its size, and its tarball works in an empty folder, on Node
 * and Bun.
 */

import { afterAll, expect, test } from 'bun:test';
import fs from 'node:fs';
import path from 'node:path';
import {
  compile,
  makePacked,
  mapFaults,
  missingFiles,
  RESOLUTIONS,
  type Resolution,
  ROOT,
  reportsOf,
  run,
  scriptsOf,
  TEST_MS_MAX,
} from './packed.test-kit.ts';

const sdk = makePacked('sdk');
afterAll(sdk.remove);

test(
  '[SETUP] an SDK over its size target is reported, but still built and packed',
  () => {
    expect(reportsOf(sdk.build(), sdk)).toEqual(['client', 'embed', 'index']);
    expect(fs.existsSync(sdk.tarball)).toBe(true);
  },
  TEST_MS_MAX,
);

test(
  '[SETUP] the packed SDK holds every file that it exports, its license and a README',
  () => {
    expect(missingFiles(sdk)).toEqual([]);
    const license = (at: string): string => fs.readFileSync(path.join(at, 'LICENSE'), 'utf8');
    expect(license(sdk.home())).toBe(license(ROOT));
  },
  TEST_MS_MAX,
);

test(
  '[SETUP] every script of the packed SDK has a source map with its sources, and no local path',
  () => {
    expect(scriptsOf(sdk).length).toBeGreaterThan(3);
    expect(mapFaults(sdk)).toEqual([]);
  },
  TEST_MS_MAX,
);

test(
  "[SETUP] the packed client adds no elements of the bundler's to the page",
  () => {
    const code = fs.readFileSync(path.join(sdk.home(), 'dist/client.js'), 'utf8');
    expect(code).not.toContain('createElement');
  },
  TEST_MS_MAX,
);

test.each(RESOLUTIONS)(
  "[SETUP] the README's samples compile against the packed SDK, strictly (%s)",
  (resolution, module, dom) => {
    const samples = sdk.samples();
    expect(samples.length).toBeGreaterThanOrEqual(5);
    compile(sdk, samples, [resolution, module, dom] as Resolution, 'ES2022');
  },
  TEST_MS_MAX,
);

test.each([
  ['Node', 'node', ['--input-type=module', '-e']],
  ['Bun', process.execPath, ['--no-env-file', '-e']],
] as const)(
  '[SETUP] %s imports each entry of the packed SDK',
  (_, program, flags) => {
    const code = `
      const [server, client, embed] = await Promise.all(
        ['', '/client', '/embed'].map((entrance) => import('${sdk.manifest.name}' + entrance)));
      console.log(typeof server.createMatchd, typeof client.connect, typeof embed.mount);`;
    expect(run(program, [...flags, code], sdk.install())).toBe('function function function\n');
  },
  TEST_MS_MAX,
);
