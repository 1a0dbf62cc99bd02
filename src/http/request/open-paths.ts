/** Paths that need no key: health, version, the API description, pages (rule H10). */

import { makeProblem } from '../../contract/errors.ts';
import type { DocumentOf } from './document.ts';
import type { Exchange } from './exchange.ts';
import { makeReply } from './exchange.ts';
import { respond, respondJson, sealPage } from './response.ts';

/** The response without a key; null when the path does not exist for this request. */
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
      const { build, games } = exchange.deps;
      const { version, runtime, node } = build;
      const listed = games.ids().map((game) => {
        const versions = games.versions(game).map((rules) => rules.game.rulesVersion);
        return { game, versions: [...new Set(versions)] };
      });
      const body = { name: 'matchd', version, runtime, node, games: listed };
      return respond(exchange, makeReply(200, body));
    },
  ],
  [
    '/.well-known/jwks.json',
    (exchange) => respond(exchange, makeReply(200, { keys: exchange.deps.publicKeys })),
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
  // A handshake never comes here: the platform passes it to the sockets.
  [
    '/v1/socket',
    (exchange) =>
      respond(exchange, makeProblem('upgrade_required', null, { upgrade: 'websocket' })),
  ],
]);

/** The pages besides the API. */
export const openPage: OpenPath = async (exchange) => {
  const found = await exchange.deps.pages(exchange.request);
  return found === null ? null : sealPage(exchange, found);
};

/** The text, or 304 for a client that has it. */
function respondDocument(exchange: Exchange, documentOf: DocumentOf): Response {
  const { headers: asked } = exchange.request;
  const { text, gzip, etag } = documentOf(exchange.deps.games.ids());
  const plain = respondJson(exchange, 200, text, {
    etag,
    'cache-control': 'no-cache',
    vary: 'Origin, Accept-Encoding',
  });
  const { headers } = plain;
  if (asked.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  if (!/\bgzip\b/.test(asked.get('accept-encoding') ?? '')) return plain;
  headers.set('content-encoding', 'gzip');
  return new Response(gzip, { status: 200, headers });
}
