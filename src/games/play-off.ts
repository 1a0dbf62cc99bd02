/** Bots against each other: who wins how much, for tests and tools. Pure, like the games. */

import type { AnyBot, BotLevel } from './bot.ts';
import type { AnyGame, Json, Seat, TickRules } from './game.ts';
import { isRefusal } from './game.ts';
import type { Random } from './random.ts';

/** Games between two levels of one bot. */
export interface PlayOff {
  readonly game: AnyGame;
  readonly bot: AnyBot;
  readonly levels: readonly [BotLevel, BotLevel];
  /** How many; the first level begins every other one. */
  readonly games: number;
  /** As in `Question`. */
  readonly nodesMax: number;
}

/** What the first level has made of its games: 1 a win, ½ a draw, of the number of games. */
export function playOff(match: PlayOff, random: Random): number {
  let points = 0;
  for (let n = 0; n < match.games; n += 1) points += playGame(match, n % 2, random);
  return points / match.games;
}

/** One game; `seat` is that of the first level. */
function playGame(match: PlayOff, seat: Seat, random: Random): number {
  const { game, bot, levels, nodesMax } = match;
  const minds = levels.map(() => bot.makeMind());
  const { variants, seats, options } = game;
  const defaults = Object.entries(options).map(([name, spec]) => [name, spec.default]);
  let state: Json = game.initial({
    variant: variants[0],
    seats: seats.default,
    options: Object.fromEntries(defaults),
  });
  if (game.ticks !== undefined) {
    const ask = (at: Json, side: 0 | 1): Json =>
      minds[side]!.choose(
        { state: at, seat: (seat + side) % 2, level: levels[side], nodesMax },
        random,
      );
    return pointsOf(game, playTicks(game, game.ticks, state, seat, ask), seat);
  }
  for (let turn = game.turn(state); turn !== null; turn = game.turn(state)) {
    const side = turn === seat ? 0 : 1;
    const level = levels[side]!;
    const action = minds[side]!.choose({ state, seat: turn, level, nodesMax }, random);
    const applied = game.apply(state, turn, action, random);
    if (isRefusal(applied)) throw new Error(`${game.id} ${level}: ${applied.error}`);
    state = applied.state;
  }
  return pointsOf(game, state, seat);
}

/** A game by the clock to its end: both sides are asked what they hold down in every tick. */
function playTicks(
  game: AnyGame,
  ticks: TickRules<Json>,
  opening: Json,
  seat: Seat,
  ask: (state: Json, side: 0 | 1) => Json,
): Json {
  let state = opening;
  while (game.outcome(state) === null) {
    const both = [Number(ask(state, 0)), Number(ask(state, 1))];
    state = ticks.step(state, seat === 0 ? both : both.reverse());
  }
  return state;
}

function pointsOf(game: AnyGame, state: Json, seat: Seat): number {
  const { winners } = game.outcome(state)!;
  if (winners.length === 0) return 0.5;
  return winners.includes(seat) ? 1 : 0;
}
