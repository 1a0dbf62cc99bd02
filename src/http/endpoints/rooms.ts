/** Lists rooms, and issues tokens to watch them (rule S10). */

import { isProblem, makeProblem, type Problem } from '../../contract/errors.ts';
import { roomQuery } from '../../contract/requests/rooms-requests.ts';
import type { Games } from '../../games/games.ts';
import { seatedPlayers } from '../../match/frames/frames.ts';
import { TOKEN_LIFE_S } from '../../runtime/access/tokens.ts';
import type { MatchView } from '../../runtime/host/work.ts';
import type { SessionQuery } from '../../runtime/sessions/session-service.ts';
import type { HttpDeps } from '../request/deps.ts';
import type { Caller, Endpoints, Reply } from '../request/exchange.ts';
import { makeReply } from '../request/exchange.ts';
import { makeSocketUrl } from '../request/mint.ts';
import { readGameQuery } from '../request/query.ts';
import { timeOrNull } from '../request/session-answer.ts';
import { refusalProblem } from './refusals.ts';
import { parsePage, replyPage } from './session-page.ts';
import { sessionRef } from './sessions.ts';

type RoomEndpoints = Pick<Endpoints, 'listRooms' | 'watchSession'>;

export function makeRoomEndpoints(deps: HttpDeps): RoomEndpoints {
  return {
    listRooms: ({ query }, caller) => {
      const asked = parseQuery(deps.games, query, caller);
      if (isProblem(asked)) return asked;
      return { refusal: null, perform: () => list(deps, caller, asked) };
    },
    watchSession: ({ params }, caller) => ({
      refusal: null,
      perform: () => watch(deps, caller, params['id']!),
    }),
  };
}

function parseQuery(games: Games, query: URLSearchParams, caller: Caller): SessionQuery | Problem {
  const asked = readGameQuery(games, roomQuery, query);
  if (isProblem(asked)) return asked;
  const page = parsePage(asked, caller);
  if (isProblem(page)) return page;
  return {
    ...page,
    game: asked.game ?? null,
    status: 'active',
    playerId: null,
    createdFrom: null,
    createdTo: null,
    withoutPrivate: true,
  };
}

function list(deps: HttpDeps, caller: Caller, query: SessionQuery): Promise<Reply> {
  // A session that ended since its row was read is not a room any more.
  return replyPage(deps, caller, query, (view) =>
    isActive(view) ? [presentRoom(deps, view)] : [],
  );
}

function isActive({ session }: MatchView): boolean {
  return session.status === 'active';
}

function presentRoom(deps: HttpDeps, { row, roster, session }: MatchView): object {
  return {
    sessionId: row.id,
    game: row.game,
    mode: row.mode,
    matchType: row.matchType,
    variant: row.variant,
    status: session.status,
    seats: session.setup.seats,
    players: seatedPlayers(session, roster),
    watchers: deps.service.watchers(row.id),
    startedAt: timeOrNull(session.status === 'active' ? session.startedAt : null),
  };
}

/** Private sessions too: the tenant decides who gets the token. */
async function watch(deps: HttpDeps, caller: Caller, id: string): Promise<Reply | Problem> {
  const ref = sessionRef(caller, id);
  if (isProblem(ref)) return ref;
  const found = await deps.service.get(ref);
  if (!found.ok) return refusalProblem(found.refusal, deps.clock.now());
  const { row, session } = found.value;
  if (session.status === 'ended') return makeProblem('session_ended');
  const body = { token: '', expiresIn: TOKEN_LIFE_S, socketUrl: makeSocketUrl(deps), playUrl: '' };
  const { mode, theme } = row;
  return makeReply(201, body, { kind: 'watch', session: id, mode, theme });
}
