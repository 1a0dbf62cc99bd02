/** Tokens for players, minted for a response and again for its repeats (rules P1, S6, H8). */

import type { TokenClaims, TokenScope } from '../../runtime/access/tokens.ts';
import { BOT_TOKEN_LIFE_S, TOKEN_LIFE_S } from '../../runtime/access/tokens.ts';
import type { HttpDeps } from './deps.ts';
import type { Caller, Mint } from './exchange.ts';

/** The fields that minting fills, blank. */
export const BLANK_SESSION_TOKENS = {
  sessionToken: '',
  tokens: {},
  playUrls: {},
  expiresIn: TOKEN_LIFE_S,
} as const;

export interface SessionTokens {
  readonly sessionToken: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly playUrls: Readonly<Record<string, string>>;
  readonly expiresIn: number;
}

type MintDeps = Pick<HttpDeps, 'tokens' | 'publicUrl' | 'clock'>;

/** A response's body with its tokens. The order of its fields stays. */
export function mintInto(deps: MintDeps, caller: Caller, body: object, mint: Mint): object {
  if (mint.kind === 'challenge') return { ...body, challenge: deps.tokens.challenge(mint.seed) };
  const lifeS = mint.kind === 'bot' ? BOT_TOKEN_LIFE_S : TOKEN_LIFE_S;
  const exp = Math.floor(deps.clock.now() / 1_000) + lifeS;
  const make = (scope: TokenScope, player: string | null, session: string | null): string => {
    // A member's tokens depend on the member: they end with the member's rights.
    const { tenant, key } = caller;
    const claims: TokenClaims = {
      scope,
      tenant: tenant.id,
      mode: mint.mode,
      player,
      session,
      key: key.id,
      exp,
    };
    return deps.tokens.make(claims);
  };
  switch (mint.kind) {
    case 'session': {
      const theme = (body as { readonly theme?: object | null }).theme ?? null;
      const address = makePlayAddress(deps, caller, theme && JSON.stringify(theme));
      return {
        ...body,
        ...makeSessionTokens(address, mint.players, (id) => make('session', id, mint.session)),
      };
    }
    case 'seat': {
      const token = make('session', mint.player, mint.session);
      return { ...body, token, playUrl: makePlayAddress(deps, caller, mint.theme)(token) };
    }
    case 'lobby':
      return { ...body, token: make('lobby', mint.player, null) };
    case 'bot':
      return { ...body, token: make('bot', mint.player, null) };
    case 'watch': {
      const token = make('watch', null, mint.session);
      return { ...body, token, playUrl: makePlayAddress(deps, caller, mint.theme)(token) };
    }
  }
}

function makeSessionTokens(
  address: (token: string) => string,
  players: readonly string[],
  make: (player: string) => string,
): SessionTokens {
  const tokens: Record<string, string> = {};
  const playUrls: Record<string, string> = {};
  let sessionToken = '';
  for (const player of players) {
    const token = make(player);
    if (sessionToken === '') sessionToken = token;
    put(tokens, player, token);
    put(playUrls, player, address(token));
  }
  return { sessionToken, tokens, playUrls, expiresIn: TOKEN_LIFE_S };
}

/** Any id may be a field's name here, `__proto__` too. */
function put(table: Record<string, string>, name: string, value: string): void {
  if (name !== '__proto__') table[name] = value;
  else Object.defineProperty(table, name, { value, enumerable: true });
}

/**
 * A match page's URL with a token: on the tenant's own path, because only that may be framed by the tenant (rule
 * W1). `theme` is the session's, as JSON. The part after the `#` is not sent to servers.
 */
function makePlayAddress(
  { publicUrl }: MintDeps,
  { tenant }: Caller,
  theme: string | null,
): (token: string) => string {
  const page = `${publicUrl}/play/${tenant.slug}/`;
  const palette = theme === null ? '' : `&palette=${encodeURIComponent(theme)}`;
  return (token) => `${page}#token=${token}${palette}`;
}

export function makeSocketUrl({ publicUrl }: Pick<HttpDeps, 'publicUrl'>): string {
  return `${publicUrl.replace(/^http/, 'ws')}/v1/socket`;
}
