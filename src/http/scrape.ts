/** `/metrics` on the service's own port, for callers with the token. */

import { timingSafeEqual } from 'node:crypto';

/** All metrics in the exposition format. */
export interface Exposition {
  readonly contentType: string;
  readonly body: string;
}

/** Null hides the path: no token is configured, or the caller's is wrong. */
export function makeScrape(
  expose: () => Promise<Exposition>,
  token: string | null,
): (request: Request) => Promise<Response | null> {
  return async (request) => {
    if (token === null || !isBearer(request.headers.get('Authorization'), token)) return null;
    return respondExposition(await expose());
  };
}

/** An exposition as a response to an authorized caller. */
export function respondExposition({ contentType, body }: Exposition): Response {
  return new Response(body, { headers: { 'Content-Type': contentType } });
}

function isBearer(header: string | null, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
