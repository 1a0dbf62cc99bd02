/** Calls the dashboard's routes: JSON in, JSON out, errors with the service's message. */

/** The base of every path for `ask`. */
export const API_BASE = '/dashboard/api';

/** An error response, with the service's message. */
export class Refusal extends Error {
  /** 0: the service could not be reached. */
  readonly status: number;
  readonly code: string;
  /** Empty if there was no response. */
  readonly requestId: string;
  constructor(status: number, code: string, message: string, requestId = '') {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof Refusal && error.status === 401;
}

export type Json = Readonly<Record<string, unknown>>;

/** Dispatched on `window` after every request: whether there was a response. */
export class ReachEvent extends Event {
  static readonly type = 'matchd-reach';
  readonly isReached: boolean;
  constructor(isReached: boolean) {
    super(ReachEvent.type);
    this.isReached = isReached;
  }
}

/** `path` is below `/dashboard/api`. With a body the method is POST. Throws a Refusal. */
export async function ask<Answer = Json>(
  path: string,
  body?: object,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const response = await send(path, body, method);
  const answer = await readJson(response);
  if (response.ok) return answer as Answer;
  throw refusalOf(response, answer);
}

async function send(path: string, body: object | undefined, method: string): Promise<Response> {
  try {
    const response = await fetch(API_BASE + path, {
      method,
      credentials: 'same-origin',
      headers: {
        'X-Matchd-Dashboard': '1',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    dispatchEvent(new ReachEvent(true));
    return response;
  } catch {
    dispatchEvent(new ReachEvent(false));
    throw new Refusal(0, 'offline', 'The service cannot be reached. Is it running?');
  }
}

async function readJson(response: Response): Promise<Json> {
  const text = await response.text();
  return text === '' ? {} : (JSON.parse(text) as Json);
}

function refusalOf(response: Response, answer: Json): Refusal {
  const code = response.headers.get('X-Error-Code') ?? '';
  const wait = response.headers.get('Retry-After');
  const message = String(answer['error'] ?? `Status ${response.status}`);
  const words = wait === null ? message : `${message} (${wait} s)`;
  return new Refusal(response.status, code, words, response.headers.get('X-Request-Id') ?? '');
}

/** The raw response, for the explorer: errors are responses there. */
export async function askRaw(
  path: string,
  method: string,
  body: object | undefined,
): Promise<{ readonly status: number; readonly requestId: string; readonly json: Json }> {
  const response = await send(path, body, method);
  const requestId = response.headers.get('X-Request-Id') ?? '';
  return { status: response.status, requestId, json: await readJson(response) };
}
