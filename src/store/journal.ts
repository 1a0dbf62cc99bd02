/** The port to what the dashboard looks back on: requests, usage, the audit, steps once taken. */

import type { GameId } from '../../game/src/game.ts';
import type { ChainedAudit, ChainLink } from '../accounts/audit-chain.ts';
import type { Mode } from '../match/record.ts';
import type { Ticket } from '../matchmaking/ticket.ts';
import type { KeyRefusal } from '../tenancy/key-check.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { AuditRow } from './store.ts';

/** A request with a key, as it is kept for 7 days (rule R1). */
export interface RequestRow {
  readonly id: string;
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly at: number;
  readonly method: string;
  /** The operation's name. */
  readonly route: string;
  readonly status: number;
  /** The error's code; null for none. */
  readonly code: string | null;
  readonly tookMs: number;
  readonly keyId: string;
  /** The session it was about, by its path or its answer; null for none. */
  readonly session: string | null;
  /** Why the key was refused; such a request is not counted. Absent or null for none. */
  readonly refusal?: KeyRefusal | 'origin' | null;
  /** The session that it made, which is counted and not kept; absent for none. */
  readonly made?: { readonly mode: Mode; readonly game: GameId };
}

export interface RequestFilter {
  readonly tenant: string;
  readonly mode: KeyMode;
  /** Only refusals and failures. */
  readonly errorsOnly: boolean;
  /** Only those about this session; absent or null for all. */
  readonly session?: string | null;
  /** Only requests older than this id. */
  readonly before: string | null;
  readonly limit: number;
}

/** What is counted by day. */
const USAGE_KINDS = ['requests', 'refused', 'limited', 'failed', 'sessions'] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

export interface UsageCount {
  /** `2026-11-21`, UTC. */
  readonly day: string;
  readonly kind: UsageKind;
  readonly count: number;
}

/** What one key did on one day. */
export interface KeyUsage {
  /** `2026-11-21`, UTC. */
  readonly day: string;
  readonly keyId: string;
  /** Of `sessions` the session's, else the key's. */
  readonly mode: Mode;
  readonly kind: UsageKind;
  /** Of `sessions` alone. */
  readonly game: GameId | null;
  readonly count: number;
}

/** What the largest number at once of a day is known of: both as `PEAK_MS` samples saw them. */
const PEAK_KINDS = ['openSessions', 'sockets'] as const;
export type PeakKind = (typeof PEAK_KINDS)[number];

export interface UsagePeak {
  readonly day: string;
  readonly mode: Mode;
  readonly kind: PeakKind;
  readonly peak: number;
}

/** What one node sees at one moment. */
export interface PeakSample {
  readonly node: string;
  /** Ms since 1970. */
  readonly at: number;
  /** `2026-11-21`, UTC. */
  readonly day: string;
  /** The node's own: those that are not named have none. */
  readonly sockets: readonly {
    readonly tenant: string;
    readonly mode: Mode;
    readonly count: number;
  }[];
  /** What a node said before then does not count any more, ms since 1970. */
  readonly staleBefore: number;
}

/** What a plan counts now. */
export interface PlanUse {
  /** Live sessions of the month that `month` names. */
  readonly monthSessions: number;
  readonly openSessions: number;
  /** Forming or promoted. */
  readonly openTickets: number;
}

/** A player found by the beginning of their id. */
export interface FoundPlayer {
  readonly playerId: string;
  readonly displayName: string | null;
  readonly createdAt: number;
}

/** A step of the getting-started list, once it was seen to be taken. */
export interface Milestone {
  readonly name: string;
  readonly at: number;
}

export interface NodeRow {
  readonly id: string;
  readonly aliveAt: number;
}

/** What is known of a session's verdict without loading it. */
export interface CheckedSession {
  readonly session: string;
  readonly game: GameId;
  readonly createdAt: number;
  /** As `readChecks` reads it. */
  readonly integrity: string;
}

/** Which rows of a chain; null for any. */
export interface AuditFilter {
  /** Empty for the installation's. */
  readonly tenant: string;
  readonly act: string | null;
  readonly actor: string | null;
  /** From this time on, ms since 1970. */
  readonly from: number | null;
  /** Before this time, ms since 1970. */
  readonly to: number | null;
  /** Only rows that stand behind the one of this number in the list. */
  readonly before: number | null;
  readonly limit: number;
}

/** What a chain can be filtered by. */
export interface AuditNames {
  readonly acts: readonly string[];
  readonly actors: readonly string[];
}

export interface JournalStore {
  /** Keeps requests and counts them. */
  logRequests(rows: readonly RequestRow[]): Promise<void>;
  listRequests(filter: RequestFilter): Promise<readonly RequestRow[]>;
  findRequest(tenant: string, mode: KeyMode, id: string): Promise<RequestRow | null>;
  /** Those whose ids are before it. Answers how many went. */
  removeRequests(tenant: string, mode: KeyMode, before: string, limit: number): Promise<number>;
  /** From `fromDay` on. */
  listUsage(tenant: string, mode: KeyMode, fromDay: string): Promise<readonly UsageCount[]>;
  planUse(tenant: string, mode: Mode, month: string): Promise<PlanUse>;
  /** Of all modes, both days included; by day, key, mode, kind and game. */
  listKeyUsage(tenant: string, fromDay: string, toDay: string): Promise<readonly KeyUsage[]>;
  /** Of all modes, both days included; by day, mode and kind. */
  listPeaks(tenant: string, fromDay: string, toDay: string): Promise<readonly UsagePeak[]>;
  /** Raises the day's peaks to what is open now, in all tenants, on all nodes together. */
  samplePeaks(sample: PeakSample): Promise<void>;

  addAudit(audit: AuditRow): Promise<void>;
  /** By number, newest first; by time where act, actor or time are filtered. */
  listAudit(filter: AuditFilter): Promise<readonly ChainedAudit[]>;
  /** The acts and the actors of a chain, each in the order of its text. */
  listAuditNames(tenant: string, limit: number): Promise<AuditNames>;
  /** The rows after a number, in order. */
  readAudit(tenant: string, after: number, limit: number): Promise<readonly ChainedAudit[]>;
  auditHead(tenant: string): Promise<ChainLink>;

  /** By id; those after `after`, which is empty for the first. */
  findPlayers(
    tenant: string,
    world: KeyMode,
    prefix: string,
    limit: number,
    after: string,
  ): Promise<readonly FoundPlayer[]>;
  /** By its own id or its group's, whatever its game and state. */
  findTicketOrGroup(tenant: string, mode: KeyMode, id: string): Promise<Ticket | null>;
  /** Newest first: tickets that are forming or wait as groups. */
  listOpenTickets(tenant: string, mode: KeyMode, limit: number): Promise<readonly Ticket[]>;
  /** Newest first. */
  listChecked(
    tenant: string,
    mode: KeyMode,
    from: string,
    limit: number,
  ): Promise<readonly CheckedSession[]>;
  /** Is there, in this world, a session at all, one that began, one that ended as a match does? */
  sessionSteps(
    tenant: string,
    mode: KeyMode,
  ): Promise<{ made: boolean; started: boolean; ended: boolean }>;
  listMilestones(tenant: string, mode: KeyMode): Promise<readonly Milestone[]>;
  /** The first time stands. */
  addMilestones(tenant: string, mode: KeyMode, steps: readonly Milestone[]): Promise<void>;
  listNodes(): Promise<readonly NodeRow[]>;
}
