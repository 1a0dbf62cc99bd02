/** What the local host asks about other nodes, answered from the store. */

import type { Peers } from '../runtime/host/host-deps.ts';
import type { LeaseRow, MemberStore } from '../store/cluster.ts';

export function makePeers(
  store: Pick<MemberStore, 'holderOf' | 'listLeases'>,
  node: string,
): Peers {
  let listing: Promise<readonly LeaseRow[]> | null = null;
  /** A takeover asks for hundreds of sessions at once: they share one list. */
  const listLeases = (): Promise<readonly LeaseRow[]> => {
    listing ??= store.listLeases().finally(() => {
      listing = null;
    });
    return listing;
  };
  return {
    async isElsewhere(session) {
      const holder = await store.holderOf(session);
      return holder !== null && holder !== node;
    },
    async lastSignOf(peer) {
      const rows = await listLeases();
      return rows.find((row) => row.node === peer && !row.isValid)?.aliveAt ?? null;
    },
  };
}
