/**
 * The tenant's backend: sends requests to any node, and never learns whether an unanswered request
 * counted.
 */

import type { Told } from '../../src/testing/matches/histories.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** The header `Idempotency-Key`. */
  readonly once?: string;
}

export interface Backend {
  /** One request to one node; null when no response came. */
  ask(request: Request): Promise<Answer | null>;
  /**
   * Repeats it until there is a response that is not an error of the service. Throws after a
   * minute.
   */
  insist(request: Request): Promise<Answer>;
}

export interface BackendOptions {
  /** The address for the next request. */
  url(): string;
  readonly key: string;
  /** Called for each response 500, which is always a bug. */
  onFault(what: string): void;
}

const ANSWER_MS_MAX = 5_000;
const INSIST_MS_MAX = 60_000;
const RETRY_MS = 150;

export function makeBackend({ url, key, onFault }: BackendOptions): Backend {
  const ask: Backend['ask'] = async ({ method, path, body, once }) => {
    try {
      const response = await fetch(url() + path, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          ...(once === undefined ? null : { 'Idempotency-Key': once }),
        },
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        ...(body === undefined ? null : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status === 500)
        onFault(`500: ${method} ${path} ${response.headers.get('x-request-id')}`);
      const json = text === '' ? {} : (JSON.parse(text) as Answer['json']);
      return { status: response.status, headers: response.headers, json };
    } catch {
      return null;
    }
  };
  return {
    ask,
    async insist(request) {
      const until = performance.now() + INSIST_MS_MAX;
      for (;;) {
        const answer = await ask(request);
        if (answer !== null && !isPassing(answer)) return answer;
        if (performance.now() > until) {
          const last = answer === null ? 'no answer' : `${answer.status}`;
          throw new Error(`${request.method} ${request.path}: ${last} for a minute`);
        }
        await Bun.sleep(RETRY_MS);
      }
    },
  };
}

/** Temporary; also for the first request with this key, which is still in progress. */
function isPassing({ status, headers }: Answer): boolean {
  return status >= 500 || headers.get('x-error-code') === 'idempotency_in_progress';
}

/** The result of a request for a place. */
export function resultOf(answer: Answer | null): Told {
  if (answer === null || answer.status >= 500) return 'unknown';
  return answer.status < 300 ? 'ok' : 'refused';
}

/** The best result of a player: a granted place is theirs, whatever came after. */
export function bestOf(before: Told | undefined, now: Told): Told {
  if (before === 'ok' || now === 'ok') return 'ok';
  return before === 'unknown' || now === 'unknown' ? 'unknown' : 'refused';
}
