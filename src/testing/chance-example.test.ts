/** Random values can be verified with the guide alone: its test vectors, and the verifier written from it. */

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AnyGame, GameId, Json } from '../../game/src/game.ts';
import type { Random } from '../../game/src/random.ts';
import { makeRandom, sha256Hex } from '../../game/src/random.ts';
import { playOf } from '../games/plays.test-kit.ts';
import { findGame, shippedGames } from '../games/registry.ts';
import { turnOf } from '../match/frames/frames.ts';
import type { SessionSetup } from '../match/record.ts';
import { verifyReplay } from '../match/replay/replay.ts';
import type { Replay } from '../match/replay/replay-form.ts';
import { drawSeats, seatOrder } from '../match/seating.ts';
import type { ActiveSession } from '../match/session.ts';
import { makeChanceVerifier } from './chance-verifier.ts';
import { replayOf } from './matches/replay-laws.ts';
import type { Trace } from './matches/session-trace.ts';
import { follow, makeTestSetup, openTrace, SECOND, T0 } from './matches/session-trace.ts';
import { makeTempFolder, removeFolder } from './temp-folder.ts';
import { TEST_SEED } from './test-seed.ts';

/** Processes are started, and the machine may be busy. */
setDefaultTimeout(60_000);

const GUIDE = readFileSync(path.join(import.meta.dirname, '../../docs/guides/fairness.md'), 'utf8');
const VECTORS = /```json\n([\s\S]*?)```/.exec(GUIDE)![1]!;
const ACTIONS = 60;
/** One turn in this many is missed. */
const MISS_ONE_IN = 6;

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));
const verifier = makeChanceVerifier(folder);
const verify = verifier ?? (() => ({ exit: null, said: 'no python3 here' }));

const MATCHES: readonly (readonly [GameId, Partial<SessionSetup>])[] = [
  ['tictactoe', {}],
  ['connect4', {}],
  ['checkers', { variant: 'international' }],
  ['fight-arena', {}],
  ['ludo', { variant: 'classic', seats: 4 }],
  ['ludo', { variant: 'timed', seats: 3 }],
  ['ludo', { variant: 'teams', seats: 4 }],
  ['pool', { variant: 'eightball' }],
  ['pool', { variant: 'nineball' }],
];

function actionOf(game: AnyGame, state: Json, seat: number, random: Random): Json {
  const legal = game.legalActions(state);
  if (legal === null) return playOf(game.id).randomAction!(state, random, seat);
  return legal[random.integer(legal.length)]!;
}

function actOnce(game: AnyGame, trace: Trace, random: Random): Trace {
  const session = trace.session as ActiveSession;
  const seat = turnOf(session)!;
  if (game.missTurn !== undefined && random.integer(MISS_ONE_IN) === 0) {
    return follow(trace, { kind: 'tick' }, session.at + session.setup.turnTimeoutMs);
  }
  const action = actionOf(game, session.play.state, seat, random);
  const id = `a${trace.entries.length}`;
  return follow(trace, { kind: 'act', seat, id, action }, session.at + SECOND);
}

/** A match whose seats are drawn and whose first player adds entropy, up to its end. */
function playMatch(id: GameId, change: Partial<SessionSetup>): Replay {
  const game = findGame(id)!;
  const random = makeRandom(`${TEST_SEED}`, () => `${id} ${change.variant}`, 0);
  const seed = sha256Hex(`${TEST_SEED} ${id}`);
  const setup = makeTestSetup({ game: id, seating: 'drawn', seed, ...change });
  const seats = seatOrder(setup);
  let so = openTrace(setup, seats);
  so = follow(so, { kind: 'entropy', seat: seats[0]!, value: 'żółć "🎲"' }, T0);
  for (const seat of seats) so = follow(so, { kind: 'connect', seat }, T0);
  for (let n = 0; n < ACTIONS && so.session.status === 'active' && !game.ticks; n += 1) {
    so = actOnce(game, so, random);
  }
  for (const seat of seats) {
    if (so.session.status !== 'active') break;
    so = follow(so, { kind: 'resign', seat, id: `r${seat}` }, so.session.at + SECOND);
  }
  return replayOf(so);
}

describe('the test vectors of the guide', () => {
  const { seed, commitment, entropy, values, numbers, seats } = JSON.parse(VECTORS);

  test("[S9] they equal the code's", () => {
    expect(commitment).toBe(sha256Hex(seed));
    const all = makeRandom(seed, () => entropy, 0);
    expect(values).toEqual(values.map(() => all.integer(2 ** 32)));
    for (const { below, drawn, counter } of numbers) {
      const random = makeRandom(seed, () => entropy, 0);
      expect(drawn).toEqual(drawn.map(() => random.integer(below)));
      expect(counter).toBe(random.drawn());
    }
    // One of them rejects values.
    expect(
      numbers.some(
        (each: { drawn: unknown[]; counter: number }) => each.counter > each.drawn.length,
      ),
    ).toBe(true);
    expect(seats).toEqual([2, 3, 4].map((count) => drawSeats(seed, count)));
  });

  test.skipIf(verifier === null)("[S9] they equal the verifier's", () => {
    expect(verify(VECTORS, '--vectors')).toEqual({ exit: 0, said: 'right: all vectors' });
    expect(verify(VECTORS.replace('"below": 6', '"below": 7'), '--vectors').exit).toBe(1);
  });
});

describe.skipIf(verifier === null)('the verifier of the guide', () => {
  test.each(MATCHES)(`[S9] a match of %s %j verifies (seed ${TEST_SEED})`, (id, change) => {
    const replay = playMatch(id, change);
    expect(verifyReplay(shippedGames, replay)).toMatchObject({ ok: true });
    const count = replay.chance!.flatMap(({ draws }) => draws).length;
    expect(count > 0).toBe(id === 'ludo' || id === 'pool');
    const { exit, said } = verify(replay, replay.fairness.commitment);
    expect([exit, said.split('\n').at(-1)]).toEqual([0, `right: ${count} numbers`]);
  });

  test('[S9] pool: it shows the position of each ball in the rack', () => {
    const replay = playMatch('pool', { variant: 'eightball' });
    const [first] = replay.chance!;
    const [[, x], [, y]] = first!.draws as [[number, number], [number, number]];
    const signed = (value: number): string => `${value < 20 ? '-' : '+'}${Math.abs(value - 20)}`;
    expect(verify(replay).said).toContain(`micrometres off: 1 ${signed(x)} ${signed(y)}, 2 `);
  });

  type Chance = NonNullable<Replay['chance']>;
  type Draws = Chance[number]['draws'];
  /** A change to a replay, and the verifier's message. */
  type Forgery = readonly [what: string, said: string, forge: (replay: Replay) => Replay];
  const withFairness = (replay: Replay, change: Partial<Replay['fairness']>): Replay => ({
    ...replay,
    fairness: { ...replay.fairness, ...change },
  });
  const forgeDraws = (replay: Replay, forge: (draws: Draws) => Draws): Replay => {
    const [first, ...rest] = replay.chance!;
    return { ...replay, chance: [{ ...first!, draws: forge(first!.draws) }, ...rest] };
  };
  const FORGERIES: readonly Forgery[] = [
    [
      'another seed',
      'does not match the commitment',
      (r) => withFairness(r, { seed: sha256Hex('x') }),
    ],
    [
      'another commitment',
      'does not match the commitment',
      (r) => withFairness(r, { commitment: '0'.repeat(64) }),
    ],
    ['no seed', 'the seed is not shown', (r) => withFairness(r, { seed: null })],
    [
      'seed and commitment that go together',
      'the seats',
      (r) => withFairness(r, { seed: 'aa', commitment: sha256Hex('aa') }),
    ],
    ['other entropy', 'and the seed gives', (r) => withFairness(r, { entropy: '["","","",""]' })],
    [
      'other seats',
      'are not those drawn',
      (r) => ({ ...r, drawnSeats: r.drawnSeats!.toReversed() }),
    ],
    ['a player moved', 'do not sit', (r) => ({ ...r, players: r.players.slice(1) })],
    [
      'another die',
      'and the seed gives',
      (r) => forgeDraws(r, (draws) => draws.map(([below, value]) => [below, (value + 1) % below])),
    ],
    ['a die more', 'and the seed gives', (r) => forgeDraws(r, (draws) => [...draws, [6, 6]])],
    ['a die of another kind', 'a die has not six sides', (r) => ({ ...r, chance: redrawn(r, 7) })],
    ['a die less', 'and the seed gives', (r) => ({ ...r, chance: r.chance!.slice(1) })],
    ['the last die away', 'rolls 0 dice instead of 1', (r) => ({ ...r, chance: cutAtLastRoll(r) })],
    ['a die more than was rolled', 'of records that roll nothing', rollOnceMore],
    ['the numbers away', 'the numbers are not told', (r) => ({ ...r, chance: null })],
    ['another order', 'not in the order', (r) => ({ ...r, chance: r.chance!.toReversed() })],
  ];

  /** One more number, as the seed gives it, for a record that does not exist. */
  function rollOnceMore(replay: Replay): Replay {
    const { fairness } = replay;
    const chance = replay.chance!;
    const random = makeRandom(fairness.seed!, () => fairness.entropy, 0);
    for (const [below] of chance.flatMap(({ draws }) => draws)) random.integer(below);
    const more = { v: 9_999, draws: [[6, random.integer(6)] as const] };
    return { ...replay, chance: [...chance, more] };
  }

  /** The same records with numbers below another bound, as the seed gives them. */
  function redrawn({ fairness, chance }: Replay, below: number): Chance {
    const random = makeRandom(fairness.seed!, () => fairness.entropy, 0);
    return chance!.map(({ v, draws }) => ({
      v,
      draws: draws.map(() => [below, random.integer(below)] as const),
    }));
  }

  function cutAtLastRoll({ chance, inputs }: Replay): Chance {
    const rolls = inputs.filter(({ action }) => 'roll' in (action as object)).map(({ v }) => v);
    return chance!.filter(({ v }) => v < rolls.at(-1)!);
  }

  test.each(FORGERIES)('[S9] %s is refused', (_, said, forge) => {
    const replay = playMatch('ludo', { variant: 'classic', seats: 4 });
    const checked = verify(forge(replay));
    expect([checked.exit, checked.said]).toEqual([1, expect.stringContaining(said)]);
    expect(checked.said).toStartWith('wrong: ');
  });

  test('[S9] a commitment that differs from the noted one, random values in a game without, and a shortened rack are refused', () => {
    const plain = playMatch('tictactoe', {});
    expect(verify(plain, '0'.repeat(64)).said).toContain('not the one that was noted');
    const random = makeRandom(plain.fairness.seed!, () => plain.fairness.entropy, 0);
    const chance = [{ v: plain.inputs[0]!.v, draws: [[6, random.integer(6)] as const] }];
    expect(verify({ ...plain, chance }).said).toContain('this game draws none');
    const pool = playMatch('pool', { variant: 'nineball' });
    const cut = forgeDraws({ ...pool, chance: pool.chance!.slice(0, 1) }, (draws) =>
      draws.slice(2),
    );
    expect(verify(cut).exit).toBe(1);
    expect(verify({ ...pool, chance: [] }).said).toContain('does not draw two places');
  });

  test('[S9] anything but a replay is refused, and a wrong command line shows the usage', () => {
    for (const junk of ['', '{', '[]', '{"fairness":{}}', 'null', '7']) {
      expect([junk, verify(junk).exit, verify(junk).said.slice(0, 9)]).toEqual([
        junk,
        1,
        'wrong: no',
      ]);
    }
    expect(verify('{}', 'a', 'b')).toMatchObject({
      exit: 2,
      said: expect.stringContaining('REPLAY.json'),
    });
  });
});
