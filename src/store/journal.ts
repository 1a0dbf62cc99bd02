/** The port to the dashboard's history: requests, usage, audit, completed setup steps. */

import type { GameId } from '../../game/src/game.ts';
import type { ChainedAudit, ChainLink } from '../accounts/audit-chain.ts';
import type { Mode } from '../match/record.ts';
import type { Ticket } from '../matchmaking/ticket.ts';
import type { KeyRefusal } from '../tenancy/key-check.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { AuditRow } from './store.ts';

/** A request with an API key, stored for 7 days (rule R1). */
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
  /** The session it was about, from its path or its response; null for none. */
  readonly session: string | null;
  /** Why the key was refused. Such a request is not counted. Absent or null for none. */
  readonly refusal?: KeyRefusal | 'origin' | null;
  /** The session that the request created, which is counted but not stored; absent for none. */
  readonly made?: { readonly mode: Mode; readonly game: GameId };
}

export interface RequestFilter {
  readonly tenant: string;
  readonly mode: KeyMode;
  /** Only refusals and failures. */
  readonly errorsOnly: boolean;
  /** Only requests about this session; absent or null for all. */
  readonly session?: string | null;
  /** Only requests older than this id. */
  readonly before: string | null;
  readonly limit: number;
}

/** What is counted per day. */
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
  /** The session's mode for `sessions`, otherwise the key's. */
  readonly mode: Mode;
  readonly kind: UsageKind;
  /** Set for `sessions` only. */
  readonly game: GameId | null;
  readonly count: number;
}

/** The values whose daily peak is known, as samples every `PEAK_MS` saw them. */
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
  /** The node's own sockets. A tenant that is not listed has none. */
  readonly sockets: readonly {
    readonly tenant: string;
    readonly mode: Mode;
    readonly count: number;
  }[];
  /** Samples from before then do not count any more, ms since 1970. */
  readonly staleBefore: number;
}

/** Current usage that counts towards a plan. */
export interface PlanUse {
  /** Live sessions in the month that `month` names. */
  readonly monthSessions: number;
  readonly openSessions: number;
  /** Forming or promoted. */
  readonly openTickets: number;
}

/** A player found by a prefix of their id. */
export interface FoundPlayer {
  readonly playerId: string;
  readonly displayName: string | null;
  readonly createdAt: number;
}

/** A completed step of the getting-started list. */
export interface Milestone {
  readonly name: string;
  readonly at: number;
}

export interface NodeRow {
  readonly id: string;
  readonly aliveAt: number;
}

/** A session's verdict, without its log. */
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
  /** Only rows below the one with this number in the list. */
  readonly before: number | null;
  readonly limit: number;
}

/** The values that a chain can be filtered by. */
export interface AuditNames {
  readonly acts: readonly string[];
  readonly actors: readonly string[];
}

export interface JournalStore {
  /** Stores requests and counts them. */
  logRequests(rows: readonly RequestRow[]): Promise<void>;
  listRequests(filter: RequestFilter): Promise<readonly RequestRow[]>;
  findRequest(tenant: string, mode: KeyMode, id: string): Promise<RequestRow | null>;
  /** Removes requests with ids before `before`. Returns how many. */
  removeRequests(tenant: string, mode: KeyMode, before: string, limit: number): Promise<number>;
  /** From `fromDay` onwards. */
  listUsage(tenant: string, mode: KeyMode, fromDay: string): Promise<readonly UsageCount[]>;
  planUse(tenant: string, mode: Mode, month: string): Promise<PlanUse>;
  /** All modes, both days included; ordered by day, key, mode, kind and game. */
  listKeyUsage(tenant: string, fromDay: string, toDay: string): Promise<readonly KeyUsage[]>;
  /** All modes, both days included; ordered by day, mode and kind. */
  listPeaks(tenant: string, fromDay: string, toDay: string): Promise<readonly UsagePeak[]>;
  /** Raises the day's peaks to what is open now, for all tenants and over all nodes. */
  samplePeaks(sample: PeakSample): Promise<void>;

  addAudit(audit: AuditRow): Promise<void>;
  /** By number, newest first; by time when filtered by act, actor or time. */
  listAudit(filter: AuditFilter): Promise<readonly ChainedAudit[]>;
  /** The acts and the actors of a chain, each in alphabetical order. */
  listAuditNames(tenant: string, limit: number): Promise<AuditNames>;
  /** The rows after a number, in order. */
  readAudit(tenant: string, after: number, limit: number): Promise<readonly ChainedAudit[]>;
  auditHead(tenant: string): Promise<ChainLink>;

  /** Ordered by id, after `after`; empty for the first page. */
  findPlayers(
    tenant: string,
    world: KeyMode,
    prefix: string,
    limit: number,
    after: string,
  ): Promise<readonly FoundPlayer[]>;
  /** By the ticket's id or its group's, in any game and state. */
  findTicketOrGroup(tenant: string, mode: KeyMode, id: string): Promise<Ticket | null>;
  /** Tickets that are forming or waiting as groups, newest first. */
  listOpenTickets(tenant: string, mode: KeyMode, limit: number): Promise<readonly Ticket[]>;
  /** Newest first. */
  listChecked(
    tenant: string,
    mode: KeyMode,
    from: string,
    limit: number,
  ): Promise<readonly CheckedSession[]>;
  /** Whether this mode has any session at all, one that started, and one that ended as a match does. */
  sessionSteps(
    tenant: string,
    mode: KeyMode,
  ): Promise<{ made: boolean; started: boolean; ended: boolean }>;
  listMilestones(tenant: string, mode: KeyMode): Promise<readonly Milestone[]>;
  /** The first time recorded stands. */
  addMilestones(tenant: string, mode: KeyMode, steps: readonly Milestone[]): Promise<void>;
  listNodes(): Promise<readonly NodeRow[]>;
}
