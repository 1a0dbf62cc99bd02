/** `POST /matchmaking/hosted/start-match`: takes groups and returns a running match (rule M5). */

import { seatRangeOf } from '../../../../game/src/game.ts';
import { isProblem, makeProblem, type Problem } from '../../../contract/errors.ts';
import { readField } from '../../../contract/fields.ts';
import { startQuery, startRequest } from '../../../contract/requests/hosted-requests.ts';
import type { Games } from '../../../games/games.ts';
import { presentGroup } from '../../../matchmaking/present-group.ts';
import { isId } from '../../../runtime/ids.ts';
import type { Started, StartRequest } from '../../../runtime/matchmaking/hosted.ts';
import type { HttpDeps } from '../../request/deps.ts';
import type { Caller, Endpoint, Input, Keep, Mint, Reply } from '../../request/exchange.ts';
import { makeReply } from '../../request/exchange.ts';
import { BLANK_SESSION_TOKENS } from '../../request/mint.ts';
import { readGameQuery } from '../../request/query.ts';
import { presentSession } from '../../request/session-answer.ts';
import { refusalProblem } from '../refusals.ts';
import { readOptions, readVariant } from '../session-request.ts';
import { hostedProblem } from './hosted-refusals.ts';

export function startMatchEndpoint(deps: HttpDeps): Endpoint {
  return (input, caller) => {
    const asked = parseStart(deps.games, input, caller);
    if (isProblem(asked)) return asked;
    return { refusal: null, perform: (keep) => start(deps, asked, keep) };
  };
}

function parseStart(
  games: Games,
  { query, fields }: Input,
  caller: Caller,
): StartRequest | Problem {
  const asked = readGameQuery(games, startQuery, query);
  if (isProblem(asked)) return asked;
  const { game } = asked;
  const groups = readGroupIds(fields['groupIds']);
  if (isProblem(groups)) return groups;
  const engine = games.find(game)!.game;
  const variant = readVariant(game, engine, fields['variant']);
  if (isProblem(variant)) return variant;
  const options = readOptions(engine, fields['options']);
  if (isProblem(options)) return options;
  return {
    tenant: caller.tenant.id,
    mode: caller.key.mode,
    game,
    groups,
    seats: seatRangeOf(engine, variant),
    variant,
    options,
    requireConnected: asked.requireConnected === 'true',
    limits: caller.limits,
  };
}

function readGroupIds(value: unknown): readonly string[] | Problem {
  const isList = Array.isArray(value) && value.length > 0;
  if (!isList || !value.every((id) => typeof id === 'string' && id !== '')) {
    return makeProblem('field_required', { field: 'groupIds' });
  }
  const ids = readField(startRequest.shape.groupIds, value, 'groupIds');
  if (isProblem(ids)) return ids;
  return new Set(ids).size < ids.length ? makeProblem('duplicate_groups') : ids;
}

async function start(deps: HttpDeps, request: StartRequest, keep: Keep): Promise<Reply | Problem> {
  // An invalid id is not looked up.
  const odd = request.groups.find((id) => !isId('grp', id));
  if (odd !== undefined)
    return hostedProblem({ code: 'group_not_found', group: odd }, request.game);
  const result = await deps.hosted.start(
    request,
    keep && ((started) => keep(answerStarted(started))),
  );
  switch (result.kind) {
    case 'started':
      return { ...answerStarted(result), isStored: keep !== null };
    case 'again':
      return makeReply(200, {
        ...presentSession(result.view, null),
        groups: result.groups.map(presentGroup),
      });
    case 'refused':
      return hostedProblem(result.refusal, request.game);
    case 'failed':
      return refusalProblem(result.refusal, deps.clock.now(), request.limits.sessionsPerMonth);
  }
}

function answerStarted({ view, groups }: Started): Reply {
  const { row, roster } = view;
  const players = roster.flatMap((player) => player?.id ?? []);
  const mint: Mint = { kind: 'session', session: row.id, mode: row.mode, players };
  const body = { ...presentSession(view, BLANK_SESSION_TOKENS), groups: groups.map(presentGroup) };
  return makeReply(201, body, mint);
}
