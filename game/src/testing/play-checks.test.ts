/** What the contract finds in games in which several act at once, and in games by ticks. */

import type { Seat } from '../game.ts';
import { makeRandom } from '../random.ts';
import { illegalMove, refuseSeat } from '../refusal.ts';
import { describeBroken } from './broken.test-kit.ts';
import type { PickAction, PickState } from './toys.test-kit.ts';
import { clock, pick } from './toys.test-kit.ts';

describeBroken<PickState, PickAction>(
  pick,
  [
    ['has a turn, too', { turn: () => 0 }, 'somebody is to act', /turn is null where/],
    [
      'lets a seat act again',
      {
        acting: everybodyIn,
        apply: (state, seat, { colour }) =>
          pick.apply(withoutPick(state, seat), seat, { colour }, none),
      },
      'whoever has acted',
      /seat \d may act before/,
    ],
    [
      'takes an action of a seat that has acted',
      { apply: (state, seat, action) => pick.apply(withoutPick(state, seat), seat, action, none) },
      'what is legal applies',
      /was let do/,
    ],
    [
      'refuses by another code',
      {
        apply: (state, seat, action, random) =>
          refuseSeat(pick.acting!(state), seat) === null
            ? pick.apply(state, seat, action, random)
            : illegalMove('Not now'),
      },
      'what is legal applies',
      /refused as illegal_move, wanted not_your_turn/,
    ],
    [
      'waits for a seat that is out',
      { isOut: (state, seat) => state.outIn[seat] !== null || (state.round > 0 && seat === 0) },
      'somebody is to act',
      /seat 0 is out and is to act/,
    ],
    [
      'lets a seat in again',
      { isOut: (state, seat) => state.outIn[seat] !== null && state.round % 2 === 1 },
      'a seat that is out',
      /was out and is in again/,
    ],
    [
      'puts a seat last that leaves when it is out',
      { forfeit: (state, seat) => ({ ...state, outIn: state.outIn.with(seat, -1) }) },
      'a seat that is out',
      /places after seat/,
    ],
    [
      'lists a seat twice',
      { acting: (state) => twice(pick.acting!(state)) },
      'somebody is to act',
      /twice/,
    ],
    [
      'names a seat that is not there',
      { acting: (state) => pick.acting!(state).map((seat) => seat + 16) },
      'random play ends',
      /refused/,
    ],
    [
      'shows others a choice',
      { showAction: (_, __, action) => action },
      'what is told',
      /shown of .* where a watcher could not tell it/,
    ],
    [
      'imagines that nobody has picked',
      { imagine: (state) => ({ ...state, picks: state.picks.map(() => null) }) },
      'what a viewer',
      /(view of|seats to act)/,
    ],
    ['seats seventeen', { seats: { min: 2, max: 17, default: 2 } }, 'declares itself', /≤ 16/],
  ],
  { gamesPerSetup: 1 },
);

const none = makeRandom('', () => '', 0);

function twice(seats: readonly Seat[]): readonly Seat[] {
  return [...seats, ...seats];
}

function everybodyIn(state: PickState): readonly Seat[] {
  return pick.outcome(state) === null
    ? state.outIn.flatMap((round, seat) => (round === null ? [seat] : []))
    : [];
}

function withoutPick(state: PickState, seat: Seat): PickState {
  return { ...state, picks: state.picks.with(seat, null) };
}

describeBroken(clock, [
  [
    'skips ticks',
    { ticks: { ...clock.ticks, tickOf: (state) => 2 * state.tick } },
    'a step is one tick',
    /has to be one tick/,
  ],
  [
    'has one hash for all',
    { ticks: { ...clock.ticks, hash: () => '00000000' } },
    'a step is one tick',
    /same hash/,
  ],
  [
    'has a long hash',
    { ticks: { ...clock.ticks, hash: () => '0'.repeat(64) } },
    'a step is one tick',
    /8 hex digits/,
  ],
  [
    'goes on after the end',
    { ticks: { ...clock.ticks, step: (state) => ({ ...state, tick: state.tick + 1 }) } },
    'a step is one tick',
    /past the end/,
  ],
]);
