/**
 * Views and legal actions of every game match their types: checked by the compiler, and with frames
 * of the real service.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerProcess } from '../e2e/parts/server-process.ts';
import { freePort, startServer } from '../e2e/parts/server-process.ts';
import { pickOne } from '../game/src/bot.ts';
import type { AnyGame, Json } from '../game/src/game.ts';
import { seatRangeOf } from '../game/src/game.ts';
import { makeRandom, type Random } from '../game/src/random.ts';
import { GAME_VIEWS } from '../scripts/sdk-types/game-views.ts';
import { findGame, GAME_IDS } from '../src/games/registry.ts';
import { TEST_SEED } from '../src/testing/test-seed.ts';
import {
  type AnySessionView,
  type CheckersAction,
  type Client,
  connect,
  type FightArenaView,
  type Game,
  type KnownGame,
  type LudoAction,
  type MatchSession,
  type PoolView,
  type SessionView,
} from './src/client/index.ts';
import { createMatchd, type Matchd } from './src/server/index.ts';

const START_MS_MAX = 60_000;
/** Moves of a match that are played. */
const MOVES_MAX = 40;

const dataDir = mkdtempSync(join(tmpdir(), 'matchd-views-'));
let server: ServerProcess;
let matchd: Matchd;

beforeAll(async () => {
  server = await startServer({ port: await freePort(), dataDir });
  matchd = createMatchd({ url: server.url, key: server.testKey });
}, START_MS_MAX);

afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, START_MS_MAX);

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Compiled, and never run: `game` determines the other types. */
export function narrows(session: SessionView, known: MatchSession<'pool'>): unknown {
  if (session.game === 'ludo') {
    const places: readonly (readonly string[])[] | undefined = session.view?.tokens;
    const legal: Same<typeof session.legal, readonly LudoAction[] | null> = true;
    const variant: 'classic' | 'quick' | 'timed' | 'teams' = session.variant;
    // @ts-expect-error a view of ludo has no board
    return [places, legal, variant, session.view?.board];
  }
  if (session.game === 'checkers') {
    const moved: CheckersAction | undefined = session.lastMove?.action;
    // @ts-expect-error it has cells with a seat, not texts
    const wrong: string | null | undefined = session.view?.board[0];
    return [moved, wrong];
  }
  if (session.game === 'fight-arena') {
    const fight: Same<typeof session.view, FightArenaView | null> = true;
    return fight;
  }
  const pool: Same<NonNullable<typeof known.view>['view'], PoolView | null> = true;
  // @ts-expect-error before the game is known nothing of it can be read
  return [pool, session.view?.tokens];
}

/** A tenant's own game, as its rules export it. */
interface Nim {
  readonly view: { readonly heaps: readonly number[] };
  readonly action: { readonly heap: number; readonly take: number };
}

/** Compiled, and never run: a game that the SDK does not know is named, with its types or without. */
export function ownGames(client: Client, matchd: Matchd, session: SessionView): unknown {
  const nim = client.session<'nim', Nim>('s1');
  const heaps: Same<NonNullable<typeof nim.view>['view'], Nim['view'] | null> = true;
  const legal: Same<NonNullable<typeof nim.view>['legal'], readonly Nim['action'][] | null> = true;
  const first: Promise<MatchSession<'nim', Nim>> = client.firstSession<'nim', Nim>();
  const untyped: Same<NonNullable<MatchSession<'pig'>['view']>['view'], unknown> = true;
  const moved = nim.act({ heap: 0, take: 2 });
  // @ts-expect-error its actions are those that were named
  const wrong = nim.act({ position: 4 });
  // One listener may get events of any game.
  const any: AnySessionView = session;
  const isOwn = any.game === 'nim';
  const players = [{ id: 'ann' }];
  const options = { heaps: 3, turnTimeoutMs: 30_000 };
  const own = matchd.sessions.create({
    game: 'nim',
    variant: 'misere',
    seats: 7,
    players,
    options,
  });
  // @ts-expect-error options that every game has keep their types
  const late = matchd.sessions.create({ game: 'nim', players, options: { turnTimeoutMs: 'long' } });
  // @ts-expect-error what is known of a shipped game still holds
  const blitz = matchd.sessions.create({ game: 'ludo', variant: 'blitz', players });
  const ticket = matchd.hosted.startMatch('nim', { groupIds: ['g1'], variant: 'misere' });
  const name: Game = 'nim';
  const listed = matchd.sessions.list({ game: name });
  // @ts-expect-error the shipped ones can still be told from others
  const known: KnownGame = 'nim';
  return [
    heaps,
    legal,
    first,
    untyped,
    moved,
    wrong,
    isOwn,
    own,
    late,
    blitz,
    ticket,
    listed,
    known,
  ];
}

/** An action of the seat to move; a shot if the legal actions are not finite. */
function choose({ game, view, legal }: SessionView, random: Random): Json {
  if (game !== 'pool') return pickOne(legal as readonly Json[], random);
  const { choices, inHand, isBreak, variant } = view!;
  if (choices.length > 0) return { choose: choices[0]! };
  const place = inHand === null ? null : { place: { x: -0.9, y: 0 } };
  // A safety is called, so that no pocket has to be.
  const rest = isBreak ? { speed: 9 } : { speed: 1.5 };
  return {
    shot: { aim: 0.1, ...rest },
    ...(isBreak || variant === 'nineball' ? null : { safety: true }),
    ...place,
  };
}

/**
 * Plays one match of a variant at random, all seats by clients, and returns every view that
 * arrived.
 */
async function playMatch(game: AnyGame, variant: string): Promise<readonly unknown[]> {
  const random = makeRandom(`${TEST_SEED} ${game.id} ${variant}`, () => 'moves', 0);
  const players = Array.from({ length: seatRangeOf(game, variant).min }, (_, i) => ({
    id: `p${i}`,
  }));
  const wish = { game: game.id, variant, seats: players.length, players };
  const made = await matchd.sessions.create(wish as Parameters<typeof matchd.sessions.create>[0]);
  const views: unknown[] = [];
  let moves = 0;
  const done = Promise.withResolvers<void>();
  const clients = Object.values(made.tokens).map((token) => {
    const client = connect({ url: server.url, token });
    const session = client.session(made.sessionId);
    /** Views from before the last move do not say whose turn it is now. */
    let since = 0;
    let newest: SessionView | null = null;
    const act = async (view: SessionView): Promise<void> => {
      since = Number.POSITIVE_INFINITY;
      moves += 1;
      if (moves > MOVES_MAX || view.game === 'fight-arena') return session.resign().then(() => {});
      // A refused action was not legal, and fails the test.
      since = (await session.act(choose(view, random) as never)).v;
      if (newest !== null) look(newest);
    };
    const look = (view: SessionView): void => {
      if (view.status !== 'active' || view.v < since) return;
      const isToMove = view.game === 'fight-arena' ? view.seat === 0 : view.turn === view.seat;
      // With more than two the others play on.
      if (isToMove) act(view).then(() => moves > MOVES_MAX && done.resolve(), done.reject);
    };
    client.on((event) => {
      if (event.kind !== 'session') return;
      const { cause, session: view } = event;
      newest = view;
      if (cause.t === 'state' || cause.t === 'update') views.push(view.view);
      if (view.status === 'ended') done.resolve();
      look(view);
    });
    return client;
  });
  await done.promise;
  for (const client of clients) client.close();
  return views;
}

test.each(GAME_IDS)(
  `[P4] frames of %s, in each of its variants, match the typed view (seed ${TEST_SEED})`,
  async (id) => {
    const game = findGame(id)!;
    for (const variant of game.variants) {
      const views = await playMatch(game, variant);
      expect([variant, views.length >= 2]).toEqual([variant, true]);
      for (const view of views) {
        const { error } = GAME_VIEWS[id].safeParse(view);
        expect([variant, error?.message]).toEqual([variant, undefined]);
      }
    }
  },
  60_000,
);
