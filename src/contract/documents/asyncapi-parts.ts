/** The parts of the message description that are not messages: where, how, with which rights. */

import { SUBPROTOCOL, TOKEN_PROTOCOL_PREFIX } from '../messages.ts';
import { API_KEY_SCHEME, INFO as HTTP_INFO } from './openapi-parts.ts';

/** The path of the socket. */
export const SOCKET_ADDRESS = '/v1/socket';
export const STREAM_ADDRESS = '/v1/events/stream';

export const INFO = {
  title: `${HTTP_INFO.title}: messages`,
  description: [
    "What goes over the players' and watchers' sockets, and the events a tenant receives.",
    'The calls over HTTP are described in `/openapi.json`.',
  ].join(' '),
  license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
};

const HOST = {
  default: 'localhost:8787',
  description: 'The address of the service, `socketUrl` in answers with tokens.',
};

export const SERVERS = {
  sockets: {
    host: '{host}',
    protocol: 'wss',
    protocolVersion: '13',
    description: 'Sockets of players and watchers.',
    variables: { host: HOST },
    security: [{ $ref: '#/components/securitySchemes/token' }],
  },
  events: {
    host: '{host}',
    protocol: 'https',
    description: "The tenant's stream of events.",
    variables: { host: HOST },
    security: [{ $ref: '#/components/securitySchemes/apiKey' }],
  },
};

export const SECURITY_SCHEMES = {
  token: {
    type: 'httpApiKey',
    name: 'Sec-WebSocket-Protocol',
    in: 'header',
    description: [
      `A player's, watcher's or lobby's token as a second subprotocol:`,
      `\`${SUBPROTOCOL}, ${TOKEN_PROTOCOL_PREFIX}<token>\`.`,
      'Or in a `hello` as the first message, within 5 seconds. Never in the address.',
    ].join(' '),
  },
  apiKey: API_KEY_SCHEME,
  signature: {
    type: 'httpApiKey',
    name: 'webhook-signature',
    in: 'header',
    description: [
      'Standard Webhooks 1.0: `v1,` and the base64 HMAC-SHA256 of',
      '`<webhook-id>.<webhook-timestamp>.<body>` under the secret of the webhook;',
      'while a secret is being changed there are two of them, with a space between.',
    ].join(' '),
  },
};

export const TAGS = {
  client: { name: 'From the client', description: 'Frames that players and watchers send.' },
  server: { name: 'From the server', description: 'Frames that players and watchers receive.' },
  compact: {
    name: 'Compact frames',
    description: 'Frames of `matchd.v2`, in both directions.',
  },
  events: { name: 'Events', description: 'Events for a tenant, in streams and webhooks.' },
} as const;

export const CHANNEL_WORDS = {
  socket: [
    'Text frames, each a JSON object of up to 16 KiB with its name in `t`.',
    'Every frame of a session carries `v`, the version of the record it shows, and `prev`, the',
    'version of the frame before it: when `prev` does not fit, send `sync`.',
    'Unknown fields are ignored, on both sides. A client may send 20 frames a second, 40 at',
    'once. A watcher may send `hello`, `sync` and `ping` only.',
  ].join(' '),
  socketV2: [
    'The socket of `matchd.v1`, with the frames of play as JSON lists that begin with the number the',
    'session has on this socket: `n` of its `state`. Times in them are ms since `base`. All other',
    'frames are those of `matchd.v1`, which either side may send in place of a list, too. Offer both:',
    '`matchd.v2, matchd.v1`; the server takes the newer one that it knows.',
  ].join(' '),
  stream: [
    'Server-sent events: `id` is the id of the event, `event` its type, `data` the event as JSON.',
    'With `Last-Event-ID` it goes on where it broke off.',
  ].join(' '),
  webhook: [
    'The service POSTs each event to the address that the tenant registered, at least once, with',
    'the same `webhook-id` on each try. Any answer 2xx within the time takes it; 410 ends them all.',
  ].join(' '),
} as const;
