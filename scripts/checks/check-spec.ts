/**
 * Compares SPEC.md's rules with the titles of tests: `bun scripts/checks/check-spec.ts [--strict]`.
 */

import { Glob } from 'bun';
import { isTest } from '../layers/table.ts';
import { tokenize } from '../layers/tokens.ts';

/**
 * The ratchet: the number of rules without a test may not exceed this. Lower it with every rule
 * that gets one; at 0 it is removed, and `--strict` becomes the only mode.
 */
const UNTESTED_MAX = 0;

const SOURCES = '{game,src,web,sdk,e2e,scripts,sim,bench,examples}/**/*.{ts,tsx,mjs}';
const SKIPPED = /(?:^|\/)(?:node_modules|dist)\//;

/** Prefixes that tests may have without being in SPEC.md: games, ports, shell, tooling. */
const OTHER_IDS =
  /^(?:G|STORE|PLAT|CLI|CONFIG|LOG|METRICS|WEB|LAYER|DOCS|SETUP|SPEC|SIM|FAULTS|DEPLOY|BENCH|BUS|LINK|LEASE)(?:-[\w-]+)?$/;

/** The form of a rule's number: `H1`, `S9a`. */
const RULE_ID = '[A-Z]+\\d+[a-z]?';

export interface Rule {
  readonly id: string;
  /** The issue that builds it; null when the rule applies now. */
  readonly fromIssue: number | null;
}

/** A number in brackets at the beginning of a test's title. */
export interface Claim {
  readonly id: string;
  readonly path: string;
  readonly line: number;
}

/** The rules of a specification: bullets `- [H1] …` and table rows `| [T1] | …`, in their order. */
export function parseRules(text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.split('\n')) {
    const id = new RegExp(`^(?:- |\\| )\\[(${RULE_ID})\\]`).exec(line)?.[1];
    if (id === undefined) continue;
    const issue = /\(from issue (\d+)\)(?: \||$)/.exec(line.trimEnd())?.[1];
    rules.push({ id, fromIssue: issue === undefined ? null : Number(issue) });
  }
  return rules;
}

/** The numbers claimed by strings that begin with one or several in brackets. */
export function parseClaims(path: string, source: string): Claim[] {
  const titles = tokenize(source).filter(({ kind }) => kind === 'string' || kind === 'template');
  return titles.flatMap(({ text, line }) => {
    const prefix = /^(?:\[[A-Z][\w-]*\])+/.exec(text)?.[0] ?? '';
    return [...prefix.matchAll(/\[([\w-]+)\]/g)].map((match) => ({ id: match[1]!, path, line }));
  });
}

export interface Coverage {
  /** Numbers that occur twice in the specification. */
  readonly doubled: readonly string[];
  readonly untested: readonly string[];
  /** Rules of later issues that no test proves yet. */
  readonly later: readonly Rule[];
  /** Claims of unassigned numbers. */
  readonly unknown: readonly Claim[];
}

export function coverageOf(rules: readonly Rule[], claims: readonly Claim[]): Coverage {
  const ids = rules.map(({ id }) => id);
  const claimed = new Set(claims.map(({ id }) => id));
  const missing = rules.filter(({ id }) => !claimed.has(id));
  return {
    doubled: ids.filter((id, index) => ids.indexOf(id) !== index),
    untested: missing.filter(({ fromIssue }) => fromIssue === null).map(({ id }) => id),
    later: missing.filter(({ fromIssue }) => fromIssue !== null),
    unknown: claims.filter(({ id }) => !ids.includes(id) && !OTHER_IDS.test(id)),
  };
}

/** The faults, a line each; empty when there are none. */
export function faultsOf(coverage: Coverage, untestedMax: number): string[] {
  const faults = coverage.doubled.map((id) => `SPEC.md gives the number ${id} twice`);
  for (const { id, path, line } of coverage.unknown) {
    faults.push(`${path}:${line}  the title begins with [${id}], which SPEC.md does not know`);
  }
  const count = coverage.untested.length;
  if (count > untestedMax) faults.push(`${count} rules have no test, at most ${untestedMax} may`);
  return faults;
}

async function readClaims(root: string): Promise<Claim[]> {
  const found = await Array.fromAsync(new Glob(SOURCES).scan({ cwd: root }));
  const paths = found.map((path) => path.replaceAll('\\', '/'));
  const tests = paths.filter((path) => isTest(path) && !SKIPPED.test(path)).sort();
  const claims = tests.map(async (path) =>
    parseClaims(path, await Bun.file(`${root}/${path}`).text()),
  );
  return (await Promise.all(claims)).flat();
}

/** Prints the lists and returns whether all is well. */
async function main(strict: boolean): Promise<boolean> {
  const root = `${import.meta.dir}/../..`;
  const rules = parseRules(await Bun.file(`${root}/SPEC.md`).text());
  const coverage = coverageOf(rules, await readClaims(root));
  const { untested, later } = coverage;
  const byIssue = Map.groupBy(later, ({ fromIssue }) => fromIssue);
  for (const [issue, waiting] of byIssue) {
    console.log(`later, issue ${issue}: ${waiting.map(({ id }) => id).join(' ')}`);
  }
  if (untested.length > 0) console.log(`without a test: ${untested.join(' ')}`);
  const faults = faultsOf(coverage, strict ? 0 : UNTESTED_MAX);
  for (const fault of faults) console.log(fault);
  console.log(`${rules.length} rules, ${untested.length} without a test, ${later.length} later`);
  if (!strict && untested.length < UNTESTED_MAX) {
    console.log(`the ratchet may go down: UNTESTED_MAX = ${untested.length}`);
  }
  return faults.length === 0;
}

if (import.meta.main) process.exitCode = (await main(process.argv.includes('--strict'))) ? 0 : 1;
