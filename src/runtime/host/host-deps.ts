/** A match host's dependencies, and its counters. Types only. */

import type { GameId } from '../../../game/src/game.ts';
import type { Games } from '../../games/games.ts';
import type { SeatedRow, SessionRow, SessionStore } from '../../store/store.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { RunRules } from '../games/guard.ts';
import type { Clock, Randomness } from '../ports.ts';
import type { Seals } from '../signing/seals.ts';
import type { TickStats } from '../ticks/runner.ts';
import type { MatchView } from './work.ts';

export interface HostDeps {
  readonly store: SessionStore;
  readonly games: Games;
  /** Limits on what rules may take; absent: no limits. */
  readonly runRules?: RunRules;
  readonly clock: Clock;
  /** Of bots in real-time games. */
  readonly randomness: Randomness;
  /** Seals ended sessions. */
  readonly seals: Pick<Seals, 'make'>;
  /** This process's name, in the records of the sessions it owns. */
  readonly node: string;
  makeEventId(): string;
  /** A match failed and was aborted, or its log cannot be folded. */
  onBroken(session: string, error: unknown, game: GameId): void;
  /** A client was shown version `seen` of a session whose log ends at `v`: commits may be missing. */
  onAhead?(session: string, seen: number, v: number): void;
  /** The store failed to read a session, for the first time in a while. */
  onUnread?(session: string, error: unknown): void;
  /** The process stood still between these times, ms since 1970: no player is charged for it. */
  onStall(from: number, to: number): void;
  /** The process was busy for this long with its own or its clients' work: clocks went on. */
  onCharged?(from: number, to: number): void;
  /** Processor time that the process has used, ms; absent: a stall is never attributed to work. */
  busyMs?(): number;
  /** When the previous process gave its last sign of life, ms since 1970. Absent with other nodes. */
  readonly aliveBefore?: number | null;
  /** A session became active or ended: called once that is committed, with its row. */
  onStatus?(row: SessionRow): void;
  /** Absent for a single process. */
  readonly peers?: Peers;
}

/** What a host in a cluster asks about the other nodes. */
export interface Peers {
  /** Does another node hold the session by now? */
  isElsewhere(session: string): Promise<boolean>;
  /** When a dead node gave its last sign of life, ms since 1970. Null if it is alive or unknown. */
  lastSignOf(node: string): Promise<number | null>;
}

/** Counts since the start, for metrics. */
export interface HostStats extends TickStats {
  commits: number;
  records: number;
  conflicts: number;
  unknowns: number;
  rejections: number;
  broken: number;
  ahead: number;
}

/** A player of one world who was erased. */
export interface Erased {
  readonly tenant: string;
  readonly world: KeyMode;
  readonly playerId: string;
}

/**
 * A player or a bot has a seat, which was requested at `askedAt` (ms since 1970) or before: the player's lobby
 * sockets must show the session. Must not throw.
 */
export type SeatedListener = (
  row: SessionRow,
  playerId: string,
  seat: number,
  isBot: boolean,
  askedAt: number,
) => void;

/** Listeners to match events. They must not throw. */
export interface HostListeners {
  /** A match has come to rest: no work waits or is in progress. */
  readonly rest: ((match: MatchView) => void)[];
  /** This node owns a session whose creation had an unknown outcome. */
  readonly found: ((match: MatchView) => void)[];
  readonly seated: SeatedListener[];
  /** A seat of a pending session is open again. */
  readonly left: ((match: MatchView) => void)[];
  /** A seat's socket attached to an ended session, or left one. */
  readonly visited: ((match: MatchView) => void)[];
}

/** A player and their new seat. */
export type SeatGiven = Pick<SeatedRow, 'playerId' | 'seat' | 'isBot'>;
