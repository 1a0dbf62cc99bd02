/** The service's own measurements. */

import type { GameId } from '../../../game/src/game.ts';
import type { Mode } from '../../match/record.ts';
import { LONG_SECONDS, makeTimings, SHORT_SECONDS, type Timing, type Timings } from './timings.ts';

/** How players met: in the queue, or in tickets of hosted matchmaking. */
export type Meeting = 'queue' | 'hosted';

export interface Histogram {
  readonly name: string;
  readonly help: string;
  readonly timings: Timings<readonly string[]>;
}

export interface Instruments {
  /** From a player's command on its socket to its `ack`, in seconds. */
  readonly moveAck: Timing;
  /** From a commit's request to its answer, in seconds. */
  readonly commit: Timing;
  /** One transaction of a group commit, in seconds. */
  readonly batch: Timing;
  /** Writes in one transaction of a group commit. */
  readonly batchSize: Timing;
  /** How late a timer rings, in seconds. */
  readonly loopDelay: Timing;
  /** A call of the store but for commits, in seconds. `operation` is the call's name: a closed set. */
  storeCall(operation: string): Timing;
  /** From a bot's turn to its choice, in seconds: waiting for a thread counts, its pause does not. */
  botThinking(game: GameId): Timing;
  /** A call into an operator's rules, in seconds. */
  rulesCall(game: GameId): Timing;
  /** From the wait for opponents to the match's start, in seconds. */
  timeToMatch(game: GameId, mode: Mode, meeting: Meeting): Timing;
  /** Sessions that became active or ended in this process. */
  countSession(game: GameId, mode: Mode, change: 'active' | 'ended'): void;
  sessionCounts(): readonly SessionCount[];
  readonly histograms: readonly Histogram[];
}

export interface SessionCount {
  readonly game: GameId;
  readonly mode: Mode;
  readonly change: 'active' | 'ended';
  n: number;
}

const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

export function makeInstruments(): Instruments {
  const histograms: Histogram[] = [];
  const add = <const L extends readonly string[]>(
    name: string,
    help: string,
    labelNames: L,
    bounds: readonly number[] = SHORT_SECONDS,
  ): Timings<L> => {
    const timings = makeTimings(labelNames, bounds);
    histograms.push({ name, help, timings });
    return timings;
  };
  const counts = new Map<string, SessionCount>();
  const store = add(
    'matchd_store_call_seconds',
    'Time of a call of the store, commits excepted, by operation.',
    ['operation'],
  );
  const bots = add('matchd_bot_thinking_seconds', "Time from a bot's turn to its choice.", [
    'game',
  ]);
  const rules = add('matchd_game_rules_seconds', "Time of a call of an operator's rules.", [
    'game',
  ]);
  const meetings = add(
    'matchd_time_to_match_seconds',
    "Time from the wait for opponents to the match's start.",
    ['game', 'mode', 'meeting'],
    LONG_SECONDS,
  );
  return {
    moveAck: add(
      'matchd_move_ack_seconds',
      "Time from a player's command on its socket to its ack.",
      [],
    ).of(),
    commit: add('matchd_commit_seconds', "Time from a commit's request to its answer.", []).of(),
    batch: add(
      'matchd_commit_batch_seconds',
      'Time of one transaction of a group commit.',
      [],
    ).of(),
    batchSize: add(
      'matchd_commit_batch_size',
      'Writes in one transaction of a group commit.',
      [],
      BATCH_SIZES,
    ).of(),
    loopDelay: add('matchd_event_loop_delay_seconds', 'How late a timer rings.', []).of(),
    storeCall: store.of,
    botThinking: bots.of,
    rulesCall: rules.of,
    timeToMatch: meetings.of,
    countSession(game, mode, change) {
      const name = `${game} ${mode} ${change}`;
      const known = counts.get(name) ?? { game, mode, change, n: 0 };
      known.n += 1;
      counts.set(name, known);
    },
    sessionCounts: () => [...counts.values()],
    histograms,
  };
}
