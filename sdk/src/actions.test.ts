/**
 * The SDK's actions are those of the engines: checked by the compiler; completeness is checked
 * against the games.
 */

import { expect, test } from 'bun:test';
import { CLOSE as SERVER_CLOSE, EMOTES as SERVER_EMOTES } from '../../src/contract/messages.ts';
import type { CheckersAction } from '../../src/games/checkers/action.ts';
import type { Connect4Action } from '../../src/games/connect4/connect4.ts';
import type { LudoAction } from '../../src/games/ludo/ludo.ts';
import type { PoolAction } from '../../src/games/pool/action.ts';
import { GAME_IDS } from '../../src/games/registry.ts';
import type { TictactoeAction } from '../../src/games/tictactoe/tictactoe.ts';
import type { Actions } from './actions.ts';
import { CLOSE } from './frames/frames.ts';
import { EMOTES } from './generated/frames.ts';

/** Every action of an engine must be expressible in the SDK. */
type Says<Sdk, Engine extends Sdk> = [Sdk, Engine];
export type Compared = [
  Says<Actions['tictactoe'], TictactoeAction>,
  Says<Actions['connect4'], Connect4Action>,
  Says<Actions['checkers'], CheckersAction>,
  Says<Actions['ludo'], LudoAction>,
  Says<Actions['pool'], PoolAction>,
  // And what the SDK accepts is what the engine reads, except optional numbers.
  Says<TictactoeAction, Actions['tictactoe']>,
  Says<Connect4Action, Actions['connect4']>,
  Says<CheckersAction, Actions['checkers']>,
  Says<LudoAction, Actions['ludo']>,
];

test('[P3] every game has its actions', () => {
  const named: Record<keyof Actions, true> = {
    checkers: true,
    tictactoe: true,
    connect4: true,
    'fight-arena': true,
    pool: true,
    ludo: true,
  };
  expect(Object.keys(named).sort()).toEqual([...GAME_IDS].sort());
});

test('[E4][P5] emotes and close codes are the server’s', () => {
  expect(EMOTES).toEqual([...SERVER_EMOTES]);
  for (const [name, code] of Object.entries(CLOSE)) {
    expect(SERVER_CLOSE[name as keyof typeof CLOSE].code).toBe(code);
  }
});
