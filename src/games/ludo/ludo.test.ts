/** Ludo's rules one by one: the board, turns, options, captures, and refusals. */

import { describe, expect, test } from 'bun:test';
import { DONE, HOME, LAP, walked, YARD } from './board.ts';
import { act, choices, dice, OPTIONS, placesOf, play, put } from './ludo.test-kit.ts';
import type { LudoAction } from './ludo.ts';
import { ludo } from './ludo.ts';
import type { LudoState } from './state.ts';

const view = (state: LudoState) =>
  ludo.view(state, null) as {
    tokens: string[][];
    die: number | null;
    last: { to: string | null; void: boolean; captured: object[] }[];
    scores: number[] | null;
  };

describe('the board', () => {
  test('[G-LUDO] starts are 0, 13, 26, 39; two seats start at 0 and 26', () => {
    const startsOf = (seats: number) =>
      view(ludo.initial({ variant: 'timed', seats, options: OPTIONS })).tokens.map(
        ([first]) => first,
      );
    expect(startsOf(2)).toEqual(['track 0', 'track 26']);
    expect(startsOf(3)).toEqual(['track 0', 'track 13', 'track 26']);
    expect(startsOf(4)).toEqual(['track 0', 'track 13', 'track 26', 'track 39']);
  });

  test('[G-LUDO] tokens are shown as yard, track 0 to 51, home 1 to 5 and done', () => {
    const state = put([[], [0, 38, 39, 50], [], [HOME, HOME + 4, DONE, YARD]]);
    expect(view(state).tokens).toEqual([
      ['yard', 'yard', 'yard', 'yard'],
      ['track 13', 'track 51', 'track 0', 'track 11'],
      ['yard', 'yard', 'yard', 'yard'],
      ['home 1', 'home 5', 'done', 'yard'],
    ]);
  });

  test("[G-LUDO] from the start to the goal are 56 squares, the last five the seat's own", () => {
    let state = put([[0, DONE, DONE, DONE], []], {}, { home: [] });
    const seen = [view(state).tokens[0]![0]];
    for (let step = 1; step <= 56; step += 1) {
      state = { ...play({ ...state, seat: 0 }, 1) };
      seen.push(view(state).tokens[0]![0]);
      expect(walked(placesOf(state, 0)[0]!)).toBe(step);
    }
    expect(seen.slice(50)).toEqual([
      'track 50',
      'home 1',
      'home 2',
      'home 3',
      'home 4',
      'home 5',
      'done',
    ]);
    expect(ludo.outcome(state)?.winners).toEqual([0]);
  });

  test.each([true, false])(
    '[G-LUDO] tokens are captured on all squares except safe ones, start squares safe: %p',
    (isSafe) => {
      const stars = [8, 21, 34, 47];
      const starts = isSafe ? [0, 13, 26, 39] : [];
      const captures = Array.from({ length: 51 }, (_, square) => {
        // Another seat that gets there with a one, with its start at least one square behind.
        const seat = [1, 2, 3].find((each) => {
          const place = (square - 13 * each + 52) % 52;
          return place >= 1 && place <= 50;
        })!;
        const places = [[square], [], [], []].map((own, each) =>
          each === seat ? [(square - 13 * seat + 51) % 52] : own,
        );
        const after = play(put(places, { startSquaresSafe: isSafe }, { seat }), 1);
        return placesOf(after, 0)[0] === YARD ? square : null;
      });
      const safe = Array.from({ length: 51 }, (_, square) => square).filter(
        (square) => captures[square] === null,
      );
      expect(safe).toEqual([...stars, ...starts].sort((one, other) => one - other));
    },
  );
});

describe('rolling and moving', () => {
  test('[G-LUDO] only a six brings a token out, and the seat rolls again', () => {
    const opening = put([[], []]);
    for (const die of [1, 2, 3, 4, 5]) {
      const after = play(opening, die);
      expect(placesOf(after, 0)).toEqual([YARD, YARD, YARD, YARD]);
      expect(ludo.turn(after)).toBe(1);
      expect(view(after).last).toMatchObject([{ seat: 0, die, token: null, to: null }]);
    }
    const rolled = play(opening, 6);
    expect(choices(rolled)).toEqual([0, 1, 2, 3]);
    expect(view(rolled)).toMatchObject({ die: 6, last: [] });
    const out = act(rolled, { token: 2 }, dice()).state;
    expect(placesOf(out, 0)).toEqual([YARD, YARD, 0, YARD]);
    expect(ludo.turn(out)).toBe(0);
    expect(ludo.legalActions(out)).toEqual([{ roll: true }]);
  });

  test('[G-LUDO] a single movable token moves by itself', () => {
    const after = play(put([[3], []]), 4);
    expect(placesOf(after, 0)).toEqual([7, YARD, YARD, YARD]);
    expect(ludo.turn(after)).toBe(1);
    expect(view(after).last).toMatchObject([
      { seat: 0, die: 4, token: 0, from: 'track 3', to: 'track 7', captured: [], void: false },
    ]);
  });

  test('[G-LUDO] with two movable tokens the seat chooses', () => {
    const rolled = play(put([[3, 10], []]), 4);
    expect(choices(rolled)).toEqual([0, 1]);
    expect(placesOf(act(rolled, { token: 1 }, dice()).state, 0)).toEqual([3, 14, YARD, YARD]);
  });

  test('[G-LUDO] the goal needs an exact roll, and earns another', () => {
    const state = put([[HOME + 3], []]);
    const far = play(state, 3);
    expect([placesOf(far, 0)[0], ludo.turn(far)]).toEqual([HOME + 3, 1]);
    const done = play(state, 2);
    expect([placesOf(done, 0)[0], ludo.turn(done)]).toEqual([DONE, 0]);
  });

  test('[G-LUDO] a six that moves nothing still rolls again', () => {
    const after = play(put([[HOME, DONE, DONE, DONE], []]), 6);
    expect([ludo.turn(after), after.sixes]).toEqual([0, 1]);
    expect(placesOf(after, 0)[0]).toBe(HOME);
  });

  test('[G-LUDO] a capture sends back all tokens there, emits an event for each, and earns another roll', () => {
    // Seat 1 has two tokens on square 20, which is 20 from seat 0's start.
    const state = put([[17], [7, 7, 3], [], []]);
    const { state: after, events } = act(state, { roll: true }, dice(3));
    expect(placesOf(after, 1)).toEqual([YARD, YARD, 3, YARD]);
    expect(ludo.turn(after)).toBe(0);
    expect(events).toEqual([
      {
        type: 'ludo.captured',
        data: { seat: 0, token: 0, at: 'track 20', captured: { seat: 1, token: 0 } },
      },
      {
        type: 'ludo.captured',
        data: { seat: 0, token: 0, at: 'track 20', captured: { seat: 1, token: 1 } },
      },
    ]);
    expect(view(after).last[0]!.captured).toEqual([
      { seat: 1, token: 0 },
      { seat: 1, token: 1 },
    ]);
  });

  test('[G-LUDO] a six that captures earns one more roll, not two', () => {
    const after = play(put([[14], [7], [], []]), [6, 0], 1);
    expect(ludo.turn(after)).toBe(1);
    expect(placesOf(after, 0)[0]).toBe(21);
  });

  test('[G-LUDO] own tokens share a square, and a token on its home squares cannot be captured', () => {
    const together = play(put([[3, 7], []]), [4, 0]);
    expect(placesOf(together, 0)).toEqual([7, 7, YARD, YARD]);
    // Home squares of seat 1 would be 12 and on if they were shared.
    const home = play(put([[10], [HOME + 1], [], []]), 3);
    expect(placesOf(home, 1)[0]).toBe(HOME + 1);
  });
});

describe('options', () => {
  const sixes = put([[3], []]);

  test('[G-LUDO] thirdSixVoidsTurn true: the third six in a row undoes the whole turn', () => {
    const rolled = play(sixes, [6, 0], [6, 0]);
    expect(placesOf(rolled, 0)[0]).toBe(15);
    const after = play(rolled, 6);
    expect(placesOf(after, 0)).toEqual(placesOf(sixes, 0));
    expect([ludo.turn(after), after.sixes, after.before]).toEqual([1, 0, null]);
    expect(view(after).last).toMatchObject([{ die: 6, token: null, void: true }]);
  });

  test('[G-LUDO] thirdSixVoidsTurn true: tokens captured in the turn return, and the right to go home is lost again', () => {
    // A four captures on square 7, then three sixes.
    const state = put([[3], [46], [], []], { captureBeforeHome: true });
    const captured = play(state, 4);
    expect(placesOf(captured, 1)[0]).toBe(YARD);
    expect(captured.hasCaptured).toEqual([true, false, false, false]);
    const after = play(captured, [6, 0], [6, 0], 6);
    expect(after.tokens).toEqual(state.tokens);
    expect(after.hasCaptured).toEqual(state.hasCaptured);
  });

  test('[G-LUDO] thirdSixVoidsTurn "last": only the third six is lost', () => {
    const after = play(put([[3], []], { thirdSixVoidsTurn: 'last' }), [6, 0], [6, 0], 6);
    expect(placesOf(after, 0)[0]).toBe(15);
    expect(ludo.turn(after)).toBe(1);
  });

  test('[G-LUDO] sixes with another roll in between are not in a row', () => {
    const state = put([[0], [46], [], []]);
    // The second roll, a one, captures on square 7; then two sixes more.
    const after = play(state, [6, 0], 1, [6, 0], [6, 0]);
    expect([ludo.turn(after), after.sixes, placesOf(after, 0)[0]]).toEqual([0, 2, 19]);
  });

  test("[G-LUDO] ownPairIsBlock: an opponent's pair is neither passed nor landed on, unless it is off", () => {
    const places = [[3], [44, 44], [], []]; // Seat 1's pair is on square 5.
    const blocked = put(places, { ownPairIsBlock: true });
    expect(placesOf(play(blocked, 1), 0)[0]).toBe(4);
    for (const die of [2, 3, 4, 5]) {
      const after = play(blocked, die);
      expect([placesOf(after, 0)[0], ludo.turn(after)]).toEqual([3, 1]);
    }
    expect(choices(play(blocked, 6))).toEqual([1, 2, 3]);
    const free = put(places);
    expect(placesOf(play(free, 3), 0)[0]).toBe(6);
    expect(placesOf(play(free, 2), 1)).toEqual([YARD, YARD, YARD, YARD]);
  });

  test('[G-LUDO] ownPairIsBlock: a pair on a start keeps tokens in, one token does not, nor do tokens of two seats', () => {
    const rules = { ownPairIsBlock: true };
    const comesOut = (places: number[][]) => choices(play(put(places, rules), 6)).length > 0;
    expect(comesOut([[], [39, 39], [], []])).toBe(false);
    expect(comesOut([[], [39], [], []])).toBe(true);
    expect(comesOut([[], [39], [26], []])).toBe(true);
  });

  test('[G-LUDO] ownPairIsBlock: a block stops neither its own seat nor a partner, and not on the home squares', () => {
    const rules = { ownPairIsBlock: true };
    expect(placesOf(play(put([[3, 5, 5], []], rules), [4, 0]), 0)[0]).toBe(7);
    const partner = put([[3], [], [31, 31], []], { ...rules, variant: 'teams' });
    expect(placesOf(play(partner, 4), 0)[0]).toBe(7);
    expect(placesOf(play(put([[3], [], [31, 31], []], rules), 4), 0)[0]).toBe(3);
    // Seat 0 turns off at square 50; seat 1's pair is on 51 and not in its way.
    const turning = put([[49], [38, 38], [], []], rules);
    expect(placesOf(play(turning, 3), 0)[0]).toBe(HOME + 1);
  });

  test('[G-LUDO] captureBeforeHome: without a capture a token walks another lap', () => {
    const rules = { captureBeforeHome: true };
    const state = put([[49], [], [], []], rules);
    expect(view(play(state, 2)).tokens[0]![0]).toBe('track 51');
    expect(view(play(state, 5)).tokens[0]![0]).toBe('track 2');
    expect(placesOf(play(state, 5), 0)[0]).toBe(LAP + 2);
    const hasCaptured = [true, false, false, false];
    const earned = put([[49], [], [], []], rules, { hasCaptured });
    expect(view(play(earned, 2)).tokens[0]![0]).toBe('home 1');
    expect(view(play(put([[49], [], [], []]), 2)).tokens[0]![0]).toBe('home 1');
    // Past the turn-off already: once more around, and then home.
    const past = put([[51], [], [], []], rules, { hasCaptured });
    expect(view(play(past, 1)).tokens[0]![0]).toBe('track 0');
    const again = put([[LAP + 49], [], [], []], rules, { hasCaptured });
    expect(placesOf(play(again, 2), 0)[0]).toBe(LAP + HOME);
  });

  test('[G-LUDO] startSquaresSafe: no captures on start squares, and with it off there are', () => {
    const places = [[11], [0], [], []]; // Seat 1's start is square 13.
    expect(placesOf(play(put(places), 2), 1)[0]).toBe(0);
    const unsafe = play(put(places, { startSquaresSafe: false }), 2);
    expect(placesOf(unsafe, 1)[0]).toBe(YARD);
    const coming = put([[], [39], [], []], { startSquaresSafe: false });
    expect(placesOf(play(coming, [6, 0]), 1)[0]).toBe(YARD);
    const star = put([[6], [47], [], []], { startSquaresSafe: false }); // Square 8.
    expect(placesOf(play(star, 2), 1)[0]).toBe(47);
  });

  test('[G-LUDO] each option has its bounds and default', () => {
    expect(ludo.options).toEqual({
      thirdSixVoidsTurn: { kind: 'choice', values: [true, 'last'], default: true },
      ownPairIsBlock: { kind: 'boolean', default: false },
      captureBeforeHome: { kind: 'boolean', default: false },
      startSquaresSafe: { kind: 'boolean', default: true },
    });
  });
});

describe('input', () => {
  test('[G-LUDO] refusals name the error', () => {
    const refuse = (state: LudoState, action: LudoAction, seat = 0) =>
      ludo.apply(state, seat, action, dice());
    const illegal = (error: string) => ({ code: 'illegal_move' as const, error });
    const opening = put([[], []]);
    const rolled = play(put([[3, 10, HOME + 4], []]), 4);
    expect(refuse(opening, { token: 0 })).toEqual(illegal('The die has not been rolled yet'));
    expect(refuse(rolled, { roll: true })).toEqual(
      illegal('The 4 that was rolled waits for a token'),
    );
    expect(refuse(rolled, { token: 2 })).toEqual(illegal('Token 2 cannot move 4'));
    expect(refuse(rolled, { token: 1 }, 1)).toEqual({
      code: 'not_your_turn',
      error: "It is seat 0's turn",
    });
    const over = put([[DONE, DONE, DONE, DONE], []], {}, { home: [0] });
    expect(refuse(over, { roll: true }, 1)).toEqual(illegal('The game is over'));
  });

  test('[G-LUDO] an action is a roll or a token from 0 to 3, and not both', () => {
    expect(ludo.parseAction({ roll: true })).toEqual({ roll: true });
    for (const token of [0, 1, 2, 3]) expect(ludo.parseAction({ token })).toEqual({ token });
    const junk = [
      { roll: false },
      { roll: 1 },
      { roll: 'true' },
      { roll: true, token: 0 },
      { roll: false, token: 0 },
      { token: 4 },
      { token: -1 },
      { token: 0.5 },
      { token: '0' },
      { token: null },
      {},
      [],
      null,
      'roll',
      6,
    ];
    for (const input of junk) expect(ludo.parseAction(input)).toBeNull();
  });

  test('[G-LUDO] a roll is written roll, a move as die and token from 1', () => {
    const opening = put([[], []]);
    expect(ludo.makeNotation(opening, { roll: true })).toBe('roll');
    expect(ludo.parseNotation(opening, 'roll')).toEqual({ roll: true });
    const rolled = play(put([[3, 10], []]), 4);
    expect(ludo.makeNotation(rolled, { token: 1 })).toBe('4:2');
    expect(ludo.parseNotation(rolled, '4:2')).toEqual({ token: 1 });
    for (const text of ['4:3', '5:2', 'roll', '4:0', '4:02', ' 4:2', '']) {
      expect(ludo.parseNotation(rolled, text)).toBeNull();
    }
  });
});
