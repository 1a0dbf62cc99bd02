/** The service's root address: a page or the demo, the icon, and the security contact. */

import type { Clock } from '../../runtime/ports.ts';
import type { Site } from './site.ts';
import {
  makeAsset,
  notFound,
  pageHeaders,
  policy,
  SAFE_HEADERS,
  send,
  sendAsset,
  sendDocument,
} from './site.ts';

/** Where to report a vulnerability (RFC 9116). */
export interface SecurityContact {
  /** URIs, the preferred one first; with none there is no `security.txt`. */
  readonly contacts: readonly string[];
  readonly clock: Clock;
}

/** RFC 9116 recommends less than a year. */
const EXPIRES_MS = 180 * 86_400_000;
const DAY_MS = 86_400_000;

const HOME_POLICY = policy({
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'frame-ancestors': ["'none'"],
});

/**
 * The root address, for browsers only: with a key, or without asking for a page, it is an unknown path like any
 * other, and null.
 */
export function sendHome(request: Request, site: Site, isDevelopment: boolean): Response | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null;
  const { headers } = request;
  const asksForPage = /\btext\/html\b/i.test(headers.get('Accept') ?? '');
  if (headers.has('Authorization') || !asksForPage) return null;
  const response = isDevelopment
    ? new Response(null, { status: 302, headers: { ...SAFE_HEADERS, Location: '/demo/' } })
    : sendDocument(request, site, 'index.html', pageHeaders(HOME_POLICY));
  response.headers.append('Vary', 'Accept, Authorization');
  return response;
}

/** For browsers that request it themselves; pages name their own icon. */
export function sendIcon(request: Request, site: Site): Response {
  const name = [...site.assets.keys()].find((each) => /^favicon-[\w-]+\.ico$/.test(each));
  if (name === undefined) return notFound();
  const response = sendAsset(request, site, name);
  // Unlike the asset its name is fixed.
  response.headers.set('Cache-Control', 'public, max-age=86400');
  return response;
}

/** 404 without a contact. The expiry date is ahead, because the file is rebuilt each day. */
export function sendSecurityTxt(
  request: Request,
  publicUrl: string,
  { contacts, clock }: SecurityContact,
): Response {
  if (contacts.length === 0) return notFound();
  const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date(today + EXPIRES_MS).toISOString()}`,
    `Canonical: ${publicUrl}/.well-known/security.txt`,
  ];
  const text = new TextEncoder().encode(`${lines.join('\n')}\n`);
  return send(request, makeAsset('text/plain; charset=utf-8', text), {
    'Cache-Control': 'no-cache',
  });
}
