/** A game that runs by the clock, on the player's side: predicts with the game's own step, corrects, asks anew. */

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

export function makePrediction<State>(
  { ticks: rules }: PredictedRules<State>,
  stateOf: StateOf<State>,
  link: TickLink,
): Prediction<State> {
  const msPerTick = SECOND_MS / rules.ticksPerSecond;
  const sendTicks = Math.max(1, Math.ceil(rules.ticksPerSecond / SENDS_PER_SECOND));
  let rollback: Rollback<State> | null = null;
  /** When tick 0 was due, by the server's clock; null while play stands still, or nobody is heard. */
  let zeroAt: number | null = null;
  let delay = DELAY_TICKS;
  let askedAt = Number.NEGATIVE_INFINITY;
  const ask = (): void => {
    // Its own clock may have been put right since, by minutes.
    if (Math.abs(link.serverNow() - askedAt) < ASK_MS) return;
    askedAt = link.serverNow();
    link.transmit({ t: 'sync', s: link.session });
  };
  const dueTick = (zero: number): number => Math.floor((link.serverNow() - zero) / msPerTick);
  /** False when there was something to send and nobody to send it to. */
  const playTo = (due: number, mask: number): boolean => {
    const { shown, tick, outgoing } = rollback!;
    while (rules.tickOf(shown()) < due) {
      const before = rules.tickOf(shown());
      if (!tick(mask) || rules.tickOf(shown()) === before) break;
    }
    const masks = outgoing();
    return masks === null || link.transmit({ t: 'in', s: link.session, ...masks });
  };
  const restart = (frame: StateFrame): void => {
    const { view, seat, ticks, status, graces } = frame;
    if (ticks === undefined || view === null || status === 'pending') return;
    const state = stateOf(view, ticks.next);
    const setup = { ...rules, seats: graces.length, seat, state, delayTicks: DELAY_TICKS };
    rollback ??= makeRollback({ ...setup, sendTicks });
    rollback.restart(state);
    askedAt = Number.NEGATIVE_INFINITY;
    const at = parseTime(ticks.at);
    zeroAt = at === null ? null : at - ticks.next * msPerTick;
  };
  const stop = link.on((event) => {
    if (event.kind === 'ticks') rollback?.receive({ ...event.frame } as never);
    else if (event.kind !== 'session') return;
    else if (event.cause.t === 'state') restart(event.cause);
    else if (event.cause.t === 'over') zeroAt = null;
  });
  // What was told before this was loaded: the whole state comes once more.
  ask();
  return {
    frame(mask) {
      if (rollback === null) return null;
      delay = delayFor(link.roundTripMs(), msPerTick, delay);
      rollback.setDelay(delay);
      if (rollback.syncReason() !== null) ask();
      // Who has lost the line is played without, and what comes next may be of another time: the
      // whole state comes first, as on every new connection.
      else if (zeroAt !== null && !playTo(dueTick(zeroAt), mask)) zeroAt = null;
      return rollback.shown();
    },
    get confirmed() {
      return rollback?.confirmed() ?? null;
    },
    get stats() {
      return rollback?.stats ?? null;
    },
    get resumesInMs() {
      if (rollback === null || zeroAt === null) return null;
      const next = zeroAt + rules.tickOf(rollback.confirmed()) * msPerTick;
      return Math.max(0, next - link.serverNow());
    },
    stop,
  };
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
