/** The matches of this process, as the rest of the service sees them. */

import { worldName } from '../events/event.ts';
import type { Rejection } from '../match/decide.ts';
import type { Viewer } from '../match/frames.ts';
import type { Session } from '../match/session.ts';
import type { MadeSession } from '../store/store.ts';
import { worldOf } from '../store/world.ts';
import { makeAlarms } from './alarms.ts';
import type { Taken } from './lost-time.ts';
import { INTERRUPTION_MS, noteInterruption } from './lost-time.ts';
import { announce, breakMatch, enqueue, giveBack, letGo, next, run } from './mailbox.ts';
import { ring } from './match-clock.ts';
import { drain } from './match-drain.ts';
import { recoverAwake } from './match-recovery.ts';
import { tend, wakeAt } from './match-sleep.ts';
import type {
  Erased,
  HostDeps,
  HostStats,
  Match,
  MatchTable,
  SeatedListener,
} from './match-table.ts';
import {
  admit,
  dismiss,
  forgetIn,
  isQuiet,
  lookFor,
  makeTable,
  noteClaim,
  noteTaken,
  tellRoster,
  wantBack,
} from './match-table.ts';
import type { PlayerCommand, PlayerSeat } from './player-work.ts';
import { isSeatOf, NOT_SEATED, playAsWork, playWork } from './player-work.ts';
import { UNDONE } from './refusals.ts';
import { makeShowing } from './showing.ts';
import type { TickRunner, TickStats } from './ticks/runner.ts';
import { makeTickRunner } from './ticks/runner.ts';
import type { MatchView, Subscriber, Told, Work, WorkResult } from './work.ts';

export interface MatchHost {
  /** Puts work into a session's mailbox. */
  run(session: string, work: Work): void;
  /** A player's command; `ack` or `reject` goes to `origin`. */
  play(session: string, seat: number, command: PlayerCommand, origin: Subscriber): void;
  /** The same for a player without a socket: the version of the record that the command became. */
  playAs(session: string, seat: PlayerSeat, command: PlayerCommand): Promise<Told>;
  /** Shows the session to a subscriber from its next frame on; a seat is connected first. */
  attach(session: string, subscriber: Subscriber, done: (result: Told) => void): void;
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
  stateFor(session: string, viewer: Viewer, seen?: number): readonly string[];
  /**
   * Has another node, which holds the session, send the whole state to a subscriber that is shown it;
   * what comes before it is left out. False when the session is here, where `stateFor` has it.
   */
  askState(session: string, subscriber: Subscriber, seen?: number): boolean;
  /** A client of the session says that it was shown version `seen`. A later one than its log has is counted. */
  noteSeen(session: string, seen: number): void;
  /** How many are shown it who have no seat; none when it is not in memory. */
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
  lookFor(session: string): void;
  /** Calls when a seat of a pending session that is held here is open again, once that is committed. */
  onLeft(listener: (match: MatchView) => void): void;
  /** Calls whenever such a one was found. */
  onFound(listener: (match: MatchView) => void): void;
  /**
   * Calls for every seat that is given in a session that is held here, once that is committed, and for
   * those of `tellSeated`; more than once where it may not have been heard.
   */
  onSeated(listener: SeatedListener): void;
  /** A session was made, or somebody may not have been told of it: tells who sits in it, unless it has ended. */
  tellSeated(match: MatchView): void;
  /** The session as it is: from memory, else from the store. Null when there is none. */
  peek(session: string): Promise<MatchView | null>;
  /** A player was erased: no session of that world in memory names him any more. */
  forgetPlayer(player: Erased): void;
  /** Looks after idle and sleeping sessions. To be called about once a second. */
  tend(): Promise<void>;
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
  /** The next to ask for the session has it here: so it has come to this node. */
  took(session: string, how: Taken): void;
  /** The store is asked for the session, which may sleep: how it has come to this node, null where it has not. */
  claiming(session: string, answer: Promise<Taken | null>): void;
  /** No match of this process was served between these times, ms since 1970. */
  stoodStill(from: number, to: number): void;
  /** The store failed somebody, or kept them waiting for a second or more. */
  hadTrouble(): void;
  /** Has a session that is this node's by its row be held again, from the next `tend` on. */
  reclaim(session: string): void;
  /** Sessions in memory that name one of these players; null for anybody. */
  naming(players: PlayersByWorld | null): readonly string[];
  /** The player of that seat was erased: answers whom the session named there; null for nobody. */
  forgetSeat(session: string, seat: number): Erased | null;
  /** Calls before anything is decided by the clock: time that nobody is to be charged for is told by then. */
  onLook(listener: () => void): void;
  /** Drops a session, or all, as another node may hold it; what it was is taken back if none does. */
  letGo(session: string | null): void;
}

export function makeMatchHost(deps: HostDeps): LocalHost {
  const table: MatchTable = makeTable(
    deps,
    () => makeAlarms(deps.clock, (match: Match) => ring(table, match)),
    (stats) => makeTicks(deps, () => table, stats),
  );
  // Who got his seat while nobody could say so has not been told.
  table.foundListeners.push((match) => tellRoster(table, match));
  return {
    run: (session, work) => run(table, session, work),
    play: (session, seat, command, origin) =>
      run(table, session, playWork(session, seat, command, origin)),
    playAs: (session, seat, command) =>
      new Promise((resolve) => run(table, session, playAsWork(seat, command, resolve))),
    attach: (session, subscriber, done) => run(table, session, attachWork(table, subscriber, done)),
    detach: (session, subscriber, isPutAway = false) =>
      detach(table, session, subscriber, isPutAway),
    hold(session, seat, from, masks) {
      const match = table.matches.get(session);
      return match === undefined ? null : table.ticks.hold(match, seat, from, masks);
    },
    ...makeShowing(table),
    lookFor: (session) => lookFor(table, session),
    sleepsUntil(session) {
      const isAwaited = session.seats.some(({ connected }) => connected);
      return deps.fellows === undefined || isAwaited
        ? null
        : wakeAt(table, { session, aheadMs: 0 });
    },
    adopt: (stored) => adopt(table, stored),
    has: (session) => table.matches.has(session) || table.loading.has(session),
    sessions: () => restingSessions(table),
    took: (session, how) => noteTaken(table, session, how),
    claiming: (session, answer) => noteClaim(table, session, answer),
    stoodStill: (from, to) => void table.service.stoodStill(from, to),
    hadTrouble: () => table.service.hadTrouble(deps.clock.now()),
    reclaim: (session) => wantBack(table, session),
    onLook: table.pulse.onLook,
    letGo(session) {
      const gone = session === null ? [...table.matches.values()] : [table.matches.get(session)];
      for (const match of gone) if (match !== undefined) letGo(table, match);
    },
    tellSeated: (match) => tellRoster(table, match),
    peek: async (session) => table.matches.get(session) ?? read(table, session),
    read: (session) => read(table, session),
    forgetPlayer: (player) => forgetPlayer(table, player),
    naming: (players) => listNaming(table, players),
    forgetSeat: (session, seat) => forgetSeat(table, session, seat),
    tend: () => tend(table),
    recover: () => recoverAwake(table),
    drain: () => drain(table),
    size: () => table.matches.size,
    stats: table.stats,
    ...makeListening(table),
  };
}

/** Whoever is to be called when something has happened. */
function makeListening({
  foundListeners,
  seatedListeners,
  leftListeners,
  restListeners,
}: MatchTable): Pick<LocalHost, 'onFound' | 'onSeated' | 'onLeft' | 'onRest'> {
  return {
    onFound: (listener) => void foundListeners.push(listener),
    onSeated: (listener) => void seatedListeners.push(listener),
    onLeft: (listener) => void leftListeners.push(listener),
    onRest: (listener) => void restListeners.push(listener),
  };
}

/** What was played goes through the mailbox like any command, and is shown beside it. */
function makeTicks(
  { clock, randomness }: HostDeps,
  table: () => MatchTable,
  stats: TickStats,
): TickRunner<Match> {
  return makeTickRunner({
    clock,
    randomness,
    stats,
    commit: (match, batch, refused) =>
      enqueue(table(), match, {
        essential: true,
        command: () => ({ kind: 'ticks', ...batch }),
        done: (result) => {
          if (result.kind !== 'done') refused();
          return undefined;
        },
      }),
    show(match, text) {
      const texts = [text];
      for (const subscriber of match.subscribers) subscriber.send(texts);
    },
    announce: (match) => announce(table(), match),
    breaks(match, error) {
      breakMatch(table(), match, error);
      next(table(), match);
    },
  });
}

function attachWork(
  { matches }: MatchTable,
  subscriber: Subscriber,
  done: (result: WorkResult) => void,
): Work {
  const seat = subscriber.viewer;
  return {
    command(match) {
      if (seat === null) return { kind: 'tick' };
      return isSeatOf(match, seat, subscriber.player) ? { kind: 'connect', seat } : NOT_SEATED;
    },
    done: (result) => {
      if (result.kind !== 'done') done(result);
      // It was let go while this was written down: nobody would be shown anything here.
      else if (matches.get(result.match.row.id) !== result.match) done(UNDONE);
      else {
        (result.match as Match).subscribers.add(subscriber);
        done(result);
      }
      return undefined;
    },
  };
}

function detach(
  table: MatchTable,
  session: string,
  subscriber: Subscriber,
  isPutAway: boolean,
): void {
  const match = table.matches.get(session);
  if (match === undefined || !match.subscribers.delete(subscriber)) return;
  match.touchedAt = table.deps.clock.now();
  if (match.session.status === 'ended') {
    // Nobody's presence matters any more, and the log has it all.
    if (match.subscribers.size === 0 && isQuiet(match)) dismiss(table, match);
    return;
  }
  const seat = subscriber.viewer;
  if (seat === null) return;
  const isGone = ![...match.subscribers].some((other) => other.viewer === seat);
  if (isGone) table.ticks.release(match, seat);
  run(table, session, {
    essential: true,
    // When it is this work's turn, another socket of the player's may be there.
    command: () =>
      [...match.subscribers].some((other) => other.viewer === seat)
        ? { kind: 'tick' }
        : { kind: 'disconnect', seat, ...(isPutAway && { putAway: true }) },
    done: () => undefined,
  });
}

async function read(table: MatchTable, session: string): Promise<MatchView | null> {
  const stored = await table.deps.store.loadSession(session);
  if (stored === null) return null;
  const { row, roster, entries } = stored;
  return { row, roster, session: table.folds(session, entries) };
}

function adopt(table: MatchTable, stored: MadeSession): void {
  // A lobby may have found it in the store already, and be shown it.
  const match =
    table.matches.get(stored.row.id) ??
    admit(table, stored, (broken, error) => breakMatch(table, broken, error));
  match.asleep = false;
  // Whoever is connected by its log is about to be shown it. Who does not come is away.
  if (match.session.seats.some(({ connected }) => connected)) {
    table.wanted.set(stored.row.id, { isPutAway: false, madeBefore: null });
  }
  const now = table.deps.clock.now();
  // A match that took long to be made has begun before anybody could see it.
  if (match.session.status === 'active' && now - match.session.at >= INTERRUPTION_MS) {
    noteInterruption(match.lost, match.session, match.session.at, now);
    giveBack(table, match);
  }
  next(table, match);
}

function restingSessions({ matches }: MatchTable): readonly string[] {
  return [...matches].flatMap(([id, match]) =>
    match.session.status !== 'ended' && isQuiet(match) ? [id] : [],
  );
}

function forgetPlayer(table: MatchTable, player: Erased): void {
  for (const match of table.matches.values()) forgetIn(match, player);
  // What is being read may have been read before he was erased.
  for (const erased of table.reads) erased.push(player);
}

/** Ids of players, by the `worldName` of their tenant and world. */
export type PlayersByWorld = ReadonlyMap<string, Pick<ReadonlySet<string>, 'has'>>;

function listNaming({ matches }: MatchTable, players: PlayersByWorld | null): readonly string[] {
  const sessions: string[] = [];
  for (const { row, roster } of matches.values()) {
    const place = { tenant: row.tenant, mode: worldOf(row) };
    const ids = players === null ? null : players.get(worldName(place));
    if (ids === undefined) continue;
    for (const player of roster) {
      if (typeof player?.id !== 'string' || ids?.has(player.id) === false) continue;
      sessions.push(row.id);
      break;
    }
  }
  return sessions;
}

function forgetSeat({ matches }: MatchTable, session: string, seat: number): Erased | null {
  const match = matches.get(session);
  const playerId = match?.roster[seat]?.id ?? null;
  if (match === undefined || playerId === null) return null;
  match.roster = match.roster.map((player, at) =>
    at === seat ? { id: null, displayName: null } : player,
  );
  return { tenant: match.row.tenant, world: worldOf(match.row), playerId };
}
