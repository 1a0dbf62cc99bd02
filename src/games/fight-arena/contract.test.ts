/** Fight arena under the contract of all games, with every value of every option. */

import type { AnyGame } from '../../../game/src/game.ts';
import { gameContractSuite } from '../contract-suite.ts';
import { fightArena } from './fight-arena.ts';

// No cast: see tictactoe.test.ts.
const game: AnyGame = fightArena;
gameContractSuite('G-FIGHT', game, { inputsMax: 20_000, gamesPerSetup: 1 });
