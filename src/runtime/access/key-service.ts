/** Creates, rotates and revokes API keys (rules K1, K2): for the dashboard and the commands. */

import type { OldSecret, TenancyStore } from '../../store/store.ts';
import type { KeyScopes } from '../../tenancy/key-scopes.ts';
import { makeKeyText } from '../../tenancy/key-text.ts';
import type { ApiKey, KeyMode } from '../../tenancy/tenant.ts';
import type { MakeId } from '../ids.ts';
import type { Clock, Randomness } from '../ports.ts';

/** Keys of a tenant that are not revoked, in both worlds: their origins are read for every page. */
export const KEYS_MAX = 200;
/** The longest time that a rotated secret may stay valid. */
export const OVERLAP_MS_MAX = 7 * 86_400_000;

export interface KeySettings {
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly name: string;
  readonly scopes: KeyScopes;
  readonly origins: readonly string[];
  readonly requireOrigin: boolean;
  readonly expiresAt: number | null;
}

export type KeyChange = Partial<Pick<ApiKey, 'name' | 'origins' | 'requireOrigin' | 'expiresAt'>>;

/** A key with its text, which is shown once and not stored. */
export interface MadeKey {
  readonly key: ApiKey;
  readonly text: string;
}

export interface KeyService {
  /** `full` when the tenant has the maximum number. */
  create(settings: KeySettings, actor: string): Promise<MadeKey | 'full'>;
  /** Older secrets are valid until `overlapUntil`. */
  rotate(
    key: ApiKey,
    overlapMs: number,
    actor: string,
  ): Promise<MadeKey & { readonly overlapUntil: number }>;
  update(key: ApiKey, change: KeyChange, actor: string): Promise<ApiKey>;
  /** Revoking twice is allowed: the first time stands. */
  revoke(key: ApiKey, actor: string): Promise<ApiKey>;
  /** Ends the overlap of every older secret at once; the newest stays valid. False when none was left. */
  endOverlap(key: ApiKey, actor: string): Promise<boolean>;
  /** Rotated secrets of the tenant's keys that are still valid, by the key's id. */
  oldTexts(tenant: string): Promise<ReadonlyMap<string, readonly OldSecret[]>>;
  list(tenant: string): Promise<readonly ApiKey[]>;
  find(id: string): Promise<ApiKey | null>;
}

export interface KeyServiceDeps {
  readonly store: Pick<
    TenancyStore,
    | 'createKey'
    | 'rotateKey'
    | 'endOverlap'
    | 'listOldSecrets'
    | 'updateKey'
    | 'findKey'
    | 'listKeys'
  >;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly makeId: MakeId;
}

export function makeKeyService(deps: KeyServiceDeps): KeyService {
  const { store, clock, randomness, makeId } = deps;
  const makeText = ({ mode, scopes }: Pick<ApiKey, 'mode' | 'scopes'>) =>
    makeKeyText(mode, (count) => randomness.bytes(count), scopes !== null);
  const auditOf = ({ tenant, id }: Pick<ApiKey, 'tenant' | 'id'>, actor: string, act: string) => ({
    tenant,
    actor,
    act,
    object: id,
    at: clock.now(),
  });
  return {
    async create(settings, actor) {
      const { text, id, hash, hint } = makeText(settings);
      const key: ApiKey = {
        id: makeId('key'),
        ...settings,
        hint,
        createdAt: clock.now(),
        revokedAt: null,
        lastUsedAt: null,
      };
      const audit = auditOf(key, actor, 'key.created');
      const outcome = await store.createKey(key, { id, hash }, audit, KEYS_MAX);
      return outcome === 'full' ? 'full' : { key, text };
    },
    async rotate(key, overlapMs, actor) {
      const { text, id, hash, hint } = makeText(key);
      const overlapUntil = clock.now() + overlapMs;
      const audit = auditOf(key, actor, 'key.rotated');
      await store.rotateKey(key.id, { id, hash }, hint, overlapUntil, audit);
      return { key: { ...key, hint }, text, overlapUntil };
    },
    async update(key, change, actor) {
      await store.updateKey(key.id, change, auditOf(key, actor, 'key.updated'));
      return { ...key, ...change };
    },
    async revoke(key, actor) {
      if (key.revokedAt !== null) return key;
      const revokedAt = clock.now();
      await store.updateKey(key.id, { revokedAt }, auditOf(key, actor, 'key.revoked'));
      return { ...key, revokedAt };
    },
    endOverlap: (key, actor) => store.endOverlap(key.id, auditOf(key, actor, 'key.overlap_ended')),
    async oldTexts(tenant) {
      const old = await store.listOldSecrets(tenant, clock.now());
      return Map.groupBy(old, ({ key }) => key);
    },
    list: (tenant) => store.listKeys(tenant),
    find: (id) => store.findKey(id),
  };
}

/** The recognizable part of an older secret. Both have the same prefix: a rotation keeps a key's mode and scopes. */
export function hintOfOld({ hint }: Pick<ApiKey, 'hint'>, { id }: Pick<OldSecret, 'id'>): string {
  return hint.slice(0, hint.lastIndexOf('_') + 1) + id;
}

export type KeyStatus = 'active' | 'expired' | 'revoked';

export function statusOf({ revokedAt, expiresAt }: ApiKey, now: number): KeyStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}
