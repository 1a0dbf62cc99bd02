/** Leaderboards: the best players of a game by rating. */

import type { GameInfo } from '../games.ts';
import { useHere, usePageUrl } from '../here.ts';
import { Rows, useFilter, useList } from '../parts/list.tsx';
import { playerColumns } from '../parts/player-columns.tsx';
import { Answer } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useAnswer } from '../query.ts';
import type { Page } from '../types.ts';

const REFRESH_MS = 10_000;
const PAGE_ROWS = 25;

interface Leader {
  readonly rank: number;
  readonly playerId: string;
  readonly displayName: string | null;
  readonly rating: number;
  readonly deviation: number;
  readonly games: number;
}

export function Leaderboard() {
  const { api, world } = useHere();
  const games = useAnswer<Page<GameInfo>>(`${api}/v1/games`);
  const [asked, setGame] = useFilter('game');
  return (
    <div>
      <h1>Leaderboard</h1>
      <p class="lead">The best players of {world} mode by rating (Glicko-2), from rated matches.</p>
      <Answer of={games}>
        {({ data }) => {
          const ids = data.map(({ game }) => game);
          const game = ids.includes(asked) ? asked : ids[0]!;
          return (
            <>
              <div class="filters">
                <select
                  aria-label="Game"
                  value={game}
                  onChange={({ currentTarget }) => setGame(currentTarget.value)}
                >
                  {ids.map((id) => (
                    <option key={id} value={id}>
                      {id}
                    </option>
                  ))}
                </select>
              </div>
              <Leaders key={game} game={game} />
            </>
          );
        }}
      </Answer>
    </div>
  );
}

function Leaders({ game }: { readonly game: string }) {
  const { api, world } = useHere();
  const url = usePageUrl();
  const list = useList<Leader>(
    `${api}/v1/leaderboards?${new URLSearchParams({ game, mode: world })}`,
    {
      pageRows: PAGE_ROWS,
      everyMs: REFRESH_MS,
      keyOf: ({ playerId }) => playerId,
    },
  );
  return (
    <Rows list={list} older="More players">
      {(rows) => (
        <Table
          label="Leaderboard"
          rows={rows}
          keyOf={({ playerId }) => playerId}
          empty={`No players of ${game} are ranked yet. That takes 5 rated matches and a steady rating.`}
          csv={`leaderboard-${game}-${world}`}
          all={list.all}
          columns={[
            { title: 'Rank', cell: ({ rank }) => rank, value: ({ rank }) => rank },
            ...playerColumns(url),
            {
              title: 'Rating',
              cell: ({ rating, deviation }) =>
                `${Math.round(rating)} ± ${Math.round(2 * deviation)}`,
              value: ({ rating }) => rating,
            },
            { title: 'Matches', cell: ({ games }) => games, value: ({ games }) => games },
          ]}
        />
      )}
    </Rows>
  );
}
