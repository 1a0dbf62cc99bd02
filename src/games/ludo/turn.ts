/** The course of a turn: rolls, moves, extra rolls, and the effect of a third six. */

import type { Applied, GameEvent, Seat } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { isDone, TOKENS, YARD } from './board.ts';
import { movable, moveToken } from './moves.ts';
import { isOver } from './outcome.ts';
import type { LudoState, Snapshot, Step, Tokens } from './state.ts';
import { isPlaying, replace } from './state.ts';
import { chooseByThumb } from './thumb.ts';

const SIXES_MAX = 3;
/** How many missed turns in a row cost the seat. The last of them is played, too. */
const MISSED_MAX = 3;

/** Rolls for the seat to move, and moves if there is only one token to choose. */
export function roll(state: LudoState, random: Random): LudoState {
  const die = 1 + random.integer(6);
  const sixes = die === 6 ? state.sixes + 1 : 0;
  if (sixes === SIXES_MAX) return voidTurn(state, die);
  const rolled: LudoState = { ...state, die, sixes, last: [] };
  const tokens = movable(rolled, state.seat, die);
  if (tokens.length > 1) return rolled;
  return tokens.length === 1 ? move(rolled, tokens[0]!) : passOver(rolled, die);
}

/** Moves a token by the last roll. The token is one of `movable`. */
export function move(state: LudoState, token: number): LudoState {
  const { seat, before, rules } = state;
  const { tokens, hasCaptured, step, isRewarded, isHome } = moveToken(
    state,
    seat,
    token,
    state.die!,
  );
  const moved: LudoState = {
    ...state,
    tokens,
    hasCaptured,
    die: null,
    before: rules.thirdSixVoidsTurn === true ? (before ?? snapshotOf(state)) : null,
    last: [step],
  };
  if (isHome) {
    return pass({ ...moved, home: [...state.home, seat], tokens: clearTrack(tokens, seat) });
  }
  return isRewarded ? moved : pass(moved);
}

/** Tokens that need not come home any more would block the others, and never move. */
function clearTrack(tokens: Tokens, seat: Seat): Tokens {
  const places = tokens[seat]!.map((place) => (isDone(place) ? place : YARD));
  return replace(tokens, seat, places);
}

function snapshotOf({ tokens, hasCaptured }: LudoState): Snapshot {
  return { tokens, hasCaptured };
}

/** No token may move: a six still rolls again. */
function passOver(state: LudoState, die: number): LudoState {
  const waiting: LudoState = { ...state, die: null, last: [makeIdleStep(state.seat, die, false)] };
  return die === 6 ? waiting : pass(waiting);
}

function voidTurn(state: LudoState, die: number): LudoState {
  const last = [makeIdleStep(state.seat, die, true)];
  return pass({ ...state, ...state.before, die: null, last });
}

function makeIdleStep(seat: Seat, die: number, isVoid: boolean): Step {
  return { seat, die, token: null, from: null, to: null, captured: [], void: isVoid };
}

/** Ends the turn: the next playing seat must roll. */
function pass(state: LudoState): LudoState {
  const passed: LudoState = { ...state, die: null, sixes: 0, before: null };
  return isOver(passed) ? passed : { ...passed, seat: nextSeat(passed) };
}

/** The seat itself when no other is playing. */
function nextSeat(state: LudoState): Seat {
  const seats = state.tokens.length;
  for (let step = 1; step < seats; step += 1) {
    const seat = (state.seat + step) % seats;
    if (isPlaying(state, seat)) return seat;
  }
  return state.seat;
}

/** The whole turn, or the rest of it, by rule of thumb. */
export function playMissedTurn(state: LudoState, seat: Seat, random: Random): Applied<LudoState> {
  const steps: Step[] = [];
  let now = state;
  do {
    now = now.die === null ? roll(now, random) : move(now, chooseByThumb(now));
    steps.push(...now.last);
  } while (now.seat === seat && goesOn(now) && !isOver(now));
  const played: LudoState = {
    ...now,
    missed: replace(now.missed, seat, now.missed[seat]! + 1),
    last: steps,
  };
  return { state: played, events: eventsOf(played) };
}

/** Not for a seat that has finished meanwhile: it has its place and no turns left to miss. */
export function hasMissedOut(state: LudoState, seat: Seat): boolean {
  return state.missed[seat]! >= MISSED_MAX && isPlaying(state, seat);
}

/** Whether the seat, if it is still the one to move, has another roll or a token to choose. */
function goesOn({ die, last }: LudoState): boolean {
  const step = last.at(-1);
  return die !== null || (step !== undefined && earns(step));
}

function earns({ die, captured, to, void: isVoid }: Step): boolean {
  return !isVoid && (die === 6 || captured.length > 0 || to === 'done');
}

/** The seat has left: its tokens leave the board, and also the position that a third six may restore. */
export function leave(state: LudoState, seat: Seat): LudoState {
  if (state.out.includes(seat) || isOver(state)) return state;
  const out = [...state.out, seat];
  // A finished player keeps the place.
  if (state.home.includes(seat)) return { ...state, out, last: [] };
  const yard = Array<number>(TOKENS).fill(YARD);
  const { before } = state;
  const left: LudoState = {
    ...state,
    out,
    // A partner alone would have half the way to go: leaving must never help.
    teamLeft: state.rules.variant === 'teams' ? seat % 2 : null,
    last: [],
    tokens: replace(state.tokens, seat, yard),
    before: before === null ? null : { ...before, tokens: replace(before.tokens, seat, yard) },
  };
  return seat === state.seat ? pass(left) : left;
}

/** One for each token sent back. */
export function eventsOf({ last }: LudoState): readonly GameEvent[] {
  return last.flatMap(({ seat, token, to, captured }) =>
    captured.map((each) => ({
      type: 'ludo.captured',
      data: { seat, token, at: to, captured: { seat: each.seat, token: each.token } },
    })),
  );
}
