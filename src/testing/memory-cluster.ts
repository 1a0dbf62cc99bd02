/** What nodes share, in memory: for tests and the simulator. Time is the clock's that is handed in. */

import type { Clock } from '../runtime/ports.ts';
import type { ClusterStore, ErasedSeat, LeaseRow, Mail } from '../store/cluster.ts';
import type { KeyMode } from '../tenancy/tenant.ts';

interface Kept {
  leaseUntil: number;
  aliveAt: number;
  isDraining: boolean;
}

export interface MemoryCluster extends ClusterStore {
  /** Is a node's lease valid now? For stores in memory, to tell whose sessions may be claimed. */
  isValid(node: string): boolean;
}

/** The rows of sessions, as far as leases have to do with them. */
export interface HeldRows {
  /** Who a session's row says holds it, whatever became of that node. */
  holder(session: string): string | null;
  hasEnded(session: string): boolean;
  /** Sessions whose rows name that node, in any order. */
  heldBy(node: string): readonly string[];
  /** Has a node hold a session that sleeps; nothing where there is none, or it has ended. */
  hold(session: string, node: string): void;
  /** As the ports say. */
  erasures(): number;
  /** Seats of a session whose players were erased. */
  erasedIn(session: string): readonly Omit<ErasedSeat, 'session'>[];
  forgetAnswers(tenant: string, world: KeyMode, playerId: string): void;
}

const NO_ROWS: HeldRows = {
  holder: () => null,
  hasEnded: () => false,
  heldBy: () => [],
  hold: () => undefined,
  erasures: () => 0,
  erasedIn: () => [],
  forgetAnswers: () => undefined,
};

export function makeMemoryCluster(
  clock: Pick<Clock, 'now'>,
  rows: HeldRows = NO_ROWS,
): MemoryCluster {
  const { holder, hasEnded, heldBy, hold, erasures, erasedIn, forgetAnswers } = rows;
  const nodes = new Map<string, Kept>();
  const mail = new Map<string, Mail[]>();
  const isValid = (node: string): boolean => (nodes.get(node)?.leaseUntil ?? 0) > clock.now();
  const holderOf = (session: string): string | null => {
    const node = holder(session);
    return node !== null && isValid(node) ? node : null;
  };
  return {
    isValid,
    async renewLease(node, ttlMs, isDraining, owesTime = false) {
      const wasLost = nodes.has(node) && !isValid(node);
      const now = clock.now();
      const aliveAt = owesTime ? (nodes.get(node)?.aliveAt ?? now) : now;
      nodes.set(node, { leaseUntil: now + ttlMs, aliveAt, isDraining });
      return wasLost ? 'lost' : 'kept';
    },
    async listLeases() {
      const rows = [...nodes].map(
        ([node, kept]): LeaseRow => ({ node, ...kept, isValid: isValid(node) }),
      );
      return rows.sort((a, b) => (a.node < b.node ? -1 : 1));
    },
    async endLease(node, leftMs) {
      const kept = nodes.get(node);
      const now = clock.now();
      if (kept === undefined || !isValid(node) || kept.leaseUntil > now + leftMs) return false;
      kept.leaseUntil = now;
      return true;
    },
    async removeNode(node) {
      const kept = nodes.get(node);
      if (kept !== undefined) kept.leaseUntil = Math.min(kept.leaseUntil, clock.now());
      mail.delete(node);
    },
    async holderOf(session) {
      return holderOf(session);
    },
    async claim(node, session) {
      const isAsleep = holder(session) === null;
      if (isAsleep) hold(session, node);
      const now = holderOf(session);
      return { holder: now, isNew: isAsleep && now === node };
    },
    async listStrays(node, sessions) {
      return sessions.filter((id) => hasEnded(id) || (holder(id) ?? node) !== node);
    },
    async listHeld(node, after, limit) {
      const ids = heldBy(node).filter((id) => id > after);
      return ids.sort((a, b) => (a < b ? -1 : 1)).slice(0, limit);
    },
    async erasureRevision() {
      return erasures();
    },
    async listErased(sessions) {
      return sessions.flatMap((session) => erasedIn(session).map((seat) => ({ session, ...seat })));
    },
    async forgetAnswers(...who) {
      forgetAnswers(...who);
    },
    async putMail(to, from, texts) {
      if (!isValid(to)) return;
      const waiting = mail.get(to) ?? [];
      waiting.push(...texts.map((text) => ({ from, text })));
      mail.set(to, waiting);
    },
    async takeMail(node, limit) {
      return mail.get(node)?.splice(0, limit) ?? [];
    },
  };
}
