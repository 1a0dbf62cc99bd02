/** The benchmark's jobs for its driver process, and the results: JSON in, JSON out. */

import type { Address } from './driving/tcp.ts';
import type { Memory } from './kernel.ts';
import type { SyscallCounts } from './profile/syscalls.ts';
import type { ThreadCost } from './profile/threads.ts';

/** `matchd-v1` is matchd, played on by the older subprotocol. */
export const CONTENDERS = [
  'matchd',
  'matchd-v1',
  'ceiling',
  'colyseus',
  'colyseus-fast',
  'boardgameio',
] as const;
export type Contender = (typeof CONTENDERS)[number];

/** The server a job is about. */
export interface ServerUnderTest {
  readonly address: Address;
  /** The process whose CPU is counted. */
  readonly pid: number;
  /** API key, or empty. */
  readonly key: string;
}

/** How much is played at one number of matches at once. */
export interface MovesLoad {
  /** Matches at once; each has two sockets. */
  readonly matches: number;
  /** How often that many matches are connected, played to the end and closed. */
  readonly plays: number;
  /** Matches played from create to leave, `matches` at once, for the all-in figure. */
  readonly allInMatches: number;
}

export interface MovesJob {
  readonly kind: 'moves';
  readonly server: ServerUnderTest;
  readonly contender: Contender;
  /** Matches played before anything is counted. */
  readonly warmUpMatches: number;
  readonly loads: readonly MovesLoad[];
}

/** A figure of each load. CPU is the server's, all its threads. */
export interface MovesFigures {
  readonly matches: number;
  readonly moves: number;
  readonly cpuUsPerMove: number;
  readonly movesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Create, two joins, all moves and leaving, divided by the moves. */
  readonly allInUsPerMove: number;
  readonly allInMovesPerSecond: number;
  /** What both players together receive for a move: WebSocket messages, and bytes with headers. */
  readonly framesPerMove: number;
  readonly bytesPerMove: number;
  /** The same for a whole match without its HTTP answers, from connecting to leaving. */
  readonly bytesPerMatch: number;
  /** CPU used while moves were played, in cores, by server and driver. */
  readonly serverCores: number;
  readonly driverCores: number;
}

export interface RecordJob {
  readonly kind: 'record';
  readonly server: ServerUnderTest;
}

/** One answer to a request for a session, to be served by the bare handler. */
export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CreationJob {
  readonly kind: 'creation';
  readonly server: ServerUnderTest;
  readonly connections: number;
  readonly warmUpRequests: number;
  readonly requests: number;
}

export interface CreationFigures {
  readonly cpuUsPerRequest: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly serverCores: number;
  readonly driverCores: number;
}

export interface FillJob {
  readonly kind: 'fill';
  readonly server: ServerUnderTest;
  /** Sessions to make, numbered from `firstIndex`. */
  readonly sessions: number;
  readonly firstIndex: number;
  /** Sessions set up at once. */
  readonly concurrency: number;
  /** For how many random sessions a token is stored to touch them later. */
  readonly sample: number;
}

/** A session to be touched: the token with which its first player comes back. */
export interface SleepingSession {
  readonly sessionId: string;
  readonly resumeToken: string;
}

export interface FillResult {
  readonly sample: readonly SleepingSession[];
  readonly cpuUsPerSession: number;
  readonly sessionsPerSecond: number;
}

export interface TouchJob {
  readonly kind: 'touch';
  readonly server: ServerUnderTest;
  readonly sessions: readonly SleepingSession[];
}

/** From the start of connecting to the session's whole state. */
export interface TouchFigures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface HostedJob {
  readonly kind: 'hosted';
  readonly server: ServerUnderTest;
  readonly connections: number;
  /** Connected in their lobbies all the time; two make a match. */
  readonly players: number;
  /** Matches of each player before anything is counted, and counted ones. */
  readonly warmUpCycles: number;
  readonly cycles: number;
}

export type HostedCall = 'create' | 'add' | 'promote' | 'start';

/** By kind of call. CPU is the server's, all its threads. */
export type HostedFigures = Readonly<
  Record<
    HostedCall,
    {
      readonly cpuUsPerCall: number;
      readonly callsPerSecond: number;
      readonly p50Ms: number;
      readonly p99Ms: number;
      readonly serverCores: number;
      readonly driverCores: number;
    }
  >
>;

export interface AgainstJob {
  readonly kind: 'against';
  readonly server: ServerUnderTest;
  /** From another checkout, or from this one. */
  readonly other: ServerUnderTest;
  /** The subprotocols that they are played on by. */
  readonly version: 1 | 2;
  readonly otherVersion: 1 | 2;
  /** Matches at once. */
  readonly matches: number;
  /** Turns of each before anything is counted, and counted ones. */
  readonly warmUpTurns: number;
  readonly turns: number;
}

/** A server's cost of a match, µs of CPU, all its threads. */
export interface MatchCosts {
  /** `POST /v1/sessions` only. */
  readonly create: number;
  /** The same, and both players connect. */
  readonly open: number;
  /** All moves. */
  readonly play: number;
  /** Both sockets close after the end. */
  readonly leave: number;
  /** From create to leave, all matches by themselves. */
  readonly allIn: number;
  /** The part of that which went into compiling. */
  readonly compiling: number;
}

export interface AgainstFigures {
  readonly server: MatchCosts;
  readonly other: MatchCosts;
}

export interface ConnectsJob {
  readonly kind: 'connects';
  readonly server: ServerUnderTest;
  /** Upgrades behind the check of a token, and does nothing else. */
  readonly bare: ServerUnderTest;
  /** Matches in a turn; each has two players. */
  readonly matches: number;
  /** Turns of each server before anything is counted, and counted ones. */
  readonly warmUpTurns: number;
  readonly turns: number;
}

/** Per player. CPU is the server's, all its threads. */
export interface ConnectFigures {
  readonly cpuUsPerConnect: number;
  readonly connectsPerSecond: number;
  readonly serverCores: number;
  readonly driverCores: number;
}

export interface ConnectsFigures {
  readonly matchd: ConnectFigures;
  readonly bare: ConnectFigures;
}

export interface IdleJob {
  readonly kind: 'idle';
  readonly server: ServerUnderTest;
  readonly contender: Contender;
  /** Matches played first, so that what the server needs once is not charged to the idle ones. */
  readonly warmUpMatches: number;
  /** Idle matches connected before the first weighing: they fill what was free of the heap. */
  readonly firstMatches: number;
  /** Idle matches connected between the two weighings. */
  readonly matches: number;
  /** How long the server rests before each weighing. */
  readonly restMs: number;
}

export interface IdleFigures {
  readonly matches: number;
  readonly before: Memory;
  readonly after: Memory;
}

export const PROFILE_LOADS = ['moves', 'connects', 'creates'] as const;
export type ProfileLoad = (typeof PROFILE_LOADS)[number];
/** The ceiling of a load does only what its network traffic needs. */
export type ProfileSubject = 'matchd' | 'ceiling';

export interface ProfileJob {
  readonly kind: 'profile';
  readonly server: ServerUnderTest;
  readonly load: ProfileLoad;
  readonly subject: ProfileSubject;
  /** Matches played, connected or created in a span. */
  readonly matches: number;
  /** Spans before anything is counted, and counted ones. */
  readonly warmUpSpans: number;
  readonly spans: number;
  /** Counting slows the server: other figures of such a job mean nothing. */
  readonly countSyscalls: boolean;
}

/** Time in ms since 1970. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Sums over all counted spans. */
export interface ProfileFigures {
  /** Moves, connects or creates. */
  readonly units: number;
  readonly spans: readonly Span[];
  readonly threads: readonly ThreadCost[];
  readonly cpuUs: number;
  readonly wallMs: number;
  /** WebSocket bytes sent to clients, including handshakes. */
  readonly frames: number;
  readonly bytes: number;
  /** Calls of read and write that were not of sockets. */
  readonly fileCalls: number;
  /** Null where they were not counted. */
  readonly syscalls: SyscallCounts | null;
}

export type Job =
  | MovesJob
  | RecordJob
  | CreationJob
  | FillJob
  | TouchJob
  | HostedJob
  | AgainstJob
  | ConnectsJob
  | IdleJob
  | ProfileJob;

/** A job's result, by its kind. */
export interface JobResults {
  readonly moves: readonly MovesFigures[];
  readonly record: RecordedAnswer;
  readonly creation: CreationFigures;
  readonly fill: FillResult;
  readonly touch: TouchFigures;
  readonly hosted: HostedFigures;
  readonly against: AgainstFigures;
  readonly connects: ConnectsFigures;
  readonly idle: IdleFigures;
  readonly profile: ProfileFigures;
}
