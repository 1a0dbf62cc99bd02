/** The app's own backend, as its page sees it: it holds the key, so the page never does. */

import type { DemoGame, DemoMatch } from '../../../src/http/site/demo.ts';

/** The options of a new match. Without a level people take all seats. */
export interface Wish {
  readonly game: string;
  readonly variant: string;
  readonly seats: number;
  readonly level: string | null;
}

export const fetchGames = async (): Promise<readonly DemoGame[]> =>
  (await ask<{ readonly games: readonly DemoGame[] }>('games', {})).games;

export const makeMatch = (wish: Wish): Promise<DemoMatch> => ask('matches', wish);

/**
 * The credentials to open a seat again: a token for a page that runs, a URL for one that is
 * reloaded.
 */
export const freshSeat = (
  session: string,
  player: string,
): Promise<{ readonly token: string; readonly playUrl: string }> =>
  ask('tokens', { session, player });

/** The service's own error message. */
export class BackendError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Throws a `BackendError` for an error response. */
async function ask<T>(name: string, body: object): Promise<T> {
  const response = await fetch(`/demo/api/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json().catch(() => ({}))) as T & { readonly error?: string };
  if (!response.ok) {
    const words = answer.error ?? `The backend answered ${response.status}`;
    throw new BackendError(response.status, words);
  }
  return answer;
}
