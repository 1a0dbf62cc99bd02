/** Tests of the status line: every state of connection and match has its own sentence. */

import { describe, expect, test } from 'bun:test';
import { en } from './i18n/en.ts';
import { makeTranslate } from './i18n/translate.ts';
import type { Model } from './model.ts';
import type { ConnectionStatus, ResultFrame, SessionView } from './protocol.ts';
import { headlineOf, reasonOf } from './result-words.ts';
import { BLANK_SESSION, testPlayer as player, sessionWith } from './session.test-kit.ts';
import { describeStatus } from './status-line.ts';

const NOW = { server: 100_000, own: 5_000 };
const t = makeTranslate('en', en);

const SESSION: SessionView = {
  ...BLANK_SESSION,
  v: 5,
  game: 'connect4',
  legal: [],
  turnAt: 90_000,
  deadline: 130_000,
};
const MODEL: Model = {
  connection: { kind: 'open' },
  online: true,
  session: SESSION,
  board: null,
  sending: null,
  refusal: null,
  refused: null,
  watchers: null,
};

const statusOf = (session: Partial<SessionView>, model: Partial<Model> = {}) =>
  describeStatus({ ...MODEL, session: sessionWith(SESSION, session), ...model }, NOW, t);

const waiting = (cause: 'lost' | 'overloaded' | 'too_fast' | 'restarting'): ConnectionStatus => ({
  kind: 'waiting',
  cause,
  attempt: 0,
  retryAt: NOW.own + 2_500,
});

describe('the player to move', () => {
  test('[P6] is named, with the remaining time when it is short', () => {
    expect(statusOf({})).toMatchObject({ tone: 'mine', text: 'Your turn' });
    expect(statusOf({ turn: 1 })).toMatchObject({ tone: 'calm', text: 'Bea to move' });
    expect(statusOf({ warned: 0 }).text).toBe('Still there? Your time runs out in 0:30');
    expect(statusOf({ turn: 1, warned: 1 }).text).toBe('Bea has 0:30 left to move');
    expect(statusOf({ seat: null }).text).toBe('Ada to move');
  });

  test('[P6] who is disconnected has until the deadline', () => {
    const players = [player(0, 'Ada'), player(1, 'Bea', false)];
    expect(statusOf({ players, graces: [null, 142_000] })).toMatchObject({
      text: 'Bea lost the connection',
      detail: '0:42 left to come back',
    });
    expect(statusOf({ players, graces: [null, 142_000], awaited: [1] })).toMatchObject({
      text: 'Bea has not come yet',
      detail: '0:42 left to come',
    });
  });

  test('[WEB] excludes a player who is out while others play on, and the page says so', () => {
    const players = [player(0, 'Ada'), player(1, 'Bea'), player(2, 'Cem', false)];
    const three = { players, seats: 3, graces: [null, null, null] };
    expect(statusOf({ ...three, turn: 1, view: { out: [0, 2] } })).toMatchObject({
      text: 'Bea to move',
      detail: 'You are out; the others play on',
    });
    expect(statusOf({ ...three, view: { out: [2] } })).toMatchObject({
      text: 'Your turn',
      detail: null,
    });
    expect(statusOf({ ...three, view: { out: [1] } }).text).toBe('Cem lost the connection');
  });

  test('[P6] with simultaneous moves those who have not moved are named', () => {
    const names = ['Ada', 'Bea', 'Cem', 'Dia', 'Eli'];
    const players = names.map((name, seat) => player(seat, name));
    const five = { players, seats: 5, turn: null, graces: names.map(() => null) };
    expect(statusOf({ ...five, acting: [0, 1, 2] })).toMatchObject({
      tone: 'mine',
      text: 'Your turn',
    });
    expect(statusOf({ ...five, acting: [1] }).text).toBe('Waiting for Bea');
    expect(statusOf({ ...five, acting: [1, 2, 4] }).text).toBe('Waiting for Bea, Cem, and Eli');
    expect(statusOf({ ...five, acting: [1, 2, 3, 4] }).text).toBe(
      'Waiting for Bea, Cem, and 2 more',
    );
    expect(statusOf({ ...five, acting: [0, 1], warned: 1 }).text).toBe('Your turn');
    expect(statusOf({ ...five, acting: [0, 1], warned: 0 }).text).toMatch(/^Still there/);
  });

  test('[E4] a draw offer asks the player who receives it', () => {
    expect(statusOf({ drawOfferedBy: 1 })).toMatchObject({
      text: 'Bea offers a draw',
      offers: 'draw',
    });
    expect(statusOf({ drawOfferedBy: 0 })).toMatchObject({
      detail: 'You offered a draw',
      offers: null,
    });
    expect(statusOf({ drawOfferedBy: 0, seat: null }).detail).toBeNull();
  });
});

describe('before the match and without a connection', () => {
  test('[S1] names the players awaited and for how long', () => {
    const pending = { status: 'pending', turn: null, deadline: 220_000 } as const;
    expect(statusOf({ ...pending, players: [player(0, 'Ada')] })).toMatchObject({
      text: 'Waiting for an opponent',
      detail: 'This room closes in 2:00',
    });
    expect(statusOf(pending).text).toBe('Waiting for Bea');
  });

  test('[W9] a room of more seats says how many are missing, and names the last one', () => {
    const four = { status: 'pending', turn: null, seats: 4 } as const;
    const ada = player(0, 'Ada');
    expect(statusOf({ ...four, players: [ada] }).text).toBe('Waiting for 3 more players');
    const three = [ada, player(1, 'Bea'), player(2, 'Cem')];
    expect(statusOf({ ...four, players: three }).text).toBe('Waiting for 1 more player');
    const away = [...three.slice(0, 2), player(2, 'Cem', false), player(3, 'Dan', false)];
    expect(statusOf({ ...four, players: away }).text).toBe('Waiting for 2 more players');
    const last = [...three, player(3, 'Dan', false)];
    expect(statusOf({ ...four, players: last }).text).toBe('Waiting for Dan');
    expect(statusOf({ ...four, players: [...three, player(3, 'Dan')] }).text).toBe('One moment…');
    expect(statusOf({ ...four, seat: null, players: [ada] }).text).toBe(
      'Waiting for 3 more players',
    );
  });

  test('[P5] a lost connection says why and when it is retried', () => {
    expect(statusOf({}, { connection: waiting('lost') })).toMatchObject({
      tone: 'bad',
      text: 'Connection lost',
      detail: 'Trying again in 3 s',
      offers: 'retry',
    });
    expect(statusOf({}, { connection: waiting('overloaded') }).text).toMatch(/full/);
    expect(statusOf({}, { connection: waiting('restarting') }).text).toMatch(/restarts/);
    expect(statusOf({}, { connection: waiting('too_fast') }).offers).toBeNull();
    expect(statusOf({}, { connection: waiting('lost'), online: false }).text).toMatch(/offline/);
  });
});

describe('the end', () => {
  const result = (reason: string, winner: number | null): ResultFrame => ({
    winner: winner === null ? null : SESSION.players[winner]!.id,
    winners: winner === null ? [] : [SESSION.players[winner]!.id],
    placements: [0, 1].map((seat) => ({
      playerId: SESSION.players[seat]!.id,
      seat,
      isBot: false,
      place: winner === null || seat === winner ? 1 : 2,
    })),
    reason,
    durationMs: 61_000,
    moveCount: 7,
  });
  const words = (seat: number | null, ended: ResultFrame): string => {
    const session = { ...SESSION, seat };
    return `${headlineOf(session, ended, t)}: ${reasonOf(session, ended, t)}`;
  };

  test('[S8] reads the same for all players of a team that lost', () => {
    const players = [0, 1, 2, 3].map((seat) => ({ ...SESSION.players[0]!, id: `p${seat}`, seat }));
    const session = { ...SESSION, players, seats: 4 };
    const places = [3, 1, 4, 1];
    const ended: ResultFrame = {
      ...result('team_left', null),
      winners: ['p1', 'p3'],
      placements: players.map(({ id, seat }) => ({
        playerId: id,
        seat,
        isBot: false,
        place: places[seat]!,
      })),
    };
    const read = [0, 1, 2, 3].map((seat) => reasonOf({ ...session, seat }, ended, t));
    const [own, other] = ['Your team lost a player', 'The other team lost a player'];
    expect(read).toEqual([own!, other!, own!, other!]);
  });

  test('[S8] of an operator’s game has the game’s own words, those of the page, or readable words of its reason', () => {
    const own = makeTranslate('en', en);
    own.add({
      'my-game.reason.board_full': 'No room for {loser}',
      'my-game.reason.board_full.you': 'No room for you',
    });
    const read = (game: string, reason: string, seat = 1) =>
      reasonOf({ ...SESSION, game: game as 'ludo', seat }, result(reason, 1), own);
    expect(read('my-game', 'board_full')).toBe('No room for Ada');
    expect(read('my-game', 'board_full', 0)).toBe('No room for you');
    expect(read('other', 'board_full')).toBe('The board is full');
    expect(read('my-game', 'most_points')).toBe('Most points');
    expect(read('my-game', 'constructor')).toBe('Constructor');
  });

  test('[S8] is worded for the player who reads it', () => {
    expect(words(0, result('four_in_a_row', 0))).toBe('You won: Four in a row');
    expect(words(1, result('resignation', 0))).toBe('You lost: You resigned');
    expect(words(0, result('resignation', 0))).toBe('You won: Bea resigned');
    expect(words(null, result('afk_timeout', 1))).toBe('Bea wins: Ada ran out of time');
    expect(words(0, result('disconnect', 1))).toBe('You lost: You were away too long');
    expect(words(0, result('draw_agreed', null))).toBe('Draw: By agreement');
    expect(words(0, result('board_full', null))).toBe('Draw: The board is full');
    expect(words(0, result('aborted', null))).toBe('Match over: The match was called off');
    expect(words(0, result('something_new', 0))).toBe('You won: Something new');
  });

  test('[S8] stays whatever happens to the connection', () => {
    const ended = { status: 'ended', result: result('four_in_a_row', 0) } as const;
    expect(statusOf(ended, { connection: { kind: 'closed' } })).toMatchObject({ text: 'You won' });
  });
});
