/** Matches of tic-tac-toe whose turns time out, played over bare sockets. */

import { call, type Tenant } from './matches.ts';

export interface TurnMatch {
  readonly sessionId: string;
  readonly roomCode: string;
  readonly tokens: Readonly<Record<string, string>>;
}

/** Lengths in ms. */
export interface TurnOptions {
  readonly turnTimeoutMs: number;
  readonly disconnectGraceMs?: number;
}

export async function makeTurnMatch(
  tenant: Tenant,
  players: readonly string[],
  options: TurnOptions,
): Promise<TurnMatch> {
  return (await call(tenant, 'POST', '/v1/sessions', {
    game: 'tictactoe',
    matchType: 'private',
    players: players.map((id) => ({ id })),
    options,
  })) as TurnMatch;
}

export function openSocket(url: string, token: string): WebSocket {
  return new WebSocket(`${url.replace('http', 'ws')}/v1/socket`, ['matchd.v1', `token.${token}`]);
}

/** Waits at most `msMax` for it; returns how long that took, ms. */
export async function until(what: () => boolean, msMax: number): Promise<number> {
  const from = performance.now();
  while (!what() && performance.now() - from < msMax) await Bun.sleep(50);
  return performance.now() - from;
}
