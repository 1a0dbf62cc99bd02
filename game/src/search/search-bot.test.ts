/** The search bot: its moves, its strength, its fairness, and the differences between levels. */

import { describe, expect, test } from 'bun:test';
import { checkers } from '../../../src/games/checkers/checkers.ts';
import { connect4 } from '../../../src/games/connect4/connect4.ts';
import { fightArena } from '../../../src/games/fight-arena/fight-arena.ts';
import { ludo } from '../../../src/games/ludo/ludo.ts';
import { pool } from '../../../src/games/pool/pool.ts';
import { tictactoeBot } from '../../../src/games/tictactoe/bot.ts';
import { tictactoe } from '../../../src/games/tictactoe/tictactoe.ts';
import { testRuns } from '../../../src/testing/test-runs.ts';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import type { AnyBot, AnyMind, BotLevel } from '../bot.ts';
import { BOT_LEVELS, NODES_MAX } from '../bot.ts';
import type { AnyGame, Json } from '../game.ts';
import { isRefusal } from '../game.ts';
import { makeRandom } from '../random.ts';
import { deepFreeze, makeSetups, playRandomly } from '../testing/random-play.ts';
import { pick, race } from '../testing/toys.test-kit.ts';
import { anyhow, playDuel, ruled, searching } from './duel.test-kit.ts';
import { canSearch, makeSearchBot } from './search-bot.ts';
import type { PokerMove, PokerState, SpotAction } from './toys.test-kit.ts';
import { HANDS, hideAndSeek, pig, rockPaperScissors, threeCardPoker } from './toys.test-kit.ts';

/** On a busy machine. */
const TEST_MS_MAX = 60_000;

const chance = (name: string) => makeRandom(`${TEST_SEED}`, () => name, 0);
const mindOf = (game: AnyGame): AnyMind => makeSearchBot(game)!.makeMind();

/** Its games show what the search must handle: nothing special, dice, cards, and simultaneous actions. */
const GAMES: readonly AnyGame[] = [
  tictactoe,
  connect4,
  checkers,
  ludo,
  pig,
  threeCardPoker,
  rockPaperScissors,
  pick,
];

describe('which games it plays', () => {
  test.each(GAMES)('[G-SEARCH] $id: yes', (game) => expect(canSearch(game)).toBe(true));

  const secret: AnyGame = { ...tictactoe, openInformation: false };
  const REFUSED: readonly (readonly [string, AnyGame])[] = [
    ['by the clock', fightArena],
    ['with shots that cannot be listed', pool],
    ['with no list of actions', race],
    ['with secrets that cannot be imagined', secret],
  ];
  test.each(REFUSED)('[G-SEARCH] none %s', (_, game) => {
    expect(canSearch(game)).toBe(false);
    expect(makeSearchBot(game)).toBeNull();
  });
});

describe.each(GAMES)('$id', (game) => {
  test.each(BOT_LEVELS)(
    `[G-SEARCH] %s plays legal actions anywhere (seed ${TEST_SEED})`,
    (level) => {
      const mind = mindOf(game);
      const chooser = chance(`${game.id} ${level}`);
      for (const setup of makeSetups(game)) {
        const { positions } = playRandomly({
          game,
          play: {},
          setup,
          secret: `${TEST_SEED}`,
          chooser,
        });
        const open = positions.filter(({ state }) => game.outcome(state) === null);
        for (let n = 0; n < testRuns(8); n += 1) {
          const { state } = open[chooser.integer(open.length)]!;
          for (const seat of game.acting?.(state) ?? [game.turn(state)!]) {
            const action = mind.choose(deepFreeze({ state, seat, level, nodesMax: 400 }), chooser);
            expect(game.legalActions(state, seat)).toContainEqual(action);
            expect(isRefusal(game.apply(state, seat, action, chooser))).toBe(false);
          }
        }
      }
    },
    TEST_MS_MAX,
  );
});

test('[G-SEARCH] the same question and the same random numbers give the same action', () => {
  const state = connect4.initial(makeSetups(connect4)[0]!);
  const mind = mindOf(connect4);
  for (const level of BOT_LEVELS) {
    const ask = () => mind.choose({ state, seat: 0, level, nodesMax: 2_000 }, chance(level));
    expect(ask()).toEqual(ask());
    expect(ask()).toEqual(
      mindOf(connect4).choose({ state, seat: 0, level, nodesMax: 2_000 }, chance(level)),
    );
  }
});

test('[G-SEARCH] a level examines its number of positions, or fewer if the question or the game says so', () => {
  let applied = 0;
  const counted: AnyGame = {
    ...(connect4 as AnyGame),
    apply(...asked) {
      applied += 1;
      return (connect4 as AnyGame).apply(...asked);
    },
  };
  const state = connect4.initial(makeSetups(connect4)[0]!) as Json;
  const count = (bot: AnyBot, level: BotLevel, nodesMax = NODES_MAX[level]): number => {
    applied = 0;
    bot.makeMind().choose({ state, seat: 0, level, nodesMax }, chance('count'));
    return applied;
  };
  const usual = makeSearchBot(counted)!;
  expect(count(usual, 'hard')).toBeGreaterThan(9_000);
  expect(count(usual, 'hard')).toBeLessThan(12_001);
  expect(count(usual, 'hard', 300)).toBeLessThan(301);
  expect(count(makeSearchBot(counted, { positions: { hard: 1_000 } })!, 'hard')).toBeLessThan(
    1_001,
  );
});

describe('how well it plays', () => {
  const RIVALS = [
    ['random', anyhow(tictactoe)],
    ['perfect', { mind: tictactoeBot.makeMind() as AnyMind, level: 'perfect' as const }],
  ] as const;
  test.each(RIVALS)(
    `[G-SEARCH] tic-tac-toe: hard loses no game to %s (seed ${TEST_SEED})`,
    (_, rival) => {
      const sides = [searching(tictactoe, 'hard'), rival] as const;
      expect(playDuel({ game: tictactoe, sides, rounds: testRuns(40) }).lost).toBe(0);
    },
    TEST_MS_MAX,
  );

  /** Rounds of two games: enough to show the difference. */
  const LEVELS: readonly (readonly [AnyGame, BotLevel, BotLevel, number])[] = [
    [tictactoe, 'medium', 'easy', 40],
    [connect4, 'medium', 'easy', 12],
    [pig, 'medium', 'easy', 40],
  ];
  for (const [game, stronger, weaker, rounds] of LEVELS) {
    test(
      `[G-SEARCH] ${game.id}: ${stronger} beats ${weaker} (seed ${TEST_SEED})`,
      () => {
        const sides = [searching(game, stronger), searching(game, weaker)] as const;
        expect(playDuel({ game, sides, rounds }).score.low).toBeGreaterThan(0.5);
      },
      TEST_MS_MAX,
    );
  }

  test(`[G-SEARCH] easy is often beaten by a player who sees one ply (seed ${TEST_SEED})`, () => {
    const child = { mind: tictactoeBot.makeMind() as AnyMind, level: 'medium' as const };
    const sides = [searching(tictactoe, 'easy'), child] as const;
    expect(playDuel({ game: tictactoe, sides, rounds: 50 }).lost).toBeGreaterThan(20);
  });
});

describe('hidden information', () => {
  /** Every choice of a level in a state, for some random numbers. */
  const choices = (game: AnyGame, level: BotLevel, state: Json, seat: number): readonly Json[] =>
    Array.from({ length: 4 }, (_, n) =>
      mindOf(game).choose({ state, seat, level, nodesMax: 1_500 }, chance(`fair ${n}`)),
    );

  test.each(BOT_LEVELS)('[G-SEARCH] poker: %s plays the same against either card', (level) => {
    for (const own of [0, 1, 2]) {
      for (const moves of [['check'], ['bet']] as const) {
        const [one, other] = [0, 1, 2].filter((card) => card !== own);
        const state = (card: number | undefined) => ({
          cards: [own, card!],
          moves: [...moves],
          chips: [0, 0],
          left: 5,
        });
        expect(choices(threeCardPoker, level, state(one), 0)).toEqual(
          choices(threeCardPoker, level, state(other), 0),
        );
      }
    }
  });

  test('[G-SEARCH] rock, paper, scissors: what the other has chosen makes no difference', () => {
    const state = (hand: string) => ({ chosen: [hand, null], won: [0, 0], left: 2 });
    const [first, ...others] = HANDS.map((hand) =>
      choices(rockPaperScissors, 'hard', state(hand), 1),
    );
    for (const each of others) expect(each).toEqual(first!);
  });

  test(`[G-SEARCH] poker: it never folds the best card nor calls with the worst (seed ${TEST_SEED})`, () => {
    for (let n = 0; n < 10; n += 1) {
      const answer = (card: number) => {
        const state = { cards: [card, 1], moves: ['bet'], chips: [0, 0], left: 5 };
        const question = { state, seat: 0, level: 'hard', nodesMax: 6_000 } as const;
        return mindOf(threeCardPoker).choose(question, chance(`sane ${n}`));
      };
      expect(answer(2)).toEqual({ move: 'call' });
      expect(answer(0)).toEqual({ move: 'fold' });
    }
  });

  const byMove = (first: PokerMove, answer: PokerMove) =>
    ruled((state) => ({ move: (state as PokerState).moves.at(-1) === 'bet' ? answer : first }));
  const STUBBORN = [
    ['always bet and call', byMove('bet', 'call')],
    ['bet and fold', byMove('bet', 'fold')],
    ['check and call', byMove('check', 'call')],
    ['check and fold', byMove('check', 'fold')],
  ] as const;
  test.each(STUBBORN)(`[G-SEARCH] poker: to %s does not pay (seed ${TEST_SEED})`, (_, rival) => {
    const sides = [searching(threeCardPoker, 'medium', 600), rival] as const;
    const { score } = playDuel({ game: threeCardPoker, sides, rounds: 50 });
    expect(score.value).toBeGreaterThan(0.5);
  });
});

describe('several seats at once', () => {
  const mind = mindOf(rockPaperScissors);
  const { initial } = rockPaperScissors;
  const state = initial({ variant: 'standard', seats: 2, options: { rounds: 1 } });

  test(`[G-SEARCH] rock, paper, scissors: each hand is chosen about as often (seed ${TEST_SEED})`, () => {
    const counts: Record<string, number> = { rock: 0, paper: 0, scissors: 0 };
    const games = 240;
    for (let n = 0; n < games; n += 1) {
      const question = { state, seat: n % 2, level: 'hard', nodesMax: 1_500 } as const;
      counts[(mind.choose(question, chance(`spread ${n}`)) as { hand: string }).hand]! += 1;
    }
    for (const count of Object.values(counts)) {
      // A third, and four standard deviations of 7.3 on either side.
      expect(Math.abs(count - games / 3)).toBeLessThan(30);
    }
  });

  test(`[G-SEARCH] hide and seek: a third of the choices is the open (seed ${TEST_SEED})`, () => {
    const start = hideAndSeek.initial({ variant: 'standard', seats: 2, options: {} });
    const seeker = mindOf(hideAndSeek);
    let inTheOpen = 0;
    const games = 120;
    for (let n = 0; n < games; n += 1) {
      const question = { state: start, seat: n % 2, level: 'hard', nodesMax: 6_000 } as const;
      const { spot } = seeker.choose(question, chance(`hide ${n}`)) as SpotAction;
      if (spot === 'open') inTheOpen += 1;
    }
    // Three standard deviations of 5.2.
    expect(Math.abs(inTheOpen - games / 3)).toBeLessThan(16);
  });

  test.each(HANDS)(
    `[G-SEARCH] showing %s without limit wins no more than half (seed ${TEST_SEED})`,
    (hand) => {
      const sides = [searching(rockPaperScissors, 'hard', 600), ruled(() => ({ hand }))] as const;
      const setup = { options: { rounds: 3 } };
      const { score } = playDuel({ game: rockPaperScissors, sides, rounds: 40, setup });
      expect(score.high).toBeGreaterThan(0.5);
    },
  );
});
