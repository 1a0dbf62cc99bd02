/** A tenant's backend that sends requests to a server, and notes how long each response takes. */

import type { ServerProcess } from '../parts/server-process.ts';

export interface Asked {
  readonly status: number;
  /** `X-Error-Code`; null if the response is no error. */
  readonly code: string | null;
  /** `Retry-After`, seconds; null if there is none. */
  readonly retryS: number | null;
  readonly ms: number;
  /** When it arrived, by `performance.now()`. */
  readonly at: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they assert.
  readonly json: any;
}

/** A write. The same again, with its Idempotency-Key, is a repeat. */
export interface Write {
  send(): Promise<Asked>;
  /** Whether it has been done. Throws if it was done twice. */
  isDone(): Promise<boolean>;
}

export interface Asker {
  get(path: string): Promise<Asked>;
  verify(session: string): Promise<Asked>;
  /** Creates a session. */
  makeCreate(): Write;
  /** Ends a session. */
  makeEnd(session: string): Write;
  /** Creates a webhook: a row that belongs to no match. */
  makeWebhook(): Write;
}

function atMostOnce(made: readonly object[]): boolean {
  if (made.length > 1) throw new Error(`one request created ${made.length}`);
  return made.length === 1;
}

let writes = 0;

export function makeAsker({ url, testKey }: ServerProcess): Asker {
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
  const get = (path: string) => ask(path);
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const makeKey = () => {
    writes += 1;
    return { 'Idempotency-Key': `w${writes}` };
  };
  return {
    get,
    verify: (session) => post(`/v1/sessions/${session}/verify`, {}),
    makeCreate() {
      const key = makeKey();
      const players = [{ id: `c${writes}` }, { id: `d${writes}` }];
      const body = { game: 'tictactoe', matchType: 'private', players };
      const list = `/v1/sessions?player=c${writes}`;
      return {
        send: () => post('/v1/sessions', body, key),
        async isDone() {
          const { data } = (await get(list)).json as { data: object[] };
          return atMostOnce(data);
        },
      };
    },
    makeEnd(session) {
      const key = makeKey();
      return {
        send: () => post(`/v1/sessions/${session}/end`, {}, key),
        isDone: async () => (await get(`/v1/sessions/${session}`)).json.status === 'ended',
      };
    },
    makeWebhook() {
      const key = makeKey();
      const url = `https://w${writes}.example/hook`;
      return {
        send: () => post('/v1/webhooks', { url }, key),
        async isDone() {
          const { data } = (await get('/v1/webhooks?limit=100')).json as {
            data: { url: string }[];
          };
          return atMostOnce(data.filter((webhook) => webhook.url === url));
        },
      };
    },
  };
}
