/** The matches in memory: how they come in from the store and how they leave. */

import type { CommandIndex } from '../match/commands.ts';
import { makeCommandIndex } from '../match/commands.ts';
import type { Roster, Session } from '../match/session.ts';
import type { MadeSession, SeatedRow, SessionRow, SessionStore } from '../store/store.ts';
import { worldOf } from '../store/world.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { Alarms, Sleeper } from './alarms.ts';
import { NO_ALARM } from './alarms.ts';
import { foldLog } from './fold.ts';
import { type Folds, makeFolds } from './folds.ts';
import type { Taken } from './lost-time.ts';
import { type LostTime, lostMs, makeService, noLostTime, type Service } from './lost-time.ts';
import type { Clock, Randomness } from './ports.ts';
import { makePulse, type Pulse } from './pulse.ts';
import { extendChain, startChain } from './signing/log-chain.ts';
import type { Seals } from './signing/seals.ts';
import type { TickMatch, TickRunner, TickStats } from './ticks/runner.ts';
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
  readonly lost: LostTime;
  /** Its last record gave back lost time, and nothing else. */
  isPaused: boolean;
  /** So far its log is ahead of the clock, as the clock of an earlier holder was: the match goes by its log. Ms. */
  readonly aheadMs: number;
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

/** Why a session is to be in memory. */
export interface Want {
  /** Seats that are connected by its log and have no socket here were put away: nobody left. */
  readonly isPutAway: boolean;
  /** It may not be there yet, and will be by then or never, ms since 1970; null where it is there. */
  readonly madeBefore: number | null;
}

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
  readonly service: Service;
  /** Sessions that are to be in memory again, or for the first time: each is looked for every second. */
  readonly wanted: Map<string, Want>;
  /** Sessions that are being reclaimed or woken. */
  readonly tending: Set<string>;
  /** How sessions that are this node's, or are to be, have come to it; until their logs say so. */
  readonly taken: Map<string, Taken>;
  /** Claims that the store has not answered. Their rows may say already that the sessions are this node's. */
  readonly claims: Map<string, Promise<void>>;
  readonly alarms: Alarms<Match>;
  readonly ticks: TickRunner<Match>;
  readonly pulse: Pulse;
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
  const service = makeService();
  const onStall = (from: number, to: number): void => {
    if (service.stoodStill(from, to) > 0) deps.onStall(from, to);
  };
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
    service,
    wanted: new Map(),
    tending: new Set(),
    taken: new Map(),
    claims: new Map(),
    alarms: makeAlarms(),
    ticks: makeTicks(stats),
    pulse,
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
  stored: MadeSession,
  breaks: (match: Match, error: unknown) => void,
): Match {
  const { session, error } = foldLog(stored.row.id, stored.entries);
  const now = table.deps.clock.now();
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
    lost: noLostTime(table.service),
    isPaused: false,
    aheadMs: Math.max(0, session.at - now),
    touchedAt: now,
    alarmAt: NO_ALARM,
    room: null,
  };
  table.matches.set(stored.row.id, match);
  if (error !== null && session.status !== 'ended') breaks(match, error);
  return match;
}

/** The session has come to this node. One in memory takes itself out of sleep with its next commit. */
export function noteTaken({ matches, taken }: MatchTable, session: string, how: Taken): void {
  if (!matches.has(session)) taken.set(session, how);
}

/** The session is being claimed: `answer` says how it has come to this node, null where it has not. */
export function noteClaim(table: MatchTable, session: string, answer: Promise<Taken | null>): void {
  const { claims } = table;
  const before = claims.get(session);
  const noted = answer
    .then(
      (how) => how !== null && noteTaken(table, session, how),
      () => undefined,
    )
    .then(() => before)
    .finally(() => {
      if (claims.get(session) === noted) claims.delete(session);
    });
  claims.set(session, noted);
}

/** The time by which the match goes, ms since 1970. */
export function timeOf({ deps }: MatchTable, { aheadMs }: Match): number {
  return deps.clock.now() + aheadMs;
}

/**
 * How long the store has been waited for, ms: none of it where the process was so busy meanwhile that it had no time
 * for the answer (decision 0033).
 */
export function waitedMs({ deps, pulse }: MatchTable, since: number): number {
  return pulse.chargedUntil() > since ? 0 : deps.clock.now() - since;
}

/** What its next record gives back, ms; none once it has ended. */
export function lostIn({ service }: MatchTable, { session, lost }: Match): number {
  return session.status === 'ended' ? 0 : lostMs(service, lost);
}

/** A store that has refused nothing for so long was in service. Ms. */
const UNREAD_AGAIN_MS = 10_000;
/** The session had to leave memory although nobody else holds it. */
export function wantBack({ wanted }: MatchTable, session: string): void {
  const madeBefore = wanted.get(session)?.madeBefore ?? null;
  wanted.set(session, { isPutAway: true, madeBefore });
}

/** So many sessions at most are read again by themselves, once the store answers. */
const UNREAD_MAX = 10_000;

/** The store would not say what it has of a session, or who holds it: it is asked again each second. */
export function noteUnread(table: MatchTable, session: string, error: unknown): void {
  const { deps, wanted, service } = table;
  const now = deps.clock.now();
  if (now - service.troubleAt() >= UNREAD_AGAIN_MS) deps.onUnread?.(session, error);
  service.hadTrouble(now);
  if (wanted.size < UNREAD_MAX) wantBack(table, session);
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
export function lookFor({ wanted, deps: { clock } }: MatchTable, session: string): void {
  wanted.set(session, { isPutAway: true, madeBefore: clock.now() + DOUBT_MS });
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
  // Of one that is to come back it still counts.
  if (!table.wanted.has(id)) table.taken.delete(id);
}

/** Is nothing under way or waiting for this match? */
export function isQuiet(match: Match): boolean {
  return !match.busy && match.mailbox.length === 0;
}
