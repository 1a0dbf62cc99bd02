/**
 * I3 as players see it: the frames of a session come only from the node that owns it by its log.
 */

import type { History } from './history.ts';

export interface Owners {
  /** A commit made a node the session's owner. `holder` was the owner until then; null for none. */
  owned(session: string, node: string, holder: string | null): void;
  /** A node made a text that shows a session. */
  shown(node: string, session: string, text: string): void;
}

export interface OwnersDeps {
  readonly now: () => number;
  readonly history: Pick<History, 'found'>;
  /** True for a running node with its lease and without recent faults. */
  isReachable(node: string): boolean;
  /** An ended log has no owner: any node may show it. */
  hasEnded(session: string): boolean;
  /** Since when a process runs, ms since 1970: the end of its last pause. */
  awakeSince(node: string): number;
  /** Whether nothing can keep a node from noticing that it lost a session. */
  isCalm(): boolean;
}

/** The time within which a node notices that it lost a session: the rest of its lease, ms. */
const UNKNOWING_MS = 7_000;

interface Owner {
  readonly node: string;
  readonly since: number;
}

export function makeOwners(deps: OwnersDeps): Owners {
  const { now, history } = deps;
  const owners = new Map<string, Owner>();
  return {
    owned(session, node, holder) {
      owners.set(session, { node, since: now() });
      if (holder === null || holder === node || !deps.isCalm()) return;
      if (deps.isReachable(holder))
        history.found(`I3: ${node} took ${session} from ${holder}, which holds it and lives`);
    },
    shown(node, session, text) {
      const owner = owners.get(session);
      if (owner === undefined || owner.node === node || !shows(text)) return;
      const forMs = now() - Math.max(owner.since, deps.awakeSince(node));
      if (forMs <= UNKNOWING_MS || deps.hasEnded(session)) return;
      history.found(
        `I3: ${node} shows ${session}, which has been ${owner.node}'s for ${Math.round(forMs)} ms`,
      );
    },
  };
}

/** An answer to a command is not a view of the session: it is checked by itself (I1, I4). */
function shows(text: string): boolean {
  return !text.startsWith('{"t":"ack"') && !text.startsWith('{"t":"reject"');
}
