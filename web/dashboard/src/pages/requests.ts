/** The log of requests with a key: by id, errors apart, kept for 7 days. */

import { ask } from '../api.ts';
import type { Context } from '../page.ts';
import { pageUrl } from '../place.ts';
import type { Page, RequestRow } from '../types.ts';
import { button, el, link, withAttributes } from '../ui/dom.ts';
import { form } from '../ui/form.ts';
import { makeTable } from '../ui/table.ts';
import { time } from '../ui/time.ts';

const REFRESH_MS = 3_000;

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
  let newest: readonly RequestRow[] = [];
  let older: RequestRow[] = [];
  let next: string | null = null;
  const more = button('', 'Older requests', () => load(next));
  const load = async (cursor: string | null): Promise<void> => {
    const query = new URLSearchParams({ errors: String(errors.checked), limit: '50' });
    if (cursor !== null) query.set('cursor', cursor);
    const page = await ask<Page<RequestRow>>(`${api}/requests?${query}`);
    if (cursor === null) newest = page.data;
    else older = [...older, ...page.data];
    if (cursor !== null || older.length === 0) next = page.nextCursor ?? null;
    const seen = new Set(newest.map(({ id }) => id));
    table.show([...newest, ...older.filter(({ id }) => !seen.has(id))]);
    more.hidden = next === null;
  };
  errors.addEventListener('change', () => {
    older = [];
    void load(null);
  });
  await load(null);
  context.every(REFRESH_MS, () => load(null));
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
