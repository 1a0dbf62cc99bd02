/** A headless player of fight arena: the SDK's side of a fight, and its inputs. Uses any transport. */

import type { Json } from '../../../game/src/game.ts';
import { makeFight } from '../../../sdk/src/client/fight.ts';
import type { ConnectionEvent, Fight } from '../../../sdk/src/client/index.ts';
import type { FightState } from '../../games/fight-arena/state.ts';
import type { RollbackStats } from '../../games/ticks/rollback.ts';

/** A frame as it comes from the server. */
export type AnyFrame = { readonly t: string } & Readonly<Record<string, Json | undefined>>;

export interface FightPlayerWish {
  readonly session: string;
  /** The input of the next tick. */
  readonly masher: () => number;
  /** Round-trip time as known to the player; own input is delayed by half of it. */
  readonly roundTripMs?: number;
  /** False if it cannot be sent. */
  send(frame: object): boolean;
  /** Milliseconds since 1970, by the server's clock as the player knows it. */
  now(): number;
}

export interface FightPlayer {
  /** Any frame of the session. */
  receive(frame: AnyFrame): void;
  /** Plays due ticks and sends what is due; to be called every few milliseconds. */
  play(): void;
  /** The last state received, never predicted; null before the first. */
  readonly confirmed: () => FightState | null;
  /** How many ticks are committed, as far as the player knows. */
  readonly committed: () => number;
  /** Whether play is running, by the last `state`. */
  readonly isRunning: () => boolean;
  /** The result, once it is over. */
  readonly result: () => Json | null;
  /** Whether the player has the whole state. False while waiting for one. */
  readonly isSynced: () => boolean;
  readonly stats: () => Readonly<RollbackStats>;
  /** Codes of what was rejected. */
  readonly rejects: readonly string[];
}

const ROUND_TRIP_MS = 100;

export function makeFightPlayer(wish: FightPlayerWish): FightPlayer {
  const { session, masher, roundTripMs = ROUND_TRIP_MS, send, now } = wish;
  const rejects: string[] = [];
  let hear: (event: ConnectionEvent) => void = () => {};
  let isMade = false;
  const fight: Fight = makeFight({
    session,
    serverNow: now,
    roundTripMs: () => roundTripMs,
    // The first state is not requested here: it comes by itself.
    transmit: (message) => isMade && send(message),
    on(listener) {
      hear = listener;
      return () => {};
    },
  });
  isMade = true;
  let mask = 0;
  let shownTick = 0;
  let committed = 0;
  let resyncsDone = 0;
  let result: Json | null = null;
  return {
    receive(frame) {
      if (frame.t === 'reject') rejects.push(String(frame['code']));
      if (frame.t === 'ticks') {
        committed = Math.max(committed, Number(frame['committed']));
        hear({ kind: 'ticks', frame: frame as never });
      }
      if (frame.t !== 'state' && frame.t !== 'over') return;
      result = frame['result'] ?? null;
      hear({ kind: 'session', session: null as never, cause: frame as never });
      if (frame.t !== 'state') return;
      committed = fight.confirmed?.tick ?? 0;
      resyncsDone = fight.stats?.resyncs ?? 0;
    },
    play() {
      const tick = fight.frame(mask)?.tick ?? shownTick;
      if (tick === shownTick) return;
      shownTick = tick;
      mask = masher();
    },
    confirmed: () => fight.confirmed,
    committed: () => committed,
    isRunning: () => fight.resumesInMs !== null,
    result: () => result,
    isSynced: () => fight.stats !== null && fight.stats.resyncs === resyncsDone,
    stats: () => fight.stats!,
    rejects,
  };
}
