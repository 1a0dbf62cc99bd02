/** Changes a session on request: players join and leave it, and its tenant ends it. */

import type { GameId } from '../../../game/src/game.ts';
import { checksWithout } from '../../integrity/checks.ts';
import type { RejectCode } from '../../match/decide.ts';
import { openSeats, withPlayers } from '../../match/seating.ts';
import type { Roster } from '../../match/session.ts';
import type { AuditRow } from '../../store/store.ts';
import { worldOf } from '../../store/world.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { MatchHost } from '../host/match-host.ts';
import type { MatchView, Work, WorkResult } from '../host/work.ts';
import { seatedRow } from './new-session.ts';
import { named } from './player-data.ts';
import { refuse } from './refuse.ts';
import type { SessionDeps, SessionParts } from './session-deps.ts';
import { findSession } from './session-ref.ts';
import type {
  JoinRequest,
  KeepAnswer,
  Leaving,
  NamedPlayer,
  Outcome,
  ServiceRefusal,
  SessionRef,
  SessionRequest,
} from './session-service.ts';
import { storedCheck } from './stored-check.ts';

export async function joinSession(
  deps: SessionParts,
  request: JoinRequest,
  keep: KeepAnswer | null,
): Promise<Outcome<MatchView>> {
  const { tenant, mode, roomCode, game, player, verdict } = request;
  const now = deps.clock.now();
  const id = await deps.store.findSessionByRoomCode(tenant, mode, roomCode, now);
  if (id === null) return refuse('room_code_invalid');
  const seating = { tenant, world: worldOf({ mode }), game, verdict, keep };
  const joined = await seatPlayers(deps, id, seating, [player]);
  return !joined.ok && joined.refusal === 'session_not_found'
    ? refuse('room_code_invalid')
    : joined;
}

/** How players join an existing session. */
export interface Seating {
  readonly tenant: string;
  readonly world: KeyMode;
  readonly game: GameId;
  /** From the queue: only if they wait nowhere else (rule S2). */
  readonly queued?: true;
  /** Of the first player's device (rules I3a, I3b). */
  readonly verdict?: SessionRequest['verdict'] | undefined;
  readonly keep: KeepAnswer | null;
}

/** Seats players in a pending session, all of them or none. */
export function seatPlayers(
  deps: SessionParts,
  id: string,
  seating: Seating,
  asked: readonly NamedPlayer[],
): Promise<Outcome<MatchView>> {
  return deps.erasures.name(seating.tenant, () => writeSeats(deps, id, seating, asked));
}

async function writeSeats(
  deps: SessionDeps,
  id: string,
  { tenant, world, game, queued, verdict, keep }: Seating,
  asked: readonly NamedPlayer[],
): Promise<Outcome<MatchView>> {
  const players = await Promise.all(asked.map((each) => named(deps, tenant, world, each)));
  let seats: readonly number[] = [];
  const rosterOf = ({ roster, session }: MatchView): Roster =>
    withPlayers(session.setup.seats, roster, seats, players);
  return perform(deps.host, id, {
    command: (match) => {
      if (match.row.game !== game) return { code: 'unknown_session', error: '' };
      if (queued && match.roster.some((each) => each !== null && each.id === null)) {
        return { code: 'session_not_pending', error: 'A player of it was erased' };
      }
      if (match.roster.some((each) => players.some((player) => player.id === each?.id))) {
        return { code: 'player_in_session', error: 'Player already in session' };
      }
      seats = openSeats(match.session).slice(0, players.length);
      return { kind: 'join', bot: false, count: players.length };
    },
    roster: rosterOf,
    change: (match, after) => {
      const roster = rosterOf(match);
      const check = storedCheck(match.row.integrity, roster, {
        players,
        ...(verdict === undefined ? null : { verdict }),
      });
      return {
        // By the names in the request: a name that was looked up may be erased by then (rule R2).
        seats: seats.map((seat, index) => seatedRow(deps, asked[index]!, seat, after.at)),
        ...(queued ? { queued } : null),
        ...check,
        ...kept(keep, { row: { ...match.row, ...check }, roster, session: after }),
      };
    },
  });
}

function kept(keep: KeepAnswer | null, after: MatchView) {
  return keep === null ? null : { idempotency: keep(after) };
}

/** Removes a player from a pending session; the seat is open again (rule S3a). */
export async function leaveSession(
  deps: SessionParts,
  ref: SessionRef,
  { playerId, keep, audit }: Leaving,
): Promise<Outcome<MatchView>> {
  const found = await findSession(deps, ref);
  if (!found.ok) return found;
  const seatOf = ({ roster }: MatchView): number =>
    roster.findIndex((player) => player?.id === playerId);
  const rosterOf = (match: MatchView): Roster =>
    match.roster.map((player, seat) => (seat === seatOf(match) ? null : player));
  const work: Omit<Work, 'done'> = {
    command(match) {
      const seat = seatOf(match);
      if (seat < 0) return { code: 'unknown_session', error: 'Player not in session' };
      return { kind: 'leave', seat, id: null };
    },
    roster: rosterOf,
    change: (match, after) => ({
      ...(audit === undefined ? null : { audit }),
      ...kept(keep, {
        row: {
          ...match.row,
          status: after.status,
          ...checksWithout(match.row, [seatOf(match)]),
        },
        roster: rosterOf(match),
        session: after,
      }),
    }),
  };
  return deps.erasures.name(ref.tenant, () => perform(deps.host, ref.id, work, LEAVE_REFUSALS));
}

export async function endSession(
  deps: SessionParts,
  ref: SessionRef,
  keep: KeepAnswer | null,
  audit: AuditRow | undefined,
): Promise<Outcome<MatchView>> {
  const found = await findSession(deps, ref);
  if (!found.ok) return found;
  const work: Omit<Work, 'done'> = {
    command: () => ({ kind: 'abort' }),
    change: (match, after) => ({
      ...(audit === undefined ? null : { audit }),
      ...kept(keep, {
        row: { ...match.row, status: after.status },
        roster: match.roster,
        session: after,
      }),
    }),
  };
  return deps.erasures.name(ref.tenant, () => perform(deps.host, ref.id, work));
}

/** Refusals of some work that differ from `toOutcome`. */
type OwnRefusals = Partial<Record<RejectCode, ServiceRefusal>>;

const LEAVE_REFUSALS: OwnRefusals = {
  unknown_session: 'player_not_seated',
  session_not_pending: 'session_not_pending',
};

/** Runs work to its end; the view shows the session at that time. */
function perform(
  host: MatchHost,
  id: string,
  work: Omit<Work, 'done'>,
  own: OwnRefusals = {},
): Promise<Outcome<MatchView>> {
  return new Promise((resolve) => {
    host.run(id, {
      ...work,
      done: (result) => {
        resolve(toOutcome(result, own));
        return undefined;
      },
    });
  });
}

function toOutcome(result: WorkResult, own: OwnRefusals): Outcome<MatchView> {
  if (result.kind === 'not_found') return refuse('session_not_found');
  if (result.kind === 'done') {
    // A copy: the match goes on, and the response is about this moment.
    const { row, roster, session } = result.match;
    return { ok: true, value: { row, roster, session } };
  }
  const refusal = own[result.code];
  if (refusal !== undefined) return refuse(refusal);
  switch (result.code) {
    case 'player_in_session':
      return refuse('player_in_session');
    case 'room_full':
      return refuse('room_full');
    case 'unknown_session':
    case 'session_not_pending':
      return refuse('room_code_invalid');
    case 'session_ended':
      return refuse('session_ended');
    case 'busy':
      return refuse('busy');
    default:
      return refuse('unavailable');
  }
}
