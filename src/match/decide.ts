/** Decides what a command does to a session: records, or a rejection that changes nothing. Pure. */

import type { Applied, GameEvent, Json, Seat } from '../../game/src/game.ts';
import { isRefusal } from '../../game/src/game.ts';
import type { TickRun } from '../../game/src/tick-game.ts';
import { advance } from '../../game/src/tick-game.ts';
import type { Played } from '../games/ticks/feed.ts';
import type { TurnDeadline } from './deadline.ts';
import { firstDeadline } from './deadline.ts';
import type { ActionEntry, TicksEntry } from './evolve.ts';
import { afterAction, afterTicks, deal, evolve, gameOf, randomOf, tickGameOf } from './evolve.ts';
import { DRAW_OFFER_MOVES, drawnByAll, wonByRemaining } from './outcome.ts';
import type {
  BotDifficulty,
  CommandId,
  DrawStep,
  Entry,
  ForfeitReason,
  LogRecord,
} from './record.ts';
import { openSeats } from './seating.ts';
import type { ActiveSession, Session } from './session.ts';
import { isOut } from './session.ts';

export type Command =
  /** `count` players join together, or none of them; one by default. */
  | {
      readonly kind: 'join';
      readonly bot: boolean;
      /** The service's playing strength on the seat; absent for other players. */
      readonly level?: BotDifficulty;
      readonly count?: number;
    }
  /** Opens the seat again while the session is pending. `id` is null for the tenant's own command. */
  | { readonly kind: 'leave'; readonly seat: Seat; readonly id: CommandId | null }
  | { readonly kind: 'connect'; readonly seat: Seat }
  /** `putAway`: the service disconnected the player. */
  | { readonly kind: 'disconnect'; readonly seat: Seat; readonly putAway?: true }
  | { readonly kind: 'entropy'; readonly seat: Seat; readonly value: string }
  | { readonly kind: 'act'; readonly seat: Seat; readonly id: CommandId; readonly action: unknown }
  | { readonly kind: 'resign'; readonly seat: Seat; readonly id: CommandId }
  | { readonly kind: 'draw'; readonly seat: Seat; readonly id: CommandId; readonly do: DrawStep }
  /** The inputs from tick `from` on, and their result, if known. From the service only: no player may send it. */
  | {
      readonly kind: 'ticks';
      readonly from: number;
      readonly runs: readonly TickRun[];
      readonly played?: Played<Json> | null;
    }
  /** The tenant ends the session, or the match cannot continue because its engine threw. */
  | { readonly kind: 'abort' }
  /** Time has passed: ends what has expired. */
  | { readonly kind: 'tick' }
  /** A process takes the session over. */
  | { readonly kind: 'own'; readonly node: string };

/** Why a command was rejected: the closed list behind `reject` frames and session 409s. */
export const REJECT_CODES = [
  'not_your_turn',
  'illegal_move',
  'ambiguous_move',
  'bad_action',
  'unknown_session',
  'watch_only',
  'session_not_active',
  'session_not_pending',
  'session_ended',
  'session_not_ended',
  'room_full',
  'player_in_session',
  'id_reused',
  'draws_not_offered_here',
  'draw_offer_too_soon',
  'no_draw_offer',
  'entropy_too_late',
  'entropy_given',
  'too_fast',
  'too_far_ahead',
  'busy',
  'no_rematch',
  'rematch_over',
  'replay_too_large',
  'unavailable',
] as const;
export type RejectCode = (typeof REJECT_CODES)[number];

export interface Rejection {
  readonly code: RejectCode;
  /** One sentence for the developer. */
  readonly error: string;
}

/** One record and the session after it. */
export interface Step {
  readonly entry: Entry;
  readonly after: Session;
  /** The game's own events; absent for none. */
  readonly told?: readonly GameEvent[];
}

/**
 * What to commit, in order and all at once, and why the command was rejected, if it was. Both are
 * possible: a late move is rejected, and the timeout is recorded.
 */
export interface Decision {
  readonly steps: readonly Step[];
  readonly rejection: Rejection | null;
}

/** A decision in progress. The only mutable object here, and only inside `decide`. */
interface Draft {
  session: Session;
  readonly steps: Step[];
  readonly now: number;
}

/**
 * Decides one command at time `now` (ms since 1970). `lostMs` is the time since the session's last
 * record in which the service was down or could not commit. Timeouts up to `now` come first, so a
 * move after its turn's end finds the match over; only `own` and `abort` skip them. Neither steps
 * nor a rejection means that the command is fine and there is nothing to record.
 */
export function decide(session: Session, command: Command, now: number, lostMs = 0): Decision {
  const draft: Draft = { session, steps: [], now: Math.max(now, session.at) };
  if (command.kind === 'own') {
    own(draft, command.node, lostMs);
    return { steps: draft.steps, rejection: null };
  }
  if (command.kind === 'abort') {
    const rejection = abort(draft); // Does not call the engine, which may be what broke.
    return { steps: draft.steps, rejection };
  }
  if (lostMs > 0 && session.status !== 'ended') add(draft, { k: 'paused', lostMs });
  const pauses = draft.steps.length;
  expire(draft);
  const hasExpired = draft.steps.length > pauses;
  const rejection = dispatch(draft, command);
  return { steps: rejection === null || hasExpired ? draft.steps : [], rejection };
}

function add(draft: Draft, record: LogRecord, told: readonly GameEvent[] = []): Session {
  const entry: Entry = { v: draft.session.v + 1, at: draft.now, record };
  const after = evolve(draft.session, entry);
  draft.session = after;
  draft.steps.push(makeStep(entry, after, told));
  return after;
}

/** A step with the game's events, if any. */
export function makeStep(entry: Entry, after: Session, told: readonly GameEvent[]): Step {
  return told.length === 0 ? { entry, after } : { entry, after, told };
}

function dispatch(
  draft: Draft,
  command: Exclude<Command, { kind: 'own' | 'abort' }>,
): Rejection | null {
  switch (command.kind) {
    case 'tick':
      return null;
    case 'join':
      return join(draft, command);
    case 'leave':
      return leave(draft, command);
    case 'connect':
      return connect(draft, command.seat);
    case 'disconnect':
      return disconnect(draft, command);
    case 'entropy':
      return entropy(draft, command.seat, command.value);
    case 'act':
      return act(draft, command);
    case 'resign':
      return resign(draft, command);
    case 'draw':
      return draw(draft, command);
    case 'ticks':
      return ticks(draft, command);
  }
}

function reject(code: RejectCode, error: string): Rejection {
  return { code, error };
}

const ENDED = reject('session_ended', 'The session has ended');
const NOT_ACTIVE = reject('session_not_active', 'The session is not active');
/** For a seat that is out while others play on. */
const OUT = reject('session_ended', 'This seat is out of the game');
const NOT_PENDING = reject('session_not_pending', 'Session is not pending');

function notActive(session: Session): Rejection {
  return session.status === 'ended' ? ENDED : NOT_ACTIVE;
}

type Join = Extract<Command, { kind: 'join' }>;

function join(draft: Draft, { bot, level, count = 1 }: Join): Rejection | null {
  if (draft.session.status !== 'pending') return NOT_PENDING;
  const seats = openSeats(draft.session).slice(0, count);
  if (seats.length < count) return reject('room_full', 'Room is already full');
  for (const seat of seats) {
    add(draft, { k: 'joined', seat, bot, ...(level === undefined ? null : { level }) });
  }
  startIfComplete(draft);
  return null;
}

/** Rule S3a: the others stay. A session without players is over. */
function leave(draft: Draft, { seat, id }: Extract<Command, { kind: 'leave' }>): Rejection | null {
  if (draft.session.status !== 'pending') return NOT_PENDING;
  if (!draft.session.seats[seat]!.taken) return reject('unknown_session', 'This seat is open');
  const { seats } = add(draft, { k: 'left', seat, id });
  if (!seats.some(({ taken, isBot }) => taken && !isBot)) endDrawn(draft, 'aborted');
  return null;
}

function connect(draft: Draft, seat: Seat): Rejection | null {
  const { taken, connected, isBot } = draft.session.seats[seat]!;
  if (!taken) return reject('unknown_session', 'This seat is open');
  // A bot counts as connected, whether or not its program is.
  if (draft.session.status === 'ended' || connected || isBot) return null;
  add(draft, { k: 'connected', seat });
  startIfComplete(draft);
  expire(draft); // Somebody is back: players whose grace periods are over are out.
  return null;
}

function disconnect(
  draft: Draft,
  { seat, putAway }: Extract<Command, { kind: 'disconnect' }>,
): Rejection | null {
  if (draft.session.status === 'ended' || !draft.session.seats[seat]!.connected) return null;
  add(draft, { k: 'disconnected', seat, ...(putAway && { putAway }) });
  return null;
}

/** Rule S1: active as soon as every seat is taken and every human has connected once. */
function startIfComplete(draft: Draft): void {
  if (draft.session.status !== 'pending') return;
  const complete = draft.session.seats.every(
    (seat) => seat.taken && (seat.isBot || seat.everConnected),
  );
  if (complete) add(draft, { k: 'started' }, dealtEvents(draft.session));
}

/** The game's events for its deal. */
export function dealtEvents(session: Session): readonly GameEvent[] {
  return gameOf(session).deal === undefined ? [] : deal(session).events;
}

function entropy(draft: Draft, seat: Seat, value: string): Rejection | null {
  if (draft.session.status !== 'pending') {
    return reject('entropy_too_late', 'Entropy is taken before the start only');
  }
  const { entropy: given } = draft.session.seats[seat]!;
  if (given === value) return null;
  // Once, because each is a record and shown to everybody.
  if (given !== '') return reject('entropy_given', 'Entropy was given before and stands');
  add(draft, { k: 'entropy', seat, value });
  return null;
}

function act(draft: Draft, command: Extract<Command, { kind: 'act' }>): Rejection | null {
  const { session } = draft;
  if (session.status !== 'active') return notActive(session);
  if (isOut(session, command.seat)) return OUT;
  const game = gameOf(session);
  const action = game.parseAction(command.action);
  if (action === null) {
    return reject('bad_action', `Not an action of ${game.id}: ${faultOf(session, command.action)}`);
  }
  const { turn, acting } = session.play;
  if (acting.length > 0 && !acting.includes(command.seat)) {
    const others =
      turn === null ? `Seats ${acting.join(', ')} are to act` : `It is seat ${turn}'s turn`;
    return reject('not_your_turn', others);
  }
  const random = randomOf(session);
  const applied = game.apply(session.play.state, command.seat, action, random);
  if (isRefusal(applied)) return reject(applied.code, applied.error);
  const entry: ActionEntry = {
    v: session.v + 1,
    at: draft.now,
    record: { k: 'action', seat: command.seat, id: command.id, action },
  };
  // The same result as `evolve` for this record, without applying the action again.
  draft.session = afterAction(session, entry, applied, random.drawn());
  draft.steps.push(makeStep(entry, draft.session, applied.events));
  endIfDecided(draft);
  return null;
}

/** What is wrong with an input that is no action. For games that do not say, an example of theirs. */
function faultOf(session: ActiveSession, input: unknown): string {
  const game = gameOf(session);
  if (game.ticks !== undefined) return 'it has none, what is held down is told by `in`';
  const fault = game.actionFault?.(input) ?? null;
  if (fault !== null) return fault;
  const [example = {}] = game.legalActions(session.play.state, session.play.acting[0]) ?? [];
  return `it has to be like ${JSON.stringify(example)}`;
}

/** Ticks after the game's end are left out of the record. */
function ticks(
  draft: Draft,
  { from, runs, played }: Extract<Command, { kind: 'ticks' }>,
): Rejection | null {
  const { session } = draft;
  if (session.status !== 'active') return notActive(session);
  const game = tickGameOf(session);
  if (game === null) return reject('bad_action', `There are no ticks in ${session.setup.game}`);
  const { state } = session.play;
  const tick = game.ticks.tickOf(state);
  if (from !== tick) return reject('bad_action', `The match is at tick ${tick}, not ${from}`);
  // They were played from this very state.
  const advanced =
    played?.before === state
      ? { state: played.after, events: game.ticks.eventsOf(state, played.after), runs }
      : advance(game, state, runs);
  const entry: TicksEntry = {
    v: session.v + 1,
    at: draft.now,
    record: { k: 'ticks', from, runs: advanced.runs },
  };
  // The same result as `evolve` for this record, without playing it again.
  draft.session = afterTicks(session, entry, advanced);
  draft.steps.push(makeStep(entry, draft.session, advanced.events));
  endIfDecided(draft);
  return null;
}

/** Records the end when the game has a result. */
function endIfDecided(draft: Draft): void {
  const { session } = draft;
  if (session.status !== 'active') return;
  const outcome = gameOf(session).outcome(session.play.state);
  if (outcome !== null) add(draft, { k: 'ended', outcome });
}

function resign(draft: Draft, command: { seat: Seat; id: CommandId }): Rejection | null {
  const { session } = draft;
  if (session.status !== 'active') return notActive(session);
  if (isOut(session, command.seat)) return OUT;
  forfeit(draft, command.seat, 'resignation', command.id);
  return null;
}

/** Takes a seat out. The match continues while the game allows it and two seats are left. */
function forfeit(draft: Draft, seat: Seat, reason: ForfeitReason, id: CommandId | null): void {
  const session = add(draft, { k: 'forfeited', seat, reason, id });
  endIfDecided(draft);
  if (draft.session.status !== 'active') return;
  const left = [...session.seats.keys()].filter((each) => !isOut(session, each));
  if (left.length > 1) return;
  add(draft, { k: 'ended', outcome: wonByRemaining(session.seats.length, left, reason) });
}

function draw(draft: Draft, command: Extract<Command, { kind: 'draw' }>): Rejection | null {
  const { session } = draft;
  if (session.status !== 'active') return notActive(session);
  if (isOut(session, command.seat)) return OUT;
  if (!gameOf(session).drawOffers) {
    return reject('draws_not_offered_here', `There are no draw offers in ${session.setup.game}`);
  }
  const { seat, id } = command;
  if (command.do === 'offer') {
    const last = session.drawOfferedAtMove[seat] ?? null;
    if (last !== null && session.play.moveCount - last < DRAW_OFFER_MOVES) {
      return reject('draw_offer_too_soon', `One draw offer in ${DRAW_OFFER_MOVES} moves`);
    }
  } else if (session.drawOfferedBy === null || session.drawOfferedBy === seat) {
    return reject('no_draw_offer', 'There is no draw offer to answer');
  }
  add(draft, { k: 'draw', seat, id, do: command.do });
  if (command.do === 'accept') endDrawn(draft, 'draw_agreed');
  return null;
}

function endDrawn(draft: Draft, reason: string): void {
  add(draft, { k: 'ended', outcome: drawnByAll(draft.session.seats.length, reason) });
}

function abort(draft: Draft): Rejection | null {
  if (draft.session.status === 'ended') return ENDED;
  endDrawn(draft, 'aborted');
  return null;
}

function own(draft: Draft, node: string, lostMs: number): void {
  if (draft.session.status === 'ended') return; // Nothing is left to own.
  add(draft, { k: 'owned', epoch: draft.session.epoch + 1, node, lostMs });
}

/** Ends whatever has expired, in the order in which it expired. */
function expire(draft: Draft): void {
  // Each round takes a seat out, moves the turn's end past now, or is the last.
  for (;;) {
    const deadline = firstDeadline(draft.session);
    if (deadline === null || draft.now < deadline.at) return;
    switch (deadline.kind) {
      case 'pending':
        endDrawn(draft, 'expired');
        break;
      case 'turn':
        expireTurn(draft, deadline);
        break;
      case 'play':
        endInTime(draft);
        break;
      case 'grace':
        forfeit(draft, deadline.seat, 'disconnect', null);
        break;
      case 'abandoned':
        endDrawn(draft, 'aborted');
        break;
    }
  }
}

/** The game's time limit is over: the result is that of the current state. */
function endInTime(draft: Draft): void {
  const { session } = draft;
  const outcome = session.status === 'active' && gameOf(session).timeUp?.(session.play.state);
  if (!outcome) throw new Error('A game with a time has to say how it comes out');
  add(draft, { k: 'ended', outcome });
}

/**
 * A missed turn: the game may play it, otherwise the seat is out. Both are possible: the turn is
 * played and the seat lost with it, unless that very turn has ended the match.
 */
function expireTurn(draft: Draft, { seat, reason }: TurnDeadline): void {
  const missed = reason === 'afk_timeout' ? missTurn(draft.session, seat) : null;
  if (missed === null) {
    forfeit(draft, seat, reason, null);
    return;
  }
  add(draft, { k: 'missed', seat }, missed.events);
  endIfDecided(draft);
  const { session } = draft;
  if (session.status !== 'active') return;
  if (gameOf(session).hasMissedOut?.(session.play.state, seat)) {
    forfeit(draft, seat, reason, null);
  }
}

/** The game's move for a missed turn; null when it has none. */
function missTurn(session: Session, seat: Seat): Applied<Json> | null {
  if (session.status !== 'active') return null;
  return gameOf(session).missTurn?.(session.play.state, seat, randomOf(session)) ?? null;
}
