/** Ludo against the contract of all games, in every variant and with every value of every option. */

import type { AnyGame } from '../../../game/src/game.ts';
import { gameContractSuite } from '../contract-suite.ts';
import { ludo } from './ludo.ts';

// No cast: see tictactoe.test.ts.
const game: AnyGame = ludo;
gameContractSuite('G-LUDO', game, { inputsMax: 20_000, gamesPerSetup: 1 });
