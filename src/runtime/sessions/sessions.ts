/** Creates, joins, ends and returns sessions: the service behind the routes. */

import { setImmediate } from 'node:timers/promises';
import type { GameId } from '../../../game/src/game.ts';
import { makeCheckEvents } from '../../events/check-events.ts';
import { makeCreatedEvents } from '../../events/session-events.ts';
import type { Games } from '../../games/games.ts';
import { checksWithout, readChecks } from '../../integrity/checks.ts';
import type { RejectCode } from '../../match/decide.ts';
import { openSession } from '../../match/evolve.ts';
import { makeReplay } from '../../match/replay/replay.ts';
import { openSeats, seatOrder, withPlayers } from '../../match/seating.ts';
import type { Roster } from '../../match/session.ts';
import type { BotStore } from '../../store/bots.ts';
import type { AnswerSearch, AuditRow, CoreStore, StoredSession } from '../../store/store.ts';
import { worldOf } from '../../store/world.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { foldLog, isSecret } from '../host/fold.ts';
import type { Erased } from '../host/host-deps.ts';
import type { MatchHost } from '../host/match-host.ts';
import type { MatchView, Work, WorkResult } from '../host/work.ts';
import type { MakeId } from '../ids.ts';
import type { Clock, Randomness } from '../ports.ts';
import type { Seals } from '../signing/seals.ts';
import { type Erasures, makeErasures } from './erasures.ts';
import { firstEntry, firstRow, madeOrLookedFor, quotaOf, seatedRow } from './new-session.ts';
import { exportPlayer, namePlayer } from './player-data.ts';
import { makeRematch, type StartedSession } from './rematch.ts';
import { makeRoomCode } from './room-code.ts';
import { fillSeats } from './seating.ts';
import { isVisible } from './session-ref.ts';
import type {
  JoinRequest,
  KeepAnswer,
  Leaving,
  NamedPlayer,
  Outcome,
  ServiceRefusal,
  SessionRef,
  SessionRequest,
  SessionService,
} from './session-service.ts';
import { withSpan } from './session-span.ts';
import { storedCheck } from './stored-check.ts';
import { verifyLog } from './verify-log.ts';

/** A code is valid for so long, or until the session is active. */
const ROOM_CODE_MS = 600_000;
/** Attempts to find a free code. Two collisions in a row are very unlikely. */
const ROOM_CODE_TRIES = 5;

export interface SessionDeps {
  readonly store: CoreStore;
  readonly bots: Pick<BotStore, 'listSeatableBots'>;
  readonly host: MatchHost;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly makeId: MakeId;
  readonly node: string;
  readonly games: Games;
  /** Verifies ended sessions, and signs replays. */
  readonly seals: Pick<Seals, 'check' | 'signReplay'>;
  /** A player of a world was erased (rule R2): their sockets in it are closed. */
  onErased(player: Erased): void;
  /** The rematch of that session was made. */
  onRematch?(session: string): void;
}

/** Serializes conflicting calls. */
export interface SessionParts extends SessionDeps {
  readonly erasures: Erasures;
}

export function makeSessionService(
  given: SessionDeps,
  erasures: Erasures = makeErasures(),
): SessionService {
  const deps: SessionParts = { ...given, erasures };
  const forgetAnswersOf: SessionService['forgetAnswersOf'] = (...whom) =>
    deps.store.forgetAnswersOf(...whom, deps.clock.now());
  return {
    create: (request, keep) => createFilled(deps, request, keep),
    rematch: makeRematch({
      ...deps,
      get: (ref) => get(deps, ref),
      write: (request, keep, begun) => writeSession(deps, request, keep, begun),
    }),
    join: (request, keep) => join(deps, request, keep),
    get: (ref) => get(deps, ref),
    async notifySeated(session) {
      const view = await deps.host.peek(session);
      if (view !== null) deps.host.notifySeated(view);
    },
    async list(query) {
      const rows = await deps.store.listSessions(withSpan(query));
      const views: MatchView[] = [];
      for (const { id } of rows) {
        const view = await deps.host.peek(id);
        if (view !== null) views.push(view);
        // Folding a sleeping session blocks, so other work runs in between.
        await setImmediate();
      }
      return views;
    },
    watchers: (session) => deps.host.watchers(session),
    leave: (ref, leaving) => leave(deps, ref, leaving),
    end: (ref, keep, audit) => end(deps, ref, keep, audit),
    replay: (ref) =>
      withLog(deps, ref, (stored) => {
        const { session } = foldLog(deps.games, stored.row.id, stored.entries);
        return deps.seals.signReplay(makeReplay(session, stored.roster, stored.entries));
      }),
    verify: (ref) => withLog(deps, ref, (stored) => verifyLog(deps, stored)),
    namePlayer: (...naming) => namePlayer(deps, ...naming),
    exportPlayer: (tenant, playerId, modes) => exportPlayer(deps, tenant, playerId, modes),
    forgetAnswersOf,
    async erasePlayer(tenant, worlds, playerId, { looked, audit } = {}) {
      const before = looked ?? (await forgetAnswersOf(tenant, worlds, playerId));
      const how = { looked: before, audit };
      return erasures.erase(tenant, () => erasePlayer(deps, { tenant, worlds, playerId }, how));
    },
  };
}

async function erasePlayer(
  deps: SessionDeps,
  { tenant, worlds, playerId }: { tenant: string; worlds: readonly KeyMode[]; playerId: string },
  how: { readonly looked: AnswerSearch; readonly audit: AuditRow | undefined },
): Promise<Outcome<null>> {
  const isErased = await deps.store.erasePlayer(tenant, worlds, playerId, deps.clock.now(), how);
  if (!isErased) return refuse('player_not_found');
  for (const world of worlds) {
    deps.host.forgetPlayer({ tenant, world, playerId });
    deps.onErased({ tenant, world, playerId });
  }
  return { ok: true, value: null };
}

function refuse(refusal: ServiceRefusal): { readonly ok: false; readonly refusal: ServiceRefusal } {
  return { ok: false, refusal };
}

// ── create ─────────────────────────────────────────────────────────────────────────────────────

/** A session of the queue; its players must not wait elsewhere (rule S2). */
export interface QueuedSession {
  readonly id: string;
  readonly pairing: string;
}

/** Training and matches against bots have their bots from the start, or are not created. */
async function createFilled(
  deps: SessionParts,
  request: SessionRequest,
  keep: KeepAnswer | null,
): Promise<Outcome<MatchView>> {
  const { bots: store, randomness } = deps;
  const bots = await fillSeats({ store, randomness }, request);
  if (bots === null) return refuse('no_active_bots');
  return createSession(deps, bots.length === 0 ? request : { ...request, bots }, keep);
}

export function createSession(
  deps: SessionParts,
  request: SessionRequest,
  keep: KeepAnswer | null,
  queued?: QueuedSession,
): Promise<Outcome<MatchView>> {
  // Both before the first await: lists by time rely on it (`withSpan`).
  const id = queued?.id ?? deps.makeId('ses');
  const now = deps.clock.now();
  const begun = { id, now, pairing: queued?.pairing };
  return deps.erasures.name(request.tenant, () => writeSession(deps, request, keep, begun));
}

async function writeSession(
  deps: SessionDeps,
  request: SessionRequest,
  keep: KeepAnswer | null,
  { id, now, pairing }: StartedSession,
): Promise<Outcome<MatchView>> {
  const { store, host, makeId } = deps;
  // A stored response is written with the session, so it has to name the players first.
  const players =
    keep === null
      ? request.players
      : await Promise.all(
          request.players.map((each) => named(deps, request.tenant, worldOf(request), each)),
        );
  const entry = firstEntry(deps, request, now);
  const session = openSession(deps.games.findPlayed, id, entry);
  const wakeAt = host.sleepsUntil(session);
  const order = request.order ?? seatOrder(session.setup);
  const bots = (request.bots ?? []).map(({ player }) => player);
  const everybody = [...players, ...bots];
  const roster = withPlayers(request.seats, [], order, everybody);
  // By the names in the request: a name that was looked up may be erased by then (rule R2).
  const seats = [...request.players, ...bots].map((player, index) =>
    seatedRow(deps, player, order[index]!, now, index >= players.length),
  );
  for (let tries = 0; tries < ROOM_CODE_TRIES; tries++) {
    const row = {
      ...firstRow(request, id, makeRoomCode(deps.randomness), now),
      ...storedCheck(undefined, roster, request),
    };
    const view: MatchView = { row, roster, session };
    const asked = store.createSession({
      row,
      seats,
      entry,
      roomCodeExpiresAt: now + ROOM_CODE_MS,
      wakeAt,
      quota: quotaOf(request, now),
      idempotency: keep === null ? null : keep(view),
      events: [
        ...makeCreatedEvents(row, id, entry, () => makeId('evt')),
        ...makeCheckEvents(row, id, readChecks(row.integrity), entry, () => makeId('evt')),
      ],
      ...(pairing === undefined ? null : { waiting: { pairing } }),
      ...(request.rematchOf === undefined ? null : { rematchOf: request.rematchOf }),
    });
    const outcome = await madeOrLookedFor(host, id, asked);
    if (outcome === 'month_full') return refuse('month_quota_exceeded');
    if (outcome === 'open_full') return refuse('open_sessions_exceeded');
    if (outcome === 'already_waiting') return refuse('player_in_session');
    if (outcome === 'rematch_made') return refuse('no_rematch');
    if (outcome === 'room_code_taken') continue;
    const { names } = outcome;
    const asStored = everybody.map((player, i) => ({ ...player, displayName: names[i] ?? null }));
    const kept = { ...view, roster: withPlayers(request.seats, [], order, asStored) };
    if (wakeAt === null) host.adopt({ row, roster: kept.roster, entries: [entry] });
    host.notifySeated(kept);
    return { ok: true, value: kept };
  }
  return refuse('busy');
}

/** The player under the name last given for them. */
async function named(
  deps: SessionDeps,
  tenant: string,
  world: KeyMode,
  player: NamedPlayer,
): Promise<NamedPlayer> {
  if (player.displayName !== null) return player;
  const known = await deps.store.findPlayer(tenant, world, player.id);
  return { id: player.id, displayName: known?.displayName ?? null };
}

// ── join and end ───────────────────────────────────────────────────────────────────────────────

async function join(
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
async function leave(
  deps: SessionParts,
  ref: SessionRef,
  { playerId, keep, audit }: Leaving,
): Promise<Outcome<MatchView>> {
  const found = await get(deps, ref);
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

async function end(
  deps: SessionParts,
  ref: SessionRef,
  keep: KeepAnswer | null,
  audit: AuditRow | undefined,
): Promise<Outcome<MatchView>> {
  const found = await get(deps, ref);
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

// ── look ───────────────────────────────────────────────────────────────────────────────────────

async function get(deps: SessionDeps, ref: SessionRef): Promise<Outcome<MatchView>> {
  const view = await deps.host.peek(ref.id);
  if (view === null || !isVisible(view.row, ref)) return refuse('session_not_found');
  return { ok: true, value: { row: view.row, roster: view.roster, session: view.session } };
}

async function withLog<T>(
  deps: SessionDeps,
  ref: SessionRef,
  read: (stored: StoredSession) => T | Promise<T>,
): Promise<Outcome<T>> {
  const stored = await deps.store.loadSession(ref.id);
  if (stored === null || !isVisible(stored.row, ref)) return refuse('session_not_found');
  if (isSecret(deps.games, stored)) return refuse('session_not_ended');
  return { ok: true, value: await read(stored) };
}
