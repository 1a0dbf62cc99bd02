/** Bots play fair: their choices depend only on what their seat may see, and on their own random numbers. */

import { describe, expect, test } from 'bun:test';
import type { AnyBot, BotLevel } from '../../game/src/bot.ts';
import { BOT_LEVELS } from '../../game/src/bot.ts';
import type { AnyGame, Json, Seat } from '../../game/src/game.ts';
import type { Random } from '../../game/src/random.ts';
import { makeRandom } from '../../game/src/random.ts';
import { makeFirstPosition, makeSetups } from '../../game/src/testing/random-play.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import type { Player } from './play-off.ts';
import { playBots } from './play-off.ts';
import { findBot, findGame, GAME_IDS } from './registry.ts';
import { tictactoe } from './tictactoe/tictactoe.ts';

const built = GAME_IDS.filter((id) => findGame(id) !== null);
const NODES = 500;
/** Positions examined in each game. */
const LOOKS = 8;
/** Plies between them; in tick games, ticks. */
const STRIDE = 7;
/** On a busy machine. */
const TEST_MS_MAX = 60_000;

/**
 * Fields that are no secret although no view contains them, by game: they follow from the board,
 * the rules and the earlier views.
 */
const TOLD_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  tictactoe: [],
  // Both follow from the board.
  connect4: ['plies', 'won'],
  // Boards as bits, some of which belong to no square; `past` and `counts` were shown before.
  checkers: ['red', 'black', 'kings', 'variant', 'past', 'counts'],
  // They are part of the session.
  ludo: ['rules'],
  pool: [],
  'fight-arena': [],
};

interface Look {
  readonly state: Json;
  readonly seat: Seat;
}

function chance(name: string): Random {
  return makeRandom(`${TEST_SEED}`, () => name, 0);
}

function choose(bot: AnyBot, { state, seat }: Look, level: BotLevel): Json {
  return bot.makeMind().choose({ state, seat, level, nodesMax: NODES }, chance('same'));
}

/** Positions of a game between two of the weaker bots, with the random numbers of that name. */
function samplesOf(game: AnyGame, bot: AnyBot, state: Json, seats: number, random: Random): Look[] {
  const looks: Look[] = [];
  let asked = 0;
  const players = Array.from({ length: seats }, (_, seat): Player => {
    return { mind: bot.makeMind(), level: 'medium', nodesMax: NODES, random: chance(`${seat}`) };
  });
  const enough: unique symbol = Symbol('enough');
  try {
    playBots({
      game,
      state,
      players,
      random,
      ask(player, question) {
        if (looks.length === LOOKS) throw enough;
        if (asked % STRIDE === 0) looks.push({ state: question.state, seat: question.seat });
        asked += 1;
        return player.mind.choose(question, player.random);
      },
    });
  } catch (error) {
    if (error !== enough) throw error;
  }
  return looks;
}

/** Every state that differs in one value or one list, with the path of the difference. */
function* variationsOf(value: Json, path: readonly string[] = []): Generator<[string[], Json]> {
  if (value !== null && typeof value === 'object') {
    if (Array.isArray(value)) {
      if (value.length > 0) yield [[...path], value.slice(0, -1)];
      if (value.length > 1) yield [[...path], [...value].reverse()];
    }
    for (const [key, inner] of Object.entries(value)) {
      for (const [where, other] of variationsOf(inner as Json, [...path, key])) {
        const changed = Array.isArray(value)
          ? value.map((each, index) => (`${index}` === key ? other : each))
          : { ...value, [key]: other };
        yield [where, changed];
      }
    }
    return;
  }
  for (const other of othersOf(value)) yield [[...path], other];
}

function othersOf(value: null | boolean | number | string): readonly Json[] {
  switch (typeof value) {
    case 'number':
      return [value + 1, value - 1, 0, 7].filter((other) => other !== value);
    case 'boolean':
      return [!value];
    case 'string':
      return [`${value}x`];
    default:
      return [0, 1, []];
  }
}

/** What a seat sees of a position; null if the game cannot handle it. */
function shown(game: AnyGame, { state, seat }: Look): string | null {
  try {
    return JSON.stringify([
      game.view(state, seat),
      game.legalActions(state),
      game.turn(state),
      game.outcome(state),
    ]);
  } catch {
    return null;
  }
}

/** Paths that the seat does not see but that change its bot's choice. */
function peeks(game: AnyGame, bot: AnyBot, look: Look, told: readonly string[]): string[] {
  const seen = shown(game, look);
  const found = new Set<string>();
  for (const [path, state] of variationsOf(look.state)) {
    const twin = { ...look, state };
    if (told.includes(path[0]!) || shown(game, twin) !== seen) continue;
    for (const level of BOT_LEVELS) {
      const same = JSON.stringify(choose(bot, look, level));
      if (JSON.stringify(choose(bot, twin, level)) !== same) found.add(path.join('.'));
    }
  }
  return [...found];
}

describe.each(built)('%s', (id) => {
  const game = findGame(id)!;
  const bot = findBot(id)!;

  test(
    `[G-BOT] a choice depends on nothing hidden from the seat (seed ${TEST_SEED})`,
    () => {
      for (const setup of makeSetups(game)) {
        const { state } = makeFirstPosition(game, setup, `${TEST_SEED}`);
        for (const look of samplesOf(game, bot, state, setup.seats, chance('dice'))) {
          expect(peeks(game, bot, look, TOLD_OTHERWISE[id]!)).toEqual([]);
        }
      }
    },
    TEST_MS_MAX,
  );
});

test('[G-BOT] a bot that uses hidden information is found', () => {
  const board = '.........';
  const peeking: AnyBot = {
    makeMind: () => ({ choose: ({ state }) => ({ position: (state as { next: number }).next }) }),
  };
  const look: Look = { state: { board, next: 3 }, seat: 0 };
  expect(peeks(tictactoe, peeking, look, [])).toEqual(['next']);
  expect(peeks(tictactoe, findBot('tictactoe')!, look, [])).toEqual([]);
});
