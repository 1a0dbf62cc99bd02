/** Erasing a player: what his tenant keeps for repeats is looked through first, step by step. */

import { makeInTurn } from './in-turn.ts';
import type { AuditRow, CoreStore, LookedThrough } from './store.ts';

/** Players of a tenant, all of whom it knows, or none. */
export interface Whom {
  readonly tenant: string;
  readonly playerIds: readonly string[];
  /** Are there rows of them? Who was merely handed a token for the lobby has none. */
  readonly isKnown: boolean;
}

export interface ErasingParts<Place> {
  /** So many players are looked for in one walk at most. */
  readonly together: number;
  isKnown(tenant: string, playerId: string): boolean | Promise<boolean>;
  /**
   * Removes what names them of the next kept answers, from after a place on: null for the beginning.
   * Answers where the next step begins, null when there is none.
   */
  forgetAnswers(whom: Whom, after: Place | null): Promise<Place | null>;
  /** The erasure, and the answers kept since `looked`. */
  erase(
    whom: { readonly tenant: string; readonly playerId: string },
    now: number,
    looked: LookedThrough,
    audit: AuditRow | null,
  ): Promise<boolean>;
}

/** A player whose walk has not begun. */
interface Waiting extends PromiseWithResolvers<LookedThrough> {
  readonly playerId: string;
  readonly since: number;
}

export function makeErasing<Place>(
  parts: ErasingParts<Place>,
): Pick<CoreStore, 'forgetAnswersOf' | 'erasePlayer'> {
  /** Walks of a tenant one at a time: whoever writes meanwhile waits for one step of each and no more. */
  const turns = makeInTurn();
  /** By tenant: who asks for the same waits with them, and the next walk is for all of them. */
  const waiting = new Map<string, Waiting[]>();
  const walk = async (whom: Whom): Promise<void> => {
    if (whom.playerIds.length === 0) return;
    let after: Place | null = null;
    do after = await parts.forgetAnswers(whom, after);
    while (after !== null);
  };
  const walkForNext = async (tenant: string): Promise<void> => {
    const all = waiting.get(tenant) ?? [];
    const next = all.splice(0, parts.together);
    if (all.length === 0) waiting.delete(tenant);
    try {
      const known = new Set<string>();
      for (const { playerId } of next) {
        if (await parts.isKnown(tenant, playerId)) known.add(playerId);
      }
      for (const isKnown of [true, false]) {
        const those = next.filter(({ playerId }) => known.has(playerId) === isKnown);
        await walk({ tenant, playerIds: those.map(({ playerId }) => playerId), isKnown });
      }
      for (const { playerId, since, resolve } of next) {
        resolve({ isKnown: known.has(playerId), since });
      }
    } catch (error) {
      for (const { reject } of next) reject(error);
    }
  };
  const forgetAnswersOf = (
    tenant: string,
    playerId: string,
    since: number,
  ): Promise<LookedThrough> => {
    const all = waiting.get(tenant) ?? [];
    const other = all.find((each) => each.playerId === playerId);
    if (other !== undefined) return other.promise;
    const mine = { playerId, since, ...Promise.withResolvers<LookedThrough>() };
    waiting.set(tenant, [...all, mine]);
    // Of those that go in one walk the turns after the first find nobody left.
    void turns.run(tenant, () => walkForNext(tenant));
    return mine.promise;
  };
  return {
    forgetAnswersOf,
    async erasePlayer(tenant, playerId, now, { audit = null, looked } = {}) {
      const before = looked ?? (await forgetAnswersOf(tenant, playerId, now));
      return parts.erase({ tenant, playerId }, now, before, audit);
    },
  };
}
