/** Retrieves, lists, replays and verifies sessions. */

import { isProblem, makeProblem, type Problem } from '../../contract/errors.ts';
import { sessionQuery } from '../../contract/requests/requests.ts';
import type { Games } from '../../games/games.ts';
import { TOKEN_LIFE_S } from '../../runtime/access/tokens.ts';
import type { Outcome, SessionQuery, SessionRef } from '../../runtime/sessions/session-service.ts';
import type { HttpDeps } from '../request/deps.ts';
import type { Caller, Endpoint, Endpoints, Reply } from '../request/exchange.ts';
import { makeReply } from '../request/exchange.ts';
import { makeSocketUrl } from '../request/mint.ts';
import { readGameQuery } from '../request/query.ts';
import { presentSession } from '../request/session-answer.ts';
import { refusalProblem } from './refusals.ts';
import { parsePage, replyPage } from './session-page.ts';
import { sessionRef } from './sessions.ts';

type SessionReads = Pick<
  Endpoints,
  'getSession' | 'listSessions' | 'makeSessionToken' | 'getReplay' | 'verifySession'
>;

export function makeSessionReads(deps: HttpDeps): SessionReads {
  const { service } = deps;
  return {
    getSession: byId(
      deps,
      (ref) => service.get(ref),
      (view) => makeReply(200, presentSession(view, null)),
    ),
    getReplay: byId(
      deps,
      (ref) => service.replay(ref),
      (replay) => makeReply(200, replay),
    ),
    verifySession: byId(
      deps,
      (ref) => service.verify(ref),
      (check) => makeReply(200, check),
    ),
    makeSessionToken: ({ params }, caller) => ({
      refusal: null,
      perform: () => makeSessionToken(deps, caller, params['id']!, params['playerId']!),
    }),
    listSessions: ({ query }, caller) => {
      const asked = parseQuery(deps.games, query, caller);
      if (isProblem(asked)) return asked;
      return {
        refusal: null,
        perform: () => replyPage(deps, caller, asked, (view) => [presentSession(view, null)]),
      };
    },
  };
}

/** An endpoint that reads one session. */
function byId<T>(
  deps: HttpDeps,
  read: (ref: SessionRef) => Promise<Outcome<T>>,
  show: (value: T) => Reply,
): Endpoint {
  return ({ params }, caller) => ({
    refusal: null,
    perform: async () => {
      const ref = sessionRef(caller, params['id']!);
      if (isProblem(ref)) return ref;
      const found = await read(ref);
      return found.ok ? show(found.value) : refusalProblem(found.refusal, deps.clock.now());
    },
  });
}

/** Rule S6. In every status: a late viewer still sees the result. */
async function makeSessionToken(
  deps: HttpDeps,
  caller: Caller,
  id: string,
  playerId: string,
): Promise<Reply | Problem> {
  const ref = sessionRef(caller, id);
  if (isProblem(ref)) return ref;
  const found = await deps.service.get(ref);
  if (!found.ok) return refusalProblem(found.refusal, deps.clock.now());
  const { row, roster, session } = found.value;
  const seat = roster.findIndex((player) => player?.id === playerId);
  // A bot plays by itself: no player takes its seat.
  if (seat === -1 || session.seats[seat]!.isBot) return makeProblem('player_not_seated');
  const body = { token: '', expiresIn: TOKEN_LIFE_S, socketUrl: makeSocketUrl(deps), playUrl: '' };
  const { mode, theme } = row;
  return makeReply(201, body, { kind: 'seat', session: id, mode, player: playerId, theme });
}

function parseQuery(games: Games, query: URLSearchParams, caller: Caller): SessionQuery | Problem {
  const asked = readGameQuery(games, sessionQuery, query);
  if (isProblem(asked)) return asked;
  const page = parsePage(asked, caller);
  if (isProblem(page)) return page;
  return {
    ...page,
    game: asked.game ?? null,
    status: asked.status ?? null,
    playerId: asked.player ?? null,
    ...pairIn(asked.metadata),
    createdFrom: timeOf(asked.createdFrom),
    createdTo: timeOf(asked.createdTo),
  };
}

/** The requested metadata key, and its value. */
function pairIn(
  metadata: Readonly<Record<string, string>> | undefined,
): Pick<SessionQuery, 'metadata'> {
  const [pair] = Object.entries(metadata ?? {});
  return pair === undefined ? {} : { metadata: { key: pair[0], value: pair[1] } };
}

function timeOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Date.parse(text);
}
