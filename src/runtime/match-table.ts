/** The matches in memory: how they come in from the store and how they leave. */

import type { CommandIndex } from '../match/commands.ts';
import { makeCommandIndex } from '../match/commands.ts';
import type { Roster, Session } from '../match/session.ts';
import type { SeatedRow, SessionRow, SessionStore, StoredSession } from '../store/store.ts';
import { worldOf } from '../store/world.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { Alarms, Sleeper } from './alarms.ts';
import { NO_ALARM } from './alarms.ts';
import type { Downtimes } from './downtimes.ts';
import { foldLog } from './fold.ts';
import { type Folds, makeFolds } from './folds.ts';
import type { Clock, Randomness } from './ports.ts';
import { type Answers, makeAnswers, makePulse, noteStall, type Pulse, STALL_MS } from './pulse.ts';
import { extendChain, startChain } from './signing/log-chain.ts';
import type { Seals } from './signing/seals.ts';
import type { TickMatch, TickRunner, TickStats } from './ticks/runner.ts';
import { makeUnserved, type Unserved } from './unserved.ts';
import type { MatchView, Subscriber, Work } from './work.ts';

/** A match in memory. Only the mailbox changes what it says of the session. */
export interface Match extends Sleeper, TickMatch, MatchView {
  row: SessionRow;
  roster: Roster;
  session: Session;
  /** The head of its log's chain. */
  head: string;
  readonly commands: CommandIndex;
  readonly subscribers: Set<Subscriber>;
  readonly mailbox: Work[];
  /** Work has been decided and its commit is under way. */
  busy: boolean;
  /** Version of the last frame that was shown. */
  shown: number;
  /** May the store hold its deadline? A commit takes it back. */
  asleep: boolean;
  /** Its engine threw: it is being ended. */
  isBroken: boolean;
  /** `turnStartedAt` of the turn that was last warned of. */
  warned: number;
  /** What is under way records only time that was lost: nothing that anybody did. */
  isPausing: boolean;
  /** Time that was lost has been recorded, or is about to be, since somebody last had to do with it. */
  isEased: boolean;
  /** When somebody last had to do with it, ms since 1970. */
  touchedAt: number;
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

export interface HostDeps {
  readonly store: SessionStore;
  readonly clock: Clock;
  /** Of bots in games that run by the clock. */
  readonly randomness: Randomness;
  readonly downtimes: Downtimes;
  /** Seals what has ended. */
  readonly seals: Pick<Seals, 'make'>;
  /** This process, as it signs the sessions it owns. */
  readonly node: string;
  makeEventId(): string;
  /** A match broke and was aborted, or its log cannot be followed. */
  onBroken(session: string, error: unknown): void;
  /** A client was shown version `seen` of a session whose log ends at `v`: commits may be missing. */
  onAhead?(session: string, seen: number, v: number): void;
  /** The store would not say what it has of a session, and of none is that known yet: others may follow. */
  onUnread?(session: string, error: unknown): void;
  /**
   * No commit was answered for so long, or the process stood still, that players are not charged for
   * it: to be added to `downtimes` at once. Times in ms since 1970.
   */
  onStall(from: number, to: number): void;
  /** The process stood still for so long at work of its own or its clients': clocks went on. */
  onCharged?(from: number, to: number): void;
  /** Processor time that the process has used, ms; absent: it is never known to be at work. */
  busyMs?(): number;
  /** A session became active, or ended: told once that is committed, with the row from then on. */
  onStatus?(row: SessionRow): void;
  readonly fellows?: Fellows;
}

/** What a host that is one of several asks about the others; a process by itself has none. */
export interface Fellows {
  /** Does another node hold the session by now? */
  isElsewhere(session: string): Promise<boolean>;
  /** When a node gave its last sign of life, ms since 1970: of one that lives, a second or so ago. */
  heardAt(node: string): Promise<number | null>;
}

/** A player of one world whom no session names any more. */
export interface Erased {
  readonly tenant: string;
  readonly world: KeyMode;
  readonly playerId: string;
}

/**
 * A player or a bot has a seat: what is open of his is to show the session. The seat was asked for at
 * `askedAt` or before: that is the time of the session's last record, ms since 1970. Must not throw.
 */
export type SeatedListener = (
  row: SessionRow,
  playerId: string,
  seat: number,
  isBot: boolean,
  askedAt: number,
) => void;

/** All that the host's functions work on. */
export interface MatchTable {
  readonly deps: HostDeps;
  readonly matches: Map<string, Match>;
  /** Of those that are only looked at. */
  readonly folds: Folds;
  /** Work that came while its match is being read. */
  readonly loading: Map<string, Work[]>;
  /** For each session that is being read, whom to forget in it: players erased since that began. */
  readonly reads: Set<Erased[]>;
  /**
   * Sessions that were let go while a commit of theirs was under way, with those who wait for its
   * answer: until then nobody can say what their logs hold.
   */
  readonly unsettled: Map<string, (() => void)[]>;
  /** When nobody in a session could know what had been done in it, nor do anything. */
  readonly unserved: Unserved;
  /** Sessions that had to leave memory although nobody else holds them: they are to come back. */
  readonly orphans: Set<string>;
  /** Orphans that the store has refused to read, and since when, ms since 1970. */
  readonly unread: Map<string, number>;
  /** Orphans in which the store has refused to write, and since when, ms since 1970; until it has written in them. */
  readonly unwritten: Map<string, number>;
  /** Sessions that are being reclaimed or woken. */
  readonly tending: Set<string>;
  /** Sessions just made, in which somebody is connected who is about to be shown it. */
  readonly made: Set<string>;
  /** Sessions that may have been made, or may yet be; and until when they are looked for. */
  readonly doubts: Map<string, number>;
  /**
   * Sessions that a node held which is gone, until their logs say that they are this node's; and which node
   * that was, null where the store does not know.
   */
  readonly bereft: Map<string, string | null>;
  /**
   * Sessions that no longer sleep, by their rows, until their logs say that they are this node's; and when each
   * was due, ms of service time, null for never.
   */
  readonly claimed: Map<string, number | null>;
  /** Sessions that are to be taken although another node holds them, and since when that one is asked, ms since 1970. */
  readonly seized: Map<string, number>;
  readonly alarms: Alarms<Match>;
  readonly ticks: TickRunner<Match>;
  readonly pulse: Pulse;
  /** Of the commits of all matches. */
  readonly answers: Answers;
  /** Told of every match that has come to rest. Must not throw. */
  readonly restListeners: ((match: MatchView) => void)[];
  readonly foundListeners: ((match: MatchView) => void)[];
  readonly seatedListeners: SeatedListener[];
  /** Are called when a seat of a pending session is open again. */
  readonly leftListeners: ((match: MatchView) => void)[];
  readonly stats: HostStats;
}

export function makeTable(
  deps: HostDeps,
  makeAlarms: () => Alarms<Match>,
  makeTicks: (stats: TickStats) => TickRunner<Match>,
): MatchTable {
  const stats: HostStats = {
    ...{ commits: 0, records: 0, conflicts: 0, unknowns: 0, rejections: 0, broken: 0, ahead: 0 },
    ...{ ticks: 0, filled: 0, late: 0, stalls: 0 },
  };
  const onStall = (from: number, to: number): void => noteStall(deps, from, to);
  const pulse = makePulse({
    clock: deps.clock,
    busyMs: deps.busyMs ?? (() => 0),
    onStood: onStall,
    onCharged: deps.onCharged ?? (() => {}),
  });
  return {
    deps,
    matches: new Map(),
    folds: makeFolds(),
    loading: new Map(),
    reads: new Set(),
    unsettled: new Map(),
    unserved: makeUnserved(deps.downtimes),
    orphans: new Set(),
    unread: new Map(),
    unwritten: new Map(),
    tending: new Set(),
    made: new Set(),
    doubts: new Map(),
    bereft: new Map(),
    claimed: new Map(),
    seized: new Map(),
    alarms: makeAlarms(),
    ticks: makeTicks(stats),
    pulse,
    answers: makeAnswers(pulse, onStall),
    restListeners: [],
    foundListeners: [],
    seatedListeners: [],
    leftListeners: [],
    stats,
  };
}

/**
 * Takes a stored session into memory. The store goes on holding its deadline until a commit. Of a
 * log that cannot be followed to its end `breaks` is told; one without a beginning throws.
 */
export function admit(
  table: MatchTable,
  stored: StoredSession,
  breaks: (match: Match, error: unknown) => void,
): Match {
  const { session, error } = foldLog(stored.row.id, stored.entries);
  const match: Match = {
    row: stored.row,
    roster: stored.roster,
    session,
    head: extendChain(startChain(stored.row), stored.entries),
    commands: makeCommandIndex(stored.entries),
    subscribers: new Set(),
    mailbox: [],
    busy: false,
    shown: session.v,
    asleep: true,
    isBroken: false,
    warned: -1,
    isPausing: false,
    isEased: false,
    touchedAt: table.deps.clock.now(),
    alarmAt: NO_ALARM,
    room: null,
  };
  table.matches.set(stored.row.id, match);
  if (error !== null && session.status !== 'ended') breaks(match, error);
  return match;
}

/**
 * Milliseconds since its last record that no player of the match is charged for; none once it has ended.
 * `lostFrom`: all since then is lost besides.
 */
export function lostSince(
  { unserved, unwritten }: MatchTable,
  { session, row }: Match,
  now: number,
  lostFrom = now,
): number {
  if (session.status === 'ended') return 0;
  // Shorter than that it is no loss, and whoever only comes back in time leaves no record.
  const since = unwritten.get(row.id) ?? now;
  const least = now - since >= STALL_MS ? Math.min(lostFrom, since) : lostFrom;
  const from = Math.min(Math.max(least, session.at), now);
  return unserved.lostBetween(row.id, session.at, from) + (now - from);
}

/** What the store was asked for took long to be answered: nobody could do anything in the session meanwhile. */
export function noteSlow({ unserved, deps }: MatchTable, session: string, askedAt: number): void {
  const to = deps.clock.now();
  if (to - askedAt >= STALL_MS) unserved.add(session, { from: askedAt, to });
}

/** So many sessions are looked after that the store does not read; players of more are charged for it. */
const UNREAD_MAX = 10_000;

/**
 * The store would not say what it has of a session, or who holds it, and nothing could be done in it since `from`,
 * ms since 1970: it is read again each second until that is in its log, or it is another's, or there is none.
 */
export function noteUnread(
  { deps, unread, orphans }: MatchTable,
  session: string,
  from: number,
  error: unknown,
): void {
  if (!unread.has(session)) {
    if (unread.size >= UNREAD_MAX) return;
    if (unread.size === 0) deps.onUnread?.(session, error);
    unread.set(session, from);
  }
  orphans.add(session);
}

/**
 * The store did not do what was asked of it at `from`, ms since 1970, though it may be read: nobody can do anything in
 * the session. It is asked again each second, with all that is lost by then, until it has written that.
 */
export function noteUnwritten(
  { unwritten, orphans }: MatchTable,
  session: string,
  from: number,
): void {
  if (!unwritten.has(session)) unwritten.set(session, from);
  orphans.add(session);
}

/** It has been read, which was asked for since `askedAt`; its last record is of `recordedAt`, both in ms since 1970. */
export function noteRead(
  table: MatchTable,
  session: string,
  askedAt: number,
  recordedAt: number,
): void {
  const from = table.unread.get(session) ?? askedAt;
  // What was written later was done by somebody else, who served it.
  if (recordedAt > (table.unwritten.get(session) ?? Infinity)) table.unwritten.delete(session);
  noteSlow(table, session, recordedAt > from ? askedAt : Math.min(from, askedAt));
}

export function forgetIn(match: Match, { tenant, world, playerId }: Erased): void {
  if (match.row.tenant !== tenant || worldOf(match.row) !== world) return;
  if (!match.roster.some((each) => each?.id === playerId)) return;
  match.roster = match.roster.map((player) =>
    player?.id === playerId ? { id: null, displayName: null } : player,
  );
}

/** What a store was asked for and did not answer is there within so long, or never will be. */
const DOUBT_MS = 10_000;

/** The store may have written what it was asked for, or may yet: nobody could say. */
export function lookFor({ doubts, deps: { clock } }: MatchTable, session: string): void {
  doubts.set(session, clock.now() + DOUBT_MS);
}

/** To be called for every seat that is given, once that is committed; harmless when it is repeated. */
export function tellSeats(
  { seatedListeners }: MatchTable,
  { row, session }: Pick<MatchView, 'row' | 'session'>,
  seats: readonly Pick<SeatedRow, 'playerId' | 'seat' | 'isBot'>[],
): void {
  for (const { playerId, seat, isBot } of seats) {
    // Nobody is to be shown what the service plays itself.
    if (session.seats[seat]!.level !== null) continue;
    for (const tell of seatedListeners) tell(row, playerId, seat, isBot, session.at);
  }
}

/** Tells all who sit in a session; nobody when it has ended. */
export function tellRoster(table: MatchTable, { row, roster, session }: MatchView): void {
  if (session.status === 'ended') return;
  const seats = roster.flatMap((player, seat) => {
    const playerId = player?.id ?? null;
    return playerId === null ? [] : [{ playerId, seat, isBot: session.seats[seat]!.isBot }];
  });
  tellSeats(table, { row, session }, seats);
}

/** Drops a match from memory. The log has it. */
export function dismiss(table: MatchTable, match: Match): void {
  table.alarms.clear(match);
  table.ticks.drop(match);
  const { id } = match.row;
  if (table.matches.get(id) !== match) return;
  table.matches.delete(id);
  // Only one that is to come back has anything that its log does not have.
  if (!table.orphans.has(id)) forgetHow(table, id);
}

/**
 * A session is no matter of this table any more: nothing is kept of how it came, or of lost time. One that may
 * yet be made is.
 */
export function forgetHow(table: MatchTable, id: string): void {
  if (table.doubts.has(id)) return;
  table.unserved.drop(id);
  table.unread.delete(id);
  table.unwritten.delete(id);
  forgetArrival(table, id);
}

/** How a session came here is in its log, or of no matter. */
export function forgetArrival({ bereft, claimed }: MatchTable, id: string): void {
  bereft.delete(id);
  claimed.delete(id);
}

/** Is nothing under way or waiting for this match? */
export function isQuiet(match: Match): boolean {
  return !match.busy && match.mailbox.length === 0;
}
