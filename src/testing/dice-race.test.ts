/** The made-up game keeps the contract of games, so what fails on it is not its fault. */

import type { AnyGame, Json, Seat } from '../../game/src/game.ts';
import { gameContractSuite } from '../../game/src/testing/contract-suite.ts';
import type { DiceRaceState } from './dice-race.ts';
import { diceRace } from './dice-race.ts';

gameContractSuite(diceRace as AnyGame, {
  rule: 'G-CONTRACT',
  inputsMax: 200,
  gamesPerSetup: 5,
  randomAction: (_, random) => ({ stake: (1 + random.integer(24)) / 8 }),
  disguise: (state: Json, viewer: Seat | null) => {
    const race = state as DiceRaceState;
    const hands = race.hands.map((hand, seat) => (seat === viewer ? hand : hand + 1));
    return { ...race, hands };
  },
});
