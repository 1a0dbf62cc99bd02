/** Bots against each other and their scores, for tests and tools. Pure, like the games. */

import type { AnyBot, AnyMind, BotLevel, Question } from '../../game/src/bot.ts';
import type { AnyGame, Json, Outcome, Seat, Setup, TickRules } from '../../game/src/game.ts';
import { actingSeats, isRefusal } from '../../game/src/game.ts';
import type { Random } from '../../game/src/random.ts';

/** The player of a seat. */
export interface Player {
  readonly mind: AnyMind;
  readonly level: BotLevel;
  /** As in `Question`. */
  readonly nodesMax: number;
  /** The bot's own random numbers. */
  readonly random: Random;
}

/** One game between bots. */
export interface BotGame {
  readonly game: AnyGame;
  /** The first position. */
  readonly state: Json;
  /** By seat. */
  readonly players: readonly Player[];
  /** The game's own random numbers: dice, deals. */
  readonly random: Random;
  /** Asks a player, so that a caller can observe it. Without it the mind is asked. */
  readonly ask?: Ask;
}

export type Ask = (player: Player, question: Question<Json>) => Json;

const askMind: Ask = (player, question) => player.mind.choose(question, player.random);

/** Plays a game to its end. Throws if a bot makes an illegal action. */
export function playBots(match: BotGame): Outcome {
  const { game } = match;
  return game.ticks === undefined ? playTurns(match) : playTicks(match, game.ticks);
}

/** If several seats may act at once, they act one after another. */
function playTurns({ game, state: opening, players, random, ask = askMind }: BotGame): Outcome {
  let state = opening;
  for (;;) {
    const [seat] = actingSeats(game, state);
    if (seat === undefined) return game.outcome(state)!;
    const player = players[seat]!;
    const action = ask(player, questionOf(player, state, seat));
    const applied = game.apply(state, seat, action, random);
    if (isRefusal(applied)) throw new Error(`${game.id} ${player.level}: ${applied.error}`);
    state = applied.state;
  }
}

/** A tick game: all are asked for their input in every tick. */
function playTicks(match: BotGame, ticks: TickRules<Json>): Outcome {
  const { game, players, ask = askMind } = match;
  let { state } = match;
  for (;;) {
    const outcome = game.outcome(state);
    if (outcome !== null) return outcome;
    const before = state;
    const masks = players.map((each, seat) => Number(ask(each, questionOf(each, before, seat))));
    state = ticks.step(before, masks);
  }
}

function questionOf({ level, nodesMax }: Player, state: Json, seat: Seat): Question<Json> {
  return { state, seat, level, nodesMax };
}

/** The points of some seats: 1 for a win, ½ for a draw, and their share of several winners. */
export function pointsOf({ winners }: Outcome, isOurs: (seat: Seat) => boolean): number {
  return winners.length === 0 ? 0.5 : winners.filter(isOurs).length / winners.length;
}

/** A game's first variant with its default number of seats and options. */
export function makeDefaultSetup({ variants, seats, options }: AnyGame): Setup {
  const defaults = Object.entries(options).map(([name, spec]) => [name, spec.default]);
  return { variant: variants[0], seats: seats.default, options: Object.fromEntries(defaults) };
}

/** The first position of the bots. */
export function startGame(game: AnyGame, setup: Setup, random: Random): Json {
  const state = game.initial(setup);
  return game.deal?.(state, random).state ?? state;
}

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

/** The first level's points: 1 for a win, ½ for a draw, of the number of games. */
export function playOff(match: PlayOff, random: Random): number {
  const { game, bot, levels, games, nodesMax } = match;
  let points = 0;
  for (let n = 0; n < games; n += 1) {
    const players = levels.map((level) => ({ mind: bot.makeMind(), level, nodesMax, random }));
    if (n % 2 === 1) players.reverse();
    const state = startGame(game, makeDefaultSetup(game), random);
    const outcome = playBots({ game, state, players, random });
    points += pointsOf(outcome, (seat) => seat % 2 === n % 2);
  }
  return points / games;
}
