/** A second implementation of draughts, with coordinates and letters, to check the fast lists. */

/** The differences between the variants. */
interface PlainRules {
  readonly edge: number;
  readonly majority: boolean;
  readonly crownsInPassing: boolean;
}

/** A move by the cells the piece stands on, first to last, and the dark squares after it. */
export interface PlainMove {
  readonly cells: readonly number[];
  readonly squares: string;
}

/** The content of each cell: `w`, `b`, `W`, `B` or `.`; light cells are empty. */
type Cells = readonly string[];
type Way = readonly [number, number];

const WAYS: readonly Way[] = [
  [-1, -1],
  [-1, 1],
  [1, -1],
  [1, 1],
];
const seatOf = (piece: string): number => 'wb'.indexOf(piece.toLowerCase());
const isKing = (piece: string): boolean => piece === 'W' || piece === 'B';

function spread(squares: string, edge: number): Cells {
  const letters = [...squares];
  return Array.from({ length: edge * edge }, (_, cell) =>
    isDark(cell, edge) ? letters.shift()! : '.',
  );
}

const isDark = (cell: number, edge: number): boolean =>
  (Math.floor(cell / edge) + (cell % edge)) % 2 === 1;

/** The cells in a direction from a cell to the edge. */
function ray(cell: number, [down, right]: Way, edge: number): number[] {
  const cells: number[] = [];
  let [row, column] = [Math.floor(cell / edge) + down, (cell % edge) + right];
  for (; row >= 0 && row < edge && column >= 0 && column < edge; row += down, column += right) {
    cells.push(row * edge + column);
  }
  return cells;
}

/** A capture so far. Jumped pieces stay on the board; the moving piece has been lifted. */
interface Capture {
  readonly piece: string;
  /** Where it began, and the cells landed on. */
  readonly cells: readonly number[];
  readonly jumped: readonly number[];
  /** The way of the last jump; null before the first. */
  readonly last: Way | null;
}

/** Every possible next jump, as the captures it leads to, one for each cell to land on. */
function jumps(board: Cells, capture: Capture, { edge, crownsInPassing }: PlainRules): Capture[] {
  const { piece, cells, jumped } = capture;
  return WAYS.flatMap((way) => {
    const all = ray(cells.at(-1)!, way, edge);
    const over = isKing(piece) ? all.findIndex((cell) => board[cell] !== '.') : 0;
    const target = all[over];
    if (target === undefined || board[target] === '.' || jumped.includes(target)) return [];
    if (seatOf(board[target]!) === seatOf(piece)) return [];
    const behind = all.slice(over + 1);
    const end = behind.findIndex((cell) => board[cell] !== '.');
    const free = end === -1 ? behind : behind.slice(0, end);
    return free.slice(0, isKing(piece) ? free.length : 1).map((to) => {
      const crowned = crownsInPassing ? arrived(piece, to, edge) : piece;
      const next = { piece: crowned, cells: [...cells, to], jumped: [...jumped, target] };
      return { ...next, last: way };
    });
  });
}

function arrived(piece: string, cell: number, edge: number): string {
  const row = Math.floor(cell / edge);
  return row === (seatOf(piece) === 0 ? 0 : edge - 1) ? piece.toUpperCase() : piece;
}

/**
 * All captures to their end. Of several cells to land on after one jump, those from which it
 * continues exclude the others; if it continues straight, only the first of them counts.
 */
function complete(board: Cells, capture: Capture, rules: PlainRules): Capture[] {
  const first = jumps(board, capture, rules);
  const groups = Map.groupBy(first, ({ jumped }) => jumped.at(-1));
  return [...groups.values()].flatMap((group) => {
    const onward = group.flatMap((each, place) =>
      complete(board, each, rules).filter(({ cells }) => {
        const turn = cells[each.cells.length]!;
        const straight = ray(each.cells.at(-1)!, each.last!, rules.edge).includes(turn);
        return !straight || place === 0;
      }),
    );
    return onward.length > 0 ? onward : group;
  });
}

function steps(board: Cells, from: number, edge: number): number[] {
  const piece = board[from]!;
  const ways = WAYS.filter(([down]) => isKing(piece) || down === (seatOf(piece) === 0 ? -1 : 1));
  return ways.flatMap((way) => {
    const all = ray(from, way, edge);
    const end = all.findIndex((cell) => board[cell] !== '.');
    const free = end === -1 ? all : all.slice(0, end);
    return isKing(piece) ? free : free.slice(0, 1);
  });
}

/** Every legal move of a side, captures with different paths counted separately. */
export function listPlainMoves(squares: string, seat: number, rules: PlainRules): PlainMove[] {
  const { edge, majority } = rules;
  const board = spread(squares, edge);
  const own = board.flatMap((piece, cell) => (seatOf(piece) === seat ? [cell] : []));
  const lifted = (cell: number) => board.map((piece, each) => (each === cell ? '.' : piece));
  const captures = own.flatMap((cell) => {
    const begin = { piece: board[cell]!, cells: [cell], jumped: [], last: null };
    return complete(lifted(cell), begin, rules);
  });
  const most = Math.max(...captures.map(({ jumped }) => jumped.length));
  const chosen = captures.filter(({ jumped }) => !majority || jumped.length === most);
  const plain = own.flatMap((cell) =>
    steps(board, cell, edge).map((to) => ({
      piece: board[cell]!,
      cells: [cell, to],
      jumped: [],
      last: null,
    })),
  );
  return (chosen.length > 0 ? chosen : plain).map(({ piece, cells, jumped }) => {
    const after: string[] = [...lifted(cells[0]!)];
    for (const cell of jumped) after[cell] = '.';
    after[cells.at(-1)!] = arrived(piece, cells.at(-1)!, edge);
    return { cells, squares: after.filter((_, cell) => isDark(cell, edge)).join('') };
  });
}
