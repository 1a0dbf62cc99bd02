/** American checkers, by the rules of the WCDF: men go forward only, kings one square any way. */

import { DIALECTS } from '../dialect.ts';
import type { RuleSet } from '../rule-set.ts';
import { PIECES } from '../rule-set.ts';
import { bitOfCell, makePosition } from './board.ts';
import type { AmericanMove } from './moves.ts';
import { listMoves, piecesOf } from './moves.ts';
import { perft } from './perft.ts';
import type { AmericanState } from './state.ts';
import { afterMove, makeState } from './state.ts';
import { canCapture } from './successors.ts';

/** Seat 0 is red, PDN's Black. */
export const american: RuleSet<AmericanState, AmericanMove> = {
  dialect: DIALECTS.american,
  majority: false,
  begin: (diagram) => makeState(makePosition(diagram)),
  pieceOn({ red, black, kings }, cell) {
    const bit = bitOfCell(cell);
    if (((red | black) & bit) === 0) return null;
    return PIECES[((red & bit) === 0 ? 1 : 0) + ((kings & bit) === 0 ? 0 : 2)]!;
  },
  mustCapture(state) {
    const { kings, turn } = state;
    return canCapture(piecesOf(state, turn), piecesOf(state, 1 - turn), kings, turn);
  },
  listMoves,
  afterMove,
  perft,
};
