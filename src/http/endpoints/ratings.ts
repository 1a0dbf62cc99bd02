/** Players with their ratings, and boards (section 3a of SPEC.md). */

import { Buffer } from 'node:buffer';
import { z } from 'zod';
import { isProblem, makeProblem, type Problem } from '../../contract/errors.ts';
import {
  leaderQuery,
  playerQuery,
  ratingHistoryQuery,
} from '../../contract/requests/ratings-requests.ts';
import type { Games } from '../../games/games.ts';
import { makeTime } from '../../match/frames/frames.ts';
import type { Standing } from '../../matchmaking/rating.ts';
import { BOARD_DEVIATION_MAX, BOARD_GAMES_MIN, standingAt } from '../../matchmaking/rating.ts';
import { isId } from '../../runtime/ids.ts';
import type { BoardQuery, Leader, RatedMatch, RatedMatchQuery } from '../../store/ratings.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { HttpDeps } from '../request/deps.ts';
import type { Caller, Endpoints, Reply } from '../request/exchange.ts';
import { makeReply } from '../request/exchange.ts';
import { makeCursor, parseCursor } from '../request/id-cursor.ts';
import { readGameQuery, readQuery } from '../request/query.ts';
import { timeOrNull } from '../request/session-answer.ts';
import { PAGE_DEFAULT } from './session-page.ts';

type RatingEndpoints = Pick<Endpoints, 'getPlayer' | 'listRatingHistory' | 'listLeaders'>;

export function makeRatingEndpoints(deps: HttpDeps): RatingEndpoints {
  return {
    getPlayer: ({ params, query }, caller) => {
      const asked = readQuery(playerQuery, query);
      if (isProblem(asked)) return asked;
      const mode = asked.mode ?? caller.key.mode;
      return { refusal: null, perform: () => getPlayer(deps, caller, params['playerId']!, mode) };
    },
    listRatingHistory: ({ params, query }, caller) => {
      const asked = parseHistoryQuery(deps.games, params['playerId']!, query, caller);
      if (isProblem(asked)) return asked;
      return { refusal: null, perform: () => listRatingHistory(deps, caller, asked) };
    },
    listLeaders: ({ query }, caller) => {
      const asked = parseBoardQuery(deps.games, query, caller, deps.clock.now());
      if (isProblem(asked)) return asked;
      return { refusal: null, perform: () => listLeaders(deps, caller, asked) };
    },
  };
}

async function getPlayer(
  { ratings, clock, isConnected }: HttpDeps,
  { tenant, modes }: Caller,
  playerId: string,
  mode: KeyMode,
): Promise<Reply | Problem> {
  if (!modes.includes(mode)) return makeProblem('player_not_found');
  const player = await ratings.findRatedPlayer(tenant.id, mode, playerId);
  if (player === null) return makeProblem('player_not_found');
  const now = clock.now();
  return makeReply(200, {
    playerId,
    displayName: player.displayName,
    connected: await isConnected(tenant.id, mode, playerId),
    ratings: Object.fromEntries(
      player.standings.map(({ game, ...standing }) => [game, presentStanding(standing, now)]),
    ),
    createdAt: makeTime(player.createdAt),
  });
}

/** A current rating, rounded for display. */
export function presentStanding(standing: Standing, now: number): object {
  const { rating, deviation, games, wins, losses, draws, lastPlayedAt } = standingAt(standing, now);
  return {
    rating: round(rating),
    deviation: round(deviation),
    games,
    wins,
    losses,
    draws,
    lastPlayedAt: timeOrNull(lastPlayedAt),
  };
}

function round(points: number): number {
  return Math.round(points * 10) / 10;
}

// ── history ────────────────────────────────────────────────────────────────────────────────────

async function listRatingHistory(
  { ratings }: HttpDeps,
  { modes }: Caller,
  query: RatedMatchQuery,
): Promise<Reply | Problem> {
  const isVisible = modes.includes(query.world);
  const page = isVisible ? await ratings.listRatedMatches(query) : null;
  if (page === null) return makeProblem('player_not_found');
  return makeReply(200, {
    data: page.matches.map(presentRatedMatch),
    nextCursor: page.next === null ? null : makeCursor(page.next),
  });
}

function presentRatedMatch({ at, session, before, after, outcome }: RatedMatch): object {
  return { at: makeTime(at), sessionId: session, before, after, outcome };
}

function parseHistoryQuery(
  games: Games,
  playerId: string,
  query: URLSearchParams,
  { tenant, key }: Caller,
): RatedMatchQuery | Problem {
  const asked = readGameQuery(games, ratingHistoryQuery, query);
  if (isProblem(asked)) return asked;
  const before = parseCursor('ses', asked.cursor ?? null);
  if (isProblem(before)) return before;
  const { game, mode, limit } = asked;
  return {
    tenant: tenant.id,
    world: mode ?? key.mode,
    playerId,
    game,
    before,
    limit: limit ?? PAGE_DEFAULT,
  };
}

// ── boards ─────────────────────────────────────────────────────────────────────────────────────

/** A page of a leaderboard: the range to read, and how many rank above it. */
interface BoardInput {
  readonly query: BoardQuery;
  readonly above: number;
}

async function listLeaders(
  { ratings }: HttpDeps,
  { modes }: Caller,
  { query, above }: BoardInput,
): Promise<Reply> {
  // One more than requested reveals whether there is another page. A world that the key may not see is empty.
  const { limit } = query;
  const isVisible = modes.includes(query.mode);
  const found = isVisible ? await ratings.listLeaders({ ...query, limit: limit + 1 }) : [];
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return makeReply(200, {
    data: page.map((leader, index) => presentLeader(leader, above + index + 1, query.now)),
    nextCursor: last === undefined ? null : makeBoardCursor(last, above + page.length),
  });
}

function presentLeader({ playerId, displayName, standing }: Leader, rank: number, now: number) {
  const { rating, deviation, games } = standingAt(standing, now);
  return { rank, playerId, displayName, rating: round(rating), deviation: round(deviation), games };
}

function parseBoardQuery(
  games: Games,
  query: URLSearchParams,
  { tenant, key }: Caller,
  now: number,
): BoardInput | Problem {
  const asked = readGameQuery(games, leaderQuery, query);
  if (isProblem(asked)) return asked;
  const place = parseBoardCursor(asked.cursor ?? null);
  if (isProblem(place)) return place;
  const [rating, ref, above] = place ?? [0, '', 0];
  return {
    above,
    query: {
      tenant: tenant.id,
      mode: asked.mode ?? key.mode,
      game: asked.game,
      now,
      gamesMin: BOARD_GAMES_MIN,
      deviationMax: BOARD_DEVIATION_MAX,
      after: place === null ? null : { rating, ref },
      limit: asked.limit ?? PAGE_DEFAULT,
    },
  };
}

/** The end of a page: rating, pseudonym, and rank. */
const boardPlace = z.tuple([
  z.number(),
  z.string().refine((ref) => isId('ply', ref)),
  z.int().min(0),
]);

function makeBoardCursor({ rating, ref }: Leader, above: number): string {
  return Buffer.from(JSON.stringify([rating, ref, above])).toString('base64url');
}

function parseBoardCursor(text: string | null): z.infer<typeof boardPlace> | null | Problem {
  if (text === null) return null;
  try {
    const parsed = boardPlace.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    if (parsed.success) return parsed.data;
  } catch {
    // Invalid JSON: not one of our cursors.
  }
  return makeProblem('invalid_field', { field: 'cursor' });
}
