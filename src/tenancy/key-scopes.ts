/** The permissions of a restricted key (rule K5). */

/**
 * `read`: whatever a GET shows. `sessions`, `matchmaking`, `players`: to change those and to read them.
 * `admin`: bots, webhooks and integrity credentials, what changes the tenant's set-up.
 */
export const KEY_SCOPES = ['read', 'sessions', 'matchmaking', 'players', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** A key's permissions: these, or all if it is null. Fixed when the key is created. */
export type KeyScopes = readonly KeyScope[] | null;

/** The scopes of a call: one of these, or none if it is `any`. */
export type ScopesNeeded = readonly KeyScope[] | 'any';

/** How an unrestricted key's scopes are shown. */
const ALL_SCOPES = '*';

export function hasScope(scopes: KeyScopes, needed: ScopesNeeded): boolean {
  return scopes === null || needed === 'any' || needed.some((scope) => scopes.includes(scope));
}

/**
 * The scopes in the order of `KEY_SCOPES`, each once; null when one is unknown or there is none.
 */
export function parseKeyScopes(texts: readonly string[]): readonly KeyScope[] | null {
  const known = KEY_SCOPES.filter((scope) => texts.includes(scope));
  return known.length > 0 && known.length === new Set(texts).size ? known : null;
}

/** As responses show them: `*` stands for all. */
export function presentScopes(scopes: KeyScopes): readonly string[] {
  return scopes ?? [ALL_SCOPES];
}
