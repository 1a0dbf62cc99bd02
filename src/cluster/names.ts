/**
 * Players whom another node has erased (rule R2): no match in memory names them for long. What counts
 * is what the store says of each seat, so news may come late, twice or never.
 */

import type { LocalHost } from '../runtime/match-host.ts';
import type { Erased } from '../runtime/match-table.ts';
import type { Cancel, Clock } from '../runtime/ports.ts';
import type { ErasureStore } from '../store/cluster.ts';

export interface Names {
  /** A player was erased, here or elsewhere: he is looked for a moment later. */
  heard(player: Erased): void;
  /** To be called about once a second. Rejects when the store cannot be asked. */
  tend(): Promise<void>;
  /** Nothing is looked for any more. */
  close(): void;
}

export interface NamesDeps {
  readonly local: Pick<LocalHost, 'naming' | 'forgetSeat'>;
  readonly store: ErasureStore;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** A player was erased, at that time (ms since 1970), and no news of it had come. */
  onUnheard(player: Erased, at: number): void;
  /** Something went wrong that should not; for the log. */
  onError(error: unknown): void;
}

/**
 * Who was erased is looked for so long: a match may be told his name by what was asked of the store
 * before. After that the answers that were kept meanwhile are looked through. Ms.
 */
const RECENT_MS = 10_000;
/** All that is heard within so long is one look at the sessions in memory. Ms. */
const HEARD_MS = 100;
/** Sessions in memory that are looked at each second, though nobody of theirs was heard to be erased. */
const LOOKED_AT_ONCE = 1_000;
/** Players whose answers are looked for each second, one after the other: each is a walk over some of them. */
const FORGOTTEN_AT_ONCE = 50;

export function makeNames({ local, store, clock, onUnheard, onError }: NamesDeps): Names {
  const recent = makeRecent();
  /** Ends the wait for a look at what was heard; null while none is to come. */
  let cancelLook: Cancel | null = null;
  /** As the store said it last: when it is another, all sessions are looked at, and once more later. */
  let revision = -1;
  let againAt = Infinity;
  /** Those of a round that are still to be looked at; and is another round to follow? */
  let due: readonly string[] = [];
  let isRoundDue = false;
  const note = (player: Erased, ms = RECENT_MS): void => recent.set(player, clock.now() + ms);

  const look = async (sessions: readonly string[]): Promise<void> => {
    if (sessions.length === 0) return;
    for (const { session, seat, at } of await store.listErased(sessions)) {
      const player = local.forgetSeat(session, seat);
      if (player === null || recent.has(player)) continue;
      note(player);
      onUnheard(player, at);
    }
  };
  const lookForRecent = (): readonly string[] =>
    recent.byTenant.size === 0 ? [] : local.naming(recent.byTenant);
  const lookForAll = async (): Promise<void> => {
    const before = revision;
    revision = await store.erasureRevision();
    const now = clock.now();
    if (revision !== before || now >= againAt) {
      isRoundDue = true;
      againAt = revision === before ? Infinity : now + RECENT_MS;
    }
    if (isRoundDue && due.length === 0) {
      isRoundDue = false;
      due = local.naming(null);
    }
    const some = due.slice(0, LOOKED_AT_ONCE);
    await look([...new Set([...lookForRecent(), ...some])]);
    due = due.slice(some.length);
  };
  const forgetAnswers = async (player: Erased): Promise<void> => {
    recent.delete(player);
    await store.forgetAnswers(player.tenant, player.playerId).catch((error: unknown) => {
      onError(error);
      note(player, 0);
    });
  };
  return {
    heard(player) {
      note(player);
      cancelLook ??= clock.after(HEARD_MS, () => {
        cancelLook = null;
        look(lookForRecent()).catch(onError);
      });
    },
    async tend() {
      await lookForAll();
      const now = clock.now();
      const over = recent.over(now).slice(0, FORGOTTEN_AT_ONCE);
      for (const player of over) await forgetAnswers(player);
    },
    close() {
      cancelLook?.();
    },
  };
}

/** Who was erased of late: until when he is looked for, ms since 1970, by id and tenant. */
function makeRecent() {
  const byTenant = new Map<string, Map<string, number>>();
  return {
    byTenant: byTenant as ReadonlyMap<string, ReadonlyMap<string, number>>,
    has: ({ tenant, playerId }: Erased) => byTenant.get(tenant)?.has(playerId) === true,
    set({ tenant, playerId }: Erased, until: number): void {
      const ids = byTenant.get(tenant) ?? new Map<string, number>();
      byTenant.set(tenant, ids.set(playerId, until));
    },
    delete({ tenant, playerId }: Erased): void {
      const ids = byTenant.get(tenant);
      if (ids?.delete(playerId) && ids.size === 0) byTenant.delete(tenant);
    },
    /** Those whose time is over. */
    over: (now: number): Erased[] =>
      [...byTenant].flatMap(([tenant, ids]) =>
        [...ids].flatMap(([playerId, until]) => (now >= until ? [{ tenant, playerId }] : [])),
      ),
  };
}
