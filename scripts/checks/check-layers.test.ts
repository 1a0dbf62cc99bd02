/** Each rule of the layer checker reports what it forbids and nothing else. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: fixtures are source text

import { describe, expect, test } from 'bun:test';
import { makeSourceFile } from '../layers/finding.ts';
import { readImports } from '../layers/imports.ts';
import { isTest } from '../layers/table.ts';
import { tokenize, withoutComments } from '../layers/tokens.ts';
import { checkFiles } from './check-layers.ts';

const OPENING = '/** Says in one sentence what it is for. */\n';

/** The findings on files given as path and text, printed as `rule: message`. */
function findingsOf(files: Readonly<Record<string, string>>): string[] {
  const sources = Object.entries(files).map(([path, text]) => makeSourceFile(path, OPENING + text));
  return checkFiles(sources).map(({ rule, message }) => `${rule}: ${message}`);
}

const findingsIn = (path: string, text: string): string[] => findingsOf({ [path]: text });

describe('floors', () => {
  const refused: readonly (readonly [path: string, text: string, message: RegExp])[] = [
    [
      'src/match/a.ts',
      "import { x } from '../store/store.ts';",
      /src\/match may import nothing of src\/store.*src\/runtime/,
    ],
    ['src/match/a.ts', "import type { X } from '../store/store.ts';", /nothing of src\/store/],
    ['src/match/a.ts', "export * from '../http/app.ts';", /nothing of src\/http/],
    ['src/match/a.ts', "export { x } from '../http/app.ts';", /nothing of src\/http/],
    ['src/match/a.ts', "import '../http/app.ts';", /nothing of src\/http/],
    ['src/match/a.ts', "type X = import('../http/app.ts').X;", /nothing of src\/http/],
    ['src/match/a.ts', "type X = typeof import('../http/app.ts');", /nothing of src\/http/],
    [
      'src/games/a.ts',
      "import type { Session } from '../match/session.ts';",
      /nothing of src\/match/,
    ],
    ['src/tenancy/a.ts', "import type { X } from '../webhooks/x.ts';", /nothing of src\/webhooks/],
    ['src/tenancy/a.ts', "import { x } from '../match/x.ts';", /only types of src\/match/],
    ['src/contract/a.ts', "import { x, type Y } from '../games/x.ts';", /only types of src\/games/],
    ['src/platform/bun/a.ts', "import { x } from '../../config.ts';", /nothing of src\/config.ts/],
    [
      'src/platform/platform.ts',
      "import { x } from './bun/serve.ts';",
      /nothing of src\/platform\/bun/,
    ],
    ['src/store/store.ts', "import { x } from './sqlite/x.ts';", /nothing of src\/store\/sqlite/],
    ['src/runtime/a.ts', "import { x } from '../store/sqlite/x.ts';", /wire in src\/compose.ts/],
    ['src/runtime/a.ts', "const x = await import('../http/app.ts');", /nothing of src\/http/],
    [
      'src/runtime/a.ts',
      "new Worker(new URL('../store/sqlite/w.ts', import.meta.url));",
      /nothing of src\/store\/sqlite/,
    ],
    ['src/socket/a.ts', "import { x } from '../http/app.ts';", /nothing of src\/http/],
    ['src/http/a.ts', "import { x } from '../testing/fake-clock.ts';", /is for tests only/],
    ['src/store/a.ts', "import { x } from './contract-suite.ts';", /is for tests only/],
    ['web/play/a.ts', "import { x } from '../../src/runtime/x.ts';", /nothing of src\/runtime/],
    [
      'web/play/a.ts',
      "import { x } from '../../src/contract/x.ts';",
      /only types of src\/contract/,
    ],
    ['src/shelf/a.ts', 'export const x = 1;', /stands on no floor/],
  ];
  for (const [path, text, message] of refused) {
    test(`[LAYER] ${path} refuses ${text}`, () => {
      const findings = findingsIn(path, text);
      expect(findings).toHaveLength(1);
      expect(findings[0]).toStartWith('floor: ');
      expect(findings[0]).toMatch(message);
    });
  }

  const allowed: readonly (readonly [path: string, text: string])[] = [
    ['src/match/a.ts', "import { x } from '../games/registry.ts';"],
    ['src/tenancy/a.ts', "import type { X } from '../match/x.ts';"],
    ['src/tenancy/a.ts', "import { type X, type Y } from '../match/x.ts';"],
    ['src/contract/a.ts', "export type { X } from '../games/x.ts';"],
    [
      'src/runtime/a.ts',
      "import { decide } from '../match/decide.ts';\nimport type { Store } from '../store/store.ts';",
    ],
    ['src/store/sqlite/a.ts', "import type { Store } from '../store.ts';"],
    [
      'src/compose.ts',
      "import { x } from './store/sqlite/x.ts';\nimport { y } from './http/app.ts';",
    ],
    ['src/platform/choose.ts', "await import('./bun/bun-platform.ts');"],
    ['src/match/a.test.ts', "import { x } from '../testing/fake-clock.ts';"],
    [
      'src/match/a.ts',
      "// import { x } from '../http/app.ts';\nconst s = \"import { x } from '../http/app.ts'\";",
    ],
    ['src/match/a.ts', "export const from = { from: 'elsewhere' };"],
  ];
  for (const [path, text] of allowed) {
    test(`[LAYER] ${path} allows ${text}`, () => {
      expect(findingsIn(path, text)).toEqual([]);
    });
  }
});

describe('packages', () => {
  const cases: readonly (readonly [path: string, specifier: string, allowed: boolean])[] = [
    ['game/src/a.ts', '@noble/hashes/sha2.js', true],
    ['src/games/a.ts', 'zod', false],
    ['src/games/a.ts', 'node:crypto', false],
    ['src/match/a.ts', 'node:fs', false],
    ['src/match/a.ts', 'crypto', false],
    ['src/contract/a.ts', 'zod', true],
    ['src/contract/a.ts', 'hono', false],
    ['src/store/store.ts', 'pg', false],
    ['src/store/postgres/a.ts', 'pg', true],
    ['src/store/sqlite/a.ts', 'node:sqlite', true],
    ['src/store/sqlite/a.ts', 'bun:sqlite', false],
    ['src/platform/bun/a.ts', 'bun', true],
    ['src/platform/node/a.ts', 'ws', true],
    ['src/platform/node/a.ts', 'bun', false],
    ['src/http/a.ts', 'hono/cors', true],
    ['src/http/a.ts', 'pg', false],
    ['src/socket/a.ts', 'ws', false],
    ['web/play/a.ts', 'react', false],
    ['src/games/a.test.ts', 'fast-check', true],
    ['src/cli/main.ts', 'commander', true],
  ];
  for (const [path, specifier, allowed] of cases) {
    test(`[LAYER] ${path} ${allowed ? 'allows' : 'refuses'} ${specifier}`, () => {
      const findings = findingsIn(path, `import { x } from '${specifier}';`);
      expect(findings.map((text) => text.split(':')[0])).toEqual(allowed ? [] : ['package']);
    });
  }
});

describe('circles', () => {
  test('[LAYER] an import cycle is reported once, with its path', () => {
    const findings = findingsOf({
      'src/match/a.ts': "import { b } from './b.ts';",
      'src/match/b.ts': "import type { C } from './c.ts';",
      'src/match/c.ts': "export { a } from './a.ts';",
    });
    expect(findings).toHaveLength(1);
    expect(findings[0]).toStartWith(
      'circle: src/match/a.ts → src/match/b.ts → src/match/c.ts → src/match/a.ts',
    );
  });

  test('[LAYER] a file that two others import is not a cycle', () => {
    const findings = findingsOf({
      'src/match/a.ts': "import { b } from './b.ts';\nimport { c } from './c.ts';",
      'src/match/b.ts': "import { c } from './c.ts';",
      'src/match/c.ts': 'export const c = 1;',
    });
    expect(findings).toEqual([]);
  });
});

describe('pure folders', () => {
  const banned: readonly (readonly [text: string, named: RegExp])[] = [
    ['const t = Date.now();', /Date: take the time as an argument/],
    ['const t = new Date();', /take the time as an argument/],
    ['const t = new Date(ms).getHours();', /take the time as an argument/],
    ['const t = performance.now();', /take the time as an argument/],
    ['const n = Math.random();', /draw from the match's Random/],
    ['const { random } = Math;', /Math is used as Math.<name> only/],
    ['const id = crypto.randomUUID();', /ids are handed in/],
    ['setTimeout(f, 1);', /src\/runtime arms the timer/],
    ['setInterval(f, 1);', /src\/runtime arms the timer/],
    ['queueMicrotask(f);', /src\/runtime arms the timer/],
    ['async function f() {}', /return an effect/],
    ['const f = async () => 1;', /return an effect/],
    ['await f();', /return an effect/],
    ['const p = Promise.resolve(1);', /return an effect/],
    ['const s = n.toLocaleString();', /without a locale/],
    ['names.sort((a, b) => a.localeCompare(b));', /without a locale/],
    ['const f = new Intl.NumberFormat();', /without a locale/],
    ['console.log(1);', /src\/runtime carries out/],
    ['const t = `at ${Date.now()}`;', /take the time as an argument/],
  ];
  for (const folder of ['src/match', 'src/tenancy', 'src/games']) {
    for (const [text, named] of banned) {
      test(`[LAYER] ${folder} refuses ${text}`, () => {
        const findings = findingsIn(`${folder}/a.ts`, text);
        expect(findings).toHaveLength(1);
        expect(findings[0]).toMatch(named);
      });
    }
  }

  const inexact = ['sin', 'cos', 'tan', 'exp', 'log', 'pow', 'hypot'];
  for (const name of inexact) {
    test(`[LAYER] src/games refuses Math.${name}, src/match does not`, () => {
      const text = `const x = Math.${name}(a);`;
      expect(findingsIn('src/games/a.ts', text)[0]).toMatch(/own polynomial/);
      expect(findingsIn('src/match/a.ts', text)).toEqual([]);
    });
  }

  test('[LAYER] src/games refuses ** of computed values, not of literals', () => {
    expect(findingsIn('src/games/a.ts', 'const x = a ** 2;')[0]).toMatch(/multiply/);
    expect(findingsIn('src/games/a.ts', 'const x = 2 ** 32;')).toEqual([]);
  });

  const allowed = [
    'const t = new Date(ms).toISOString();',
    'const t = new Date(Math.max(a, b)).toISOString();',
    'const n = Math.floor(Math.sqrt(x));',
    "const s = 'Date.now()'; // Date.now() is for others",
    'const s = /Date.now/.test(x);',
    'const x = { performance: 1, Promise: 2 }.performance;',
    'const s = `await ${x} Promise`;',
  ];
  for (const text of allowed) {
    test(`[LAYER] src/games allows ${text}`, () => {
      expect(findingsIn('src/games/a.ts', text)).toEqual([]);
    });
  }

  test('[LAYER] tests and folders that are not pure may use the clock', () => {
    expect(findingsIn('src/match/a.test.ts', 'const t = Date.now();')).toEqual([]);
    expect(findingsIn('game/src/testing/subject.ts', 'const t = Date.now();')).toEqual([]);
    expect(findingsIn('src/cli/a.ts', 'const t = Date.now();')).toEqual([]);
  });
});

describe('the package of games', () => {
  test('[LAYER] its rules are pure and import hashes only', () => {
    expect(findingsIn('game/src/a.ts', 'const t = Date.now();')[0]).toMatch(/^pure/);
    expect(findingsIn('game/src/a.ts', "import fc from 'fast-check';")[0]).toMatch(/^package/);
  });

  test('[LAYER] its contract checks import nothing of the service', () => {
    const path = 'game/src/testing/a.ts';
    expect(
      findingsIn(path, "import { a } from '../game.ts'; import fc from 'fast-check';"),
    ).toEqual([]);
    expect(findingsIn(path, "import { a } from '../../../src/match/a.ts';")[0]).toMatch(/^floor/);
    expect(findingsIn(path, "import { test } from 'bun:test';")[0]).toMatch(/^package/);
  });

  test('[LAYER] the rules of an example are pure and import the package only', () => {
    const path = 'examples/games/reversi/rules.ts';
    expect(findingsIn(path, "import { defineGame } from '@matchd/game';")).toEqual([]);
    expect(findingsIn(path, "import { a } from '../../../game/src/game.ts';")[0]).toMatch(/^floor/);
    expect(findingsIn(path, "import fs from 'node:fs';")[0]).toMatch(/^package/);
    expect(findingsIn(path, 'const t = Date.now();')[0]).toMatch(/^pure/);
    expect(findingsIn(path, 'const x = Math.sin(a);')[0]).toMatch(/own polynomial/);
  });
});

describe('seams', () => {
  for (const text of ['Date.now();', 'new Date();', 'Math.random();', 'crypto.randomUUID();']) {
    test(`[LAYER] the shell takes time and chance from its ports, not from ${text}`, () => {
      expect(findingsIn('src/http/a.ts', text)[0]).toMatch(/^port: .*src\/runtime\/ports.ts/);
      expect(findingsIn('src/runtime/system.ts', text)).toEqual([]);
      expect(findingsIn('src/http/a.test.ts', text)).toEqual([]);
    });
  }

  test('[LAYER] the shell may format a time that it was given', () => {
    expect(findingsIn('src/http/a.ts', 'new Date(at).toISOString();')).toEqual([]);
  });

  test('[LAYER] Bun is named in src/platform/bun and in tooling only', () => {
    const text = 'const s = Bun.serve({});';
    expect(findingsIn('src/runtime/a.ts', text)[0]).toMatch(/^runtime: Bun.*platform.ts/);
    expect(findingsIn('src/platform/bun/a.ts', text)).toEqual([]);
    expect(findingsIn('bench/main.ts', text)).toEqual([]);
  });

  test('[LAYER] the environment is read in src/config.ts only', () => {
    const text = 'const home = process.env.HOME;';
    expect(findingsIn('src/runtime/a.ts', text)[0]).toMatch(/^environment: .*src\/config.ts/);
    expect(findingsIn('src/http/a.ts', "const home = process.env['HOME'];")).toHaveLength(1);
    expect(findingsIn('src/config.ts', text)).toEqual([]);
    expect(findingsIn('e2e/a.ts', text)).toEqual([]);
  });
});

describe('tidiness', () => {
  const lines = (count: number): string => 'x();\n'.repeat(count);

  test('[LAYER] a file of more than 500 lines, tables apart', () => {
    expect(findingsIn('src/http/a.ts', lines(499))).toEqual([]);
    expect(findingsIn('src/http/a.ts', lines(500))).toEqual([
      'length: 501 lines, at most 500: split it by meaning',
    ]);
    expect(findingsIn('src/http/a.ts', `// @table\n${lines(600)}`)).toEqual([]);
  });

  const functions: readonly (readonly [name: string, head: string, tail: string])[] = [
    ['a function', 'function f(a: { b: number }): { c: number } {\n', '}'],
    ['a generic function', 'function f<T>(a: T): Promise<T | null> {\n', '}'],
    ['an arrow', 'const f = (a: number): void => {\n', '};'],
    ['a method', 'class A {\nm(a: string): asserts a is string {\n', '}\n}'],
    ['a method of an object', 'const o = {\nasync m({ a, b }) {\n', '},\n};'],
  ];
  for (const [name, head, tail] of functions) {
    test(`[LAYER] ${name} of more than 80 lines`, () => {
      expect(findingsIn('src/http/a.ts', head + lines(78) + tail)).toEqual([]);
      expect(findingsIn('src/http/a.ts', head + lines(79) + tail)).toEqual([
        'length: a function of 81 lines, at most 80: split it by meaning',
      ]);
    });
  }

  test('[LAYER] long blocks that are not functions are ignored', () => {
    expect(findingsIn('src/http/a.ts', `if (f(x)) {\n${lines(90)}}`)).toEqual([]);
    expect(findingsIn('src/http/a.ts', `const a = {\n${'x: f(1),\n'.repeat(90)}};`)).toEqual([]);
    expect(findingsIn('src/http/a.test.ts', `describe('x', () => {\n${lines(90)}});`)).toEqual([]);
  });

  test('[LAYER] a file without an opening sentence', () => {
    const opening = (text: string): string[] =>
      checkFiles([makeSourceFile('src/http/a.ts', text)]).map(({ rule }) => rule);
    expect(opening('export const x = 1;\n')).toEqual(['opening']);
    expect(opening('/** Things */\nexport const x = 1;\n')).toEqual(['opening']);
    expect(opening('')).toEqual(['opening']);
    expect(opening('#!/usr/bin/env node\n/** Starts what it says. */\nx();\n')).toEqual([]);
    expect(opening('// Holds what is needed here.\nx();\n')).toEqual([]);
  });

  test('[LAYER] marks of unfinished work, in comments only', () => {
    const mark = `FIX${'ME'}`;
    expect(findingsIn('web/play/a.ts', `x(); // ${mark} later`)[0]).toMatch(/^leftover/);
    expect(findingsIn('web/play/a.ts', `x('${mark}');`)).toEqual([]);
  });

  test('[LAYER] a literal spread into a literal', () => {
    for (const text of ['const o = { ...{ a, b }, c };', 'f({ c, ...{ a, b } });']) {
      expect(findingsIn('src/http/a.ts', text)[0]).toMatch(/^spread/);
    }
    const fine = 'const o = { ...a, ...(b ? { c } : {}), ...{ d, e }[f], ...[g].map(h) };';
    expect(findingsIn('src/http/a.ts', fine)).toEqual([]);
  });

  test('[LAYER] a let of the module in src', () => {
    expect(findingsIn('src/http/a.ts', 'let count = 0;')[0]).toMatch(/^state: module-level let/);
    expect(findingsIn('src/http/a.ts', 'export let count = 0;')).toHaveLength(1);
    expect(findingsIn('src/http/a.ts', 'function f() { let count = 0; }')).toEqual([]);
    expect(findingsIn('src/http/a.test.ts', 'let server = null;')).toEqual([]);
    expect(findingsIn('scripts/a.ts', 'let count = 0;')).toEqual([]);
  });
});

describe('scanner', () => {
  const kinds = (text: string): string[] =>
    withoutComments(tokenize(text)).map(({ kind, text: shown }) => `${kind} ${shown}`);

  test('[LAYER] distinguishes division from regular expressions', () => {
    expect(kinds('a / b / c').filter((kind) => kind.startsWith('regex'))).toEqual([]);
    expect(kinds('(a) / 2 / 3').filter((kind) => kind.startsWith('regex'))).toEqual([]);
    expect(kinds('x = /[/"]/g')).toContain('regex /[/"]/g');
    expect(kinds('return /a/')).toContain('regex /a/');
  });

  test('[LAYER] reads templates with templates inside', () => {
    const text = 'const a = `x ${f(`y ${{ b: 1 }.b} z`)} "w`; next';
    expect(kinds(text)).toContain('template  "w');
    expect(kinds(text).at(-1)).toBe('word next');
  });

  test('[LAYER] a lone quote in JSX ends with its line', () => {
    expect(kinds("<p>don't</p>\nimport x from 'y';")).toContain('string y');
  });

  test('[LAYER] counts lines through comments, strings and templates', () => {
    const tokens = tokenize('/* a\nb */ `c\nd` // e\nf');
    expect(tokens.at(-1)).toEqual({ kind: 'word', text: 'f', line: 4 });
  });

  test('[LAYER] finds imports of every kind', () => {
    const code = withoutComments(
      tokenize(`
        import a, { type B } from 'one';
        import type from 'two';
        import type C from 'three';
        import * as d from 'four';
        export * as e from 'five';
        const f = await import('six');
        import.meta.url;
      `),
    );
    const shown = readImports(code).map(({ specifier, typeOnly }) => [specifier, typeOnly]);
    expect(shown).toEqual([
      ['one', false],
      ['two', false],
      ['three', true],
      ['four', false],
      ['five', false],
      ['six', false],
    ]);
  });

  test('[LAYER] never fails on broken text', () => {
    for (const text of ["'", '`', '`${', '/*', '}', '/', '\\', '({[', 'import', 'export {']) {
      expect(() => findingsIn('src/games/a.ts', text)).not.toThrow();
    }
  });

  test('[LAYER] recognizes tests by their names', () => {
    const tests = [
      'a/b.test.ts',
      'a/b.test-main.ts',
      'a/b.slow.ts',
      'a/contract-suite.ts',
      'src/testing/x.ts',
      'src/platform/contract/x.ts',
    ];
    expect(tests.filter(isTest)).toEqual(tests);
    expect(isTest('src/store/sqlite/suitefile.ts')).toBe(false);
    expect(isTest('src/contract/routes.ts')).toBe(false);
  });
});
