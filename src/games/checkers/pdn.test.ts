/** PDN parsed and written. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { american } from './american/american.ts';
import { at, fenOf, initialOf } from './checkers.test-kit.ts';
import { VARIANTS } from './dialect.ts';
import type { PdnGame } from './pdn.ts';
import { isPdnFault, makePdn, PDN_CHARS_MAX, parsePdn } from './pdn.ts';
import type { CheckersState } from './rule-sets.ts';
import { rulesOf } from './rule-sets.ts';

function read(text: string): readonly PdnGame[] {
  const games = parsePdn(text);
  if (isPdnFault(games)) throw new Error(`Line ${games.line}: ${games.error}`);
  return games;
}

const fensOf = ({ states }: PdnGame): readonly string[] => states.map(fenOf);

/** A game played at random to its end. */
function playRandomly(start: CheckersState, below: (limit: number) => number): PdnGame {
  const states = [start];
  const moves = [];
  for (let state = start; state.end === null; states.push(state)) {
    const { listMoves, afterMove } = rulesOf(state);
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
  test('[G-CHK] a game is parsed and written unchanged', () => {
    const [game, ...others] = read(SHORT);
    expect(others).toEqual([]);
    expect(game!.tags).toMatchObject({ White: 'Ann "A" \\ B', Black: 'Bob', GameType: '21' });
    expect(game!.result).toBe('1/2-1/2');
    expect(game!.moves).toHaveLength(5);
    expect(fenOf(game!.states.at(-1)!)).toBe('W:W18,21,23,24,26-32:B1-7,9-12');
    expect(makePdn(game!)).toBe(SHORT);
  });

  test('[G-CHK] a capture is written as short as possible', () => {
    const start = at('B:W15,22,32:B11');
    const moves = [american.listMoves(start)[0]!];
    const states = [start, american.afterMove(start, moves[0]!)];
    expect(makePdn({ tags: {}, states, moves, result: '*' })).toContain('1. 11x25 *');
  });

  // Real openings: "Perekryostok", the same with the majority rule, and a game of R. Boomstra's.
  const FRAGMENTS = [
    [
      '25',
      '1. c3-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 g5-h4 4. b4:d6 e7:c5 1/2-1/2',
      'W:Wa1,a3,c1,d2,d4,e1,e3,f2,g1,g3,h2:Ba7,b6,b8,c5,c7,d8,f8,g7,h4,h6,h8',
    ],
    [
      '26',
      '1. 22-18 10-14 2. 25-22 11-16 3. 22-17 16-20 4. 17x10 6x22 1/2-1/2',
      'W:W21,23,24,26-32:B1-5,7-9,12,20,22',
    ],
    [
      '20',
      '1. 32-28 17-22 2. 28x17 11x22 3. 37-32 6-11 4. 41-37 12-17 5. 46-41 8-12 6. 34-29 19-23 7. 40-34 14-19 8. 45-40 10-14 9. 32-28 23x32 10. 37x28 5-10 11. 41-37 20-24 12. 29x20 15x24 1-1',
      '',
    ],
  ] as const;
  test.each(FRAGMENTS)('[G-CHK] GameType %s: %s is read and written', (type, text, fen) => {
    const [game] = read(`[GameType "${type}"]\n\n${text}`);
    expect(game!.result).toBe('1/2-1/2');
    if (fen !== '') expect(fenOf(game!.states.at(-1)!)).toBe(fen);
    const written = makePdn(game!);
    const movetext = written.slice(written.indexOf('\n\n')).replace(/\s+/g, ' ').trim();
    expect(movetext).toBe(text.replace(/1-1$/, '1/2-1/2'));
    expect(read(written).map(fensOf)).toEqual([fensOf(game!)]);
  });

  test('[G-CHK] without a GameType the given variant applies', () => {
    const games = parsePdn('1. c3-d4 d6-c5 *', 'russian');
    expect(isPdnFault(games)).toBe(false);
    expect(parsePdn('1. c3-d4 d6-c5 *')).toMatchObject({ line: 1 });
  });

  test('[G-CHK] a game from another position has SetUp and FEN, and Black or White begins', () => {
    const start = at('W:WK7,15:B2,K32');
    const moves = [american.listMoves(start)[0]!];
    const states = [start, american.afterMove(start, moves[0]!)];
    const text = makePdn({ tags: { Event: 'Test' }, states, moves, result: '*' });
    expect(text).toContain('[SetUp "1"]\n[FEN "W:W15,K7:B2,K32"]\n');
    expect(text).toMatch(/\n\n1\.\.\. \S+ \*\n$/);
    expect(fensOf(read(text)[0]!)).toEqual(states.map(fenOf));
  });

  test('[G-CHK] comments, variations, numbers and marks are ignored', () => {
    const games = read(`[Event "a"]
      { begins (well } 1. 11-15! $1 ; to the end ( of the line
      (1. 9-13 22-18 (22-17 {deep}) 2. 99-98) 1... 22-18?! 2. 15x22* 25-18 *`);
    expect(games.map(({ moves }) => moves.length)).toEqual([4]);
    expect(games[0]!.result).toBe('*');
  });

  test('[G-CHK] a text may have no game, or several', () => {
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
    [
      '[GameType "29,W,10,10,N2,0"] *',
      1,
      'GameType 29,W,10,10,N2,0 is none that is played here: 21 american, 25 russian, 26 brazilian, 20 international',
    ],
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
      const start = [...starts.map(at), ...VARIANTS.map(initialOf)][number % 7]!;
      const game = playRandomly(start, (limit) => random.integer(limit));
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
