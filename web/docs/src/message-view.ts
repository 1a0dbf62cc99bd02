/** The socket and the events: frames with their fields and examples, closes, reasons to reject. */

import type { AsyncApi, Message, Reference, SocketChannel } from './documents.ts';
import { nameOf } from './documents.ts';
import { el, link, prose, withAttributes } from './dom.ts';
import { exampleOf } from './example.ts';
import { makeFields } from './fields-view.ts';
import { makeJsonSample, makeSample } from './sample-view.ts';
import type { Badge, Chapter, Section } from './section.ts';

const OPEN_A_SOCKET = `const socket = new WebSocket(
  'wss://HOST/v1/socket',
  ['matchd.v2', 'matchd.v1', 'token.' + token],
);
socket.onmessage = ({ data }) => {
  const frame = JSON.parse(data);
  if (frame.t === 'state') show(frame);
};`;

/** The page's chapters about sockets and events. */
export function makeMessageChapters(document: AsyncApi): Chapter[] {
  const { socket } = document.channels;
  const entries = Object.entries(document.components.messages);
  const sectionsOf = (prefix: string): Section[] =>
    entries
      .filter(([name]) => name.startsWith(`${prefix}.`))
      .map(([name, message]) => makeMessageSection(name, message, document));
  return [
    {
      title: 'The socket',
      description:
        'Players and watchers follow a match over a WebSocket, and players make their moves there.',
      sections: [makeConnecting(document), makeCloses(socket), makeRejects(socket)],
    },
    {
      title: 'Frames from the client',
      description: 'What players send. Watchers send `hello`, `sync` and `ping` only.',
      sections: sectionsOf('client'),
    },
    {
      title: 'Frames from the server',
      description: 'What players and watchers are sent.',
      sections: sectionsOf('server'),
    },
    {
      title: 'Compact frames',
      description: document.channels.socketV2.description,
      sections: sectionsOf('compact'),
    },
    {
      title: 'Events, one by one',
      description: 'What a tenant is told, in pages, streams and webhooks alike.',
      sections: [makeDelivery(document), ...sectionsOf('event')],
    },
  ];
}

const KINDS: Readonly<Record<string, Badge>> = {
  client: { text: 'send', kind: 'send' },
  server: { text: 'get', kind: 'receive' },
};

function makeMessageSection(name: string, message: Message, document: AsyncApi): Section {
  const { schemas } = document.components;
  const badge = KINDS[name.slice(0, name.indexOf('.'))] ?? null;
  const example = message.examples?.[0]?.payload ?? exampleOf(message.payload, schemas);
  const direction = badge?.kind === 'send' ? 'sent' : 'received';
  const fields = makeFields(message.payload, schemas, direction);
  const element = el(
    'article',
    '',
    el('h3', 'mono', message.name),
    el('p', 'note', prose(message.summary)),
    el(
      'div',
      'columns',
      el(
        'div',
        'facts',
        el('section', '', el('h4', '', 'Fields'), fields),
        makeReplies(name, document),
      ),
      el('div', 'samples', makeJsonSample('Example', example)),
    ),
  );
  return { id: name, label: message.name, badge, element };
}

/** Possible answers, with links to them. */
function makeReplies(name: string, { operations }: AsyncApi): HTMLElement | null {
  const asked = Object.values(operations).find(({ messages, reply }) =>
    reply === undefined ? false : messages.some(({ $ref }) => nameOf($ref) === name),
  );
  if (asked?.reply === undefined) return null;
  return el(
    'section',
    '',
    el('h4', '', 'Comes back'),
    el('p', 'choices', ...linksTo(asked.reply.messages)),
  );
}

function linksTo(references: readonly Reference[]): HTMLElement[] {
  return references.map(({ $ref }) => {
    const name = nameOf($ref);
    return link(`#${name}`, '', el('code', '', name.slice(name.indexOf('.') + 1)));
  });
}

function makeArticle(title: string, facts: readonly Node[], samples: readonly Node[]): HTMLElement {
  const columns = el(
    'div',
    'columns',
    el('div', 'facts', ...facts),
    el('div', 'samples', ...samples),
  );
  return el('article', '', el('h3', '', title), columns);
}

function makeConnecting({ channels, components }: AsyncApi): Section {
  const { title, address = '', description } = channels.socket;
  const token = components.securitySchemes['token']?.description ?? '';
  const facts = [
    el('p', 'route', el('span', 'badge get', 'GET'), el('code', '', address)),
    el('p', '', prose(`${title}.`)),
    el('p', '', prose(token)),
    el('p', '', prose(description)),
  ];
  return {
    id: 'socket',
    label: 'Connecting',
    badge: null,
    element: makeArticle('Connecting', facts, [makeSample('In a page', OPEN_A_SOCKET)]),
  };
}

function makeCloses(socket: SocketChannel): Section {
  const closes = socket['x-close-codes'];
  const rows = closes.map(({ code, reason, means }) => [`${code}`, reason, means]);
  return {
    id: 'closes',
    label: 'Close codes',
    badge: null,
    element: makeArticle('Close codes', [makeTable(['Code', 'Reason', 'Meaning'], rows)], []),
  };
}

function makeRejects(socket: SocketChannel): Section {
  const rejects = Object.entries(socket['x-reject-codes']);
  const table = makeTable(['`code` of a `reject`', 'Meaning'], rejects);
  return {
    id: 'rejects',
    label: 'Reasons to reject',
    badge: null,
    element: makeArticle('Reasons to reject', [table], []),
  };
}

/** The first cell of each row is code. */
function makeTable(heads: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const head = el(
    'tr',
    '',
    ...heads.map((each) => withAttributes(el('th', '', prose(each)), { scope: 'col' })),
  );
  const body = rows.map(([first, ...rest]) =>
    el(
      'tr',
      '',
      el('td', '', el('code', '', first!)),
      ...rest.map((cell) => el('td', '', prose(cell))),
    ),
  );
  return el('div', 'table', el('table', '', el('thead', '', head), el('tbody', '', ...body)));
}

function makeDelivery({ channels, components }: AsyncApi): Section {
  const { eventStream, webhook } = channels;
  const signature = components.securitySchemes['signature']?.description ?? '';
  const facts = [
    el('h4', '', eventStream.title),
    el('p', 'route', el('span', 'badge get', 'GET'), el('code', '', eventStream.address ?? '')),
    el('p', '', prose(eventStream.description)),
    el('h4', '', webhook.title),
    el('p', '', prose(webhook.description)),
    el('p', '', prose(`Signed in \`webhook-signature\`. ${signature}`)),
  ];
  return {
    id: 'delivery',
    label: 'Stream and webhooks',
    badge: null,
    element: makeArticle('Stream and webhooks', facts, []),
  };
}
