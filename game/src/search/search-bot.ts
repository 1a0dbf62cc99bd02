/** A bot for any game that lists its actions: it needs only the rules. */

import type { AnyBot, BotLevel, Question } from '../bot.ts';
import { happens, pickOne } from '../bot.ts';
import type { AnyGame, Json } from '../game.ts';
import { actingSeats } from '../game.ts';
import type { Random } from '../random.ts';
import { makeQuickRandom } from './quick-random.ts';
import type { Rewards } from './rewards.ts';
import { isOpen, search } from './search.ts';
import type { Positions } from './speed.ts';
import { startOf } from './speed.ts';
import { allEdges, bestEdge, drawByVisits } from './tree.ts';

/** What a game's author may set; all have defaults. */
export interface SearchSettings {
  /** Positions that a level examines, unless the question's `nodesMax` allows fewer (see `positionsAt`). */
  readonly positions?: Partial<Positions>;
  /** Actions after which an iteration ends although the game continues; default 1,000. */
  readonly pliesMax?: number;
  /** By seat, 0 to 1: how well each stands when an iteration ends early; equally well by default. */
  worth?(state: Json): Rewards;
}

/** A game with 200 positions per millisecond, such as checkers, takes 3, 10 and 60 ms for them. */
const POSITIONS: Positions = { easy: 500, medium: 2_000, hard: 12_000, perfect: 12_000 };
/** The percentage of turns in which a level plays any legal action. */
const WHIMS: Readonly<Record<BotLevel, number>> = { easy: 40, medium: 5, hard: 0, perfect: 0 };
const PLIES_MAX = 1_000;
/** Any random numbers will do for a start that only shows which actions there are. */
const ANY_SEED: Random = { integer: () => 0 };

/** Whether every variant lists its actions from the start on, and hidden information can be imagined. */
export function canSearch(game: AnyGame): boolean {
  if (game.ticks !== undefined) return false;
  if (!game.openInformation && game.imagine === undefined) return false;
  return game.variants.every((variant) => {
    const state = startOf(game, variant, makeQuickRandom(ANY_SEED));
    const seats = actingSeats(game, state);
    return seats.length > 0 && seats.every((seat) => legalFor(game, state, seat).length > 0);
  });
}

/**
 * Makes a bot that plays by Monte-Carlo tree search; null if `canSearch` is false. `perfect` is
 * `hard`. A mind has no memory: the same question and the same random numbers give the same action.
 *
 * It takes hidden information for as likely as `imagine` draws it, and infers nothing from others'
 * actions: a bet does not make a good card more likely. If several act at once it mixes its actions
 * in proportion to the search's visits, which is close to an equilibrium in small games, and a
 * sensible mixture in large ones.
 */
export function makeSearchBot(game: AnyGame, settings: SearchSettings = {}): AnyBot | null {
  if (!canSearch(game)) return null;
  return {
    makeMind: () => ({
      choose: (question, random) => choose(game, settings, question, random),
    }),
  };
}

function choose(
  game: AnyGame,
  { positions = {}, pliesMax = PLIES_MAX, worth }: SearchSettings,
  { state, seat, level, nodesMax }: Question<Json>,
  random: Random,
): Json {
  const quick = makeQuickRandom(random);
  // The seat knows its legal actions, so they are the same in the imagined state.
  const seen = isOpen(game) ? state : (game.imagine?.(state, seat, quick) ?? state);
  const legal = legalFor(game, seen, seat);
  if (legal.length === 1 || happens(WHIMS[level], quick)) return pickOne(legal, quick);
  const positionsMax = Math.min(nodesMax, positions[level] ?? POSITIONS[level]);
  const { root } = search({ game, state, seat, random: quick, positionsMax, pliesMax, worth });
  if (root.visits === 0) return pickOne(legal, quick);
  const edges = allEdges(root);
  // With simultaneous actions, a predictable seat is beaten by an opponent who knows it.
  const drawn = game.acting === undefined ? null : drawByVisits({ seat, edges, random: quick });
  return (drawn ?? bestEdge(edges, seat)).action;
}

function legalFor(game: AnyGame, state: Json, seat: number): readonly Json[] {
  return game.legalActions(state, seat) ?? [];
}
