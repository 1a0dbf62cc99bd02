/** Who holds a session, and for how long nobody has. */

import type { Fellows } from '../runtime/match-table.ts';
import type { Clock } from '../runtime/ports.ts';
import type { Claim, LeaseRow, MemberStore } from '../store/cluster.ts';

export interface Peers extends Fellows {
  /** Another live node that holds the session; null when none does. */
  ownerOf(session: string): Promise<string | null>;
  /** Where a session is held: by nobody while it sleeps, and once it has ended. */
  placeOf(session: string): Promise<'here' | 'elsewhere' | 'nowhere'>;
  /**
   * The same, after which a session that slept is this node's: to be taken into memory. `isNew` and `wakeAt`
   * are the store's.
   */
  claim(
    session: string,
  ): Promise<{ readonly owner: string | null } & Pick<Claim, 'isNew' | 'wakeAt'>>;
  /** Those of these sessions that other nodes have by now, or that have ended. */
  strays(sessions: readonly string[]): Promise<readonly string[]>;
  /** Those that are this node's by their rows, in order of their ids. */
  held(after: string, limit: number): Promise<readonly string[]>;
  /** A node has died. */
  noteDead(node: LeaseRow): void;
  /** Its lease is valid: where it was heard of since it was taken for dead, it lives. */
  noteAlive(node: LeaseRow): void;
  /** Learns of the nodes that died before this one came. */
  look(): Promise<void>;
}

/** Nodes that died are remembered for so long: what they held has been taken over by then. */
const DEAD_KEPT_MS = 60 * 60 * 1_000;

export function makePeers(
  store: Pick<MemberStore, 'holderOf' | 'claim' | 'listLeases' | 'listStrays' | 'listHeld'>,
  node: string,
  clock: Pick<Clock, 'now'>,
): Peers {
  /** When each was last heard of, ms since 1970. */
  const dead = new Map<string, number>();
  const note = ({ node: name, aliveAt }: LeaseRow): void => {
    const now = clock.now();
    for (const [each, at] of dead) if (now - at > DEAD_KEPT_MS) dead.delete(each);
    dead.set(name, aliveAt);
  };
  const noteAlive = ({ node: name, aliveAt }: LeaseRow): void => {
    // A list may be older than the death.
    if (aliveAt > (dead.get(name) ?? Infinity)) dead.delete(name);
  };
  const otherOf = (holder: string | null): string | null => (holder === node ? null : holder);
  const look = async (): Promise<readonly LeaseRow[]> => {
    const rows = await store.listLeases();
    for (const row of rows) {
      if (row.isValid) noteAlive(row);
      else if (row.node !== node) note(row);
    }
    return rows;
  };
  const ownerOf = async (session: string): Promise<string | null> =>
    otherOf(await store.holderOf(session));
  return {
    ownerOf,
    async placeOf(session) {
      const holder = await store.holderOf(session);
      if (holder === null) return 'nowhere';
      return holder === node ? 'here' : 'elsewhere';
    },
    async claim(session) {
      const { holder, isNew, wakeAt } = await store.claim(node, session);
      return { owner: otherOf(holder), isNew, wakeAt };
    },
    strays: (sessions) => store.listStrays(node, sessions),
    held: (after, limit) => store.listHeld(node, after, limit),
    isElsewhere: async (session) => (await ownerOf(session)) !== null,
    // Whoever asks may be faster than the news of a death, and than the end of a lease.
    async heardAt(name) {
      const aliveAt = dead.get(name) ?? (await look()).find((row) => row.node === name)?.aliveAt;
      return aliveAt ?? null;
    },
    noteDead: note,
    noteAlive,
    async look() {
      await look();
    },
  };
}
