/** Folds records into a session. Total over logs that `decide` wrote; throws on others. */

import type { AnyGame, Applied, Json, Outcome, Seat } from '../../game/src/game.ts';
import { isRefusal, SEATS_MAX } from '../../game/src/game.ts';
import type { CountedRandom } from '../../game/src/random.ts';
import { makeRandom } from '../../game/src/random.ts';
import type { Advanced, TickGame } from '../../game/src/tick-game.ts';
import { advance, BATCH_TICKS_MAX, countTicks, parseRuns } from '../../game/src/tick-game.ts';
import type { Rules, RulesRef } from '../games/games.ts';
import type { Entry, LogRecord } from './record.ts';
import { openSeat, seatOrder } from './seating.ts';
import type { ActiveSession, PendingSession, Play, SeatState, Session } from './session.ts';
import { entropyOf } from './session.ts';

/** An action with its version and time. */
export type ActionEntry = Entry & { readonly record: Extract<LogRecord, { k: 'action' }> };

/** Ticks with their version and time. */
export type TicksEntry = Entry & { readonly record: Extract<LogRecord, { k: 'ticks' }> };

/** A log that no `decide` can have written. Ends one match, never the process. */
export class BrokenLogError extends Error {
  readonly session: string;
  readonly v: number;
  constructor(session: string, v: number, what: string) {
    super(`session ${session} record ${v}: ${what}`);
    this.name = 'BrokenLogError';
    this.session = session;
    this.v = v;
  }
}

/** Finds the rules that a session began with; null if they are not loaded. */
export type FindRules = (ref: RulesRef) => Rules | null;

/** The rules that a session began with are not loaded here. Its log is sound. */
export class RulesMissingError extends Error {
  readonly ref: RulesRef;
  constructor(session: string, { game, rulesVersion, rulesHash }: RulesRef) {
    const hash = rulesHash === undefined ? '' : ` (${rulesHash})`;
    super(
      `session ${session}: the rules of ${game}, version ${rulesVersion}${hash}, are not loaded`,
    );
    this.name = 'RulesMissingError';
    this.ref = { game, rulesVersion, rulesHash };
  }
}

export function gameOf(session: Session): AnyGame {
  return session.rules.game;
}

/** The game's first position. The engine gets the options, but never the seed. */
export function openingOf(session: Session): Json {
  const { variant, seats, options } = session.setup;
  return gameOf(session).initial({ variant, seats, options });
}

/** The session after its whole log. `entries` start with version 0 and have no gap. */
export function foldSession(findRules: FindRules, id: string, entries: readonly Entry[]): Session {
  let session: Session | null = null;
  for (const entry of entries) session = foldEntry(findRules, id, session, entry);
  if (session === null) throw new BrokenLogError(id, 0, 'empty log');
  return session;
}

/** The session after one more record of its log; null before the first. */
export function foldEntry(
  findRules: FindRules,
  id: string,
  session: Session | null,
  entry: Entry,
): Session {
  return session === null ? openSession(findRules, id, entry) : evolve(session, entry);
}

/** The session after the first record of its log. */
export function openSession(
  findRules: FindRules,
  id: string,
  { v, at, record }: Entry,
): PendingSession {
  if (record.k !== 'created' || v !== 0) throw new BrokenLogError(id, v, 'out of order');
  checkDraw(id, record);
  const rules = findRules(record.setup);
  if (rules === null) throw new RulesMissingError(id, record.setup);
  return initialSession(id, rules, at, record);
}

/** The session after one more record. */
export function evolve(session: Session, entry: Entry): Session {
  const { id } = session;
  const { v, at, record } = entry;
  if (record.k === 'created') throw new BrokenLogError(id, v, 'created twice');
  if (v !== session.v + 1) throw new BrokenLogError(id, v, 'out of order');
  if (session.status === 'ended') throw new BrokenLogError(id, v, 'after the end');
  if (at < session.at) throw new BrokenLogError(id, v, 'earlier than the one before');
  // The most frequent records: their session is copied only once.
  if (record.k === 'action') return act(active(session, v), { v, at, record });
  if (record.k === 'ticks') return playTicks(active(session, v), { v, at, record });
  return evolveRecord({ ...session, v, at }, record);
}

/** An open seat. */
const OPEN_SEAT: SeatState = {
  taken: false,
  isBot: false,
  level: null,
  everConnected: false,
  connected: false,
  disconnectedAt: null,
  putAway: false,
  forfeited: null,
  entropy: '',
};

function initialSession(
  id: string,
  rules: Rules,
  at: number,
  record: Extract<LogRecord, { k: 'created' }>,
): PendingSession {
  const seats = Array.from(
    { length: record.setup.seats },
    (_, seat): SeatState => ({
      ...OPEN_SEAT,
      taken: record.taken.includes(seat),
      isBot: record.bots.includes(seat),
      level: record.levels?.[record.bots.indexOf(seat)] ?? null,
    }),
  );
  return {
    status: 'pending',
    id,
    rules,
    v: 0,
    at,
    setup: record.setup,
    createdAt: at,
    seats,
    epoch: 0,
    node: record.node,
    expiresAt: record.setup.expiresAt,
  };
}

/** Rule S2: drawn seats follow the seed's order. */
function checkDraw(id: string, { setup, taken }: Extract<LogRecord, { k: 'created' }>): void {
  if (setup.seating !== 'drawn') return;
  const order = seatOrder(setup);
  const isDrawn = taken.every((seat, index) => seat === order[index]);
  if (!isDrawn) throw new BrokenLogError(id, 0, 'seats are not as drawn');
}

function checkJoin(session: Session, seat: Seat): void {
  if (session.setup.seating !== 'drawn' || openSeat(session) === seat) return;
  throw new BrokenLogError(session.id, session.v, `seat ${seat} is not the one drawn`);
}

function checkLeave(session: Session, seat: Seat): void {
  if (session.status === 'pending' && session.seats[seat]?.taken === true) return;
  throw new BrokenLogError(session.id, session.v, `nobody can leave seat ${seat}`);
}

/** `session` has the record's version and time already. */
function evolveRecord(
  session: Session,
  record: Exclude<LogRecord, { k: 'created' | 'action' | 'ticks' }>,
): Session {
  switch (record.k) {
    case 'joined':
      checkJoin(session, record.seat);
      return withSeat(session, record.seat, {
        taken: true,
        isBot: record.bot,
        level: record.level ?? null,
      });
    case 'left':
      checkLeave(session, record.seat);
      return withSeat(session, record.seat, OPEN_SEAT);
    case 'entropy':
      return withSeat(session, record.seat, { entropy: record.value });
    case 'connected':
      return withSeat(session, record.seat, {
        connected: true,
        everConnected: true,
        disconnectedAt: null,
        putAway: false,
      });
    case 'disconnected':
      return withSeat(session, record.seat, {
        connected: false,
        disconnectedAt: session.at,
        putAway: record.putAway === true,
      });
    case 'started':
      return start(session);
    case 'draw':
      return draw(active(session, session.v), record.seat, record.do);
    case 'missed':
      return miss(active(session, session.v), record.seat);
    case 'forfeited':
      return forfeit(active(session, session.v), record);
    case 'ended':
      return end(session, record.outcome);
    case 'owned':
      return own(session, record);
    case 'paused':
      return shiftTime(session, record.lostMs);
  }
}

function active(session: Session, v: number): ActiveSession {
  if (session.status !== 'active') {
    throw new BrokenLogError(session.id, v, `not active but ${session.status}`);
  }
  return session;
}

function withSeat(session: Session, seat: Seat, change: Partial<SeatState>): Session {
  return {
    ...session,
    seats: session.seats.map((each, index) => (index === seat ? { ...each, ...change } : each)),
  };
}

function start(session: Session): Session {
  if (session.status !== 'pending') {
    throw new BrokenLogError(session.id, session.v, 'started twice');
  }
  const { setup } = session;
  const { expiresAt: _, ...base } = session;
  const { state, drawn } = deal(session);
  return {
    ...base,
    status: 'active',
    startedAt: session.at,
    playEndsAt: playEnd(session),
    play: makePlay(gameOf(session), state, drawn, 0),
    turnStartedAt: session.at,
    clockMs: setup.clock === null ? null : session.seats.map(() => setup.clock!.initialMs),
    drawOfferedBy: null,
    drawOfferedAtMove: session.seats.map(() => null),
    // A seat that was connected once and is absent at the start has its grace period from the start
    // on.
    seats: session.seats.map((seat) =>
      seat.connected || seat.isBot ? seat : { ...seat, disconnectedAt: session.at },
    ),
  };
}

/** The opening position, the game's events for it, and how many random values it drew. */
export function deal(session: Session): Applied<Json> & { readonly drawn: number } {
  const opening = openingOf(session);
  const random = randomFrom(session, 0);
  const dealt = gameOf(session).deal?.(opening, random) ?? { state: opening, events: [] };
  return { ...dealt, drawn: random.drawn() };
}

/** When the game's time limit ends; null if it has none. */
function playEnd(session: Session): number | null {
  const { variant, seats, options } = session.setup;
  const limitMs = gameOf(session).timeLimitMs?.({ variant, seats, options }) ?? null;
  return limitMs === null ? null : session.at + limitMs;
}

function act(session: ActiveSession, entry: ActionEntry): Session {
  const { seat, action } = entry.record;
  const random = randomOf(session);
  const applied = gameOf(session).apply(session.play.state, seat, action, random);
  if (isRefusal(applied)) throw new BrokenLogError(session.id, entry.v, applied.error);
  return afterAction(session, entry, applied, random.drawn());
}

/** The match's random values from here on. */
export function randomOf(session: ActiveSession): CountedRandom {
  return randomFrom(session, session.play.drawn);
}

function randomFrom(session: Session, drawn: number): CountedRandom {
  return makeRandom(session.setup.seed, () => entropyOf(session), drawn);
}

/** The session after an action of the seat in `entry`, which has been applied. */
export function afterAction(
  session: ActiveSession,
  { v, at, record }: ActionEntry,
  applied: Applied<Json>,
  drawn: number,
): ActiveSession {
  const { seat } = record;
  const play = makePlay(gameOf(session), applied.state, drawn, session.play.moveCount + 1);
  return {
    ...session,
    v,
    at,
    play,
    turnStartedAt: turnStart(session, at, seat, play),
    clockMs: clockAfterTurn(session, at, seat, play),
    // The opponent's move declines an offer.
    drawOfferedBy: session.drawOfferedBy === seat ? seat : null,
  };
}

/** The game of a session as a tick game; null when it is none. */
export function tickGameOf(session: Session): TickGame | null {
  const game = gameOf(session);
  return game.ticks === undefined ? null : { ticks: game.ticks, outcome: game.outcome };
}

function playTicks(session: ActiveSession, entry: TicksEntry): Session {
  const { from, runs } = entry.record;
  const broken = (what: string) => new BrokenLogError(session.id, entry.v, what);
  const game = tickGameOf(session);
  if (game === null) throw broken('ticks of a game that has none');
  const { ticks } = game;
  const { state } = session.play;
  if (from !== ticks.tickOf(state)) throw broken(`tick ${from} is not the next one`);
  const bounds = { seats: session.seats.length, maskMax: ticks.maskMax, ticksMax: BATCH_TICKS_MAX };
  if (parseRuns(runs, bounds) === null || countTicks(runs) === 0) throw broken('no ticks');
  const advanced = advance(game, state, runs);
  if (countTicks(advanced.runs) < countTicks(runs)) throw broken('ticks after the end');
  return afterTicks(session, entry, advanced);
}

/** The session after ticks that have been played. */
export function afterTicks(
  session: ActiveSession,
  { v, at }: TicksEntry,
  { state, runs }: Advanced<Json>,
): ActiveSession {
  const { drawn, moveCount } = session.play;
  const play = makePlay(gameOf(session), state, drawn, moveCount + countTicks(runs));
  return { ...session, v, at, play };
}

function makePlay(game: AnyGame, state: Json, drawn: number, moveCount: number): Play {
  if (game.acting !== undefined) {
    return { state, turn: null, acting: game.acting(state), drawn, moveCount };
  }
  const turn = game.turn(state);
  return { state, turn, acting: turn === null ? NOBODY : ALONE[turn]!, drawn, moveCount };
}

const NOBODY: readonly Seat[] = [];
/** For each seat the list with only that seat: most moves need one. */
const ALONE = Array.from({ length: SEATS_MAX }, (_, seat): readonly Seat[] => [seat]);

/**
 * When the turn of the acting seats started. Seats that were to act before keep their turn; `seat`,
 * which has just acted, begins another.
 */
function turnStart(before: ActiveSession, at: number, seat: Seat | null, { acting }: Play): number {
  const goesOn = (each: Seat): boolean => each !== seat && before.play.acting.includes(each);
  return acting.length > 0 && acting.every(goesOn) ? before.turnStartedAt : at;
}

/** The player who continues has no increment yet. */
function clockAfterTurn(
  session: ActiveSession,
  at: number,
  seat: Seat,
  play: Play,
): readonly number[] | null {
  return stoppedClock(session, at, play.turn === seat ? 0 : incrementOf(session));
}

function incrementOf(session: ActiveSession): number {
  return session.setup.clock?.incrementMs ?? 0;
}

function stoppedClock(
  session: ActiveSession,
  at: number,
  incrementMs: number,
): readonly number[] | null {
  const running = session.play.turn;
  if (session.clockMs === null || running === null) return session.clockMs;
  const used = Math.max(0, at - session.turnStartedAt);
  return session.clockMs.map((left, seat) =>
    seat === running ? Math.max(0, left - used) + incrementMs : left,
  );
}

function draw(session: ActiveSession, seat: Seat, step: 'offer' | 'accept' | 'decline'): Session {
  if (step !== 'offer') return { ...session, drawOfferedBy: null };
  const at = session.play.moveCount;
  return {
    ...session,
    drawOfferedBy: seat,
    drawOfferedAtMove: session.drawOfferedAtMove.map((each, index) => (index === seat ? at : each)),
  };
}

function miss(session: ActiveSession, seat: Seat): Session {
  const game = gameOf(session);
  const random = randomOf(session);
  const applied = game.missTurn?.(session.play.state, seat, random) ?? null;
  if (applied === null) throw new BrokenLogError(session.id, session.v, 'a turn cannot be missed');
  const play = makePlay(game, applied.state, random.drawn(), session.play.moveCount);
  const { at } = session;
  const turnStartedAt = turnStart(session, at, seat, play);
  return { ...session, play, turnStartedAt, clockMs: clockAfterTurn(session, at, seat, play) };
}

function forfeit(session: ActiveSession, record: Extract<LogRecord, { k: 'forfeited' }>): Session {
  if (session.seats[record.seat]?.forfeited !== null) {
    throw new BrokenLogError(session.id, session.v, `seat ${record.seat} cannot go`);
  }
  const game = gameOf(session);
  const { drawn, moveCount } = session.play;
  const state = game.forfeit?.(session.play.state, record.seat) ?? session.play.state;
  const play = makePlay(game, state, drawn, moveCount);
  const moved = play.turn !== session.play.turn;
  return {
    ...session,
    play,
    turnStartedAt: turnStart(session, session.at, null, play),
    clockMs: moved ? stoppedClock(session, session.at, 0) : session.clockMs,
    drawOfferedBy: null,
    seats: session.seats.map((seat, index) =>
      index === record.seat ? { ...seat, forfeited: record.reason } : seat,
    ),
  };
}

function end(session: Session, outcome: Outcome): Session {
  const running = session.status === 'active';
  return {
    status: 'ended',
    id: session.id,
    rules: session.rules,
    v: session.v,
    at: session.at,
    setup: session.setup,
    createdAt: session.createdAt,
    seats: session.seats,
    epoch: session.epoch,
    node: session.node,
    startedAt: running ? session.startedAt : null,
    endedAt: session.at,
    play: running ? session.play : null,
    outcome,
    // After an engine error it is not called again.
    clockMs: running && outcome.reason !== 'aborted' ? stoppedClock(session, session.at, 0) : null,
  };
}

/** A new owner has no sockets: connected players are absent from now on. */
function own(session: Session, record: Extract<LogRecord, { k: 'owned' }>): Session {
  const shifted = shiftTime(session, record.lostMs);
  return {
    ...shifted,
    epoch: record.epoch,
    node: record.node,
    seats: shifted.seats.map((seat) =>
      seat.connected
        ? { ...seat, connected: false, disconnectedAt: session.at, putAway: true }
        : seat,
    ),
  };
}

/** Moves every deadline by the lost time. */
function shiftTime(session: Session, lostMs: number): Session {
  const seats = session.seats.map((seat) =>
    seat.disconnectedAt === null
      ? seat
      : { ...seat, disconnectedAt: Math.min(session.at, seat.disconnectedAt + lostMs) },
  );
  switch (session.status) {
    case 'pending':
      return { ...session, seats, expiresAt: session.expiresAt + lostMs };
    case 'active':
      return {
        ...session,
        seats,
        turnStartedAt: Math.min(session.at, session.turnStartedAt + lostMs),
        playEndsAt: session.playEndsAt === null ? null : session.playEndsAt + lostMs,
      };
    case 'ended':
      return session;
  }
}
