/** A tenant's backend that asks a server, and notes how long each answer takes. */

import type { ServerProcess } from '../server-process.ts';

export interface Asked {
  readonly status: number;
  /** `X-Error-Code`; null where the answer is no error. */
  readonly code: string | null;
  /** `Retry-After`, seconds; null where there is none. */
  readonly retryS: number | null;
  readonly ms: number;
  /** When it was there, by `performance.now()`. */
  readonly at: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they assert.
  readonly json: any;
}

export interface Asker {
  get(path: string): Promise<Asked>;
  verify(session: string): Promise<Asked>;
  /** Creates the session of this asker: the same again is a repeat of it. */
  create(): Promise<Asked>;
  /** The ids of the sessions of its player. */
  created(): Promise<readonly string[]>;
}

let askers = 0;

export function makeAsker({ url, testKey }: ServerProcess): Asker {
  askers += 1;
  const player = `c${askers}`;
  const ask = async (path: string, init: RequestInit = {}): Promise<Asked> => {
    const from = performance.now();
    const headers = { Authorization: `Bearer ${testKey}`, 'Content-Type': 'application/json' };
    const answer = await fetch(url + path, { ...init, headers: { ...headers, ...init.headers } });
    const json: unknown = await answer.json();
    const retry = answer.headers.get('retry-after');
    return {
      status: answer.status,
      code: answer.headers.get('x-error-code'),
      retryS: retry === null ? null : Number(retry),
      ms: performance.now() - from,
      at: performance.now(),
      json,
    };
  };
  const players = [{ id: player }, { id: `d${askers}` }];
  return {
    get: (path) => ask(path),
    verify: (session) => ask(`/v1/sessions/${session}/verify`, { method: 'POST' }),
    create: () =>
      ask('/v1/sessions', {
        method: 'POST',
        headers: { 'Idempotency-Key': player },
        body: JSON.stringify({ game: 'tictactoe', matchType: 'private', players }),
      }),
    async created() {
      const { json } = await ask(`/v1/sessions?player=${player}`);
      return (json.data as { sessionId: string }[]).map(({ sessionId }) => sessionId);
    },
  };
}
