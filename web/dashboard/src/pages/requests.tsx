/** The request log: search by id, errors only, kept for 7 days. */

import { useEffect, useState } from 'preact/hooks';
import { useHere, usePageUrl } from '../here.ts';
import { Id } from '../parts/copy.tsx';
import { Rows, SearchBox, useFilter, useList } from '../parts/list.tsx';
import { Answer } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useAnswer } from '../query.ts';
import type { RequestRow } from '../types.ts';

const PAGE_ROWS = 50;
/** The pause after a key press before an id is looked up. */
const PAUSE_MS = 300;

function tone(status: number): string {
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'active';
}

export function requestColumns(href: (id: string) => string): readonly Column<RequestRow>[] {
  const call = ({ method, route }: RequestRow): string => `${method} ${route}`;
  return [
    { title: 'When', cell: ({ at }) => <Time at={at} />, value: ({ at }) => at },
    { title: 'Call', cell: call, value: call },
    {
      title: 'Status',
      cell: ({ status }) => <span class={`badge ${tone(status)}`}>{status}</span>,
      value: ({ status }) => status,
    },
    {
      title: 'Code',
      cell: ({ code }) => (code === null ? '—' : <a href={`/docs/errors#${code}`}>{code}</a>),
      value: ({ code }) => code,
    },
    {
      title: 'Took',
      cell: ({ tookMs }) => <span class="whole">{tookMs} ms</span>,
      value: ({ tookMs }) => tookMs,
    },
    {
      title: 'Session',
      cell: ({ sessionId }) =>
        sessionId === null ? '—' : <Id text={sessionId} href={href(sessionId)} isShort />,
      value: ({ sessionId }) => sessionId,
    },
    { title: 'Request id', cell: ({ id }) => <Id text={id} isShort />, value: ({ id }) => id },
  ];
}

export function Requests() {
  const { api, world } = useHere();
  const url = usePageUrl();
  const id = useFilter('id', true);
  const [errors, setErrors] = useFilter('errors');
  const list = useList<RequestRow>(`${api}/requests?errors=${errors === 'true'}`, {
    pageRows: PAGE_ROWS,
    lists: ['requests'],
    keyOf: ({ id: key }) => key,
  });
  const shown = requestColumns((session) => url('sessions', session));
  return (
    <div>
      <h1>Request log</h1>
      <p class="lead">
        Every request with a key of this mode, for 7 days. Each answer names its id in{' '}
        <code class="whole">X-Request-Id</code>.
      </p>
      <div class="filters">
        <SearchBox label="Request id" filter={id} />
        <label class="check">
          <input
            type="checkbox"
            checked={errors === 'true'}
            onChange={({ currentTarget }) => setErrors(currentTarget.checked ? 'true' : '')}
          />
          Errors only
        </label>
      </div>
      {id[0].trim() !== '' && <One id={id[0].trim()} columns={shown} />}
      <Rows list={list} older="Older requests">
        {(rows) => (
          <Table
            label="Requests"
            columns={shown}
            rows={rows}
            keyOf={({ id: key }) => key}
            empty={
              errors === 'true'
                ? 'No request failed in the last 7 days.'
                : 'No requests in the last 7 days.'
            }
            csv={`requests-${world}`}
            all={list.all}
          />
        )}
      </Rows>
    </div>
  );
}

/** The request with an id. Another id replaces it completely. */
function One({
  id,
  columns: shown,
}: {
  readonly id: string;
  readonly columns: readonly Column<RequestRow>[];
}) {
  const { api } = useHere();
  const [asked, setAsked] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(id), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [id]);
  const isAsked = asked === id;
  const found = useAnswer<RequestRow>(isAsked ? `${api}/requests/${encodeURIComponent(id)}` : null);
  return (
    <section class="card" aria-label="Found by id">
      <h2>Request {id}</h2>
      <Answer of={found}>
        {(row) => (
          <Table label="Found by id" columns={shown} rows={[row]} keyOf={() => id} empty="" />
        )}
      </Answer>
    </section>
  );
}
