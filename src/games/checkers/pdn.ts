/** PDN, in which games of checkers are kept and exchanged: tags, moves and a result, as text. */

import { START } from './board.ts';
import { isFenFault, makeFen, parseFen } from './fen.ts';
import type { Move } from './moves.ts';
import { listMoves } from './moves.ts';
import { readMove, writeMove } from './notation.ts';
import type { PdnToken } from './pdn-tokens.ts';
import { readTokens } from './pdn-tokens.ts';
import type { CheckersState } from './state.ts';
import { afterMove, makeState } from './state.ts';

export const PDN_RESULTS = ['1-0', '0-1', '1/2-1/2', '*'] as const;
/** White's points before Black's, so `0-1` is a win of seat 0; `*` where it is not over. */
export type PdnResult = (typeof PDN_RESULTS)[number];

export interface PdnGame {
  /** Tags by name, in order; of a position other than the start, `SetUp` and `FEN` among them. */
  readonly tags: Readonly<Record<string, string>>;
  /** Every state from the first on; one more than there are moves. */
  readonly states: readonly CheckersState[];
  readonly moves: readonly Move[];
  readonly result: PdnResult;
}

/** Why a text is no game, and where: lines are counted from 1. */
export interface PdnFault {
  readonly line: number;
  readonly error: string;
}

/** A larger text is no game of ours, nor a collection anybody should hand in at once. */
export const PDN_CHARS_MAX = 1 << 20;
/** A movetext wraps before it gets longer. */
const LINE_CHARS_MAX = 80;
/** The tags every game has, in their order, with what stands there when nothing is known. */
const ROSTER: Readonly<Record<string, string>> = {
  Event: '?',
  Site: '?',
  Date: '????.??.??',
  Round: '?',
  White: '?',
  Black: '?',
  Result: '*',
};
/** English draughts, as PDN numbers the variants. */
const GAME_TYPE = '21';

const initialFen = makeFen(START);

/** The text of a game, ending with a line feed. Tags given win over those that say nothing. */
export function makePdn({ tags, states, moves, result }: PdnGame): string {
  const fen = makeFen(states[0]!);
  const setUp = fen === initialFen ? {} : { SetUp: '1', FEN: fen };
  const { SetUp: _, FEN: __, ...own } = tags;
  const all = { ...ROSTER, GameType: GAME_TYPE, ...own, ...setUp, Result: result };
  const lines = Object.entries(all).map(([name, value]) => `[${name} "${quote(value)}"]`);
  const words = moves.flatMap((move, index) => writeNumbered(states, move, index));
  return `${lines.join('\n')}\n\n${wrap([...words, result])}\n`;
}

/** Quotes and backslashes escaped; a tag is one line. */
function quote(value: string): string {
  return value.replace(/\s+/g, ' ').replace(/["\\]/g, '\\$&');
}

/** The move with its number, where one is due: before Black's move, and before the first. */
function writeNumbered(states: readonly CheckersState[], move: Move, index: number): string[] {
  const first = states[0]!.turn;
  const text = writeMove(move, listMoves(states[index]!));
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

/** A game as far as it has been read. */
interface Reading {
  readonly tags: Record<string, string>;
  readonly states: CheckersState[];
  readonly moves: Move[];
  /** The line on which it began. */
  readonly line: number;
}

/**
 * All games of a text, or the first fault in it. Comments, variations, move numbers and marks are
 * passed over. A game may not go on where it is over here: by a third repetition or 80 quiet plies,
 * which elsewhere have to be claimed.
 */
export function parsePdn(text: string): readonly PdnGame[] | PdnFault {
  if (text.length > PDN_CHARS_MAX) {
    return { line: 1, error: `It has more than ${PDN_CHARS_MAX} characters` };
  }
  const { tokens, fault } = readTokens(text);
  const games: PdnGame[] = [];
  let reading: Reading | null = null;
  for (const token of tokens) {
    reading ??= { tags: {}, states: [], moves: [], line: token.line };
    const error = readToken(reading, token);
    if (error !== null) return { line: token.line, error };
    if (token.kind !== 'result') continue;
    games.push(finish(reading, token.text as PdnResult));
    reading = null;
  }
  if (fault !== null) return fault;
  if (reading === null) return games;
  return { line: reading.line, error: 'The game that begins here has no result' };
}

export function isPdnFault(value: readonly PdnGame[] | PdnFault): value is PdnFault {
  return 'error' in value;
}

function finish({ tags, states, moves }: Reading, result: PdnResult): PdnGame {
  return { tags, states, moves, result };
}

/** Takes a token in; a sentence when the game cannot have it there. */
function readToken(reading: Reading, token: PdnToken): string | null {
  if (token.kind === 'tag') {
    if (reading.states.length > 0) return 'A tag stands after the first move';
    reading.tags[token.name] = token.text;
    return null;
  }
  if (reading.states.length === 0) {
    const start = readStart(reading.tags);
    if (typeof start === 'string') return start;
    reading.states.push(start);
  }
  if (token.kind === 'result') return checkResult(reading.tags, token.text);
  return readOneMove(reading, token.text);
}

function readStart(tags: Readonly<Record<string, string>>): CheckersState | string {
  const { GameType: type, FEN: fen } = tags;
  if (type !== undefined && type.split(',')[0]!.trim() !== GAME_TYPE) {
    return `GameType ${type} is not American checkers, ${GAME_TYPE}`;
  }
  if (fen === undefined) return makeState(START);
  const position = parseFen(fen);
  return isFenFault(position) ? `The FEN cannot be read: ${position.error}` : makeState(position);
}

function readOneMove({ states, moves }: Reading, text: string): string | null {
  const state = states.at(-1)!;
  if (state.end !== null) return `${text} comes after the end of the game (${state.end})`;
  const move = readMove(text, listMoves(state));
  if (move === null) return `${text} is not a legal move here, or could mean several`;
  moves.push(move);
  states.push(afterMove(state, move));
  return null;
}

function checkResult(tags: Readonly<Record<string, string>>, text: string): string | null {
  const tag = tags['Result'];
  if (tag === undefined || tag === text) return null;
  return `The result is ${text} here and ${tag} in the tag`;
}
