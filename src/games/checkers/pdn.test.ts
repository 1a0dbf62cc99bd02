/** PDN read and written. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { makeRandom } from '../random.ts';
import { at } from './checkers.test-kit.ts';
import { makeFen } from './fen.ts';
import { listMoves } from './moves.ts';
import type { PdnGame } from './pdn.ts';
import { isPdnFault, makePdn, PDN_CHARS_MAX, parsePdn } from './pdn.ts';
import type { CheckersState } from './state.ts';
import { afterMove } from './state.ts';

function read(text: string): readonly PdnGame[] {
  const games = parsePdn(text);
  if (isPdnFault(games)) throw new Error(`Line ${games.line}: ${games.error}`);
  return games;
}

const fensOf = ({ states }: PdnGame): readonly string[] => states.map(makeFen);

/** A game played at random to its end. */
function playRandomly(start: CheckersState, below: (limit: number) => number): PdnGame {
  const states = [start];
  const moves = [];
  for (let state = start; state.end === null; states.push(state)) {
    const legal = listMoves(state);
    const move = legal[below(legal.length)]!;
    moves.push(move);
    state = afterMove(state, move);
  }
  return { tags: {}, states, moves, result: '*' };
}

const SHORT = `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Ann \\"A\\" \\\\ B"]
[Black "Bob"]
[Result "1/2-1/2"]
[GameType "21"]

1. 11-15 22-18 2. 15x22 25x18 3. 8-11 1/2-1/2
`;

describe('PDN', () => {
  test('[G-CHK] a game is read and written as it was', () => {
    const [game, ...others] = read(SHORT);
    expect(others).toEqual([]);
    expect(game!.tags).toMatchObject({ White: 'Ann "A" \\ B', Black: 'Bob', GameType: '21' });
    expect(game!.result).toBe('1/2-1/2');
    expect(game!.moves).toHaveLength(5);
    expect(makeFen(game!.states.at(-1)!)).toBe('W:W18,21,23,24,26-32:B1-7,9-12');
    expect(makePdn(game!)).toBe(SHORT);
  });

  test('[G-CHK] a game from another position has SetUp and FEN, and Black or White begins', () => {
    const states = [at('W:WK7,15:B2,K32')];
    states.push(afterMove(states[0]!, listMoves(states[0]!)[0]!));
    const moves = [listMoves(states[0]!)[0]!];
    const text = makePdn({ tags: { Event: 'Test' }, states, moves, result: '*' });
    expect(text).toContain('[SetUp "1"]\n[FEN "W:W15,K7:B2,K32"]\n');
    expect(text).toMatch(/\n\n1\.\.\. \S+ \*\n$/);
    expect(fensOf(read(text)[0]!)).toEqual(states.map(makeFen));
  });

  test('[G-CHK] comments, variations, numbers and marks are passed over', () => {
    const games = read(`[Event "a"]
      { begins (well } 1. 11-15! $1 ; to the end ( of the line
      (1. 9-13 22-18 (22-17 {deep}) 2. 99-98) 1... 22-18?! 2. 15x22* 25-18 *`);
    expect(games.map(({ moves }) => moves.length)).toEqual([4]);
    expect(games[0]!.result).toBe('*');
  });

  test('[G-CHK] a text may hold no game, and several', () => {
    expect(read('')).toEqual([]);
    expect(read(' {nothing} \n')).toEqual([]);
    const games = read(`${SHORT}\n${SHORT}1. 9-13 *`);
    expect(games.map(({ moves }) => moves.length)).toEqual([5, 5, 1]);
  });

  const FAULTS: readonly (readonly [string, number, string])[] = [
    ['1. 11-15', 1, 'The game that begins here has no result'],
    ['\n1. 11-16\n11-15 *', 3, '11-15 is not a legal move here, or could mean several'],
    ['[Result "1-0"] 0-1', 1, 'The result is 0-1 here and 1-0 in the tag'],
    ['11-15 [Event "late"] *', 1, 'A tag stands after the first move'],
    ['[GameType "20,W,10,10,N2,0"] *', 1, 'GameType 20,W,10,10,N2,0 is not American checkers, 21'],
    ['[FEN "B:W1:B2"] *', 1, 'The FEN cannot be read: White has a man on its king row, 1 to 4'],
    ['11-15\n hello *', 2, '"hello *" is no PDN'],
    ['[Event "?]', 1, '"[Event "?]" is no PDN'],
    ['{ never ends', 1, '"{ never ends" is no PDN'],
    ['(11-15 *', 1, 'A variation does not end'],
    ['11-15 ) *', 1, 'A variation ends that has not begun'],
    ['[FEN "B:W6:B1"] 1x10 32-28 *', 1, '32-28 comes after the end of the game (no_pieces)'],
    ['[FEN "B:W6,7,14,15:B2"] 2x18 *', 1, '2x18 is not a legal move here, or could mean several'],
  ];
  test.each(FAULTS)('[G-CHK] %j is refused at line %d: %s', (text, line, error) => {
    expect(parsePdn(text)).toEqual({ line, error });
  });

  test('[G-CHK] a text has a limit, and a tag may have any name', () => {
    const long = parsePdn(' '.repeat(PDN_CHARS_MAX + 1));
    expect(long).toEqual({ line: 1, error: `It has more than ${PDN_CHARS_MAX} characters` });
    const [game] = read('[constructor "a"] [toString "b"] *');
    expect(Object.entries(game!.tags)).toEqual([
      ['constructor', 'a'],
      ['toString', 'b'],
    ]);
  });

  test(`[G-CHK] random games round-trip, in lines of at most 80 (seed ${TEST_SEED})`, () => {
    const random = makeRandom(`${TEST_SEED}`, () => 'checkers pdn', 0);
    const starts = ['B:W21-32:B1-12', 'W:W21-32:B1-12', 'W:WK1,K5,30:BK32,9,K12'];
    for (let number = 0; number < 60; number += 1) {
      const game = playRandomly(at(starts[number % 3]!), (limit) => random.integer(limit));
      const text = makePdn(game);
      const again = read(text);
      expect(again.map(fensOf)).toEqual([fensOf(game)]);
      expect(makePdn(again[0]!)).toBe(text);
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  test(`[G-CHK] junk is refused with its line and never throws (seed ${TEST_SEED})`, () => {
    const parts = fc.constantFrom(
      ...['11-15', '22-18', '15x22', '1.', '*', '1-0', '(', ')', '{', '}', ';', '\n', '[', ']'],
      ...['[FEN "B:W6:B1"]', '[Event "x"]', '[__proto__ "x"]', '"', '\\', '$1', '!', 'K'],
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(parts).map((all) => all.join(' ')),
    );
    const property = fc.property(texts, (text) => {
      const games = parsePdn(text);
      if (isPdnFault(games)) expect(games.line).toBeLessThanOrEqual(text.split('\n').length);
      else
        for (const game of games) expect(read(makePdn(game)).map(fensOf)).toEqual([fensOf(game)]);
    });
    fc.assert(property, { seed: TEST_SEED, numRuns: 3_000 });
  });
});
