/** PDN, the exchange format of checkers games: tags, moves and a result, as text. */

import type { Variant } from './dialect.ts';
import { VARIANTS } from './dialect.ts';
import { isFenFault, makeFen, parseFen } from './fen.ts';
import { readMove, writeMove } from './notation.ts';
import type { PdnToken } from './pdn-tokens.ts';
import { readTokens } from './pdn-tokens.ts';
import type { Move } from './rule-set.ts';
import { diagramOf } from './rule-set.ts';
import type { CheckersState } from './rule-sets.ts';
import { initialState, RULE_SETS, rulesOf } from './rule-sets.ts';

const PDN_RESULTS = ['1-0', '0-1', '1/2-1/2', '*'] as const;
/** White's points before Black's; `*` for an unfinished game. */
export type PdnResult = (typeof PDN_RESULTS)[number];
/** Results in which a win is two points, and our form of them. */
const DOUBLED: Readonly<Record<string, PdnResult>> = {
  '2-0': '1-0',
  '0-2': '0-1',
  '1-1': '1/2-1/2',
};

export interface PdnGame {
  /** Tags by name, in order; for a position other than the start, including `SetUp` and `FEN`. */
  readonly tags: Readonly<Record<string, string>>;
  /** Every state from the first on; one more than moves. */
  readonly states: readonly CheckersState[];
  readonly moves: readonly Move[];
  readonly result: PdnResult;
}

/** Why a text is no game, and where: lines are counted from 1. */
export interface PdnFault {
  readonly line: number;
  readonly error: string;
}

/** A larger text is no game of ours, nor a collection to parse at once. */
export const PDN_CHARS_MAX = 1 << 20;
/** The movetext wraps before this length. */
const LINE_CHARS_MAX = 80;
/** The tags of every game, in order, with their values when nothing is known. */
const ROSTER: Readonly<Record<string, string>> = {
  Event: '?',
  Site: '?',
  Date: '????.??.??',
  Round: '?',
  White: '?',
  Black: '?',
  Result: '*',
};

const fenOf = (state: CheckersState): string => {
  const rules = rulesOf(state);
  return makeFen(rules.dialect, diagramOf(rules, state));
};

/** The text of a game, ending with a line feed. Given tags replace the defaults. */
export function makePdn({ tags, states, moves, result }: PdnGame): string {
  const fen = fenOf(states[0]!);
  const { start, gameType } = rulesOf(states[0]!).dialect;
  const setUp = fen === start ? {} : { SetUp: '1', FEN: fen };
  const { SetUp: _, FEN: __, ...own } = tags;
  const all = { ...ROSTER, GameType: gameType, ...own, ...setUp, Result: result };
  const lines = Object.entries(all).map(([name, value]) => `[${name} "${quote(value)}"]`);
  const words = moves.flatMap((move, index) => writeNumbered(states, move, index));
  return `${lines.join('\n')}\n\n${wrap([...words, result])}\n`;
}

/** Quotes and backslashes escaped; a tag is one line. */
function quote(value: string): string {
  return value.replace(/\s+/g, ' ').replace(/["\\]/g, '\\$&');
}

/** The move, with its number if one is due: before a move of seat 0, and before the first. */
function writeNumbered(states: readonly CheckersState[], move: Move, index: number): string[] {
  const first = states[0]!.turn;
  const { dialect, listMoves } = rulesOf(states[0]!);
  const text = writeMove(dialect, move, listMoves(states[index]!));
  const number = Math.floor((index + first) / 2) + 1;
  if (index === 0 && first === 1) return [`${number}...`, text];
  return (index + first) % 2 === 0 ? [`${number}.`, text] : [text];
}

function wrap(words: readonly string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > LINE_CHARS_MAX) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}

/** A game as far as it has been parsed. */
interface Reading {
  /** The default without the tag. */
  readonly variant: Variant;
  readonly tags: Record<string, string>;
  readonly states: CheckersState[];
  readonly moves: Move[];
  /** The line on which it began. */
  readonly line: number;
}

/**
 * All games of a text, or the first error in it. Comments, variations, move numbers and marks are
 * ignored. A game without `GameType` is of the given variant. No game may continue after its end by
 * these rules, which includes draws that must be claimed elsewhere.
 */
export function parsePdn(
  text: string,
  variant: Variant = 'american',
): readonly PdnGame[] | PdnFault {
  if (text.length > PDN_CHARS_MAX) {
    return { line: 1, error: `It has more than ${PDN_CHARS_MAX} characters` };
  }
  const { tokens, fault } = readTokens(text);
  const games: PdnGame[] = [];
  let reading: Reading | null = null;
  for (const token of tokens) {
    reading ??= { variant, tags: {}, states: [], moves: [], line: token.line };
    const error = readToken(reading, token);
    if (error !== null) return { line: token.line, error };
    if (token.kind !== 'result') continue;
    games.push(finish(reading, singlePoints(token.text) as PdnResult));
    reading = null;
  }
  if (fault !== null) return fault;
  if (reading === null) return games;
  return { line: reading.line, error: 'The game that begins here has no result' };
}

export function isPdnFault(value: readonly PdnGame[] | PdnFault): value is PdnFault {
  return 'error' in value;
}

const singlePoints = (result: string): string => DOUBLED[result] ?? result;

function finish({ tags, states, moves }: Reading, result: PdnResult): PdnGame {
  return { tags, states, moves, result };
}

/** Adds a token to the game; returns a sentence if it is not allowed there. */
function readToken(reading: Reading, token: PdnToken): string | null {
  if (token.kind === 'tag') {
    if (reading.states.length > 0) return 'A tag stands after the first move';
    reading.tags[token.name] = token.text;
    return null;
  }
  if (reading.states.length === 0) {
    const start = readStart(reading);
    if (typeof start === 'string') return start;
    reading.states.push(start);
  }
  if (token.kind === 'result') return checkResult(reading.tags, token.text);
  return readOneMove(reading, token.text);
}

function readStart({ tags, variant: otherwise }: Reading): CheckersState | string {
  const { GameType: type, FEN: fen } = tags;
  const variant = type === undefined ? otherwise : findVariant(type);
  if (variant === null) return `GameType ${type} is none that is played here: ${KNOWN_TYPES}`;
  if (fen === undefined) return initialState(variant);
  const { dialect, begin } = RULE_SETS[variant];
  const position = parseFen(dialect, fen);
  return isFenFault(position) ? `The FEN cannot be read: ${position.error}` : begin(position);
}

const numberOf = (gameType: string): string => gameType.split(',')[0]!.trim();
const KNOWN_TYPES = VARIANTS.map(
  (variant) => `${numberOf(RULE_SETS[variant].dialect.gameType)} ${variant}`,
).join(', ');

/** The variant of a tag, e.g. `20` or `26,W,8,8,A0,0`; null for an unknown one. */
function findVariant(gameType: string): Variant | null {
  const number = numberOf(gameType);
  const found = VARIANTS.find((each) => numberOf(RULE_SETS[each].dialect.gameType) === number);
  return found ?? null;
}

function readOneMove({ states, moves }: Reading, text: string): string | null {
  const state = states.at(-1)!;
  if (state.end !== null) return `${text} comes after the end of the game (${state.end})`;
  const { dialect, listMoves, afterMove } = rulesOf(state);
  const move = readMove(dialect, text, listMoves(state));
  if (move === null) return `${text} is not a legal move here, or could mean several`;
  moves.push(move);
  states.push(afterMove(state, move));
  return null;
}

function checkResult(tags: Readonly<Record<string, string>>, text: string): string | null {
  const tag = tags['Result'];
  if (tag === undefined || singlePoints(tag) === singlePoints(text)) return null;
  return `The result is ${text} here and ${tag} in the tag`;
}
