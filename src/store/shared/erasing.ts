/** Erasing a player: the tenant's stored responses are searched first, step by step. */

import type { KeyMode } from '../../tenancy/tenant.ts';
import type { AnswerSearch, AuditRow, CoreStore } from '../store.ts';
import { makeInTurn } from './in-turn.ts';

/** Players of a tenant: these modes know all of them, or none. */
export interface Whom {
  readonly tenant: string;
  readonly worlds: readonly KeyMode[];
  readonly playerIds: readonly string[];
  /** Whether each has a row in one of the modes. A player who was only given a lobby token has none. */
  readonly isKnown: boolean;
}

export interface ErasingParts<Place> {
  /** How many players one walk searches for at most. */
  readonly together: number;
  isKnown(tenant: string, world: KeyMode, playerId: string): boolean | Promise<boolean>;
  /**
   * Removes the next stored responses that name them, starting after a position; null for the
   * beginning. Returns where the next step begins, null when there is none.
   */
  forgetAnswers(whom: Whom, after: Place | null): Promise<Place | null>;
  /** The erasure, and the responses stored since `looked`. */
  erase(
    whom: Pick<Whom, 'tenant' | 'worlds'> & { readonly playerId: string },
    now: number,
    looked: AnswerSearch,
    audit: AuditRow | null,
  ): Promise<boolean>;
}

/** A player whose walk has not begun. */
interface Waiting extends PromiseWithResolvers<AnswerSearch> {
  readonly playerId: string;
  readonly since: number;
}

export function makeErasing<Place>(
  parts: ErasingParts<Place>,
): Pick<CoreStore, 'forgetAnswersOf' | 'erasePlayer'> {
  /** One walk per tenant at a time, so that other writes wait for one step at most. */
  const turns = makeInTurn();
  /** By tenant and modes: requests for the same join, and one walk serves all of them. */
  const waiting = new Map<string, Waiting[]>();
  const isKnown = async (
    { tenant, worlds }: Pick<Whom, 'tenant' | 'worlds'>,
    playerId: string,
  ): Promise<boolean> => {
    for (const world of worlds) if (await parts.isKnown(tenant, world, playerId)) return true;
    return false;
  };
  const walk = async (whom: Whom): Promise<void> => {
    if (whom.playerIds.length === 0) return;
    let after: Place | null = null;
    do after = await parts.forgetAnswers(whom, after);
    while (after !== null);
  };
  const walkForNext = async (of: Pick<Whom, 'tenant' | 'worlds'>): Promise<void> => {
    const name = nameOf(of);
    const all = waiting.get(name) ?? [];
    const next = all.splice(0, parts.together);
    if (all.length === 0) waiting.delete(name);
    try {
      const known = new Set<string>();
      for (const { playerId } of next) {
        if (await isKnown(of, playerId)) known.add(playerId);
      }
      for (const isKnown of [true, false]) {
        const those = next.filter(({ playerId }) => known.has(playerId) === isKnown);
        await walk({ ...of, playerIds: those.map(({ playerId }) => playerId), isKnown });
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
    worlds: readonly KeyMode[],
    playerId: string,
    since: number,
  ): Promise<AnswerSearch> => {
    const of = { tenant, worlds };
    const all = waiting.get(nameOf(of)) ?? [];
    const other = all.find((each) => each.playerId === playerId);
    if (other !== undefined) return other.promise;
    const mine = { playerId, since, ...Promise.withResolvers<AnswerSearch>() };
    waiting.set(nameOf(of), [...all, mine]);
    // The first turn takes all players of the walk; later turns find nobody left.
    void turns.run(tenant, () => walkForNext(of));
    return mine.promise;
  };
  return {
    forgetAnswersOf,
    async erasePlayer(tenant, worlds, playerId, now, { audit = null, looked } = {}) {
      const before = looked ?? (await forgetAnswersOf(tenant, worlds, playerId, now));
      return parts.erase({ tenant, worlds, playerId }, now, before, audit);
    },
  };
}

function nameOf({ tenant, worlds }: Pick<Whom, 'tenant' | 'worlds'>): string {
  return `${tenant} ${worlds}`;
}
