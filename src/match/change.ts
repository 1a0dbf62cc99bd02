/**
 * What changed between two JSON values, as `matchd.v2` tells it (rule P12):
 *
 *     a change := a text, number, true, false or null   it is this now
 *               | [value]                               it is this value now
 *               | [start, removed, ...added]            elements of a list are replaced, as by `splice`
 *               | { "key or index": change, … }         so much of it has changed; {} is nothing
 *
 * It is written as text at once: engines are slow to print objects whose keys are numbers.
 */

import type { Json } from '../games/game.ts';

/** Nothing has changed. */
export const UNCHANGED = '{}';

/** Fields are compared one by one so deep; what lies below is told whole where it differs. */
const DEPTH = 2;

type Fields = { readonly [key: string]: Json };
type List = readonly Json[];

/** The change from `before` to `after`. */
export function makeChange(before: Json, after: Json): string {
  return changeOf(before, after, DEPTH) ?? UNCHANGED;
}

/** The same of a list of which elements go and come: what stayed is looked for at both ends. */
export function makeListChange(before: List, after: List): string {
  return spliceOf(before, after) ?? UNCHANGED;
}

/** It is that value now. */
export function makeReplacement(value: Json): string {
  const text = JSON.stringify(value);
  return isComposite(value) ? `[${text}]` : text;
}

/** Null where nothing differs. */
function changeOf(before: Json, after: Json, depth: number): string | null {
  if (before === after) return null;
  if (!isComposite(after) || !isComposite(before)) return makeReplacement(after);
  if (depth === 0) return isSame(before, after) ? null : makeReplacement(after);
  if (isList(after)) {
    if (!isList(before)) return makeReplacement(after);
    return before.length === after.length
      ? elementsOf(before, after, depth)
      : spliceOf(before, after);
  }
  return isList(before) ? makeReplacement(after) : fieldsOf(before, after, depth);
}

/** Of lists of the same length. */
function elementsOf(before: List, after: List, depth: number): string | null {
  let text = '';
  let count = 0;
  for (let index = 0; index < after.length; index += 1) {
    const change = changeOf(before[index]!, after[index]!, depth - 1);
    if (change === null) continue;
    text += count === 0 ? `{"${index}":${change}` : `,"${index}":${change}`;
    count += 1;
  }
  return finish(after, text, count, after.length);
}

/** A field that is undefined is none. */
function fieldsOf(before: Fields, after: Fields, depth: number): string | null {
  let text = '';
  let count = 0;
  let total = 0;
  for (const key in after) {
    if (after[key] === undefined) continue;
    total += 1;
    const change = changeOf(before[key]!, after[key]!, depth - 1);
    if (change === null) continue;
    text += `${count === 0 ? '{' : ','}${JSON.stringify(key)}:${change}`;
    count += 1;
  }
  // What is not there any more cannot be told of by itself.
  for (const key in before) {
    if (before[key] !== undefined && after[key] === undefined) return makeReplacement(after);
  }
  return finish(after, text, count, total);
}

/** Told all at once where nothing stayed. */
function finish(after: Json, text: string, count: number, total: number): string | null {
  if (count === 0) return null;
  return count > 1 && count === total ? makeReplacement(after) : `${text}}`;
}

function spliceOf(before: List, after: List): string | null {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start]!, after[start]!)) start += 1;
  let end = 0;
  while (
    end < shorter - start &&
    isSame(before[before.length - 1 - end]!, after[after.length - 1 - end]!)
  )
    end += 1;
  const removed = before.length - start - end;
  const added = after.length - start - end;
  if (removed === 0 && added === 0) return null;
  if (start === 0 && end === 0) return makeReplacement(after);
  if (added === 0) return `[${start},${removed}]`;
  const text = JSON.stringify(after.slice(start, start + added));
  return `[${start},${removed},${text.slice(1)}`;
}

function isSame(before: Json, after: Json): boolean {
  if (before === after) return true;
  if (!isComposite(before) || !isComposite(after)) return false;
  if (isList(before) || isList(after)) {
    if (!isList(before) || !isList(after) || before.length !== after.length) return false;
    for (let index = 0; index < after.length; index += 1) {
      if (!isSame(before[index]!, after[index]!)) return false;
    }
    return true;
  }
  for (const key in after) if (!isSame(before[key]!, after[key]!)) return false;
  for (const key in before) if (!(key in after)) return false;
  return true;
}

function isComposite(value: Json): value is List | Fields {
  return typeof value === 'object' && value !== null;
}

function isList(value: List | Fields): value is List {
  return Array.isArray(value);
}
