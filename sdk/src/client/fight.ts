/** A fight on the player's side: predicts with the game's own step, corrects, asks anew. Loaded when asked for. */

import { fightArena } from '../../../src/games/fight-arena/fight-arena.ts';
import type { FightState } from '../../../src/games/fight-arena/state.ts';
import type { Rollback, RollbackStats } from '../../../src/games/ticks/rollback.ts';
import { DELAY_TICKS_MAX, makeRollback } from '../../../src/games/ticks/rollback.ts';
import type { ClientMessage, StateFrame } from '../generated/frames.ts';
import { parseTime } from './frames.ts';
import type { ConnectionEvent } from './link.ts';

/** What a fight needs of its client. */
export interface FightLink {
  readonly session: string;
  /** The server's time, ms since 1970. */
  serverNow(): number;
  /** How long the last ping took there and back, ms; null before the first. */
  roundTripMs(): number | null;
  transmit(message: ClientMessage): boolean;
  on(listener: (event: ConnectionEvent) => void): () => void;
}

export interface Fight {
  /**
   * Plays the ticks that are due with what is held down now, and sends what is to be sent. To be
   * called with every picture; the answer is the state to draw, null before the first has come.
   */
  frame(mask: number): FightState | null;
  /** The last state that the server has told, never a guess. */
  readonly confirmed: FightState | null;
  readonly stats: Readonly<RollbackStats> | null;
  /** Until play goes on, ms: 0 while it runs, null while nobody knows (somebody is missing). */
  readonly resumesInMs: number | null;
  stop(): void;
}

/** Own input takes effect so many ticks after it was pressed, until the way is known. */
const DELAY_TICKS = 2;
/** So far, in ticks, the way may be from the delay before that changes. */
const DELAY_SLACK_TICKS = 0.75;
const MS_PER_TICK = 1_000 / fightArena.ticks.ticksPerSecond;
/** The whole state is asked for again when none came. */
const ASK_MS = 500;

export function makeFight(link: FightLink): Fight {
  let rollback: Rollback<FightState> | null = null;
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
  const restart = (frame: StateFrame): void => {
    const { view, seat, ticks, status } = frame;
    if (ticks === undefined || view === null || status === 'pending') return;
    // A view tells beside the state how many rounds were won.
    const { roundsWon: _, ...state } = view as FightState & { readonly roundsWon: unknown };
    rollback ??= makeRollback({
      ...fightArena.ticks,
      seats: 2,
      seat,
      state,
      delayTicks: DELAY_TICKS,
    });
    rollback.restart(state);
    askedAt = Number.NEGATIVE_INFINITY;
    const at = parseTime(ticks.at);
    zeroAt = at === null ? null : at - ticks.next * MS_PER_TICK;
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
      delay = delayFor(link.roundTripMs(), delay);
      rollback.setDelay(delay);
      if (rollback.syncReason() !== null) ask();
      // Who has lost the line is played without, and what comes next may be of another time: the
      // whole state comes first, as on every new connection.
      else if (zeroAt !== null && !play(rollback, link, zeroAt, mask)) zeroAt = null;
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
      const next = zeroAt + rollback.confirmed().tick * MS_PER_TICK;
      return Math.max(0, next - link.serverNow());
    },
    stop,
  };
}

/**
 * Own input is held back by about as long as its way is: less has to be guessed then, and on a short
 * way it is seen at once.
 */
function delayFor(roundTripMs: number | null, before: number): number {
  if (roundTripMs === null) return before;
  const way = Math.min(DELAY_TICKS_MAX, roundTripMs / 2 / MS_PER_TICK);
  return Math.abs(way - before) < DELAY_SLACK_TICKS ? before : Math.round(way);
}

/** False when there was something to send and nobody to send it to. */
function play(
  rollback: Rollback<FightState>,
  link: FightLink,
  zeroAt: number,
  mask: number,
): boolean {
  const due = Math.floor((link.serverNow() - zeroAt) / MS_PER_TICK);
  while (rollback.shown().tick < due) {
    const { tick } = rollback.shown();
    if (!rollback.tick(mask) || rollback.shown().tick === tick) break;
  }
  const masks = rollback.outgoing();
  return masks === null || link.transmit({ t: 'in', s: link.session, ...masks });
}
