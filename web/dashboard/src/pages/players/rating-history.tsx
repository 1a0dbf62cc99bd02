/** A player's rating over time, game by game: a chart with its words and a table of the matches. */

import { useMemo, useState } from 'preact/hooks';
import { Chart } from '../../chart/chart.tsx';
import { usePageUrl } from '../../here.ts';
import { Id } from '../../parts/copy.tsx';
import { type List, Rows, useFilter, useList } from '../../parts/list.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import type { RatedMatch } from '../../types.ts';
import { changeWords, historyWords, outcomeWords } from '../../words/rating.ts';

const PAGE_ROWS = 100;

/** `games` are those that the player has a rating in, the most played first. */
export function RatingHistory({
  id,
  path,
  games,
}: {
  readonly id: string;
  /** Of the player. */
  readonly path: string;
  readonly games: readonly string[];
}) {
  const [asked, setGame] = useFilter('game');
  const game = games.includes(asked) ? asked : games[0]!;
  return (
    <>
      {games.length > 1 && (
        <select
          aria-label="Game"
          value={game}
          onChange={({ currentTarget }) => setGame(currentTarget.value)}
        >
          {games.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      )}
      <OfGame key={game} id={id} path={path} game={game} />
      <p class="hint">Only rated matches whose sessions are still stored are shown.</p>
    </>
  );
}

interface Of {
  readonly id: string;
  readonly game: string;
}

function OfGame({ id, path, game }: Of & { readonly path: string }) {
  const list = useList<RatedMatch>(`${path}/rating-history?${new URLSearchParams({ game })}`, {
    pageRows: PAGE_ROWS,
    lists: ['sessions'],
    keyOf: ({ sessionId }) => sessionId,
  });
  return (
    <Rows list={list} older="Older matches">
      {(rows) => <OverTime id={id} game={game} rows={rows} list={list} />}
    </Rows>
  );
}

/** What of the list is shown. */
interface Shown extends Of {
  readonly rows: readonly RatedMatch[];
  readonly list: List<RatedMatch>;
}

function OverTime(props: Shown) {
  const { game, rows, list } = props;
  const { hasOlder } = list;
  const data = useMemo(() => {
    // Sessions are listed by when they were created: a long match may have ended after newer ones.
    const ended = rows.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
    const values = ended.map(({ after }) => after);
    return {
      at: ended.map(({ at }) => at),
      series: [{ name: 'rating', color: 'accent', values } as const],
    };
  }, [rows]);
  return (
    <Chart
      {...data}
      title={`Rating in ${game}`}
      step="none"
      unit=""
      isFromData
      isCard={false}
      summary={rows.length === 0 ? '' : historyWords(rows, hasOlder)}
      empty={hasOlder ? 'No rated matches in the newest sessions.' : 'No rated matches are stored.'}
    >
      <Matches {...props} />
    </Chart>
  );
}

function Matches({ id, game, rows, list }: Shown) {
  const url = usePageUrl();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        <Table
          label="Rated matches"
          rows={rows}
          keyOf={({ sessionId }) => sessionId}
          empty="No rated matches."
          csv={`ratings-of-${id}-in-${game}`}
          all={list.all}
          columns={[
            { title: 'Ended', cell: ({ at }) => <Time at={at} />, value: ({ at }) => at },
            {
              title: 'Rating',
              cell: ({ after }) => Math.round(after),
              value: ({ after }) => after,
            },
            {
              title: 'Change',
              cell: changeWords,
              value: ({ before, after }) => Math.round((after - before) * 10) / 10,
            },
            {
              title: 'Outcome',
              cell: ({ outcome }) => outcomeWords(outcome),
              value: ({ outcome }) => outcome,
            },
            {
              title: 'Session',
              cell: ({ sessionId }) => <Id text={sessionId} href={url('sessions', sessionId)} />,
              value: ({ sessionId }) => sessionId,
            },
          ]}
        />
      )}
    </details>
  );
}
