/** The queue (rule S2): newcomers take seats in waiting sessions, or wait themselves. */

import { openSeats } from '../../match/seating.ts';
import { PENDING_MS } from '../../match/setup.ts';
import { NEW_RATING } from '../../matchmaking/glicko2.ts';
import { chooseSession } from '../../matchmaking/queue.ts';
import type { QueueKey, QueueStore } from '../../store/queue.ts';
import type { RatingStore } from '../../store/ratings.ts';
import type { CoreStore, SessionRow } from '../../store/store.ts';
import { worldOf } from '../../store/world.ts';
import type { MatchView } from '../host/work.ts';
import { pairingOf, pairingOfSetup } from '../pairing.ts';
import { seatPlayers } from '../sessions/change-session.ts';
import { createSession } from '../sessions/create-session.ts';
import { type Erasures, makeErasures } from '../sessions/erasures.ts';
import { isQueued } from '../sessions/new-session.ts';
import type { SessionDeps, SessionParts } from '../sessions/session-deps.ts';
import type {
  CreatedView,
  KeepAnswer,
  Outcome,
  SessionRequest,
  SessionService,
} from '../sessions/session-service.ts';
import { makeSessionService } from '../sessions/sessions.ts';

/** Sessions of one queue that are considered; the longest waiting. */
const LINE_MAX = 1_000;
/** Attempts in which a session that seemed to wait is gone or full. More than a few is a storm. */
const ATTEMPTS_MAX = 32;
/** A queue is cached for this long after its last newcomer; the store has it permanently. */
const LINE_KEPT_MS = 2 * PENDING_MS.other;
const EMPTY_LINE_KEPT_MS = 10_000;
/** A seated player must be able to connect before the session expires. */
const LEFT_MS_MIN = 30_000;
/** A session is offered for this long, even if its deadline was extended while the service was away. */
const OFFERED_MS = PENDING_MS.other - LEFT_MS_MIN;
/** Above what one newcomer can add, so that queues do not accumulate. */
const PRUNED_AT_ONCE = 2;

export interface QueueDeps extends SessionDeps {
  readonly store: CoreStore & QueueStore & Pick<RatingStore, 'findStandings'>;
  /** With other nodes; absent, all newcomers of a queue come here. */
  readonly turns?: QueueTurns | undefined;
}

/** One node at a time works on a queue. */
export interface QueueTurns {
  /** Waits for this node's turn at the queue; concurrent callers share it. */
  enter(line: string): Promise<QueueTurn>;
}

export interface QueueTurn {
  /** The queue was not read yet in this turn: the cache is older. */
  readonly isFresh: boolean;
  leave(): void;
}

/** A waiting session, with its promised seats: cached beside the store, never instead of it. */
interface Spot {
  readonly session: string;
  readonly since: number;
  rating: number;
  /** Players who wait in it. */
  size: number;
  free: number;
  /** False when it could not be created. */
  readonly isMade: Promise<boolean>;
}

/** One queue of this process. */
interface OpenLine {
  readonly line: QueueKey;
  readonly spots: Map<string, Spot>;
  /** Null: the store has to be asked (again). */
  loaded: Promise<void> | null;
  touchedAt: number;
}

interface Queue {
  readonly deps: QueueDeps & SessionParts;
  readonly lines: Map<string, OpenLine>;
  /** By player: the end of the last call about them. */
  readonly turns: Map<string, Promise<void>>;
}

/** The newcomers and their request. */
interface Newcomer {
  readonly line: QueueKey;
  readonly request: SessionRequest;
  readonly rating: number;
  readonly keep: KeepAnswer | null;
  /** Sessions that refused them: these are not retried, whatever the store says. */
  readonly refused: Set<string>;
}

/** The cached session did not exist: read again. */
const AGAIN = 'again';

/** Wraps the service so that its `create` goes through the queue. */
export function makeQueuedSessions(
  deps: QueueDeps,
  erasures: Erasures = makeErasures(),
): SessionService {
  const service = makeSessionService(deps, erasures);
  const queue: Queue = { deps: { ...deps, erasures }, lines: new Map(), turns: new Map() };
  deps.host.onFound(({ row }) => refresh(queue, row));
  deps.host.onLeft((match) => {
    offerAgain(queue, match).catch(() => undefined);
  });
  return {
    ...service,
    create: (request, keep) =>
      isQueued(request)
        ? inTurn(queue, request, () => enterLine(queue, request, keep))
        : service.create(request, keep),
  };
}

/**
 * Calls about one player are serialized. Two at once could each find a seat for them; the store would refuse the
 * second, but only after disturbing that session.
 */
function inTurn<T>(
  { turns }: Queue,
  { tenant, mode, game, players }: SessionRequest,
  act: () => Promise<T>,
): Promise<T> {
  const names = players.map(({ id }) => JSON.stringify([tenant, mode, game, id]));
  const before = names.flatMap((name) => turns.get(name) ?? []);
  const outcome = before.length === 0 ? act() : Promise.all(before).then(act);
  const leave = (): void => {
    for (const name of names) if (turns.get(name) === done) turns.delete(name);
  };
  const done: Promise<void> = outcome.then(leave, leave);
  for (const name of names) turns.set(name, done);
  return outcome;
}

/** Other nodes see the result, because each reads the queue when its turn comes. */
async function enterLine(
  queue: Queue,
  request: SessionRequest,
  keep: KeepAnswer | null,
): Promise<Outcome<CreatedView>> {
  const line = lineOf(request);
  const turn = await queue.deps.turns?.enter(keyOf(line));
  if (turn?.isFresh) queue.lines.delete(keyOf(line));
  try {
    return await enter(queue, line, request, keep);
  } finally {
    turn?.leave();
  }
}

async function enter(
  queue: Queue,
  line: QueueKey,
  request: SessionRequest,
  keep: KeepAnswer | null,
): Promise<Outcome<CreatedView>> {
  const rating = await ratingOf(queue.deps, request);
  const newcomer: Newcomer = { line, request, rating, keep, refused: new Set() };
  for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
    const own = await findOwn(queue.deps, newcomer);
    if (own !== null) return own;
    const outcome = await seatOrWait(queue, newcomer);
    if (outcome !== AGAIN) return outcome;
  }
  return { ok: false, refusal: 'busy' };
}

/** Only players with identical terms can meet. */
function lineOf({ tenant, mode, game, variant, seats, options }: SessionRequest): QueueKey {
  return { tenant, mode, game, pairing: pairingOf({ variant, seats, options }) };
}

function keyOf(line: QueueKey): string {
  return Object.values(line).join(' ');
}

/** A party's rating is its mean. */
async function ratingOf({ store }: QueueDeps, request: SessionRequest): Promise<number> {
  const ids = request.players.map(({ id }) => id);
  const standings = await store.findStandings(request, ids);
  const sum = ids.reduce((total, id) => total + (standings.get(id) ?? NEW_RATING).rating, 0);
  return sum / ids.length;
}

/** The session in which all of them wait already; a refusal when only some wait, or in different sessions. */
async function findOwn(
  deps: QueueDeps,
  { line, request: { players } }: Newcomer,
): Promise<Outcome<CreatedView> | null> {
  const places = await deps.store.findWaiting(
    line,
    players.map(({ id }) => id),
  );
  const session = places[0]?.session;
  if (session === undefined) return null;
  const isOne = places.length === players.length && places.every((p) => p.session === session);
  return isOne ? showOwn(deps, session) : { ok: false, refusal: 'player_in_session' };
}

/** Null when it waits no longer: its last seat was taken at this moment. */
async function showOwn(deps: QueueDeps, session: string): Promise<Outcome<CreatedView> | null> {
  const view = await deps.host.peek(session);
  if (view?.session.status !== 'pending' || openSeats(view.session).length === 0) return null;
  const { row, roster } = view;
  return { ok: true, value: { row, roster, session: view.session, waited: true } };
}

/** Reserves before its first await, so that no two newcomers are promised the same seat. */
async function seatOrWait(
  queue: Queue,
  newcomer: Newcomer,
): Promise<Outcome<CreatedView> | typeof AGAIN> {
  const { line, request, rating, refused } = newcomer;
  const open = await openLine(queue, line, request.seats);
  const party = { rating, size: request.players.length };
  const now = queue.deps.clock.now();
  for (const each of open.spots.values()) if (isOver(each, now)) open.spots.delete(each.session);
  const spots = [...open.spots.values()].filter(({ session }) => !refused.has(session));
  const spot = chooseSession(spots, party, now);
  return spot === null ? wait(queue, open, newcomer) : join(queue, open, newcomer, spot);
}

/** A queue whose sessions are cached. It is current between its return and the next await. */
async function openLine({ deps, lines }: Queue, line: QueueKey, seats: number): Promise<OpenLine> {
  const key = keyOf(line);
  const now = deps.clock.now();
  prune(lines, now);
  for (;;) {
    const open = lines.get(key) ?? { line, spots: new Map(), loaded: null, touchedAt: now };
    lines.set(key, open);
    open.touchedAt = now;
    open.loaded ??= load(deps, open, seats);
    const { loaded } = open;
    try {
      await loaded;
    } catch (error) {
      if (open.loaded === loaded) open.loaded = null;
      throw error;
    }
    if (lines.get(key) === open && open.loaded === loaded) return open;
  }
}

/** Sessions that waited before this process, or were dropped. Cached ones stay as they are. */
async function load(
  { store, clock }: QueueDeps,
  { line, spots }: OpenLine,
  seats: number,
): Promise<void> {
  for (const { taken, ...waiting } of await store.listWaiting(line, LINE_MAX)) {
    if (spots.has(waiting.session) || isOver(waiting, clock.now())) continue;
    const isMade = Promise.resolve(true);
    spots.set(waiting.session, { ...waiting, size: taken, free: seats - taken, isMade });
  }
}

/** Is it no longer offered? */
function isOver({ since }: Pick<Spot, 'since'>, now: number): boolean {
  return now - since > OFFERED_MS;
}

/** It is not what it was taken for: the store is asked again. */
function doubt(open: OpenLine, session: string): void {
  open.spots.delete(session);
  open.loaded = null;
}

/** A session of unknown outcome was found: it may wait in one of these queues. */
function refresh({ lines }: Queue, { tenant, mode, game }: SessionRow): void {
  for (const open of lines.values()) {
    const { line } = open;
    if (line.tenant === tenant && line.mode === mode && line.game === game) open.loaded = null;
  }
}

/**
 * A seat of a session is open again, so the cache is outdated. Taking a turn at its queue makes other nodes read
 * the queue again, too.
 */
async function offerAgain(queue: Queue, { row, session }: MatchView): Promise<void> {
  if (session.setup.seating !== 'drawn') return;
  const { tenant, mode, game } = row;
  const key = keyOf({ tenant, mode, game, pairing: pairingOfSetup(session.setup) });
  const open = queue.lines.get(key);
  if (open !== undefined) doubt(open, row.id);
  (await queue.deps.turns?.enter(key))?.leave();
}

/** Idle queues are dropped, a few at a time, oldest first. */
function prune(lines: Queue['lines'], now: number): void {
  let looked = 0;
  for (const [key, open] of lines) {
    if (++looked > PRUNED_AT_ONCE) return;
    lines.delete(key);
    const lifetimeMs = open.spots.size === 0 ? EMPTY_LINE_KEPT_MS : LINE_KEPT_MS;
    if (now - open.touchedAt < lifetimeMs) lines.set(key, open);
  }
}

async function join(
  queue: Queue,
  open: OpenLine,
  newcomer: Newcomer,
  spot: Spot,
): Promise<Outcome<CreatedView> | typeof AGAIN> {
  spot.free -= newcomer.request.players.length;
  try {
    return await joinReserved(queue, open, newcomer, spot);
  } catch (error) {
    // Whether they sit there is unknown: the seat is neither theirs nor free.
    doubt(open, spot.session);
    throw error;
  }
}

async function joinReserved(
  { deps }: Queue,
  open: OpenLine,
  { line, request: { players, verdict }, rating, keep, refused }: Newcomer,
  spot: Spot,
): Promise<Outcome<CreatedView> | typeof AGAIN> {
  const { session } = spot;
  if (!(await spot.isMade)) return AGAIN;
  if (await isNearlyOver(deps, session)) {
    refused.add(session);
    open.spots.delete(session);
    return AGAIN;
  }
  const { tenant, game } = line;
  const world = worldOf(line);
  const seating = { tenant, world, game, queued: true, verdict, keep } as const;
  const joined = await seatPlayers(deps, session, seating, players);
  if (joined.ok) {
    spot.rating =
      (spot.rating * spot.size + rating * players.length) / (spot.size + players.length);
    spot.size += players.length;
    if (openSeats(joined.value.session).length === 0) open.spots.delete(session);
    return joined;
  }
  refused.add(session);
  doubt(open, session);
  if (joined.refusal === 'busy' || joined.refusal === 'unavailable') return joined;
  if (joined.refusal === 'player_in_session') return showSeat(deps, session, players);
  return AGAIN;
}

async function isNearlyOver({ host, clock }: QueueDeps, session: string): Promise<boolean> {
  const view = await host.peek(session);
  return view?.session.status === 'pending' && view.session.expiresAt - clock.now() < LEFT_MS_MIN;
}

/** A room code can have seated them, past the queue. */
async function showSeat(
  deps: QueueDeps,
  session: string,
  players: SessionRequest['players'],
): Promise<Outcome<CreatedView> | typeof AGAIN> {
  const shown = await showOwn(deps, session);
  if (!shown?.ok) return AGAIN;
  const isSeated = (id: string): boolean => shown.value.roster.some((each) => each?.id === id);
  return players.every(({ id }) => isSeated(id))
    ? shown
    : { ok: false, refusal: 'player_in_session' };
}

async function wait(
  { deps }: Queue,
  open: OpenLine,
  { line, request, rating, keep }: Newcomer,
): Promise<Outcome<CreatedView> | typeof AGAIN> {
  const session = deps.makeId('ses');
  const size = request.players.length;
  const made = createSession(deps, request, keep, { id: session, pairing: line.pairing });
  open.spots.set(session, {
    session,
    since: deps.clock.now(),
    rating,
    size,
    free: request.seats - size,
    isMade: made.then(
      ({ ok }) => ok,
      () => false,
    ),
  });
  try {
    const outcome = await made;
    if (!outcome.ok) open.spots.delete(session);
    // One of them has begun to wait elsewhere since the read.
    return !outcome.ok && outcome.refusal === 'player_in_session' ? AGAIN : outcome;
  } catch (error) {
    // It may have been created.
    doubt(open, session);
    throw error;
  }
}
