/** Client-side prediction of a real-time game: predicts with the game's own step, corrects, resynchronizes. */

import type { PredictedRules, Prediction, StateOf } from '../../../game/src/prediction.ts';
import type { Rollback } from '../../../src/games/ticks/rollback.ts';
import { DELAY_TICKS_MAX, makeRollback } from '../../../src/games/ticks/rollback.ts';
import { parseTime } from '../frames/frames.ts';
import type { ClientMessage, StateFrame } from '../generated/frames.ts';
import type { ConnectionEvent } from './link.ts';

/** What a prediction needs from its client. */
export interface TickLink {
  readonly session: string;
  /** The server's time, ms since 1970. */
  serverNow(): number;
  /** The last ping's round trip, ms; null before the first. */
  roundTripMs(): number | null;
  transmit(message: ClientMessage): boolean;
  on(listener: (event: ConnectionEvent) => void): () => void;
}

/** Input delay in ticks, until the latency is known. */
const DELAY_TICKS = 2;
/** The latency must differ from the delay by this many ticks before the delay changes. */
const DELAY_SLACK_TICKS = 0.75;
const SECOND_MS = 1_000;
/** Interval of input messages, if input changed: the server accepts 30 messages a second. */
const SENDS_PER_SECOND = 20;
/** The whole state is requested again after this time without one. */
const ASK_MS = 500;

/** The state of a prediction's functions. */
interface Core<State> {
  readonly rules: PredictedRules<State>['ticks'];
  readonly stateOf: StateOf<State>;
  readonly link: TickLink;
  readonly msPerTick: number;
  rollback: Rollback<State> | null;
  /** When tick 0 was due, by the server's clock; null while play is stopped, or without a connection. */
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
  // Frames before this was loaded are missing: the whole state is requested once more.
  ask(core);
  return {
    frame(mask) {
      const { rollback } = core;
      if (rollback === null) return null;
      core.delay = delayFor(link.roundTripMs(), core.msPerTick, core.delay);
      rollback.setDelay(core.delay);
      if (rollback.syncReason() !== null) ask(core);
      // Play continues without a disconnected player, and later frames may belong to another time: the whole state
      // comes first, as on every new connection.
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
  // Its own clock may have been corrected since, by minutes.
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

/** False when there was something to send but no connection. */
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
 * Own input is delayed by about its latency: then less has to be predicted, and with a low latency it is shown at
 * once.
 */
function delayFor(roundTripMs: number | null, msPerTick: number, before: number): number {
  if (roundTripMs === null) return before;
  const way = Math.min(DELAY_TICKS_MAX, roundTripMs / 2 / msPerTick);
  return Math.abs(way - before) < DELAY_SLACK_TICKS ? before : Math.round(way);
}
