/** Replays: a genuine one verifies at any point, and any single change is found. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AnyGame, GameId, Json } from '../../../game/src/game.ts';
import { connect4 } from '../../games/connect4/connect4.ts';
import { shippedGames } from '../../games/registry.ts';
import { tictactoe } from '../../games/tictactoe/tictactoe.ts';
import { anySession, playSession } from '../../testing/matches/random-session.ts';
import { checkReplays, replayOf } from '../../testing/matches/replay-laws.ts';
import { thaw } from '../../testing/matches/session-laws.ts';
import type { Trace } from '../../testing/matches/session-trace.ts';
import {
  follow,
  followAll,
  makeTestSetup,
  openTrace,
  startTrace,
  T0,
  TEST_SECRET,
} from '../../testing/matches/session-trace.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { verifyReplay } from './replay.ts';
import type { Replay } from './replay-form.ts';
import { verifyWith } from './verify.ts';

const RUNS = 200;
const GAMES: readonly AnyGame[] = [tictactoe as AnyGame, connect4 as AnyGame];

function mark(seat: number, position: number) {
  return { kind: 'act', seat, id: `p${position}`, action: { position } } as const;
}

function drop(seat: number, column: number) {
  return { kind: 'act', seat, id: `${seat}-${column}`, action: { column } } as const;
}

const begunInThree = followAll(startTrace(), [
  [1, mark(0, 0)],
  [2, mark(1, 3)],
  [3, mark(0, 1)],
]);
const begunInColumns = followAll(startTrace({ game: 'connect4' }), [
  [1, drop(0, 0)],
  [2, { kind: 'draw', seat: 0, id: 'o', do: 'offer' }],
]);

/** Matches by the way they ended. */
const ENDED: Readonly<Record<string, Trace>> = {
  won: followAll(begunInThree, [
    [4, mark(1, 4)],
    [5, mark(0, 2)],
  ]),
  resigned: follow(begunInThree, { kind: 'resign', seat: 0, id: 'r' }, T0 + 4),
  'timed out': follow(begunInThree, { kind: 'tick' }, T0 + 60_003),
  'left alone': followAll(begunInThree, [
    [4, { kind: 'disconnect', seat: 0 }],
    [60_002, mark(1, 4)],
    [60_004, { kind: 'tick' }],
  ]),
  'draw agreed': follow(begunInColumns, { kind: 'draw', seat: 1, id: 'a', do: 'accept' }, T0 + 3),
  aborted: follow(begunInThree, { kind: 'abort' }, T0 + 4),
  expired: follow(openTrace(makeTestSetup()), { kind: 'tick' }, T0 + 600_000),
};

describe.each(GAMES.map((game) => [game.id, game] as const))('%s', (_, game) => {
  test(`[S7] a replay verifies at any point of the match (seed ${TEST_SEED})`, () => {
    const property = fc.property(anySession(game, 40), (random) =>
      checkReplays(playSession(random)),
    );
    fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
  });

  test(`[S7] with an input changed, dropped or moved it is refused (seed ${TEST_SEED})`, () => {
    const property = fc.property(anySession(game, 40), fc.nat(), fc.nat(), (random, at, other) => {
      const replay = replayOf(playSession(random));
      if (replay.inputs.length === 0) return;
      const index = at % replay.inputs.length;
      for (const changed of corruptInputs(game, replay, index, other)) expectRefused(changed);
    });
    fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
  });
});

/** The replay with one error in one of its inputs. */
function corruptInputs(game: AnyGame, replay: Replay, index: number, other: number): Replay[] {
  const { inputs } = replay;
  const input = inputs[index]!;
  const withInput = (change: object): Replay => ({
    ...replay,
    inputs: inputs.map((each, at) => (at === index ? { ...each, ...change } : each)),
  });
  const setup = { variant: replay.variant, seats: replay.seats, options: replay.options };
  const others = game
    .legalActions(game.initial(setup))!
    .filter((action) => JSON.stringify(action) !== JSON.stringify(input.action));
  const partner = inputs[other % inputs.length]!;
  const swapped = inputs.map((each) => {
    if (each.v === input.v) return { ...each, action: partner.action };
    return each.v === partner.v ? { ...each, action: input.action } : each;
  });
  const isSame = JSON.stringify(partner.action) === JSON.stringify(input.action);
  return [
    withInput({ action: others[other % others.length]! }),
    withInput({ action: { ...(input.action as object), more: 1 } }),
    withInput({ action: null }),
    withInput({ seat: 1 - input.seat }),
    withInput({ seat: 2 }),
    { ...replay, inputs: inputs.filter((each) => each !== input) },
    { ...replay, inputs: [...inputs, input] },
    // The order of one seat's moves may not affect the final state, and so the hash.
    ...(partner.seat === input.seat || isSame ? [] : [{ ...replay, inputs: swapped }]),
  ];
}

function check(replay: Replay) {
  return verifyReplay(shippedGames, thaw(replay), TEST_SECRET);
}

function expectRefused(replay: Replay): void {
  const checked = check(replay);
  if (checked.ok) throw new Error(`Taken: ${JSON.stringify(replay)}`);
  expect(checked.error).toMatch(/^[A-Z].{3,}[^.]$/);
}

/** The replay with its result changed, if it has one. */
function withResult(replay: Replay, change: object): Replay {
  return { ...replay, result: { ...replay.result!, ...change } };
}

describe.each(Object.keys(ENDED))('[S7] of a match that was %s', (how) => {
  const replay = replayOf(ENDED[how]!);
  const { fairness, result } = replay;

  test('[S7] the replay verifies', () => {
    expect(check(replay)).toMatchObject({ ok: true });
    expect(verifyReplay(shippedGames, replay)).toMatchObject({ ok: true });
  });

  test('[S8] another result is refused', () => {
    const others = ['resignation', 'afk_timeout', 'draw_agreed', 'three_in_a_row', 'disconnect'];
    for (const reason of others.filter((each) => each !== result!.reason)) {
      expectRefused(withResult(replay, { reason }));
    }
    // Why the match itself ended cannot be replayed; that it did, and when it might, can.
    const isOwnEnd = how === 'aborted' || how === 'expired';
    if (!isOwnEnd) expectRefused(withResult(replay, { reason: 'aborted' }));
    if (how !== 'expired') expectRefused(withResult(replay, { reason: 'expired' }));
    const other = result!.winner === 'player-0' ? 'player-1' : 'player-0';
    expectRefused(withResult(replay, { winner: other }));
    expectRefused(withResult(replay, { winners: [other] }));
    expectRefused(withResult(replay, { moveCount: result!.moveCount + 1 }));
    expectRefused(withResult(replay, { bonus: 100 }));
    const [first, ...rest] = result!.placements;
    expectRefused(withResult(replay, { placements: [{ ...first, place: 9 }, ...rest] }));
    expectRefused(withResult(replay, { placements: rest }));
    expectRefused({ ...replay, result: null });
  });

  test('[S9] another seed, commitment or hash is refused', () => {
    const seed = TEST_SECRET.replace('c', 'd');
    expectRefused({ ...replay, fairness: { ...fairness, seed } });
    expectRefused({ ...replay, fairness: { ...fairness, seed: null } });
    expectRefused({ ...replay, fairness: { ...fairness, commitment: '0'.repeat(64) } });
    expectRefused({ ...replay, hash: '0'.repeat(64) });
    if (replay.hash !== null) expectRefused({ ...replay, hash: null });
  });

  test('[S9a] an impossible setup never reaches an engine', () => {
    for (const game of ['checkers', 'chess', 'constructor', '__proto__', '']) {
      expectRefused({ ...replay, game: game as GameId });
    }
    expectRefused({ ...replay, rulesVersion: replay.rulesVersion + 1 });
    expectRefused({ ...replay, variant: 'misere' });
    for (const seats of [0, 1, 3, 2.5, -2, Number.NaN]) expectRefused({ ...replay, seats });
    expectRefused({ ...replay, options: { more: 1 } });
    expectRefused({ ...replay, options: JSON.parse('{"__proto__":1}') });
  });

  test('[S7] other players are refused, if a result names them', () => {
    const players = replay.players.map((each) => ({ ...each, id: `${each.id}!` }));
    expectRefused({ ...replay, players });
    expectRefused({ ...replay, players: replay.players.slice(1) });
  });
});

describe('[S7] controls', () => {
  const withControl = (how: string, change: object): Replay => {
    const replay = replayOf(ENDED[how]!);
    const controls = replay.controls.map((each) => ({ ...each, ...change }));
    return { ...replay, controls };
  };

  test('[S7] resignations, timeouts, departures and draws are in order', () => {
    const kindsOf = (how: string) => replayOf(ENDED[how]!).controls.map(({ kind }) => kind);
    expect(kindsOf('resigned')).toEqual(['resignation']);
    expect(kindsOf('timed out')).toEqual(['afk_timeout']);
    expect(kindsOf('left alone')).toEqual(['disconnect']);
    expect(kindsOf('draw agreed')).toEqual(['draw_offer', 'draw_accept']);
    expect(kindsOf('won')).toEqual([]);
  });

  test('[S7] with another seat or kind, or left out, they are refused', () => {
    for (const how of ['resigned', 'timed out', 'left alone']) {
      const replay = replayOf(ENDED[how]!);
      expectRefused(withControl(how, { seat: 1 - replay.controls[0]!.seat }));
      expectRefused(withControl(how, { seat: 2 }));
      expectRefused(withControl(how, { kind: 'missed' }));
      expectRefused(withControl(how, { kind: 'gone' }));
      expectRefused({ ...replay, controls: [] });
    }
    const replay = replayOf(ENDED['draw agreed']!);
    for (const control of replay.controls) {
      const controls = replay.controls.filter((each) => each !== control);
      expectRefused({ ...replay, controls });
    }
    expectRefused(withControl('draw agreed', { seat: 0 }));
  });

  test('[S7] only the seat to move can time out', () => {
    const reason = 'afk_timeout';
    expect(check(withResult(withControl('timed out', {}), {})).ok).toBe(true);
    const forged = withResult(withControl('resigned', { kind: reason }), { reason });
    expect(check(forged)).toMatchObject({ ok: false, error: "It was not seat 0's turn" });
  });

  test('[S7] an offer that a move declined cannot be accepted', () => {
    const { controls, inputs, ...replay } = replayOf(ENDED['draw agreed']!);
    const between = {
      v: controls[1]!.v - 0.5,
      at: controls[1]!.at,
      seat: 1,
      action: { column: 0 },
    };
    const forged = { ...replay, controls, inputs: [...inputs, between] };
    expect(check(forged)).toMatchObject({ error: 'There was no draw offer to answer' });
  });

  test('[S7][E4] a second offer of a seat within ten moves is refused, a later one is not', () => {
    const { controls, inputs, ...replay } = replayOf(ENDED['draw agreed']!);
    const [offer, accept] = controls;
    const then = (each: typeof offer, kind: string, seat: number, v: number) =>
      ({ ...each!, kind, seat, v }) as NonNullable<typeof offer>;
    const again = [
      offer!,
      then(offer, 'draw_decline', 1, offer!.v + 1),
      then(offer, 'draw_offer', 0, offer!.v + 2),
      then(accept, 'draw_accept', 1, offer!.v + 3),
    ];
    expect(check({ ...replay, inputs, controls: again })).toMatchObject({ v: offer!.v + 2 });
    // As in the match itself, for both seats.
    const later = followAll(begunInColumns, [
      [3, { kind: 'draw', seat: 1, id: 'd', do: 'decline' }],
      [4, { kind: 'draw', seat: 1, id: 'o1', do: 'offer' }],
      ...[1, 2, 3, 4, 5, 6, 0, 1, 2, 3].map(
        (column, index) =>
          [5 + index, { ...drop((index + 1) % 2, column), id: `m${index}` }] as const,
      ),
      [20, { kind: 'draw', seat: 0, id: 'o2', do: 'offer' }],
      [21, { kind: 'draw', seat: 1, id: 'a', do: 'accept' }],
    ]);
    expect(replayOf(later).controls.length).toBe(5);
    expect(check(replayOf(later))).toMatchObject({ ok: true });
  });

  test('[S7] a bot never loses by absence', () => {
    const replay = replayOf(ENDED['left alone']!);
    const [{ seat, v }] = replay.controls as [Replay['controls'][number]];
    const players = replay.players.map((each) => ({ ...each, isBot: each.seat === seat }));
    const placements = replay.result!.placements.map((each) => ({
      ...each,
      isBot: each.seat === seat,
    }));
    const forged = withResult({ ...replay, players }, { placements });
    expect(check(forged)).toEqual({ ok: false, v, error: 'A bot is never away' });
    const resigned = { ...forged, controls: [{ ...replay.controls[0]!, kind: 'resignation' }] };
    expect(check(withResult(resigned as Replay, { reason: 'resignation' })).ok).toBe(true);
  });

  test('[S7] nothing may come after the end', () => {
    const replay = replayOf(ENDED['resigned']!);
    const late = { v: 99, at: new Date(T0 + 9).toISOString(), seat: 1, action: { position: 8 } };
    expect(check({ ...replay, inputs: [...replay.inputs, late] })).toEqual({
      ok: false,
      v: 99,
      error: 'The match was over before this',
    });
  });
});

describe('[S7] order', () => {
  const replay = replayOf(ENDED['won']!);

  test('[S7] the first wrong record is named', () => {
    const inputs = replay.inputs.map((each) => (each.v === 5 ? { ...each, seat: 0 } : each));
    expect(check({ ...replay, inputs })).toMatchObject({ ok: false, v: 5 });
  });

  test('[S7] if every action is legal and only the final state differs, the last record is named', () => {
    const inputs = replay.inputs.map((each) =>
      each.v === 7 ? { ...each, action: { position: 5 } } : each,
    );
    const checked = check({ ...replay, inputs });
    expect(checked).toMatchObject({ ok: false, v: 8 });
    expect('error' in checked && checked.error).toContain('it or one before was changed');
    // If no record is wrong, none is named.
    expect(check(withResult(replay, { moveCount: 99 }))).toMatchObject({ ok: false, v: null });
  });

  test('[S7] an action at which the engine throws is named', () => {
    const broken = {
      ...tictactoe,
      apply: () => {
        throw new Error('boom');
      },
    };
    const { check: checked } = verifyWith(broken as unknown as AnyGame, replay, TEST_SECRET);
    expect(checked).toEqual({ ok: false, v: 4, error: 'The engine failed: boom' });
  });

  test('[S7] versions rise and times never fall', () => {
    const [first, second, ...rest] = replay.inputs;
    expectRefused({ ...replay, inputs: [second!, first!, ...rest] });
    expectRefused({ ...replay, inputs: [first!, { ...second!, v: first!.v }, ...rest] });
    const early = new Date(T0 - 1).toISOString();
    expectRefused({ ...replay, inputs: [first!, { ...second!, at: early }, ...rest] });
  });
});

describe('[S9] before the end', () => {
  const replay = replayOf(begunInThree);

  test('[S9] the seed is null, and a replay that shows it is refused', () => {
    expect(replay.fairness.seed).toBeNull();
    expect(replay.result).toBeNull();
    expect(JSON.stringify(replay)).not.toContain(TEST_SECRET);
    expectRefused({ ...replay, fairness: { ...replay.fairness, seed: TEST_SECRET } });
  });

  test('[S9] a verifier who knows the seed finds a changed commitment', () => {
    const fairness = { ...replay.fairness, commitment: '0'.repeat(64) };
    expect(verifyReplay(shippedGames, { ...replay, fairness }, TEST_SECRET).ok).toBe(false);
    // Others cannot: nothing to compare it with is known before the end.
    expect(verifyReplay(shippedGames, { ...replay, fairness }).ok).toBe(true);
  });
});

/** Changes that cannot be found from the replay alone, each with the reason. */
const UNSEEN: readonly (readonly [string, (replay: Replay) => Replay])[] = [
  ['the time it took: when it began is not in the replay', (r) => withResult(r, { durationMs: 1 })],
  ['the session it was: an id proves nothing', (r) => ({ ...r, sessionId: 'ses_other' })],
  [
    'the name of a player: it is no part of the match',
    (r) => ({ ...r, players: r.players.map((each) => ({ ...each, displayName: 'Bob' })) }),
  ],
  [
    'entropy where no chance was drawn: it had no effect',
    (r) => ({ ...r, fairness: { ...r.fairness, entropy: '["x",""]' } }),
  ],
  [
    'the order of moves of one seat: the hash is of the final state',
    (r) => {
      const swap: Record<number, Json> = { 0: { position: 1 }, 1: { position: 0 } };
      const inputs = r.inputs.map((each) => {
        const { position } = each.action as { position: number };
        return { ...each, action: swap[position] ?? each.action };
      });
      return { ...r, inputs };
    },
  ],
];

test.each(UNSEEN)('[S7] cannot be found: %s', (_, change) => {
  const replay = replayOf(ENDED['won']!);
  const changed = change(replay);
  expect(changed).not.toEqual(replay);
  expect(check(changed).ok).toBe(true);
});

test('[S7] cannot be found: why a match never began', () => {
  expect(check(withResult(replayOf(ENDED['expired']!), { reason: 'aborted' })).ok).toBe(true);
});

test('[S7] an unanswered draw offer can be left out unnoticed', () => {
  const replay = replayOf(follow(begunInColumns, drop(1, 0), T0 + 3));
  expect(replay.controls.length).toBe(1);
  expect(check({ ...replay, controls: [] }).ok).toBe(true);
});

test('[S7] a replay without a beginning is of a session that was never active', () => {
  const replay = replayOf(openTrace(makeTestSetup()));
  expect(replay).toMatchObject({ hash: null, result: null, inputs: [], controls: [] });
  expect(check(replay)).toEqual({ ok: true, records: 0, hash: null });
});

test('[R2] an erased player is null in the replay, which still verifies', () => {
  const replay = replayOf(ENDED['won']!);
  const nobody = { id: null, displayName: null };
  const players = replay.players.map((each) => ({ ...each, ...nobody }));
  const placements = replay.result!.placements.map((each) => ({ ...each, playerId: null }));
  const erased = withResult({ ...replay, players }, { winner: null, winners: [null], placements });
  expect(check(erased).ok).toBe(true);
});

test('[B4][S7] bots are named with the players and in the result, and both must agree', () => {
  const replay = replayOf(ENDED['won']!);
  const players = replay.players.map((each) => ({ ...each, isBot: true }));
  expect(check({ ...replay, players }).ok).toBe(false);
  const placements = replay.result!.placements.map((each) => ({ ...each, isBot: true }));
  const agreed = withResult({ ...replay, players }, { placements });
  expect(check(agreed).ok).toBe(true);
});
