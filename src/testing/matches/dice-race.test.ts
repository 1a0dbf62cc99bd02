/** The test game fulfils the contract of games, so failures with it are not its fault. */

import { gameContractSuite } from '../../games/contract-suite.ts';
import { diceRace } from './dice-race.ts';

gameContractSuite('G-CONTRACT', diceRace, {
  inputsMax: 200,
  gamesPerSetup: 5,
  randomAction: (_, random) => ({ stake: (1 + random.integer(24)) / 8 }),
});
