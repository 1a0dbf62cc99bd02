/**
 * `matchd perft`: counts move sequences from a position, to compare a rule set with published
 * counts.
 */

import type { AnyGame, Json } from '../../../game/src/game.ts';
import { isRefusal } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { checkers } from '../../games/checkers/checkers.ts';
import type { Variant } from '../../games/checkers/dialect.ts';
import { VARIANTS } from '../../games/checkers/dialect.ts';
import { isFenFault, makeFen, parseFen } from '../../games/checkers/fen.ts';
import { writeMove } from '../../games/checkers/notation.ts';
import { diagramOf, PERFT_DEPTH_MAX } from '../../games/checkers/rule-set.ts';
import type { AnyRuleSet, CheckersState } from '../../games/checkers/rule-sets.ts';
import { RULE_SETS } from '../../games/checkers/rule-sets.ts';
import { connect4 } from '../../games/connect4/connect4.ts';
import { tictactoe } from '../../games/tictactoe/tictactoe.ts';
import { type Answer, failed, type Refusal, wrongUsage } from '../terminal/answer.ts';

export interface PerftOptions {
  readonly variant?: string;
  readonly fen?: string;
  readonly depth: string;
  readonly divide?: true;
  /** Captures that differ only in their way count once. */
  readonly merge?: true;
}

/** Games with finite moves and without chance. */
const GAMES: Readonly<Record<string, AnyGame>> = { checkers, tictactoe, connect4 };
export const PERFT_GAMES: readonly string[] = Object.keys(GAMES);

/** One first move, as players write it, and how many sequences begin with it. */
interface Share {
  readonly move: string;
  readonly count: number;
}

/** What is counted: the position, by its first moves. */
interface Task {
  readonly game: string;
  readonly variant: string;
  /** Null where a game has no such notation. */
  readonly fen: string | null;
  divide(depth: number): readonly Share[];
  count(depth: number): number;
}

export function countSequences(name: string, options: PerftOptions): Answer {
  const depth = Number(options.depth);
  if (!/^\d+$/.test(options.depth) || depth < 1 || depth > PERFT_DEPTH_MAX) {
    return wrongUsage(`--depth "${options.depth}": must be 1 to ${PERFT_DEPTH_MAX}`);
  }
  const task = makeTask(name, options);
  if ('error' in task) return task;
  const began = performance.now();
  const divided = options.divide === true ? task.divide(depth) : null;
  const count = divided?.reduce((sum, share) => sum + share.count, 0) ?? task.count(depth);
  const ms = Math.round(performance.now() - began);
  if (!Number.isSafeInteger(count)) return failed('Too many sequences to count');
  const { game, variant, fen } = task;
  const lines = divided?.map((share) => `${share.move} ${share.count}`) ?? [];
  return {
    json: { game, variant, fen, depth, count, ms, ...(divided && { divide: divided }) },
    text: [...lines, `${game} (${variant}), depth ${depth}: ${count} in ${ms} ms`].join('\n'),
  };
}

function makeTask(name: string, options: PerftOptions): Task | Refusal {
  const game = Object.hasOwn(GAMES, name) ? GAMES[name]! : null;
  if (game === null) return wrongUsage(`game "${name}": must be ${PERFT_GAMES.join(', ')}`);
  const variant = options.variant ?? game.variants[0];
  if (!game.variants.includes(variant)) {
    return wrongUsage(`--variant "${variant}": must be ${game.variants.join(', ')}`);
  }
  const ofCheckers = VARIANTS.find((each) => name === 'checkers' && each === variant);
  if (ofCheckers !== undefined) return makeCheckersTask(ofCheckers, options);
  if (options.fen !== undefined) return wrongUsage(`--fen: only checkers has such a notation`);
  if (options.merge === true)
    return wrongUsage('--merge: only checkers has captures by several ways');
  const start = game.initial({ variant, seats: game.seats.default, options: {} });
  return {
    game: name,
    variant,
    fen: null,
    divide: (depth) => divideAny(game, start, depth),
    count: (depth) => countAny(game, start, depth),
  };
}

function makeCheckersTask(variant: Variant, { fen, merge }: PerftOptions): Task | Refusal {
  const rules = RULE_SETS[variant];
  const diagram = parseFen(rules.dialect, fen ?? rules.dialect.start);
  if (isFenFault(diagram)) return wrongUsage(`--fen "${fen}": ${diagram.error}`);
  const state = rules.begin(diagram);
  return {
    game: 'checkers',
    variant,
    fen: makeFen(rules.dialect, diagramOf(rules, state)),
    divide: (depth) => divideCheckers(rules, state, depth, merge === true),
    count: (depth) => countCheckers(rules, state, depth, merge === true),
  };
}

function countCheckers(
  rules: AnyRuleSet,
  state: CheckersState,
  depth: number,
  isMerged: boolean,
): number {
  if (!isMerged) return rules.perft(state, depth);
  if (depth === 0) return 1;
  const moves = rules.listMoves(state);
  if (depth === 1) return moves.length;
  return moves.reduce(
    (sum, move) => sum + countCheckers(rules, rules.afterMove(state, move), depth - 1, true),
    0,
  );
}

function divideCheckers(
  rules: AnyRuleSet,
  state: CheckersState,
  depth: number,
  isMerged: boolean,
): readonly Share[] {
  const legal = rules.listMoves(state);
  return legal.map((move) => {
    const below = countCheckers(rules, rules.afterMove(state, move), depth - 1, isMerged);
    const count = isMerged ? below : move.ways.length * below;
    return { move: writeMove(rules.dialect, move, legal), count };
  });
}

/** Sequences of a game by its own rules: one that has ended is not extended. */
function countAny(game: AnyGame, state: Json, depth: number): number {
  if (depth === 0) return 1;
  const legal = game.legalActions(state) ?? [];
  if (depth === 1) return legal.length;
  return legal.reduce<number>(
    (sum, action) => sum + countAny(game, after(game, state, action), depth - 1),
    0,
  );
}

function divideAny(game: AnyGame, state: Json, depth: number): readonly Share[] {
  return (game.legalActions(state) ?? []).map((action) => ({
    move: game.makeNotation(state, action),
    count: countAny(game, after(game, state, action), depth - 1),
  }));
}

function after(game: AnyGame, state: Json, action: Json): Json {
  const applied = game.apply(state, game.turn(state) ?? 0, action, NO_CHANCE);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

const NO_CHANCE: Random = {
  integer() {
    throw new Error('A game of chance has no move sequences to count');
  },
};
