/**
 * A game's board, as the page sees it: mounted once, shown each position, sends the player's moves.
 */

import type {
  BoardHost as AnyBoardHost,
  LiveMatch as AnyLiveMatch,
  BoardModule as AnyModule,
  BoardState,
  BoardView,
  ShownMove,
} from '../../../../game/src/board.ts';
import type { PredictedRules, Prediction, StateOf } from '../../../../game/src/prediction.ts';
import type { Translate } from '../i18n/translate.ts';
import type { MissedMove } from '../missed-moves.ts';
import type { ResultFrame, Seat, SessionView } from '../protocol.ts';
import type { SettingName, Settings } from '../ui/settings.ts';

export type { BoardSound as SoundCue } from '../../../../game/src/board.ts';
export type { BoardState, ShownMove };

/** The interface for the page's own boards: that of every board, and the page's texts. */
export interface BoardHost extends Omit<AnyBoardHost, 't' | 'live' | 'walk' | 'style'> {
  readonly t: Translate;
  readonly live?: LiveMatch;
  /** The player's settings on this device; absent when nothing is played. */
  readonly settings?: Settings;
}

/** A move in notation. */
export interface ShortMove {
  readonly text: string;
  /** Icons of captured or potted pieces. */
  readonly taken?: readonly SVGSVGElement[];
}

export interface LiveMatch extends Omit<AnyLiveMatch, 'predict'> {
  /** Whether this page is connected. */
  isConnected(): boolean;
  /** Whether bots play in this match: viewers may then see how they search. */
  hasBots(): boolean;
  /** Whether the player of `awaySeat` has never connected. */
  isAwaited(): boolean;
  /** Rejects when its part of the SDK cannot be fetched. */
  predict<State>(
    rules: PredictedRules<State>,
    stateOf?: StateOf<State>,
  ): Promise<Prediction<State>>;
}

/** A game on screen: one chunk each, loaded when a session is of that game. */
export interface BoardModule extends Pick<AnyModule, 'showingMs'> {
  makeBoard(host: BoardHost): BoardView;
  /** Whether there are draw offers. */
  readonly drawOffers?: boolean;
  /** The game's settings for the player. */
  readonly settings?: readonly SettingName[];
  /** How long the board shows the end of a match before the page announces it, ms; without it, not at all. */
  endingMs?(result: ResultFrame): number;
  /** Whether it is a real-time game. Its moves are ticks, which are not listed. */
  readonly runsByClock?: boolean;
  makePiece(seat: Seat): SVGSVGElement;
  pieceName(seat: Seat, t: Translate): string;
  describeMove(action: unknown, seat: Seat, name: string, t: Translate, shown: ShownMove): string;
  /** For the list of moves; the sentence is used when it is missing. */
  shortMove?(action: unknown, seat: Seat, t: Translate, shown: ShownMove): ShortMove | null;
  hint?(position: Pick<BoardState, 'view' | 'variant' | 'legal'>, t: Translate): string | null;
  note?(view: unknown, seat: Seat, t: Translate): string | null;
  /** The moves made between two states, as far as their views show. */
  missedMoves?(before: SessionView, after: SessionView): readonly MissedMove[];
}

export type { BoardView };
