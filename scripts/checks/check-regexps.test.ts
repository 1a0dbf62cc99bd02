/**
 * Regular expressions with exponential or polynomial backtracking are found, and others are
 * accepted.
 */

import { expect, test } from 'bun:test';
import { faultOf, literalsOf, madeOn } from './check-regexps.ts';

const SLOW = [
  String.raw`/^(a|a)*$/`,
  String.raw`/^(a+)+$/`,
  String.raw`/^(?:\w|\d)+-$/`,
  String.raw`/=+$/`,
  String.raw`/\s+$/m`,
  String.raw`/foo.*bar/`,
  String.raw`/^(?<name>a*)*b$/u`,
  String.raw`/^[^@]+@[^@]+\.[^@]+$/`,
];
const QUICK = [
  String.raw`/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/`,
  String.raw`/={1,2}$/`,
  String.raw`/^\s*application\/json\s*(?:;|$)/i`,
  String.raw`/(?<digits>\d+)\.|,/y`,
];

const faultIn = (literal: string) => literalsOf('src/a.ts', `const X = ${literal};`).map(faultOf);

test('[LAYER] expressions that a hostile text makes slow are refused', () => {
  for (const literal of SLOW) {
    expect(faultIn(literal)).toEqual([`src/a.ts:1  ${literal}  a hostile text makes it slow`]);
  }
});

test('[LAYER] expressions with only one way to match are accepted', () => {
  for (const literal of QUICK) expect([literal, ...faultIn(literal)]).toEqual([literal, null]);
});

test('[LAYER] comments, strings and divisions are not expressions; an expression made from a string is one', () => {
  const source = "// /(a+)+$/\nconst a = '/(a+)+$/' + b / c / d;\nconst E = new RegExp(`^${b}$`);";
  expect(literalsOf('src/a.ts', source)).toEqual([]);
  expect(madeOn(source)).toEqual([3]);
});
