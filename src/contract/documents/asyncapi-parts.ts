/** The parts of the message description that are not messages: where, how, with which rights. */

import { SUBPROTOCOL, TOKEN_PROTOCOL_PREFIX } from '../messages.ts';
import { API_KEY_SCHEME, INFO as HTTP_INFO } from './openapi-parts.ts';

/** The path of the socket. */
export const SOCKET_ADDRESS = '/v1/socket';
export const STREAM_ADDRESS = '/v1/events/stream';

export const INFO = {
  title: `${HTTP_INFO.title}: messages`,
  description: [
    'Frames on the sockets of players and watchers, and the events a tenant receives.',
    'The HTTP API is described in `/openapi.json`.',
  ].join(' '),
  license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
};

const HOST = {
  default: 'localhost:8787',
  description: 'The host of the service, as in `socketUrl` of responses with a token.',
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
      'Or in a `hello` as the first message, within 5 seconds. Never in the URL.',
    ].join(' '),
  },
  apiKey: API_KEY_SCHEME,
  signature: {
    type: 'httpApiKey',
    name: 'webhook-signature',
    in: 'header',
    description: [
      'Standard Webhooks 1.0: `v1,` and the base64 HMAC-SHA256 of',
      "`<webhook-id>.<webhook-timestamp>.<body>` with the webhook's signing secret.",
      'During a rotation there are two, separated by a space.',
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
    'once. A watcher may send only `hello`, `sync`, `ping`, `replay`, and `rematch` without `do`.',
  ].join(' '),
  socketV2: [
    'The socket of `matchd.v1`, with frequent frames as JSON lists. Each list starts with the',
    "session's number on this socket, `n` of its `state`. Times in lists are milliseconds since",
    '`base`. Either side may also send any frame of `matchd.v1`. Offer both, `matchd.v2, matchd.v1`:',
    'the server chooses the newest that it supports.',
  ].join(' '),
  stream: [
    'Server-sent events: `id` is the id of the event, `event` its type, `data` the event as JSON.',
    'With `Last-Event-ID` the stream resumes after that event.',
  ].join(' '),
  webhook: [
    "The service POSTs each event to the webhook's URL at least once, with the same `webhook-id`",
    'on each attempt. A 2xx response in time accepts the event. 410 disables the webhook.',
  ].join(' '),
} as const;
