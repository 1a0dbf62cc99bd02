/**
 * Sessions that change nodes in large numbers: when a node dies, drains, or loses its lease. For a single
 * requested session see `session-router.ts`.
 */

import type { LocalHost } from '../runtime/host/match-host.ts';
import type { Calls } from '../runtime/limits/calls.ts';
import type { Cancel, Clock } from '../runtime/ports.ts';
import type { MemberStore } from '../store/cluster.ts';
import { type Members, mayTake } from './membership/members.ts';
import type { Outbox } from './outbox.ts';

export interface Handover {
  /** Takes over what dead nodes owned when this one started; returns how many sessions. */
  recover(): Promise<number>;
  /** A node died: its sessions are taken over. */
  nodeDied(): void;
  /** This node lost its lease: other nodes may own its sessions by now. */
  lapsed(): void;
  /** This node has a lease again. */
  regained(): void;
  /** Maintains sessions in memory. To be called about once a second. */
  maintain(): Promise<void>;
  /** Hands over every session. This node is about to shut down. */
  drain(): Promise<void>;
  close(): void;
}

export interface HandoverDeps {
  readonly node: string;
  readonly local: Pick<
    LocalHost,
    'drain' | 'has' | 'release' | 'releaseAll' | 'reclaim' | 'recover' | 'sessions' | 'maintain'
  >;
  readonly members: Pick<Members, 'lease' | 'drain'>;
  readonly store: Pick<MemberStore, 'listHeld' | 'listToRelease'>;
  readonly outbox: Pick<Outbox, 'flush'>;
  readonly clock: Clock;
  /** Calls that may make this node an owner. */
  readonly calls: Calls;
  /** Sessions were taken over from nodes that are gone. */
  onTakeover(sessions: number): void;
  onError(error: unknown): void;
}

/** Sessions in memory that are checked each second. */
const CHECKED_AT_ONCE = 1_000;
/** Sessions of this node that are listed in one call. */
const HELD_STEP = 1_000;
/** Delay before a takeover that failed, or that came too early, is retried. Ms. */
const RETRY_MS = 1_000;
/**
 * A dead node's last transaction may lock its sessions, and a takeover skips locked ones: another takeover follows
 * this long after each event, and then at this interval. Ms.
 */
export const SETTLED_MS = 10_000;
const ROUTINE_MS = 60_000;

interface Parts {
  readonly deps: HandoverDeps;
  /** Sessions in memory that are still to be checked in this round. */
  unchecked: string[];
  cancelTakeover: Cancel;
}

export function makeHandover(deps: HandoverDeps): Handover {
  const { local } = deps;
  const parts: Parts = { deps, unchecked: [], cancelTakeover: () => undefined };
  return {
    recover: () => takeOver(parts, SETTLED_MS),
    nodeDied: () => takeOverNow(parts, SETTLED_MS),
    lapsed: () => local.releaseAll(),
    regained: () => takeOverNow(parts, SETTLED_MS),
    maintain: () => maintain(parts),
    drain: () => drain(deps),
    close: () => parts.cancelTakeover(),
  };
}

/** Takes over what dead nodes owned, and does so again after `againMs`. Returns how many sessions those were. */
async function takeOver(parts: Parts, againMs: number): Promise<number> {
  const { members, calls, onError } = parts.deps;
  const lease = members.lease();
  if (lease === 'regained') takeOverIn(parts, RETRY_MS, againMs);
  // After a lapse `regained` starts it again.
  if (lease !== 'held') return 0;
  takeOverIn(parts, againMs, ROUTINE_MS);
  try {
    return await calls.note(takeAll(parts.deps));
  } catch (error) {
    onError(error);
    if (mayTake(members.lease())) takeOverIn(parts, RETRY_MS, againMs);
    return 0;
  }
}

function takeOverNow(parts: Parts, againMs: number): void {
  void takeOver(parts, againMs).then((count) => count > 0 && parts.deps.onTakeover(count));
}

function takeOverIn(parts: Parts, ms: number, againMs: number): void {
  parts.cancelTakeover();
  parts.cancelTakeover = parts.deps.clock.after(ms, () => takeOverNow(parts, againMs));
}

/** The store may name this node as an owner without its knowledge: the answer that said so was lost. */
async function takeAll({ node, local, members, store }: HandoverDeps): Promise<number> {
  let ids: readonly string[];
  let after = '';
  do {
    ids = await store.listHeld(node, after, HELD_STEP);
    for (const id of ids) if (!local.has(id)) local.reclaim(id);
    after = ids.at(-1) ?? '';
  } while (ids.length === HELD_STEP);
  return mayTake(members.lease()) ? local.recover() : 0;
}

async function maintain(parts: Parts): Promise<void> {
  const { local, members } = parts.deps;
  if (!mayTake(members.lease())) return;
  await releaseLost(parts);
  // The local host takes up what no live node owns.
  if (members.lease() !== 'regained') await local.maintain();
}

/** No subscriber stays with a match that has continued elsewhere. */
async function releaseLost(parts: Parts): Promise<void> {
  const { node, local, store } = parts.deps;
  const resting = new Set(local.sessions());
  if (parts.unchecked.length === 0) parts.unchecked = [...resting];
  const some = parts.unchecked.splice(0, CHECKED_AT_ONCE).filter((id) => resting.has(id));
  if (some.length === 0) return;
  for (const session of await store.listToRelease(node, some)) local.release(session);
}

/** Sessions go to other nodes whether or not the store has recorded that this one drains. */
async function drain({ local, members, outbox, calls, onError }: HandoverDeps): Promise<void> {
  const announced = members.drain().catch(onError);
  await local.drain();
  outbox.flush();
  // Then the sessions that were on their way here when the drain began.
  await calls.ended();
  await local.drain();
  outbox.flush();
  await announced;
}
