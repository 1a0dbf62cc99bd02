/** A cache of API keys: authenticates a request without a look-up or a hash (rules K1, K2). */

import type { FoundKey, KeyUse, TenancyStore } from '../../store/store.ts';
import { type KeyRefusal, refuseKey } from '../../tenancy/key-check.ts';
import { isSameDigest, parseKeyText } from '../../tenancy/key-text.ts';
import type { ApiKey, TenantLimits } from '../../tenancy/tenant.ts';
import { limitsOf } from '../../tenancy/tenant.ts';
import type { Clock } from '../ports.ts';
import type { TenancyMemory } from './tenancy-watch.ts';

/** An active key, its tenant, and what the tenant may use. */
export interface ActiveKey extends FoundKey {
  readonly limits: TenantLimits;
}

export interface RefusedKey {
  readonly key: ApiKey;
  readonly why: KeyRefusal;
}

export interface KeyRing extends TenancyMemory {
  /**
   * The cached result for a key's text: the key, null for one that is not active, undefined when `find` has to be
   * asked.
   */
  peek(keyText: string): ActiveKey | null | undefined;
  /**
   * Null for an invalid, unknown or inactive key. Returns at once what `peek` knows, so that most requests do not
   * wait. Rejects when the store fails.
   */
  find(keyText: string): ActiveKey | null | Promise<ActiveKey | null>;
  /**
   * A known key that is not active, and why; null for an unknown key. Covers what `find` was asked a moment ago.
   */
  refused(keyText: string): RefusedKey | null;
  /** Writes last uses. To be called every second or so. Rejects when the store fails. */
  recordUses(): Promise<void>;
}

/** How long a cached key is trusted, unless a change is noticed earlier. */
export const KEY_LIFE_MS = 30_000;
/** Cached texts, of valid and of unknown keys each. The oldest is dropped first. */
const TEXTS_MAX = 10_000;
/** The last use of a key's secret is written at most this often. */
export const TOUCH_INTERVAL_MS = 60_000;

interface Held {
  readonly active: ActiveKey;
  /** When the next use is to be written. */
  touchAt: number;
}

export function makeKeyRing({
  store,
  clock,
  textsMax = TEXTS_MAX,
}: {
  readonly store: Pick<TenancyStore, 'findKeyBySecret' | 'touchKeys'>;
  readonly clock: Clock;
  readonly textsMax?: number;
}): KeyRing {
  const memory = makeMemory(textsMax);
  const underWay = new Map<string, Promise<ActiveKey | null>>();
  const uses = makeUses(store);

  const use = (entry: Held | null, now: number): ActiveKey | null => {
    if (entry === null || refuseKey(entry.active, now) !== null) return null;
    if (now >= entry.touchAt) entry.touchAt = uses.note(entry.active, now);
    return entry.active;
  };
  const peek = (text: string): ActiveKey | null | undefined => {
    const now = clock.now();
    const entry = memory.recall(text, now);
    return entry === undefined ? undefined : use(entry, now);
  };
  const look = async (text: string): Promise<ActiveKey | null> => {
    const digest = parseKeyText(text);
    if (digest === null) return null;
    const keep = memory.expect(text, clock.now() + KEY_LIFE_MS);
    const found = await store.findKeyBySecret(digest.id);
    const isIt =
      found !== null &&
      isSameDigest(found.secret.hash, digest.hash) &&
      // A restricted key whose scopes were lost is treated as invalid: never as one without limits.
      digest.isRestricted === (found.key.scopes !== null);
    const entry = isIt ? makeHeld(found) : null;
    keep(entry);
    return use(entry, clock.now());
  };
  const startLook = (text: string): Promise<ActiveKey | null> => {
    const looking = look(text).finally(() => {
      if (underWay.get(text) === looking) underWay.delete(text);
    });
    underWay.set(text, looking);
    return looking;
  };
  return {
    peek,
    find(text) {
      const known = peek(text);
      return known !== undefined ? known : (underWay.get(text) ?? startLook(text));
    },
    refused(text) {
      const now = clock.now();
      const entry = memory.recall(text, now) ?? null;
      const why = entry === null ? null : refuseKey(entry.active, now);
      return why === null ? null : { key: entry!.active.key, why };
    },
    forget() {
      memory.forget();
      underWay.clear();
    },
    recordUses: () => uses.record(clock.now()),
  };
}

function makeHeld(found: FoundKey): Held {
  return { active: Object.freeze({ ...found, limits: limitsOf(found.tenant) }), touchAt: 0 };
}

/** Cached results by text: a key, or null for an unknown one. */
interface Memory {
  /** Undefined for a text that is not cached, or no longer trusted. */
  recall(text: string, now: number): Held | null | undefined;
  /** To be called before a read; the returned function takes the result. */
  expect(text: string, staleAt: number): (entry: Held | null) => void;
  forget(): void;
}

interface Remembered {
  readonly entry: Held | null;
  /** When it has to be read again. */
  readonly staleAt: number;
}

function makeMemory(textsMax: number): Memory {
  const keys = new Map<string, Remembered>();
  /** Well-formed texts of unknown keys: separate, so that a flood of them drops no valid key. */
  const strangers = new Map<string, Remembered>();
  /** Incremented whenever everything is dropped, so that no earlier read fills the cache afterwards. */
  let generation = 0;
  return {
    recall(text, now) {
      const found = keys.get(text) ?? strangers.get(text);
      return found !== undefined && found.staleAt > now ? found.entry : undefined;
    },
    expect(text, staleAt) {
      const began = generation;
      return (entry) => {
        if (generation !== began) return;
        keys.delete(text);
        strangers.delete(text);
        const map = entry === null ? strangers : keys;
        // A map keeps insertion order: its first entry is the oldest.
        if (map.size >= textsMax) map.delete(map.keys().next().value!);
        map.set(text, { entry, staleAt });
      };
    },
    forget() {
      generation += 1;
      keys.clear();
      strangers.clear();
    },
  };
}

interface Uses {
  /** Notes a use and returns when the next is to be noted. */
  note(used: FoundKey, now: number): number;
  /** Writes the noted uses. A failed write is repeated the next time. */
  record(now: number): Promise<void>;
}

/** Last uses by secret: each text is read again now and then. */
function makeUses(store: Pick<TenancyStore, 'touchKeys'>): Uses {
  const pending = new Map<string, KeyUse>();
  const latest = new Map<string, number>();
  return {
    note({ key, secret }, now) {
      const last = latest.get(secret.id) ?? secret.lastUsedAt;
      if (last !== null && now < last + TOUCH_INTERVAL_MS) return last + TOUCH_INTERVAL_MS;
      latest.set(secret.id, now);
      pending.set(secret.id, { id: key.id, secret: secret.id, at: now });
      return now + TOUCH_INTERVAL_MS;
    },
    async record(now) {
      for (const [id, at] of latest) if (at + TOUCH_INTERVAL_MS <= now) latest.delete(id);
      if (pending.size === 0) return;
      const used = [...pending.values()];
      pending.clear();
      try {
        await store.touchKeys(used);
      } catch (error) {
        for (const use of used) if (!pending.has(use.secret)) pending.set(use.secret, use);
        throw error;
      }
    },
  };
}
