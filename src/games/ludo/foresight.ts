/** Ludo some rolls ahead: all possible rolls, and every seat's best choice. */

import type { Seat } from '../../../game/src/game.ts';
import { TOKENS } from './board.ts';
import type { Cells, Race } from './race.ts';
import { isSeatHome, step, target } from './race.ts';
import type { Judge } from './worth.ts';
import { makeJudge } from './worth.ts';

const FACES = 6;
const SIXES_MAX = 3;
/** The value of finishing, in squares: above any position before. */
const HOME_WORTH = 400;

/** Searches within a budget of positions, one roll deeper each time, as long as that fits. */
export interface Foresight {
  /** The most promising of the tokens that the die may move; the first if nothing is better. */
  choose(tokens: readonly number[], die: number, sixes: number, nodesMax: number): number;
}

/** The most positions that one more roll leads to. */
const NODES_A_ROLL = FACES * TOKENS;
const ROLLS_MAX = 3;

/** The memory of a search: one board and two sets of values for each roll of the searched line. */
interface Look {
  readonly race: Race;
  readonly judge: Judge;
  readonly boards: readonly Cells[];
  /** By rolls left: the value by seat of the best move so far. */
  readonly bests: readonly Float64Array[];
  /** By rolls left: the average value by seat over all rolls. */
  readonly mixes: readonly Float64Array[];
}

/** The value by seat of a position in which a seat must roll, with `rolls` to look ahead. */
function expect(
  look: Look,
  board: Cells,
  roller: Seat,
  sixes: number,
  rolls: number,
): Float64Array {
  const mix = look.mixes[rolls]!;
  if (rolls === 0) {
    look.judge(board, mix);
    return mix;
  }
  mix.fill(0);
  for (let die = 1; die <= FACES; die += 1) {
    const value = settle(look, { board, seat: roller, die, sixes }, rolls);
    for (let seat = 0; seat < mix.length; seat += 1) mix[seat]! += value[seat]! / FACES;
  }
  return mix;
}

/** A roll to be used, after `sixes` in a row. */
interface Rolled {
  readonly board: Cells;
  readonly seat: Seat;
  readonly die: number;
  readonly sixes: number;
}

/** Its value with its seat's best choice. In the search, a third six loses only itself. */
function settle(look: Look, { board, seat, die, sixes }: Rolled, rolls: number): Float64Array {
  const { race } = look;
  const inRow = die === FACES ? sixes + 1 : 0;
  if (inRow === SIXES_MAX) return expect(look, board, race.next[seat]!, 0, rolls - 1);
  const best = look.bests[rolls]!;
  let isFound = false;
  for (let token = 0; token < TOKENS; token += 1) {
    if (isTwin(board, seat, token)) continue;
    const to = target(race, board, seat, token, die);
    if (to === null) continue;
    const value = follow(look, { board, seat, die, sixes: inRow }, token, to, rolls - 1);
    if (isFound && value[seat]! <= best[seat]!) continue;
    best.set(value);
    isFound = true;
  }
  if (isFound) return best;
  const roller = die === FACES ? seat : race.next[seat]!;
  return expect(look, board, roller, inRow, rolls - 1);
}

/** The value after one move; `sixes` includes its roll. */
function follow(
  look: Look,
  { board, seat, die, sixes }: Rolled,
  token: number,
  to: number,
  rolls: number,
): Float64Array {
  const { race } = look;
  const after = look.boards[rolls]!;
  after.set(board);
  const isRewarded = step(race, after, seat, token, to) || die === FACES;
  if (isSeatHome(race, after, seat)) {
    const mix = look.mixes[rolls]!;
    look.judge(after, mix);
    mix[seat]! += HOME_WORTH;
    return mix;
  }
  return isRewarded
    ? expect(look, after, seat, sixes, rolls)
    : expect(look, after, race.next[seat]!, 0, rolls);
}

export function makeForesight(
  race: Race,
  board: Cells,
  seat: Seat,
  judge: Judge = makeJudge(race),
): Foresight {
  const forRolls = <T>(make: () => T): T[] => Array.from({ length: ROLLS_MAX + 1 }, make);
  const look: Look = {
    race,
    judge,
    boards: forRolls(() => new Int8Array(board.length)),
    bests: forRolls(() => new Float64Array(race.seats)),
    mixes: forRolls(() => new Float64Array(race.seats)),
  };
  const promiseOf = (token: number, die: number, sixes: number, rolls: number): number => {
    const to = target(race, board, seat, token, die)!;
    return follow(look, { board, seat, die, sixes }, token, to, rolls)[seat]!;
  };
  return {
    choose(tokens, die, sixes, nodesMax) {
      let best = tokens[0]!;
      let left = nodesMax;
      let cost = 1;
      for (let rolls = 0; rolls <= ROLLS_MAX; rolls += 1) {
        // No search is begun that may not be finished.
        left -= cost * tokens.length;
        if (left < 0) break;
        const values = tokens.map((token) => promiseOf(token, die, sixes, rolls));
        best = tokens[values.indexOf(Math.max(...values))]!;
        cost *= NODES_A_ROLL;
      }
      return best;
    },
  };
}

/** Whether a token is on the same square as an earlier one. Then it need not be examined. */
function isTwin(board: Cells, seat: Seat, token: number): boolean {
  const first = seat * TOKENS;
  const place = board[first + token]!;
  for (let cell = first; cell < first + token; cell += 1) {
    if (board[cell] === place) return true;
  }
  return false;
}
