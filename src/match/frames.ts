/** The frames in which players and watchers see a session (rule P3): made from records alone. */

import type { AnyGame, Json, Seat } from '../games/game.ts';
import { sha256Hex } from '../games/random.ts';
import { tickTime } from '../games/tick-game.ts';
import type { TicksFrame } from '../games/ticks/rollback.ts';
import { graceEnd, turnDeadline } from './deadline.ts';
import type { Step } from './decide.ts';
import { gameOf, openingOf, tickGameOf } from './evolve.ts';
import { makeResult } from './result.ts';
import type { Roster, Session } from './session.ts';

/** Who is to be shown a frame: a seat's view, or what is open to all. */
export type Viewer = Seat | null;

/** A player as frames and answers list it. */
export interface SeatedPlayer {
  readonly id: string | null;
  readonly displayName: string | null;
  readonly seat: Seat;
  readonly isBot: boolean;
  readonly connected: boolean;
}

/** The clocks by seat, and which one runs. Null on sessions without a clock. */
export interface ClockFrame {
  /** Time left by seat as of the frame's record, in milliseconds. */
  readonly remainingMs: readonly number[];
  /** The seat whose clock runs; null when none does. */
  readonly running: Seat | null;
  /** When that seat's time is up. ISO 8601. */
  readonly flagsAt: string | null;
}

/** The course of a game that runs by the clock: tick `next` is due at `at`; null, it stands still. */
export interface TickClock {
  readonly next: number;
  /** ISO 8601. */
  readonly at: string | null;
}

/** A frame for everybody that is the same for all, or one that differs by viewer. */
export type Frame =
  | { readonly shared: true; readonly text: string }
  | { readonly shared: false; readonly text: (viewer: Viewer) => string };

/** An ISO 8601 time with milliseconds, in UTC (rule H11). */
export function makeTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function seatedPlayers(session: Session, roster: Roster): SeatedPlayer[] {
  return session.seats.flatMap((state, seat) => {
    const player = roster[seat];
    if (!state.taken || player == null) return [];
    const { id, displayName } = player;
    return [
      { id, displayName, seat, isBot: state.isBot, connected: state.connected || state.isBot },
    ];
  });
}

/**
 * The frame a committed step is shown by, or null when it shows nothing. `prev` is the version of
 * the session's frame before it, `next` the step that was committed with it and follows.
 */
export function makeStepFrame(step: Step, roster: Roster, prev: number, next?: Step): Frame | null {
  const { entry, after } = step;
  const { record } = entry;
  switch (record.k) {
    case 'action':
      return makeUpdate(step, next, prev, record.seat, record.action);
    case 'draw':
      return makeUpdate(step, next, prev, record.seat, { draw: record.do });
    case 'missed':
      return makeUpdate(step, next, prev, record.seat, { missed: true });
    case 'forfeited':
      return makeUpdate(step, next, prev, record.seat, { forfeit: record.reason });
    case 'connected':
    case 'disconnected':
      return shared({
        t: 'presence',
        s: after.id,
        v: after.v,
        prev,
        seat: record.seat,
        connected: record.k === 'connected',
        deadline: timeOrNull(graceEndOf(after, record.seat)),
      });
    case 'ended':
      return shared(makeOver(after, roster, prev));
    case 'joined':
    case 'left':
    case 'started':
    case 'entropy':
    case 'paused':
    case 'owned':
      return { shared: false, text: (viewer) => makeState(after, roster, viewer, prev) };
    case 'created':
    // Ticks were shown before they were committed, by `makeTicks`.
    case 'ticks':
      return null;
  }
}

/**
 * The whole session as a viewer may see it: what every connection and every `sync` gets. `zeroAt` is
 * when tick 0 was due in a game that runs by the clock, ms since 1970; null while it stands still.
 */
export function makeState(
  session: Session,
  roster: Roster,
  viewer: Viewer,
  prev: number,
  zeroAt: number | null = null,
): string {
  const game = gameOf(session);
  const deadline = session.status === 'active' ? turnDeadline(session) : null;
  return JSON.stringify({
    t: 'state',
    s: session.id,
    v: session.v,
    prev,
    game: session.setup.game,
    variant: session.setup.variant,
    status: session.status,
    seat: viewer,
    players: seatedPlayers(session, roster),
    turn: turnOf(session),
    view: viewOf(session, viewer),
    legal: session.status === 'active' ? legalOf(game, session.play.state) : [],
    clock: makeClock(session),
    deadline: timeOrNull(session.status === 'pending' ? session.expiresAt : (deadline?.at ?? null)),
    endsAt: timeOrNull(session.status === 'active' ? session.playEndsAt : null),
    ticks: makeTickClock(session, zeroAt),
    drawOfferedBy: session.status === 'active' ? session.drawOfferedBy : null,
    graces: session.seats.map((_, seat) => timeOrNull(graceEndOf(session, seat))),
    commitment: sha256Hex(session.setup.seed),
    at: makeTime(session.at),
    result: session.status === 'ended' ? makeResult(session, roster) : null,
  });
}

const STATE_RECORDS: ReadonlySet<Step['entry']['record']['k']> = new Set([
  'joined',
  'left',
  'started',
  'entropy',
  'paused',
  'owned',
]);

/** Does a record show all by a whole `state`, and no news of its own? */
export function showsState({ k }: Step['entry']['record']): boolean {
  return STATE_RECORDS.has(k);
}

/** Ticks as they are relayed: they show no record, so they have no `v`; `from` is their chain. */
export function makeTicks(s: string, frame: TicksFrame): string {
  return JSON.stringify({ t: 'ticks', s, ...frame });
}

/** Which tick the shown state comes before, and when it is due; left out of games without ticks. */
function makeTickClock(session: Session, zeroAt: number | null): TickClock | undefined {
  const game = tickGameOf(session);
  if (game === null) return undefined;
  const next = session.status === 'pending' ? 0 : (session.play?.moveCount ?? 0);
  const isRunning = session.status === 'active' && zeroAt !== null;
  return { next, at: isRunning ? makeTime(tickTime(game.ticks, zeroAt, next)) : null };
}

function makeOver(session: Session, roster: Roster, prev: number): Record<string, unknown> {
  if (session.status !== 'ended') throw new Error('over before the end');
  const result = makeResult(session, roster);
  return { t: 'over', s: session.id, v: session.v, prev, result, at: makeTime(session.at) };
}

/** Tells the player of a seat that it is theirs no more: the last frame of the session that they are sent. */
export function makeLeft(session: Session, seat: Seat, prev: number): string {
  return JSON.stringify({ t: 'left', s: session.id, v: session.v, prev, seat });
}

/** The warning before a turn runs out. Shows no record of its own: `v` and `prev` are the last. */
export function makeWarning(session: Session, deadline: number): string {
  return JSON.stringify({
    t: 'warning',
    s: session.id,
    v: session.v,
    prev: session.v,
    kind: 'afk',
    seat: turnOf(session),
    deadline: makeTime(deadline),
  });
}

export function turnOf(session: Session): Seat | null {
  return session.status === 'active' ? session.play.turn : null;
}

/** The game as a viewer may see it; before the start as it will begin; null if it never did or broke. */
export function viewOf(session: Session, viewer: Viewer): Json {
  const game = gameOf(session);
  if (session.status === 'pending') return game.view(openingOf(session), viewer);
  if (session.play === null) return null;
  if (session.status === 'active') return game.view(session.play.state, viewer);
  try {
    return game.view(session.play.state, viewer);
  } catch {
    // The match may have been ended for this, and its result is to be shown all the same.
    return null;
  }
}

/** What `action` did. If the match is over with it, there is nothing more to do, and no time runs. */
function makeUpdate(
  { after }: Step,
  next: Step | undefined,
  prev: number,
  seat: Seat,
  action: Json,
): Frame | null {
  if (after.status !== 'active') return null;
  const game = gameOf(after);
  const then = next?.after.status === 'ended' ? next.after : after;
  const text = (viewer: Viewer): string =>
    JSON.stringify({
      t: 'update',
      s: after.id,
      v: after.v,
      prev,
      seat,
      action,
      view: game.view(after.play.state, viewer),
      turn: turnOf(then),
      legal: then.status === 'active' ? legalOf(game, then.play.state) : [],
      clock: makeClock(then),
      deadline: then.status === 'active' ? timeOrNull(turnDeadline(then)?.at ?? null) : null,
      at: makeTime(after.at),
    });
  return game.openInformation ? { shared: true, text: text(null) } : { shared: false, text };
}

/** Undefined where the legal actions are not finite: then the field is left out (rule P4). */
function legalOf(game: AnyGame, state: Json): readonly Json[] | undefined {
  return game.legalActions(state) ?? undefined;
}

function makeClock(session: Session): ClockFrame | null {
  if (session.status === 'pending') {
    const { clock } = session.setup;
    if (clock === null) return null;
    const remainingMs = session.seats.map(() => clock.initialMs);
    return { remainingMs, running: null, flagsAt: null };
  }
  if (session.clockMs === null) return null;
  const running = turnOf(session);
  const flagsAt =
    session.status === 'active' && running !== null
      ? makeTime(session.turnStartedAt + session.clockMs[running]!)
      : null;
  return { remainingMs: session.clockMs, running, flagsAt };
}

function graceEndOf(session: Session, seat: Seat): number | null {
  return session.status === 'active' ? graceEnd(session, seat) : null;
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : makeTime(ms);
}

function shared(frame: Record<string, unknown>): Frame {
  return { shared: true, text: JSON.stringify(frame) };
}
