/** Plays the ticks of all real-time matches, on one timer (decision 0016). */

import { Buffer } from 'node:buffer';
import type { Json, Seat } from '../../../game/src/game.ts';
import { dueTickAt, parseMasks } from '../../../game/src/tick-game.ts';
import { AHEAD_TICKS_MAX, MASKS_MAX } from '../../games/ticks/collector.ts';
import type { Batch } from '../../games/ticks/feed.ts';
import type { Rejection } from '../../match/decide.ts';
import { tickGameOf } from '../../match/evolve.ts';
import type { Frame } from '../../match/frames/frames.ts';
import { makeTicks } from '../../match/frames/frames.ts';
import type { ActiveSession, SeatState, Session } from '../../match/session.ts';
import { RulesStoppedError, type RunRules } from '../games/guard.ts';
import type { Alarms } from '../host/time/alarms.ts';
import { makeAlarms } from '../host/time/alarms.ts';
import type { Clock, Randomness } from '../ports.ts';
import type { TickRoom } from './room.ts';
import { isOver, openRoom, pauseRoom, playRoom, resumeRoom } from './room.ts';

/** A match as the runner sees it. `room` belongs to the runner alone. */
export interface TickMatch {
  readonly session: Session;
  readonly isBroken: boolean;
  room: TickRoom | null;
}

export interface TickRunnerDeps<T> {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly stats: TickStats;
  readonly runRules: RunRules;
  /** Puts ticks into the match's mailbox; `refused` when they did not become a record. */
  commit(match: T, batch: Batch<Json>, refused: () => void): void;
  /** Sends everybody a text. */
  show(match: T, frame: Frame): void;
  /** Play stops or resumes: everybody is sent the whole state. */
  announce(match: T): void;
  /** The engine threw. */
  breaks(match: T, error: unknown): void;
}

export interface TickRunner<T> {
  /**
   * Applies what has been committed, or read from the store. True when play stops or resumes: then everybody is to
   * be sent the whole state.
   */
  follow(match: T): boolean;
  /** The input that a seat holds from tick `from` on, unchecked; returns the reason of a refusal worth reporting. */
  hold(match: T, seat: Seat, from: number, masks: unknown): Rejection | null;
  /** Releases all input of that seat. */
  release(match: T, seat: Seat): void;
  /** The match leaves memory: ticks that are not committed are discarded. */
  drop(match: T): void;
  /** Nothing more is played; what has been shown is still committed. */
  stop(): void;
}

/** Counters since the start. Counters by seat are added when play stops. */
export interface TickStats {
  ticks: number;
  /** Ticks of a seat that were filled with its last known mask. */
  filled: number;
  /** Masks that came too late. */
  late: number;
  /** How often play stopped because of the store, or of the process itself. */
  stalls: number;
}

/** A room checked this late was not served: that time is charged to no player. */
const LOST_MS = 1_000;
const SEED_BYTES = 16;

const NOT_ACTIVE: Rejection = { code: 'session_not_active', error: 'The session is not active' };
const NO_TICKS: Rejection = { code: 'bad_action', error: 'There are no ticks in this game' };
const TOO_FAR: Rejection = {
  code: 'too_far_ahead',
  error: `Masks may be for ticks up to ${AHEAD_TICKS_MAX} ahead of the clock`,
};

/** The state of the runner's functions. */
interface Running<T> {
  readonly deps: TickRunnerDeps<T>;
  /** The matches that are played, by their rooms. */
  readonly matches: Map<TickRoom, T>;
  readonly alarms: Alarms<TickRoom>;
  isStopped: boolean;
  /** Matches whose rules were stopped as they played: the first time may be the machine's fault. */
  readonly halted: WeakSet<TickMatch>;
}

export function makeTickRunner<T extends TickMatch>(deps: TickRunnerDeps<T>): TickRunner<T> {
  const running: Running<T> = {
    deps,
    matches: new Map(),
    alarms: makeAlarms(deps.clock, (room) => ring(running, room)),
    isStopped: false,
    halted: new WeakSet(),
  };
  return {
    follow: (match) => follow(running, match),
    hold: (match, seat, from, masks) => hold(running, match, seat, from, masks),
    release: (match, seat) => match.room?.collector.release(seat),
    drop: (match) => drop(running, match),
    stop() {
      running.isStopped = true;
      running.alarms.stop();
      for (const [room, match] of running.matches) {
        stand(running, room);
        pump(running, match, room);
      }
    },
  };
}

function follow<T extends TickMatch>(running: Running<T>, match: T): boolean {
  const { session, isBroken } = match;
  const game = session.status === 'active' && !isBroken ? tickGameOf(session) : null;
  if (game === null || session.status !== 'active') {
    if (match.room !== null) drop(running, match);
    return false;
  }
  if (match.room === null) {
    const seed = Buffer.from(running.deps.randomness.bytes(SEED_BYTES)).toString('hex');
    match.room = openRoom(session, game, seed);
    running.matches.set(match.room, match);
  }
  const { room } = match;
  room.feed.committed(game.ticks.tickOf(session.play.state));
  const isNews = pauseOrResume(running, session, room);
  pump(running, match, room);
  return isNews;
}

/**
 * Play runs when every player is there and the log has all that was played; it stops when none is there. A player
 * who disconnects releases all input, and the fight goes on, after a stall as well.
 */
function pauseOrResume<T extends TickMatch>(
  running: Running<T>,
  session: ActiveSession,
  room: TickRoom,
): boolean {
  const seatsOf = (isOne: (seat: SeatState) => boolean): readonly Seat[] =>
    session.seats.flatMap((each, seat) => (isOne(each) ? [seat] : []));
  const away = seatsOf(({ isBot, connected }) => !isBot && !connected);
  const bots = seatsOf(({ isBot }) => isBot);
  const isAnybodyHere = away.length === 0 || away.length + bots.length < session.seats.length;
  if (!isAnybodyHere) room.isStalled = false;
  if (room.zeroAt !== null) {
    // A player who left while play was stopped has sent nothing since.
    for (const seat of away) room.collector.release(seat);
    if (isAnybodyHere) return false;
    stand(running, room);
    return true;
  }
  const isReady = (away.length === 0 || room.isStalled) && room.feed.isEmpty();
  if (running.isStopped || !isReady || isOver(room)) return false;
  resumeRoom(room, running.deps.clock.now(), [...away, ...bots]);
  running.alarms.set(room, room.checkAt);
  return true;
}

function stand<T extends TickMatch>({ deps }: Running<T>, room: TickRoom): void {
  if (room.zeroAt === null) return;
  for (const { filled, late } of room.collector.stats) {
    deps.stats.filled += filled;
    deps.stats.late += late;
  }
  pauseRoom(room);
}

/** Sends the frame that is due, and commits the batch that is due. */
function pump<T extends TickMatch>(running: Running<T>, match: T, room: TickRoom): void {
  const { deps } = running;
  const isLast = room.zeroAt === null || isOver(room);
  const frame = room.feed.frame(isLast);
  if (frame !== null) deps.show(match, makeTicks(match.session.id, frame));
  const batch = room.feed.batch(isLast);
  if (batch === null) return;
  deps.commit(match, batch, () => {
    // The log does not continue from this state.
    if (match.room === room) drop(running, match);
  });
}

/** Plays what is due. */
function look<T extends TickMatch>(running: Running<T>, match: T, now: number): void {
  const { deps } = running;
  const room = match.room!;
  const isLost = now - room.checkAt > LOST_MS;
  if (!isLost) {
    const play = (): number => playRoom(room, now);
    const played = deps.runRules(match.session.rules, 'ticks', play, true);
    deps.stats.ticks += played;
    if (played > 0) running.halted.delete(match);
  }
  if (isLost || (room.feed.isFull() && !isOver(room))) {
    deps.stats.stalls += 1;
    stand(running, room);
    room.isStalled = true;
    pump(running, match, room);
    // With nothing to wait for it resumes at once: everybody who is shown that has the countdown.
    const { session } = match;
    if (session.status === 'active') pauseOrResume(running, session, room);
    deps.announce(match);
  } else pump(running, match, room);
}

function hold<T extends TickMatch>(
  running: Running<T>,
  match: T,
  seat: Seat,
  from: number,
  input: unknown,
): Rejection | null {
  const { session, room } = match;
  const game = tickGameOf(session);
  if (game === null) return NO_TICKS;
  if (session.status === 'pending') return NOT_ACTIVE;
  const { maskMax } = game.ticks;
  const masks = parseMasks(input, { maskMax, ticksMax: MASKS_MAX });
  if (masks === null) {
    const error = `Masks are 1 to ${MASKS_MAX} whole numbers from 0 to ${maskMax}`;
    return { code: 'bad_action', error };
  }
  // Input in flight when play stopped or ended is no mistake.
  if (room === null || room.zeroAt === null) return null;
  const now = running.deps.clock.now();
  const dueTick = dueTickAt(game.ticks, room.zeroAt, now);
  if (room.collector.accept(seat, from, masks, dueTick) !== null) {
    // During the countdown input still arrives that was meant for the time before the stop.
    return dueTick + 1 < room.collector.nextTick() ? null : TOO_FAR;
  }
  // Early input is played when its tick comes.
  if (room.collector.nextTick() <= dueTick) tryLook(running, match, now);
  return null;
}

function tryLook<T extends TickMatch>(running: Running<T>, match: T, now: number): void {
  try {
    look(running, match, now);
  } catch (error) {
    drop(running, match);
    if (!(error instanceof RulesStoppedError) || running.halted.has(match)) {
      running.deps.breaks(match, error);
      return;
    }
    // Play continues from the log.
    running.halted.add(match);
    if (follow(running, match)) running.deps.announce(match);
  }
}

function drop<T extends TickMatch>(running: Running<T>, match: T): void {
  const { room } = match;
  if (room === null) return;
  stand(running, room);
  running.alarms.clear(room);
  running.matches.delete(room);
  match.room = null;
}

/** A room's next tick may be due. */
function ring<T extends TickMatch>(running: Running<T>, room: TickRoom): void {
  const match = running.matches.get(room);
  // Dropped while other rooms rang.
  if (match === undefined) return;
  const now = running.deps.clock.now();
  if (room.checkAt <= now) tryLook(running, match, now);
  if (match.room === room) running.alarms.set(room, room.checkAt);
}
