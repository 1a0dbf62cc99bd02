/** Results in words: who lost, why, and who won. */

import { expect, test } from 'bun:test';
import type { Session } from '../types.ts';
import { resultWords } from './result.ts';

const seat = (id: string | null, n: number, displayName: string | null = null) => ({
  id,
  displayName,
  seat: n,
  isBot: false,
  connected: false,
});
const two = [seat('player_eli', 0, 'Eli'), seat('player_fay', 1, 'Fay')];
const won = (winners: (string | null)[], reason: string): Session['result'] => ({
  winner: winners[0] ?? null,
  winners,
  reason,
});

test('[D11] a result names who lost, why, and who won', () => {
  const words = (result: Session['result'], players = two) => resultWords({ result, players });
  expect(words(null)).toBe('—');
  expect(words(won(['player_fay'], 'afk_timeout'))).toBe('Eli lost: did not move in time; Fay won');
  expect(words(won(['player_fay'], 'three_in_a_row'))).toBe('Fay won: three in a row');
  expect(words(won([], 'board_full'))).toBe('Draw: the board is full');
  expect(words(won([], 'aborted'))).toBe('Ended without a result');
  expect(words(won(['player_fay'], 'own_rule'))).toBe('Fay won: own rule');
});

test('[D11] a result of many players, and of erased ones, still makes sense', () => {
  const four = [...two, seat('gus', 2), seat(null, 3)];
  const result = won(['player_eli', 'gus'], 'disconnect');
  expect(resultWords({ result, players: four })).toBe(
    'Eli and gus won: the last opponent stayed disconnected',
  );
  const gone = [seat(null, 0), seat('player_fay', 1, 'Fay')];
  expect(resultWords({ result: won(['player_fay'], 'resignation'), players: gone })).toBe(
    'erased player lost: resigned; Fay won',
  );
});
