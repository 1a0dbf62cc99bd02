/** The matches of this process, as the rest of the service sees them. */

import type { Wire } from '../../match/compact.ts';
import type { Rejection } from '../../match/decide.ts';
import type { Viewer } from '../../match/frames.ts';
import type { Session } from '../../match/session.ts';
import type { MadeSession } from '../../store/store.ts';
import { runUnguarded } from '../games/guard.ts';
import type { TickRunner, TickStats } from '../ticks/runner.ts';
import { makeTickRunner } from '../ticks/runner.ts';
import { makeAlarms } from './alarms.ts';
import { showFrames } from './audience.ts';
import type { Erased, HostDeps, HostStats, SeatedListener } from './host-deps.ts';
import { announce, breakMatch, enqueue, next } from './mailbox.ts';
import { ringAlarm } from './match-clock.ts';
import { drain } from './match-drain.ts';
import { releaseAllMatches, releaseMatch } from './match-leave.ts';
import { adopt, run } from './match-load.ts';
import { forgetPlayer, forgetSeat, listNaming, type PlayersByWorld } from './match-names.ts';
import { recoverAwake } from './match-recovery.ts';
import { maintain, wakeAt } from './match-sleep.ts';
import type { Match, MatchTable } from './match-table.ts';
import { heldMatch, heldMatches, isHere, isQuiet, makeTable } from './match-table.ts';
import { hasLostTime } from './match-time.ts';
import type { PlayerCommand, PlayerSeat } from './player-work.ts';
import { playAsWork, playWork } from './player-work.ts';
import { notifyRoster } from './seated.ts';
import { attach, detach, makeShowing } from './showing.ts';
import { probeLater, reloadLater } from './wanted.ts';
import type { MatchView, Subscriber, Work, WorkOutcome, WorkResult } from './work.ts';

export interface MatchHost {
  /** Puts work into a session's mailbox. */
  run(session: string, work: Work): void;
  /** A player's command; `ack` or `reject` goes to `origin`. */
  play(session: string, seat: number, command: PlayerCommand, origin: Subscriber): void;
  /** The same for a player without a socket: the version of the record that the command became. */
  playAs(session: string, seat: PlayerSeat, command: PlayerCommand): Promise<WorkOutcome>;
  /** Shows the session to a subscriber from its next frame on; a seat is connected first. */
  attach(session: string, subscriber: Subscriber, done: (result: WorkOutcome) => void): void;
  /** `isPutAway`: it is the service that ends it, and not the player. */
  detach(session: string, subscriber: Subscriber, isPutAway?: boolean): void;
  /**
   * What a seat of a game that runs by the clock holds down from tick `from` on; why not, where that
   * is worth saying. Another node says it to `origin`, as a `reject`.
   */
  hold(
    session: string,
    seat: number,
    from: number,
    masks: unknown,
    origin?: Subscriber,
  ): Rejection | null;
  /**
   * The whole state for a viewer, and the ticks played since; nothing when the session is not in
   * memory, or when `seen` is its version and nothing has been played.
   */
  stateFor(session: string, viewer: Viewer, seen?: number, wire?: Wire): readonly string[];
  /**
   * Has another node, which holds the session, send the whole state to a subscriber that is shown it;
   * what comes before it is left out. False when the session is here, where `stateFor` has it.
   */
  askState(session: string, subscriber: Subscriber, seen?: number): boolean;
  /** A client of the session says that it was shown version `seen`. A later one than its log has is counted. */
  noteSeen(session: string, seen: number): void;
  /** The number of its watchers; 0 when it is not in memory. */
  watchers(session: string): number;
  /** Sends a text to everybody: emotes, which are no records. `v` is the session's version. */
  relay(session: string, makeText: (v: number) => string): void;
  /**
   * Calls whenever a match has come to rest: it is in memory, and nothing waits or is under way. At
   * least once for each state that it stays in. The listener must not throw.
   */
  onRest(listener: (match: MatchView) => void): void;
  /**
   * When a session that is about to be created is due, ms since 1970, if it is to sleep until its
   * first player comes, on whichever node; null when it is to be adopted here.
   */
  sleepsUntil(session: Session): number | null;
  /** Takes a session just created into memory, and its deadline: its players are about to come. */
  adopt(stored: MadeSession): void;
  /**
   * A session of that id may have been made: nobody could say. If it is there, it is held here.
   */
  probeLater(session: string): void;
  /** Calls when a seat of a pending session that is held here is open again, once that is committed. */
  onLeft(listener: (match: MatchView) => void): void;
  /** Calls whenever such a one was found. */
  onFound(listener: (match: MatchView) => void): void;
  /**
   * Calls for every seat that is given in a session that is held here, once that is committed, and for
   * those of `notifySeated`; more than once where it may not have been heard.
   */
  onSeated(listener: SeatedListener): void;
  /** A session was made, or somebody may not have been told of it: tells who sits in it, unless it has ended. */
  notifySeated(match: MatchView): void;
  /** The session as it is: from memory, else from the store. Null when there is none. */
  peek(session: string): Promise<MatchView | null>;
  /** A player was erased: no session of that world in memory names them any more. */
  forgetPlayer(player: Erased): void;
  /** Has a session lost time that its log does not say yet? */
  isLostTimeDue(): boolean;
  /** Looks after idle and sleeping sessions. To be called about once a second. */
  maintain(): Promise<void>;
  /** Takes over what a process before this one left awake; answers how many. */
  recover(): Promise<number>;
  /** Finishes what is under way; where there are other nodes, gives them all matches. The end. */
  drain(): Promise<void>;
  /** Sessions in memory now. */
  size(): number;
  readonly stats: Readonly<HostStats>;
}

/** The host of one process, and what a cluster of several needs of it besides. */
export interface LocalHost extends MatchHost {
  playAs(session: string, seat: PlayerSeat, command: PlayerCommand): Promise<WorkResult>;
  attach(session: string, subscriber: Subscriber, done: (result: WorkResult) => void): void;
  /** Is the session in memory, or about to be? */
  has(session: string): boolean;
  /** The session as the store has it, whatever is in memory. Null when there is none. */
  read(session: string): Promise<MatchView | null>;
  /** Sessions in memory that go on, as far as it is known here, and in which nothing is under way. */
  sessions(): readonly string[];
  /** The session is taken from a node that may be alive: whoever asks for it next has it here. */
  seize(session: string): void;
  /** No match of this process was served between these times, ms since 1970. */
  noteStall(from: number, to: number): void;
  /** A call of the store failed, or took a second or more. */
  noteTrouble(): void;
  /** Has a session that is this node's by its row be held again, from the next `maintain` on. */
  reclaim(session: string): void;
  /** Sessions in memory that name one of these players; null for anybody. */
  naming(players: PlayersByWorld | null): readonly string[];
  /** The player of that seat was erased: returns the name that the session had there, or null. */
  forgetSeat(session: string, seat: number): Erased | null;
  /** Calls when a seat's socket came to a session that is over and held here, or went from one. */
  onVisited(listener: (match: MatchView) => void): void;
  /** Calls before anything is decided by the clock: time that nobody is to be charged for is told by then. */
  onLook(listener: () => void): void;
  /** Drops a session, as another node may hold it; what it was is taken back if none does. */
  release(session: string): void;
  /** The same of all sessions, and of those that are being read. */
  releaseAll(): void;
}

export function makeMatchHost(deps: HostDeps): LocalHost {
  const table: MatchTable = makeTable(
    deps,
    () => makeAlarms(deps.clock, (match: Match) => ringAlarm(table, match)),
    (stats) => makeTicks(deps, () => table, stats),
  );
  const { listeners, service, pulse } = table;
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

    noteStall: (from, to) => void service.noteStall(from, to),
    noteTrouble: () => service.noteTrouble(deps.clock.now()),
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

/** What was played goes through the mailbox like any command, and is shown beside it. */
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
  return { row, roster, session: table.folds(session, entries) };
}

/** Sessions in memory that go on, and in which nothing is under way. */
function listResting(table: MatchTable): readonly string[] {
  const resting: string[] = [];
  for (const match of heldMatches(table)) {
    if (match.session.status !== 'ended' && isQuiet(match)) resting.push(match.row.id);
  }
  return resting;
}
