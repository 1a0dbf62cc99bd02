/** Which taps play which legal action: cells of grids, chips, and buttons for the rest. Pure. */

import { isNothing } from './cell.ts';
import type { ChipsPart, GridPart, Part, Path } from './layout.ts';
import { allParts, cellsOf } from './layout.ts';
import { namedAs } from './named.ts';
import type { Point } from './points.ts';
import { pointsOf } from './points.ts';
import { isSame } from './same.ts';

/** One tap: any of these cells of a grid, or any of these chips of a row. */
export interface Tap {
  readonly path: Path;
  readonly at: readonly number[];
}

/** A legal action, and the taps that play it; without taps it is a button. */
export interface Play {
  readonly action: unknown;
  readonly taps: readonly Tap[];
  /** Names of the action's fields that taps determine; the other fields distinguish it. */
  readonly given: readonly string[];
}

/** Fields that refer to things in a row by index, and the rows that a player holds. */
const isThingName = namedAs('card tile hand index slot play discard give keep');
export const isHeld = namedAs('hand card tile rack');

/** `seats` is the number of players, which helps to recognise boards. */
export function playsOf(
  parts: readonly Part[],
  legal: readonly unknown[],
  seats: number,
): readonly Play[] {
  const all = allParts(parts);
  const grids = all.filter((part) => part.kind === 'grid');
  const rows = all.filter((part) => part.kind === 'chips');
  const grid = gridFor(grids, legal, seats);
  return legal.map((action) => {
    const onGrid = grid === null ? null : tapsOnGrid(grid, action);
    const onChips = tapsOnChips(rows, action, onGrid?.given ?? []);
    return {
      action,
      taps: [...onChips.taps, ...(onGrid?.taps ?? [])],
      given: [...onChips.given, ...(onGrid?.given ?? [])],
    };
  });
}

type Taps = Pick<Play, 'taps' | 'given'>;

/** The grid to which the actions refer: all of them fit, and their target cells are empty, or at least equal. */
function gridFor(
  grids: readonly GridPart[],
  legal: readonly unknown[],
  seats: number,
): GridPart | null {
  let best: GridPart | null = null;
  let most = 0;
  for (const grid of grids) {
    const score = scoreOf(grid, legal, seats);
    if (score > most) [best, most] = [grid, score];
  }
  return best;
}

/** 0 if any action is outside the grid, or none is inside. */
function scoreOf(grid: GridPart, legal: readonly unknown[], seats: number): number {
  const pointed = legal
    .map((action) => pointsOf(action).points)
    .filter((points) => points.length > 0);
  const ends: number[] = [];
  for (const points of pointed) {
    const cells = points.map((point) => cellsAt(grid, point));
    if (cells.some((each) => each.length === 0)) return 0;
    ends.push(...cells.at(-1)!);
  }
  if (ends.length === 0) return 0;
  const shown = cellsOf(grid, seats, ends);
  return 1 + ends.filter((cell) => isNothing(shown[cell]!)).length / ends.length;
}

/** The least number of columns, from those that actions name; 0 if they name none. */
export function columnsIn(legal: readonly unknown[]): number {
  const named = legal.flatMap((action) =>
    pointsOf(action).points.flatMap((point) => ('column' in point ? [point.column + 1] : [])),
  );
  return Math.max(0, ...named);
}

/** The cells on which an action ends; they show what numbers on the grid mean. */
export function targetsIn(plays: readonly Play[], path: Path): readonly number[] {
  return plays.flatMap(({ taps }) => {
    const last = taps.at(-1);
    return last?.path === path ? last.at : [];
  });
}

function tapsOnGrid(grid: GridPart, action: unknown): Taps | null {
  const { points, fields } = pointsOf(action);
  const taps = points.map((point) => ({ path: grid.path, at: cellsAt(grid, point) }));
  // Returning to the first cell is still a sequence of taps.
  return taps.length === 0 || taps.some(({ at }) => at.length === 0)
    ? null
    : { taps, given: fields };
}

/** The cells of a point; none if it is outside. */
function cellsAt({ columns, rows }: GridPart, point: Point): readonly number[] {
  const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  switch (point.kind) {
    case 'cell':
      return point.index < columns * rows ? [point.index] : [];
    case 'at':
      return point.row < rows && point.column < columns ? [point.row * columns + point.column] : [];
    case 'column':
      return point.column < columns ? range(rows).map((row) => row * columns + point.column) : [];
    case 'row':
      return point.row < rows ? range(columns).map((column) => point.row * columns + column) : [];
  }
}

/** Fields whose value is an index in a row of things, such as a card in a hand, or a list of such. */
function tapsOnChips(rows: readonly ChipsPart[], action: unknown, given: readonly string[]): Taps {
  const isObject = typeof action === 'object' && action !== null && !Array.isArray(action);
  const fields = isObject ? Object.entries(action) : [['', action] as const];
  const found = fields.flatMap(([name, value]) => {
    const taps = given.includes(name) ? [] : tapsOn(rows, name, value);
    return taps.length === 0 ? [] : [{ name, taps }];
  });
  return { taps: found.flatMap(({ taps }) => taps), given: found.map(({ name }) => name) };
}

/** The taps of a value, all in one row; none if it is in none. */
function tapsOn(rows: readonly ChipsPart[], name: string, value: unknown): readonly Tap[] {
  for (const row of rows) {
    const things: readonly unknown[] = Array.isArray(value) ? value : [value];
    const taps = things.map((thing) => tapIn(row, name, thing));
    if (taps.length > 0 && taps.every((tap) => tap !== null)) return taps;
  }
  return [];
}

function tapIn({ path, values }: ChipsPart, name: string, thing: unknown): Tap | null {
  const isNumber = typeof thing === 'number';
  // Any number could be an index, so only rows that a player holds count.
  if (thing === null || thing === '' || typeof thing === 'boolean') return null;
  if (isNumber && !(isHeld(path) && (name === '' || isThingName(name)))) return null;
  const at = values.flatMap((each, index) => (isSame(each, thing) ? [index] : []));
  const isPlace = isNumber && !values.some((each) => typeof each === 'number');
  if (isPlace && values[thing] !== undefined) return { path, at: [thing] };
  return at.length === 0 ? null : { path, at };
}
