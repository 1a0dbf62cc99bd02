/** Sends requests to the HTTP side concisely, and checks every response against the contract. */

import { errorsByStatus } from '../../contract/documents/openapi-parts.ts';
import { ERRORS, type ErrorCode } from '../../contract/errors.ts';
import type { Route } from '../../contract/routes/routes.ts';
import { KEY_ERRORS, ROUTES } from '../../contract/routes/routes.ts';
import type { HttpApp } from '../../http/app.ts';
import { PUBLIC_URL } from './http-service.ts';

/** A test's request. */
export interface Ask {
  readonly method?: string;
  readonly key?: string | null;
  readonly body?: unknown;
  /** The raw body, instead of `body`. */
  readonly raw?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they assert.
  readonly json: any;
}

export type Asking = (path: string, ask?: Ask) => Promise<Asked>;

/**
 * Sends requests to an app like a client. A body is sent as JSON, and makes the method POST. Every
 * response is checked against the contract.
 */
export function makeAsking(app: HttpApp, key: string | null): Asking {
  return async (path, ask = {}) => {
    const headers = new Headers();
    const bearer = ask.key === undefined ? key : ask.key;
    if (bearer !== null) headers.set('authorization', `Bearer ${bearer}`);
    const body = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    if (body !== undefined) headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(ask.headers ?? {})) headers.set(name, value);
    const request = new Request(`${PUBLIC_URL}${path}`, {
      method: ask.method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const response = await app.fetch(request, { address: ask.address ?? '203.0.113.7' });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const json = isJson && text !== '' ? JSON.parse(text) : null;
    checkAnswer(request, response, text);
    return { status: response.status, headers: response.headers, text, json };
  };
}

/** Rules H2, H3, H6 and H10 apply to every response; throws if one is violated. */
function checkAnswer(request: Request, response: Response, text: string): void {
  const wrong = findFault(request, response, text);
  if (wrong === null) return;
  const what = `${request.method} ${request.url} → ${response.status} ${text.slice(0, 300)}`;
  throw new Error(`${what}: ${wrong}`);
}

function findFault(request: Request, { status, headers }: Response, text: string): string | null {
  if (!/^req_[0-9a-z]{26}$/.test(headers.get('x-request-id') ?? '')) return 'no X-Request-Id';
  const code = headers.get('x-error-code') as ErrorCode | null;
  const route = findRoute(request);
  if (status < 400) {
    if (code !== null) return 'an error code on a success';
    const schema = route?.answers[status]?.schema;
    const parsed = text === '' ? undefined : schema?.safeParse(JSON.parse(text));
    return parsed === undefined || parsed.success ? null : parsed.error.message;
  }
  if (code === null || ERRORS[code] === undefined) return `no such code as ${code}`;
  if (ERRORS[code].status !== status) return `${code} with another status`;
  const wait = headers.get('retry-after') ?? '';
  if (status === 429 && !/^[1-9]\d*$/.test(wait)) return 'no Retry-After';
  if (route !== undefined && !ownErrors(route).includes(code)) return `${code} is not listed`;
  return request.method === 'HEAD' ? null : findBodyFault(code, text);
}

function findBodyFault(code: ErrorCode, text: string): string | null {
  const body = JSON.parse(text) as { error?: unknown };
  if (typeof body.error !== 'string') return 'no error text';
  const shape = ERRORS[code].message
    .split(/\{\w+\}/)
    .map(escapePattern)
    .join('.+');
  if (!new RegExp(`^${shape}$`, 's').test(body.error)) return `not the message of ${code}`;
  const fields = Object.keys(body).join();
  return fields === 'error' || fields.startsWith('type,') ? null : 'more than the error';
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function ownErrors(route: Route): readonly ErrorCode[] {
  return [...Array.from(errorsByStatus(route).values()).flat(), ...KEY_ERRORS];
}

/** The route of a request: the path decides first, static segments before parameters. */
function findRoute({ method, url }: Request): Route | undefined {
  const { pathname } = new URL(url);
  const routes: readonly Route[] = ROUTES;
  const path = routes
    .map((route) => route.path)
    .filter((each) => new RegExp(`^${each.replace(/:\w+/g, '[^/]+')}$`).test(pathname))
    .sort((a, b) => a.split(':').length - b.split(':').length)[0];
  const asked = method === 'HEAD' ? 'GET' : method;
  return routes.find((route) => route.path === path && route.method === asked);
}
