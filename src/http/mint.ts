/** Tokens for players, made for an answer and made anew for its repeats (rules P1, S6, H8). */

import type { TokenClaims, TokenScope } from '../runtime/tokens.ts';
import { BOT_TOKEN_LIFE_S, TOKEN_LIFE_S } from '../runtime/tokens.ts';
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

/** An answer's body with its tokens. Its fields stay in their places. */
export function mintInto(deps: MintDeps, caller: Caller, body: object, mint: Mint): object {
  const lifeS = mint.kind === 'bot' ? BOT_TOKEN_LIFE_S : TOKEN_LIFE_S;
  const exp = Math.floor(deps.clock.now() / 1_000) + lifeS;
  const make = (scope: TokenScope, player: string | null, session: string | null): string => {
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
    case 'session':
      return {
        ...body,
        ...makeSessionTokens(deps, mint.players, (id) => make('session', id, mint.session)),
      };
    case 'seat': {
      const token = make('session', mint.player, mint.session);
      return { ...body, token, playUrl: makePlayUrl(deps, token) };
    }
    case 'lobby':
      return { ...body, token: make('lobby', mint.player, null) };
    case 'bot':
      return { ...body, token: make('bot', mint.player, null) };
    case 'watch':
      return { ...body, token: make('watch', null, mint.session) };
  }
}

function makeSessionTokens(
  deps: MintDeps,
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
    put(playUrls, player, makePlayUrl(deps, token));
  }
  return { sessionToken, tokens, playUrls, expiresIn: TOKEN_LIFE_S };
}

/** Any id is a field's name here, `__proto__` too. */
function put(table: Record<string, string>, name: string, value: string): void {
  if (name !== '__proto__') table[name] = value;
  else Object.defineProperty(table, name, { value, enumerable: true });
}

export function makePlayUrl({ publicUrl }: Pick<HttpDeps, 'publicUrl'>, token: string): string {
  return `${publicUrl}/play/#token=${token}`;
}

export function makeSocketUrl({ publicUrl }: Pick<HttpDeps, 'publicUrl'>): string {
  return `${publicUrl.replace(/^http/, 'ws')}/v1/socket`;
}
