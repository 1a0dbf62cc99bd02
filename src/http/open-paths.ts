/** What is answered without a key: health, version, the interface's description, pages (rule H10). */

import { makeProblem } from '../contract/errors.ts';
import { respondDocument } from './document.ts';
import type { Exchange } from './exchange.ts';
import { makeReply } from './exchange.ts';
import { respond, sealPage } from './response.ts';

/** An answer without a key; null when the path is, for this request, one that is not there. */
export type OpenPath = (exchange: Exchange) => Response | null | Promise<Response | null>;

/** By path, for GET and HEAD. */
export const OPEN_PATHS: ReadonlyMap<string, OpenPath> = new Map<string, OpenPath>([
  ['/healthz', (exchange) => respond(exchange, makeReply(200, { status: 'ok' }))],
  [
    '/readyz',
    async (exchange) => {
      const isReady = await exchange.deps.ready();
      const outcome = isReady ? makeReply(200, { status: 'ready' }) : makeProblem('not_ready');
      return respond(exchange, outcome);
    },
  ],
  [
    '/version',
    (exchange) => {
      const { version, runtime } = exchange.deps.build;
      return respond(exchange, makeReply(200, { name: 'matchd', version, runtime }));
    },
  ],
  ['/openapi.json', (exchange) => respondDocument(exchange, exchange.deps.openapi)],
  ['/asyncapi.json', (exchange) => respondDocument(exchange, exchange.deps.asyncapi)],
  [
    '/metrics',
    async (exchange) => {
      const scraped = await exchange.deps.scrape(exchange.request);
      return scraped === null ? null : sealPage(exchange, scraped);
    },
  ],
  // A handshake never comes here: the platform hands it to the sockets.
  [
    '/v1/socket',
    (exchange) =>
      respond(exchange, makeProblem('upgrade_required', null, { upgrade: 'websocket' })),
  ],
]);

/** The pages beside the interface. */
export const openPage: OpenPath = async (exchange) => {
  const found = await exchange.deps.pages(exchange.request);
  return found === null ? null : sealPage(exchange, found);
};
