/**
 * The sessions that are in this process's memory, each in one phase of its life:
 *
 *     absent ──▶ loading ──▶ asleep ◀──▶ committing ──▶ leaving ──▶ absent
 *                            resting ◀──▶ committing
 *
 * - `loading`: the store is asked for its log; work waits (`match-load.ts`).
 * - `asleep`: it is held here, and the store still wakes it at its deadline.
 * - `resting`: it is held here, and this process alone keeps its deadline.
 * - `committing`: a decision is on its way into the log; work waits (`mailbox.ts`).
 * - `leaving`: it was given up while it was committing; the commit is still to be answered (`match-leave.ts`).
 *
 * A match that is `asleep` or `resting` may leave at any time.
 */

import type { CommandIndex } from '../../match/commands.ts';
import type { Position } from '../../match/frames/frames.ts';
import type { Roster, Session } from '../../match/session.ts';
import type { SessionRow } from '../../store/store.ts';
import { type RunRules, runUnguarded } from '../games/guard.ts';
import type { TickMatch, TickRunner, TickStats } from '../ticks/runner.ts';
import { type FoldCache, makeFoldCache } from './fold-cache.ts';
import type { Erased, HostDeps, HostListeners, HostStats } from './host-deps.ts';
import type { Alarms, Sleeper } from './time/alarms.ts';
import type { Downtime, LostTime } from './time/lost-time.ts';
import { makeDowntime } from './time/lost-time.ts';
import { makePulse, type Pulse } from './time/pulse.ts';
import type { MatchView, Subscriber, Work } from './work.ts';

/** A session that is being read from the store. */
export interface Loading {
  readonly phase: 'loading';
  /** The match before, if a commit of it is still to be answered. */
  readonly leaving: Match | null;
  /** Work for the match that will be loaded. */
  readonly mailbox: Work[];
  /** Players erased since the read began: the result may still name them. */
  readonly erased: Erased[];
}

/** A match in memory. Only the mailbox changes its session. */
export interface Match extends Sleeper, TickMatch, MatchView {
  phase: 'asleep' | 'resting' | 'committing' | 'leaving' | 'absent';
  row: SessionRow;
  roster: Roster;
  session: Session;
  /** The head of its log's chain. */
  head: string;
  readonly commands: CommandIndex;
  /** Immutable: replaced by a new one. */
  subscribers: readonly Subscriber[];
  readonly mailbox: Work[];
  /** Version of the last frame that was sent. */
  shown: number;
  /** The last move's result, as it was shown; null when unknown, or after a while. */
  position: Position | null;
  /** Its engine threw: it is being aborted. */
  isBroken: boolean;
  /** `turnStartedAt` of the turn last warned about. */
  warned: number;
  readonly lost: LostTime;
  /** Lost time alone is recorded from then on, ms since 1970. */
  pauseFrom: number;
  /** How far its log is ahead of the clock, as an earlier owner's clock was: the match goes by its log. Ms. */
  readonly aheadMs: number;
  /** When it was last used, ms since 1970. */
  touchedAt: number;
  /** Reads of its log that wait until its last commit is answered. */
  readonly whenAnswered: (() => void)[];
}

/** Why a session is to be loaded. */
export interface Want {
  /** Seats that are connected by its log but have no socket here were disconnected by the service: no player left. */
  readonly isPutAway: boolean;
  /** It may not exist yet; by then, ms since 1970, it exists or never will. Null when it exists. */
  readonly madeBefore: number | null;
  /** Since when it is looked for, ms since 1970. */
  readonly since: number;
}

/** The state of the host's functions. */
export interface MatchTable {
  readonly deps: HostDeps;
  /** Groups several calls into a game's rules as one guarded call. */
  readonly runRules: RunRules;
  /** Sessions by id. A missing one is `absent`. */
  readonly sessions: Map<string, Loading | Match>;
  /** Sessions to be loaded again, or for the first time: each is tried every second. */
  readonly wanted: Map<string, Want>;
  /** Sessions taken from nodes that may be alive, until their logs name this node. */
  readonly seized: Set<string>;
  /** Sessions that a round of `maintain` is loading. */
  readonly inMaintenance: Set<string>;
  /** Folded logs of sessions that are only read. */
  readonly foldCached: FoldCache;
  readonly downtime: Downtime;
  readonly alarms: Alarms<Match>;
  readonly ticks: TickRunner<Match>;
  readonly pulse: Pulse;
  readonly listeners: HostListeners;
  readonly stats: HostStats;
}

export function makeTable(
  deps: HostDeps,
  makeAlarms: () => Alarms<Match>,
  makeTicks: (stats: TickStats) => TickRunner<Match>,
): MatchTable {
  const stats: HostStats = {
    commits: 0,
    records: 0,
    conflicts: 0,
    unknowns: 0,
    rejections: 0,
    broken: 0,
    ahead: 0,
    ticks: 0,
    filled: 0,
    late: 0,
    stalls: 0,
  };
  const { runRules = runUnguarded } = deps;
  const downtime = makeDowntime();
  const alarms = makeAlarms();
  const onStall = (from: number, to: number): void => {
    if (downtime.noteStall(from, to) > 0) deps.onStall(from, to);
    // The stall may have been a leap of the clock.
    alarms.leapt();
  };
  return {
    deps,
    runRules,
    sessions: new Map(),
    wanted: new Map(),
    seized: new Set(),
    inMaintenance: new Set(),
    foldCached: makeFoldCache(deps.games, runRules),
    downtime,
    alarms,
    ticks: makeTicks(stats),
    pulse: makePulse({
      clock: deps.clock,
      busyMs: deps.busyMs ?? (() => 0),
      onStall: onStall,
      onCharged: deps.onCharged ?? (() => {}),
    }),
    listeners: { rest: [], found: [], seated: [], left: [], visited: [] },
    stats,
  };
}

/** Is it in memory, whether or not a commit is in progress? */
export function isHeld({ phase }: Match): boolean {
  return phase !== 'leaving' && phase !== 'absent';
}

/** May the next work be decided? */
export function isReady({ phase }: Match): boolean {
  return phase === 'resting' || phase === 'asleep';
}

/** Is no work waiting or in progress for this match? */
export function isQuiet(match: Match): boolean {
  return isReady(match) && match.mailbox.length === 0;
}

/** The match of a session that is owned here. */
export function heldMatch({ sessions }: MatchTable, id: string): Match | undefined {
  const found = sessions.get(id);
  return found !== undefined && found.phase !== 'loading' && isHeld(found) ? found : undefined;
}

/** Is it in memory, or about to be? */
export function isHere({ sessions }: MatchTable, id: string): boolean {
  const found = sessions.get(id);
  return found !== undefined && found.phase !== 'leaving';
}

export function* heldMatches({ sessions }: MatchTable): Generator<Match> {
  for (const each of sessions.values()) if (each.phase !== 'loading' && isHeld(each)) yield each;
}
