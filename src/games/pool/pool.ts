/** Pool: eight-ball and nine-ball by the WPA's rules on a simulated table. */

import type { Applied, Game, Outcome, Refusal, Seat } from '../../../game/src/game.ts';
import { drawnByTwo, wonBy } from '../../../game/src/outcome.ts';
import type { Random } from '../../../game/src/random.ts';
import { refuseTurn } from '../../../game/src/refusal.ts';
import type { Choice, PoolAction, ShotAction } from './action.ts';
import { actionFault, parseAction, readAction, writeAction } from './action.ts';
import { EIGHT, judgeEightball } from './eightball.ts';
import { placedBalls, readFacts, tableAfter } from './facts.ts';
import { refuseAction } from './legality.ts';
import { judgeNineball } from './nineball.ts';
import { simulate } from './physics/simulate.ts';
import type { Table } from './rack.ts';
import { spotBall, unsettle, VARIANTS } from './rack.ts';
import type { PoolState } from './state.ts';
import { CALL_RULES, freshRack, makeInitial, otherSeat, SHOTS_MAX } from './state.ts';
import { makeView } from './view.ts';

function turn({ result, seat }: PoolState): Seat | null {
  return result === null ? seat : null;
}

function outcome({ result }: PoolState): Outcome | null {
  if (result === null) return null;
  return result.winner === null
    ? drawnByTwo(result.reason)
    : wonBy(result.winner, result.reason, {});
}

function apply(
  state: PoolState,
  seat: Seat,
  action: PoolAction,
  random: Random,
): Applied<PoolState> | Refusal {
  const refusal = refuseTurn(turn(state), seat) ?? refuseAction(state, action);
  if (refusal !== null) return refusal;
  const after = 'choose' in action ? choose(state, action.choose) : playShot(state, action, random);
  return { state: after, events: [] };
}

/** Simulates a legal shot and applies the rules. Only breaks draw random numbers. */
export function playShot(state: PoolState, action: ShotAction, random: Random): PoolState {
  const racked = state.isBreak ? unsettle(state.table, random) : state.table;
  const before = placeCueBall(racked, action);
  const shot = simulate(placedBalls(before), action.shot);
  const facts = readFacts(before, shot);
  const judge = state.variant === 'nineball' ? judgeNineball : judgeEightball;
  const { foul, spot = [], ...changes } = judge(state, action, facts);
  const shots = state.shots + 1;
  const { pocketed, scratched } = facts;
  const after: PoolState = {
    ...state,
    ...changes,
    table: spot.reduce(spotBall, tableAfter(before, shot)),
    shots,
    last: {
      seat: state.seat,
      action,
      before,
      pocketed,
      foul,
      scratched,
      spotted: spot,
      end: shot.end,
    },
  };
  if (after.result !== null || shots < SHOTS_MAX) return after;
  return { ...after, result: { winner: null, reason: 'shot_limit' } };
}

function placeCueBall(table: Table, { place }: ShotAction): Table {
  return place === undefined ? table : [[place.x, place.y], ...table.slice(1)];
}

/** `accept`: continue from here. `pass`: the opponent continues, or breaks again after a weak break. */
function choose(state: PoolState, choice: Choice): PoolState {
  const settled = { ...state, choices: [] };
  switch (choice) {
    case 'accept':
      return settled;
    case 'rerack':
      return { ...settled, ...freshRack(state.variant) };
    case 'pass': {
      const passed = { ...settled, seat: otherSeat(state.seat) };
      return state.variant === 'nineball' ? passed : { ...passed, ...freshRack(state.variant) };
    }
    case 'spot': {
      const last = state.last === null ? null : { ...state.last, spotted: [EIGHT] };
      return { ...settled, table: spotBall(state.table, EIGHT), last };
    }
  }
}

function parseNotation(state: PoolState, text: string): PoolAction | null {
  const action = readAction(text);
  if (action === null || turn(state) === null) return null;
  return refuseAction(state, action) === null ? action : null;
}

/** Seat 0 breaks. */
export const pool: Game<PoolState, PoolAction> = {
  id: 'pool',
  rulesVersion: 3,
  seats: { min: 2, max: 2, default: 2 },
  variants: VARIANTS,
  options: { callPocket: { kind: 'choice', values: CALL_RULES, default: 'all' } },
  turnTimeoutMs: 60_000,
  drawOffers: false,
  openInformation: true,
  initial: makeInitial,
  turn,
  parseAction,
  actionFault,
  legalActions: (state) => (state.result === null ? null : []),
  apply,
  view: makeView,
  outcome,
  makeNotation: (_, action) => writeAction(action),
  parseNotation,
};
