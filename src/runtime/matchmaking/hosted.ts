/** Hosted matchmaking: the tenant's backend decides each step, and each takes effect at once (rule M6). */

import { makeCheckEvents } from '../../events/check-events.ts';
import { makeCreatedEvents, makeStepEvents } from '../../events/session-events.ts';
import type { Verdict } from '../../integrity/verdict.ts';
import { RETURN_GRACE_MS } from '../../match/deadline.ts';
import { dealtEvents, makeStep } from '../../match/decide.ts';
import { foldSession } from '../../match/evolve.ts';
import type { Entry, LogRecord, Mode } from '../../match/record.ts';
import type { SessionOptions } from '../../match/setup.ts';
import type {
  HostedRefusal,
  SeatRange,
  StartDecision,
  StartedTicket,
  StartPlayer,
  Ticket,
} from '../../matchmaking/ticket.ts';
import { decideStart } from '../../matchmaking/ticket.ts';
import type { IdempotencyRow, SessionRow } from '../../store/store.ts';
import type {
  AddOutcome,
  CancelOutcome,
  CreateTicketOutcome,
  GroupRef,
  PromoteOutcome,
  RemoveOutcome,
  StartedSession,
  TicketRef,
  TicketStore,
  TicketWorld,
} from '../../store/tickets.ts';
import type { TenantLimits } from '../../tenancy/tenant.ts';
import type { MatchHost } from '../host/match-host.ts';
import type { MatchView } from '../host/work.ts';
import type { Clock } from '../ports.ts';
import { type Erasures, makeErasures } from '../sessions/erasures.ts';
import {
  firstEntry,
  firstRow,
  type MakerDeps,
  madeOrLookedFor,
  quotaOf,
  seatedRow,
} from '../sessions/new-session.ts';
import { makeRoomCode } from '../sessions/room-code.ts';
import type { ServiceRefusal } from '../sessions/session-service.ts';

/** Attempts to start groups that change between the read and the start. Only the erasure of a player changes them. */
const START_TRIES = 5;

export interface HostedDeps extends MakerDeps {
  readonly store: TicketStore;
  readonly host: Pick<MatchHost, 'sleepsUntil' | 'adopt' | 'probeLater' | 'peek' | 'notifySeated'>;
  readonly clock: Clock;
  /** Is a lobby of the player's open here? Then they are present from the match's first moment. */
  isInLobby(tenant: string, mode: Mode, playerId: string): boolean;
  /** Has the player a socket open on another node? It may be a lobby. */
  isElsewhere(tenant: string, mode: Mode, playerId: string): boolean | Promise<boolean>;
  /** A session began, with groups that had waited this long in the pool. Milliseconds. */
  onStarted?(row: SessionRow, waitedMs: readonly number[]): void;
}

/** Groups to start together, already validated. */
export interface StartRequest extends TicketWorld {
  readonly groups: readonly string[];
  /** How many players the game allows. */
  readonly seats: SeatRange;
  readonly variant: string;
  readonly options: SessionOptions;
  readonly requireConnected: boolean;
  readonly limits: TenantLimits;
}

export interface Started {
  readonly view: MatchView;
  /** In the order of the request. */
  readonly groups: readonly StartedTicket[];
}

/** `again`: this set was started before, and the view shows its session as it now is. */
export type HostedStart =
  | ({ readonly kind: 'started' | 'again' } & Started)
  | { readonly kind: 'refused'; readonly refusal: HostedRefusal }
  | { readonly kind: 'failed'; readonly refusal: ServiceRefusal };

type ResponseRow = IdempotencyRow | null;

/** Each change stores the given response in its commit, null for none (rule H8). */
export interface HostedService {
  /** Its id is made here: `keep` makes the row with it. */
  createTicket(
    ticket: TicketWorld & { readonly capacity: number; readonly openTicketsMax: number },
    keep: ((id: string) => IdempotencyRow) | null,
  ): Promise<{ readonly id: string; readonly outcome: CreateTicketOutcome }>;
  /** `verdict` is of the player's device; absent when it was not checked. */
  addPlayer(
    ref: TicketRef,
    playerId: string,
    kept: ResponseRow,
    verdict?: Verdict,
  ): Promise<AddOutcome>;
  removePlayer(ref: TicketRef, playerId: string, kept: ResponseRow): Promise<RemoveOutcome>;
  /** The stored response's body is filled in. */
  promote(ref: TicketRef, kept: ResponseRow): Promise<PromoteOutcome>;
  cancelTicket(ref: TicketRef, kept: ResponseRow): Promise<CancelOutcome>;
  cancelGroup(ref: GroupRef, kept: ResponseRow): Promise<CancelOutcome>;
  start(
    request: StartRequest,
    keep: ((started: Started) => IdempotencyRow) | null,
  ): Promise<HostedStart>;
  findTicket: TicketStore['findTicket'];
  listTickets: TicketStore['listTickets'];
  listPool: TicketStore['listPool'];
  listTicketsOf: TicketStore['listTicketsOf'];
}

export function makeHostedService(
  deps: HostedDeps,
  erasures: Erasures = makeErasures(),
): HostedService {
  const { store, clock, makeId } = deps;
  const write = (idempotency: ResponseRow) => ({
    at: clock.now(),
    eventId: makeId('evt'),
    idempotency,
  });
  return {
    async createTicket(ticket, keep) {
      const id = makeId('tkt');
      const written = write(keep === null ? null : keep(id));
      const outcome = await store.createTicket({ ...ticket, ticket: id, ...written });
      return { id, outcome };
    },
    addPlayer: (ref, playerId, kept, verdict) =>
      store.addToTicket({
        ...ref,
        playerId,
        newRef: makeId('ply'),
        ...(verdict && { integrity: JSON.stringify(verdict) }),
        ...write(kept),
      }),
    removePlayer: (ref, playerId, kept) =>
      store.removeFromTicket({ ...ref, playerId, ...write(kept) }),
    promote: (ref, kept) => store.promoteTicket({ ...ref, group: makeId('grp'), ...write(kept) }),
    cancelTicket: (ref, kept) => store.cancelTicket({ ...ref, ...write(kept) }),
    cancelGroup: (ref, kept) => store.cancelGroup({ ...ref, ...write(kept) }),
    start: (request, keep) => erasures.name(request.tenant, () => start(deps, request, keep)),
    findTicket: (ref) => store.findTicket(ref),
    listTickets: (filter) => store.listTickets(filter),
    listPool: (world, afterPlace, limit) => store.listPool(world, afterPlace, limit),
    listTicketsOf: (of, after, limit) => store.listTicketsOf(of, after, limit),
  };
}

/**
 * Reads the groups, makes their session, and passes both to the store, which checks again and does all or nothing.
 * Groups in the pool do not change, so the second check finds the same.
 */
async function start(
  deps: HostedDeps,
  request: StartRequest,
  keep: ((started: Started) => IdempotencyRow) | null,
): Promise<HostedStart> {
  for (let tries = 0; tries < START_TRIES; tries++) {
    const found = await deps.store.findGroups(request, request.groups);
    const decision = decideStart({
      ids: request.groups,
      groups: found,
      seats: request.seats,
      isConnected: null,
    });
    if (decision.kind === 'refused') return decision;
    if (decision.kind === 'again') return startedBefore(deps, decision.session, found);
    const result = await startNow(deps, request, found, decision, keep);
    if (result !== null) return result;
  }
  return { kind: 'failed', refusal: 'busy' };
}

async function startedBefore(
  { host }: HostedDeps,
  session: string,
  groups: readonly (Ticket | null)[],
): Promise<HostedStart> {
  const view = await host.peek(session);
  // It may have been removed when its retention ended.
  if (view === null) return { kind: 'failed', refusal: 'session_not_found' };
  // The first caller may have lost the response, and with it the notification of the players.
  host.notifySeated(view);
  return { kind: 'again', view: copyOf(view), groups: groups as readonly StartedTicket[] };
}

/** The match goes on, and the response is about this moment. */
function copyOf({ row, roster, session }: MatchView): MatchView {
  return { row, roster, session };
}

/** Null when the groups have changed since the read. */
async function startNow(
  deps: HostedDeps,
  request: StartRequest,
  found: readonly (Ticket | null)[],
  { players }: Extract<StartDecision, { kind: 'start' }>,
  keep: ((started: Started) => IdempotencyRow) | null,
): Promise<HostedStart | null> {
  const { store, host, clock, makeId } = deps;
  const comings = await Promise.all(
    players.map((player, seat) => comingOf(deps, request, player, seat)),
  );
  const at = clock.now();
  const { made, view } = makeStarted(deps, request, players, comings.flat(), at);
  const groups = found.map((group) => asStarted(group!, view, found.length));
  const started: Started = { view, groups };
  const asked = store.startGroups({
    tenant: request.tenant,
    mode: request.mode,
    game: request.game,
    groups: request.groups,
    seats: request.seats,
    requireConnected: request.requireConnected,
    session: made,
    at,
    eventIds: request.groups.map(() => makeId('evt')),
    idempotency: keep === null ? null : keep(started),
  });
  const outcome = await madeOrLookedFor(host, made.row.id, asked);
  switch (outcome.kind) {
    case 'started':
      deps.onStarted?.(
        made.row,
        groups.map(({ promotedAt }) => at - promotedAt),
      );
      if (made.wakeAt === null) {
        host.adopt({ row: made.row, roster: view.roster, entries: made.entries });
      }
      host.notifySeated(view);
      return { kind: 'started', ...started };
    case 'again':
    case 'changed':
      return null;
    case 'month_full':
      return { kind: 'failed', refusal: 'month_quota_exceeded' };
    case 'open_full':
      return { kind: 'failed', refusal: 'open_sessions_exceeded' };
    case 'refused':
      return outcome;
  }
}

/**
 * A player's presence as their match begins. A player whose lobby is on another node attaches from there and gets
 * as long as after a takeover, because their grace period may be shorter. The kind of socket there is not known
 * here; at worst they have this time and no lobby.
 */
async function comingOf(
  { isInLobby, isElsewhere }: HostedDeps,
  { tenant, mode, options }: StartRequest,
  { id }: StartPlayer,
  seat: number,
): Promise<readonly LogRecord[]> {
  if (isInLobby(tenant, mode, id)) return [{ k: 'connected', seat }];
  const isSoonOut = options.disconnectGraceMs < RETURN_GRACE_MS;
  if (!isSoonOut || !(await isElsewhere(tenant, mode, id))) return [];
  return [
    { k: 'connected', seat },
    { k: 'disconnected', seat, putAway: true },
  ];
}

/** A session that has begun: every seat is taken, and players in lobbies are present. */
function makeStarted(
  deps: HostedDeps,
  request: StartRequest,
  players: readonly StartPlayer[],
  comings: readonly LogRecord[],
  now: number,
): { readonly made: StartedSession; readonly view: MatchView } {
  const id = deps.makeId('ses');
  const { tenant, mode, game, variant, options, limits } = request;
  const asked = {
    tenant,
    mode,
    game,
    matchType: 'hosted',
    variant,
    seats: players.length,
    options,
    players,
    metadata: null,
    theme: null,
    limits,
  } as const;
  const created = firstEntry(deps, asked, now);
  const later: LogRecord[] = [...comings, { k: 'started' }];
  const entries = [created, ...later.map((record, i): Entry => ({ v: i + 1, at: now, record }))];
  const session = foldSession(deps.games.findPlayed, id, entries);
  // Nobody joins an active session, so its code opens nothing and is not reserved.
  const pending = firstRow(asked, id, makeRoomCode(deps.randomness), now);
  const checks = players.flatMap(({ integrity: verdict }, seat) =>
    verdict === undefined ? [] : [{ seat, verdict }],
  );
  const row: SessionRow = {
    ...pending,
    status: 'active',
    startedAt: now,
    ...(checks.length === 0 ? null : { integrity: JSON.stringify(checks) }),
  };
  const makeEventId = () => deps.makeId('evt');
  // A player from another node is notified on arrival.
  const away = comings.flatMap((record) => (record.k === 'disconnected' ? [record.seat] : []));
  const told = entries.slice(1).filter(({ record }) => {
    return !('seat' in record && away.includes(record.seat));
  });
  const made: StartedSession = {
    row,
    // A start gives no names: a name that was read may have been replaced by now.
    seats: players.map(({ id: playerId }, seat) =>
      seatedRow(deps, { id: playerId, displayName: null }, seat, now),
    ),
    entries,
    wakeAt: deps.host.sleepsUntil(session),
    quota: quotaOf(asked, now),
    events: [
      ...makeCreatedEvents(row, id, created, makeEventId),
      ...makeStepEvents(
        row,
        told.map((entry) =>
          makeStep(entry, session, entry.record.k === 'started' ? dealtEvents(session) : []),
        ),
        makeEventId,
      ),
      ...makeCheckEvents(row, id, checks, { v: 0, at: now }, makeEventId),
    ],
  };
  const roster = players.map(({ id: player, displayName }) => ({ id: player, displayName }));
  return { made, view: { row, roster, session } };
}

/** A group of the pool as it will be. */
function asStarted(group: Ticket, { row }: MatchView, startedWith: number): StartedTicket {
  const { id, tenant, mode, game, capacity, players, createdAt } = group;
  const base = { id, tenant, mode, game, capacity, players, createdAt };
  const { group: name, promotedAt } = group as Extract<Ticket, { status: 'promoted' }>;
  const ended = { session: row.id, startedWith, endedAt: row.createdAt };
  return { ...base, status: 'started', group: name, promotedAt, ...ended };
}
