/** The list of sessions, which updates itself. */

import type { GameInfo } from '../../games.ts';
import { useHere, usePageUrl } from '../../here.ts';
import { Id } from '../../parts/copy.tsx';
import { Choice, Rows, SearchBox, useFilter, useList } from '../../parts/list.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useAnswer } from '../../query.ts';
import type { Page, Session } from '../../types.ts';
import { playerWords, resultWords } from '../../words/result.ts';

const PAGE_ROWS = 25;

const STATUSES = ['pending', 'active', 'ended'] as const;

/** `href` leads to a session's page. */
export function sessionColumns(href: (id: string) => string): readonly Column<Session>[] {
  return [
    {
      title: 'Session',
      cell: ({ sessionId }) => <Id text={sessionId} href={href(sessionId)} />,
      value: ({ sessionId }) => sessionId,
    },
    { title: 'Game', cell: ({ game }) => game, value: ({ game }) => game },
    {
      title: 'Status',
      cell: ({ status }) => <span class={`badge ${status}`}>{status}</span>,
      value: ({ status }) => status,
    },
    { title: 'Players', cell: playerWords, value: playerWords },
    { title: 'Result', cell: resultWords, value: resultWords },
    {
      title: 'Created',
      cell: ({ createdAt }) => <Time at={createdAt} />,
      value: ({ createdAt }) => createdAt,
    },
  ];
}

export function Sessions() {
  const { api, world } = useHere();
  const url = usePageUrl();
  const games = useAnswer<Page<GameInfo>>(`${api}/v1/games`);
  const game = useFilter('game');
  const status = useFilter('status');
  const player = useFilter('player', true);
  const query = new URLSearchParams();
  for (const [name, [value]] of Object.entries({ game, status, player })) {
    if (value !== '') query.set(name, value);
  }
  const list = useList<Session>(`${api}/v1/sessions?${query}`, {
    pageRows: PAGE_ROWS,
    lists: ['sessions'],
    keyOf: ({ sessionId }) => sessionId,
  });
  const empty =
    query.size > 0
      ? 'No sessions match these filters.'
      : 'No sessions yet. Create one with your API key or in the API explorer.';
  return (
    <div>
      <h1>Sessions</h1>
      <p class="lead">Newest first. The list updates by itself.</p>
      <div class="filters">
        <Choice
          label="Game"
          all="All games"
          values={(games.data?.data ?? []).map(({ game: id }) => id)}
          filter={game}
        />
        <Choice label="Status" all="Any status" values={STATUSES} filter={status} />
        <SearchBox label="Player id" filter={player} />
      </div>
      <Rows list={list} older="Older sessions">
        {(rows) => (
          <Table
            label="Sessions"
            columns={sessionColumns((id) => url('sessions', id))}
            rows={rows}
            keyOf={({ sessionId }) => sessionId}
            empty={empty}
            csv={`sessions-${world}`}
            all={list.all}
          />
        )}
      </Rows>
    </div>
  );
}
