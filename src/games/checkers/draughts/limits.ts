/** Endings that are drawn unless won in time, by the pieces left. */

/** The remaining pieces, by seat. */
export interface Remains {
  readonly men: readonly [number, number];
  readonly kings: readonly [number, number];
  /** Whether a king of the seat is on the long diagonal, from the lower left to the upper right. */
  readonly onLongDiagonal: readonly [boolean, boolean];
}

/** A limit counts the plies for which it has applied, and draws the game with the last of them. */
export interface EndgameLimit {
  readonly plies: number;
  holds(remains: Remains): boolean;
  /** What restarts its count while it continues to apply. */
  readonly resets: 'never' | 'with a capture' | 'with a capture or a crowning';
}

/** No limit applies with more pieces on the board. */
export const LIMITED_PIECES_MAX = 7;

/** The seat that has one king only, against at least one king; -1 if neither has. */
function loneKing({ men, kings }: Remains): number {
  return [0, 1].findIndex((seat) => men[seat] === 0 && kings[seat] === 1 && kings[1 - seat]! > 0);
}

const piecesOf = ({ men, kings }: Remains, seat: number): number => men[seat]! + kings[seat]!;

/** One king against a king with at most that many pieces in all. */
const loneKingAgainst = (piecesMax: number) => (remains: Remains) => {
  const lone = loneKing(remains);
  return lone !== -1 && piecesOf(remains, 1 - lone) <= piecesMax;
};

/** One king on the long diagonal against three pieces including a king. */
function loneKingOnLongDiagonal(remains: Remains): boolean {
  const lone = loneKing(remains);
  return lone !== -1 && piecesOf(remains, 1 - lone) === 3 && remains.onLongDiagonal[lone]!;
}

/** Both have kings, with that many pieces in all. */
const kingsOnBothSides = (least: number, most: number) => (remains: Remains) => {
  const pieces = piecesOf(remains, 0) + piecesOf(remains, 1);
  return remains.kings[0] > 0 && remains.kings[1] > 0 && pieces >= least && pieces <= most;
};

/** One or two kings against as many or fewer, or one or two against a king with a man. */
function fewKings({ men, kings }: Remains): boolean {
  return [0, 1].some((seat) => {
    const isStrong = men[seat] === 0 && kings[seat]! >= 1 && kings[seat]! <= 2;
    const withMan = men[1 - seat] === 1 && kings[1 - seat] === 1;
    const kingsOnly = men[1 - seat] === 0 && kings[1 - seat]! >= 1 && kings[1 - seat]! <= 2;
    return isStrong && (withMan || kingsOnly);
  });
}

const inMoves = (moves: number): number => 2 * moves;

/** FMJD, annex 1, article 6: a capture does not extend the sixteen moves. */
export const INTERNATIONAL_LIMITS: readonly EndgameLimit[] = [
  { plies: inMoves(16), holds: loneKingAgainst(3), resets: 'never' },
  { plies: inMoves(5), holds: loneKingAgainst(2), resets: 'never' },
];

const BALANCE_CHANGES = 'with a capture or a crowning';

/** FMJD's section 64, 7.2.6 to 7.2.8. 7.2.4, fifteen moves of kings against one, is in 7.2.5. */
export const RUSSIAN_LIMITS: readonly EndgameLimit[] = [
  { plies: inMoves(60), holds: kingsOnBothSides(6, 7), resets: BALANCE_CHANGES },
  { plies: inMoves(30), holds: kingsOnBothSides(4, 5), resets: BALANCE_CHANGES },
  { plies: inMoves(5), holds: loneKingOnLongDiagonal, resets: 'never' },
  { plies: inMoves(5), holds: loneKingAgainst(2), resets: 'never' },
];

/** The rules of the Brazilian federation (CBD). */
export const BRAZILIAN_LIMITS: readonly EndgameLimit[] = [
  { plies: inMoves(5), holds: fewKings, resets: 'with a capture' },
];

/** The parts of a move that matter for limits. */
export interface Done {
  readonly isCapture: boolean;
  readonly crowns: boolean;
}

/** The counted plies after a move. A limit that did not apply before begins to count with the next. */
export function countOn(
  { holds, resets }: EndgameLimit,
  plies: number,
  before: Remains,
  after: Remains,
  { isCapture, crowns }: Done,
): number {
  if (!holds(after) || !holds(before)) return 0;
  if (resets === 'never') return plies + 1;
  const changes = isCapture || (crowns && resets === BALANCE_CHANGES);
  return changes ? 0 : plies + 1;
}
