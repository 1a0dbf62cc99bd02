/**
 * The matches of this process: the interface for the rest of the service. The phases of a match are in
 * `match-table.ts`. `match-load.ts` brings it into memory, `mailbox.ts` makes its moves, `audience.ts` and `showing.ts`
 * send it to players, `match-sleep.ts` and `match-leave.ts` remove it from memory, and `match-drain.ts` is the shutdown.
 */

import type { Rejection } from '../../match/decide.ts';
import type { Wire } from '../../match/frames/compact.ts';
import type { Viewer } from '../../match/frames/frames.ts';
import type { Session } from '../../match/session.ts';
import type { MadeSession } from '../../store/store.ts';
import { runUnguarded } from '../games/guard.ts';
import type { TickRunner, TickStats } from '../ticks/runner.ts';
import { makeTickRunner } from '../ticks/runner.ts';
import { showFrames } from './audience.ts';
import type { Erased, HostDeps, HostStats, SeatedListener } from './host-deps.ts';
import { announce, breakMatch, enqueue, next } from './mailbox.ts';
import { maintain } from './maintenance.ts';
import { ringAlarm } from './match-alarm.ts';
import { drain } from './match-drain.ts';
import { releaseAllMatches, releaseMatch } from './match-leave.ts';
import { adopt, run } from './match-load.ts';
import { forgetPlayer, forgetSeat, listNaming, type PlayersByWorld } from './match-names.ts';
import { recoverAwake } from './match-recovery.ts';
import { wakeAt } from './match-sleep.ts';
import type { Match, MatchTable } from './match-table.ts';
import { heldMatch, heldMatches, isHere, isQuiet, makeTable } from './match-table.ts';
import { hasLostTime } from './match-time.ts';
import type { PlayerCommand, PlayerSeat } from './player-work.ts';
import { playAsWork, playWork } from './player-work.ts';
import { probeLater, reloadLater } from './reloads.ts';
import { notifyRoster } from './seated.ts';
import { attach, detach, makeShowing } from './showing.ts';
import { makeAlarms } from './time/alarms.ts';
import type { MatchView, Subscriber, Work, WorkOutcome, WorkResult } from './work.ts';

export interface MatchHost {
  /** Puts work into a session's mailbox. */
  run(session: string, work: Work): void;
  /** A player's command; `ack` or `reject` goes to `origin`. */
  play(session: string, seat: number, command: PlayerCommand, origin: Subscriber): void;
  /** The same for a player without a socket: the version of the record that the command became. */
  playAs(session: string, seat: PlayerSeat, command: PlayerCommand): Promise<WorkOutcome>;
  /** Subscribes from the session's next frame on; a seat is connected first. */
  attach(session: string, subscriber: Subscriber, done: (result: WorkOutcome) => void): void;
  /** `isPutAway`: the service ends it, not the player. */
  detach(session: string, subscriber: Subscriber, isPutAway?: boolean): void;
  /**
   * The input that a seat of a real-time game holds from tick `from` on; returns the reason of a refusal worth
   * reporting. Another node sends it to `origin`, as a `reject`.
   */
  hold(
    session: string,
    seat: number,
    from: number,
    masks: unknown,
    origin?: Subscriber,
  ): Rejection | null;
  /**
   * The whole state for a viewer, and the ticks played since; nothing when the session is not in memory, or when
   * `seen` is its version and nothing has been played.
   */
  stateFor(session: string, viewer: Viewer, seen?: number, wire?: Wire): readonly string[];
  /**
   * Asks the node that owns the session to send the whole state to a subscriber; frames before it are dropped.
   * False when the session is here, and `stateFor` has its state.
   */
  askState(session: string, subscriber: Subscriber, seen?: number): boolean;
  /** A client says that it was shown version `seen`. A version later than the log's is counted. */
  noteSeen(session: string, seen: number): void;
  /** The session's watchers; 0 when it is not in memory. */
  watchers(session: string): number;
  /** Sends a text to everybody: emotes, which are no records. `v` is the session's version. */
  relay(session: string, makeText: (v: number) => string): void;
  /**
   * Calls the listener whenever a match has come to rest: it is in memory, and no work waits or is in progress. At
   * least once for each state that it stays in. The listener must not throw.
   */
  onRest(listener: (match: MatchView) => void): void;
  /**
   * When a session about to be created is due, ms since 1970, if it sleeps until its first player comes, on any
   * node; null when it is to be adopted here.
   */
  sleepsUntil(session: Session): number | null;
  /** Takes a session just created into memory, and its deadline: its players are about to come. */
  adopt(stored: MadeSession): void;
  /** A session of that id may have been created: the outcome is unknown. If it exists, this node takes it. */
  probeLater(session: string): void;
  /** Calls the listener when a seat of a pending session owned here is open again, once that is committed. */
  onLeft(listener: (match: MatchView) => void): void;
  /** Calls the listener whenever a session of unknown outcome is found. */
  onFound(listener: (match: MatchView) => void): void;
  /**
   * Calls the listener for every seat given in a session owned here, once that is committed, and for those of
   * `notifySeated`; more than once if a call may have been missed.
   */
  onSeated(listener: SeatedListener): void;
  /** A session was created, or a player may not have been notified: notifies everyone seated, unless it has ended. */
  notifySeated(match: MatchView): void;
  /** The session as it is: from memory, else from the store. Null when there is none. */
  peek(session: string): Promise<MatchView | null>;
  /** A player was erased: no session of that world in memory names them any more. */
  forgetPlayer(player: Erased): void;
  /** Has a session lost time that its log does not say yet? */
  isLostTimeDue(): boolean;
  /** Maintains idle and sleeping sessions. To be called about once a second. */
  maintain(): Promise<void>;
  /** Takes over what a previous process left awake; returns how many. */
  recover(): Promise<number>;
  /** Finishes work in progress; in a cluster, gives all matches to other nodes. The shutdown. */
  drain(): Promise<void>;
  /** Sessions in memory now. */
  size(): number;
  readonly stats: Readonly<HostStats>;
}

/** The host of one process, with what a cluster needs of it. */
export interface LocalHost extends MatchHost {
  playAs(session: string, seat: PlayerSeat, command: PlayerCommand): Promise<WorkResult>;
  attach(session: string, subscriber: Subscriber, done: (result: WorkResult) => void): void;
  /** Is the session in memory, or about to be? */
  has(session: string): boolean;
  /** The session as the store has it, whatever is in memory. Null when there is none. */
  read(session: string): Promise<MatchView | null>;
  /** Sessions in memory that have not ended, as far as this node knows, and have no work in progress. */
  sessions(): readonly string[];
  /** The session is taken from a node that may be alive: the next request for it is served here. */
  seize(session: string): void;
  /** No match of this process had service between these times, ms since 1970. */
  noteStall(from: number, to: number): void;
  /** A call of the store failed, or took a second or more. */
  noteTrouble(): void;
  /** Takes again a session whose row names this node, from the next `maintain` on. */
  reclaim(session: string): void;
  /** Sessions in memory that name one of these players; null for anybody. */
  naming(players: PlayersByWorld | null): readonly string[];
  /** The player of that seat was erased: returns the name that the session had there, or null. */
  forgetSeat(session: string, seat: number): Erased | null;
  /** Calls the listener when a seat's socket attached to an ended session owned here, or left one. */
  onVisited(listener: (match: MatchView) => void): void;
  /** Calls the listener before anything is decided by the clock: lost time must be reported by then. */
  onLook(listener: () => void): void;
  /** Drops a session, because another node may own it; this node takes it again if none does. */
  release(session: string): void;
  /** The same for all sessions, and for those that are being read. */
  releaseAll(): void;
}

export function makeMatchHost(deps: HostDeps): LocalHost {
  const table: MatchTable = makeTable(
    deps,
    () => makeAlarms(deps.clock, (match: Match) => ringAlarm(table, match)),
    (stats) => makeTicks(deps, () => table, stats),
  );
  const { listeners, downtime, pulse } = table;
  // Players whose seats had an unknown outcome have not been notified.
  listeners.found.push((match) => notifyRoster(table, match));
  return {
    run: (session, work) => run(table, session, work),
    play: (session, seat, command, origin) =>
      run(table, session, playWork(session, seat, command, origin)),
    playAs: (session, seat, command) =>
      new Promise((resolve) => run(table, session, playAsWork(seat, command, resolve))),
    attach: (session, subscriber, done) => attach(table, session, subscriber, done),
    detach: (session, subscriber, isPutAway = false) =>
      detach(table, session, subscriber, isPutAway),
    hold(session, seat, from, masks) {
      const match = heldMatch(table, session);
      return match === undefined ? null : table.ticks.hold(match, seat, from, masks);
    },
    ...makeShowing(table),

    adopt: (made) => adopt(table, made),
    probeLater: (session) => probeLater(table, session),
    reclaim: (session) => reloadLater(table, session),
    sleepsUntil(session) {
      const isAwaited = session.seats.some(({ connected }) => connected);
      const isAlone = deps.peers === undefined;
      return isAlone || isAwaited ? null : wakeAt(table, { session, aheadMs: 0 });
    },
    seize(session) {
      if (heldMatch(table, session) === undefined) table.seized.add(session);
    },
    release(session) {
      const match = heldMatch(table, session);
      if (match !== undefined) releaseMatch(table, match);
    },
    releaseAll: () => releaseAllMatches(table),
    isLostTimeDue: () => hasLostTime(table),
    maintain: () => maintain(table),
    recover: () => recoverAwake(table),
    drain: () => drain(table),

    noteStall: (from, to) => void downtime.noteStall(from, to),
    noteTrouble: () => downtime.noteTrouble(deps.clock.now()),
    onLook: pulse.onLook,

    has: (session) => isHere(table, session),
    size: () => [...heldMatches(table)].length,
    sessions: () => listResting(table),
    peek: async (session) => heldMatch(table, session) ?? read(table, session),
    read: (session) => read(table, session),
    stats: table.stats,

    forgetPlayer: (player) => forgetPlayer(table, player),
    naming: (players) => listNaming(table, players),
    forgetSeat: (session, seat) => forgetSeat(table, session, seat),

    notifySeated: (match) => notifyRoster(table, match),
    onFound: (listener) => void listeners.found.push(listener),
    onSeated: (listener) => void listeners.seated.push(listener),
    onLeft: (listener) => void listeners.left.push(listener),
    onVisited: (listener) => void listeners.visited.push(listener),
    onRest: (listener) => void listeners.rest.push(listener),
  };
}

/** Played ticks go through the mailbox like any command, and are shown as well. */
function makeTicks(
  { clock, randomness, runRules = runUnguarded }: HostDeps,
  table: () => MatchTable,
  stats: TickStats,
): TickRunner<Match> {
  return makeTickRunner({
    clock,
    randomness,
    stats,
    runRules,
    commit: (match, batch, refused) =>
      enqueue(table(), match, {
        essential: true,
        command: () => ({ kind: 'ticks', ...batch }),
        done: (result) => {
          if (result.kind !== 'done') refused();
          return undefined;
        },
      }),
    show: (match, frame) =>
      showFrames(match, [frame], (error) => breakMatch(table(), match, error)),
    announce: (match) => announce(table(), match),
    breaks(match, error) {
      breakMatch(table(), match, error);
      next(table(), match);
    },
  });
}

async function read(table: MatchTable, session: string): Promise<MatchView | null> {
  const stored = await table.deps.store.loadSession(session);
  if (stored === null) return null;
  const { row, roster, entries } = stored;
  return { row, roster, session: table.foldCached(session, entries) };
}

/** Sessions in memory that have not ended, and have no work in progress. */
function listResting(table: MatchTable): readonly string[] {
  const resting: string[] = [];
  for (const match of heldMatches(table)) {
    if (match.session.status !== 'ended' && isQuiet(match)) resting.push(match.row.id);
  }
  return resting;
}
