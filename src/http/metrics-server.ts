/** `/metrics` on a port of its own, for the internal network: without a token, and nothing else. */

import { NO_SOCKETS, type Platform, type PlatformServer } from '../platform/platform.ts';
import { type Exposition, respondExposition } from './scrape.ts';

/** An idle connection is closed after this time. */
const IDLE_S = 60;

/** Throws PortInUseError. */
export function serveMetrics(
  platform: Platform,
  { hostname, port }: { readonly hostname: string; readonly port: number },
  expose: () => Promise<Exposition>,
): Promise<PlatformServer> {
  const notFound = () => new Response('Not found\n', { status: 404 });
  return platform.serve<null>({
    hostname,
    port,
    async fetch(request) {
      if (new URL(request.url).pathname !== '/metrics') return notFound();
      return respondExposition(await expose());
    },
    upgrade: () => ({ accept: false, response: notFound() }),
    sockets: NO_SOCKETS,
    limits: { frameBytesMax: 1, bodyBytesMax: 1, idleTimeoutS: IDLE_S },
  });
}
