/** `@matchd/game`: types and helpers for the rules of a game. */

export type { AnyBot, AnyMind, Bot, BotLevel, Mind, Question } from './bot.ts';
export { BOT_LEVELS, happens, NODES_MAX, pickOne } from './bot.ts';
export { rollDice, shuffle } from './chance.ts';
export { declarationFaults, TURN_MS } from './declaration.ts';
export type { GameDefinition, TickGameDefinition } from './define-game.ts';
export { defineGame, defineTickGame } from './define-game.ts';
export { fieldFault, ownField, wholeNumberFault } from './field.ts';
export type {
  AnyGame,
  Applied,
  Game,
  GameEvent,
  GameId,
  Json,
  OptionSpec,
  Options,
  OptionValue,
  Outcome,
  Refusal,
  Seat,
  SeatRange,
  Setup,
  TickRules,
} from './game.ts';
export { actingSeats, isRefusal, SEATS_MAX, seatRangeOf, shownAction } from './game.ts';
export { canonicalJson, hashJson } from './json.ts';
export { drawnByTwo, placesByScore, ranked, wonBy } from './outcome.ts';
export type { CountedRandom, Random } from './random.ts';
export { makeRandom } from './random.ts';
export { illegalMove, refuseSeat, refuseTurn, refuseUnlisted } from './refusal.ts';
export type { SearchSettings } from './search/search-bot.ts';
export { canSearch, makeSearchBot } from './search/search-bot.ts';
export type { Positions } from './search/speed.ts';
export { measureSpeed, positionsAt } from './search/speed.ts';
export { onlyOwn, seatAfter, waitingFor } from './seats.ts';
export type { ActionOf, Field, Fields, OptionalField, Shape } from './shape.ts';
export { flag, listOf, oneOf, optional, shape, wholeNumber } from './shape.ts';
