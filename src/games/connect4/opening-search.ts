/**
 * Won, drawn or lost, for positions with few stones: these results are never forgotten and also
 * hold for mirror images. The solver handles deeper positions.
 */

import type { Position } from './bits.ts';
import { countBits, foursHi, foursLo } from './bits.ts';
import { makeCanonical } from './canonical.ts';
import type { Worth } from './keep-worth.ts';
import { canWin, drop, losesAtOnce, openColumns } from './moves.ts';
import type { Solver } from './solver.ts';

/** With this many stones on the board the solver takes over. */
const SOLVER_PLIES = 16;
/** Positions searched behind each column first, then this much more each round. */
const FIRST_NODES = 2_000;
const GROWTH = 8;

export interface OpeningSearch {
  /** For a position that is not over. `least` is known already. */
  worthOf(position: Position, least: Worth): Worth;
  /** A column that leads to `least`, if the position is worth that and has no immediate win. */
  columnFor(position: Position, least: 0 | 1): number;
  /** How many positions the solver has examined. */
  nodes(): number;
}

/** What is known of a position, by its number: its worth is at least, and at most. */
interface Known {
  readonly least: Map<number, Worth>;
  readonly most: Map<number, Worth>;
}

/** The solver belongs to the search, which sets its node limit. */
export function makeOpeningSearch(solver: Solver): OpeningSearch {
  const known: Known = { least: new Map(), most: new Map() };
  let nodes = 0;
  const ask = (position: Position, least: 0 | 1, nodesMax: number): boolean | null => {
    solver.allow(nodesMax);
    const answer = reaches(solver, known, position, least);
    nodes += solver.nodes();
    return answer;
  };
  return {
    worthOf(position, least) {
      if (least === 1 || ask(position, 1, Infinity)) return 1;
      return least === 0 || ask(position, 0, Infinity) ? 0 : -1;
    },
    columnFor: (position, least) => cheapestColumn(position, least, ask),
    nodes: () => nodes,
  };
}

/** Whether the position is worth at least this to the side to move. Null if the solver's nodes ran out. */
function reaches(solver: Solver, known: Known, position: Position, least: 0 | 1): boolean | null {
  if (canWin(position)) return true;
  if (position.plies >= SOLVER_PLIES) {
    const score = solver.search(position, least - 1, least);
    return score === null ? null : score >= least;
  }
  const { number } = makeCanonical(position);
  if ((known.least.get(number) ?? -1) >= least) return true;
  if ((known.most.get(number) ?? 1) < least) return false;
  const answer = reachesByMove(solver, known, position, least);
  if (answer === true) known.least.set(number, least);
  if (answer === false) known.most.set(number, (least - 1) as Worth);
  return answer;
}

function reachesByMove(
  solver: Solver,
  known: Known,
  position: Position,
  least: 0 | 1,
): boolean | null {
  const others = (1 - least) as 0 | 1;
  const children = byThreats(position).map((column) => drop(position, column));
  const isShort = (child: Position): boolean =>
    (known.most.get(makeCanonical(child).number) ?? 1) < others;
  if (position.plies < SOLVER_PLIES - 1 && children.some(isShort)) return true;
  for (const child of children) {
    const answer = reaches(solver, known, child, others);
    if (answer !== true) return answer === null ? null : true;
  }
  return false;
}

/** The columns that do not lose at once, most threatening first. */
function byThreats(position: Position): readonly number[] {
  const threats = (column: number): number => {
    const { ownLo, ownHi, allLo, allHi } = drop(position, column);
    const [lo, hi] = [ownLo ^ allLo, ownHi ^ allHi];
    return countBits(foursLo(lo, hi, allLo)) + countBits(foursHi(lo, hi, allHi));
  };
  return openColumns(position)
    .filter((column) => !losesAtOnce(position, column))
    .map((column) => ({ column, threats: threats(column) }))
    .sort((one, other) => other.threats - one.threats)
    .map(({ column }) => column);
}

function cheapestColumn(
  position: Position,
  least: 0 | 1,
  ask: (position: Position, least: 0 | 1, nodesMax: number) => boolean | null,
): number {
  const columns = byThreats(position);
  for (let nodes = FIRST_NODES; ; nodes *= GROWTH) {
    for (const column of columns) {
      const reply = ask(drop(position, column), (1 - least) as 0 | 1, nodes);
      if (reply === false) return column;
    }
  }
}
