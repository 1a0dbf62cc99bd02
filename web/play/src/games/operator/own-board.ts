/** A game's own board in the page; the generic board supplies what it leaves out. */

import type {
  BoardText,
  BoardHost as OwnHost,
  LiveMatch as OwnLive,
  BoardModule as OwnModule,
} from '../../../../../game/src/board.ts';
import { fieldOf } from '../../field.ts';
import { h } from '../../ui/dom.ts';
import { adoptSheet } from '../adopt-sheet.ts';
import type { BoardHost, BoardModule, LiveMatch } from '../board-view.ts';
import { makeLazyPrediction } from '../lazy-prediction.ts';
import { makeRoving } from '../roving.ts';

export function wrapOwnBoard(own: OwnModule, generic: BoardModule, text: BoardText): BoardModule {
  const addStyle = makeStyles();
  return {
    ...generic,
    makeBoard(host) {
      const { element, render } = own.makeBoard(makeOwnHost(host, text, addStyle));
      // The page lays out the wrapper, so that a board does not have to.
      const className = own.fillsRoom === true ? 'board own fills' : 'board own';
      return { element: h('div', { class: className }, element), render };
    },
    makePiece: own.makePiece?.bind(own) ?? generic.makePiece,
    pieceName: (seat, t) => own.pieceName?.(seat, text) ?? generic.pieceName(seat, t),
    describeMove(action, seat, name, t, shown) {
      // A missed turn is not an action of the game.
      const isMissed = fieldOf(action, 'missed') !== undefined;
      const described = isMissed ? null : own.describeMove?.(action, seat, name, text, shown);
      return described ?? generic.describeMove(action, seat, name, t, shown);
    },
    ...(own.showingMs && { showingMs: (view: unknown) => own.showingMs!(view) }),
    hint: (position, t) => own.hint?.(position, text) ?? generic.hint?.(position, t) ?? null,
    note: (view, seat) => own.note?.(view, seat, text) ?? null,
  };
}

function makeOwnHost(
  { t: _, settings: __, live, ...host }: BoardHost,
  text: BoardText,
  style: OwnHost['style'],
): OwnHost {
  const walk: OwnHost['walk'] = (...grid) => void makeRoving(...grid);
  return { ...host, t: text, walk, style, ...(live && { live: makeOwnLive(live) }) };
}

/** A recreated board, as in replays, already has its style. */
function makeStyles(): OwnHost['style'] {
  const known = new Set<string>();
  return (css) => {
    if (known.has(css)) return;
    known.add(css);
    adoptSheet(css);
  };
}

function makeOwnLive({ predict, roundTripMs, awaySeat }: LiveMatch): OwnLive {
  return {
    roundTripMs,
    awaySeat,
    predict: (rules, stateOf) => makeLazyPrediction(() => predict(rules, stateOf)),
  };
}
