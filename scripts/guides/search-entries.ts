/**
 * The search index of /docs: each section of the guides, each call and message of the reference.
 */

import { makeCommonErrors } from '../../web/docs/src/common-errors.ts';
import {
  type AsyncApi,
  type Call,
  callsOf,
  type OpenApi,
  type Schema,
  type Schemas,
} from '../../web/docs/src/documents.ts';
import { fieldsOf, insideOf, openSchema } from '../../web/docs/src/schema.ts';
import type { SearchEntry } from '../../web/docs/src/search/search-entry.ts';
import type { GuidePage } from './pages.ts';
import { renderPage } from './render.ts';

/** The depth to which fields are listed; recursive schemas end there. */
const DEPTH_MAX = 4;

export function makeSearchEntries(
  pages: readonly GuidePage[],
  openApi: OpenApi,
  asyncApi: AsyncApi,
): readonly SearchEntry[] {
  const names = new Set(pages.map(({ name }) => name));
  return [
    ...pages.flatMap((page) => sectionsOf(page, names)),
    ...makeCallEntries(openApi),
    ...makeMessageEntries(asyncApi),
    ...makeSocketEntries(asyncApi),
  ];
}

/** A page's beginning, then the text below each of its headings. */
function sectionsOf(page: GuidePage, names: ReadonlySet<string>): SearchEntry[] {
  const { html } = renderPage(page.markdown, page.name, names);
  const pageTitle = plain(unticked(page.title));
  return html.split(/(?=<h[1-3] id=")/).flatMap((part) => {
    const [head = '', level, id, inner = ''] =
      /^<h([1-3]) id="([^"]*)">(.*?)<\/h\1>/s.exec(part) ?? [];
    if (level === undefined) return [];
    const url = `/docs/${page.name}${level === '1' ? '' : `#${id}`}`;
    const text = plain(part.slice(head.length));
    return [{ url, title: plain(inner), page: level === '1' ? page.group : pageTitle, text }];
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** HTML of our own as plain text on one line. */
function plain(html: string): string {
  return html
    .replace(/<\/?(?:code|span|strong|em|a)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!)
    .replace(/\s+/g, ' ')
    .trim();
}

function makeCallEntries(openApi: OpenApi): SearchEntry[] {
  const calls = callsOf(openApi);
  const { schemas } = openApi.components;
  const commonOf = makeCommonErrors(calls);
  return calls.map((call) => ({
    url: `/docs/#${call.operation.operationId}`,
    title: unticked(call.operation.summary),
    page: `${call.method} ${call.path}`,
    text: unticked(textOf(call, schemas, commonOf(call))),
  }));
}

function textOf(call: Call, schemas: Schemas, common: ReadonlySet<string>): string {
  const { operation, parameters, answers } = call;
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const errors = answers.flatMap(([, answer]) =>
    (answer['x-errors'] ?? []).filter(({ code }) => !common.has(code)),
  );
  return sentences([
    operation.description ?? '',
    ...parameters.map(({ name, description = '' }) => `${name}: ${description}`),
    ...(body === undefined ? [] : fieldTexts(body, schemas)),
    ...errors.map(({ code, message }) => `${message} (${code})`),
    operation.operationId,
  ]);
}

function sentences(parts: readonly string[]): string {
  const ended = parts.map((part) => part.trim()).filter((part) => part !== '');
  return ended.map((part) => (/[.:]$/.test(part) ? part : `${part}.`)).join(' ');
}

/** Names and meanings of the fields, and of those inside them. */
function fieldTexts(schema: Schema, schemas: Schemas, depth = 0): readonly string[] {
  if (depth > DEPTH_MAX) return [];
  const inside = insideOf(schema, schemas);
  if (inside.kind === 'alternatives') {
    return inside.schemas.flatMap((each) => fieldTexts(each, schemas, depth));
  }
  const fields = inside.kind === 'fields' ? inside.fields : fieldsOf(schema, schemas);
  const texts = fields.flatMap(({ name, schema: field }) => {
    const { description = '' } = openSchema(field, schemas).schema;
    return [`${name}: ${description}`, ...fieldTexts(field, schemas, depth + 1)];
  });
  return [...new Set(texts)];
}

function makeMessageEntries({ components }: AsyncApi): SearchEntry[] {
  return Object.entries(components.messages).map(([name, message]) => ({
    url: `/docs/#${name}`,
    title: message.name,
    page: KINDS[name.slice(0, name.indexOf('.'))] ?? 'Message',
    text: unticked(
      sentences([message.summary, ...fieldTexts(message.payload, components.schemas)]),
    ),
  }));
}

const KINDS: Readonly<Record<string, string>> = {
  client: 'Frame from the client',
  server: 'Frame from the server',
  compact: 'Compact frame',
  event: 'Event',
};

function makeSocketEntries({ channels, components }: AsyncApi): SearchEntry[] {
  const { socket, eventStream, webhook } = channels;
  const token = components.securitySchemes['token']?.description ?? '';
  const closes = socket['x-close-codes'].map(
    ({ code, reason, means }) => `${code} ${reason}: ${means}`,
  );
  const rejects = Object.entries(socket['x-reject-codes']).map((each) => each.join(': '));
  const page = 'The socket';
  return [
    { url: '/docs/#socket', title: 'Connecting', page, text: `${socket.description} ${token}` },
    { url: '/docs/#closes', title: 'Close codes', page, text: sentences(closes) },
    { url: '/docs/#rejects', title: 'Reasons to reject', page, text: sentences(rejects) },
    {
      url: '/docs/#delivery',
      title: 'Stream and webhooks',
      page: 'Events',
      text: `${eventStream.description} ${webhook.description}`,
    },
  ].map((entry) => ({ ...entry, text: unticked(entry.text) }));
}

const unticked = (text: string): string => text.replaceAll('`', '');
