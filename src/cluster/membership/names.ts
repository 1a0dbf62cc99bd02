/**
 * Players that another node has erased (rule R2): their names leave memory soon. The store's seats decide, so
 * messages may come late, twice or never.
 */

import { parseWorldName, worldName } from '../../events/event.ts';
import type { Erased } from '../../runtime/host/host-deps.ts';
import type { LocalHost } from '../../runtime/host/match-host.ts';
import type { PlayersByWorld } from '../../runtime/host/match-names.ts';
import type { Cancel, Clock } from '../../runtime/ports.ts';
import type { ErasureStore } from '../../store/cluster.ts';
import { worldOf } from '../../store/world.ts';

export interface Names {
  /** A player was erased, here or elsewhere: memory is searched a moment later. */
  heard(player: Erased): void;
  /** A session's seat is in memory from now on, and was requested at that time; ms since 1970. */
  seated(session: string, askedAt: number): void;
  /** To be called about once a second, never concurrently. Rejects when the store cannot be asked. */
  maintain(): Promise<void>;
  /**
   * The shutdown: stored responses of recently erased players are searched now, for a second at most. Never
   * rejects.
   */
  close(): Promise<void>;
}

export interface NamesDeps {
  readonly local: Pick<LocalHost, 'naming' | 'forgetSeat'>;
  readonly store: ErasureStore;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** A player was erased, at that time (ms since 1970), and no message about it had come. */
  onUnheard(player: Erased, at: number): void;
  /** An unexpected error; for the log. */
  onError(error: unknown): void;
}

/**
 * An erased player's name is searched for this long: an earlier request to the store may still bring it into
 * memory. After that the responses stored meanwhile are searched. Ms.
 */
const RECENT_MS = 10_000;
/** Messages within this time share one search of memory. Ms. */
const HEARD_MS = 100;
/** Sessions in memory that are checked each second, without a message about their players. */
const LOOKED_AT_ONCE = 1_000;
/** A seat that took this long to be written is checked separately: its player may not be recent any more. Ms. */
const SLOW_SEAT_MS = 1_000;
/** Players whose stored responses are searched each second, one after the other: each search scans some of them. */
const FORGOTTEN_AT_ONCE = 50;
/** How long the shutdown waits for the rest. Ms. */
const LAST_MS = 1_000;

export function makeNames({ local, store, clock, onUnheard, onError }: NamesDeps): Names {
  const recent = makeRecent();
  const answers = makeForgetting({ store, clock, onError }, recent);
  let isClosed = false;
  /** Ends the wait before a search; null when none is planned. */
  let cancelLook: Cancel | null = null;
  /** The store's last count: when it changes, all sessions are checked, and once more later. */
  let revision = -1;
  let againAt = Infinity;
  /** The sessions of a round that are still to be checked; and does another round follow? */
  let due: readonly string[] = [];
  let isRoundDue = false;
  /** Those with a seat that took long. */
  const slow: string[] = [];
  const note = (player: Erased): void => recent.set(player, clock.now() + RECENT_MS);

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
    recent.byWorld.size === 0 ? [] : local.naming(recent.byWorld);
  const lookUpAll = async (): Promise<void> => {
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
    const late = slow.slice(0, LOOKED_AT_ONCE);
    await look([...new Set([...lookForRecent(), ...late, ...some])]);
    due = due.slice(some.length);
    slow.splice(0, late.length);
  };
  return {
    heard(player) {
      if (isClosed) return;
      note(player);
      cancelLook ??= clock.after(HEARD_MS, () => {
        cancelLook = null;
        look(lookForRecent()).catch(onError);
      });
    },
    seated(session, askedAt) {
      if (clock.now() - askedAt >= SLOW_SEAT_MS) slow.push(session);
    },
    async maintain() {
      const lookedAt = clock.now();
      await lookUpAll();
      if (!isClosed) answers.forget(lookedAt);
    },
    close() {
      isClosed = true;
      cancelLook?.();
      return answers.end();
    },
  };
}

type Recent = ReturnType<typeof makeRecent>;

/** Searches the stored responses of players whose time is over. Nothing else waits for that. */
function makeForgetting(
  { store, clock, onError }: Pick<NamesDeps, 'store' | 'clock' | 'onError'>,
  recent: Recent,
) {
  let round: Promise<void> | null = null;
  let isOver = false;
  /** Ends at the first failure: those players have their turn again after the others. */
  const forget = async (lookedAt: number, max: number): Promise<void> => {
    for (let left = max; left > 0 && !isOver; left--) {
      const player = recent.over(lookedAt);
      if (player === null) return;
      recent.delete(player);
      try {
        await store.forgetAnswers(player.tenant, player.world, player.playerId);
      } catch (error) {
        // New messages about them may have come meanwhile.
        if (!recent.has(player)) recent.putLast(player, lookedAt);
        if (!isOver) onError(error);
        return;
      }
    }
  };
  return {
    /** Begins a round, unless one is running. Sessions were last checked at that time, ms since 1970. */
    forget(lookedAt: number): void {
      round ??= forget(lookedAt, FORGOTTEN_AT_ONCE).finally(() => {
        round = null;
      });
    },
    async end(): Promise<void> {
      const timeUp = Promise.withResolvers<void>();
      const cancel = clock.after(LAST_MS, timeUp.resolve);
      const rest = async (): Promise<void> => {
        await round;
        await forget(Infinity, Infinity);
      };
      await Promise.race([rest(), timeUp.promise]);
      isOver = true;
      cancel();
    },
  };
}

function placeOf({ tenant, world }: Erased): string {
  return worldName({ tenant, mode: world });
}

/** Recently erased players: until when their names are searched for, ms since 1970, by world and id. */
function makeRecent() {
  const byWorld = new Map<string, Map<string, number>>();
  return {
    byWorld: byWorld as PlayersByWorld,
    has: (player: Erased) => byWorld.get(placeOf(player))?.has(player.playerId) === true,
    set(player: Erased, until: number): void {
      const place = placeOf(player);
      const ids = byWorld.get(place) ?? new Map<string, number>();
      byWorld.set(place, ids.set(player.playerId, until));
    },
    delete(player: Erased): void {
      const place = placeOf(player);
      const ids = byWorld.get(place);
      if (ids?.delete(player.playerId) && ids.size === 0) byWorld.delete(place);
    },
    /** After all others. */
    putLast(player: Erased, until: number): void {
      const place = placeOf(player);
      const ids = byWorld.get(place) ?? new Map<string, number>();
      byWorld.delete(place);
      byWorld.set(place, ids.set(player.playerId, until));
    },
    /** The first whose time is over; null when there is none. */
    over(now: number): Erased | null {
      for (const [place, ids] of byWorld) {
        const { tenant, mode } = parseWorldName(place);
        const world = worldOf({ mode });
        for (const [playerId, until] of ids) if (now >= until) return { tenant, world, playerId };
      }
      return null;
    },
  };
}
