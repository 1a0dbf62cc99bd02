/** What counts as a rule, what counts as its test, and what the spec check refuses. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: fixtures are source text

import { describe, expect, test } from 'bun:test';
import { coverageOf, faultsOf, parseClaims, parseRules } from './check-spec.ts';

const RULES = parseRules(`
- [H1] A rule.
  - [H9] Part of it.
- [S9a] Another. (from issue 3)
- [S2] A rule that speaks (from issue 4) of something.
| [T1] | 400 | text |
| [T8] | 409 | text (from issue 3) |
text with [H2] in it
`);

describe('rules', () => {
  test('[SPEC] bullets and table rows are rules, other mentions are not', () => {
    expect(RULES.map(({ id }) => id)).toEqual(['H1', 'S9a', 'S2', 'T1', 'T8']);
  });

  test('[SPEC] the mark of a later issue is at the end', () => {
    expect(RULES.map(({ fromIssue }) => fromIssue)).toEqual([null, 3, null, null, 3]);
  });
});

describe('claims', () => {
  const idsIn = (source: string): string[] =>
    parseClaims('src/a.test.ts', source).map(({ id }) => id);

  test('[SPEC] titles begin with one number or several', () => {
    expect(idsIn("test('[H1] works', f); test(`[H1][S9a] too ${x}`, f);")).toEqual([
      'H1',
      'H1',
      'S9a',
    ]);
  });

  test('[SPEC] rows of a table count, comments and other brackets do not', () => {
    expect(idsIn("const rows = [['[T1] missing', 400]];")).toEqual(['T1']);
    expect(idsIn("// '[H1] works'\nf('about [H1]', '[1]', '[\"a\"]', '[a]');")).toEqual([]);
  });
});

describe('faults', () => {
  const claim = (id: string) => ({ id, path: 'src/a.test.ts', line: 7 });

  test('[SPEC] a rule without a test is reported, one of a later issue is not', () => {
    const coverage = coverageOf(RULES, [claim('H1')]);
    expect(coverage.untested).toEqual(['S2', 'T1']);
    expect(coverage.later.map(({ id }) => id)).toEqual(['S9a', 'T8']);
    expect(faultsOf(coverage, 2)).toEqual([]);
    expect(faultsOf(coverage, 1)).toEqual(['2 rules have no test, at most 1 may']);
  });

  test('[SPEC] an unassigned number is refused, other prefixes are ignored', () => {
    const known = ['G-connect4', 'STORE-append', 'PLAT', 'LAYER', 'SETUP'].map(claim);
    expect(coverageOf(RULES, known).unknown).toEqual([]);
    const coverage = coverageOf(RULES, [claim('H12')]);
    expect(faultsOf(coverage, 9)).toEqual([
      'src/a.test.ts:7  the title begins with [H12], which SPEC.md does not know',
    ]);
  });

  test('[SPEC] a duplicate number is refused', () => {
    const coverage = coverageOf([...RULES, { id: 'H1', fromIssue: null }], []);
    expect(faultsOf(coverage, 9)).toEqual(['SPEC.md gives the number H1 twice']);
  });
});
