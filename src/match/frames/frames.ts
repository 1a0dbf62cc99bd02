/** The frames in which players and watchers see a session (rule P3): made from records only. */

import type { AnyGame, Json, Seat } from '../../../game/src/game.ts';
import { shownAction } from '../../../game/src/game.ts';
import { sha256Hex } from '../../../game/src/random.ts';
import { tickTime } from '../../../game/src/tick-game.ts';
import type { TicksFrame } from '../../games/ticks/rollback.ts';
import { graceEnd, turnDeadline } from '../deadline.ts';
import type { Step } from '../decide.ts';
import { gameOf, openingOf, tickGameOf } from '../evolve.ts';
import { makeResult } from '../result.ts';
import type { ActiveSession, Roster, Session } from '../session.ts';
import type { Change } from './change.ts';
import { makeChange, makeListChange, makeReplacement, UNCHANGED } from './change.ts';
import type { CompactClock, Wire } from './compact.ts';
import { makeCompactOver, makeCompactTicks, makeCompactUpdate, withNumber } from './compact.ts';

/** The receiver of a frame: a seat's own view, or the public one. */
export type Viewer = Seat | null;

/** A player as listed in frames and responses. */
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

/** The schedule of a tick game: tick `next` is due at `at`; null while it is paused. */
export interface TickClock {
  readonly next: number;
  /** ISO 8601. */
  readonly at: string | null;
}

/** A frame for all receivers; its text is made on first use. */
export interface Frame {
  /** The same for all viewers: its text is then made once per protocol. */
  readonly isShared: boolean;
  /** For an `update`, the version of its record, whose command it can acknowledge; otherwise null. */
  readonly updates: number | null;
  text(viewer: Viewer, wire: Wire): string;
}

/** A frame that is the same for all viewers. */
function sharedFrame(make: (wire: Wire) => string, updates: number | null = null): Frame {
  const made: string[] = [];
  return { isShared: true, updates, text: (_, wire) => (made[wire] ??= make(wire)) };
}

/** An ISO 8601 time with milliseconds, in UTC (rule H11). */
export function makeTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The UTC day of a time, e.g. `2026-11-20`. */
export function makeDay(ms: number): string {
  return makeTime(ms).slice(0, 10);
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

/** The context for showing a step. */
export interface StepContext {
  readonly roster: Roster;
  readonly roomCode: string;
  /** The version of the session's frame before it. */
  readonly prev: number;
  /** The session before the step: allows showing only the changes. Null if unknown. */
  readonly before: Session | null;
  /** The following step of the same commit. */
  readonly next: Step | undefined;
  /** Keeps the shown position for the next step. */
  readonly memory?: { position: Position | null };
}

/** The public part of a game state. */
export interface Position {
  readonly state: Json;
  readonly view: Json;
  readonly legal: readonly Json[] | undefined;
}

/** The frame of a committed step, or null when it shows nothing. */
export function makeStepFrame(step: Step, context: StepContext): Frame | null {
  const { entry, after } = step;
  const { record } = entry;
  const { roster, roomCode, prev } = context;
  switch (record.k) {
    case 'action':
      return makeUpdate(step, context, record.seat, (viewer) =>
        shownInStep(step, context.before, viewer),
      );
    case 'draw':
      return makeUpdate(step, context, record.seat, () => ({ draw: record.do }));
    case 'missed':
      return makeUpdate(step, context, record.seat, () => ({ missed: true }));
    case 'forfeited':
      return makeUpdate(step, context, record.seat, () => ({ forfeit: record.reason }));
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
      return makeOver(after, roster, prev);
    case 'joined':
    case 'left':
    case 'started':
    case 'entropy':
    case 'paused':
    case 'owned':
      return {
        isShared: false,
        updates: null,
        text: (viewer, wire) => makeState(after, { roster, roomCode, viewer, prev, wire }),
      };
    case 'created':
    // Ticks were shown before they were committed, by `makeTicks`.
    case 'ticks':
      return null;
  }
}

/** What a viewer is shown of a step's action. `before`: the session before the step, null if unknown. */
export function shownInStep({ entry, after }: Step, before: Session | null, viewer: Viewer): Json {
  const { record } = entry;
  if (record.k !== 'action') throw new Error('no action');
  const game = gameOf(after);
  if (before?.status === 'active') return shownAction(game, before.play.state, record, viewer);
  return game.openInformation || viewer === record.seat ? record.action : null;
}

/** The receiver of a whole state. */
export interface StateContext {
  readonly roster: Roster;
  /** The room code, which a state shows while it opens a seat (rule S3). */
  readonly roomCode: string;
  readonly viewer: Viewer;
  /** The version of the session's frame before it. */
  readonly prev: number;
  readonly wire?: Wire;
  /** When tick 0 of a tick game was due, ms since 1970; null while it is paused. */
  readonly zeroAt?: number | null | undefined;
}

/** The whole session as a viewer may see it: the answer to every connection and every `sync`. */
export function makeState(session: Session, context: StateContext): string {
  const { roster, roomCode, viewer, prev, wire = 1, zeroAt = null } = context;
  const text = JSON.stringify({
    t: 'state',
    s: session.id,
    v: session.v,
    prev,
    game: session.setup.game,
    variant: session.setup.variant,
    status: session.status,
    seat: viewer,
    players: seatedPlayers(session, roster),
    roomCode: viewer !== null && isCodeOpen(session) ? roomCode : undefined,
    turn: turnOf(session),
    acting: actingIn(session),
    view: viewOf(session, viewer),
    legal: legalNow(session, viewer),
    clock: makeClock(session),
    deadline: timeOrNull(session.status === 'pending' ? session.expiresAt : deadlineOf(session)),
    endsAt: timeOrNull(session.status === 'active' ? session.playEndsAt : null),
    ticks: makeTickClock(session, zeroAt),
    drawOfferedBy: session.status === 'active' ? session.drawOfferedBy : null,
    graces: session.seats.map((_, seat) => timeOrNull(graceEndOf(session, seat))),
    awaited: awaitedIn(session),
    series: session.setup.series,
    commitment: sha256Hex(session.setup.seed),
    at: makeTime(session.at),
    result: session.status === 'ended' ? makeResult(session, roster) : null,
  });
  return wire === 1 ? text : withNumber(text, session.createdAt);
}

/** The seats of players who have not come to a running match yet; undefined for none. */
function awaitedIn({ status, seats }: Session): Seat[] | undefined {
  if (status !== 'active') return undefined;
  const awaited = seats.flatMap(({ taken, isBot, everConnected, forfeited }, seat) =>
    taken && !isBot && !everConnected && forfeited === null ? [seat] : [],
  );
  return awaited.length > 0 ? awaited : undefined;
}

/**
 * Whether the room code opens a seat that nothing else fills. Watchers never see it, because it
 * allows playing.
 */
function isCodeOpen({ status, setup, seats }: Session): boolean {
  const isPrivate = setup.matchType === 'private' && setup.mode !== 'training';
  return status === 'pending' && isPrivate && seats.some(({ taken }) => !taken);
}

const STATE_RECORDS: ReadonlySet<Step['entry']['record']['k']> = new Set([
  'joined',
  'left',
  'started',
  'entropy',
  'paused',
  'owned',
]);

/** Whether a record is shown by a whole `state` only. */
export function showsState({ k }: Step['entry']['record']): boolean {
  return STATE_RECORDS.has(k);
}

/** Relayed ticks: they show no record, so they have no `v`; `from` is their chain. */
export function makeTicks(s: string, frame: TicksFrame): Frame {
  return sharedFrame((wire) =>
    wire === 1 ? JSON.stringify({ t: 'ticks', s, ...frame }) : makeCompactTicks(frame),
  );
}

/** The next tick of the shown state, and when it is due; left out of other games. */
function makeTickClock(session: Session, zeroAt: number | null): TickClock | undefined {
  const game = tickGameOf(session);
  if (game === null) return undefined;
  const next = session.status === 'pending' ? 0 : (session.play?.moveCount ?? 0);
  const isRunning = session.status === 'active' && zeroAt !== null;
  return { next, at: isRunning ? makeTime(tickTime(game.ticks, zeroAt, next)) : null };
}

function makeOver(session: Session, roster: Roster, prev: number): Frame {
  if (session.status !== 'ended') throw new Error('over before the end');
  const { id: s, v, at, createdAt, outcome } = session;
  const result = makeResult(session, roster);
  return sharedFrame((wire) => {
    // Its reader has the players from the state before, which names those who were erased since.
    const isKnown = session.startedAt !== null && roster.every((player) => player?.id != null);
    if (wire === 1 || !isKnown) {
      return JSON.stringify({ t: 'over', s, v, prev, result, at: makeTime(at) });
    }
    return makeCompactOver({ ...result, v, prev, at: at - createdAt, outcome });
  });
}

/** Tells a player that they lost the seat: the last frame of the session that they are sent. */
export function makeLeft(session: Session, seat: Seat, prev: number): string {
  return JSON.stringify({ t: 'left', s: session.id, v: session.v, prev, seat });
}

/** The warning of one seat before its turn ends. It shows no record: `v` and `prev` are the last. */
export function makeWarning(session: Session, seat: Seat, deadline: number): string {
  return JSON.stringify({
    t: 'warning',
    s: session.id,
    v: session.v,
    prev: session.v,
    kind: 'afk',
    seat,
    deadline: makeTime(deadline),
  });
}

export function turnOf(session: Session): Seat | null {
  return session.status === 'active' ? session.play.turn : null;
}

/**
 * The acting seats of a game in which several act at the same time; undefined, and so left out, for
 * all others.
 */
function actingIn(session: Session): readonly Seat[] | undefined {
  if (gameOf(session).acting === undefined) return undefined;
  return session.status === 'active' ? session.play.acting : [];
}

/** Whether a frame is the same for all viewers. */
function isSharedIn({ openInformation, acting }: AnyGame): boolean {
  return openInformation && acting === undefined;
}

/**
 * The game as a viewer may see it; before the start as it will begin; null if it never began or its
 * engine threw.
 */
export function viewOf(session: Session, viewer: Viewer): Json {
  const game = gameOf(session);
  if (session.status === 'pending') return game.view(openingOf(session), viewer);
  if (session.play === null) return null;
  if (session.status === 'active') return game.view(session.play.state, viewer);
  try {
    return game.view(session.play.state, viewer);
  } catch {
    // The match may have ended because of this error, and its result is still to be shown.
    return null;
  }
}

/** The effect of `action`. If it ends the match, nobody is to move and no clock runs. */
function makeUpdate(
  { after }: Step,
  { prev, before, next, memory }: StepContext,
  seat: Seat,
  actionFor: (viewer: Viewer) => Json,
): Frame | null {
  if (after.status !== 'active') return null;
  const game = gameOf(after);
  const then = next?.after.status === 'ended' ? next.after : after;
  // Ticks change a view without a frame in the chain: the reader's version is unknown.
  const isChained = before?.status === 'active' && before.v === prev && game.ticks === undefined;
  const base = isChained ? before : null;
  const isShared = isSharedIn(game);
  const make = (viewer: Viewer, wire: Wire): string => {
    const update: Update = { after, then, prev, seat, action: actionFor(viewer) };
    if (wire === 1) return makeWholeUpdate(update, viewer);
    const from = base === null ? null : positionOf(base, viewer, memory);
    const to = positionOf(after, viewer);
    if (memory !== undefined && isShared) memory.position = to;
    return makeChangedUpdate(update, from, to);
  };
  return isShared
    ? sharedFrame((wire) => make(null, wire), after.v)
    : { isShared: false, updates: after.v, text: make };
}

interface Update {
  readonly after: ActiveSession;
  /** `after`, or the end that was committed with it. */
  readonly then: Session;
  readonly prev: number;
  readonly seat: Seat;
  readonly action: Json;
}

function makeWholeUpdate({ after, then, prev, seat, action }: Update, viewer: Viewer): string {
  return JSON.stringify({
    t: 'update',
    s: after.id,
    v: after.v,
    prev,
    seat,
    action,
    view: gameOf(after).view(after.play.state, viewer),
    turn: turnOf(then),
    acting: actingIn(then),
    legal: legalNow(then, viewer),
    clock: makeClock(then),
    deadline: timeOrNull(deadlineOf(then)),
    at: makeTime(after.at),
  });
}

function positionOf(
  session: ActiveSession,
  viewer: Viewer,
  memory?: { readonly position: Position | null },
): Position {
  const { state } = session.play;
  const known = memory?.position ?? null;
  if (known?.state === state) return known;
  const game = gameOf(session);
  return { state, view: game.view(state, viewer), legal: legalOf(session, viewer) };
}

/** The same, as changes since position `from`; all of it without one. */
function makeChangedUpdate(
  { after, then, prev, seat, action }: Update,
  from: Position | null,
  to: Position,
): string {
  const { v, at, createdAt } = after;
  const legal = then.status === 'active' ? to.legal : [];
  return makeCompactUpdate({
    v,
    prev,
    seat,
    action,
    acting: actingIn(then),
    at: at - createdAt,
    turn: turnOf(then),
    deadline: sinceOrNull(deadlineOf(then), createdAt),
    view: from === null ? makeReplacement(to.view) : makeChange(from.view, to.view),
    legal: changeOfLegal(from?.legal, legal),
    clock: compactClockOf(then),
  });
}

function changeOfLegal(
  before: readonly Json[] | undefined,
  after: readonly Json[] | undefined,
): Change {
  if (after === undefined) return UNCHANGED;
  return before === undefined ? makeReplacement(after) : makeListChange(before, after);
}

/** As `legalOf`; none after the end. */
function legalNow(session: Session, viewer: Viewer): readonly Json[] | undefined {
  return session.status === 'active' ? legalOf(session, viewer) : [];
}

function deadlineOf(session: Session): number | null {
  return session.status === 'active' ? (turnDeadline(session)?.at ?? null) : null;
}

/**
 * What the seat to move may do. With hidden information, or several acting seats, each viewer sees
 * their own. Undefined if the set is not finite: then the field is left out (rule P4).
 */
function legalOf(
  { play, rules: { game } }: ActiveSession,
  viewer: Viewer,
): readonly Json[] | undefined {
  const { state, acting } = play;
  if (isSharedIn(game)) return game.legalActions(state) ?? undefined;
  const isActing = viewer !== null && acting.includes(viewer);
  const legal = game.legalActions(state, isActing ? viewer : acting[0]);
  if (legal === null) return undefined;
  return isActing ? legal : [];
}

function makeClock(session: Session): ClockFrame | null {
  const clock = clockOf(session);
  return clock === null ? null : { ...clock, flagsAt: timeOrNull(clock.flagsAt) };
}

function compactClockOf(session: Session): CompactClock | null {
  const clock = clockOf(session);
  if (clock === null) return null;
  return { ...clock, flagsAt: sinceOrNull(clock.flagsAt, session.createdAt) };
}

/** As `ClockFrame`, with a time in ms since 1970. */
function clockOf(session: Session): CompactClock | null {
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
      ? session.turnStartedAt + session.clockMs[running]!
      : null;
  return { remainingMs: session.clockMs, running, flagsAt };
}

function graceEndOf(session: Session, seat: Seat): number | null {
  return session.status === 'active' ? graceEnd(session, seat) : null;
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : makeTime(ms);
}

function sinceOrNull(ms: number | null, since: number): number | null {
  return ms === null ? null : ms - since;
}

function shared(frame: Record<string, unknown>): Frame {
  const text = JSON.stringify(frame);
  return { isShared: true, updates: null, text: () => text };
}
