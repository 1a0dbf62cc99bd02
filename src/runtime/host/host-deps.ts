/** What a match host is given, and what it counts. Types only. */

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
  /** Bounds what rules may take; absent: they may take what they like. */
  readonly runRules?: RunRules;
  readonly clock: Clock;
  /** Of bots in games that run by the clock. */
  readonly randomness: Randomness;
  /** Seals what has ended. */
  readonly seals: Pick<Seals, 'make'>;
  /** This process, as it signs the sessions it owns. */
  readonly node: string;
  makeEventId(): string;
  /** A match broke and was aborted, or its log cannot be followed. */
  onBroken(session: string, error: unknown, game: GameId): void;
  /** A client was shown version `seen` of a session whose log ends at `v`: commits may be missing. */
  onAhead?(session: string, seen: number, v: number): void;
  /** The store failed to say what it has of a session, for the first time in a while. */
  onUnread?(session: string, error: unknown): void;
  /** The process stood still between these times, ms since 1970: no player is charged for it. */
  onStall(from: number, to: number): void;
  /** The process stood still for so long at work of its own or its clients': clocks went on. */
  onCharged?(from: number, to: number): void;
  /** Processor time that the process has used, ms; absent: it is never known to be at work. */
  busyMs?(): number;
  /** When the process before this one gave its last sign of life, ms since 1970. Absent where there are others. */
  readonly aliveBefore?: number | null;
  /** A session became active, or ended: told once that is committed, with the row from then on. */
  onStatus?(row: SessionRow): void;
  /** Absent where the process serves alone. */
  readonly peers?: Peers;
}

/** What a host that is one of several asks about the others. */
export interface Peers {
  /** Does another node hold the session by now? */
  isElsewhere(session: string): Promise<boolean>;
  /** When a node that is dead gave its last sign of life, ms since 1970. Null if it is alive or unknown. */
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
 * A player or a bot has a seat, which was asked for at `askedAt` (ms since 1970) or before: the player's lobby
 * sockets are to show the session. Must not throw.
 */
export type SeatedListener = (
  row: SessionRow,
  playerId: string,
  seat: number,
  isBot: boolean,
  askedAt: number,
) => void;

/** Listeners to what happens in matches. They must not throw. */
export interface HostListeners {
  /** A match has come to rest: nothing waits or is under way in it. */
  readonly rest: ((match: MatchView) => void)[];
  /** This node owns a session whose creation had an unknown outcome. */
  readonly found: ((match: MatchView) => void)[];
  readonly seated: SeatedListener[];
  /** A seat of a pending session is open again. */
  readonly left: ((match: MatchView) => void)[];
  /** A seat's socket came to a session that is over, or went from one. */
  readonly visited: ((match: MatchView) => void)[];
}

/** A player and their new seat. */
export type SeatGiven = Pick<SeatedRow, 'playerId' | 'seat' | 'isBot'>;
