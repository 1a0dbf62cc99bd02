/** The dashboard's page: one document for all its addresses, which name tenant and world (rule D10). */

import type { Site } from './site.ts';
import { notFound, pageHeaders, policy, redirect, sendDocument } from './site.ts';

/** Its own files and routes; it frames the players' page to show matches. Nobody may frame it. */
const POLICY = policy({
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'frame-src': ["'self'"],
  'frame-ancestors': ["'none'"],
});

/** Words of letters, digits and dashes: the segments of the page's own addresses. */
const PAGE_PATH = /^\/dashboard\/(?:[\w-]+(?:\/[\w-]+)*\/?)?$/;

export function sendDashboard(request: Request, pathname: string, site: Site): Response {
  if (pathname === '/dashboard') return redirect('/dashboard/');
  if (!PAGE_PATH.test(pathname)) return notFound();
  return sendDocument(request, site, 'index.html', pageHeaders(POLICY));
}
