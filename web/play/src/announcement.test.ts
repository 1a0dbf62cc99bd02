/** Tests of what screen readers announce when a whole state shows more than one step. */

import { describe, expect, test } from 'bun:test';
import { announcementOf } from './announcement.ts';
import { loadBoard } from './games/index.ts';
import { en } from './i18n/en.ts';
import { makeTranslate } from './i18n/translate.ts';
import type { ServerFrame, SessionView } from './protocol.ts';
import { BLANK_SESSION, testPlayer as player, sessionWith } from './session.test-kit.ts';

const t = makeTranslate('en', en);

/** Bea's own page: she has seat 1. */
const SESSION: SessionView = { ...BLANK_SESSION, v: 5, seat: 1, turn: 1, acting: [1] };

/** The announcement when `after` is shown to a viewer of `before`. */
async function announced(before: Partial<SessionView> | null, after: Partial<SessionView>) {
  const session = sessionWith(SESSION, after);
  const { s, v, game } = session;
  const change = {
    before: before === null ? null : sessionWith(SESSION, { game, ...before }),
    session,
    cause: { t: 'state', s, v } as unknown as ServerFrame,
    board: await loadBoard(game, t),
    now: 0,
  };
  return announcementOf(change, t).texts;
}

/** A board with pieces on some of its cells. */
function boardOf(count: number, at: Readonly<Record<number, unknown>>): unknown {
  return { board: Array.from({ length: count }, (_, cell) => at[cell] ?? null) };
}

describe('the announcement after a gap', () => {
  test('[W6] names the moves of tic-tac-toe, including the player’s own pending one', async () => {
    const X4 = boardOf(9, { 4: 'X' });
    expect(await announced({ turn: 0, view: boardOf(9, {}) }, { view: X4 })).toEqual([
      'Ada: X in row 2, column 2',
      'Your turn',
    ]);
    const both = boardOf(9, { 0: 'O', 4: 'X', 8: 'X' });
    expect(await announced({ view: X4 }, { view: both })).toEqual([
      'You: O in row 1, column 1',
      'Ada: X in row 3, column 3',
      'Your turn',
    ]);
  });

  test('[W6] names a move of connect four', async () => {
    const before = { turn: 0, view: boardOf(42, { 38: 'red', 37: 'yellow' }) };
    const view = boardOf(42, { 38: 'red', 37: 'yellow', 31: 'red' });
    expect(await announced(before, { game: 'connect4', view })).toEqual([
      'Ada: red in column 4',
      'Your turn',
    ]);
  });

  test('[W6] names the target of a checkers move, and the captured pieces', async () => {
    const [red, black] = [0, 1].map((seat) => ({ seat, king: false }));
    const game = 'checkers' as const;
    const variant = 'international';
    const start = boardOf(100, { 12: black, 23: black, 34: red });
    const before = { turn: 0, variant, view: start };
    const takes = boardOf(100, { 12: red });
    expect(
      await announced(before, {
        game,
        variant,
        view: boardOf(100, { 12: black, 23: black, 25: red }),
      }),
    ).toEqual(['Ada: 18 to 13', 'Your turn']);
    const taken = { game, variant, view: takes, turn: 0 };
    expect(
      (await announced({ ...before, view: boardOf(100, { 23: black, 34: red }) }, taken))[0],
    ).toBe('Ada: 18 takes to 7');
  });

  test('[W6] says nothing of a checkers move whose start is ambiguous', async () => {
    const [red, black] = [0, 1].map((seat) => ({ seat, king: false }));
    const before = boardOf(64, { 42: red, 44: red, 1: black });
    const view = boardOf(64, { 35: red, 1: black });
    const game = 'checkers' as const;
    expect(await announced({ turn: 0, view: before }, { game, view })).toEqual(['Your turn']);
    const legal = [{ from: 42, to: 35 }];
    const certain = await announced({ turn: 0, view: before, legal }, { game, view });
    expect(certain[0]).toBe('Ada: 22 to 18');
  });

  test('[W6] distinguishes a recapture in checkers from the capture before it', async () => {
    const [red, black] = [0, 1].map((seat) => ({ seat, king: false }));
    const game = 'checkers' as const;
    // Bea captures from 19 over 28 to 37; Ada recaptures from 44, or moves elsewhere.
    const before = boardOf(64, { 1: black, 19: black, 28: red, 44: red, 62: red });
    const legal = [{ from: 19, to: 37 }];
    const back = boardOf(64, { 1: black, 30: red, 62: red });
    expect(await announced({ view: before, legal }, { game, view: back })).toEqual([
      'Ada: 23 takes to 16',
      'Your turn',
    ]);
    const away = boardOf(64, { 1: black, 37: black, 44: red, 53: red });
    expect(await announced({ view: before, legal }, { game, view: away })).toEqual([
      'You: 10 takes to 19',
      'Ada: 32 to 27',
      'Your turn',
    ]);
  });

  test('[W6] names the last roll of ludo and the last shot of pool', async () => {
    const tokens = [0, 1].map(() => Array<string>(4).fill('yard'));
    const step = { seat: 0, die: 3, token: null, from: null, to: null, captured: [], void: false };
    const before = { turn: 0, view: { tokens, die: null, last: [] } };
    const ludo = (view: object, turn = 1) =>
      announced(before, { game: 'ludo', turn, view: { tokens, die: null, last: [], ...view } });
    expect(await ludo({ last: [step] })).toEqual(['Ada rolled 3 and cannot move', 'Your turn']);
    expect(await ludo({ die: 5 }, 0)).toEqual(['Ada rolled 5']);
    // The pending roll was another player's: this one is announced completely.
    const moved = { ...step, die: 6, token: 1, from: 'yard', to: 'track 0' };
    const own = { turn: 1, view: { tokens, die: 4, last: [] } };
    const answered = { game: 'ludo', view: { tokens, die: null, last: [moved] } } as const;
    expect(await announced(own, answered)).toEqual([
      'Ada rolled 6: token 2, square 1',
      'Your turn',
    ]);
    expect(await ludo({}, 0)).toEqual([]);
    const three = { ...before, game: 'ludo', seats: 3 } as const;
    const left = { tokens, die: null, last: [], out: [0] };
    expect(await announced(three, { ...three, turn: 1, view: left })).toEqual([
      'Ada: left the match',
      'Your turn',
    ]);
    const last = { seat: 0, before: [], pocketed: [{ ball: 9, pocket: 'foot-left' }], foul: null };
    const shot = { game: 'pool' as const, view: { last } };
    const aim = { turn: 0, view: { last: null } };
    expect((await announced(aim, shot))[0]).toBe('Ada played, ball 9 in a corner pocket');
    // A choice leaves the previous shot unchanged.
    expect(await announced({ turn: 1, view: { last, choices: ['pass'] } }, shot)).toEqual([]);
  });

  test('[W6] includes draw offers, and players who left or joined', async () => {
    const view = boardOf(42, {});
    const away = [player(0, 'Ada', false), player(1, 'Bea')];
    const after = { game: 'connect4' as const, view, drawOfferedBy: 0, players: away };
    expect(await announced({ view }, after)).toEqual([
      'Ada: draw offered',
      'Ada lost the connection',
    ]);
    expect(await announced({ view, players: away }, { view })).toEqual(['Ada is back']);
  });

  test('[M5][W6] says who has not come yet to a match that began without them, and that they have come', async () => {
    const view = boardOf(42, {});
    const awaited = { view, players: [player(0, 'Ada', false), player(1, 'Bea')], awaited: [0] };
    expect(await announced(null, awaited)).toEqual(['Ada has not come yet', 'Your turn']);
    expect(await announced(awaited, { view })).toEqual(['Ada is there']);
  });

  test('[W6] names the move that ended the match before the result', async () => {
    const line = { 3: 'O', 0: 'X', 1: 'X' };
    const placements = [0, 1].map((seat) => ({ seat, place: seat + 1 }));
    const result = { reason: 'three_in_a_row', winners: ['ada'], placements };
    const ended = {
      status: 'ended',
      turn: null,
      view: boardOf(9, { ...line, 2: 'X' }),
      result: result as unknown as SessionView['result'],
    } as const;
    expect(await announced({ turn: 0, view: boardOf(9, line) }, ended)).toEqual([
      'Ada: X in row 1, column 3. You lost. Three in a row.',
    ]);
  });

  test('[W6] of a page’s first state says whose turn it is', async () => {
    const view = boardOf(9, { 4: 'X' });
    expect(await announced(null, { view })).toEqual(['Your turn']);
    expect(await announced({ view }, { view })).toEqual([]);
    const pending = { status: 'pending', turn: null, view: null } as const;
    expect(await announced(pending, { view: boardOf(9, {}) })).toEqual([
      'The match begins',
      'Your turn',
    ]);
  });
});
