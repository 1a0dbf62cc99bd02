/** Draughts with flying kings: men capture backward, kings move any distance. */

import type { RuleSet } from '../rule-set.ts';
import { canCapture } from './lister.ts';
import type { DraughtsMove } from './moves.ts';
import { listMoves } from './moves.ts';
import { perft } from './perft.ts';
import { makeBoard, makePosition, pieceOn } from './position.ts';
import type { DraughtsState } from './state.ts';
import { afterMove, makeState } from './state.ts';
import type { DraughtsVariant } from './variant.ts';
import { DRAUGHTS } from './variant.ts';

function makeDraughts(variant: DraughtsVariant): RuleSet<DraughtsState, DraughtsMove> {
  const { dialect, majority } = DRAUGHTS[variant];
  return {
    dialect,
    majority,
    pieceOn,
    listMoves,
    afterMove,
    perft,
    begin: (diagram) => makeState(makePosition(variant, diagram)),
    mustCapture: (state) => canCapture(makeBoard(state), state.turn),
  };
}

/** Seat 0 is White. */
export const russian = makeDraughts('russian');
export const brazilian = makeDraughts('brazilian');
export const international = makeDraughts('international');
