/** The log of requests with a key: by id, errors apart, kept for 7 days. */

import { ask } from '../api.ts';
import { makeNewestFirst } from '../newest-first.ts';
import type { Context } from '../page.ts';
import { pageUrl } from '../place.ts';
import type { Page, RequestRow } from '../types.ts';
import { button, el, link, withAttributes } from '../ui/dom.ts';
import { form } from '../ui/form.ts';
import { makeTable } from '../ui/table.ts';
import { time } from '../ui/time.ts';

const REFRESH_MS = 3_000;
const PAGE_ROWS = 50;

export async function requests(context: Context): Promise<HTMLElement> {
  const { api, place, world } = context;
  const errors = withAttributes(el('input', ''), { type: 'checkbox', id: 'errors' });
  const table = makeTable<RequestRow>(
    'Requests',
    [
      { title: 'When', cell: ({ at }) => time(at) },
      { title: 'Call', cell: ({ method, route }) => `${method} ${route}` },
      {
        title: 'Status',
        cell: ({ status }) => el('span', `badge ${tone(status)}`, String(status)),
      },
      { title: 'Code', cell: ({ code }) => (code === null ? '—' : el('code', '', code)) },
      { title: 'Took', cell: ({ tookMs }) => `${tookMs} ms` },
      {
        title: 'Session',
        cell: ({ sessionId }) =>
          sessionId === null
            ? '—'
            : link(pageUrl(place.slug, world, 'sessions', sessionId), 'id', sessionId),
      },
      { title: 'Request id', cell: ({ id }) => el('code', 'id', id) },
    ],
    ({ id }) => id,
    'No requests in the last 7 days.',
  );
  const more = button('', 'Older requests', () => list.older());
  const list = makeNewestFirst<RequestRow>({
    pageRows: PAGE_ROWS,
    ask(limit, cursor) {
      const query = new URLSearchParams({ errors: String(errors.checked), limit: String(limit) });
      if (cursor !== null) query.set('cursor', cursor);
      return ask<Page<RequestRow>>(`${api}/requests?${query}`);
    },
    keyOf: ({ id }) => id,
    show(rows, hasOlder) {
      table.show(rows);
      more.hidden = !hasOlder;
    },
  });
  errors.addEventListener('change', list.start);
  await list.start();
  context.every(REFRESH_MS, list.refresh);
  const label = withAttributes(el('label', '', 'Refused and failed only'), { for: 'errors' });
  return el(
    'div',
    '',
    el('h1', '', 'Request log'),
    el(
      'p',
      'lead',
      'Every request with a key of this world, for 7 days. Each answer names its id.',
    ),
    finder(context),
    el('div', 'filters', el('span', 'check', errors, label)),
    table.element,
    el('div', 'actions', more),
  );
}

/** A request by the id that its answer named. */
function finder({ api }: Context): HTMLElement {
  const found = withAttributes(el('div', ''), { role: 'status' });
  const field = { name: 'id', label: 'Request id', hint: 'The X-Request-Id of an answer: req_…' };
  const search = form([field], 'Find', async ({ id }) => {
    const row = await ask<RequestRow>(`${api}/requests/${encodeURIComponent(id!.trim())}`);
    found.replaceChildren(el('pre', '', JSON.stringify(row, null, 2)));
  });
  return el('details', 'card', el('summary', '', 'Find by id'), search, found);
}

function tone(status: number): string {
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'active';
}
