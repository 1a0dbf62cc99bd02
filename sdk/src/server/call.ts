/** One API call: its request, time limit and retries, and its answer or error. */

import type { Operations } from '../generated/api.ts';
import { OPERATIONS } from '../generated/api.ts';
import { MatchdError } from './error.ts';
import type { Ports } from './ports.ts';
import { makeUniqueKey } from './ports.ts';
import { isPassing, parseRetryAfter, waitBeforeRetry } from './retry.ts';

export interface MatchdOptions {
  /** Where the service is: `https://play.example.com`. */
  readonly url: string;
  /** `mk_live_…` or `mk_test_…`, or the token of a bot for that bot's own calls. */
  readonly key: string;
  /** Time limit of one attempt in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is retried after a transient failure; 3 by default. */
  readonly retries?: number | undefined;
  /** Replaces the runtime's own fetch. */
  readonly fetch?: Ports['fetch'] | undefined;
  /**
   * Called with every response, also of retried attempts, for logs. An error it throws rejects the
   * call without a retry, although the service may have performed the request.
   */
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined;
}

export interface CallOptions {
  /** Aborts the call at any point; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  /** Your own key instead of a generated one, so that repeating the call later has no second effect. */
  readonly idempotencyKey?: string | undefined;
}

/** What a log needs to know about a response. */
export interface ResponseInfo {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly requestId: string | null;
  /** 0 for the first attempt. */
  readonly attempt: number;
  readonly durationMs: number;
  /** Requests left in the plan's window, and when it ends, ms since 1970. */
  readonly rateLimit: { readonly remaining: number; readonly resetAt: number } | null;
}

export type Operation = keyof Operations;
type Given<Value, Name extends string> = [Value] extends [null]
  ? unknown
  : { readonly [Key in Name]: Value };
/** The arguments of an operation: those of `path`, `query` and `body` that it has. */
export type CallArguments<Name extends Operation> = Given<Operations[Name]['path'], 'path'> &
  Given<Operations[Name]['query'], 'query'> &
  Given<Operations[Name]['body'], 'body'>;

/** The same without the names of the parameters. */
interface Parts {
  readonly path?: object;
  readonly query?: object;
  readonly body?: unknown;
}

export interface Caller {
  call<Name extends Operation>(
    name: Name,
    asked: CallArguments<Name>,
    options?: CallOptions,
  ): Promise<Operations[Name]['answer']>;
  /**
   * One attempt, up to the response headers; the caller reads or cancels the body. Throws for
   * errors that are neither the service's nor the network's.
   */
  open<Name extends Operation>(
    name: Name,
    asked: CallArguments<Name>,
    headers: Readonly<Record<string, string>>,
    options: Pick<CallOptions, 'signal'>,
  ): Promise<AttemptResult<Response>>;
}

const TIMEOUT_MS = 10_000;
const RETRIES = 3;

/** One call with all its attempts. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly options: CallOptions;
}

export function makeCaller(options: MatchdOptions, ports: Ports): Caller {
  if (!options.key) throw new TypeError('key is required: mk_live_… or mk_test_…');
  checkHeader('key', options.key);
  const base = new URL(options.url).href.replace(/\/+$/, '');
  const send = async (name: Operation, asked: Parts, own: CallOptions): Promise<unknown> => {
    const request = makeRequest(base, options, ports, name, asked, {}, own);
    for (let attempt = 0; ; attempt += 1) {
      const tried = await tryOnce(options, ports, request, attempt, readJson);
      if ('answer' in tried) return tried.answer;
      const { failure } = tried;
      const wait = waitAfter(failure, attempt, own.retries ?? options.retries, ports);
      if (wait === null) throw failure;
      await ports.wait(wait, own.signal);
      own.signal?.throwIfAborted();
    }
  };
  return {
    call: (name, asked, own = {}) => send(name, asked as Parts, own) as never,
    async open(name, asked, headers, own) {
      const request = makeRequest(base, options, ports, name, asked as Parts, headers, own);
      return tryOnce(options, ports, request, 0, (response) => Promise.resolve(response));
    },
  };
}

/** How long to wait before the next attempt; null if there is none. */
function waitAfter(failure: MatchdError, attempt: number, retries = RETRIES, ports: Ports) {
  if (attempt >= retries || !isPassing(failure.status, failure.code)) return null;
  return waitBeforeRetry(attempt, failure.retryAfterMs, ports.random());
}

/**
 * fetch throws the same error for such a value as without a network, and the call would be retried.
 * Only the character is shown: the rest may be a secret.
 */
function checkHeader(name: string, value: string): void {
  // fetch itself strips a trailing newline, which a key read from a file has.
  const wrong = /[^\t\x20-\x7e\x80-\xff]/u.exec(String(value).replace(/[\t\n\r ]+$/, ''));
  if (wrong === null) return;
  const [character] = wrong;
  throw new TypeError(
    `${name} cannot be sent: its character ${wrong.index + 1} is ${JSON.stringify(character)}`,
  );
}

function makeRequest(
  base: string,
  { key }: MatchdOptions,
  ports: Ports,
  name: Operation,
  asked: Parts,
  headers: Readonly<Record<string, string>>,
  options: CallOptions,
): Request {
  const [method, template] = OPERATIONS[name].split(' ') as [string, string];
  const path = fillPath(template, asked.path as Readonly<Record<string, string>> | undefined);
  return {
    method,
    path,
    url: base + path + printQuery(asked.query),
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${key}`,
      ...(method !== 'GET' && makeWriteHeaders(options, ports)),
      ...headers,
    },
    body: method === 'GET' ? undefined : JSON.stringify(asked.body ?? {}),
    options,
  };
}

function makeWriteHeaders({ idempotencyKey }: CallOptions, ports: Ports) {
  const key = idempotencyKey ?? makeUniqueKey(ports);
  checkHeader('idempotencyKey', key);
  return { 'content-type': 'application/json', 'idempotency-key': key };
}

/**
 * However they are encoded, `.` and `..` are resolved as path segments, and an empty value names
 * another path.
 */
function fillPath(template: string, values: Readonly<Record<string, string>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} cannot be "${value}"`);
    return encodeURIComponent(value);
  });
}

function printQuery(query: object | undefined): string {
  const given = Object.entries(query ?? {}).flatMap(([name, value]) => printParameter(name, value));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** An object becomes one parameter per key: `metadata[orderId]`. */
function printParameter(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, each]) => printParameter(`${name}[${key}]`, each));
}

/** The result of one attempt as far as the service and the network are concerned. Everything else is thrown. */
export type AttemptResult<Answer> = { readonly answer: Answer } | { readonly failure: MatchdError };

/** One request with its time limit, which includes reading the body where that happens here. */
async function tryOnce<Answer>(
  options: MatchdOptions,
  ports: Ports,
  request: Request,
  attempt: number,
  read: (response: Response) => Promise<Answer>,
): Promise<AttemptResult<Answer>> {
  const limit = startLimit(request, options);
  const { method, headers, body, url } = request;
  const init: RequestInit = { method, headers, signal: limit.signal };
  const began = ports.now();
  try {
    const fetched = await limit.hold(() =>
      ports.fetch(url, body === undefined ? init : { ...init, body }),
    );
    if ('failure' in fetched) return fetched;
    const response = fetched.answer;
    // Outside `hold`: an error thrown by the listener says nothing about the network.
    note(options, request, response, attempt, ports.now() - began);
    return await limit.hold(async () => {
      if (!response.ok) throw await readError(response, ports.now());
      return read(response);
    });
  } catch (error) {
    // Nobody will read the response body.
    limit.abort();
    throw error;
  } finally {
    limit.end();
  }
}

/** Combines the time limit of one attempt with the caller's signal. */
function startLimit({ url, options }: Request, { timeoutMs: usual = TIMEOUT_MS }: MatchdOptions) {
  const { signal, timeoutMs = usual } = options;
  signal?.throwIfAborted();
  const control = new AbortController();
  const abort = (): void => control.abort(signal?.reason);
  const timer = setTimeout(() => control.abort(), timeoutMs);
  signal?.addEventListener('abort', abort);
  const explain = (cause: unknown): MatchdError =>
    control.signal.aborted
      ? new MatchdError(`No answer within ${timeoutMs} ms`, { code: 'timeout' })
      : new MatchdError(`No answer from ${url}`, { code: 'network_error', cause });
  return {
    signal: control.signal,
    abort,
    /** Treats an error thrown by `step` as a network failure or a timeout. */
    async hold<Value>(step: () => Promise<Value>): Promise<AttemptResult<Value>> {
      try {
        return { answer: await step() };
      } catch (error) {
        if (error instanceof MatchdError) return { failure: error };
        signal?.throwIfAborted();
        return { failure: explain(error) };
      }
    },
    end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { status } = response;
    const requestId = response.headers.get('x-request-id');
    throw new MatchdError('The answer is no JSON', {
      status,
      code: 'bad_answer',
      requestId,
      cause,
    });
  }
}

async function readError(response: Response, now: number): Promise<MatchdError> {
  const { status, headers } = response;
  const text = await response.text();
  return new MatchdError(messageIn(text) ?? `The service answered ${status}`, {
    status,
    code: headers.get('x-error-code') ?? `http_${status}`,
    requestId: headers.get('x-request-id'),
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
  });
}

function messageIn(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    return typeof error === 'string' ? error : null;
  } catch {
    return null;
  }
}

function note(
  { onResponse }: MatchdOptions,
  { method, path }: Request,
  { status, headers }: Response,
  attempt: number,
  durationMs: number,
): void {
  if (onResponse === undefined) return;
  const remaining = headers.get('x-ratelimit-remaining');
  const resetAt = Number(headers.get('x-ratelimit-reset')) * 1_000;
  onResponse({
    method,
    path,
    status,
    code: headers.get('x-error-code'),
    requestId: headers.get('x-request-id'),
    attempt,
    durationMs,
    rateLimit: remaining === null ? null : { remaining: Number(remaining), resetAt },
  });
}
