/** A fight on the player's side: predicts with the game's own step, corrects, asks anew. Loaded when asked for. */

import { fightArena } from '../../../src/games/fight-arena/fight-arena.ts';
import type { Rollback, RollbackStats } from '../../../src/games/fight-arena/rollback.ts';
import { makeRollback } from '../../../src/games/fight-arena/rollback.ts';
import type { FightState } from '../../../src/games/fight-arena/state.ts';
import type { ClientMessage, StateFrame } from '../generated/frames.ts';
import { parseTime } from './frames.ts';
import type { ConnectionEvent } from './link.ts';

/** What a fight needs of its client. */
export interface FightLink {
  readonly session: string;
  /** The server's time, ms since 1970. */
  serverNow(): number;
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
  stop(): void;
}

/** Own input takes effect so many ticks after it was pressed: it hides most of the way. */
const DELAY_TICKS = 2;
const MS_PER_TICK = 1_000 / fightArena.ticks.ticksPerSecond;
/** The whole state is asked for again when none came. */
const ASK_MS = 500;

export function makeFight(link: FightLink): Fight {
  let rollback: Rollback<FightState> | null = null;
  /** When tick 0 was due, by the server's clock; null while play stands still. */
  let zeroAt: number | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  const ask = (): void => {
    if (link.serverNow() - askedAt < ASK_MS) return;
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
      if (rollback.syncReason() !== null) ask();
      else if (zeroAt !== null) play(rollback, link, zeroAt, mask);
      return rollback.shown();
    },
    get confirmed() {
      return rollback?.confirmed() ?? null;
    },
    get stats() {
      return rollback?.stats ?? null;
    },
    stop,
  };
}

function play(rollback: Rollback<FightState>, link: FightLink, zeroAt: number, mask: number): void {
  const due = Math.floor((link.serverNow() - zeroAt) / MS_PER_TICK);
  while (rollback.shown().tick < due) {
    const { tick } = rollback.shown();
    if (!rollback.tick(mask) || rollback.shown().tick === tick) break;
  }
  const masks = rollback.outgoing();
  if (masks !== null) link.transmit({ t: 'in', s: link.session, ...masks });
}
