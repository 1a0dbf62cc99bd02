/** Rooms listed, and tokens to watch them (rule S10). */

import { isProblem, makeProblem, type Problem } from '../../contract/errors.ts';
import { readFields } from '../../contract/fields.ts';
import { roomQuery } from '../../contract/rooms-requests.ts';
import { seatedPlayers } from '../../match/frames.ts';
import type { SessionQuery } from '../../runtime/session-service.ts';
import { TOKEN_LIFE_S } from '../../runtime/tokens.ts';
import type { MatchView } from '../../runtime/work.ts';
import type { HttpDeps } from '../deps.ts';
import type { Caller, Endpoints, Reply } from '../exchange.ts';
import { makeReply } from '../exchange.ts';
import { makeCursor, parseCursor } from '../id-cursor.ts';
import { makeSocketUrl } from '../mint.ts';
import { readQuery } from '../query.ts';
import { timeOrNull } from '../session-answer.ts';
import { refusalProblem } from './refusals.ts';
import { PAGE_DEFAULT } from './session-reads.ts';
import { sessionRef } from './sessions.ts';

type RoomEndpoints = Pick<Endpoints, 'listRooms' | 'watchSession'>;

export function makeRoomEndpoints(deps: HttpDeps): RoomEndpoints {
  return {
    listRooms: ({ query }, caller) => {
      const asked = parseQuery(query, caller);
      if (isProblem(asked)) return asked;
      return { refusal: null, perform: () => list(deps, caller, asked) };
    },
    watchSession: ({ params }, caller) => ({
      refusal: null,
      perform: () => watch(deps, caller, params['id']!),
    }),
  };
}

function parseQuery(query: URLSearchParams, caller: Caller): SessionQuery | Problem {
  const asked = readFields(roomQuery, readQuery(roomQuery, query));
  if (isProblem(asked)) return asked;
  const before = parseCursor('ses', asked.cursor ?? null);
  if (isProblem(before)) return before;
  return {
    tenant: caller.tenant.id,
    mode: asked.mode ?? caller.key.mode,
    game: asked.game ?? null,
    status: 'active',
    playerId: null,
    createdFrom: null,
    createdTo: null,
    withoutPrivate: true,
    before,
    limit: asked.limit ?? PAGE_DEFAULT,
    ...(caller.key.mode === 'test' ? { world: 'test' } : null),
  };
}

async function list(deps: HttpDeps, caller: Caller, query: SessionQuery): Promise<Reply> {
  // Rule K3: a world this key may not see is empty.
  const isVisible = query.mode !== null && caller.modes.includes(query.mode);
  // One more than asked for tells whether there is another page.
  const views = isVisible ? await deps.service.list({ ...query, limit: query.limit + 1 }) : [];
  const page = views.slice(0, query.limit);
  const last = views.length > query.limit ? page.at(-1) : undefined;
  return makeReply(200, {
    // What has ended since its row was read is no room any more.
    data: page.flatMap((view) => (isActive(view) ? [presentRoom(deps, view)] : [])),
    nextCursor: last === undefined ? null : makeCursor(last.row.id),
  });
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

/** Private sessions too: the tenant decides to whom it gives the token. */
async function watch(deps: HttpDeps, caller: Caller, id: string): Promise<Reply | Problem> {
  const ref = sessionRef(caller, id);
  if (isProblem(ref)) return ref;
  const found = await deps.service.get(ref);
  if (!found.ok) return refusalProblem(found.refusal, deps.clock.now());
  const { row, session } = found.value;
  if (session.status === 'ended') return makeProblem('session_ended');
  const body = { token: '', expiresIn: TOKEN_LIFE_S, socketUrl: makeSocketUrl(deps) };
  return makeReply(201, body, { kind: 'watch', session: id, mode: row.mode });
}
