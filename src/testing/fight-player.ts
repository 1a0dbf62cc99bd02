/** A player of fight arena without a screen: predicts, corrects, asks anew. Knows no transport. */

import { fightArena } from '../games/fight-arena/fight-arena.ts';
import type { Rollback, RollbackStats, TicksFrame } from '../games/fight-arena/rollback.ts';
import { makeRollback } from '../games/fight-arena/rollback.ts';
import { TICKS_PER_SECOND } from '../games/fight-arena/stage.ts';
import type { FightState } from '../games/fight-arena/state.ts';
import type { Json } from '../games/game.ts';

/** A frame as it comes from the server. */
export type AnyFrame = { readonly t: string } & Readonly<Record<string, Json | undefined>>;

export interface FightPlayerWish {
  readonly session: string;
  /** Null only watches. */
  readonly seat: number | null;
  /** What is held down in the next tick. */
  readonly masher: () => number;
  readonly delayTicks?: number;
  send(frame: object): void;
  /** Milliseconds since 1970, by the server's clock as the player knows it. */
  now(): number;
}

export interface FightPlayer {
  /** Any frame of the session. */
  receive(frame: AnyFrame): void;
  /** Plays what is due and sends what is to be sent; to be called every few milliseconds. */
  play(): void;
  /** The last state told, never a guess; null before the first. */
  readonly confirmed: () => FightState | null;
  /** So many ticks are in the log as far as the player was told. */
  readonly committed: () => number;
  /** Does play go on, by the last `state`? */
  readonly isRunning: () => boolean;
  /** The result, once it is over. */
  readonly result: () => Json | null;
  /** Has it been shown all that it needs? False while it waits for a whole state. */
  readonly isSynced: () => boolean;
  readonly stats: () => Readonly<RollbackStats>;
  /** Codes of what was rejected. */
  readonly rejects: readonly string[];
  /** Reasons for which all was asked for anew. */
  readonly syncs: readonly string[];
}

const MS_PER_TICK = 1_000 / TICKS_PER_SECOND;
/** Asked again when no answer came. */
const ASK_MS = 500;

export function makeFightPlayer(wish: FightPlayerWish): FightPlayer {
  const { session: s, seat, masher, delayTicks = 3, send, now } = wish;
  const rejects: string[] = [];
  const syncs: string[] = [];
  let rollback: Rollback<FightState> | null = null;
  let zeroAt: number | null = null;
  let askedAt = 0;
  let result: Json | null = null;

  const restart = (frame: AnyFrame): void => {
    const { roundsWon: _, ...state } = frame['view'] as unknown as FightState & { roundsWon: Json };
    rollback ??= makeRollback({ ...fightArena.ticks, seats: 2, seat, state, delayTicks });
    rollback.restart(state);
    askedAt = 0;
    const { next, at } = frame['ticks'] as { readonly next: number; readonly at: string | null };
    zeroAt = at === null ? null : Date.parse(at) - next * MS_PER_TICK;
    result = frame['result'] ?? null;
  };
  const ask = (reason: string): void => {
    if (now() - askedAt < ASK_MS) return;
    if (askedAt === 0) syncs.push(reason);
    askedAt = now();
    send({ t: 'sync', s });
  };
  return {
    receive(frame) {
      if (frame.t === 'state') restart(frame);
      else if (frame.t === 'ticks') rollback?.receive(frame as unknown as TicksFrame);
      else if (frame.t === 'over') result = frame['result'] ?? null;
      else if (frame.t === 'reject') rejects.push(String(frame['code']));
    },
    play() {
      if (rollback === null) return;
      const reason = rollback.syncReason();
      if (reason !== null) return ask(reason);
      if (zeroAt === null || result !== null) return;
      const target = Math.floor((now() - zeroAt) / MS_PER_TICK);
      while (rollback.shown().tick < target) {
        const before = rollback.shown().tick;
        if (!rollback.tick(masher()) || rollback.shown().tick === before) break;
      }
      const masks = rollback.outgoing();
      if (masks !== null) send({ t: 'in', s, ...masks });
    },
    confirmed: () => rollback?.confirmed() ?? null,
    committed: () => rollback?.committed() ?? 0,
    isRunning: () => zeroAt !== null,
    result: () => result,
    isSynced: () => rollback !== null && rollback.syncReason() === null,
    stats: () => rollback!.stats,
    rejects,
    syncs,
  };
}
