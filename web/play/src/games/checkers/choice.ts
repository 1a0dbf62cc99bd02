/** The part of a move that a player has chosen, cell by cell, and the effect of a press on it. Pure. */

import type { Action, Cells, Gait, Route } from './routes.ts';
import { readAction, routesOf } from './routes.ts';

/** A legal move and one way to walk it. */
export interface Option {
  readonly action: Action;
  readonly route: Route;
}

/** Cells pressed so far: the piece's cell, then its landings. Empty: nothing yet. */
export type Trail = readonly number[];

export type Pressed =
  | { readonly kind: 'play'; readonly action: Action; readonly route: Route }
  | { readonly kind: 'trail'; readonly trail: Trail }
  /** Several captures end on this cell, so the player has to choose the path. */
  | { readonly kind: 'unclear' };

export function optionsOf(cells: Cells, legal: readonly unknown[] | null, gait: Gait): Option[] {
  return (legal ?? []).flatMap((each) => {
    const action = readAction(each, cells.length);
    if (action === null) return [];
    return routesOf(cells, action, gait).map((route) => ({ action, route }));
  });
}

/** The options that begin with the trail. */
export function fittingOptions(options: readonly Option[], trail: Trail): readonly Option[] {
  return options.filter(({ route }) => trail.every((cell, n) => route.cells[n] === cell));
}

/** Where the next press can lead: to the next landing, or directly to the end. */
export function targetsOf(
  options: readonly Option[],
  trail: Trail,
): { readonly steps: ReadonlySet<number>; readonly ends: ReadonlySet<number> } {
  const open = trail.length === 0 ? [] : fittingOptions(options, trail);
  return {
    steps: new Set(open.flatMap(({ route }) => route.cells[trail.length] ?? [])),
    ends: new Set(open.map(({ action }) => action.to)),
  };
}

/** By cell: where its piece can be moved next. */
export function hintsOf(options: readonly Option[]): ReadonlyMap<number, ReadonlySet<number>> {
  return new Map(
    [...originsOf(options)].map((cell) => {
      const { steps, ends } = targetsOf(options, [cell]);
      return [cell, new Set([...steps, ...ends])];
    }),
  );
}

/** The cells whose pieces can move. */
export function originsOf(options: readonly Option[]): ReadonlySet<number> {
  return new Set(options.map(({ action }) => action.from));
}

export function press(options: readonly Option[], trail: Trail, cell: number): Pressed {
  const open = trail.length === 0 ? [] : fittingOptions(options, trail);
  const next = open.filter(({ route }) => route.cells[trail.length] === cell);
  if (next.length > 0) return onlyMove(next) ?? { kind: 'trail', trail: [...trail, cell] };
  const ending = open.filter(({ action }) => action.to === cell);
  if (ending.length > 0) return onlyMove(ending) ?? { kind: 'unclear' };
  const isOther = cell !== trail[0] && originsOf(options).has(cell);
  return { kind: 'trail', trail: isOther ? [cell] : [] };
}

/** The move that all these options share, or null. */
function onlyMove(options: readonly Option[]): Pressed | null {
  const [first] = options;
  if (first === undefined) return null;
  const text = JSON.stringify(first.action);
  const isOne = options.every(({ action }) => JSON.stringify(action) === text);
  return isOne ? { kind: 'play', ...first } : null;
}
