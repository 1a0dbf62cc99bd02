/** The search for a shot: its ideas, their results, and their worth. */

import { pickOne } from '../../../game/src/bot.ts';
import type { Random } from '../../../game/src/random.ts';
import type { ShotAction } from './action.ts';
import { isOnEight } from './eightball.ts';
import { shake } from './hand.ts';
import { refuseAction } from './legality.ts';
import { RADIUS } from './physics/parameters.ts';
import type { Mouth } from './physics/table.ts';
import { HEAD_STRING_X, MOUTHS, X_MAX, Y_MAX } from './physics/table.ts';
import { playShot } from './pool.ts';
import type { Place } from './rack.ts';
import { refusePlace } from './rack.ts';
import type { PoolState } from './state.ts';
import type { Target } from './targets.ts';
import { aimAt, findTargets, ghostOf, ownBalls } from './targets.ts';

/** How a level searches. */
export interface Style {
  /** The most simulated shots. */
  readonly shotsMax: number;
  /** How many ideas are retried with an unsteady hand, and how often each. */
  readonly finalists: number;
  readonly samples: number;
  /** The assumed unsteadiness, in units of `shake`. */
  readonly units: number;
}

/** A candidate shot and its estimated worth. */
interface Idea {
  readonly action: ShotAction;
  readonly value: number;
}

const SPEEDS = [1.6, 2.6, 0.9, 4] as const;
const FOLLOWS = [0, 0.008, -0.008] as const;
/** Corrections of the aim for throw, radians. */
const TURNS = [0, 0.03, -0.03, 0.06, -0.06] as const;

const WON = 100;
/** The worth of keeping the table, and of an easy next shot. */
const KEPT = 3;
const NEXT = 4;
const FOUL = -4;

/** The worth of a shot's result for its player: more is better. */
function worthOf(after: PoolState, seat: number): number {
  const { result } = after;
  if (result !== null) return result.winner === null ? 0 : result.winner === seat ? WON : -WON;
  if (after.last?.foul !== null) return FOUL;
  const cue = after.table[0] ?? null;
  const best = cue === null ? 0 : (findTargets(after, cue)[0]?.ease ?? 0);
  return after.seat === seat ? KEPT + NEXT * best : -NEXT * best;
}

/** Only breaks draw random numbers, and a break is not searched. */
const NO_CHANCE: Random = {
  integer() {
    throw new Error('A searched shot asked for chance');
  },
};

/** The best shot found; the state must expect a shot that is not a break. */
export function findShot(state: PoolState, style: Style, random: Random): ShotAction {
  let left = style.shotsMax;
  const tryOut = (action: ShotAction): number => {
    left -= 1;
    return worthOf(playShot(state, action, NO_CHANCE), state.seat);
  };
  const ideas: Idea[] = [];
  const consider = (action: ShotAction): void => {
    if (refuseAction(state, action) === null) ideas.push({ action, value: tryOut(action) });
  };
  const finals = style.finalists * style.samples;
  for (const action of pottingShots(state, random)) {
    if (left <= finals) break;
    consider(action);
  }
  const isPoor = ideas.every(({ value }) => value < KEPT);
  for (let n = 0; isPoor && n < DEFENCES && left > finals; n += 1) {
    consider(defence(state, random));
  }
  if (ideas.length === 0) return defence(state, random);
  ideas.sort((a, b) => b.value - a.value);
  const sampled = ideas.slice(0, Math.max(1, style.finalists)).map(({ action, value }) => {
    let sum = value;
    let count = 1;
    for (; count <= style.samples && left > 0; count += 1) {
      sum += tryOut(shake(action, style.units, random));
    }
    return { action, value: sum / count };
  });
  return sampled.reduce((best, idea) => (idea.value > best.value ? idea : best)).action;
}

/** Plain contacts to try when nothing can be pocketed. */
const DEFENCES = 60;
/** Draws of a place or a shot before giving up. */
const DRAWS_MAX = 1_000;

/** Whether the shooter must call ball and pocket. */
function isCalled(state: PoolState): boolean {
  if (state.variant === 'nineball') return false;
  return state.callPocket === 'all' || (state.callPocket === 'eight' && isOnEight(state));
}

/** Shots that would pocket a ball, likeliest first, then their variations. */
function* pottingShots(state: PoolState, random: Random): Generator<ShotAction> {
  const starts = startsOf(state, random);
  const found = starts
    .flatMap(({ place, from }) =>
      findTargets(state, from).map((target) => ({ place, from, target })),
    )
    .sort((a, b) => b.target.ease - a.target.ease);
  for (const speed of SPEEDS) {
    for (const { place, from, target } of found.slice(0, 8)) {
      for (const turn of TURNS) {
        for (const follow of FOLLOWS) {
          const aim = aimAt(from, ghostOf(state.table[target.ball]!, target.mouth, turn));
          yield {
            shot: { aim: aim + 0, speed, side: 0, follow, elevation: 0 },
            ...callOf(state, target),
            ...placing(place),
          };
        }
      }
    }
  }
}

function callOf(state: PoolState, { ball, mouth }: Target): Pick<ShotAction, 'call'> {
  return isCalled(state) ? { call: { ball, pocket: mouth.pocket } } : {};
}

function placing(place: Place | null): Pick<ShotAction, 'place'> {
  return place === null ? {} : { place: { x: place[0] + 0, y: place[1] + 0 } };
}

interface Start {
  /** Null if the cue ball is played from where it is. */
  readonly place: Place | null;
  readonly from: Place;
}

/** Where the cue ball may be played from: with ball in hand, straight behind own balls. */
function startsOf(state: PoolState, random: Random): readonly Start[] {
  const { table, inHand } = state;
  if (inHand === null) return [{ place: null, from: table[0]! }];
  const behind = ownBalls(state).flatMap((ball) =>
    MOUTHS.flatMap((mouth) => [0.25, 0.5].map((back) => behindBall(table[ball]!, mouth, back))),
  );
  const legal = behind.filter((place) => refusePlace(table, place, inHand) === null);
  return [...legal, freePlace(state, random)].map((place) => ({ place, from: place }));
}

/** On the line from a pocket through a ball, that far behind the point of contact. */
function behindBall([ballX, ballY]: Place, { x, y }: Mouth, back: number): Place {
  const far = Math.sqrt((x - ballX) * (x - ballX) + (y - ballY) * (y - ballY));
  const off = (2 * RADIUS + back) / far;
  return [ballX - off * (x - ballX), ballY - off * (y - ballY)];
}

/** A place in which the cue ball may be put. */
function freePlace({ table, inHand }: PoolState, random: Random): Place {
  for (let n = 0; n < DRAWS_MAX; n += 1) {
    const right = inHand === 'anywhere' ? X_MAX : HEAD_STRING_X - RADIUS;
    const place: Place = [even(-X_MAX, right, random), even(-Y_MAX, Y_MAX, random)];
    if (inHand !== null && refusePlace(table, place, inHand) === null) return place;
  }
  throw new Error('The table has no room for the cue ball');
}

const EVEN_STEPS = 10_000;

function even(low: number, high: number, random: Random): number {
  return low + ((high - low) * random.integer(EVEN_STEPS + 1)) / EVEN_STEPS;
}

/** Hits an own ball somehow, without trying to pocket anything. */
function defence(state: PoolState, random: Random): ShotAction {
  const { table, inHand } = state;
  const place = inHand === null ? null : freePlace(state, random);
  const from = place ?? table[0]!;
  const [x, y] = table[pickOne(ownBalls(state), random)]!;
  const off = even(-1.8 * RADIUS, 1.8 * RADIUS, random);
  const far = Math.sqrt((x - from[0]) * (x - from[0]) + (y - from[1]) * (y - from[1]));
  const beside: Place = [x - (off * (y - from[1])) / far, y + (off * (x - from[0])) / far];
  // One in three goes somewhere else: off a cushion, perhaps.
  const aim = random.integer(3) === 0 ? even(-3.14, 3.14, random) : aimAt(from, beside);
  return {
    shot: { aim: aim + 0, speed: even(0.6, 3.5, random), side: 0, follow: 0, elevation: 0 },
    ...(state.variant === 'eightball' && { safety: true }),
    ...placing(place),
  };
}

/** A hard break at the front ball, from somewhere behind the head string. */
export function breakShot(state: PoolState, speed: number, random: Random): ShotAction {
  const place: Place = [HEAD_STRING_X - 0.1, even(-0.2, 0.2, random)];
  const aim = aimAt(place, state.table[1]!);
  return {
    shot: { aim: aim + 0, speed, side: 0, follow: 0.002, elevation: 0 },
    ...placing(place),
  };
}
