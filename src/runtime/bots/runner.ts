/**
 * Plays the seats of the service's bots. The session alone says whose turn it is, so any process that loads a
 * session, after a restart too, finds the bot's turn again.
 */

import { Buffer } from 'node:buffer';
import { type AnyMind, NODES_MAX, pickOne, type Question } from '../../../game/src/bot.ts';
import type { GameId, Json, Seat } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { type Rules, refOf } from '../../games/games.ts';
import { turnDeadline } from '../../match/deadline.ts';
import { type ActiveSession, type Play, serviceSeatToMove } from '../../match/session.ts';
import type { MatchHost } from '../host/match-host.ts';
import type { MatchView, WorkResult } from '../host/work.ts';
import type { Cancel, Clock, Randomness } from '../ports.ts';
import type { Thinkers } from './thinkers.ts';
import type { Answer } from './thought.ts';

export interface RunnerDeps {
  readonly host: Pick<MatchHost, 'onRest' | 'run'>;
  readonly thinkers: Thinkers;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Delay between two moves, as if a person had thought. Milliseconds. */
  readonly pauseMs: { readonly min: number; readonly max: number };
  /** A bot failed to think properly, and its move was not its own choice. */
  onFault(session: string, error: string): void;
  /** A bot has chosen, or a replacement was chosen, `ms` after its turn was seen. */
  onThought?(game: GameId, ms: number): void;
}

/** What the service's bots have done in this process. */
export interface BotFigures {
  /** Moves that were committed, by game. */
  readonly moves: ReadonlyMap<GameId, number>;
  /** Turns in which a replacement was played, or nothing legal was chosen. */
  readonly faults: number;
  /** Turns in progress: a bot thinks, or waits before moving. */
  readonly underWay: number;
}

export interface BotRunner {
  figures(): BotFigures;
  /** Stops making moves. */
  stop(): Promise<void>;
}

/** How long a person would take. */
export const PAUSE_MS = { min: 400, max: 1_200 } as const;

/** The search on the main thread after a thinker failed. */
const FALLBACK_NODES = 200;
/** An answer is due within this part of the remaining turn, and within the other limit in any case. */
const LATE_PART = 0.4;
const LATE_MS_MAX = 20_000;
/** No pause takes more than this part of the remaining turn. */
const PAUSE_PART = 0.05;
const SEED_BYTES = 16;

/** A bot's turn, from the moment it is seen to its move's commit. */
interface Turn {
  readonly session: string;
  readonly seat: Seat;
  /** The position, by identity: presence and lost time do not change it. */
  readonly play: Play;
  cancel: Cancel;
}

/** What a turn needs besides: that its move was committed is counted. */
interface TurnDeps extends RunnerDeps {
  moved(game: GameId): void;
  /** The session has left memory: the next load finds the turn again. */
  lost(turn: Turn): void;
}

export function startBotRunner(outer: RunnerDeps): BotRunner {
  const turns = new Map<string, Turn>();
  const moves = new Map<GameId, number>();
  let faults = 0;
  let isStopped = false;
  const deps: TurnDeps = {
    ...outer,
    moved: (game) => void moves.set(game, (moves.get(game) ?? 0) + 1),
    lost(turn) {
      if (turns.get(turn.session) === turn) turns.delete(turn.session);
    },
    onFault(session, error) {
      faults += 1;
      outer.onFault(session, error);
    },
  };

  const drop = (session: string): void => {
    turns.get(session)?.cancel();
    turns.delete(session);
  };

  deps.host.onRest((match) => {
    const { session } = match;
    const seat = serviceSeatToMove(session);
    const known = turns.get(session.id);
    if (known === undefined && seat === null) return; // Nearly always true.
    if (isStopped || (seat !== null && known?.play === (session as ActiveSession).play)) return;
    drop(session.id);
    if (seat === null || session.status !== 'active') return;
    const turn: Turn = { session: session.id, seat, play: session.play, cancel: () => {} };
    turns.set(session.id, turn);
    take(deps, turn, session);
  });

  return {
    figures: () => ({ moves, faults, underWay: turns.size }),
    async stop() {
      isStopped = true;
      for (const session of [...turns.keys()]) drop(session);
      await deps.thinkers.stop();
    },
  };
}

/** Thinks at once, and moves after the time that a person would have taken. */
function take(deps: TurnDeps, turn: Turn, session: ActiveSession): void {
  const { clock } = deps;
  const from = clock.now();
  const leftMs = Math.max(0, (turnDeadline(session)?.at ?? Infinity) - from);
  const moveAt = from + Math.min(pauseOf(deps), leftMs * PAUSE_PART);
  const level = session.seats[turn.seat]!.level!;
  const question = {
    state: stateFor(deps, session, turn.seat),
    seat: turn.seat,
    level,
    nodesMax: NODES_MAX[level],
  };
  const { rules } = session;
  const game = rules.game.id;
  const seed = makeSeed(deps.randomness);
  const lateMs = Math.min(LATE_MS_MAX, leftMs * LATE_PART);
  turn.cancel = deps.thinkers.think(
    { ...question, rules: refOf(rules), seed },
    lateMs,
    (answer) => {
      deps.onThought?.(game, clock.now() - from);
      const action = actionOf(deps, turn, rules, question, answer);
      if (action === null) return;
      const restMs = Math.max(0, moveAt - clock.now());
      const go = (): void => move(deps, turn, rules, question, action, true);
      if (restMs === 0) go();
      else turn.cancel = clock.after(restMs, go);
    },
  );
}

/** The state that a bot thinks about: only what its seat may know. */
function stateFor({ randomness }: RunnerDeps, session: ActiveSession, seat: Seat): Json {
  const { game } = session.rules;
  const { state } = session.play;
  if (game.openInformation || game.imagine === undefined) return state;
  return game.imagine(
    state,
    seat,
    makeRandom(makeSeed(randomness), () => '', 0),
  );
}

/** The thinker's answer, or a replacement. Null when there is nothing to play. */
function actionOf(
  deps: RunnerDeps,
  turn: Turn,
  rules: Rules,
  question: Question<Json>,
  answer: Answer,
): Json | null {
  if (answer.ok) return answer.action;
  deps.onFault(turn.session, answer.error);
  return fallbackAction(rules, question, makeSeed(deps.randomness));
}

function move(
  deps: TurnDeps,
  turn: Turn,
  rules: Rules,
  question: Question<Json>,
  action: Json,
  mayTryAgain: boolean,
): void {
  let isAct = false;
  deps.host.run(turn.session, {
    essential: true,
    command({ session }) {
      isAct = isSamePlay(session, turn);
      return isAct
        ? { kind: 'act', seat: turn.seat, id: `bot-${session.v}`, action }
        : { repeatOf: session.v };
    },
    done: (result) => {
      if (result.kind === 'done' && isAct) deps.moved(rules.game.id);
      if (result.kind === 'rejected' && result.code === 'unavailable') deps.lost(turn);
      if (!isIllegal(result)) return undefined;
      deps.onFault(turn.session, `${result.code}: ${result.error}`);
      const other = fallbackAction(rules, question, makeSeed(deps.randomness));
      if (mayTryAgain && other !== null) {
        turn.cancel = deps.clock.after(0, () => move(deps, turn, rules, question, other, false));
      }
      return undefined;
    },
  });
}

/** Has nothing been played since the turn was seen? A session that was read again has its turn found again. */
function isSamePlay(session: MatchView['session'], turn: Turn): boolean {
  return session.status === 'active' && session.play === turn.play;
}

type Rejected = Extract<WorkResult, { kind: 'rejected' }>;

/** A move that the rules refuse. The session recovers from other errors itself. */
function isIllegal(result: WorkResult): result is Rejected {
  if (result.kind !== 'rejected') return false;
  return ['illegal_move', 'ambiguous_move', 'bad_action', 'not_your_turn'].includes(result.code);
}

/**
 * A legal action that costs next to nothing to find; null when there is none. An operator's bot is asked only if
 * its game lists no actions: it may search, and every match would wait for it.
 */
export function fallbackAction(
  { game, bot, hash }: Rules,
  question: Question<Json>,
  seed: string,
): Json | null {
  const random = makeRandom(seed, () => '', 0);
  const anyLegal = (): Json | null => {
    const legal = game.legalActions(question.state, question.seat) ?? [];
    return legal.length === 0 ? null : pickOne(legal, random);
  };
  const isOperators = hash !== null;
  if (isOperators) {
    const action = anyLegal();
    if (action !== null) return action;
  }
  const mind: AnyMind | undefined = bot?.makeMind();
  try {
    const easy = { ...question, level: 'easy', nodesMax: FALLBACK_NODES } as const;
    if (mind !== undefined) return mind.choose(easy, random);
  } catch {
    // Whatever is wrong with the bot, the game itself may know an action.
  }
  return isOperators ? null : anyLegal();
}

function pauseOf({ randomness, pauseMs }: RunnerDeps): number {
  const part = randomness.bytes(1)[0]! / 255;
  return pauseMs.min + Math.round(part * (pauseMs.max - pauseMs.min));
}

function makeSeed(randomness: Randomness): string {
  return Buffer.from(randomness.bytes(SEED_BYTES)).toString('hex');
}
