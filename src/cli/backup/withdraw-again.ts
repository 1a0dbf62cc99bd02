/** Applies erasures and revocations to an older database that came after its backup (rule R2). */

import type { Named, Withdrawal } from '../../store/shared/withdrawal.ts';
import type { CoreStore } from '../../store/store.ts';
import { WORLDS } from '../../store/world.ts';
import { makeAudit } from '../store/workshop.ts';

/** The repeated erasures and revocations. */
export interface Redone {
  readonly playersErased: number;
  readonly keysRevoked: number;
  readonly keyTextsEnded: number;
}

export interface OlderDatabase {
  readonly store: Pick<CoreStore, 'erasePlayer' | 'findKey' | 'updateKey'>;
  /** The player of a pseudonym; null for none, or none any more. */
  readonly findNamed: (ref: string) => Named | null | Promise<Named | null>;
  /** Ends a key's text at a time, if it would act longer. Answers whether it would have. */
  readonly endSecret: (id: string, at: number) => boolean | Promise<boolean>;
}

export async function withdrawAgain(
  list: readonly Withdrawal[],
  { store, findNamed, endSecret }: OlderDatabase,
): Promise<Redone> {
  let [playersErased, keysRevoked, keyTextsEnded] = [0, 0, 0];
  for (const { kind, id, at } of list) {
    if (kind === 'player') {
      const named = await findNamed(id);
      if (named === null) continue;
      // A live key erases in both worlds, a test key in its own (rule R2).
      const worlds = named.world === 'live' ? WORLDS : [named.world];
      await store.erasePlayer(named.tenant, worlds, named.playerId, at);
      playersErased += 1;
    } else if (kind === 'key') {
      const key = await store.findKey(id);
      if (key === null || key.revokedAt !== null) continue;
      await store.updateKey(id, { revokedAt: at }, makeAudit(key.tenant, 'key.revoked', id, at));
      keysRevoked += 1;
    } else if (await endSecret(id, at)) keyTextsEnded += 1;
  }
  return { playersErased, keysRevoked, keyTextsEnded };
}
