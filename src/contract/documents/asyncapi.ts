/** The description of the messages (AsyncAPI 3.0), generated from the schemas that validate them. */

import type { z } from 'zod';
import { ERRORS, HANDSHAKE_ERRORS } from '../errors.ts';
import type { CompactName } from '../frames/compact-frames.ts';
import { COMPACT } from '../frames/compact-frames.ts';
import { REJECTS, serverFrame } from '../frames/server-frames.ts';
import { CLOSE, clientFrame, OWN_CLOSE, SUBPROTOCOL, SUBPROTOCOL_2 } from '../messages.ts';
import { EVENT_TYPES } from '../values.ts';
import { CLIENT_EXAMPLES, COMPACT_EXAMPLES, SERVER_EXAMPLES } from './asyncapi-examples.ts';
import {
  CHANNEL_WORDS,
  INFO,
  SECURITY_SCHEMES,
  SERVERS,
  SOCKET_ADDRESS,
  STREAM_ADDRESS,
  TAGS,
} from './asyncapi-parts.ts';
import {
  CLIENT_FRAMES,
  CLOSE_MEANS,
  COMPACT_FRAMES,
  EVENTS,
  SERVER_FRAMES,
} from './asyncapi-words.ts';
import { makeEventSchema } from './event-schema.ts';
import type { Components, JsonObject } from './json-schema.ts';
import { makeSchema, sortComponents } from './json-schema.ts';

/** The whole document, as plain data; `version` is the package's. */
export function makeAsyncApi(version: string): JsonObject {
  const components: Components = new Map();
  const client = clientFrame.options.map((schema) => makeClientMessage(schema, components));
  const server = serverFrame.options.map((schema) => makeServerMessage(schema, components));
  const events = EVENT_TYPES.map((type) => makeEventMessage(type, components));
  const frames = [...client, ...server];
  const compact = COMPACT_NAMES.map((name) => makeCompactMessage(name, components));
  const framesV2 = frames.filter(([name]) => name !== serverName('state'));
  return {
    asyncapi: '3.0.0',
    info: { ...INFO, version },
    defaultContentType: 'application/json',
    servers: SERVERS,
    channels: {
      socket: { ...makeSocketChannel(), messages: referAll(frames) },
      socketV2: { ...makeSocketChannelV2(), messages: referAll([...framesV2, ...compact]) },
      eventStream: { ...STREAM_CHANNEL, messages: referAll(events) },
      webhook: { ...WEBHOOK_CHANNEL, messages: referAll(events) },
    },
    operations: makeOperations(events),
    components: {
      messages: Object.fromEntries([...frames, ...compact, ...events]),
      schemas: sortComponents(components),
      securitySchemes: SECURITY_SCHEMES,
      tags: TAGS,
    },
  };
}

/** A message by its name among the components. */
type Named = readonly [name: string, message: JsonObject];

const clientName = (t: string): string => `client.${t}`;
const serverName = (t: string): string => `server.${t}`;
const compactName = (name: CompactName): string => `compact.${name}`;
const COMPACT_NAMES = Object.keys(COMPACT) as CompactName[];
/** Streams and webhooks use the same messages. */
const eventName = (type: string): string => `event.${type}`;

function makeClientMessage(
  schema: (typeof clientFrame.options)[number],
  components: Components,
): Named {
  const t = schema.shape.t.value;
  const { summary } = CLIENT_FRAMES[t];
  return [clientName(t), makeMessage(t, summary, schema, CLIENT_EXAMPLES[t], components)];
}

function makeServerMessage(
  schema: (typeof serverFrame.options)[number],
  components: Components,
): Named {
  const t = schema.shape.t.value;
  return [serverName(t), makeMessage(t, SERVER_FRAMES[t], schema, SERVER_EXAMPLES[t], components)];
}

function makeCompactMessage(name: CompactName, components: Components): Named {
  const [schema, example] = [COMPACT[name], COMPACT_EXAMPLES[name]];
  const message = makeMessage(name, COMPACT_FRAMES[name], schema, example, components);
  return [compactName(name), message];
}

function makeMessage(
  name: string,
  summary: string,
  schema: z.ZodType,
  example: unknown,
  components: Components,
): JsonObject {
  const payload = makeSchema(schema, components, 'draft-07');
  return { name, title: name, summary, payload, examples: [{ name, payload: example }] };
}

function makeEventMessage(type: (typeof EVENT_TYPES)[number], components: Components): Named {
  const payload = makeEventSchema(type, components, 'draft-07');
  return [eventName(type), { name: type, title: type, summary: EVENTS[type], payload }];
}

function referAll(messages: readonly Named[]): JsonObject {
  return Object.fromEntries(
    messages.map(([name]) => [name, { $ref: `#/components/messages/${name}` }]),
  );
}

// ── channels ───────────────────────────────────────────────────────────────────────────────────

function makeSocketChannel(): JsonObject {
  const protocols = { type: 'string', examples: [`${SUBPROTOCOL}, token.eyJhbGciOi…`] };
  const headers = {
    type: 'object',
    properties: { 'Sec-WebSocket-Protocol': protocols },
    required: ['Sec-WebSocket-Protocol'],
  };
  return {
    address: SOCKET_ADDRESS,
    title: `Sockets, subprotocol ${SUBPROTOCOL}`,
    description: CHANNEL_WORDS.socket,
    servers: [{ $ref: '#/servers/sockets' }],
    bindings: { ws: { method: 'GET', headers, bindingVersion: '0.1.0' } },
    'x-subprotocol': SUBPROTOCOL,
    'x-handshake-errors': HANDSHAKE_ERRORS.map((code) => ({ code, ...ERRORS[code] })),
    'x-close-codes': makeCloses(),
    'x-reject-codes': REJECTS,
  };
}

/** What the two protocols share is described under `matchd.v1`. */
function makeSocketChannelV2(): JsonObject {
  const { bindings, servers, address } = makeSocketChannel();
  return {
    address,
    title: `Sockets, subprotocol ${SUBPROTOCOL_2}`,
    description: CHANNEL_WORDS.socketV2,
    servers,
    bindings,
    'x-subprotocol': SUBPROTOCOL_2,
  };
}

function makeCloses(): JsonObject[] {
  const closes = { ...CLOSE, ...OWN_CLOSE };
  const names = Object.keys(closes) as (keyof typeof closes)[];
  return names.map((name) => ({ ...closes[name], means: CLOSE_MEANS[name] }));
}

const STREAM_CHANNEL = {
  address: STREAM_ADDRESS,
  title: 'Stream of events',
  description: CHANNEL_WORDS.stream,
  servers: [{ $ref: '#/servers/events' }],
} as const;

const WEBHOOK_CHANNEL = {
  // Without an address: it is the tenant's own.
  title: 'Webhooks',
  description: CHANNEL_WORDS.webhook,
} as const;

// ── operations ─────────────────────────────────────────────────────────────────────────────────

/** From the service's side: it receives what clients send. */
function makeOperations(events: readonly Named[]): JsonObject {
  const operations: JsonObject = {};
  for (const schema of clientFrame.options) {
    const t = schema.shape.t.value;
    operations[`receive.${t}`] = makeReceive(t);
  }
  for (const schema of serverFrame.options) {
    const t = schema.shape.t.value;
    operations[`send.${t}`] = makeSend(t);
  }
  operations['receive.compact'] = makeCompact('receive', ['act', 'in']);
  operations['send.compact'] = makeCompact('send', ['state', 'update', 'over', 'ticks']);
  const names = events.map(([name]) => name);
  operations['send.eventStream'] = makeEvents('eventStream', 'apiKey', names);
  operations['send.webhook'] = makeEvents('webhook', 'signature', names);
  return operations;
}

const SOCKET = { $ref: '#/channels/socket' };
const TOKEN = [{ $ref: '#/components/securitySchemes/token' }];

const tag = (name: keyof typeof TAGS): JsonObject => ({ $ref: `#/components/tags/${name}` });

const inChannel = (channel: string, name: string): JsonObject => ({
  $ref: `#/channels/${channel}/messages/${name}`,
});

function makeReceive(t: keyof typeof CLIENT_FRAMES): JsonObject {
  const { summary, replies } = CLIENT_FRAMES[t];
  return {
    action: 'receive',
    title: t,
    summary,
    channel: SOCKET,
    security: TOKEN,
    tags: [tag('client')],
    messages: [inChannel('socket', clientName(t))],
    reply: {
      channel: SOCKET,
      messages: replies.map((reply) => inChannel('socket', serverName(reply))),
    },
  };
}

function makeCompact(action: 'receive' | 'send', names: readonly CompactName[]): JsonObject {
  return {
    action,
    title: `compact frames, ${action === 'send' ? 'from' : 'to'} the server`,
    summary: 'The compact frames of `matchd.v2`.',
    channel: { $ref: '#/channels/socketV2' },
    security: TOKEN,
    tags: [tag('compact')],
    messages: names.map((name) => inChannel('socketV2', compactName(name))),
  };
}

function makeSend(t: keyof typeof SERVER_FRAMES): JsonObject {
  return {
    action: 'send',
    title: t,
    summary: SERVER_FRAMES[t],
    channel: SOCKET,
    security: TOKEN,
    tags: [tag('server')],
    messages: [inChannel('socket', serverName(t))],
  };
}

function makeEvents(
  channel: 'eventStream' | 'webhook',
  scheme: keyof typeof SECURITY_SCHEMES,
  names: readonly string[],
): JsonObject {
  return {
    action: 'send',
    title: channel === 'webhook' ? 'Webhooks' : 'Stream of events',
    summary: 'Sends an event to the tenant.',
    channel: { $ref: `#/channels/${channel}` },
    security: [{ $ref: `#/components/securitySchemes/${scheme}` }],
    tags: [tag('events')],
    messages: names.map((name) => inChannel(channel, name)),
  };
}
