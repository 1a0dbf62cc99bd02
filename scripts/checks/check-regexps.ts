/** Refuses regular expressions that a hostile text makes slow: `bun scripts/checks/check-regexps.ts`. */

import { join } from 'node:path';
import { Glob } from 'bun';
import { isSafe } from 'redos-detector';
import { isTest } from '../layers/table.ts';
import { tokenize } from '../layers/tokens.ts';

const SOURCES = '{game,src,web,sdk}/**/*.{ts,tsx}';
const SKIPPED = /(?:^|\/)(?:node_modules|dist)\//;
/** The maximum number of ways in which one text may match one expression. */
const WAYS_MAX = 200;
/** The time limit for one expression; exceeding it is a refusal. Milliseconds. */
const LOOK_MS_MAX = 1_000;

/**
 * Expressions that the detector refuses although no outside text makes them slow, by file and
 * beginning, with the reason.
 */
const BOUNDED: readonly (readonly [path: string, start: string, why: string])[] = [
  ['src/webhooks/response-text.ts', '/\\b(?:sk|pk', 'of the first KiB of an answer'],
  ['src/webhooks/response-text.ts', '/\\b(Bearer|Basic)', 'of the first KiB of an answer'],
  ['src/webhooks/response-text.ts', '/(:\\/\\/)', 'of the first KiB of an answer'],
  ['src/webhooks/response-text.ts', '/(["', 'of the first KiB of an answer'],
  ['sdk/src/server/call.ts', '/\\/+$/', "the developer's own address of the service"],
  ['sdk/src/server/call.ts', '/[\\t\\n\\r ]+$/', "the developer's own key"],
  ['sdk/src/server/call.ts', '/\\{(\\w+)\\}/g', 'paths of the contract'],
  ['web/docs/src/languages/sample-request.ts', '/\\{(\\w+)\\}/g', 'paths of the contract'],
  ['web/play/src/i18n/translate.ts', '/\\{(\\w+)\\}/g', 'sentences of our own'],
  ['web/play/src/i18n/rematch-words.ts', '/\\{(\\w+)\\}/g', 'sentences of our own'],
  ['src/contract/errors.ts', '/\\{(\\w+)\\}/g', 'messages of our own'],
  ['src/http/site/demo.ts', '/\\{\\{(\\w+)\\}\\}/g', 'a page of our own'],
  ['src/setting-values.ts', "/^\\s*([!#$%&'", "the operator's settings"],
  ['src/setting-values.ts', '/^(?:mailto:', "the operator's settings"],
  ['src/cli/program.ts', '/\\s*\\n\\s*/g', "the operator's command line"],
  ['src/runtime/integrity/app-attest.ts', '/-----BEGIN CERT', "the operator's certificates"],
  ['src/games/checkers/pdn-tokens.ts', '/\\s+|\\{[^}]*\\}', 'a file of the command line'],
  ['src/games/pool/action.ts', '/^(?:@ ', 'each number ends where the space begins: one way'],
  ['src/accounts/account.ts', '/^[^\\s@\\p{C}]{1,64}@', '254 characters at most, counted before'],
  [
    'src/http/request/body.ts',
    '/;\\s*([^\\s;="]+)=',
    'each try ends at the next quote, where none other begins',
  ],
  ['src/tenancy/origin.ts', '/(?:^|\\.)(?:\\d+', 'a run of digits is begun once, at its dot'],
];

/** A regular expression of the sources. */
export interface Found {
  readonly path: string;
  readonly line: number;
  readonly regexp: RegExp;
}

/** Every literal of a source. */
export function literalsOf(path: string, source: string): Found[] {
  return tokenize(source)
    .filter(({ kind }) => kind === 'regex')
    .map(({ text, line }) => {
      const end = text.lastIndexOf('/');
      return { path, line, regexp: new RegExp(text.slice(1, end), text.slice(end + 1)) };
    });
}

/** The lines on which a source creates one from a string. */
export function madeOn(source: string): number[] {
  const tokens = tokenize(source);
  return tokens.flatMap(({ text, line }, i) => {
    const isMade = text === 'new' && tokens[i + 1]?.text === 'RegExp';
    return isMade ? [line] : [];
  });
}

function isOf([path, start]: (typeof BOUNDED)[number], found: Found): boolean {
  return found.path === path && String(found.regexp).startsWith(start);
}

/** The fault of one expression, as a line; null for none. */
export function faultOf({ path, line, regexp }: Found): string | null {
  const { safe } = isSafe(asRead(regexp), {
    maxScore: WAYS_MAX,
    timeout: LOOK_MS_MAX,
    downgradePattern: true,
  });
  return safe ? null : `${path}:${line}  ${regexp}  a hostile text makes it slow`;
}

/**
 * In the detector's syntax: it does not support names of groups, nor the fixed start of a sticky
 * one.
 */
function asRead({ source, flags, sticky }: RegExp): RegExp {
  const plain = source.replace(/\(\?<(?![=!])\w+>/g, '(');
  return new RegExp(sticky ? `^(?:${plain})` : plain, flags);
}

/** All expressions that modules create from strings as they are loaded, by `path:line`. */
async function makeAll(root: string, paths: readonly string[]): Promise<Map<string, RegExp>> {
  const made = new Map<string, RegExp>();
  const Native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct(target, args) {
      const regexp = Reflect.construct(target, args) as RegExp;
      for (const place of (new Error().stack ?? '').split('\n')) {
        const found = Native.prototype.exec.call(
          /\((\/.*):(\d+):\d+\)$|at (\/.*):(\d+):\d+$/,
          place,
        );
        const file = found?.[1] ?? found?.[3];
        if (file !== undefined) made.set(`${file}:${found?.[2] ?? found?.[4]}`, regexp);
      }
      return regexp;
    },
  });
  try {
    for (const path of paths) await import(`${root}/${path}`);
  } finally {
    globalThis.RegExp = Native;
  }
  return made;
}

async function main(): Promise<boolean> {
  const root = join(import.meta.dir, '../..');
  const all = await Array.fromAsync(new Glob(SOURCES).scan({ cwd: root }));
  const paths = all.filter((path) => !isTest(path) && !SKIPPED.test(path)).sort();
  const sources = new Map<string, string>();
  for (const path of paths) sources.set(path, await Bun.file(`${root}/${path}`).text());
  const found = paths.flatMap((path) => literalsOf(path, sources.get(path)!));
  const making = paths.filter((path) => madeOn(sources.get(path)!).length > 0);
  const made = await makeAll(root, making);
  const faults: (string | null)[] = [];
  for (const path of making) {
    for (const line of madeOn(sources.get(path)!)) {
      const regexp = made.get(`${root}/${path}:${line}`);
      if (regexp === undefined)
        faults.push(`${path}:${line}  made while it runs: nobody can look at it`);
      else found.push({ path, line, regexp });
    }
  }
  const left = found.filter((each) => !BOUNDED.some((bound) => isOf(bound, each)));
  faults.push(...left.map(faultOf));
  for (const bound of BOUNDED) {
    if (!found.some((each) => isOf(bound, each)))
      faults.push(`${bound[0]} ${bound[1]}  is no more`);
  }
  const said = faults.filter((fault) => fault !== null);
  for (const fault of said) console.log(fault);
  console.log(`${found.length} regular expressions, ${said.length} findings`);
  return said.length === 0;
}

if (import.meta.main) process.exitCode = (await main()) ? 0 : 1;
