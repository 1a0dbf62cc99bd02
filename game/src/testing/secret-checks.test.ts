/** What the contract finds in games with chance and secrets. */

import { isRefusal } from '../game.ts';
import { refuseTurn } from '../refusal.ts';
import { describeBroken } from './broken.test-kit.ts';
import type { RaceAction, RaceState } from './toys.test-kit.ts';
import { race, raceContract } from './toys.test-kit.ts';

let calls = 0;
const nextHand = ({ hands, turn }: RaceState): number => hands[(turn + 1) % hands.length]!;

describeBroken<RaceState, RaceAction>(
  race,
  [
    [
      'deals what nobody drew',
      {
        deal(state) {
          calls += 1;
          return { state: { ...state, hands: state.hands.map(() => calls) }, events: [] };
        },
      },
      'every setup begins',
      /dealt twice/,
    ],
    [
      'shows all hands',
      { view: (state) => state },
      'what a viewer',
      /view of a watcher in a state/,
    ],
    [
      'shows a watcher the hand of seat 0',
      { view: (state, seat) => race.view(state, seat ?? 0) },
      'what a viewer',
      /view of a watcher in a state that a watcher/,
    ],
    [
      'imagines nothing',
      { imagine: (state) => state },
      'what a viewer',
      /never draws anything anew/,
    ],
    [
      'imagines nothing that a seat can see',
      { imagine: (state, _, random) => Object.assign({ luck: random.integer(9) }, state) },
      'what a viewer',
      /never draws anew what a seat alone can see, for a watcher/,
    ],
    [
      'imagines other hands for watchers only',
      {
        imagine: (state, viewer, random) =>
          viewer === null ? race.imagine!(state, viewer, random) : { ...state, goal: state.goal },
      },
      'what a viewer',
      /never draws anew what a seat alone can see, for another seat/,
    ],
    [
      'imagines another turn',
      {
        view: (state, seat) => ({ hand: seat === null ? null : state.hands[seat]! }),
        imagine: (state, viewer, random) => ({
          ...race.imagine!(state, viewer, random),
          turn: random.integer(2),
        }),
      },
      'what a viewer',
      /seats to act/,
    ],
    [
      'imagines another outcome',
      {
        view: (state, seat) => ({ hand: seat === null ? null : state.hands[seat]! }),
        imagine: (state, viewer, random) => ({
          ...race.imagine!(state, viewer, random),
          scores: state.scores.map((score) => score + random.integer(2)),
        }),
      },
      'what a viewer',
      /(outcome|seats to act)/,
    ],
    [
      "takes as long as another's card says",
      { turnLimitMs: ({ hands }) => 5_000 + hands[0]! },
      'what a viewer',
      /turnLimitMs in a state/,
    ],
    [
      "refuses by another's card",
      {
        apply(state, seat, action, random) {
          const refused = refuseTurn(race.turn(state), seat);
          if (refused === null) return race.apply(state, seat, action, random);
          return { ...refused, error: `Card ${state.hands[state.turn]} is to move` };
        },
      },
      'what a viewer',
      /what .* comes to/,
    ],
    [
      'lists what only the next seat may know',
      {
        legalActions: (state) =>
          race.turn(state) === null ? [] : [{ stake: 1 / (1 + nextHand(state)) }],
      },
      'what a viewer',
      /legal actions of seat/,
    ],
    [
      'tells the card that was drawn',
      {
        apply(state, seat, action, random) {
          const applied = race.apply(state, seat, action, random);
          if (isRefusal(applied)) return applied;
          const data = { card: applied.state.hands[seat]! };
          return { ...applied, events: [{ type: 'race.drew', data }] };
        },
      },
      'what is told',
      /events of/,
    ],
    [
      'tells what was drawn in a turn that was missed',
      {
        missTurn(state, seat, random) {
          const missed = race.missTurn!(state, seat, random);
          const data = { card: missed?.state.hands[seat] ?? 0 };
          return missed && { ...missed, events: [{ type: 'race.drew', data }] };
        },
      },
      'what is told',
      /events of .*"miss"/,
    ],
    [
      'tells the deal',
      {
        deal(state, random) {
          const dealt = race.deal!(state, random);
          return { ...dealt, events: [{ type: 'race.dealt', data: { hands: dealt.state.hands } }] };
        },
      },
      'what is told',
      /events of deals/,
    ],
    [
      'shows with an action what the seat holds',
      { showAction: (state, seat, action) => ({ ...action, card: state.hands[seat]! }) },
      'what is told',
      /shown of/,
    ],
    [
      'comes out with too few places when its time is up',
      { timeUp: (state) => ({ ...race.timeUp!(state), places: [1] }) },
      'random play ends',
      /1 places for/,
    ],
    ['has turns of no time', { turnLimitMs: () => 0 }, 'a turn has a time', /not 0/],
    ['has turns of half a ms', { turnLimitMs: () => 2_000.5 }, 'a turn has a time', /2000.5/],
    [
      'lets a seat that has left be to act',
      { forfeit: (state) => state },
      'somebody is to act',
      /has left and is to act/,
    ],
    [
      'hides, and imagines nothing',
      { imagine: undefined as never },
      'declares itself',
      /imagine is needed/,
    ],
    [
      'lets nobody play on',
      { forfeit: undefined as never },
      'declares itself',
      /forfeit is needed/,
    ],
  ],
  { ...raceContract, gamesPerSetup: 1 },
);
