/** A real-time game's current view: predicted by its rules, else as last sent by the server. */

import type { AnyGame, Json, Seat } from '../../../../../game/src/game.ts';
import type { Prediction } from '../../../../../game/src/prediction.ts';
import type { LiveMatch } from '../board-view.ts';
import { makeLazyPrediction } from '../lazy-prediction.ts';
import type { Presses } from '../presses.ts';

export interface LiveViewHost {
  readonly live: LiveMatch;
  readonly presses: Presses;
  readonly ticksPerSecond: number;
  /** The game's rules; null if there are none. Rejects when they cannot be fetched. */
  loadRules(): Promise<AnyGame | null>;
  /** The player's own seat, while the match is running; null for watchers. */
  seat(): Seat | null;
  /** Whether the board is visible. */
  isShown(): boolean;
  show(view: Json): void;
}

/** Redraw interval: the generic board is for reading, not for watching. Ms. */
const SHOW_MS = 100;
/** The interval at which ticks are played while the page is hidden, so that no input stays held. */
const HIDDEN_MS = 250;
/** Without rules the page requests the view at this interval: the server answers two requests a second. */
const ASK_MS = 1_000;
/** After this many mismatches the view is assumed to be incomplete. */
const DESYNCS_MAX = 2;

/** Runs until the returned function is called. */
export function followTicks(host: LiveViewHost): () => void {
  let isStopped = false;
  const stops: (() => void)[] = [];
  const begin = async (): Promise<void> => {
    const rules = await host.loadRules().catch(() => null);
    if (isStopped) return;
    const blind = (): void => void stops.push(followBlindly(host));
    stops.push(rules?.ticks === undefined ? followBlindly(host) : followRules(host, rules, blind));
  };
  void begin();
  return () => {
    isStopped = true;
    for (const stop of stops) stop();
  };
}

/** Predicts the game locally. Stops if the view turns out not to be the whole state. */
function followRules(host: LiveViewHost, rules: AnyGame, giveUp: () => void): () => void {
  const prediction = makeLazyPrediction(() => host.live.predict<Json>({ ticks: rules.ticks! }));
  let shownAt = Number.NEGATIVE_INFINITY;
  let lastTick = -1;
  const end = loop((mask, now) => {
    try {
      const state = prediction.frame(mask);
      if (state === null) return;
      const tick = rules.ticks!.tickOf(state);
      if (tick !== lastTick) host.presses.settle();
      lastTick = tick;
      if (now - shownAt >= SHOW_MS) {
        host.show(rules.view(state, host.seat()));
        shownAt = now;
      }
      if ((prediction.stats?.desyncs ?? 0) < DESYNCS_MAX) return;
    } catch {
      // The rules cannot use an incomplete state.
    }
    stop();
    giveUp();
  }, host);
  const stop = (): void => {
    end();
    prediction.stop();
  };
  return stop;
}

/** Sends the held input; the page shows each whole state. */
function followBlindly(host: LiveViewHost): () => void {
  const { live, ticksPerSecond } = host;
  const ticks = {
    ticksPerSecond,
    step: (tick: number) => tick + 1,
    tickOf: (tick: number) => tick,
  };
  const begin = (): Prediction<number> =>
    makeLazyPrediction(() => live.predict<number>({ ticks }, (_, tick) => tick));
  let prediction = begin();
  let next: Prediction<number> | null = null;
  /** Each prediction begins with a request for the whole state, which is all that is needed here. */
  const ask = (): void => {
    next?.stop();
    next = begin();
  };
  const end = loop((mask) => {
    if (next?.confirmed != null) {
      prediction.stop();
      prediction = next;
      next = null;
    }
    if (prediction.frame(mask) !== null) host.presses.settle();
  }, host);
  const timer = setInterval(ask, ASK_MS);
  return () => {
    end();
    clearInterval(timer);
    prediction.stop();
    next?.stop();
  };
}

/** Calls it with every frame, and at an interval while the page is hidden. */
function loop(play: (mask: number, now: number) => void, host: LiveViewHost): () => void {
  let request = 0;
  const draw = (now: number): void => {
    request = requestAnimationFrame(draw);
    if (host.isShown()) play(host.seat() === null ? 0 : host.presses.mask, now);
  };
  request = requestAnimationFrame(draw);
  const timer = setInterval(() => {
    if (document.visibilityState === 'hidden') play(0, performance.now());
  }, HIDDEN_MS);
  return () => {
    cancelAnimationFrame(request);
    clearInterval(timer);
  };
}
