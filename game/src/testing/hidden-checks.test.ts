/** Violations that the contract finds in games with randomness and hidden information. */

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
      'deals without its random argument',
      {
        deal(state) {
          calls += 1;
          return { state: { ...state, hands: state.hands.map(() => calls) }, events: [] };
        },
      },
      'every setup starts',
      /deal called twice/,
    ],
    [
      'shows all hands',
      { view: (state) => state },
      'hidden information does not show in views',
      /view of a watcher in a state/,
    ],
    [
      'shows a watcher the hand of seat 0',
      { view: (state, seat) => race.view(state, seat ?? 0) },
      'hidden information does not show in views',
      /view of a watcher in a state that a watcher/,
    ],
    [
      'has an imagine that changes nothing',
      { imagine: (state) => state },
      'hidden information does not show in views',
      /never changes the state/,
    ],
    [
      'has an imagine that changes nothing a seat sees',
      { imagine: (state, _, random) => Object.assign({ luck: random.integer(9) }, state) },
      'hidden information does not show in views',
      /never changes another seat's view .* for a watcher/,
    ],
    [
      'imagines other hands for watchers only',
      {
        imagine: (state, viewer, random) =>
          viewer === null ? race.imagine!(state, viewer, random) : { ...state, goal: state.goal },
      },
      'hidden information does not show in views',
      /never changes another seat's view .* for a seat/,
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
      'hidden information does not show in views',
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
      'hidden information does not show in views',
      /(outcome|seats to act)/,
    ],
    [
      "has a turn limit that depends on another's card",
      { turnLimitMs: ({ hands }) => 5_000 + hands[0]! },
      'hidden information does not show in views',
      /turnLimitMs in a state/,
    ],
    [
      "names another's card in a refusal",
      {
        apply(state, seat, action, random) {
          const refused = refuseTurn(race.turn(state), seat);
          if (refused === null) return race.apply(state, seat, action, random);
          return { ...refused, error: `Card ${state.hands[state.turn]} is to move` };
        },
      },
      'hidden information does not show in views',
      /the answer to/,
    ],
    [
      "has legal actions that depend on another's card",
      {
        legalActions: (state) =>
          race.turn(state) === null ? [] : [{ stake: 1 / (1 + nextHand(state)) }],
      },
      'hidden information does not show in views',
      /legal actions of seat/,
    ],
    [
      'names the drawn card in an event',
      {
        apply(state, seat, action, random) {
          const applied = race.apply(state, seat, action, random);
          if (isRefusal(applied)) return applied;
          const data = { card: applied.state.hands[seat]! };
          return { ...applied, events: [{ type: 'race.drew', data }] };
        },
      },
      'hidden information does not show in events',
      /events of/,
    ],
    [
      'names the drawn card in an event of a missed turn',
      {
        missTurn(state, seat, random) {
          const missed = race.missTurn!(state, seat, random);
          const data = { card: missed?.state.hands[seat] ?? 0 };
          return missed && { ...missed, events: [{ type: 'race.drew', data }] };
        },
      },
      'hidden information does not show in events',
      /events of .*"miss"/,
    ],
    [
      'names the hands in an event of the deal',
      {
        deal(state, random) {
          const dealt = race.deal!(state, random);
          return { ...dealt, events: [{ type: 'race.dealt', data: { hands: dealt.state.hands } }] };
        },
      },
      'hidden information does not show in events',
      /events of two deals/,
    ],
    [
      "shows the seat's card with its action",
      { showAction: (state, seat, action) => ({ ...action, card: state.hands[seat]! }) },
      'hidden information does not show in events',
      /shown action of/,
    ],
    [
      'has too few places when its time is up',
      { timeUp: (state) => ({ ...race.timeUp!(state), places: [1] }) },
      'random games end',
      /1 places for/,
    ],
    ['has a turn limit of 0', { turnLimitMs: () => 0 }, 'turn limits', /got 0/],
    [
      'has a turn limit with a fraction',
      { turnLimitMs: () => 2_000.5 },
      'turn limits',
      /got 2000.5/,
    ],
    [
      'lets a seat act after its forfeit',
      { forfeit: (state) => state },
      'seats can act',
      /has forfeited and may act/,
    ],
    [
      'has hidden information and no imagine',
      { imagine: undefined as never },
      'the declaration',
      /imagine is required/,
    ],
    [
      'has four seats and no forfeit',
      { forfeit: undefined as never },
      'the declaration',
      /forfeit is required/,
    ],
  ],
  { ...raceContract, gamesPerSetup: 1 },
);
