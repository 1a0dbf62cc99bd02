/** Games written as a tree, so that the right result of a search is obvious. */

import { defineGame } from '../define-game.ts';
import type { AnyGame, Json, Outcome } from '../game.ts';

/** A seat's decision, or the places at an end, e.g. `[1, 2, 3]`. */
export type Tree =
  | { readonly seat: number; readonly moves: { readonly [name: string]: Tree } }
  | readonly number[];

function isEnd(tree: Tree): tree is readonly number[] {
  return Array.isArray(tree);
}

function outcomeOf(tree: Tree): Outcome | null {
  if (!isEnd(tree)) return null;
  const first = tree.flatMap((place, seat) => (place === 1 ? [seat] : []));
  const winners = first.length === tree.length ? [] : first;
  return { winners, places: tree, reason: 'tree_ended', detail: {} };
}

/** The state is the subtree, an action the name of a move. */
export function treeGame(tree: Tree, seats: number): AnyGame {
  const treeOf = (state: Json): Tree => state as unknown as Tree;
  return defineGame<Json, Json>({
    id: 'tree-game',
    seats,
    initial: () => tree as Json,
    turn: (state) => {
      const at = treeOf(state);
      return isEnd(at) ? null : at.seat;
    },
    parseAction: () => null,
    legalActions: (state) => {
      const at = treeOf(state);
      return isEnd(at) ? [] : Object.keys(at.moves);
    },
    apply: (state, _seat, action) => {
      const at = treeOf(state) as Exclude<Tree, readonly number[]>;
      return { state: at.moves[action as string] as Json, events: [] };
    },
    outcome: (state) => outcomeOf(treeOf(state)),
    forfeit: (state) => state,
  });
}
