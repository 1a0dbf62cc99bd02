/** Whether a player's token may open a socket: its tenant and the key that issued it decide. */

import { PLAY_TOKEN_ROLES, WATCH_TOKEN_ROLES } from '../../accounts/account.ts';
import type { AccountStore } from '../../store/accounts.ts';
import type { TenancyStore } from '../../store/store.ts';
import { isOriginAllowed } from '../../tenancy/origin.ts';
import type { ApiKey, Tenant } from '../../tenancy/tenant.ts';
import { limitsOf } from '../../tenancy/tenant.ts';
import { findMemberKey, isMember } from '../accounts/member-key.ts';
import type { Clock } from '../ports.ts';
import type { ActiveKey } from './key-ring.ts';
import type { TenancyMemory } from './tenancy-watch.ts';
import type { TokenClaims } from './tokens.ts';

export type AccessDecision =
  | { readonly ok: true; readonly socketsMax: number }
  | { readonly ok: false; readonly reason: 'token' | 'origin' };

export interface AccessCheck extends TenancyMemory {
  /** What a token opens, by origin. Sockets whose tokens have the same issuer share one answer. */
  accessOf(claims: TokenClaims): Promise<(origin: string | null) => AccessDecision>;
  /** The token's issuer, as if the issuer made the request; null when the issuer may not make requests any more. */
  issuerOf(claims: TokenClaims): Promise<Omit<ActiveKey, 'secret'> | null>;
}

interface Issuer {
  readonly tenant: Tenant | null;
  /** Null for the service's own tokens. */
  readonly key: ApiKey | null;
}

/** Issuers remembered at once. Above this, all are forgotten and read again. */
const ISSUERS_MAX = 10_000;

export function makeAccessCheck(
  store: Pick<TenancyStore, 'findTenant' | 'findKey'> &
    Pick<AccountStore, 'findAccount' | 'listMemberships'>,
  clock: Clock,
  publicOrigin: string,
): AccessCheck {
  /** Replaced when everything is forgotten, so that reads under way fill the old map. */
  let issuers = new Map<string, Issuer>();
  const find = async (claims: TokenClaims): Promise<Issuer> => {
    // No event reports a removed role, so members are looked up each time.
    if (claims.key !== null && isMember(claims.key)) {
      const mode = claims.mode === 'live' ? 'live' : 'test';
      const roles = claims.scope === 'watch' ? WATCH_TOKEN_ROLES : PLAY_TOKEN_ROLES;
      const tenant = await store.findTenant(claims.tenant);
      return { tenant, key: await findMemberKey(store, claims.key, claims.tenant, mode, roles) };
    }
    const name = `${claims.tenant}:${claims.key ?? ''}`;
    const known = issuers.get(name);
    if (known !== undefined) return known;
    const memory = issuers;
    const tenant = await store.findTenant(claims.tenant);
    const key = claims.key === null ? null : await store.findKey(claims.key);
    if (memory.size >= ISSUERS_MAX) memory.clear();
    memory.set(name, { tenant, key });
    return { tenant, key };
  };
  return {
    async accessOf(claims) {
      const { tenant, key } = await find(claims);
      const isKeyGone =
        claims.key !== null &&
        (key === null || isOver(key.revokedAt, clock) || isOver(key.expiresAt, clock));
      if (tenant === null || !tenant.active || isKeyGone) {
        return () => ({ ok: false, reason: 'token' });
      }
      const socketsMax = limitsOf(tenant).sockets;
      return (origin) =>
        isFrom(origin, key, publicOrigin)
          ? { ok: true, socketsMax }
          : { ok: false, reason: 'origin' };
    },
    async issuerOf(claims) {
      const { tenant, key } = await find(claims);
      if (tenant === null || !tenant.active || key === null) return null;
      if (isOver(key.revokedAt, clock) || isOver(key.expiresAt, clock)) return null;
      return { tenant, key, limits: limitsOf(tenant) };
    },
    forget() {
      issuers = new Map();
    },
  };
}

function isOver(at: number | null, clock: Clock): boolean {
  return at !== null && at <= clock.now();
}

/** Rule H7: programs send no origin, and the service's own page always may. */
function isFrom(origin: string | null, key: ApiKey | null, publicOrigin: string): boolean {
  if (origin === publicOrigin || key === null) return true;
  if (origin === null) return !key.requireOrigin;
  return isOriginAllowed(key.origins, origin);
}
