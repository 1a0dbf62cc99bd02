/** The static evaluation of a position of checkers. */

import { countSquares, squaresWhere } from './board.ts';

/** In hundredths of a man. */
const MAN = 100;
const KING = 140;
/** A man on its own back rank keeps the opponent's men from becoming kings. */
const GUARD = 9;
/** A man's value per rank advanced, higher when few ranks are left. */
const RANK = 2;
const NEAR_CROWN = 8;
/** A piece in the middle, with the most reach. */
const CENTRAL_MAN = 4;
const CENTRAL_KING = 10;
/** A king at the edge of the board. */
const EDGE_KING = -6;
/** The extra value of being a man ahead, shared by all pieces left: the side ahead should exchange. */
const AHEAD = 400;
/** The right to move counts a little. */
const TEMPO = 3;

const CENTRE = squaresWhere((rank, file) => rank > 1 && rank < 6 && file > 1 && file < 6);
const EDGE = squaresWhere((rank, file) => rank % 7 === 0 || file % 7 === 0);
/** A rank's squares and all above it, by rank. */
const FROM_RANK: readonly number[] = Array.from({ length: 8 }, (_, from) =>
  squaresWhere((rank) => rank >= from),
);
const UP_TO_RANK: readonly number[] = Array.from({ length: 8 }, (_, to) =>
  squaresWhere((rank) => rank <= to),
);

/** The total ranks that upward-moving men have advanced; the last two count more. */
function advanceUp(men: number): number {
  const ranks =
    countSquares(men & FROM_RANK[2]!) +
    countSquares(men & FROM_RANK[3]!) +
    countSquares(men & FROM_RANK[4]!);
  return (
    RANK * ranks +
    NEAR_CROWN * (countSquares(men & FROM_RANK[5]!) + countSquares(men & FROM_RANK[6]!))
  );
}

/** The same for men that move down. */
function advanceDown(men: number): number {
  const ranks =
    countSquares(men & UP_TO_RANK[5]!) +
    countSquares(men & UP_TO_RANK[4]!) +
    countSquares(men & UP_TO_RANK[3]!);
  return (
    RANK * ranks +
    NEAR_CROWN * (countSquares(men & UP_TO_RANK[2]!) + countSquares(men & UP_TO_RANK[1]!))
  );
}

function placing(men: number, kings: number): number {
  return (
    CENTRAL_MAN * countSquares(men & CENTRE) +
    CENTRAL_KING * countSquares(kings & CENTRE) +
    EDGE_KING * countSquares(kings & EDGE)
  );
}

/** For the side to move, `side` by seat; men count 100. */
export function evaluate(own: number, other: number, kings: number, side: number): number {
  const [red, black] = side === 0 ? [own, other] : [other, own];
  const redMen = red & ~kings;
  const blackMen = black & ~kings;
  const redKings = red & kings;
  const blackKings = black & kings;
  const redMaterial = MAN * countSquares(redMen) + KING * countSquares(redKings);
  const blackMaterial = MAN * countSquares(blackMen) + KING * countSquares(blackKings);
  let value = redMaterial - blackMaterial;
  value += ((value * AHEAD) / (redMaterial + blackMaterial)) | 0;
  value += advanceUp(redMen) - advanceDown(blackMen);
  value += placing(redMen, redKings) - placing(blackMen, blackKings);
  if (blackMen !== 0) value += GUARD * countSquares(redMen & UP_TO_RANK[0]!);
  if (redMen !== 0) value -= GUARD * countSquares(blackMen & FROM_RANK[7]!);
  return (side === 0 ? value : -value) + TEMPO;
}
