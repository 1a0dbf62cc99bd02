/** Players, searched by a prefix of their ids; or the one in the address. */

import { useHere, usePageUrl } from '../../here.ts';
import { lazy } from '../../parts/lazy.tsx';
import { Rows, SearchBox, useFilter, useList } from '../../parts/list.tsx';
import { playerColumns } from '../../parts/player-columns.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';

const PlayerPage = lazy(async () => (await import('./player.tsx')).PlayerPage);

interface Found {
  readonly playerId: string;
  readonly displayName: string | null;
  readonly createdAt: string;
}

const PAGE_ROWS = 50;

export function PlayersOrOne() {
  const { id } = useHere();
  return id === null ? <Players /> : <PlayerPage key={id} id={decode(id)} />;
}

/** Unchanged if it is not a valid encoding. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function Players() {
  const { api, world } = useHere();
  const url = usePageUrl();
  const find = useFilter('find', true);
  const list = useList<Found>(`${api}/players?${new URLSearchParams({ find: find[0] })}`, {
    pageRows: PAGE_ROWS,
    // A new session may bring new players.
    lists: ['players', 'sessions'],
    keyOf: ({ playerId }) => playerId,
  });
  return (
    <div>
      <h1>Players</h1>
      <p class="lead">Players of {world} mode by your own ids.</p>
      <div class="filters">
        <SearchBox label="Beginning of the player id" filter={find} />
      </div>
      <Rows list={list} older="More players">
        {(rows) => (
          <Table
            label="Players"
            rows={rows}
            keyOf={({ playerId }) => playerId}
            empty={
              find[0] === ''
                ? 'No players yet. They appear with their first session.'
                : 'No players match.'
            }
            csv={`players-${world}`}
            all={list.all}
            columns={[
              ...playerColumns(url),
              {
                title: 'First seen',
                cell: ({ createdAt }) => <Time at={createdAt} />,
                value: ({ createdAt }) => createdAt,
              },
            ]}
          />
        )}
      </Rows>
    </div>
  );
}
