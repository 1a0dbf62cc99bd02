/** A session as a client knows it: the result of its frames, and whether one was missed. Pure. */

import type { ActionOf, OwnGame } from '../actions.ts';
import type {
  ChainFrame,
  ClockFrame,
  PlayerFrame,
  ResultFrame,
  Seat,
  SessionStatus,
} from '../frames/frames.ts';
import { parseTime } from '../frames/frames.ts';
import type { VariantOf } from '../games.ts';
import type { Series } from '../generated/api.ts';
import type {
  OverFrame,
  PresenceFrame,
  StateFrame,
  UpdateFrame,
  WarningFrame,
} from '../generated/frames.ts';
import type { Game, KnownGame } from '../generated/games.ts';
import type { Views } from '../generated/views.ts';

/** A session of any game; game-specific types are not distinguished. */
export interface AnySessionView {
  readonly s: string;
  /** The version it shows. */
  readonly v: number;
  readonly game: Game;
  readonly variant: string;
  readonly status: SessionStatus;
  /** The receiver's own seat; null for watchers. */
  readonly seat: Seat | null;
  /** How many seats there are. */
  readonly seats: number;
  readonly players: readonly PlayerFrame[];
  /** The code by which others take the open seats of a pending `private` session; null when it has none. */
  readonly roomCode: string | null;
  /** The seat to move; null when no seat moves alone. */
  readonly turn: Seat | null;
  /** The seats that may act: the one to move, or several at the same time. */
  readonly acting: readonly Seat[];
  readonly view: unknown;
  readonly legal: readonly unknown[] | null;
  readonly clock: ClockFrame | null;
  /** When the turn began, as far as the client has seen. */
  readonly turnAt: number;
  /** When the turn runs out; while pending, when the session expires. */
  readonly deadline: number | null;
  /** When the game's own time is up; null without such a limit, or while it does not run. */
  readonly endsAt: number | null;
  /** The seat that was warned about its time. */
  readonly warned: Seat | null;
  readonly drawOfferedBy: Seat | null;
  /** Hex SHA-256 of the secret seed, from the first state: a later one changes nothing. */
  readonly commitment: string | null;
  /** By seat: until when an absent player may return. */
  readonly graces: readonly (number | null)[];
  /** Seats of a running match whose players have not connected yet; absent for none. */
  readonly awaited?: readonly Seat[];
  /** The last action of the game that was seen. */
  readonly lastMove: { readonly v: number; readonly seat: Seat; readonly action: unknown } | null;
  readonly result: ResultFrame | null;
  /** For a rematch: the matches before it. */
  readonly series?: Series;
}

interface GameParts<G extends Game, Own extends OwnGame> {
  readonly game: G;
  readonly variant: VariantOf<G>;
  /** Null for a session that ended before it began. */
  readonly view: (G extends KnownGame ? Views[G] : Own['view']) | null;
  /** The legal actions of the seat to move; null when there are too many to list. Empty after the end. */
  readonly legal: readonly ActionOf<G, Own>[] | null;
  /** The last action of the game that was seen. */
  readonly lastMove: {
    readonly v: number;
    readonly seat: Seat;
    readonly action: ActionOf<G, Own>;
  } | null;
}

/**
 * A session as it is shown: `game` tells what `view`, `legal` and `lastMove` hold. Times are ms since 1970, on the
 * server's clock. For an operator's game name the game, or take it as `AnySessionView`.
 */
export type SessionView<G extends Game = KnownGame, Own extends OwnGame = OwnGame> = G extends Game
  ? Omit<AnySessionView, keyof GameParts<G, Own>> & GameParts<G, Own>
  : never;

/** A frame's effect: the session after it, and whether a frame before it is missing. */
export interface Taken {
  readonly view: AnySessionView | null;
  /** A frame is missing: request the whole state. */
  readonly gap: boolean;
}

/** Applies one frame of the chain. A frame that was seen before changes nothing. */
export function takeFrame(view: AnySessionView | null, frame: ChainFrame): Taken {
  if (frame.t === 'state') return { view: takeState(view, frame), gap: false };
  if (view === null) return { view, gap: true };
  if (frame.v <= view.v) return { view, gap: false };
  if (frame.prev !== view.v) return { view, gap: true };
  return { view: takeStep(view, frame), gap: false };
}

/** A warning is no record; it counts while its turn is shown. */
export function takeWarning(view: AnySessionView, frame: WarningFrame): AnySessionView {
  if (frame.v !== view.v || frame.seat === null || !view.acting.includes(frame.seat)) return view;
  return { ...view, warned: frame.seat, deadline: parseTime(frame.deadline) ?? view.deadline };
}

export function playerAt(view: AnySessionView, seat: Seat): PlayerFrame | null {
  return view.players.find((player) => player.seat === seat) ?? null;
}

function takeStep(
  view: AnySessionView,
  frame: UpdateFrame | PresenceFrame | OverFrame,
): AnySessionView {
  switch (frame.t) {
    case 'update':
      return takeUpdate(view, frame);
    case 'presence':
      return takePresence(view, frame);
    case 'over':
      return takeOver(view, frame);
  }
}

function takeState(before: AnySessionView | null, frame: StateFrame): AnySessionView {
  const same = before !== null && sameJson(before.view, frame.view) && frame.v >= before.v;
  const sameTurn = same && before.turn === frame.turn && before.status === frame.status;
  return {
    s: frame.s,
    v: frame.v,
    game: frame.game,
    variant: frame.variant,
    status: frame.status,
    seat: frame.seat,
    seats: frame.graces.length,
    players: frame.players,
    roomCode: frame.roomCode ?? null,
    turn: frame.turn,
    acting: actingIn(frame),
    view: frame.view,
    legal: frame.legal ?? null,
    clock: frame.clock ?? null,
    turnAt: sameTurn ? before.turnAt : (parseTime(frame.at) ?? 0),
    deadline: parseTime(frame.deadline),
    endsAt: parseTime(frame.endsAt),
    warned: sameTurn ? before.warned : null,
    drawOfferedBy: frame.drawOfferedBy ?? null,
    commitment: before?.commitment ?? frame.commitment ?? null,
    graces: frame.graces.map(parseTime),
    lastMove: same ? before.lastMove : null,
    result: frame.result ?? null,
    ...(frame.series === undefined ? null : { series: frame.series }),
    ...(frame.awaited === undefined ? null : { awaited: frame.awaited }),
  };
}

function actingIn({ turn, acting }: StateFrame | UpdateFrame): readonly Seat[] {
  return acting ?? (turn === null ? [] : [turn]);
}

function takeUpdate(view: AnySessionView, frame: UpdateFrame): AnySessionView {
  const { seat, action, v } = frame;
  const acting = actingIn(frame);
  const isSameRound =
    acting.length > 0 && acting.every((each) => each !== seat && view.acting.includes(each));
  const turnMoved = (isMove(action) || frame.turn !== view.turn) && !isSameRound;
  return {
    ...view,
    v,
    turn: frame.turn,
    acting,
    view: frame.view,
    legal: frame.legal ?? null,
    clock: frame.clock ?? null,
    deadline: parseTime(frame.deadline),
    turnAt: turnMoved ? (parseTime(frame.at) ?? view.turnAt) : view.turnAt,
    warned: turnMoved ? null : view.warned,
    drawOfferedBy: offerAfter(view.drawOfferedBy, seat, action),
    lastMove: isMove(action) ? { v, seat, action } : view.lastMove,
  };
}

function takePresence(view: AnySessionView, frame: PresenceFrame): AnySessionView {
  const { seat, connected, v } = frame;
  const deadline = parseTime(frame.deadline);
  const { awaited } = view;
  return {
    ...view,
    v,
    ...(awaited && connected ? { awaited: awaited.filter((each) => each !== seat) } : null),
    players: view.players.map((each) => (each.seat === seat ? { ...each, connected } : each)),
    graces: view.graces.map((each, index) => (index === seat ? deadline : each)),
  };
}

/** The clocks at time `at`. */
function stopClock(clock: ClockFrame, at: number | null): ClockFrame {
  const flagsAt = parseTime(clock.flagsAt);
  const remainingMs = clock.remainingMs.map((left, seat) =>
    seat === clock.running && flagsAt !== null && at !== null ? Math.max(0, flagsAt - at) : left,
  );
  return { remainingMs, running: null, flagsAt: null };
}

function takeOver(view: AnySessionView, { v, result, at }: OverFrame): AnySessionView {
  return { ...endView(view, parseTime(at)), v, result };
}

/** Ended at `at`, if that is known; its result is not. */
export function endView(view: AnySessionView, at: number | null): AnySessionView {
  return {
    ...view,
    clock: view.clock === null ? null : stopClock(view.clock, at),
    status: 'ended',
    roomCode: null,
    turn: null,
    acting: [],
    legal: [],
    deadline: null,
    endsAt: null,
    warned: null,
    drawOfferedBy: null,
    graces: view.graces.map(() => null),
  };
}

/** The draw step in an update; null when it shows something else. */
export function drawStepOf(action: unknown): string | null {
  const step = fieldOf(action, 'draw');
  return typeof step === 'string' ? step : null;
}

/** Whether it is the game's own action, not the service's. */
export function isMove(action: unknown): boolean {
  return ['draw', 'missed', 'forfeit'].every((name) => fieldOf(action, name) === undefined);
}

/** An offer stands until it is answered; the opponent's move is an answer, too. */
function offerAfter(offeredBy: Seat | null, seat: Seat, action: unknown): Seat | null {
  if (drawStepOf(action) === 'offer') return seat;
  if (drawStepOf(action) !== null || fieldOf(action, 'forfeit') !== undefined) return null;
  return offeredBy === seat || !isMove(action) ? offeredBy : null;
}

/** The field, if the value is an object that has it. */
function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** Fields may come in any order: a log that was read again may have another. */
export function sameJson(a: unknown, b: unknown): boolean {
  return ordered(a) === ordered(b);
}

function ordered(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    each?.constructor === Object ? Object.entries(each).sort() : each,
  );
}
