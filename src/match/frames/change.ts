/**
 * A change between two JSON values in `matchd.v2` (rule P12):
 *
 * a change := a text, number, true, false or null   the new value
 * | [value]                               the new value
 * | [start, removed, ...added]            elements of a list are replaced, as by `splice`
 * | [change, change, …]                   several of a list, one after the other
 * | { key: change, … }                    fields have changed; {} is no change
 *
 * No key is a number: engines serialize such objects several times as slowly.
 */

import type { Json } from '../../../game/src/game.ts';

/** A change as it is sent. */
export type Change = Json;

/** Nothing has changed. */
export const UNCHANGED: Change = {};

/** Fields are compared one by one up to this depth; deeper values are replaced whole if they differ. */
const DEPTH = 2;

type Fields = { readonly [key: string]: Json };
type List = readonly Json[];

/** The change from `before` to `after`. */
export function makeChange(before: Json, after: Json): Change {
  const change = changeOf(before, after, DEPTH);
  return change === undefined ? UNCHANGED : change;
}

/** The same for a list whose elements come and go: the common parts are at both ends. */
export function makeListChange(before: List, after: List): Change {
  return spliceOf(before, after) ?? UNCHANGED;
}

/** A change to that value. */
export function makeReplacement(value: Json): Change {
  return isComposite(value) ? [value] : value;
}

/** Undefined if nothing differs, because null is a value. */
function changeOf(before: Json, after: Json, depth: number): Change | undefined {
  if (before === after) return undefined;
  if (!isComposite(after) || !isComposite(before)) return makeReplacement(after);
  if (isList(after)) {
    if (!isList(before)) return [after];
    return before.length === after.length ? elementsOf(before, after) : spliceOf(before, after);
  }
  if (isList(before)) return [after];
  if (depth === 0) return isSame(before, after) ? undefined : [after];
  return fieldsOf(before, after, depth);
}

/** For lists of the same length: each run of different elements is a splice. */
function elementsOf(before: List, after: List): Change | undefined {
  const splices: Json[][] = [];
  let last = -1;
  let count = 0;
  for (let index = 0; index < after.length; index += 1) {
    if (isSame(before[index]!, after[index]!)) continue;
    count += 1;
    if (last === index - 1 && count > 1) {
      const splice = splices.at(-1)!;
      splice[1] = (splice[1] as number) + 1;
      splice.push(after[index]!);
    } else splices.push([index, 1, after[index]!]);
    last = index;
  }
  if (count === 0) return undefined;
  if (splices.length === 1) return count === after.length ? [after] : splices[0]!;
  return 2 * count > after.length ? [after] : splices;
}

/** A field that is undefined counts as absent. */
function fieldsOf(before: Fields, after: Fields, depth: number): Change | undefined {
  // A removed field has no change of its own.
  for (const key in before) {
    if (before[key] !== undefined && after[key] === undefined) return [after];
  }
  const changes: { [key: string]: Change } = {};
  let count = 0;
  let total = 0;
  for (const key in after) {
    if (after[key] === undefined) continue;
    total += 1;
    const change = changeOf(before[key]!, after[key]!, depth - 1);
    if (change === undefined) continue;
    changes[key] = change;
    count += 1;
  }
  if (count === 0) return undefined;
  return count > 1 && count === total ? [after] : changes;
}

function spliceOf(before: List, after: List): Change | undefined {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start]!, after[start]!)) start += 1;
  const more = shorter - start;
  let end = 0;
  while (end < more && isSame(before[before.length - 1 - end]!, after[after.length - 1 - end]!)) {
    end += 1;
  }
  const removed = before.length - start - end;
  const added = after.length - start - end;
  if (removed === 0 && added === 0) return undefined;
  if (start === 0 && end === 0) return [after];
  return added === 0 ? [start, removed] : [start, removed, ...after.slice(start, start + added)];
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
