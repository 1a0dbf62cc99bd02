/**
 * Compares the code with ARCHITECTURE.md's floors and STYLE.md's limits: `bun
 * scripts/checks/check-layers.ts`.
 */

import { Glob } from 'bun';
import { checkEnvironment, checkPurity, checkRuntimeSeam, checkShell } from '../layers/bans.ts';
import { type Finding, makeSourceFile, printFinding, type SourceFile } from '../layers/finding.ts';
import { checkCircles, checkFloors } from '../layers/imports.ts';
import { checkTidiness } from '../layers/tidy.ts';

const SOURCES = '{game,src,web,sdk,sim,bench,e2e,scripts,bin,examples}/**/*.{ts,tsx,mjs}';

/** Not ours, or generated. */
const SKIPPED = /(?:^|\/)(?:node_modules|dist)\/|^bench\/peers\//;

/** Every rule over the given files, in the order of files and lines. */
export function checkFiles(files: readonly SourceFile[]): Finding[] {
  const rules = [
    checkFloors,
    checkPurity,
    checkShell,
    checkRuntimeSeam,
    checkEnvironment,
    checkTidiness,
  ];
  const findings = files.flatMap((file) => rules.flatMap((rule) => rule(file)));
  const order = (a: Finding, b: Finding): number =>
    a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1;
  return [...findings, ...checkCircles(files)].sort(order);
}

async function readSources(root: string): Promise<SourceFile[]> {
  const paths = await Array.fromAsync(new Glob(SOURCES).scan({ cwd: root }));
  const own = paths.map((path) => path.replaceAll('\\', '/')).filter((path) => !SKIPPED.test(path));
  return Promise.all(
    own.sort().map(async (path) => makeSourceFile(path, await Bun.file(`${root}/${path}`).text())),
  );
}

if (import.meta.main) {
  const files = await readSources(`${import.meta.dir}/../..`);
  const findings = checkFiles(files);
  for (const finding of findings) console.log(printFinding(finding));
  console.log(`${files.length} files, ${findings.length} findings`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
