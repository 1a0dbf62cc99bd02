/** A game that runs by the clock, on the player's side: predicts with the game's own step, corrects, asks again. */

import type { PredictedRules, Prediction, StateOf } from '../../../game/src/prediction.ts';
import type { Rollback } from '../../../src/games/ticks/rollback.ts';
import { DELAY_TICKS_MAX, makeRollback } from '../../../src/games/ticks/rollback.ts';
import type { ClientMessage, StateFrame } from '../generated/frames.ts';
import { parseTime } from './frames.ts';
import type { ConnectionEvent } from './link.ts';

/** What a prediction needs of its client. */
export interface TickLink {
  readonly session: string;
  /** The server's time, ms since 1970. */
  serverNow(): number;
  /** How long the last ping took there and back, ms; null before the first. */
  roundTripMs(): number | null;
  transmit(message: ClientMessage): boolean;
  on(listener: (event: ConnectionEvent) => void): () => void;
}

/** Own input takes effect so many ticks after it was pressed, until the way is known. */
const DELAY_TICKS = 2;
/** So far, in ticks, the way may be from the delay before that changes. */
const DELAY_SLACK_TICKS = 0.75;
const SECOND_MS = 1_000;
/** Masks go out so often, as far as they change: the server takes 30 messages a second. */
const SENDS_PER_SECOND = 20;
/** The whole state is asked for again when none came. */
const ASK_MS = 500;

/** All that a prediction's functions work on. */
interface Core<State> {
  readonly rules: PredictedRules<State>['ticks'];
  readonly stateOf: StateOf<State>;
  readonly link: TickLink;
  readonly msPerTick: number;
  rollback: Rollback<State> | null;
  /** When tick 0 was due, by the server's clock; null while play stands still, or nobody is heard. */
  zeroAt: number | null;
  delay: number;
  askedAt: number;
}

export function makePrediction<State>(
  { ticks: rules }: PredictedRules<State>,
  stateOf: StateOf<State>,
  link: TickLink,
): Prediction<State> {
  const core: Core<State> = {
    rules,
    stateOf,
    link,
    msPerTick: SECOND_MS / rules.ticksPerSecond,
    rollback: null,
    zeroAt: null,
    delay: DELAY_TICKS,
    askedAt: Number.NEGATIVE_INFINITY,
  };
  const stop = link.on((event) => {
    if (event.kind === 'ticks') core.rollback?.receive({ ...event.frame } as never);
    else if (event.kind !== 'session') return;
    else if (event.cause.t === 'state') restart(core, event.cause);
    else if (event.cause.t === 'over') core.zeroAt = null;
  });
  // What was told before this was loaded: the whole state comes once more.
  ask(core);
  return {
    frame(mask) {
      const { rollback } = core;
      if (rollback === null) return null;
      core.delay = delayFor(link.roundTripMs(), core.msPerTick, core.delay);
      rollback.setDelay(core.delay);
      if (rollback.syncReason() !== null) ask(core);
      // Who has lost the line is played without, and what comes next may be of another time: the
      // whole state comes first, as on every new connection.
      else if (core.zeroAt !== null && !play(core, rollback, core.zeroAt, mask)) core.zeroAt = null;
      return rollback.shown();
    },
    get confirmed() {
      return core.rollback?.confirmed() ?? null;
    },
    get stats() {
      return core.rollback?.stats ?? null;
    },
    get resumesInMs() {
      const { rollback, zeroAt, msPerTick } = core;
      if (rollback === null || zeroAt === null) return null;
      const next = zeroAt + rules.tickOf(rollback.confirmed()) * msPerTick;
      return Math.max(0, next - link.serverNow());
    },
    stop,
  };
}

function ask<State>(core: Core<State>): void {
  const { link } = core;
  // Its own clock may have been put right since, by minutes.
  if (Math.abs(link.serverNow() - core.askedAt) < ASK_MS) return;
  core.askedAt = link.serverNow();
  link.transmit({ t: 'sync', s: link.session });
}

function restart<State>(core: Core<State>, frame: StateFrame): void {
  const { rules, msPerTick } = core;
  const { view, seat, ticks, status, graces } = frame;
  if (ticks === undefined || view === null || status === 'pending') return;
  const state = core.stateOf(view, ticks.next);
  const sendTicks = Math.max(1, Math.ceil(rules.ticksPerSecond / SENDS_PER_SECOND));
  const setup = { ...rules, seats: graces.length, seat, state, delayTicks: DELAY_TICKS };
  core.rollback ??= makeRollback({ ...setup, sendTicks });
  core.rollback.restart(state);
  core.askedAt = Number.NEGATIVE_INFINITY;
  const at = parseTime(ticks.at);
  core.zeroAt = at === null ? null : at - ticks.next * msPerTick;
}

/** False when there was something to send and nobody to send it to. */
function play<State>(
  { rules, link, msPerTick }: Core<State>,
  { shown, tick, outgoing }: Rollback<State>,
  zeroAt: number,
  mask: number,
): boolean {
  const due = Math.floor((link.serverNow() - zeroAt) / msPerTick);
  while (rules.tickOf(shown()) < due) {
    const before = rules.tickOf(shown());
    if (!tick(mask) || rules.tickOf(shown()) === before) break;
  }
  const masks = outgoing();
  return masks === null || link.transmit({ t: 'in', s: link.session, ...masks });
}

/**
 * Own input is held back by about as long as its way is: less has to be guessed then, and on a short
 * way it is seen at once.
 */
function delayFor(roundTripMs: number | null, msPerTick: number, before: number): number {
  if (roundTripMs === null) return before;
  const way = Math.min(DELAY_TICKS_MAX, roundTripMs / 2 / msPerTick);
  return Math.abs(way - before) < DELAY_SLACK_TICKS ? before : Math.round(way);
}
