/** Erasing a player: what his tenant keeps for repeats is looked through first, step by step. */

import { makeInTurn } from './in-turn.ts';
import type { AuditRow, CoreStore, LookedThrough } from './store.ts';

export interface Whom {
  readonly tenant: string;
  readonly playerId: string;
  /** Is there a row of him? Who was merely handed a token for the lobby has none. */
  readonly isKnown: boolean;
}

export interface ErasingParts<Place> {
  isKnown(tenant: string, playerId: string): boolean | Promise<boolean>;
  /**
   * Removes what names him of the next kept answers, from after a place on: null for the beginning.
   * Answers where the next step begins, null when there is none.
   */
  forgetAnswers(whom: Whom, after: Place | null): Promise<Place | null>;
  /** The erasure, and the answers kept since `looked`. */
  erase(
    whom: Pick<Whom, 'tenant' | 'playerId'>,
    now: number,
    looked: LookedThrough,
    audit: AuditRow | null,
  ): Promise<boolean>;
}

export function makeErasing<Place>(
  parts: ErasingParts<Place>,
): Pick<CoreStore, 'forgetAnswersOf' | 'erasePlayer'> {
  /** Of a tenant one at a time: whoever writes meanwhile waits for one step of each and no more. */
  const turns = makeInTurn();
  /** Those whose turn has not come yet: who asks for the same waits for them. */
  const waiting = new Map<string, Promise<LookedThrough>>();
  const forgetAnswersOf = (
    tenant: string,
    playerId: string,
    now: number,
  ): Promise<LookedThrough> => {
    const name = JSON.stringify([tenant, playerId]);
    const other = waiting.get(name);
    if (other !== undefined) return other;
    const mine = turns.run(tenant, async () => {
      waiting.delete(name);
      const isKnown = await parts.isKnown(tenant, playerId);
      const whom = { tenant, playerId, isKnown };
      let after: Place | null = null;
      do after = await parts.forgetAnswers(whom, after);
      while (after !== null);
      return { isKnown, since: now };
    });
    waiting.set(name, mine);
    return mine;
  };
  return {
    forgetAnswersOf,
    async erasePlayer(tenant, playerId, now, { audit = null, looked } = {}) {
      const before = looked ?? (await forgetAnswersOf(tenant, playerId, now));
      return parts.erase({ tenant, playerId }, now, before, audit);
    },
  };
}
