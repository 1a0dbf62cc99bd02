/** Creates, joins and ends sessions. */

import { isProblem, makeProblem, type Problem } from '../../contract/errors.ts';
import { readFields } from '../../contract/fields.ts';
import { endRequest, joinRequest } from '../../contract/requests/requests.ts';
import type { Verdict } from '../../integrity/verdict.ts';
import type { MatchView } from '../../runtime/host/work.ts';
import { isId } from '../../runtime/ids.ts';
import { parseRoomCode } from '../../runtime/sessions/room-code.ts';
import type {
  CreatedView,
  NamedPlayer,
  Outcome,
  SessionRef,
  SessionRequest,
  SessionService,
} from '../../runtime/sessions/session-service.ts';
import { GUEST_PREFIX } from '../../store/guests.ts';
import { memberAudit } from '../request/actor.ts';
import type { HttpDeps } from '../request/deps.ts';
import type { Caller, Endpoint, Endpoints, Keep, Mint, Reply } from '../request/exchange.ts';
import { makeReply } from '../request/exchange.ts';
import { BLANK_SESSION_TOKENS } from '../request/mint.ts';
import { presentSession } from '../request/session-answer.ts';
import { type CheckInput, deviceOf, withCheck } from './device-check.ts';
import { refusalProblem } from './refusals.ts';
import {
  hasDuplicate,
  parseSessionRequest,
  refuseSessionRequest,
  type SessionInput,
} from './session-request.ts';

type SessionWrites = Pick<
  Endpoints,
  'createSession' | 'joinSession' | 'makeRematch' | 'removeSessionPlayer' | 'endSession'
>;

export function makeSessionWrites(deps: HttpDeps): SessionWrites {
  return {
    createSession: ({ fields }, caller) => {
      const asked = parseSessionRequest(deps.games, fields, caller.key.mode);
      if (isProblem(asked)) return asked;
      return {
        refusal: refuseSessionRequest(asked, caller.key.mode),
        perform: (keep) => create(deps, asked, caller, keep),
      };
    },
    joinSession: joinEndpoint(deps),
    makeRematch: rematchEndpoint(deps),
    removeSessionPlayer: ({ params }, caller) =>
      changing(deps, caller, params['id']!, 'session.player_removed', (ref, keep, audit) =>
        deps.service.leave(ref, { playerId: params['playerId']!, keep, audit }),
      ),
    endSession: ({ params, fields }, caller) => {
      const asked = readFields(endRequest, fields);
      if (isProblem(asked)) return asked;
      return changing(deps, caller, params['id']!, 'session.ended', deps.service.end);
    },
  };
}

/** A call that changes a session and returns it afterwards; a member's call is in the audit as `act`. */
function changing(
  deps: HttpDeps,
  caller: Caller,
  id: string,
  act: string,
  change: SessionService['end'],
): Exclude<ReturnType<Endpoint>, Problem> {
  return {
    refusal: null,
    perform: async (keep) => {
      const ref = sessionRef(caller, id);
      if (isProblem(ref)) return ref;
      const makeAnswer = (view: MatchView): Reply => makeReply(200, presentSession(view, null));
      const audit = memberAudit(caller, act, ref.id, deps.clock.now());
      return settle(deps, await change(ref, keepAnswer(keep, makeAnswer), audit), keep, makeAnswer);
    },
  };
}

async function create(
  deps: HttpDeps,
  asked: SessionInput,
  caller: Caller,
  keep: Keep,
): Promise<Reply | Problem> {
  const players = asked.mode === 'training' ? [makeGuest(deps, asked.guestName)] : asked.players;
  if (hasDuplicate(players)) return makeProblem('player_in_session');
  const ids = players.map(({ id }) => id);
  const act = async (verdict: Verdict | null): Promise<Reply | Problem> => {
    const makeAnswer = (view: CreatedView): Reply => {
      const body = presentSession(view, BLANK_SESSION_TOKENS, verdict);
      return makeReply(view.waited ? 200 : 201, body, sessionMint(view, ids));
    };
    const request = makeRequest(asked, players, caller, verdict);
    const made = await deps.service.create(request, keepAnswer(keep, makeAnswer));
    return settle(deps, made, keep, makeAnswer, caller.limits.sessionsPerMonth);
  };
  return withCheck(deps, caller, checkOf(asked), act);
}

function checkOf(asked: SessionInput): CheckInput {
  const { game, mode, matchType, device } = asked;
  const players = asked.players.map(({ id }) => id);
  const bound = players.length === 0 ? null : { game, matchType, players };
  return { device, mode, bound, asked: [asked] };
}

function makeRequest(
  { game, mode, matchType, variant, seats, options, metadata, theme }: SessionInput,
  players: readonly NamedPlayer[],
  { tenant, limits, key }: Caller,
  verdict: Verdict | null,
): SessionRequest {
  return {
    tenant: tenant.id,
    mode,
    game,
    matchType,
    variant,
    seats,
    options,
    players,
    metadata,
    theme,
    limits,
    ...(mode === 'training' ? { world: key.mode } : null),
    ...(verdict === null ? null : { verdict }),
  };
}

/** A training player: a made-up id, so that nothing about the player is stored, and the given name. */
function makeGuest({ makeId }: HttpDeps, name: string | null): NamedPlayer {
  return { id: `${GUEST_PREFIX}${makeId('ply').slice(4)}`, displayName: name ?? 'Guest' };
}

function joinEndpoint(deps: HttpDeps): Endpoint {
  return ({ fields }, caller) => {
    const asked = readFields(joinRequest, fields);
    if (isProblem(asked)) return asked;
    const { game, player } = asked;
    const mode = asked.mode ?? caller.key.mode;
    return {
      refusal: null,
      perform: async (keep) => {
        // Rule K3: a room that the key may not see does not exist for it. Training has no open rooms.
        const isOpen = caller.modes.includes(mode) && mode !== 'training';
        const roomCode = parseRoomCode(asked.roomCode);
        if (!isOpen || roomCode === null) return makeProblem('room_code_invalid');
        const act = async (verdict: Verdict | null): Promise<Reply | Problem> => {
          // A caller without a check of its own is shown the session's first check.
          const own = verdict ?? undefined;
          const makeAnswer = (view: MatchView): Reply => {
            const body = presentSession(view, BLANK_SESSION_TOKENS, own);
            return makeReply(200, body, sessionMint(view, [player.id]));
          };
          const request = {
            tenant: caller.tenant.id,
            mode,
            roomCode,
            game,
            player: { id: player.id, displayName: player.displayName || null },
            ...(own && { verdict: own }),
          };
          const joined = await deps.service.join(request, keepAnswer(keep, makeAnswer));
          return settle(deps, joined, keep, makeAnswer);
        };
        const bound = { game, player: player.id, roomCode };
        const check = {
          device: deviceOf(asked),
          mode,
          bound,
          asked: ['joinSession', game, mode, roomCode, player],
        };
        return withCheck(deps, caller, check, act);
      },
    };
  };
}

function rematchEndpoint(deps: HttpDeps): Endpoint {
  return ({ params }, caller) => ({
    refusal: null,
    perform: async (keep) => {
      const ref = sessionRef(caller, params['id']!);
      if (isProblem(ref)) return ref;
      const makeAnswer = (view: CreatedView): Reply => {
        const body = presentSession(view, BLANK_SESSION_TOKENS);
        return makeReply(view.waited ? 200 : 201, body, sessionMint(view, humansOf(view)));
      };
      const asked = keepAnswer(keep, makeAnswer);
      const made = await deps.service.rematch(ref, caller.limits, asked);
      return settle(deps, made, keep, makeAnswer, caller.limits.sessionsPerMonth);
    },
  });
}

function humansOf({ roster, session }: MatchView): readonly string[] {
  return roster.flatMap((player, seat) => (session.seats[seat]!.isBot ? [] : (player?.id ?? [])));
}

function sessionMint({ row }: MatchView, players: readonly string[]): Mint {
  return { kind: 'session', session: row.id, mode: row.mode, players };
}

/** The response's row, for the service to commit with the effect. */
function keepAnswer(keep: Keep, makeAnswer: (view: MatchView) => Reply) {
  return keep === null ? null : (after: MatchView) => keep(makeAnswer(after));
}

function settle(
  deps: HttpDeps,
  outcome: Outcome<CreatedView>,
  keep: Keep,
  makeAnswer: (view: CreatedView) => Reply,
  monthlyMax: number | null = null,
): Reply | Problem {
  if (!outcome.ok) return refusalProblem(outcome.refusal, deps.clock.now(), monthlyMax);
  // Without an effect there was no commit to store the response in.
  const isStored = keep !== null && outcome.value.waited !== true;
  return { ...makeAnswer(outcome.value), isStored };
}

/** A session by id, as far as the caller may see it. An invalid id is not looked up. */
export function sessionRef(caller: Caller, id: string): SessionRef | Problem {
  if (!isId('ses', id)) return makeProblem('session_not_found');
  return { tenant: caller.tenant.id, id, modes: caller.modes };
}
