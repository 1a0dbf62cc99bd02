/** The queue (rule S2): newcomers are seated where others wait, or wait themselves. */

import { openSeats } from '../match/seating.ts';
import { PENDING_MS } from '../match/setup.ts';
import { NEW_RATING } from '../matchmaking/glicko2.ts';
import { chooseSession } from '../matchmaking/queue.ts';
import type { QueueKey, QueueStore } from '../store/queue.ts';
import type { RatingStore } from '../store/ratings.ts';
import type { CoreStore, SessionRow } from '../store/store.ts';
import { worldOf } from '../store/world.ts';
import { type Erasures, makeErasures } from './erasures.ts';
import type { MatchView } from './host/work.ts';
import { isQueued } from './new-session.ts';
import { pairingOf, pairingOfSetup } from './pairing.ts';
import type {
  CreatedView,
  KeepAnswer,
  Outcome,
  SessionRequest,
  SessionService,
} from './session-service.ts';
import type { SessionDeps, SessionParts } from './sessions.ts';
import { createSession, makeSessionService, seatPlayers } from './sessions.ts';

/** Sessions of one line that are looked at; the longest waiting. */
const LINE_MAX = 1_000;
/** Each try finds a session gone or full that seemed to wait. More than a few is a storm. */
const TRIES_MAX = 32;
/** A line is remembered for so long after its last newcomer; the store knows it forever. */
const LINE_KEPT_MS = 2 * PENDING_MS.other;
const EMPTY_LINE_KEPT_MS = 10_000;
/** Who is seated has to be able to connect before the session expires. */
const LEFT_MS_MIN = 30_000;
/** A session is offered for so long, whatever time it is given when the service was away. */
const OFFERED_MS = PENDING_MS.other - LEFT_MS_MIN;
/** More than one newcomer can add, so lines do not pile up. */
const PRUNED_AT_ONCE = 2;

export interface QueueDeps extends SessionDeps {
  readonly store: CoreStore & QueueStore & Pick<RatingStore, 'findStandings'>;
  /** Where there are other nodes: absent, all who come to a line come here. */
  readonly turns?: QueueTurns | undefined;
}

/** A line is dealt with on one node at a time. */
export interface QueueTurns {
  /** Waits until it is this node's turn at the line; all who are in it share it. */
  enter(line: string): Promise<QueueTurn>;
}

export interface QueueTurn {
  /** Nobody has looked at the line in this turn: what is known of it is from before. */
  readonly isFresh: boolean;
  leave(): void;
}

/** A session that waits, with what is promised of it: kept beside the store, never instead of it. */
interface Spot {
  readonly session: string;
  readonly since: number;
  rating: number;
  /** Players who wait in it. */
  size: number;
  free: number;
  /** False when it could not be made. */
  readonly isMade: Promise<boolean>;
}

/** One line of this process. */
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

/** Who comes, and what for. */
interface Newcomer {
  readonly line: QueueKey;
  readonly request: SessionRequest;
  readonly rating: number;
  readonly keep: KeepAnswer | null;
  /** Sessions that did not take them: whatever the store says of them, they are not retried. */
  readonly refused: Set<string>;
}

/** What seemed to be there was not: look again. */
const AGAIN = 'again';

/** The service whose `create` has the queue in front of it. */
export function makeQueuedSessions(
  deps: QueueDeps,
  erasures: Erasures = makeErasures(),
): SessionService {
  const service = makeSessionService(deps, erasures);
  const queue: Queue = { deps: { ...deps, erasures }, lines: new Map(), turns: new Map() };
  deps.host.onFound(({ row }) => lookAnew(queue, row));
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
 * Calls about one player come one after another. Two at once could each find a place for them; the
 * store would refuse the second, but not without shaking the session they were to be seated in.
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

/** Other nodes see what comes of it, as each looks at the line again when it is its turn. */
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
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const own = await findOwn(queue.deps, newcomer);
    if (own !== null) return own;
    const outcome = await seatOrWait(queue, newcomer);
    if (outcome !== AGAIN) return outcome;
  }
  return { ok: false, refusal: 'busy' };
}

/** Only those who ask for the very same can meet. */
function lineOf({ tenant, mode, game, variant, seats, options }: SessionRequest): QueueKey {
  return { tenant, mode, game, pairing: pairingOf({ variant, seats, options }) };
}

function keyOf(line: QueueKey): string {
  return Object.values(line).join(' ');
}

/** A party is as strong as its mean. */
async function ratingOf({ store }: QueueDeps, request: SessionRequest): Promise<number> {
  const ids = request.players.map(({ id }) => id);
  const standings = await store.findStandings(request, ids);
  const sum = ids.reduce((total, id) => total + (standings.get(id) ?? NEW_RATING).rating, 0);
  return sum / ids.length;
}

/** The session in which all of them wait already; a refusal when only some do, or apart. */
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

/** Null when it waits no longer: its last seat was taken this very moment. */
async function showOwn(deps: QueueDeps, session: string): Promise<Outcome<CreatedView> | null> {
  const view = await deps.host.peek(session);
  if (view?.session.status !== 'pending' || openSeats(view.session).length === 0) return null;
  const { row, roster } = view;
  return { ok: true, value: { row, roster, session: view.session, waited: true } };
}

/** Reserves before it waits for anything, so that no two newcomers are promised the same seat. */
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

/** A line whose sessions are known here. Between its return and the next await it is the one. */
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

/** What waited before this process, or was lost sight of. What is known here stays as it is. */
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

/** Is it offered to nobody any more? */
function isOver({ since }: Pick<Spot, 'since'>, now: number): boolean {
  return now - since > OFFERED_MS;
}

/** What it is now is not what it was taken for: the store is asked who waits. */
function doubt(open: OpenLine, session: string): void {
  open.spots.delete(session);
  open.loaded = null;
}

/** A session was found of which nobody could say whether it was made: it may wait in one of these. */
function lookAnew({ lines }: Queue, { tenant, mode, game }: SessionRow): void {
  for (const open of lines.values()) {
    const { line } = open;
    if (line.tenant === tenant && line.mode === mode && line.game === game) open.loaded = null;
  }
}

/**
 * A seat of a session is open again: what is known of it here is not so any more. Taking a turn at its line
 * makes other nodes look at the line again, too.
 */
async function offerAgain(queue: Queue, { row, session }: MatchView): Promise<void> {
  if (session.setup.seating !== 'drawn') return;
  const { tenant, mode, game } = row;
  const key = keyOf({ tenant, mode, game, pairing: pairingOfSetup(session.setup) });
  const open = queue.lines.get(key);
  if (open !== undefined) doubt(open, row.id);
  (await queue.deps.turns?.enter(key))?.leave();
}

/** Lines that nobody has come to for long are forgotten, a few at a time, the oldest first. */
function prune(lines: Queue['lines'], now: number): void {
  let looked = 0;
  for (const [key, open] of lines) {
    if (++looked > PRUNED_AT_ONCE) return;
    lines.delete(key);
    const keptMs = open.spots.size === 0 ? EMPTY_LINE_KEPT_MS : LINE_KEPT_MS;
    if (now - open.touchedAt < keptMs) lines.set(key, open);
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
    // They may sit there or not: the seat is neither theirs nor free.
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

/** A room code can have brought them here, past the queue. */
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
    // One of them has begun to wait elsewhere since it was looked at.
    return !outcome.ok && outcome.refusal === 'player_in_session' ? AGAIN : outcome;
  } catch (error) {
    // It may have been made.
    doubt(open, session);
    throw error;
  }
}
