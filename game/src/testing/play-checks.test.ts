/** Violations that the contract finds in games with simultaneous actions and in tick games. */

import type { Seat } from '../game.ts';
import { makeRandom } from '../random.ts';
import { illegalMove, refuseSeat } from '../refusal.ts';
import { describeBroken } from './broken.test-kit.ts';
import type { PickAction, PickState } from './toys.test-kit.ts';
import { clock, pick } from './toys.test-kit.ts';

describeBroken<PickState, PickAction>(
  pick,
  [
    ['has acting and a turn', { turn: () => 0 }, 'seats can act', /turn has to be null/],
    [
      'lets a seat act again',
      {
        acting: everybodyIn,
        apply: (state, seat, { colour }) =>
          pick.apply(withoutPick(state, seat), seat, { colour }, none),
      },
      'a seat acts once',
      /seat \d may act again before/,
    ],
    [
      'accepts a second action of a seat',
      { apply: (state, seat, action) => pick.apply(withoutPick(state, seat), seat, action, none) },
      'legal actions apply',
      /apply accepted/,
    ],
    [
      'refuses a seat that may not act with another code',
      {
        apply: (state, seat, action, random) =>
          refuseSeat(pick.acting!(state), seat) === null
            ? pick.apply(state, seat, action, random)
            : illegalMove('Not now'),
      },
      'legal actions apply',
      /refused with illegal_move, expected not_your_turn/,
    ],
    [
      'lets a seat act that is out',
      { isOut: (state, seat) => state.outIn[seat] !== null || (state.round > 0 && seat === 0) },
      'seats can act',
      /seat 0 is out and may act/,
    ],
    [
      'lets a seat back in',
      { isOut: (state, seat) => state.outIn[seat] !== null && state.round % 2 === 1 },
      'a seat that is out',
      /was out and is back in/,
    ],
    [
      'changes the place of a seat that leaves when it is out',
      { forfeit: (state, seat) => ({ ...state, outIn: state.outIn.with(seat, -1) }) },
      'a seat that is out',
      /places after seat/,
    ],
    [
      'lists a seat twice',
      { acting: (state) => twice(pick.acting!(state)) },
      'seats can act',
      /lists a seat twice/,
    ],
    [
      'names a seat that is not there',
      { acting: (state) => pick.acting!(state).map((seat) => seat + 16) },
      'random games end',
      /refused/,
    ],
    [
      'shows a hidden choice to others',
      { showAction: (_, __, action) => action },
      'hidden information does not show in events',
      /shown action of .* looks to a watcher like/,
    ],
    [
      'imagines that no seat has picked',
      { imagine: (state) => ({ ...state, picks: state.picks.map(() => null) }) },
      'hidden information does not show in views',
      /(view of|seats to act)/,
    ],
    ['has seventeen seats', { seats: { min: 2, max: 17, default: 2 } }, 'the declaration', /≤ 16/],
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
    'each step is one tick',
    /raise tickOf by one/,
  ],
  [
    'has one hash for all',
    { ticks: { ...clock.ticks, hash: () => '00000000' } },
    'each step is one tick',
    /same ticks.hash/,
  ],
  [
    'has a long hash',
    { ticks: { ...clock.ticks, hash: () => '0'.repeat(64) } },
    'each step is one tick',
    /8 hex digits/,
  ],
  [
    'goes on after the end',
    { ticks: { ...clock.ticks, step: (state) => ({ ...state, tick: state.tick + 1 }) } },
    'each step is one tick',
    /past the end/,
  ],
]);
