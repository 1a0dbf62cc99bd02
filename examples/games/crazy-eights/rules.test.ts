/** Crazy eights: contract and rules. */

import { describe, expect, test } from 'bun:test';
import type { Random, Seat } from '@matchd/game';
import { isRefusal, makeRandom } from '@matchd/game';
import { gameContractChecks } from '@matchd/game/testing';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import type { EightsAction, EightsState } from './rules.ts';
import { game } from './rules.ts';

for (const { what, run } of gameContractChecks(game, { seed: TEST_SEED, gamesPerSetup: 2 })) {
  test(`[G-EIGHTS] ${what}`, run);
}

const random = (name: string): Random => makeRandom(`${TEST_SEED}`, () => name, 0);
const RANKS = 'A23456789TJQK';
const SUITS = 'CDHS';

/** Parses cards such as `8S TH`. */
function cards(text: string): number[] {
  if (text === '') return [];
  return text.split(' ').map((each) => SUITS.indexOf(each[1]!) * 13 + RANKS.indexOf(each[0]!));
}

const setupOf = (seats: number, rounds = 1) => ({
  variant: 'standard',
  seats,
  options: { rounds },
});

function start(seats: number, rounds = 1): EightsState {
  return game.deal!(game.initial(setupOf(seats, rounds)), random('deal')).state;
}

/** A position with the given hands, discards and stock. */
function position(
  hands: readonly string[],
  top: string,
  stock: string,
  change: Partial<EightsState> = {},
): EightsState {
  const discards = cards(top);
  const suits = ['clubs', 'diamonds', 'hearts', 'spades'] as const;
  const suit = suits[Math.floor(discards.at(-1)! / 13)]!;
  const dealt = hands.map((hand) => cards(hand).toSorted((a, b) => a - b));
  return { ...start(hands.length), hands: dealt, discards, suit, stock: cards(stock), ...change };
}

function act(state: EightsState, seat: Seat, action: EightsAction): EightsState {
  const applied = game.apply(state, seat, action, random('act'));
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

describe('the deal', () => {
  test('[G-EIGHTS] five cards each, seven for two seats; one is turned up, the rest is the stock', () => {
    for (const [seats, size] of [
      [2, 7],
      [3, 5],
      [6, 5],
    ] as const) {
      const state = start(seats);
      expect(state.hands.map((hand) => hand.length)).toEqual(Array(seats).fill(size));
      expect(state.stock.length).toBe(52 - seats * size - 1);
      const all = [...state.hands.flat(), ...state.stock, ...state.discards];
      expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 52 }, (_, card) => card));
    }
  });

  test('[G-EIGHTS] no eight is turned up, and seats start rounds in turn', () => {
    for (let deal = 0; deal < 200; deal += 1) {
      const round = deal % 3;
      const before = { ...game.initial(setupOf(3, 10)), round };
      const { state } = game.deal!(before, random(`deal ${deal}`));
      expect(state.discards[0]! % 13).not.toBe(7);
      expect([state.round, state.turn]).toEqual([round + 1, round]);
    }
  });

  test('[G-EIGHTS] a seat that forfeited gets no cards and starts no round', () => {
    const before = { ...game.initial(setupOf(3, 10)), round: 1, out: [1] };
    const { state } = game.deal!(before, random('deal'));
    expect(state.hands[1]).toEqual([]);
    expect(state.turn).toBe(2);
  });
});

describe('legal actions', () => {
  const legal = (state: EightsState) => game.legalActions(state);

  test('[G-EIGHTS] the suit, the rank, an eight with any suit, and a draw', () => {
    const state = position(['QH 3S 5C 8D', '2C', '2D'], '3H', '4C 4D');
    expect(legal(state)).toEqual([
      { play: cards('8D'), suit: 'clubs' },
      { play: cards('8D'), suit: 'diamonds' },
      { play: cards('8D'), suit: 'hearts' },
      { play: cards('8D'), suit: 'spades' },
      { play: cards('QH') },
      { play: cards('3S') },
      { draw: true },
    ]);
  });

  test('[G-EIGHTS] after an eight the named suit has to be matched', () => {
    const state = position(['8S 4S 4D', '7S 7D', '9C 9D'], '3H', '2C', { suit: 'hearts' });
    const next = act(state, 0, { play: cards('8S'), suit: 'diamonds' });
    expect(next.suit).toBe('diamonds');
    expect(legal(next)).toEqual([{ play: cards('7D') }, { play: cards('7D 7S') }, { draw: true }]);
  });

  test('[G-EIGHTS] all cards of a rank at once: the first has to match, the last lies on top', () => {
    const state = position(['QH QS QC 2D', '3C', '3D'], '5H', '4C');
    expect(legal(state)).toEqual([
      { play: cards('QH') },
      { play: cards('QH QC QS') },
      { draw: true },
    ]);
    const next = act(state, 0, { play: cards('QH QC QS') });
    expect(next.discards).toEqual(cards('5H QH QC QS'));
    expect([next.suit, next.hands[0]]).toEqual(['spades', cards('2D')]);
  });

  test('[G-EIGHTS] illegal actions are refused', () => {
    const state = position(['QH 3S', '2C', '2D'], '3H', '4C 4D');
    const refuse = (seat: Seat, action: EightsAction) =>
      game.apply(state, seat, action, random('refused'));
    const illegal = { code: 'illegal_move', error: 'This action is not legal now' } as const;
    expect(refuse(0, { play: cards('2C') })).toEqual(illegal);
    expect(refuse(0, { play: cards('QH'), suit: 'clubs' })).toEqual(illegal);
    expect(refuse(0, { pass: true })).toEqual(illegal);
    expect(refuse(0, { draw: false })).toEqual(illegal);
    expect(refuse(1, { draw: true })).toMatchObject({ code: 'not_your_turn' });
  });
});

describe('drawing', () => {
  test('[G-EIGHTS] a seat draws up to three cards in a turn, then it may pass', () => {
    let state = position(['2C', '3C', '3D'], '5H', '4C 4D 6C 6D 9C');
    for (const left of [4, 3, 2]) {
      state = act(state, 0, { draw: true });
      expect([state.turn, state.stock.length]).toEqual([0, left]);
    }
    expect(game.legalActions(state)!.at(-1)).toEqual({ pass: true });
    const next = act(state, 0, { pass: true });
    expect([next.turn, next.drawn, next.passes]).toEqual([1, 0, 1]);
  });

  test('[G-EIGHTS] if the stock is empty, cards are drawn from the discards below the top card', () => {
    const state = position(['2C', '3C', '3D'], '9C 9D 5H', '');
    const next = act(state, 0, { draw: true });
    expect(next.discards).toEqual(cards('5H'));
    expect([...next.hands[0]!, ...next.stock].toSorted((a, b) => a - b)).toEqual(cards('2C 9C 9D'));
  });

  test('[G-EIGHTS] a seat that cannot draw passes, and a round in which all seats pass scores nothing', () => {
    let state = position(['2C', '3C', '3D'], '5H', '');
    for (const seat of [0, 1, 2]) {
      expect(game.legalActions(state)).toEqual([{ pass: true }]);
      state = act(state, seat, { pass: true });
    }
    expect(game.outcome(state)).toMatchObject({
      winners: [],
      reason: 'rounds_over',
      scores: [0, 0, 0],
    });
  });

  test(`[G-EIGHTS] every card of the stock is drawn equally often (seed ${TEST_SEED})`, () => {
    const state = position(['2C', '3C', '3D'], '5H', '4C 4D 4H 4S');
    const chance = random('even');
    const counts = new Map<number, number>();
    const runs = 4_000;
    for (let run = 0; run < runs; run += 1) {
      const applied = game.apply(state, 0, { draw: true }, chance);
      if (isRefusal(applied)) throw new Error(applied.error);
      const card = applied.state.hands[0]!.find((each) => each !== cards('2C')[0])!;
      counts.set(card, (counts.get(card) ?? 0) + 1);
    }
    // Chi squared, three degrees of freedom: above 21.1 once in 10,000.
    const squares = [...counts.values()].map((count) => (count - 1_000) * (count - 1_000));
    expect(counts.size).toBe(4);
    expect(squares.reduce((sum, each) => sum + each, 0) / 1_000).toBeLessThan(21.1);
  });
});

describe('scores', () => {
  test('[G-EIGHTS] the seat without cards scores all other hands: 50 for an eight, 10 for a face card', () => {
    const state = position(['5S', '8C AD', 'KH TD 2S'], '5H', '4C', { scores: [1, 2, 3] });
    const applied = game.apply(state, 0, { play: cards('5S') }, random('end'));
    if (isRefusal(applied)) throw new Error(applied.error);
    const data = { round: 1, gained: [73, 0, 0] };
    expect(applied.events).toEqual([{ type: 'crazy-eights.round_ended', data }]);
    expect(game.outcome(applied.state)).toEqual({
      winners: [0],
      places: [1, 3, 2],
      reason: 'rounds_over',
      detail: {},
      scores: [74, 2, 3],
    });
  });

  test('[G-EIGHTS] the next round is dealt at once', () => {
    const state = position(['5S', '8C', 'KH'], '5H', '4C', { rounds: 2 });
    const next = act(state, 0, { play: cards('5S') });
    expect(next).toMatchObject({ round: 2, turn: 1, scores: [60, 0, 0], passes: 0 });
    expect(next.hands.map((hand) => hand.length)).toEqual([5, 5, 5]);
    expect(game.outcome(next)).toBeNull();
  });
});

describe('missed turns and forfeits', () => {
  test('[G-EIGHTS] a missed turn draws a card, and the third in a row costs the seat', () => {
    const state = position(['2C', '3C', '3D'], '5H', '4C 4D', { misses: [1, 0, 0] });
    const { state: missed } = game.missTurn!(state, 0, random('miss'))!;
    expect(missed).toMatchObject({ turn: 1, misses: [2, 0, 0], passes: 1 });
    expect(missed.hands[0]).toHaveLength(2);
    expect(game.hasMissedOut!(missed, 0)).toBe(false);
    expect(game.hasMissedOut!({ ...missed, misses: [3, 0, 0] }, 0)).toBe(true);
    const acted = act({ ...state, misses: [2, 1, 0] }, 0, { draw: true });
    expect(acted.misses).toEqual([0, 1, 0]);
  });

  test('[G-EIGHTS] a forfeit returns the hand to the stock, and the others play on ahead of the seat', () => {
    const state = position(['2C 2D', '3C', '3D'], '5H', '4C', { scores: [90, 4, 5], passes: 2 });
    const left = game.forfeit!(state, 0);
    expect(left).toMatchObject({ turn: 1, out: [0], passes: 0, stock: cards('2C 4C 2D') });
    expect(game.outcome(left)).toBeNull();
    const alone = game.forfeit!(left, 2);
    expect(game.outcome(alone)).toMatchObject({
      winners: [1],
      places: [2, 1, 2],
      reason: 'last_left',
      scores: [90, 4, 5],
    });
  });
});

describe('hidden information', () => {
  const state = position(['QH 3S', '2C', '2D 2S'], '3H', '4C 4D');

  test('[G-EIGHTS] a seat sees its own hand and the number of cards of the others and the stock', () => {
    expect(game.view(state, 2)).toMatchObject({
      hands: [null, null, cards('2D 2S')],
      counts: [2, 1, 2],
      stock: 2,
      discards: cards('3H'),
    });
    expect(game.view(state, null)).toMatchObject({ hands: [null, null, null] });
  });

  test('[G-EIGHTS] a drawn card does not show to others, in the action, an event or a view', () => {
    const seen = new Set<string>();
    for (let run = 0; run < 20; run += 1) {
      const applied = game.apply(state, 0, { draw: true }, random(`draw ${run}`));
      if (isRefusal(applied)) throw new Error(applied.error);
      const shown = [1, 2, null].map((viewer) => [
        game.view(applied.state, viewer),
        game.showAction!(state, 0, { draw: true }, viewer),
      ]);
      seen.add(JSON.stringify([shown, applied.events]));
    }
    expect(seen.size).toBe(1);
  });
});
