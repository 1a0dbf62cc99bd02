/** Only the dashboard's own pages may call its routes (rule D4). */

/** A header that every change must have: forms cannot send it, and other sites only after a preflight. */
const PAGE_HEADER = 'x-matchd-dashboard';

/**
 * Browsers set `Sec-Fetch-Site` themselves, and no page can forge it. Browsers without it send the origin with
 * every change.
 */
export function isFromOwnPage(request: Request, publicUrl: string): boolean {
  const { headers, method } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead && headers.get(PAGE_HEADER) !== '1') return false;
  const site = headers.get('sec-fetch-site');
  // `none`: typed by the user. It shows them what they may see and changes nothing.
  if (site !== null) return site === 'same-origin' || (isRead && site === 'none');
  const origin = headers.get('origin');
  if (origin === null) return isRead;
  return origin === new URL(publicUrl).origin || origin === originOf(request);
}

/** As the browser reached it: in development by any of the machine's names. */
function originOf(request: Request): string | null {
  const host = request.headers.get('host');
  return host === null ? null : `${new URL(request.url).protocol}//${host}`;
}
