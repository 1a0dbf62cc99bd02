/** Slow rules of an operator: named in the log, and marked in the list of games. */

import type { GameId } from '../../../game/src/game.ts';
import { makeLogThrottle } from '../limits/log-throttle.ts';
import type { Clock } from '../ports.ts';
import type { GuardedCall } from './guard.ts';

/** The slow calls of one game in this process. */
export interface SlowCalls {
  readonly count: number;
  /** Of the longest. */
  readonly longestMs: number;
  /** When the last one ended. Ms since 1970. */
  readonly lastAt: number;
}

export interface SlowRules {
  note(call: GuardedCall): void;
  /** Null where the last hour had none. */
  of(game: GameId): SlowCalls | null;
  /**
   * The games whose last slow call ended in that span, both in ms since 1970: they may be why the process stood
   * still.
   */
  endedIn(from: number, to: number): readonly GameId[];
}

/** Each game is named in the log at most this often. Ms. */
const LOG_EVERY_MS = 60_000;
const KNOWN_FOR_MS = 3_600_000;

export function makeSlowRules(
  clock: Pick<Clock, 'now'>,
  warn: (fields: object, message: string) => void,
): SlowRules {
  const games = new Map<GameId, { calls: SlowCalls; readonly take: () => number | null }>();
  const callsOf = (game: GameId): SlowCalls | null => {
    const calls = games.get(game)?.calls;
    return calls !== undefined && clock.now() - calls.lastAt < KNOWN_FOR_MS ? calls : null;
  };
  return {
    note({ rules: { game, rulesVersion }, what, ms }) {
      const { count, longestMs } = callsOf(game) ?? { count: 0, longestMs: 0 };
      const calls = {
        count: count + 1,
        longestMs: Math.max(longestMs, Math.round(ms)),
        lastAt: clock.now(),
      };
      const take = games.get(game)?.take ?? makeLogThrottle(clock, LOG_EVERY_MS);
      games.set(game, { calls, take });
      const since = take();
      if (since === null) return;
      warn(
        { game, rulesVersion, what, ms: Math.round(ms), count: since },
        "a game's rules are slow",
      );
    },
    of: callsOf,
    endedIn: (from, to) =>
      [...games]
        .filter(([, { calls }]) => calls.lastAt >= from && calls.lastAt <= to)
        .map(([game]) => game),
  };
}
