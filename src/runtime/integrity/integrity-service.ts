/** Device checks, as used by the calls that bring players and by the routes (rules I1 to I5). */

import { Buffer } from 'node:buffer';
import type { RegisteredCredential } from '../../integrity/credential.ts';
import type { Platform, Reason, Verdict, VerdictStatus } from '../../integrity/verdict.ts';
import { type Finding, makeError, makeSkipped, makeVerdict } from '../../integrity/verdict.ts';
import type { Mode } from '../../match/record.ts';
import type {
  ChallengeRow,
  CredentialId,
  CredentialRow,
  IntegrityStore,
} from '../../store/integrity.ts';
import type { AuditRow, IdempotencyRow } from '../../store/store.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Clock, Randomness } from '../ports.ts';
import type { AndroidCheck } from './android-check.ts';
import type { AppAttestEnvironment } from './app-attest.ts';
import { type BoundRequest, digestOf, requestDigest } from './client-data.ts';
import { CHECK_MS, openDeadline } from './deadline.ts';
import type { IosCheck } from './ios-check.ts';
import { openSpending, type Spending } from './spending.ts';

/** Rule I4. */
const CHALLENGE_MS = 5 * 60_000;
/** The input of a challenge. */
const SEED_BYTES = 32;

/** A request that brings a player, as far as the device check needs it. */
export interface CheckRequest {
  readonly tenant: string;
  /** The session's mode: selects the allowed environments of App Attest. */
  readonly mode: Mode;
  /** The owner of the credentials, challenges and keys that count (rule K3). */
  readonly world: KeyMode;
  readonly platform: Platform;
  /** Null when none was given. */
  readonly token: string | null;
  /** What the token may be bound to; null when the request names no players. */
  readonly bound: BoundRequest | null;
  /** The whole request as text: only a repeat of the same request gets its finding again. */
  readonly asked: string;
}

export interface DeviceCheck {
  readonly verdict: Verdict;
  /**
   * To be called when no session has the verdict: a repeat of the request then gets the stored finding, because
   * the token and its challenge are used up. Never rejects.
   */
  giveBack(): Promise<void>;
}

export interface Challenge {
  /** The input of the challenge's text. */
  readonly seed: string;
  readonly expiresAt: number;
}

export interface CheckCount {
  readonly platform: Platform;
  readonly status: VerdictStatus;
  /** The first reason; `none` when there is none. */
  readonly reason: Reason | 'none';
  readonly count: number;
}

/** The author, for the audit: `key:<id>`. */
export type Actor = string;

/** One of a tenant's two worlds. */
export interface World {
  readonly tenant: string;
  readonly mode: KeyMode;
}

export interface IntegrityService {
  /** Never rejects, and stays within the time limit of rule I2. */
  check(request: CheckRequest): Promise<DeviceCheck>;
  /** `keep` gets the row as it will be; the response it returns is committed with it. */
  register(
    world: World,
    registered: RegisteredCredential,
    actor: Actor,
    keep: ((row: CredentialRow) => IdempotencyRow) | null,
  ): Promise<CredentialRow>;
  /** False when there was none. */
  remove(id: CredentialId, actor: Actor, keep: (() => IdempotencyRow) | null): Promise<boolean>;
  list(world: World): Promise<readonly CredentialRow[]>;
  /** Results of checks since the start: a closed set. */
  tally(): readonly CheckCount[];
  /** `textOf` makes a challenge from its seed. The seed may be stored, the challenge may not. */
  challenge(
    world: World,
    platform: Platform,
    textOf: (seed: string) => string,
    keep: ((challenge: Challenge) => IdempotencyRow) | null,
  ): Promise<Challenge>;
}

/** The used part of the log. Tokens, keys and Google's full answers are never logged. */
export interface IntegrityLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface IntegrityDeps {
  readonly store: IntegrityStore;
  readonly android: AndroidCheck;
  readonly ios: IosCheck;
  /** Environments of App Attest that count in live sessions; in the others both do. */
  readonly environments: readonly AppAttestEnvironment[];
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: IntegrityLog;
}

export function makeIntegrityService(deps: IntegrityDeps): IntegrityService {
  const counts = new Map<string, CheckCount>();
  return {
    async check(request) {
      const checked = await check(deps, request);
      tally(counts, checked.verdict);
      return checked;
    },
    tally: () => [...counts.values()],
    ...makeRegistrations(deps),
    async challenge(world, platform, textOf, keep) {
      const { store, clock, randomness } = deps;
      const seed = Buffer.from(randomness.bytes(SEED_BYTES)).toString('base64url');
      const expiresAt = clock.now() + CHALLENGE_MS;
      const row: ChallengeRow = { digest: digestOf(textOf(seed)), ...world, platform, expiresAt };
      const challenge = { seed, expiresAt };
      await store.addChallenge(row, keep === null ? null : keep(challenge));
      return challenge;
    },
  };
}

function tally(counts: Map<string, CheckCount>, { platform, status, reasons }: Verdict): void {
  const reason = reasons[0] ?? 'none';
  const name = `${platform} ${status} ${reason}`;
  const count = (counts.get(name)?.count ?? 0) + 1;
  counts.set(name, { platform, status, reason, count });
}

function makeRegistrations({ store, clock }: IntegrityDeps) {
  const auditOf = (tenant: string, actor: Actor, act: string, platform: Platform): AuditRow => ({
    tenant,
    actor,
    act,
    object: platform,
    at: clock.now(),
  });
  return {
    register: (async (world, registered, actor, keep) => {
      const row: CredentialRow = { ...registered, ...world, updatedAt: clock.now() };
      const audit = auditOf(world.tenant, actor, 'integrity.put', row.platform);
      await store.putCredential(row, audit, keep === null ? null : keep(row));
      return row;
    }) as IntegrityService['register'],
    remove: ((id, actor, keep) =>
      store.removeCredential(
        id,
        auditOf(id.tenant, actor, 'integrity.delete', id.platform),
        keep === null ? null : keep(),
      )) as IntegrityService['remove'],
    list: ({ tenant, mode }: World) => store.listCredentials(tenant, mode),
  };
}

// ── the check ──────────────────────────────────────────────────────────────────────────────────

async function check(deps: IntegrityDeps, request: CheckRequest): Promise<DeviceCheck> {
  const { clock, log } = deps;
  const { tenant, world, platform, token, asked } = request;
  const startedAt = clock.now();
  const claim = JSON.stringify([tenant, asked]);
  // Google answers truthfully once, whichever world asks; Apple's signatures are verified here in each.
  const spentIn = platform === 'ios' ? world : 'live';
  const onError = (err: unknown) => log.error({ err, tenant }, 'finding not given back');
  const spending =
    token === null ? null : openSpending({ ...deps, onError }, { token, world: spentIn }, claim);
  const finding = await findInTime(deps, request, spending);
  const verdict = makeVerdict(platform, finding, startedAt, clock.now());
  const { status, reasons, latencyMs } = verdict;
  if (status === 'error' || status === 'failed') {
    log.info({ tenant, platform, status, reasons, latencyMs }, 'device check');
  }
  return { verdict, giveBack: async () => spending?.hold(finding) };
}

/** Every error is a finding: no check ever prevents a session. */
async function findInTime(
  deps: IntegrityDeps,
  request: CheckRequest,
  spending: Spending | null,
): Promise<Finding> {
  const deadline = openDeadline(deps.clock, CHECK_MS);
  const found = find(deps, request, spending, deadline.signal).catch((err: unknown) => {
    deps.log.error({ err, tenant: request.tenant }, 'device check failed');
    return makeError('internal');
  });
  const timeUp = deadline.passed.then(() => makeError('timeout'));
  try {
    return await Promise.race([found, timeUp]);
  } finally {
    deadline.close();
  }
}

async function find(
  { store, android, ios, environments }: IntegrityDeps,
  { tenant, mode, world, platform, token, bound }: CheckRequest,
  spending: Spending | null,
  signal: AbortSignal,
): Promise<Finding> {
  if (token === null || spending === null) return makeSkipped('token_missing');
  const registered = await store.findCredential({ tenant, mode: world, platform });
  if (registered === null) return makeSkipped('no_credential');
  const digest = bound === null ? null : requestDigest(bound);
  if (registered.platform === 'android') {
    const { credential } = registered;
    const requestHash = digest?.toString('base64url') ?? null;
    return android({ tenant, world, credential, token, requestHash, spending }, signal);
  }
  const { credential } = registered;
  const allowed = mode === 'live' ? environments : ANY_ENVIRONMENT;
  const request = { tenant, world, credential, token, requestDigest: digest, spending };
  return ios({ ...request, environments: allowed });
}

/** Developers test with a development build. */
const ANY_ENVIRONMENT: readonly AppAttestEnvironment[] = ['production', 'development'];
